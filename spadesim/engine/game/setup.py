"""What stays the same while a table plays: rules, seatings, which strategies there are and their parameters."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spadesim import cards
from spadesim.engine.game.lanes import as_records
from spadesim.limits import PARAMETERS_MAX
from spadesim.rules import Rules

HANDS_MAX = 6
SEATINGS_MAX = 12
CARDS_MAX = 56  # two jokers, and whole fours for the dealing
NEVER = 1 << 30  # more points or bags than a game can bring

LEFT_NONSPADE, LEFT, LOWEST_CLUB = range(3)
OPENINGS = {"left_nonspade": LEFT_NONSPADE, "left": LEFT, "lowest_club": LOWEST_CLUB}
NOTHING, BID_FAILS, THREE_TRICKS = range(3)
RENEGES = {"nothing": NOTHING, "bid_fails": BID_FAILS, "three_tricks": THREE_TRICKS}

# fmt: off
COPIED = (
    "players hands bots cards_each deck set_aside min_bid nil failed_nil_bags blind_nil blind_behind overtrick"
    " set_points bag_penalty exact_bonus high_spade_bonus target max_deals dummy"
).split()
CODED = (
    "points_vary total_not paired partnership opening broken_at_first breaks_when_led bag_limit penalties_max"
    " bags_kept floor fixed_deals renege"
).split()
TABLE_DTYPE = np.dtype([(name, "i8") for name in COPIED + CODED] + [
    ("n_cards", "i8"), ("pack", "i8", (CARDS_MAX,)),  # one mask a card, lowest first
    ("n_seatings", "i8"), ("seatings", "i8", (SEATINGS_MAX, HANDS_MAX)),  # seatings[k, seat] = bot
    ("bidder_of", "i8", (HANDS_MAX,)),  # bot -> which of the table's distinct bidders it uses
    ("player_of", "i8", (HANDS_MAX,)),
    ("bidder_ints", "i8", (HANDS_MAX, PARAMETERS_MAX)), ("bidder_floats", "f8", (HANDS_MAX, PARAMETERS_MAX)),
    ("player_ints", "i8", (HANDS_MAX, PARAMETERS_MAX)), ("player_floats", "f8", (HANDS_MAX, PARAMETERS_MAX)),
], align=True)
# fmt: on


def coded(rules: Rules) -> dict[str, int]:
    """Put into numbers what the rules say in words."""
    return {
        "points_vary": int(points_vary(rules)),
        "total_not": int(rules.bid_total_not is not None),
        "paired": int(rules.partnerships is not None or rules.dummy),
        "partnership": int(rules.partnerships is not None),
        "opening": OPENINGS[rules.opening_lead],
        "broken_at_first": cards.SPADES if rules.spades_break == "free" else 0,
        # led in spades, a trick breaks nothing; this is added to the suits in which a trick can break them
        "breaks_when_led": cards.SPADES if rules.spades_break == "played" else 0,
        "bag_limit": rules.bag_limit or NEVER,
        "penalties_max": _penalties_max(rules),
        "bags_kept": -int(rules.bag_reset == "carry"),  # a mask
        "floor": -NEVER if rules.floor is None else rules.floor,
        "fixed_deals": rules.fixed_deals or NEVER,
        "renege": RENEGES[rules.renege],
    }


def points_vary(rules: Rules) -> bool:
    """Return whether the points of a bid depend on more than itself and the tricks that count towards it."""
    return bool(rules.partnerships or rules.blind_nil or rules.renege != "nothing")


def as_played(rules: Rules, policy: str) -> Rules:
    """Make the rules as they matter: where nothing is corrected, nothing can cost what a renege costs (R9)."""
    return rules if policy == "correct" else replace(rules, renege="nothing")


def _penalties_max(rules: Rules) -> int:
    """Return how many bag penalties a deal can bring: after it a seat holds less than a limit and all its tricks."""
    if rules.bag_limit is None:
        return 0
    return (rules.bag_limit - 1 + rules.cards_each) // rules.bag_limit if rules.bag_reset == "carry" else 1


def set_up(rules: Rules, seatings: Sequence[Sequence[int]]) -> np.ndarray:
    """Make the one-element record of a table, without its strategies."""
    table = np.zeros(1, TABLE_DTYPE)
    set_rules(table, rules)
    pack = cards.cards_of(rules.deck)
    table["n_cards"] = len(pack)
    table["pack"][0, : len(pack)] = pack
    table["n_seatings"] = len(seatings)
    table["seatings"][0, : len(seatings), : rules.players] = seatings
    return as_records(table)


def set_rules(table: np.ndarray, rules: Rules) -> None:
    """Enter the rules."""
    for name in COPIED:
        table[name] = getattr(rules, name)
    for name, value in coded(rules).items():
        table[name] = value


def set_strategies(table: np.ndarray, role: str, which: Sequence[int], parameters: Sequence[Sequence[float]]) -> None:
    """Enter the distinct strategies of one role: bot `i` uses number `which[i]`, with those parameters."""
    table[f"{role}_of"][0, : len(which)] = which
    for i, values in enumerate(parameters):
        ints = [value for value in values if not isinstance(value, float)]
        floats = [value for value in values if isinstance(value, float)]
        table[f"{role}_ints"][0, i, : len(ints)] = ints
        table[f"{role}_floats"][0, i, : len(floats)] = floats
