"""One number per bot for how strong it is in its field, from who won at which table.

The model is Luce's choice (Luce 1959, *Individual Choice Behavior*), which is Bradley and Terry's for more than two and
Plackett and Luce's for the winner alone: bot i wins a decided game at table t with probability
exp(theta_i) / sum_{j in t} exp(theta_j). Games without a winner do not count.

The ratings are those of maximum likelihood. Standard errors allow for games of a group that depend on one another: they
are the sandwich H^-1 (sum_g U_g U_g') H^-1 G / (G - 1), where H is the information, U_g the score of group g and G the
number of groups (Liang and Zeger 1986, *Biometrika* 73), with Student's t of G - 1 degrees of freedom (Cameron and
Miller 2015, *Journal of Human Resources* 50).

statsmodels fits the model as a Poisson regression with an effect for each table (Baker 1994, *The Statistician* 43),
which the tests compare with; for 1,140 tables that takes minutes. SciPy's minimisers compare values of the likelihood,
which settles ratings to some seven digits only. Hence Newton's method on the score, a few lines.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special, stats

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int64]

ELO = 400 / math.log(10)  # points per unit of theta: 400 points more win ten times as often (Elo 1978)
DIGITS = 6  # decimals of a point that results are rounded to
TIE = 1e-7  # points; rounding errors are smaller, so two bots that are closer are equal
SETTLED = 1e-8  # of theta; errors are squared from step to step, so a step this small is the last
STEPS = 1000  # tens are enough; the limit only guards against floats that never settle


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings of a field of n bots, in Elo points, to 6 decimals.

    A difference of 400 points means: of the games at a table that either wins, the stronger wins ten times as many.
    The finite ratings have mean zero, so they compare bots of one league, not leagues.

    Attributes
    ----------
    rating : (n,) float64
        Mean zero; -inf … inf, or NaN where nothing is known.
    standard_error : (n,) float64
        Of `rating`, 0 or more; NaN where the rating is not finite, and for fewer than two groups.
    low, high : (n,) float64
        The confidence interval of `rating`; NaN where the standard error is.
    """

    rating: Floats
    standard_error: Floats
    low: Floats
    high: Floats


def rate(tables: Sequence[Sequence[int]], wins: npt.NDArray[Any], confidence: float = 0.95) -> Ratings:
    """Return the ratings of the bots of a league.

    A maximum that is finite exists only if each bot has beaten each other one, itself or by a chain of bots (Ford 1957,
    *American Mathematical Monthly* 64; for tables of more than two, Hunter 2004, *Annals of Statistics* 32). Otherwise
    the largest set of bots of which this is true, the core, is rated from the games it won, without the others
    (the limit of maximum likelihood: Butler and Whelan 2004, arXiv:math/0412232). A bot outside it is rated

    - inf if it, or a chain from it, has beaten the core,
    - -inf if the core, or a chain from it, has beaten it,
    - NaN if neither.

    If no set of two or more is larger than all others, no bot has a finite rating: a bot that has beaten others and was
    never beaten is rated inf, one that was beaten and has never beaten another -inf, and every other bot NaN.

    Parameters
    ----------
    tables : (tables, seats) of int
        The bots at each table, 0 … n - 1. A bot of 0 … n - 1 at no table is rated NaN.
    wins : (groups, tables, seats) of int
        Games of a group that the bot in that place won at that table, 0 or more. Groups are independent of one another.
    confidence : float
        Of the intervals, between 0 and 1.

    Returns
    -------
    Ratings
        Equal for bots that differ only in their names, and the same if tables, seats or groups are reordered.

    Raises
    ------
    ValueError
        If a bot is twice at a table, the shapes do not fit, numbers are not whole or negative, or `confidence` is
        not between 0 and 1.
    """
    seated, wins = _checked(np.asarray(tables), np.asarray(wins), confidence)
    bots, groups = int(seated.max()) + 1, len(wins)
    totals = wins.sum(0, dtype=np.int64)
    chains = _chains(seated, totals, bots)
    core = _core(chains)
    rating, error = _outside(chains, core), np.full(bots, np.nan)
    if core.any():
        won = (core[seated] & (totals > 0)).any(1)  # tables where only bots of the core have won
        theta = _most_likely(seated[won], totals[won], core)
        rating[core] = _rounded(ELO * theta[core])
        if groups > 1:
            scores = _scores(theta, seated, wins, won)[:, core]
            information = _derivatives(theta, seated[won], totals[won])[1][core][:, core]
            error[core] = _rounded(ELO * _errors(information, scores))
    half = stats.t.ppf((1 + confidence) / 2, max(groups - 1, 1)) * error
    return Ratings(rating, error, np.round(rating - half, DIGITS), np.round(rating + half, DIGITS))


def _checked(tables: npt.NDArray[Any], wins: npt.NDArray[Any], confidence: float) -> tuple[Whole, npt.NDArray[Any]]:
    """Return the arrays, or refuse those that are no league."""
    if tables.ndim != 2 or not tables.size or tables.dtype.kind not in "iu" or tables.min() < 0:
        raise ValueError("tables are not rows of bots; expected equally many in each, every bot a whole number from 0")
    if (np.diff(np.sort(tables, axis=1), axis=1) == 0).any():
        raise ValueError("a bot is at a table twice; expected different bots at each table")
    if wins.ndim != 3 or wins.shape[1:] != tables.shape:
        raise ValueError(f"wins have shape {wins.shape}; expected (groups, {len(tables)}, {tables.shape[1]})")
    if wins.dtype.kind not in "iu" or (wins.size and wins.min() < 0):
        raise ValueError("wins are negative or not whole; expected wins in whole numbers from 0")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence!r}; expected a number between 0 and 1")
    return tables.astype(np.int64), wins


# --- Who can be compared ---------------------------------------------------------------------------------------------


def _chains(tables: Whole, totals: Whole, bots: int) -> Bools:
    """Return who has beaten whom, if only by a chain; (n, n) bool. A winner, or one in a circle, has beaten itself."""
    beaten: Bools = _by_bot(tables, totals > 0, bots).T @ _by_bot(tables, np.ones(tables.shape), bots) > 0
    for k in range(bots):
        beaten |= beaten[:, [k]] & beaten[[k]]  # Warshall 1962
    return beaten


def _core(chains: Bools) -> Bools:
    """Return the largest set of bots that have all beaten each other by chains; (n,) bool, none if there is no such."""
    mutual = chains & chains.T
    sizes = mutual.sum(1)
    largest: Bools = sizes == sizes.max()
    core: Bools = largest & (sizes > 1) & (largest.sum() == sizes.max())
    return core


def _outside(chains: Bools, core: Bools) -> Floats:
    """Return the ratings of those outside the core, or of all if there is none; (n,), NaN for the core."""
    others = chains & ~np.eye(len(core), dtype=bool)
    peers = core if core.any() else ~core
    above, below = others[:, peers].any(1), others[peers].any(0)
    return np.select([above & ~below, below & ~above], [np.inf, -np.inf], np.nan)


# --- Maximum likelihood ----------------------------------------------------------------------------------------------


def _most_likely(tables: Whole, totals: Whole, core: Bools) -> Floats:
    """Return the theta that maximises the likelihood of a core's wins: mean zero over it, -inf outside; (n,).

    Over a step that changes differences of theta by at most d, the information grows at most by the factor exp(d).
    Therefore log(1 + d) / d of Newton's step never goes too far, from any start, and near the maximum it is all of it
    (Sun and Tran-Dinh 2019, *Mathematical Programming* 178, generalized self-concordance with nu = 2).
    """
    theta = np.where(core, 0.0, -np.inf)
    for _ in range(STEPS):
        score, information = _derivatives(theta, tables, totals)
        step = _solve(information[core][:, core], score[core])
        d = np.ptp(step)
        theta[core] += step * (np.log1p(d) / d if d else 1)
        if d < SETTLED:
            break
    return theta


def _derivatives(theta: Floats, tables: Whole, totals: Whole) -> tuple[Floats, Floats]:
    """Return the derivatives of the log likelihood: the score (n,) and the information (n, n).

    The score of i, wins_i - games * p_i, is taken as the sum over j of wins_i * p_j - wins_j * p_i, and the diagonal of
    the information from its other entries: 1 - p_i would lose the digits of a bot that nearly always wins.
    """
    chances = special.softmax(theta[tables], axis=1)
    p = _by_bot(tables, chances, len(theta))
    flow = _by_bot(tables, totals, len(theta)).T @ p
    weights = p.T @ (totals.sum(1, keepdims=True) * p)
    np.fill_diagonal(weights, 0)
    return (flow - flow.T).sum(1), np.diag(weights.sum(1)) - weights


def _solve(information: Floats, scores: Floats) -> Floats:
    """Return the x of information @ x = scores, each column with mean zero; scores (n,) or (n, groups) add up to zero.

    The information is about differences only. So one bot is held at zero meanwhile, the one known best.
    """
    free = np.arange(len(information)) != information.diagonal().argmax()
    x = np.zeros(scores.shape)
    x[free] = np.linalg.solve(information[free][:, free], scores[free])
    return np.asarray(x - x.mean(0))


def _errors(information: Floats, scores: Floats) -> Floats:
    """Return the standard errors of theta, from the spread of the groups' scores, (groups, n); (n,)."""
    influence = _solve(information, scores.T)
    return np.asarray(np.sqrt((influence**2).sum(1) * len(scores) / (len(scores) - 1)))


def _scores(theta: Floats, tables: Whole, wins: npt.NDArray[Any], won: Bools) -> Floats:
    """Return the sums of the scores of each group's wins at the tables that count, (tables,) bool; (groups, n).

    A win of i at a table adds 1 - p_i to its own score, taken as the sum of the others' p, and -p_j to theirs.
    """
    chances = special.softmax(theta[tables[won]], axis=1)
    of_win = -np.repeat(_by_bot(tables[won], chances, len(theta))[:, None], tables.shape[1], axis=1)
    others = chances @ (1 - np.eye(tables.shape[1]))
    np.put_along_axis(of_win, tables[won][:, :, None], others[:, :, None], axis=2)
    every = np.zeros((*tables.shape, len(theta)))
    every[won] = of_win
    return np.asarray(wins.reshape(len(wins), -1) @ every.reshape(-1, len(theta)))


def _by_bot(tables: Whole, values: npt.NDArray[Any], bots: int) -> Floats:
    """Return values of places, (tables, seats), by bot: (tables, n) float64, 0 for those not at the table."""
    by_bot = np.zeros((len(tables), bots))
    np.put_along_axis(by_bot, tables, values.astype(float), axis=1)
    return by_bot


def _rounded(values: Floats) -> Floats:
    """Return finite values rounded to 6 decimals; those that differ only by rounding errors come out equal."""
    order = values.argsort(kind="stable")
    tie = np.r_[0, np.cumsum(np.diff(values[order]) > TIE)]
    means = np.bincount(tie, values[order]) / np.bincount(tie)
    rounded = np.empty(len(values))
    rounded[order] = np.round(means[tie], DIGITS) + 0.0  # no -0.0
    return rounded
