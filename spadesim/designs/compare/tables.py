"""The figures of a comparison: two bots in the same seats on the same deals."""

import pandas as pd

from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.league.result import League
from spadesim.stats import intervals, sequential
from spadesim.stats.columns import plus_or_minus
from spadesim.stats.sums import Sums


def comparison(result: League, spec: CompareSpec, verdict: sequential.Verdict | None) -> pd.DataFrame:
    """Make the table of one row that says which bot is better (docs/TABLES.md has its columns)."""
    tally = result.tally
    wins, games = (counts[:, :2] for counts in tally.by_group["win_share"])
    difference, error = intervals.difference(wins, games)
    shares = intervals.rate(Sums.over(wins, games))
    variance = error**2 * tally.blocks
    alone = (intervals.standard_error(Sums.over(wins, games), tally.units) ** 2).sum() * tally.blocks
    half = float(sequential.anytime_half_width(variance, tally.blocks))
    played, seatings = int(tally.games[0]), int(tally.games[0]) // tally.blocks
    known = variance > 0  # not if they never differed, or if a partial run has yet to play one of the two
    saved = float(alone / variance) if known else float("nan")
    fixed = sequential.fixed_blocks(variance, spec.delta, spec.alpha, spec.beta) * seatings if known else None
    named = {"first": result.bots[0], "second": result.bots[1], "level": "level", None: "undecided"}
    return pd.DataFrame(
        [
            {
                "first": result.bots[0],
                "second": result.bots[1],
                "verdict": named[verdict],
                "win_share_first": shares[0],
                "win_share_second": shares[1],
                **plus_or_minus("difference", difference, half),
                "games_each": played,
                "relative_efficiency": saved,
                "games_each_unpaired": round(played * saved) if known else None,
                "games_each_fixed": fixed,
            }
        ]
    )
