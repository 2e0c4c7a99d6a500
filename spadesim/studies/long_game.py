"""Whom a longer game favours: the same field on the same deals, to one target and to another."""

from collections.abc import Sequence

import pandas as pd

from spadesim.designs.study.play import Part
from spadesim.studies.kit.estimates import win_share_differences

LEAGUES = 2
TABLES = {
    "by_target": "Each bot in each of the games.",
    "differences": "What each bot wins more in the second game than in the first, on the same deals.",
}


def study(parts: Sequence[Part]) -> dict[str, pd.DataFrame]:
    """Return the leagues side by side, and what the second has more than the first."""
    by_target = pd.concat([_row_a_bot(part) for part in parts], ignore_index=True)
    return {"by_target": by_target, "differences": win_share_differences(parts[0].league, parts[1].league)}


def _row_a_bot(part: Part) -> pd.DataFrame:
    league = part.league
    standings = league.standings.set_index("bot").loc[league.bots].reset_index()
    kept = ["bot", "games", "wins", "capped", "win_share", "win_share_low", "win_share_high", "deals_per_game"]
    bags = league.bags[["penalties", "penalties_per_game", "penalties_per_game_low", "penalties_per_game_high"]]
    table: pd.DataFrame = pd.concat([standings[kept], bags], axis=1).assign(target=league.rules.target)
    return table[["target", *kept, *bags]]
