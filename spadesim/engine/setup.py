"""What stays the same while a table plays: rules, seatings, which strategies there are and their parameters."""

from collections.abc import Sequence

import numpy as np

from spadesim import cards
from spadesim.engine.lanes import as_records
from spadesim.limits import PARAMETERS_MAX
from spadesim.rules import Rules

HANDS_MAX = 6
SEATINGS_MAX = 720
CARDS_MAX = 56  # two jokers, and whole fours for the dealing

# fmt: off
NUMBERS = (
    "players cards_each deck nil failed_nil_bags overtrick set_points bag_limit bag_penalty target max_deals"
).split()
TABLE_DTYPE = np.dtype([(name, "i8") for name in NUMBERS] + [
    ("n_cards", "i8"), ("pack", "i8", (CARDS_MAX,)),  # one mask a card, lowest first
    ("n_seatings", "i8"), ("seatings", "i8", (SEATINGS_MAX, HANDS_MAX)),  # seatings[k, seat] = bot
    ("bidder_of", "i8", (HANDS_MAX,)),  # bot -> which of the table's distinct bidders it uses
    ("player_of", "i8", (HANDS_MAX,)),
    ("bidder_ints", "i8", (HANDS_MAX, PARAMETERS_MAX)), ("bidder_floats", "f8", (HANDS_MAX, PARAMETERS_MAX)),
    ("player_ints", "i8", (HANDS_MAX, PARAMETERS_MAX)), ("player_floats", "f8", (HANDS_MAX, PARAMETERS_MAX)),
], align=True)
# fmt: on


def set_up(rules: Rules, seatings: Sequence[Sequence[int]]) -> np.ndarray:
    """Make the one-element record of a table, without its strategies."""
    table = np.zeros(1, TABLE_DTYPE)
    for name in NUMBERS:
        table[name] = getattr(rules, name)
    pack = cards.cards_of(rules.deck)
    table["n_cards"] = len(pack)
    table["pack"][0, : len(pack)] = pack
    table["n_seatings"] = len(seatings)
    table["seatings"][0, : len(seatings), : rules.players] = seatings
    return as_records(table)


def set_strategies(table: np.ndarray, role: str, which: Sequence[int], parameters: Sequence[Sequence]) -> None:
    """Enter the distinct strategies of one role: bot `i` uses number `which[i]`, with those parameters."""
    table[f"{role}_of"][0, : len(which)] = which
    for i, values in enumerate(parameters):
        ints = [value for value in values if not isinstance(value, float)]
        floats = [value for value in values if isinstance(value, float)]
        table[f"{role}_ints"][0, i, : len(ints)] = ints
        table[f"{role}_floats"][0, i, : len(floats)] = floats
