"""From a tally to tables for people: pandas frames, one a subject (docs/TABLES.md lists every column)."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from spadesim.rules import Rules
from spadesim.stats import intervals
from spadesim.tournament.tally import Tally


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
        | (_always(tally, "win_share") if tally.looked_at else _share(tally, "win_share"))
        | _mean(tally, "mean_score")
        | _mean(tally, "points_per_deal")
        | {"deals": totals["deals"], "deals_per_game": _divide(totals["deals"], tally.games)}
    )
    return frame.sort_values(["win_share", "mean_score"], ascending=False, kind="stable", ignore_index=True)


def nils(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Tell how nils fared."""
    made, nil_bids = (getattr(tally.rates["nil_success"], name).astype(np.int64) for name in ("n", "d"))
    points = np.where(nil_bids > 0, tally.earned[:, :, 0].sum(1), 0)
    return pd.DataFrame(
        {"bot": bots, "deals": tally.deals.sum((1, 2, 3)), "nil_bids": nil_bids}
        | _share(tally, "nil_rate")
        | {"nil_made": made}
        | _share(tally, "nil_success")
        | {"points_per_nil": _divide(points, nil_bids)}
    )


def bags(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Tell what bags cost."""
    penalties = tally.totals["penalties"]
    per_game = _mean(tally, "penalties_per_game")
    return pd.DataFrame(
        {"bot": bots, "deals": tally.totals["deals"], "bags": tally.totals["bags"]}
        | _mean(tally, "bags_per_deal")
        | {"games": tally.games, "penalties": penalties}
        | per_game
        | {"penalty_points_per_game": 0.0 - rules.bag_penalty * per_game["penalties_per_game"]}
    )


def bids(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Tell how each bid fared; bids never made are left out."""
    deals = tally.deals.sum(1)
    n_bids = deals.shape[1]
    points = tally.earned.sum(1)
    tricks = (deals * np.arange(n_bids)).sum(-1)
    made = tally.rates["made_rate"].n.astype(np.int64)
    columns = {"bid": np.tile(np.arange(n_bids), (len(bots), 1)), "deals": deals.sum(-1), "made": made}
    columns |= _share(tally, "made_rate")
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
    each = deals.sum((2, 3))
    numbers = np.arange(n_bids)
    sums = {
        "mean_bid": (deals.sum(3) * numbers).sum(-1),
        "mean_taken": (deals.sum(2) * numbers).sum(-1),
        "points_per_deal": tally.earned.sum(2),
    }
    return pd.DataFrame(
        {"bot": np.repeat(bots, seats), "order": np.tile(np.arange(seats), n), "deals": each.ravel()}
        | {name: _divide(total, each).ravel() for name, total in sums.items()}
    )


def seats(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Compare the seats."""
    n, n_seats = tally.seat_games.shape
    columns = {"games": tally.seat_games, "wins": tally.rates["seat_win_share"].n.astype(np.int64)}
    columns |= _share(tally, "seat_win_share", "win_share")
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
    columns |= _share(tally, "ahead_share") | _mean(tally, "mean_margin") | _win_share_differences(tally)
    row, other = np.nonzero(tally.met)
    names = np.array(bots, object)
    return pd.DataFrame({"bot": names[row], "other": names[other]} | {k: v[row, other] for k, v in columns.items()})


def _win_share_differences(tally: Tally) -> dict[str, np.ndarray]:
    """Give the row's win share less the column's, shape (n, n), with intervals and p-values adjusted for all pairs."""
    first, second = np.nonzero(np.triu(tally.met))
    found, errors = intervals.differences(*tally.by_group["win_share"], first, second)
    p_values = intervals.p_values(found, errors, tally.units)
    half = intervals.t_quantile(tally.units) * errors
    n = len(tally.games)
    both = {name: np.full((n, n), np.nan) for name in WIN_SHARE_DIFFERENCE}
    for i, j, sign in ((first, second, 1), (second, first, -1)):
        values = (sign * found, sign * found - half, sign * found + half, p_values, intervals.holm(p_values))
        for name, each in zip(WIN_SHARE_DIFFERENCE, values, strict=True):
            both[name][i, j] = each + 0.0  # no minus zero
    return both


def ratings(tally: Tally, bots: list[str], rules: Rules) -> pd.DataFrame:
    """Rate the bots on one scale, from the winners at all tables."""
    from spadesim.stats.ratings import rate  # takes long to import

    found = rate(tally.tables, tally.table_wins)
    columns = {"rating": found.rating, "rating_low": found.low, "rating_high": found.high}
    frame = pd.DataFrame({"bot": bots, "games": tally.games} | columns | {"standard_error": found.standard_error})
    return frame.sort_values("rating", ascending=False, kind="stable", ignore_index=True)


WIN_SHARE_DIFFERENCE = (
    "win_share_difference",
    "win_share_difference_low",
    "win_share_difference_high",
    "p_value",
    "p_holm",
)
Maker = Callable[[Tally, list[str], Rules], pd.DataFrame]
TABLES: dict[str, Maker] = {
    make.__name__: make for make in (standings, nils, bags, bids, calibration, orders, seats, head_to_head, ratings)
}


def _share(tally: Tally, name: str, column: str | None = None) -> dict[str, np.ndarray]:
    low, high = intervals.share_interval(tally.rates[name], tally.units)
    column = column or name
    return {column: intervals.rate(tally.rates[name]), f"{column}_low": low, f"{column}_high": high}


def _always(tally: Tally, name: str) -> dict[str, np.ndarray]:
    """Give a share with an interval that holds at every look."""
    share, half = (
        intervals.rate(tally.rates[name]),
        intervals.anytime_half_width(tally.rates[name], tally.units, tally.blocks),
    )
    return {name: share, f"{name}_low": np.maximum(share - half, 0), f"{name}_high": np.minimum(share + half, 1)}


def _mean(tally: Tally, name: str) -> dict[str, np.ndarray]:
    low, high = intervals.mean_interval(tally.rates[name], tally.units)
    return {name: intervals.rate(tally.rates[name]), f"{name}_low": low, f"{name}_high": high}


def _divide(total: np.ndarray, count: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return total / count
