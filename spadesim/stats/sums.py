"""Sums over blocks of what a ratio and its error bars are made of: whole numbers, exact whatever their size."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[Any]  # int64, or Python's whole numbers where those would overflow
INT64_MAX = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over groups of blocks of a rate's numerator n and denominator d; arrays have an entry per row of a table.

    Attributes
    ----------
    n, d
        Sums of n and of d.
    nn, nd, dd
        Sums of n², n · d and d².
    seen
        Groups in which d > 0.
    """

    n: Whole
    d: Whole
    nn: Whole
    nd: Whole
    dd: Whole
    seen: Whole

    @classmethod
    def over(cls, n: Whole, d: Whole) -> "Sums":
        """Sum arrays whose first axis is the group."""
        d = np.broadcast_to(d, n.shape)
        nn, nd, dd = _sum_of_products(n, n), _sum_of_products(n, d), _sum_of_products(d, d)
        return cls(n.sum(0), d.sum(0), nn, nd, dd, (d > 0).sum(0))


def _sum_of_products(a: Whole, b: Whole) -> Whole:
    """Sum a · b over the first axis, exactly."""
    largest = int(np.abs(a).max(initial=0)) * int(np.abs(b).max(initial=0))
    if largest * len(a) <= INT64_MAX:
        return np.asarray(np.einsum("g...,g...->...", a, b))
    return np.asarray((a.astype(object) * b.astype(object)).sum(0))
