"""From a tally to tables for people: pandas frames, one a subject (docs/TABLES.md lists every column)."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from spadesim.rules import Rules
from spadesim.stats import intervals
from spadesim.stats.columns import (
    anytime_share_columns,
    difference_columns,
    interval_columns,
    mean_columns,
    share_columns,
    with_interval,
)
from spadesim.tournament.tally import Tally

DIFFERENCE = "win_share_difference"


def make_tables(tally: Tally, bots: Sequence[str], rules: Rules) -> dict[str, pd.DataFrame]:
    """Make all tables of a league, by name."""
    return {name: make(tally, list(bots), rules) for name, make in TABLES.items()}


def standings(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Rank the bots by win share."""
    totals = tally.totals
    frame = pd.DataFrame(
        {
            "bot": bots,
            "games": tally.games,
            "wins": totals["wins"],
            "capped": totals["capped"],
            "faults": totals["faults"],
        }
        | _win_share(tally)
        | mean_columns("mean_score", tally.rates["mean_score"], tally.units)
        | mean_columns("points_per_deal", tally.rates["points_per_deal"], tally.units)
        | {"deals": totals["deals"], "deals_per_game": _divide(totals["deals"], tally.games)}
    )
    return frame.sort_values(["win_share", "mean_score"], ascending=False, kind="stable", ignore_index=True)


def _win_share(tally: Tally) -> dict[str, np.ndarray]:
    """Return win shares; where the league was looked at, with an interval that holds at every look."""
    sums = tally.rates["win_share"]
    if tally.looked_at:
        return anytime_share_columns("win_share", sums, tally.units, tally.blocks)
    return share_columns("win_share", sums, tally.units)


def nils(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Show how nils fared."""
    made, nil_bids = (getattr(tally.rates["nil_success"], name).astype(np.int64) for name in ("n", "d"))
    points = np.where(nil_bids > 0, tally.earned[:, :, 0].sum(1), 0)
    return pd.DataFrame(
        {"bot": bots, "deals": tally.deals.sum((1, 2, 3)), "nil_bids": nil_bids}
        | share_columns("nil_rate", tally.rates["nil_rate"], tally.units)
        | {"nil_made": made}
        | share_columns("nil_success", tally.rates["nil_success"], tally.units)
        | {"points_per_nil": _divide(points, nil_bids)}
    )


def bags(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Show what bags cost."""
    penalties = tally.totals["penalties"]
    per_game = mean_columns("penalties_per_game", tally.rates["penalties_per_game"], tally.units)
    return pd.DataFrame(
        {"bot": bots, "deals": tally.totals["deals"], "bags": tally.totals["bags"]}
        | mean_columns("bags_per_deal", tally.rates["bags_per_deal"], tally.units)
        | {"games": tally.games, "penalties": penalties}
        | per_game
        | {"penalty_points_per_game": 0.0 - rules.bag_penalty * per_game["penalties_per_game"]}
    )


def bids(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Show how each bid fared; bids never made are left out."""
    deals = tally.deals.sum(1)
    n_bids = deals.shape[1]
    points = tally.earned.sum(1)
    tricks = (deals * np.arange(n_bids)).sum(-1)
    made = tally.rates["made_rate"].n.astype(np.int64)
    columns = {"bid": np.tile(np.arange(n_bids), (len(bots), 1)), "deals": deals.sum(-1), "made": made}
    columns |= share_columns("made_rate", tally.rates["made_rate"], tally.units)
    columns |= {"mean_taken": _divide(tricks, deals.sum(-1)), "points_per_deal": _divide(points, deals.sum(-1))}
    frame = pd.DataFrame({"bot": np.repeat(bots, n_bids)} | {name: values.ravel() for name, values in columns.items()})
    return frame[frame["deals"] > 0].reset_index(drop=True)


def calibration(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Count deals by bid and tricks taken; pairs that never came up are left out."""
    deals = tally.deals.sum(1)
    bot, bid, taken = np.nonzero(deals)
    return pd.DataFrame(
        {"bot": np.array(bots, object)[bot], "bid": bid, "taken": taken, "deals": deals[bot, bid, taken]}
    )


def orders(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Compare the places in the bidding."""
    deals = tally.deals
    n, seats, n_bids, _ = deals.shape
    by_order = deals.sum((2, 3))
    numbers = np.arange(n_bids)
    sums = {
        "mean_bid": (deals.sum(3) * numbers).sum(-1),
        "mean_taken": (deals.sum(2) * numbers).sum(-1),
        "points_per_deal": tally.earned.sum(2),
    }
    return pd.DataFrame(
        {"bot": np.repeat(bots, seats), "order": np.tile(np.arange(seats), n), "deals": by_order.ravel()}
        | {name: _divide(total, by_order).ravel() for name, total in sums.items()}
    )


def seats(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Compare the seats."""
    n, n_seats = tally.seat_games.shape
    columns = {"games": tally.seat_games, "wins": tally.rates["seat_win_share"].n.astype(np.int64)}
    columns |= share_columns("win_share", tally.rates["seat_win_share"], tally.units)
    return pd.DataFrame(
        {"bot": np.repeat(bots, n_seats), "seat": np.tile(np.arange(n_seats), n)}
        | {name: values.ravel() for name, values in columns.items()}
    )


def head_to_head(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Compare bots pair by pair: their final scores where they met, and their win shares, over the same deals."""
    columns = {
        "games": tally.met,
        "ahead": tally.ahead,
        "level": tally.met - tally.ahead - tally.ahead.T,
        "behind": tally.ahead.T,
    }
    columns |= (
        share_columns("ahead_share", tally.rates["ahead_share"], tally.units)
        | mean_columns("mean_margin", tally.rates["mean_margin"], tally.units)
        | _win_share_differences(tally)
    )
    row, other = np.nonzero(tally.met)
    names = np.array(bots, object)
    return pd.DataFrame({"bot": names[row], "other": names[other]} | {k: v[row, other] for k, v in columns.items()})


def _win_share_differences(tally: Tally) -> dict[str, np.ndarray]:
    """Return each row's win share less the column's, shape (n, n), with intervals and p-values, adjusted too."""
    first, second = np.nonzero(np.triu(tally.met))
    found, errors = intervals.differences(*tally.by_group["win_share"], first, second)
    p_values = intervals.p_values(found, errors, tally.units)
    p_columns = {"p_value": p_values, "p_holm": intervals.holm(p_values)}
    n = len(tally.games)
    both = {name: np.full((n, n), np.nan) for name in (*interval_columns(DIFFERENCE), *p_columns)}
    for i, j, sign in ((first, second, 1), (second, first, -1)):
        columns = difference_columns(DIFFERENCE, sign * found, errors, tally.units) | p_columns
        for name, values in columns.items():
            both[name][i, j] = values + 0.0  # no minus zero
    return both


def ratings(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Rate the bots on one scale, from the winners at all tables."""
    from spadesim.stats.ratings import rate  # takes long to import

    found = rate(tally.tables, tally.table_wins)
    columns = with_interval("rating", found.rating, found.low, found.high)
    frame = pd.DataFrame({"bot": bots, "games": tally.games} | columns | {"standard_error": found.standard_error})
    return frame.sort_values("rating", ascending=False, kind="stable", ignore_index=True)


Maker = Callable[[Tally, list[str], Rules], pd.DataFrame]
TABLES: dict[str, Maker] = {
    make.__name__: make for make in (standings, nils, bags, bids, calibration, orders, seats, head_to_head, ratings)
}


def _divide(total: np.ndarray, count: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: np.ndarray = total / count
        return quotient
