"""The same bots, rules and games for the engine and for the slow reference."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import reference as ref

from spadesim import testing
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import play_games
from spadesim.rules import Rules

BOTS_FILE = str(Path(__file__).parent / "bots_for_tests.py")

BIDDERS = {
    "quick": ref.quick,
    "spade_count": ref.spade_count,
    "wild_bid": ref.wild_bid,
    "wild_bid_array": ref.wild_bid,
    "wild_bid_python": ref.wild_bid,
    "tricky_bid": ref.tricky_bid,
    "family_bid": ref.family_bid,
    "daring_bid": ref.daring_bid,
}
BIDDERS |= {f"fixed:bid={bid}": ref.fixed(bid) for bid in range(18)}
PLAYERS = {
    "need_or_duck": ref.need_or_duck,
    "need_or_duck_array": ref.need_or_duck,
    "need_or_duck_python": ref.need_or_duck,
    "lowest": ref.lowest,
    "highest": ref.highest,
    "random_legal": ref.random_legal,
    "tricky_play": ref.tricky_play,
    "family_play": ref.family_play,
}
BLIND = {"daring_bid": ref.daring}
FAULTY = {"careless_bid": ref.careless_bid, "careless_play": ref.careless_play}  # for on_fault="correct"


def twin_bots(specs: Sequence[str]) -> list[ref.Bot]:
    """Make the reference's bots of a table such as ``["quick+lowest", …]``, named as the engine names them.

    How many there must be is a matter of the rules: one a player, but two with partnerships.
    """
    named = find_strategies([BOTS_FILE]).field(specs)
    bidders, players = BIDDERS | FAULTY, PLAYERS | FAULTY
    parts = [bot.spec.split("+") for bot in named]
    return [
        (bot.name, bidders[bid], players[play], BLIND.get(bid)) for bot, (bid, play) in zip(named, parts, strict=True)
    ]


def twin_rules(rules: Rules) -> ref.Rules:
    """Make the reference's rules."""
    return ref.Rules(**{field.name: getattr(rules, field.name) for field in fields(rules) if field.name != "name"})


def reference_games(
    specs: Sequence[str], rules: Rules, seed: int, game: int, n_games: int, *, on_fault: str = "stop"
) -> list[dict]:
    """Play games in the reference and return their records."""
    bots, numbers, twin = twin_bots(specs), range(game, game + n_games), twin_rules(rules)
    return [ref.play_game(bots, seed, number, twin, on_fault) | {"rules": rules.name} for number in numbers]


def engine_games(
    specs: Sequence[str],
    rules: Rules,
    seed: int,
    game: int,
    n_games: int,
    *,
    on_fault: str = "stop",
    interpreted: bool = False,
) -> list[dict]:
    """Play the same games in the engine."""
    bots = find_strategies([BOTS_FILE]).field(specs)
    options = {"on_fault": on_fault, "load": [BOTS_FILE], "interpreted": interpreted}
    return list(play_games(bots, rules, seed, game, n_games, **options))


def view_by_hand(view: ref.View, rules: Rules, **more):
    """Make the engine's view by `testing.view` from as little as it needs of the reference's, and `more`."""
    known = {name: getattr(view, name) for name in ("bids", "taken", "scores", "bags", "blind", "order", "random")}
    if hasattr(view, "legal"):
        earlier = [[card for card in shown if card != now] for shown, now in zip(view.shown, view.cards, strict=True)]
        known |= {"trick": " ".join(view.trick), "shown": [" ".join(shown) for shown in earlier]}
        known |= {"voids": ["".join(suits) for suits in view.voids], "broken": view.broken, "dummy": view.dummy}
        known["opened"] = ["", *(" ".join(held) for held in view.open[1:])]
    return testing.view(hand=" ".join(view.hand), rules=rules, **known, **more)
