"""Kernels of a line or two, compiled in well under a second, to try the disk cache with."""

import numpy as np
from numba import njit

from spadesim.engine.compile.cache import FLAGS, marked, with_disk_cache


def counting(name, step, digest=None):
    """Make a kernel that adds `step` n times, in a helper with a symbol of its own."""

    def count(n):
        total = 0
        while n > 0:
            total += step
            n -= 1
        return total

    helper = njit(**FLAGS)(marked(count))

    def toy(n):
        return helper(n)

    return with_disk_cache(njit(**FLAGS)(marked(toy)), name, digest or f"{name}, by {step}")


def adding(name, fields):
    """Make a kernel that adds up the field `a` of records, in a helper that takes one of them; and records for it."""

    def value(record):
        total = 0
        while total < record.a:
            total += 1
        return total

    helper = njit(**FLAGS)(marked(value))

    def toy(records):
        total = 0
        for i in range(records.size):
            total += helper(records[i])
        return total

    records = np.zeros(3, [(field, "i8") for field in fields])
    records["a"] = 1, 2, 3
    for other in set(fields) - {"a"}:
        records[other] = 100
    return with_disk_cache(njit(**FLAGS)(marked(toy)), name, name), records
