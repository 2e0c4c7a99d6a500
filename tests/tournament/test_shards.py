"""Shards as files: they come back, any damage is noticed, and gaps between them are found."""

from contextlib import suppress

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
from spadesim.storage.run_folder import RunFolder, read_shard
from spadesim.tournament import shards
from spadesim.tournament.shards import Shard, from_arrays, shard_in, to_arrays
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Keep a folder open, of a run that nobody plays."""
    run = {"kind": "league", "spec": {}, "rules": {}, "sources": {}}
    with RunFolder(str(tmp_path_factory.mktemp("shards") / "mine"), run, resume=False) as folder:
        yield folder


@given(st.lists(names, min_size=2, max_size=6), st.integers(0, EXACT), st.integers(1, 10**9), table_counts())
def test_shard_comes_back_from_its_file(folder, table, first, blocks, counts):
    shard = Shard(tuple(table), first, blocks)
    folder.keep(shard.name, to_arrays(shard, counts))
    arrays = folder.read(shard.name)
    back, found = from_arrays(arrays)
    assert back == shard_in(arrays) == shard
    assert found.first_group == counts.first_group
    assert same_counts(found, counts)
    assert all(getattr(found, name).dtype == np.int64 for name in shards.COUNTS if name != "first_group")


def some_shard():
    random = np.random.default_rng(SEED)
    sizes = [(3,), (3, 3, 5), (3, 3, 4), (3, 3, 4), (3, 3, 4, 4), (3, 3, 4)]
    counts = TableCounts(7, *(random.integers(-300, 70_000, size) for size in sizes))
    return Shard(("quick+boss", "honors+boss", "boss+boss"), 1200, 3), counts


@pytest.fixture(scope="module")
def kept(folder):
    """Keep a shard; return its file, and what is in it."""
    shard, counts = some_shard()
    folder.keep(shard.name, to_arrays(shard, counts))
    (path,) = (folder.place / "shards").glob(f"{shard.name}-*.npz")
    return path, path.read_bytes()


def assert_noticed(path, damaged):
    copy = path.parent.parent / path.name
    copy.write_bytes(damaged)
    with pytest.raises(ValueError, match=f"{path.name} is damaged"):
        read_shard(copy)


@given(st.data())
def test_any_flipped_bit_is_noticed(kept, data):
    path, whole_shard = kept
    assert_noticed(path, flipped(whole_shard, data.draw(st.integers(0, 8 * len(whole_shard) - 1))))
    assert shard_in(read_shard(path)) == some_shard()[0]


@given(st.data(), st.binary(min_size=1, max_size=9))
def test_any_truncation_or_more_is_noticed(kept, data, more):
    path, whole_shard = kept
    assert_noticed(path, whole_shard[: data.draw(st.integers(0, len(whole_shard) - 1))])
    assert_noticed(path, whole_shard + more)


def read_as_whole(place, data):
    """Read bytes as a shard whose name has the right hash."""
    path = place / whole_files.named_by_content("any", data)
    path.write_bytes(data)
    try:
        return from_arrays(read_shard(path))
    finally:
        path.unlink()


def test_bytes_that_are_no_shard_are_a_value_error(kept, tmp_path):
    _, data = kept
    assert same_counts(read_as_whole(tmp_path, data)[1], some_shard()[1])
    for length in range(0, len(data), 31):
        with pytest.raises(ValueError, match="is no shard"):
            read_as_whole(tmp_path, data[:length])


@given(st.data())
def test_flipped_bits_are_a_value_error_or_nothing(kept, data):
    path, whole_shard = kept
    with suppress(ValueError):
        read_as_whole(path.parent.parent, flipped(whole_shard, data.draw(st.integers(0, 8 * len(whole_shard) - 1))))


def test_arrays_that_are_missing_are_a_value_error():
    arrays = to_arrays(*some_shard())
    for name in arrays:
        with pytest.raises(ValueError, match=f"a shard has no '{name}'"):
            from_arrays({other: array for other, array in arrays.items() if other != name})


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
