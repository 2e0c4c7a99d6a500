"""Error bars for ratios of counts over blocks.

A rate is n / d, summed over blocks which are independent while the games inside one are not. Its standard error is the
usual one of a ratio estimator (Cochran 1977, *Sampling Techniques*, section 6.3), from the spread of n - rate * d over
the blocks.
"""

import numpy as np
from scipy import stats

from spadesim.tally import Sums

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
