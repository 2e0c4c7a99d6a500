"""Error bars for ratios of counts over blocks, and for their differences.

A rate is n / d, summed over blocks (or groups of them) which are independent while the games inside one are not. Its
standard error is the usual one of a ratio estimator (Cochran 1977, *Sampling Techniques*, section 6.3), from the spread
of n - rate * d over the blocks. "Blocks" here are the units of observation, which in long runs are groups of blocks.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from spadesim.stats import sequential
from spadesim.stats.sums import Sums, Whole

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95
SEEN_TO_BE_EXACT = 10  # blocks with a trial that all have the same proportion: then it holds by construction


def rate(sums: Sums) -> Floats:
    """Return the rates n / d; NaN where d is 0."""
    return _divide(sums.n, sums.d)


def standard_error(sums: Sums, blocks: int) -> Floats:
    """Return the standard error of n / d, estimated from this many blocks; NaN for fewer than two."""
    if blocks < 2:
        return np.full(np.shape(sums.n), np.nan)
    n, d = _exact(sums.n), _exact(sums.d)
    # the sum of (n - rate * d)**2 over the blocks, in whole numbers: in floats an exact 0 would come out near 0
    spread = _exact(sums.nn) * d * d - 2 * n * d * _exact(sums.nd) + n * n * _exact(sums.dd)
    error = np.sqrt(_divide(spread, d * d) * blocks / (blocks - 1)) / np.where(d == 0, np.nan, d).astype(float)
    return np.asarray(error)


def mean_interval(sums: Sums, blocks: int) -> tuple[Floats, Floats]:
    """Return the bounds of a mean at 95 %: rate ∓ t · standard error."""
    half = _t(np.asarray(blocks)) * standard_error(sums, blocks)
    return rate(sums) - half, rate(sums) + half


def share_interval(sums: Sums, blocks: int) -> tuple[Floats, Floats]:
    """Return the bounds of a share at 95 %, always within 0 … 1.

    Wilson's interval (1927) with the number of trials that would give this standard error if they were independent
    (Korn and Graubard 1998, *Survey Methodology* 24), and Student's t for the blocks that had a trial. Where no error
    can be estimated, because the share is 0 or 1 or the few blocks happen to agree, each block that had a trial counts
    as one trial. NaN for fewer than two blocks.
    """
    share, error, seen = rate(sums), standard_error(sums, blocks), _exact(sums.seen).astype(float)
    t = _t(seen)
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = np.where(error > 0, share * (1 - share) / error**2, seen)
        middle = (share + t**2 / (2 * trials)) / (1 + t**2 / trials)
        half = t / (1 + t**2 / trials) * np.sqrt(share * (1 - share) / trials + t**2 / (4 * trials**2))
    exact = (error == 0) & (share > 0) & (share < 1) & (seen >= SEEN_TO_BE_EXACT)
    low, high = np.where(exact, share, middle - half), np.where(exact, share, middle + half)
    low, high = np.where(share == 0, 0, np.clip(low, 0, 1)), np.where(share == 1, 1, np.clip(high, 0, 1))
    return np.where(np.isnan(error), np.nan, low), np.where(np.isnan(error), np.nan, high)


def anytime_half_width(sums: Sums, units: int, blocks: int) -> Floats:
    """Return the half-width of a mean's interval of 95 % that holds however often it is looked at.

    Parameters
    ----------
    units, blocks
        The units of observation from which the error is estimated, and the blocks that they are made of; see
        `sequential.anytime_half_width`.
    """
    return sequential.anytime_half_width(standard_error(sums, units) ** 2 * blocks, blocks, CONFIDENCE)


def difference(n: Whole, d: Whole) -> tuple[float, float]:
    """Return the difference of two rates over the same blocks, and its standard error.

    Parameters
    ----------
    n, d
        Counts of both, shape (blocks, 2).

    Returns
    -------
    tuple of float
        The first rate minus the second, and its standard error, from the spread over the blocks of what each block
        contributes (linearised, as for one rate), so that whatever both have in common cancels out. NaN for a rate
        without trials; the error is NaN for fewer than two blocks.
    """
    totals = d.sum(0)
    if not totals.all():
        return math.nan, math.nan
    rates = n.sum(0) / totals
    if len(n) < 2:
        return float(rates[0] - rates[1]), math.nan
    contributions = (n - rates * d) / totals
    # rounded only once, the sum is the same in any order and on any machine
    spread = math.fsum(((contributions[:, 0] - contributions[:, 1]) ** 2).tolist())
    return float(rates[0] - rates[1]), math.sqrt(spread * len(n) / (len(n) - 1))


def differences(n: Whole, d: Whole, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return the differences of pairs of columns, and their standard errors, shape (pairs,); see `difference`."""
    pairs = [difference(n[:, [i, j]], d[:, [i, j]]) for i, j in zip(first, second, strict=True)]
    found, errors = np.array(pairs, float).reshape(-1, 2).T
    return found, errors


def clustered_mean(values: npt.NDArray[Any], clusters: npt.NDArray[Any]) -> tuple[float, float, float]:
    """Return the mean of values that are independent only from one cluster to another, with its bounds at 95 %.

    Parameters
    ----------
    values, clusters
        The values and the numbers of their clusters, each of shape (n,).

    Returns
    -------
    tuple of float
        The mean and its bounds, from the spread over clusters of what each adds to it (the ratio estimator above, with
        the number of values as d) and Student's t. NaN for no values, NaN bounds for fewer than two clusters.
    """
    if len(values) == 0:
        return math.nan, math.nan, math.nan
    mean = math.fsum(values.tolist()) / len(values)
    _, places = np.unique(clusters, return_inverse=True)
    deviations = np.bincount(places, weights=values - mean)
    if len(deviations) < 2:
        return mean, math.nan, math.nan
    clusters_seen = len(deviations)
    error = math.sqrt(math.fsum((deviations**2).tolist()) * clusters_seen / (clusters_seen - 1)) / len(values)
    half = t_quantile(clusters_seen) * error
    return mean, mean - half, mean + half


def p_values(differences: Floats, errors: Floats, blocks: int) -> Floats:
    """Return the two-sided p-values of differences, by Student's t; NaN where a difference or its error is unknown."""
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.where(differences == 0, 0.0, np.abs(differences) / errors)
    return np.where(np.isnan(differences) | np.isnan(errors), np.nan, 2 * stats.t.sf(scores, max(blocks - 1, 1)))


def holm(values: Floats) -> Floats:
    """Return p-values adjusted for their number (Holm 1979, *Scandinavian Journal of Statistics* 6); NaN stays NaN."""
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    adjusted = np.full(len(values), np.nan)
    # the smallest is multiplied by their number, the next by one less …, and none is below the one before it
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(len(order), 0, -1)), 1)
    return adjusted


def t_quantile(blocks: int) -> float:
    """Return how many standard errors an interval of 95 % reaches to each side, for this many blocks."""
    return float(_t(np.asarray(blocks)))


def _exact(values: npt.ArrayLike) -> npt.NDArray[np.object_]:
    """Return Python's whole numbers, which never overflow."""
    return np.asarray(values).astype(object)


def _divide(n: Whole, d: Whole) -> Floats:
    """Return n / d of whole numbers of any size; NaN where d is 0."""
    pairs = zip(_exact(n).ravel(), _exact(np.broadcast_to(d, np.shape(n))).ravel(), strict=True)
    return np.array([a / b if b else np.nan for a, b in pairs], dtype=float).reshape(np.shape(n))


def _t(observations: npt.NDArray[Any]) -> Floats:
    """Return Student's t for this many observations; one alone, which has no spread, counts as two."""
    return np.asarray(stats.t.ppf((1 + CONFIDENCE) / 2, np.maximum(observations - 1, 1)))
