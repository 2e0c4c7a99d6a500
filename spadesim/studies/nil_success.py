"""How often a nil is made, by the spades of the hand and by its lowest cards."""

from collections.abc import Sequence

import pandas as pd

from spadesim.designs.study.play import Part
from spadesim.studies.kit.estimates import Counts
from spadesim.studies.kit.game_features import points_of_bids
from spadesim.studies.kit.hand_features import SIDES, features

LEAGUES = 1
TABLES = {
    "by_spades": "Nils by the number of spades in the hand.",
    "by_top_spade": "Nils by the highest spade in the hand.",
    "by_lowest": "Nils by the most cards that are out below the lowest card of a side suit.",
    "by_test": "Nils of hands that pass a test, and of hands that do not.",
}
COLUMNS = ("nils", "made", "points")
SHARES, MEANS = {"success": ("made", "nils")}, {"points_per_nil": ("points", "nils")}


def study(parts: Sequence[Part]) -> dict[str, pd.DataFrame]:
    """Return the nils of all tables by what their hands have."""
    (part,) = parts
    keys = {
        "by_spades": ["bot", "spades"],
        "by_top_spade": ["bot", "top_spade"],
        "by_lowest": ["bot", "most_under"],
        "by_test": ["bot", "test", "passed"],
    }
    counts = {name: Counts(by, COLUMNS) for name, by in keys.items()}
    for deals in part.deals("stream", "bot", "hand", "taken", "points", "penalties", "nil"):
        nils = features(deals[deals["nil"]], part.league.rules)
        nils = nils.assign(nils=1, made=nils["taken"] == 0, points=points_of_bids(nils, part.league.rules))
        for name, counted in counts.items():
            counted.add(_by_test(nils) if name == "by_test" else nils)
    return {name: counted.table(SHARES, MEANS) for name, counted in counts.items()}


def _by_test(nils: pd.DataFrame) -> pd.DataFrame:
    """Return the nils once for each test, with whether their hand passes it."""
    return pd.concat([nils.assign(test=name, passed=passed) for name, passed in _tests(nils).items()])


def _tests(nils: pd.DataFrame) -> dict[str, pd.Series]:
    highest_lowest = nils[[f"lowest_{suit}" for suit in SIDES]].max(axis=1)
    return {
        "no spade above the ten": nils["top_spade"] <= 10,
        "lowest card of every side suit up to the five": highest_lowest <= 5,
        "at most one card out below the lowest of every side suit": nils["most_under"] <= 1,
        "at most five cards out below the second lowest of every side suit": nils["most_under_second"] <= 5,
    }
