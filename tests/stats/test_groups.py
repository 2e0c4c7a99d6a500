"""Groups of blocks: against groups made one by one, and in closed form for late blocks."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from small_runs import (
    groups_one_by_one,
    small_groups,
)

from spadesim.stats import groups


def test_groups_are_those_made_one_by_one():
    blocks = 9 * groups.SINGLETON_BLOCKS + 5
    found = groups.group_of(np.arange(blocks))
    assert found.dtype == np.int64
    assert found.tolist() == groups_one_by_one(blocks, groups.SINGLETON_BLOCKS)
    assert found[: groups.SINGLETON_BLOCKS].tolist() == list(range(groups.SINGLETON_BLOCKS))
    assert set(np.diff(found).tolist()) == {0, 1}
    assert int(groups.group_of(blocks - 1)) == found[-1]
    with small_groups():
        assert groups.group_of(np.arange(500)).tolist() == groups_one_by_one(500, 8)


@given(st.integers(groups.SINGLETON_BLOCKS, 2**53 - 2))
def test_group_of_a_late_block(block):
    doublings = (block // groups.SINGLETON_BLOCKS).bit_length() - 1
    start, width = groups.SINGLETON_BLOCKS * 2**doublings, 2 * 2**doublings
    before = groups.SINGLETON_BLOCKS + doublings * (groups.SINGLETON_BLOCKS // 2)
    assert int(groups.group_of(block)) == before + (block - start) // width
    assert int(groups.group_of(block + 1)) - int(groups.group_of(block)) == ((block + 1 - start) % width == 0)
    most = groups.SINGLETON_BLOCKS + groups.GROUPS_PER_DOUBLING * math.ceil(
        math.log2((block + 1) / groups.SINGLETON_BLOCKS)
    )
    assert groups.SINGLETON_BLOCKS < int(groups.group_of(block)) + 1 <= most
