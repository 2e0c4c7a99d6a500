"""The counts of parts of a league add up to those of the whole."""

from functools import cache, reduce
from operator import add

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from small_runs import (
    FIELD,
    groups_one_by_one,
    plays,
    same_counts,
    small_groups,
    spec,
)

from spadesim.tournament.job import Job


@cache
def job():
    return Job(spec(FIELD[:3]))


@plays
@given(st.lists(st.integers(1, 39), max_size=3, unique=True), st.integers(0, 70))
def test_counts_of_parts_add_up_to_those_of_the_whole(cuts, start):
    table, end = (0, 1, 2), start + 40
    with small_groups():
        whole, _ = job().play(table, start, 40)
        borders = [start, *sorted(start + cut for cut in cuts), end]
        parts = [job().play(table, first, last - first)[0] for first, last in zip(borders, borders[1:], strict=False)]
    assert same_counts(reduce(add, parts), whole)
    numbers = groups_one_by_one(end, 8)[start:]
    assert whole.first_group == numbers[0]
    assert whole.blocks.tolist() == [numbers.count(number) for number in sorted(set(numbers))]


@plays
def test_groups_only_gather_what_single_blocks_count():
    table = (0, 1, 2)
    alone = [job().play(table, block, 1)[0] for block in range(40)]
    with small_groups():
        grouped, _ = job().play(table, 0, 40)
    numbers = np.array(groups_one_by_one(40, 8))
    for name in ("results", "bid_deals", "bid_made"):
        by_block = np.concatenate([getattr(one, name) for one in alone])
        sums = [by_block[numbers == number].sum(0) for number in range(numbers[-1] + 1)]
        assert np.array_equal(getattr(grouped, name), sums)
    assert np.array_equal(grouped.deals, sum(one.deals for one in alone))
    assert np.array_equal(grouped.earned, sum(one.earned for one in alone))
