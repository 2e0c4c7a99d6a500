"""Error bars for ratios of counts over blocks.

A rate is n / d, summed over blocks which are independent while the games inside one are not. Its standard error is the
usual one of a ratio estimator (Cochran 1977, *Sampling Techniques*, section 6.3), from the spread of n - rate * d over
the blocks.
"""

import numpy as np
from scipy import stats

from spadesim.tally import Sums

CONFIDENCE = 0.95


def rate(sums: Sums) -> np.ndarray:
    """Divide the sums: n / d, NaN where d is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums.n / sums.d


def standard_error(sums: Sums, blocks: int) -> np.ndarray:
    """Estimate the standard error of n / d over so many blocks; NaN for fewer than two."""
    ratio = rate(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.maximum(sums.nn - 2 * ratio * sums.nd + ratio**2 * sums.dd, 0)
        spread = np.where(_is_constant(sums, blocks), 0, spread)
        return np.sqrt(spread * blocks / (blocks - 1)) / sums.d


def mean_interval(sums: Sums, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Bound a mean at 95 %: rate ∓ t · standard error."""
    half = _t(blocks) * standard_error(sums, blocks)
    return rate(sums) - half, rate(sums) + half


def share_interval(sums: Sums, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Bound a share at 95 %, always inside 0 … 1.

    Wilson's interval (1927) with the number of trials that would give this standard error if they were independent
    (Korn and Graubard 1998, *Survey Methodology* 24). Where the share is 0 or 1 and no error can be estimated, each
    block that had a trial counts as one.
    """
    share, error, t = rate(sums), standard_error(sums, blocks), _t(blocks)
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = np.where((share == 0) | (share == 1), sums.seen, share * (1 - share) / error**2)
        middle = (share + t**2 / (2 * trials)) / (1 + t**2 / trials)
        half = t / (1 + t**2 / trials) * np.sqrt(share * (1 - share) / trials + t**2 / (4 * trials**2))
        exact = (error == 0) & (share > 0) & (share < 1)  # the same in every block: there is nothing to estimate
        low, high = np.where(exact, share, middle - half), np.where(exact, share, middle + half)
    return np.where(share == 0, 0, np.clip(low, 0, 1)), np.where(share == 1, 1, np.clip(high, 0, 1))


def _is_constant(sums: Sums, blocks: int) -> np.ndarray:
    """Tell in whole numbers whether n and d were in the same proportion in every block, which floats would blur."""
    n, d = sums.n.astype(object), sums.d.astype(object)
    residue = sums.nn.astype(object) * d * d - 2 * n * d * sums.nd.astype(object) + n * n * sums.dd.astype(object)
    return np.asarray(residue == 0, dtype=bool)


def _t(blocks: int) -> float:
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, blocks - 1)) if blocks > 1 else float("nan")
