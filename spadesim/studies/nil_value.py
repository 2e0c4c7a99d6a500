"""What a nil that pays less changes: how nil bidders fare, what their nils bring, and how sure a nil must be."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from spadesim.designs.study.play import Part
from spadesim.rules import Rules
from spadesim.stats.columns import interval_columns, with_interval
from spadesim.studies.kit.estimates import Counts, win_share_differences

LEAGUES = 2
TABLES = {
    "by_value": "Each bot where a nil pays so much.",
    "differences": "What each bot wins more where a nil pays the second value, on the same deals.",
    "break_even": "Nils of the first deal, beside what a bidder without nil made of the same hands in the same seats.",
}
WITHOUT = "fitted+steady"  # bids as the gates do where they bid no nil


def study(parts: Sequence[Part]) -> dict[str, pd.DataFrame]:
    """Return the leagues side by side."""
    return {
        "by_value": pd.concat([_row_a_bot(part) for part in parts], ignore_index=True),
        "differences": win_share_differences(parts[0].league, parts[1].league),
        "break_even": pd.concat([_break_even(part) for part in parts], ignore_index=True),
    }


def _row_a_bot(part: Part) -> pd.DataFrame:
    league = part.league
    shares = league.standings[["bot", "games", "wins", "win_share", "win_share_low", "win_share_high"]]
    table: pd.DataFrame = shares.merge(league.nils, on="bot", how="left")
    table.insert(0, "nil", league.rules.nil)
    return table


def _break_even(part: Part) -> pd.DataFrame:
    """Compare the first deals of games that differ in one bot only, which bids nil in one and not in the other."""
    nil = part.league.rules.nil
    columns = ("stream", "bot", "deal", "seat", "taken", "points", "nil")
    first = pd.concat([_first_deals(deals, part.league.rules) for deals in part.deals(*columns)], ignore_index=True)
    place = ["stream", "seat", "left", "right"]
    others = first[first["bot"] == WITHOUT]
    pairs = first[first["nil"]].merge(others[[*place, "points"]], on=place, suffixes=("", "_without"))
    counts = Counts(["bot"], ["nils", "made", "points", "points_without"])
    counts.add(pairs.assign(nils=1, made=pairs["taken"] == 0))
    means = {"points_per_nil": ("points", "nils"), "points_without_nil": ("points_without", "nils")}
    table = counts.table({"success": ("made", "nils")}, means)
    # a success of s brings s · nil - (1 - s) · nil
    break_even = [(table[column] + nil) / (2 * nil) for column in interval_columns("points_without_nil")]
    table = table.assign(**with_interval("break_even", *(bound.to_numpy(float) for bound in break_even)))
    table.insert(0, "nil", nil)
    return table


def _first_deals(deals: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the nils of first deals, and the bids to compare them with, each with the bots on its left and right."""
    first = deals[deals["deal"] == 0]
    bots = first["bot"].astype(str).to_numpy(object).reshape(-1, rules.players)
    left, right = np.roll(bots, -1, axis=1), np.roll(bots, 1, axis=1)
    first = first.assign(bot=bots.ravel(), left=left.ravel(), right=right.ravel())
    return first[first["nil"] | (first["bot"] == WITHOUT)]
