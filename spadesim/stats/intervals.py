"""Error bars for ratios of counts over blocks, and for their differences.

A rate is n / d, summed over blocks (or groups of them) which are independent while the games inside one are not. Its
standard error is the usual one of a ratio estimator (Cochran 1977, *Sampling Techniques*, section 6.3), from the spread
of n - rate * d over the blocks. "Blocks" here are the units of observation, which in long runs are groups of blocks.
"""

import math

import numpy as np
from scipy import stats

from spadesim.stats import sequential
from spadesim.stats.sums import Sums

CONFIDENCE = 0.95
SEEN_TO_BE_EXACT = 10  # so many blocks with a trial, all in the same proportion, are so by construction


def rate(sums: Sums) -> np.ndarray:
    """Divide the sums: n / d, NaN where d is 0."""
    return _divide(sums.n, sums.d)


def standard_error(sums: Sums, blocks: int) -> np.ndarray:
    """Estimate the standard error of n / d over so many blocks; NaN for fewer than two."""
    if blocks < 2:
        return np.full(np.shape(sums.n), np.nan)
    n, d = _exact(sums.n), _exact(sums.d)
    # the sum of (n - rate * d)**2 over the blocks, in whole numbers, for floats would blur what is exactly 0
    spread = _exact(sums.nn) * d * d - 2 * n * d * _exact(sums.nd) + n * n * _exact(sums.dd)
    return np.sqrt(_divide(spread, d * d) * blocks / (blocks - 1)) / np.where(d == 0, np.nan, d).astype(float)


def mean_interval(sums: Sums, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Bound a mean at 95 %: rate ∓ t · standard error."""
    half = _t(np.asarray(blocks)) * standard_error(sums, blocks)
    return rate(sums) - half, rate(sums) + half


def share_interval(sums: Sums, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Bound a share at 95 %, always inside 0 … 1.

    Wilson's interval (1927) with the number of trials that would give this standard error if they were independent
    (Korn and Graubard 1998, *Survey Methodology* 24), and Student's t for the blocks that had a trial. Where no error
    can be estimated, because the share is 0 or 1 or the few blocks happen to agree, each block that had a trial counts
    as one. NaN for fewer than two blocks.
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


def anytime_half_width(sums: Sums, units: int, blocks: int) -> np.ndarray:
    """Bound a mean at 95 % however often it is looked at: half the width (see `sequential.anytime_half_width`).

    Parameters
    ----------
    units, blocks
        From how many units of observation the error is estimated, and of how many blocks they are made.
    """
    return sequential.anytime_half_width(standard_error(sums, units) ** 2 * blocks, blocks, CONFIDENCE)


def difference(n: np.ndarray, d: np.ndarray) -> tuple[float, float]:
    """Estimate the difference of two rates over the same blocks, and its standard error.

    Parameters
    ----------
    n, d
        Counts of both, shape (blocks, 2).

    Returns
    -------
    tuple of float
        The first rate less the second, and the standard error of that from the spread over the blocks of what each
        contributes (linearised, as for one rate), so that what both have in common cancels out. NaN for a rate without
        trials, and for the error of fewer than two blocks.
    """
    totals = d.sum(0)
    if not totals.all():
        return math.nan, math.nan
    rates = n.sum(0) / totals
    if len(n) < 2:
        return float(rates[0] - rates[1]), math.nan
    each = (n - rates * d) / totals
    # rounded but once, the sum is the same in any order and on any machine
    spread = math.fsum(((each[:, 0] - each[:, 1]) ** 2).tolist())
    return float(rates[0] - rates[1]), math.sqrt(spread * len(n) / (len(n) - 1))


def differences(n: np.ndarray, d: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Estimate the differences of pairs of columns, as `difference` does: rates and standard errors, shape (pairs,)."""
    pairs = [difference(n[:, [i, j]], d[:, [i, j]]) for i, j in zip(first, second, strict=True)]
    found, errors = np.array(pairs, float).reshape(-1, 2).T
    return found, errors


def clustered_mean(values: np.ndarray, clusters: np.ndarray) -> tuple[float, float, float]:
    """Estimate a mean of values that are independent only from one cluster to another, with an interval of 95 %.

    Parameters
    ----------
    values, clusters
        The values and the numbers of their clusters, shape (n,).

    Returns
    -------
    tuple of float
        The mean, and its bounds by the spread over clusters of what each adds to it (the ratio estimator above, with
        the number of values as d) and Student's t. NaN for no values, NaN bounds for fewer than two clusters.
    """
    if len(values) == 0:
        return math.nan, math.nan, math.nan
    mean = math.fsum(values.tolist()) / len(values)
    _, places = np.unique(clusters, return_inverse=True)
    each = np.bincount(places, weights=values - mean)
    if len(each) < 2:
        return mean, math.nan, math.nan
    error = math.sqrt(math.fsum((each**2).tolist()) * len(each) / (len(each) - 1)) / len(values)
    half = t_quantile(len(each)) * error
    return mean, mean - half, mean + half


def p_values(differences: np.ndarray, errors: np.ndarray, blocks: int) -> np.ndarray:
    """Give how likely differences as large are where there are none: two-sided, Student's t; NaN where unknown."""
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.where(differences == 0, 0.0, np.abs(differences) / errors)
    return np.where(np.isnan(differences) | np.isnan(errors), np.nan, 2 * stats.t.sf(scores, max(blocks - 1, 1)))


def holm(values: np.ndarray) -> np.ndarray:
    """Adjust p-values for their number (Holm 1979, *Scandinavian Journal of Statistics* 6); NaN stays so."""
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    adjusted = np.full(len(values), np.nan)
    # the smallest counts for all, the next for one less …, and none for less than the one before it
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * np.arange(len(order), 0, -1)), 1)
    return adjusted


def t_quantile(blocks: int) -> float:
    """Give by how many standard errors to each side an interval of 95 % reaches, for so many blocks."""
    return float(_t(np.asarray(blocks)))


def _exact(values: np.ndarray) -> np.ndarray:
    """Give whole numbers of any size."""
    return np.asarray(values).astype(object)


def _divide(n: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Divide whole numbers of any size; NaN where d is 0."""
    pairs = zip(_exact(n).ravel(), _exact(np.broadcast_to(d, np.shape(n))).ravel(), strict=True)
    return np.array([a / b if b else np.nan for a, b in pairs], dtype=float).reshape(np.shape(n))


def _t(observations: np.ndarray) -> np.ndarray:
    """Student's t for so many observations; one of which tells no spread counts as two."""
    return stats.t.ppf((1 + CONFIDENCE) / 2, np.maximum(observations - 1, 1))
