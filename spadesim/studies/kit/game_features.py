"""What the rows of a log of deals say only together: the bids before, the state before a deal, who won the game."""

import numpy as np
import pandas as pd

from spadesim.rules import Rules


def bids_before(deals: pd.DataFrame, rules: Rules) -> np.ndarray:
    """Add up the bids that each seat heard before it bid.

    Parameters
    ----------
    deals
        Whole deals of a log, in its order, with `order` and `bid`.
    """
    bids, order = by_deal(deals, "bid", rules), by_deal(deals, "order", rules)
    earlier = order[:, :, None] > order[:, None, :]
    return (bids[:, None, :] * earlier).sum(2).ravel()


def bags_before(deals: pd.DataFrame, rules: Rules) -> np.ndarray:
    """Give each seat's bags before its deal.

    Parameters
    ----------
    deals
        Whole games of a log, in its order, with `deal` and `bags`.
    """
    bags = by_deal(deals, "bags", rules)
    before = np.vstack([np.zeros_like(bags[:1]), bags[:-1]])
    before[by_deal(deals, "deal", rules)[:, 0] == 0] = 0
    return before.ravel()


def points_of_bids(deals: pd.DataFrame, rules: Rules) -> np.ndarray:
    """Give what each row's deal brought, bag penalties left out.

    Parameters
    ----------
    deals
        Rows of a log with `points` and `penalties`.
    """
    return deals["points"].to_numpy(np.int64) + rules.bag_penalty * deals["penalties"].to_numpy(np.int64)


def won(deals: pd.DataFrame, rules: Rules) -> np.ndarray:
    """Tell of each row whether its seat, or its side, won the game (R5); where nobody did, of none.

    Parameters
    ----------
    deals
        Whole games of a log, in its order, with `deal`, `score_before` and `points`; none that was forfeited (R9).
    """
    number = by_deal(deals, "deal", rules)[:, 0]
    totals = by_deal(deals, "score_before", rules) + by_deal(deals, "points", rules)
    last = np.append(number[1:] == 0, True)
    games = np.cumsum(last) - last  # by deal the number of its game
    over = np.zeros(last.sum(), bool)
    over[games[_may_end(number, totals, rules)]] = True  # else it was stopped (R5.3)
    leads = totals[last] == totals[last].max(1, keepdims=True)
    winners = leads & (leads.sum(1) == rules.players // rules.bots)[:, None] & over[:, None]
    return winners[games].ravel()


def _may_end(number: np.ndarray, totals: np.ndarray, rules: Rules) -> np.ndarray:
    """Tell after which deals a game ends, or a tie is played off from there on (R5.1, R5.2)."""
    ends = totals.max(1) >= rules.target
    if rules.floor is not None:
        ends |= totals.min(1) <= rules.floor
    if rules.fixed_deals is not None:
        ends |= number + 1 >= rules.fixed_deals
    return ends


def by_deal(deals: pd.DataFrame, column: str, rules: Rules) -> np.ndarray:
    """Give a column in the shape (deals, seats)."""
    return deals[column].to_numpy(np.int64).reshape(-1, rules.players)
