"""What the rows of a log of deals show only together: the bids before, the state before a deal, who won the game."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from spadesim.rules import Rules

Integers = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def bids_before(deals: pd.DataFrame, rules: Rules) -> Integers:
    """Return the sum of the bids that each seat heard before it bid.

    Parameters
    ----------
    deals
        Whole deals of a log, in its order, with `order` and `bid`.
    """
    bids, order = by_deal(deals, "bid", rules), by_deal(deals, "order", rules)
    earlier = order[:, :, None] > order[:, None, :]
    return np.ravel((bids[:, None, :] * earlier).sum(2))


def bags_before(deals: pd.DataFrame, rules: Rules) -> Integers:
    """Return each seat's bags before its deal.

    Parameters
    ----------
    deals
        Whole games of a log, in its order, with `deal` and `bags`.
    """
    bags = by_deal(deals, "bags", rules)
    before = np.vstack([np.zeros_like(bags[:1]), bags[:-1]])
    before[by_deal(deals, "deal", rules)[:, 0] == 0] = 0
    return before.ravel()


def points_of_bids(deals: pd.DataFrame, rules: Rules) -> Integers:
    """Return the points of each row's deal, bag penalties left out.

    Parameters
    ----------
    deals
        Rows of a log with `points` and `penalties`.
    """
    points, penalties = (deals[name].to_numpy(np.int64) for name in ("points", "penalties"))
    return np.asarray(points + rules.bag_penalty * penalties)


def won(deals: pd.DataFrame, rules: Rules) -> Bools:
    """Return for each row whether its seat, or its side, won the game (R5).

    Parameters
    ----------
    deals
        Whole games of a log, in its order, with `deal`, `score_before` and `points`; none that was forfeited (R9).
    """
    number = by_deal(deals, "deal", rules)[:, 0]
    totals = by_deal(deals, "score_before", rules) + by_deal(deals, "points", rules)
    last = np.append(number[1:] == 0, True)
    games = np.cumsum(last) - last  # the number of each deal's game
    over = np.zeros(last.sum(), bool)
    over[games[_may_end(number, totals, rules)]] = True  # the others were stopped (R5.3)
    leads = totals[last] == totals[last].max(1, keepdims=True)
    winners = leads & (leads.sum(1) == rules.players // rules.bots)[:, None] & over[:, None]
    return np.ravel(winners[games])


def _may_end(number: Integers, totals: Integers, rules: Rules) -> Bools:
    """Return after which deals a game ends, or a tie is played off from there on (R5.1, R5.2)."""
    ends: Bools = totals.max(1) >= rules.target
    if rules.floor is not None:
        ends |= totals.min(1) <= rules.floor
    if rules.fixed_deals is not None:
        ends |= number + 1 >= rules.fixed_deals
    return ends


def by_deal(deals: pd.DataFrame, column: str, rules: Rules) -> Integers:
    """Return a column in the shape (deals, seats)."""
    return deals[column].to_numpy(np.int64).reshape(-1, rules.players)
