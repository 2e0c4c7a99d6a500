"""Shards as bytes: they come back, any damage is noticed, and gaps between them are found."""

from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from small_runs import (
    SEED,
    flipped,
    same_counts,
)

from spadesim.storage import whole_files
from spadesim.tournament import folder, shards
from spadesim.tournament.shards import Shard
from spadesim.tournament.tally import TableCounts

EXACT = 2**53  # no count of a shard comes near
whole = st.integers(-EXACT, EXACT) | st.integers(-200, 70_000)
names = st.text(st.characters(min_codepoint=33, max_codepoint=400), min_size=1, max_size=12)


@st.composite
def table_counts(draw):
    g, s, p, bids, columns = (draw(st.integers(1, most)) for most in (4, 3, 3, 4, 5))
    shapes = [(g,), (g, s, columns), (g, s, bids), (g, s, bids), (s, p, bids, bids), (s, p, bids)]
    return TableCounts(
        draw(st.integers(0, 10**6)), *(draw(arrays(np.int64, shape, elements=whole)) for shape in shapes)
    )


@given(st.lists(names, min_size=2, max_size=6), st.integers(0, EXACT), st.integers(1, 10**9), table_counts())
def test_shard_comes_back_from_its_bytes(table, first, blocks, counts):
    shard = Shard(tuple(table), first, blocks)
    data = shards.to_bytes(shard, counts)
    back, found = shards.from_bytes(data)
    assert back == shard
    assert found.first_group == counts.first_group
    assert same_counts(found, counts)
    assert all(getattr(found, name).dtype == np.int64 for name in shards.ARRAYS if name != "first_group")
    assert whole_files.is_whole(shards.file_name(shard, data), data)


@cache
def some_shard():
    random = np.random.default_rng(SEED)
    sizes = [(3,), (3, 3, 5), (3, 3, 4), (3, 3, 4), (3, 3, 4, 4), (3, 3, 4)]
    counts = TableCounts(7, *(random.integers(-300, 70_000, size) for size in sizes))
    shard = Shard(("quick+boss", "honors+boss", "boss+boss"), 1200, 3)
    data = shards.to_bytes(shard, counts)
    return shards.file_name(shard, data), data


def assert_noticed(place, name, damaged):
    assert not whole_files.is_whole(name, damaged)
    (place / name).write_bytes(damaged)
    with pytest.raises(ValueError, match=f"{name} is damaged"):
        folder.read_shard(place / name)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("shards")


@given(st.integers(0, 8 * len(some_shard()[1]) - 1))
def test_any_flipped_bit_is_noticed(place, bit):
    name, data = some_shard()
    assert_noticed(place, name, flipped(data, bit))
    (place / name).write_bytes(data)
    assert folder.read_shard(place / name)[0].first == 1200


@given(st.integers(0, len(some_shard()[1]) - 1), st.binary(min_size=1, max_size=9))
def test_any_truncation_or_more_is_noticed(place, length, more):
    name, data = some_shard()
    assert_noticed(place, name, data[:length])
    assert_noticed(place, name, data + more)


def test_bytes_that_are_no_shard_are_a_value_error():
    _, data = some_shard()
    for length in range(0, len(data), 31):
        with pytest.raises(ValueError, match="not a whole shard"):
            shards.from_bytes(data[:length])


@given(st.integers(0, 8 * len(some_shard()[1]) - 1))
def test_flipped_bits_are_a_value_error_or_nothing(bit):
    _, data = some_shard()
    with suppress(ValueError):
        shards.from_bytes(flipped(data, bit))


@given(st.lists(st.integers(1, 9), max_size=12), st.lists(st.booleans(), min_size=12, max_size=12), st.integers(0, 70),
       st.randoms(use_true_random=False))  # fmt: skip
def test_gaps_are_all_that_was_not_played(sizes, played, end, random):
    shard_list, first = [], 0
    for size, there in zip(sizes, played, strict=False):
        if there:
            shard_list.append(Shard(("a", "b", "c"), first, size))
        first += size
    random.shuffle(shard_list)
    blocks = {block for shard in shard_list for block in range(shard.first, shard.first + shard.blocks)}
    found = shards.gaps(shard_list, end)
    assert [block for first, last in found for block in range(first, last)] == sorted(set(range(end)) - blocks)
    assert all(first < last for first, last in found)
    assert all(before[1] < after[0] for before, after in zip(found, found[1:], strict=False))


@given(st.integers(0, 20), st.integers(1, 9), st.integers(0, 20), st.integers(1, 9))
def test_shards_that_overlap_are_refused(first, blocks, other_first, other_blocks):
    both = [Shard(("a",), first, blocks), Shard(("a",), other_first, other_blocks)]
    if set(range(first, first + blocks)) & set(range(other_first, other_first + other_blocks)):
        with pytest.raises(ValueError, match="played twice"):
            shards.gaps(both, 40)
    else:
        assert sum(last - first for first, last in shards.gaps(both, 40)) == 40 - blocks - other_blocks
