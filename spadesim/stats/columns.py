"""The one writer of intervals in tables: a value in column `x`, its bounds in `x_low` and `x_high`.

Every table of the project takes its intervals from here. Values are arrays with one entry per row of a table, or plain
numbers for a table that is made row by row.
"""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from spadesim.stats import intervals
from spadesim.stats.intervals import Floats
from spadesim.stats.sums import Sums

Values = TypeVar("Values", float, npt.NDArray[np.float64])


def interval_columns(name: str) -> tuple[str, str, str]:
    """Return the names of the columns of a value and its bounds, in the order of the tables."""
    return name, f"{name}_low", f"{name}_high"


def with_interval(name: str, value: Values, low: Values, high: Values) -> dict[str, Values]:
    """Return the columns of a value and its bounds: every other function here ends with this one."""
    return dict(zip(interval_columns(name), (value, low, high), strict=True))


def plus_or_minus(name: str, value: Values, half_width: Values) -> dict[str, Values]:
    """Return the columns of a value whose bounds are equally far from it."""
    return with_interval(name, value, value - half_width, value + half_width)


def share_columns(name: str, sums: Sums, units: int) -> dict[str, Floats]:
    """Return the columns of a share with its interval of 95 % over this many units of observation."""
    return with_interval(name, intervals.rate(sums), *intervals.share_interval(sums, units))


def mean_columns(name: str, sums: Sums, units: int) -> dict[str, Floats]:
    """Return the columns of a mean with its interval of 95 % over this many units of observation."""
    return with_interval(name, intervals.rate(sums), *intervals.mean_interval(sums, units))


def anytime_share_columns(name: str, sums: Sums, units: int, blocks: int) -> dict[str, Floats]:
    """Return the columns of a share with an interval that holds at every look (see `intervals.anytime_half_width`)."""
    share, half = intervals.rate(sums), intervals.anytime_half_width(sums, units, blocks)
    return with_interval(name, share, np.maximum(share - half, 0), np.minimum(share + half, 1))


def difference_columns(name: str, value: Values, error: Values, units: int) -> dict[str, Values]:
    """Return the columns of a difference with this standard error, estimated from this many units of observation."""
    return plus_or_minus(name, value, intervals.t_quantile(units) * error)


def clustered_mean_columns(name: str, values: npt.NDArray[Any], clusters: npt.NDArray[Any]) -> dict[str, float]:
    """Return the columns of a mean of values that are independent only from one cluster to another."""
    return with_interval(name, *intervals.clustered_mean(values, clusters))


def clustered_share_columns(name: str, values: npt.NDArray[Any], clusters: npt.NDArray[Any]) -> dict[str, float]:
    """Return the same of values 0 … 1, with bounds that stay within 0 … 1."""
    value, low, high = (float(np.clip(bound, 0, 1)) for bound in intervals.clustered_mean(values, clusters))
    return with_interval(name, value, low, high)
