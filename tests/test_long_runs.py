"""Long play: whatever stops them, breaks them or cuts them to pieces, each block is counted exactly once.

Shards are played for real only where the engine matters; the order of things is tried with workers that play nothing,
on a clock of their own.
"""

import errno
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import cache, reduce
from itertools import combinations
from operator import add
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spadesim import BotFault, league
from spadesim.designs.experiment import check_spec
from spadesim.designs.league import play
from spadesim.designs.league.play import run
from spadesim.designs.league.stored import StoredLeague
from spadesim.errors import UsageError
from spadesim.stats import groups
from spadesim.storage import whole_files
from spadesim.tournament import folder, scheduling, shards, workers
from spadesim.tournament.job import Job
from spadesim.tournament.reporter import Reporter
from spadesim.tournament.scheduling import Schedule, rounds
from spadesim.tournament.shards import Shard
from spadesim.tournament.tally import TableCounts

plays = pytest.mark.many_games
posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")

SEED = 77
FIELD = ["quick+boss", "honors+boss", "nil_tips+boss", "quick+need_or_duck"]
SEATINGS = 6
GAMES = 23 * SEATINGS
SHARD_BLOCKS = 5
SHARD_SIZES = [5, 5, 5, 5, 3] * 4  # of 23 blocks at each of four tables, in the order in which they are played


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def small_groups():
    """Let eight blocks be groups by themselves, so that a few dozen reach into the larger ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "SINGLETON_BLOCKS", 8)
        patch.setattr(groups, "GROUPS_PER_DOUBLING", 4)
        yield


@pytest.fixture
def small(here, monkeypatch):
    """Cut a league of a few blocks into many shards and groups."""
    monkeypatch.setattr(Schedule, "_size", lambda self, table, left: SHARD_BLOCKS)
    with small_groups():
        yield here


def spec(bots=FIELD, **options):
    return check_spec({"bots": bots, "games": GAMES, "seed": SEED} | options)


def csv(result):
    return {name: table.to_csv(index=False) for name, table in result.tables.items()}


def csv_in(place):
    return {path.stem: path.read_text() for path in Path(place).glob("*.csv")}


def shards_in(place):
    """Read all shards of a folder."""
    return {path: folder.read_shard(path) for path in sorted(Path(place, "shards").glob("*.npz"))}


def state_of(place):
    """Take down every file below a folder: its bytes and when it was written."""
    files = [path for path in Path(place).rglob("*") if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def manifest_in(place):
    return json.loads(Path(place, "manifest.json").read_text())


def same_counts(one, other):
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(TableCounts))


# --- Groups ----------------------------------------------------------------------------------------------------------


def groups_one_by_one(blocks, alone):
    """Number the groups of the first blocks by making them in turn."""
    sizes, width = [1] * alone, 2
    while sum(sizes) < blocks:
        sizes += [width] * (alone // 2)
        width *= 2
    numbers = [number for number, size in enumerate(sizes) for _ in range(size)]
    return numbers[:blocks]


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


# --- Shards ----------------------------------------------------------------------------------------------------------

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


def flipped(data, bit):
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


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


# --- Counts add ------------------------------------------------------------------------------------------------------


@cache
def job():
    return Job(spec(FIELD[:3]))


@plays
@given(st.lists(st.integers(1, 39), max_size=3, unique=True), st.integers(0, 70))
def test_counts_of_pieces_add_up_to_those_of_the_whole(cuts, start):
    table, end = (0, 1, 2), start + 40
    with small_groups():
        whole, _ = job().play(table, start, 40)
        borders = [start, *sorted(start + cut for cut in cuts), end]
        pieces = [job().play(table, first, last - first)[0] for first, last in zip(borders, borders[1:], strict=False)]
    assert same_counts(reduce(add, pieces), whole)
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
        each = np.concatenate([getattr(one, name) for one in alone])
        sums = [each[numbers == number].sum(0) for number in range(numbers[-1] + 1)]
        assert np.array_equal(getattr(grouped, name), sums)
    assert np.array_equal(grouped.deals, sum(one.deals for one in alone))
    assert np.array_equal(grouped.earned, sum(one.earned for one in alone))


# --- Scheduling ------------------------------------------------------------------------------------------------------

BLOCKS = 400  # more than the first round has
TABLES = list(combinations(range(4), 3)) + [(0, 1, 4), (1, 2, 4)]


class Bench:
    """Workers that play nothing: shards end in an order drawn by chance, on a clock of their own.

    What is asked of them is checked as real ones would: no more under way than there are slots, and nothing given to
    workers that are known to be broken.
    """

    def __init__(self, slots, seed, costs=(), bad=(), hanging=(), breaks=0, raises=0, breaks_later=False):
        self.slots, self.costs, self.bad, self.hanging = slots, dict(costs), dict(bad), set(hanging)
        self.breaks, self.raises, self.breaks_later = breaks, raises, breaks_later
        self.random, self.now, self.broken = Random(seed), 0.0, False
        self.pending, self.submitted, self.investigated = {}, [], []

    def submit(self, table, first, blocks):
        if self.broken:
            raise BrokenExecutor("a worker was lost")
        assert len(self.pending) < self.slots
        assert blocks > 0
        future = Future()
        self.pending[future] = (table, first, blocks)
        self.submitted.append((table, first, blocks))
        return future

    def replace(self):
        self.pending.clear()
        self.broken = False

    def investigate(self, table, first, blocks, timeout):
        self.investigated.append((table, first, blocks, timeout))
        assert not self.pending
        return {"table": table} if table in self.hanging else self._result(table, first, blocks)

    def wait(self, futures, timeout, return_when):
        assert set(futures) == set(self.pending)
        self.now += timeout
        if self.breaks and self.random.random() < 0.1:
            return self._break(futures)
        ready = [future for future, task in self.pending.items() if task[0] not in self.hanging]
        done = self.random.sample(ready, self.random.randint(1, len(ready))) if ready else []
        for future in done:
            task = self.pending.pop(future)
            if self.raises and self.random.random() < 0.1:
                self.raises -= 1
                future.set_exception(MemoryError())
                continue
            try:
                future.set_result(self._result(*task))
            except BotFault as error:
                future.set_exception(error)
        if done and self.breaks_later:
            self.broken, self.breaks_later = True, False
        return set(done), set(futures) - set(done)

    def _break(self, futures):
        self.breaks -= 1
        self.broken = True
        seen = self.random.sample(list(futures), self.random.randint(1, len(futures)))
        for future in seen:
            future.set_exception(BrokenExecutor("a worker was lost"))
        return set(seen), set(futures) - set(seen)

    def _result(self, table, first, blocks):
        faults = [block for block in self.bad.get(table, []) if first <= block < first + blocks]
        if faults:
            raise fault(table, min(faults))
        return ("counts", table, first, blocks), None, blocks * self.costs.get(table, 0.01)


def fault(table, block):
    return BotFault(f"{table} at block {block}", {"game": block * SEATINGS})


def schedule(bench, left, blocks=BLOCKS, stops=lambda: False, timeout=0.0):
    """Play what is left; give whether all was played, the blocks in the order taken, and what failed."""
    taken, failed, told = [], [], []

    def take(task, counts, log):
        assert counts == ("counts", task.table, task.first, task.blocks)
        taken.extend((task.table, block) for block in range(task.first, task.first + task.blocks))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scheduling, "wait", bench.wait)
        patch.setattr(scheduling, "time", SimpleNamespace(monotonic=lambda: bench.now))
        plan = Schedule(
            bench, {table: list(gaps) for table, gaps in left.items()}, take=take, fail=failed.append, stops=stops,
            tell=lambda blocks, seconds: told.append((blocks, seconds)), timeout=timeout,
        )  # fmt: skip
        complete = True
        for end in rounds(blocks):
            complete = plan.play(end)
            assert all(first + number <= end for _, first, number in bench.submitted)
            if not complete:
                break
    assert [blocks for blocks, _ in told] == sorted(blocks for blocks, _ in told)
    assert all(seconds >= 0 for _, seconds in told)
    if told:
        assert told[-1][0] == len(taken)
    return complete, taken, [each["table"] for each in failed]


def blocks_of(left):
    return sorted((table, block) for table, gaps in left.items() for first, end in gaps for block in range(first, end))


@st.composite
def what_is_left(draw):
    """Draw for some tables the blocks to play, as (first, end)."""
    left = {}
    for table in draw(st.lists(st.sampled_from(TABLES), min_size=1, unique=True)):
        cuts = sorted(draw(st.sets(st.integers(0, BLOCKS), max_size=6)) | {draw(st.integers(0, BLOCKS)), BLOCKS})
        left[table] = [(first, end) for first, end in zip(cuts[::2], cuts[1::2], strict=False) if first < end]
    return left


slots = st.integers(1, 6)
seeds = st.integers(0, 2**32)
costs = st.dictionaries(st.sampled_from(TABLES), st.sampled_from([0.0, 1e-4, 0.3, 5.0]))
ALL = {table: [(0, BLOCKS)] for table in TABLES}


@given(what_is_left(), slots, seeds, costs)
def test_each_block_is_played_exactly_once(left, slots, seed, costs):
    complete, taken, failed = schedule(Bench(slots, seed, costs), left)
    assert complete
    assert sorted(taken) == blocks_of(left)
    assert failed == []


@given(what_is_left(), slots, seeds, costs, st.integers(1, 4), st.integers(0, 3))
def test_workers_that_break_lose_nothing(left, slots, seed, costs, breaks, raises):
    bench = Bench(slots, seed, costs, breaks=breaks, raises=raises)
    complete, taken, failed = schedule(bench, left)
    assert complete
    assert sorted(taken) == blocks_of(left)
    assert failed == []
    assert bool(bench.investigated) == (bench.breaks < breaks or bench.raises < raises)


def test_workers_that_break_when_nothing_is_under_way_lose_nothing():
    bench = Bench(1, SEED, breaks_later=True)
    complete, taken, _ = schedule(bench, ALL)
    assert complete
    assert sorted(taken) == blocks_of(ALL)


@given(slots, seeds, costs, st.sets(st.sampled_from(TABLES), min_size=1, max_size=3))
def test_table_that_never_comes_back_is_given_up_and_others_complete(slots, seed, costs, hanging):
    bench = Bench(slots, seed, costs, hanging=hanging)
    complete, taken, failed = schedule(bench, ALL, timeout=7.0)
    assert complete  # as far as it goes: it is the failures that make a run partial
    assert set(failed) == hanging
    assert sorted(taken) == blocks_of({table: ALL[table] for table in TABLES if table not in hanging})
    assert {table for table, *_ in bench.investigated} == hanging
    assert {timeout for *_, timeout in bench.investigated} == {7.0}


def test_table_that_is_given_up_is_named_once():
    _, _, failed = schedule(Bench(2, SEED, hanging={TABLES[1]}), ALL, timeout=7.0)
    assert failed == [TABLES[1]]


def test_shard_that_only_took_long_is_counted_when_it_is_investigated():
    class Slow(Bench):
        def investigate(self, *task):
            self.hanging.clear()
            return super().investigate(*task)

    bench = Slow(2, SEED, hanging={TABLES[0]})
    complete, taken, failed = schedule(bench, ALL, timeout=7.0)
    assert bench.investigated
    assert bench.now > 7
    assert (complete, failed) == (True, [])
    assert sorted(taken) == blocks_of(ALL)


def test_no_shard_is_meant_to_take_longer_than_it_may():
    bench = Bench(2, SEED, dict.fromkeys(TABLES, 0.1))
    schedule(bench, ALL, timeout=1.0)
    assert max(blocks for *_, blocks in bench.submitted) * 0.1 <= 1.0


@given(what_is_left(), slots, seeds, costs, st.integers(0, 60))
def test_when_it_stops_nothing_starts_and_what_runs_is_finished(left, slots, seed, costs, after):
    bench, asked, at_stop = Bench(slots, seed, costs), [], []

    def stops():
        asked.append(None)
        if len(asked) > after:
            at_stop.append(len(bench.submitted))
        return len(asked) > after

    complete, taken, failed = schedule(bench, left, stops=stops)
    assert len(bench.submitted) <= after
    assert set(at_stop) <= {len(bench.submitted)}
    expected = {table: [] for table in left}
    for table, first, blocks in bench.submitted:
        expected[table].append((first, first + blocks))
    assert sorted(taken) == blocks_of(expected)
    assert complete == (sorted(taken) == blocks_of(left))
    assert failed == []


@given(slots, seeds, costs, st.dictionaries(st.sampled_from(TABLES), st.sets(st.integers(0, BLOCKS - 1), min_size=1),
                                            min_size=1))  # fmt: skip
def test_first_fault_in_the_order_of_rounds_and_tables_is_raised(slots, seed, costs, bad):
    ends = rounds(BLOCKS)
    first = min(
        (next(i for i, end in enumerate(ends) if block < end), table, block) for table in bad for block in bad[table]
    )
    with pytest.raises(BotFault) as raised:
        schedule(Bench(slots, seed, costs, bad=bad), {table: ALL[table] for table in sorted(TABLES)})
    assert str(raised.value) == str(fault(*first[1:]))


@pytest.mark.parametrize("seed", [3])
def test_first_fault_is_raised_though_a_worker_breaks(seed):
    bad = {table: [0] for table in TABLES}

    class Backwards(Bench):
        def wait(self, futures, timeout, return_when):
            self.broken = True
            last = max(futures, key=lambda future: self.pending[future][0])
            last.set_exception(BrokenExecutor("a worker was lost"))
            return {last}, set(futures) - {last}

    with pytest.raises(BotFault) as raised:
        schedule(Backwards(3, seed, bad=bad), {table: [(0, 1)] for table in sorted(TABLES)}, blocks=1)
    assert str(raised.value) == str(fault(min(TABLES), 0))


# --- Resuming --------------------------------------------------------------------------------------------------------


class Ends(Reporter):
    """End a run after so many shards (in one process), and keep what is noted."""

    def __init__(self, shards=math.inf):
        self.left, self.notes = shards, []

    def note(self, text):
        self.notes.append(text)

    def ends(self):
        self.left -= 1
        return self.left < 0


@cache
def undisturbed(bots=tuple(FIELD), games=GAMES, **options):
    """Play at one go, without a folder; what is small must be so already."""
    assert groups.SINGLETON_BLOCKS == 8
    return csv(run(spec(bots, games=games, **options)))


@plays
@pytest.mark.parametrize("shards", [1, 2, 4, 5, 13, 19, 20])
def test_run_that_was_stopped_goes_on_to_the_same_bytes(shards, small):
    part = run(spec(), out="mine", reporter=Ends(shards))
    assert part.complete == (shards == 20)
    assert part.games_played == SEATINGS * sum(SHARD_SIZES[:shards])
    assert manifest_in("mine")["state"] == ("complete" if part.complete else "partial")
    assert csv(part) == csv_in("mine") == csv(StoredLeague("mine").result())
    assert StoredLeague("mine").result().complete == part.complete
    before = state_of("mine/shards")
    assert len(before) == shards
    (small / "mine/.unfinished-1").touch()
    (small / "mine/shards/.unfinished-2").touch()
    result = run(spec(), out="mine", resume=True)
    assert result.complete
    assert csv(result) == csv_in("mine") == csv(StoredLeague("mine").result()) == undisturbed()
    assert manifest_in("mine")["state"] == "complete"
    assert before.items() <= state_of("mine/shards").items()
    assert list(Path("mine").rglob(".unfinished-*")) == []


@plays
def test_run_that_was_stopped_before_its_first_shard_left_nothing(small):
    with pytest.raises(KeyboardInterrupt):
        run(spec(), out="mine", reporter=Ends(0))
    assert os.listdir() == []


@plays
def test_run_that_is_stopped_again_and_again_comes_to_the_same_bytes(small):
    goes = 0
    while not run(spec(), out="mine", resume=True, reporter=Ends(3)).complete:
        goes += 1
    assert goes == 6
    assert csv_in("mine") == undisturbed()
    assert sum(shard.blocks for shard, _ in shards_in("mine").values()) == 4 * 23


@plays
@pytest.mark.parametrize("games", [6, 60, GAMES - 1, GAMES])
def test_run_grows(games, small):
    run(spec(games=games), out="mine")
    before = state_of("mine/shards")
    assert csv(run(spec(), out="mine", resume=True)) == csv_in("mine") == undisturbed()
    assert before.items() <= state_of("mine/shards").items()
    blocks = -(-games // SEATINGS)
    new = [shard for path, (shard, _) in shards_in("mine").items() if path not in before]
    assert sorted({block for shard in new for block in range(shard.first, shard.end)}) == list(range(blocks, 23))


@plays
def test_run_that_is_stopped_in_its_first_round_counts_what_was_there_of_later_ones(small, monkeypatch):
    monkeypatch.setattr(scheduling, "FIRST_ROUND", 10)
    run(spec(FIELD[:3]), out="mine")
    part = run(spec(), out="mine", resume=True, reporter=Ends(2))
    assert not part.complete
    assert part.games_played == GAMES + 2 * SHARD_BLOCKS * SEATINGS
    assert csv(part) == csv_in("mine") == csv(StoredLeague("mine").result())


NEW = "nil_tips+need_or_duck"
LARGER = {
    "at_the_end": [*FIELD, NEW],
    "at_the_front": [NEW, *FIELD],
    "in_the_middle": [*FIELD[:2], NEW, *FIELD[2:]],
    "two": [FIELD[0], NEW, *FIELD[1:], "honors+need_or_duck"],
    "a_copy": [FIELD[0], *FIELD],
}


@plays
@pytest.mark.parametrize(("case", "games"), [*((case, 60) for case in LARGER), ("in_the_middle", GAMES)])
def test_bots_join_a_run(case, games, small):
    field = LARGER[case]
    run(spec(games=games), out="mine")
    before = state_of("mine/shards")
    result = run(spec(field), out="mine", resume=True)
    assert csv(result) == csv_in("mine") == csv(StoredLeague("mine").result()) == undisturbed(tuple(field))
    assert before.items() <= state_of("mine/shards").items()
    old = set(combinations(FIELD, 3))
    new = [shard for path, (shard, _) in shards_in("mine").items() if path not in before]
    assert {shard.table for shard in new} - old == set(combinations(field, 3)) - old
    assert all(shard.first * SEATINGS >= games for shard in new if shard.table in old)


DAMAGE = {
    "cut_short": lambda data: data[:-1],
    "half": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "bit_at_the_front": lambda data: flipped(data, 0),
    "bit_in_the_middle": lambda data: flipped(data, 4 * len(data)),
    "bit_at_the_end": lambda data: flipped(data, 8 * len(data) - 1),
}


@plays
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_shards_are_named_and_played_again(damage, small):
    run(spec(), out="mine")
    spoilt = sorted(Path("mine/shards").iterdir())[3:9:2]
    for path in spoilt:
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
    rest = {path: state for path, state in state_of("mine/shards").items() if path not in spoilt}
    with pytest.raises(UsageError, match=f"{spoilt[0].name} is damaged; .*--resume plays it again"):
        StoredLeague("mine").result()
    reporter = Ends()
    result = run(spec(), out="mine", resume=True, reporter=reporter)
    *notes, summary = reporter.notes
    assert notes == [f"the shard {path.name} is damaged; it is played again" for path in spoilt]
    assert summary.startswith(f"seed {SEED}, ")
    assert csv(result) == csv_in("mine") == csv(StoredLeague("mine").result()) == undisturbed()
    assert rest.items() <= state_of("mine/shards").items()


def in_manifest(*keys, value=None):
    """Make a change of a manifest: another value, or none at all."""

    def change():
        manifest = manifest_in("mine")
        inner = manifest
        for key in keys[:-1]:
            inner = inner[key]
        if value is None:
            del inner[keys[-1]]
        else:
            inner[keys[-1]] = value
        Path("mine/manifest.json").write_text(json.dumps(manifest))

    return change


def writes(name, text):
    return lambda: Path(name).write_text(text)


SOURCE = """from spadesim import bidder

@bidder(kind="python")
def mine(view):
    return 3
"""
OWN = ["mine+boss", *FIELD[:3]]
LOADED = {"bots": OWN, "load": ["own.py"], "games": 12}
REFUSED = {  # what is changed in the folder, what else is asked for, and what is said
    "other_seed": (None, {"seed": 78}, "its seed is 77, not 78"),
    "other_rules": (None, {"rules": "cutthroat:nil=50"}, "its rules is 'cutthroat', not 'cutthroat:nil=50'"),
    "fewer_games": (None, {"games": 6}, "it has 12 games a table, not 6; expected as many or more"),
    "other_policy": (None, {"on_fault": "correct"}, "its on-fault is 'stop', not 'correct'"),
    "other_focus": (None, {"focus": [OWN[0]]}, "its focus is [], not ['mine+boss']"),
    "other_until": (None, {"until": 0.1}, "its until is 0.0, not 0.1"),
    "other_log": (None, {"log": "deals"}, "its log is '', not 'deals'"),
    "other_timeout": (None, {"decision_timeout": 1.0}, "its decision-timeout is 0.0, not 1.0"),
    "bot_left": (None, {"bots": OWN[:3]}, "its field is another; expected the same bots in the same order"),
    "bots_swapped": (None, {"bots": OWN[::-1]}, "its field is another"),
    "strategy_edited": (writes("own.py", SOURCE.replace("3", "4")), {}, "the source of bidder mine has changed since"),
    "other_engine": (in_manifest("engine", value="0" * 64), {}, "it was played by another engine"),
    "other_version": (in_manifest("versions", "spadesim", value="0.0.1"), {}, "it was played by spadesim 0.0.1, not"),
    **{
        f"older_without_{key}": (in_manifest(key), {}, "is of an older version of spadesim; play it again in a new")
        for key in ("state", "spec", "sources", "engine", "versions", "seconds", "texts", "focus")
    },
    "manifest_no_json": (writes("mine/manifest.json", "{"), {}, "cannot be read; it was changed or is damaged"),
    "manifest_a_list": (writes("mine/manifest.json", "[]"), {}, "cannot be read; it was changed or is damaged"),
    "manifest_gone": (lambda: os.remove("mine/manifest.json"), {}, "holds no run: it has no manifest.json"),
    "no_resume": (None, {"resume": False}, "holds something already; name a new one, or --resume to go on"),
}


@plays
@pytest.mark.parametrize("case", REFUSED)
def test_folder_of_another_run_is_refused_in_one_line(case, here):
    change, others, fragment = REFUSED[case]
    Path("own.py").write_text(SOURCE)
    run(spec(**LOADED), out="mine")
    if change is not None:
        change()
    before = state_of("mine")
    options = LOADED | others
    resume = options.pop("resume", True)
    with pytest.raises(UsageError) as refused:
        run(spec(**options), out="mine", resume=resume)
    assert fragment in str(refused.value)
    assert "\n" not in str(refused.value)
    assert repr(str(here / "mine")) in str(refused.value)
    assert state_of("mine") == before


@plays
@pytest.mark.parametrize("key", ["bots", "rules", "games_a_table"])
def test_manifest_without_a_key_is_refused(key, here):
    run(spec(games=6), out="mine")
    in_manifest(key)()
    with pytest.raises(UsageError):
        StoredLeague("mine").result()


@plays
def test_run_by_rules_that_were_edited_is_refused(here):
    Path("my.toml").write_text("nil = 50\n")
    run(spec(games=60, rules="my.toml"), out="mine")
    Path("my.toml").write_text("nil = 200\n")
    with pytest.raises(UsageError, match="rules"):
        run(spec(games=120, rules="my.toml"), out="mine", resume=True)


@plays
def test_folder_with_something_else_is_refused(here):
    Path("mine").mkdir()
    Path("mine/letter.txt").write_text("dear")
    Path("file").write_text("dear")
    for out, resume, fragment in [
        ("mine", False, "holds something already"), ("mine", True, "holds no run: it has no manifest.json"),
        ("file", False, "holds something already"), ("file", True, "cannot be read"), ("", False, "has no name"),
        (None, True, "there is no folder to resume from"),
    ]:  # fmt: skip
        with pytest.raises(UsageError, match=fragment) as refused:
            run(spec(games=6), out=out, resume=resume)
        assert "\n" not in str(refused.value)
    assert {path.name: data for path, (data, _) in state_of(".").items()} == {"letter.txt": b"dear", "file": b"dear"}


@plays
def test_folder_in_use_is_refused(here):
    fcntl = pytest.importorskip("fcntl")
    run(spec(games=6), out="mine")
    before = state_of("mine")
    other = os.open("mine", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(UsageError, match="another run is writing to .*mine'; wait for it, or name a new folder"):
        run(spec(games=6), out="mine", resume=True)
    assert state_of("mine") == before
    os.close(other)
    assert run(spec(games=12), out="mine", resume=True).complete


@plays
def test_run_keeps_others_out_until_it_ends(here):
    seen = []

    class Second(Reporter):
        def start(self, games):
            with pytest.raises(UsageError, match="another run is writing"):
                run(spec(games=6), out="mine", resume=True)
            seen.append(games)

    run(spec(games=6), out="mine", reporter=Second())
    assert seen == [6 * 4]
    assert run(spec(games=6), out="mine", resume=True).complete


@plays
def test_resume_of_nothing_is_a_new_run(small):
    Path("empty").mkdir()
    for out in ("empty", "new/below"):
        assert csv(run(spec(), out=out, resume=True)) == csv_in(out) == undisturbed()


@plays
def test_failed_resume_leaves_what_is_not_its_own(here):
    run(spec(games=6), out="mine", reporter=Ends(1))
    Path("mine/letter.txt").write_text("dear")
    for path in Path("mine/shards").iterdir():
        path.write_bytes(b"")
    with pytest.raises(KeyboardInterrupt):
        run(spec(games=6), out="mine", resume=True, reporter=Ends(0))
    assert Path("mine/letter.txt").exists()


@plays
def test_log_of_a_damaged_shard_holds_no_deal_twice(small, monkeypatch):
    run(spec(FIELD[:3], log="deals"), out="mine")
    rows = len(pd.read_parquet("mine/deals"))
    spoilt = sorted(Path("mine/shards").iterdir())[1]
    spoilt.write_bytes(b"")
    monkeypatch.setattr(Schedule, "_size", lambda self, table, left: 2)
    run(spec(FIELD[:3], log="deals"), out="mine", resume=True)
    assert len(pd.read_parquet("mine/deals")) == rows


@plays
def test_run_that_was_killed_before_its_first_word_starts(here):
    Path("mine/shards").mkdir(parents=True)
    Path("mine/.unfinished-0123").write_bytes(b"half a manif")
    assert run(spec(games=6), out="mine", resume=True).complete
    assert not list(Path("mine").glob(".unfinished-*"))


# --- Reading a run ---------------------------------------------------------------------------------------------------

READ = {
    "other_rules": {"rules": "cutthroat:nil=50:max_deals=9"},
    "focus": {"focus": [FIELD[1]]},
    "copies": {"bots": [FIELD[0], FIELD[0], FIELD[1], FIELD[1]]},
    "until": {"until": 0.4},
}


@plays
@pytest.mark.parametrize("shards", [3, math.inf])
@pytest.mark.parametrize("case", READ)
def test_run_is_read_from_its_folder(case, shards, small):
    result = run(spec(**READ[case]), out="mine", reporter=Ends(shards))
    again = StoredLeague("mine").result()
    assert csv(again) == csv(result) == csv_in("mine")
    assert again.complete == result.complete == (shards == math.inf)
    assert (again.spec, again.rules, again.bots) == (result.spec, result.rules, result.bots)
    assert again.games_played == result.games_played > 0


def test_no_run_is_read_from_a_folder_without_one(here):
    for name in ("nowhere", "."):
        with pytest.raises(UsageError, match="holds no run"):
            StoredLeague(name).result()


@plays
@posix
def test_comparison_with_a_bot_that_ends_its_process_is_undecided(here):
    Path("bad_bots.py").write_text(BAD)
    others = ["quick+boss", "honors+boss"]
    bots = (f"ends+{'lowest'}", "quick+need_or_duck", *others)
    values = {"bots": bots, "games": 600, "seed": SEED, "delta": 0.05, "load": ["bad_bots.py"]}
    result = run(check_spec(values), workers=2)
    assert not result.complete
    assert {tuple(each["table"]) for each in result.failures} == {(bots[0], *others)}
    assert result.comparison["verdict"].tolist() == ["undecided"]


# --- Until enough is known -------------------------------------------------------------------------------------------

WIDTH = 0.02


def half_widths(result):
    return ((result.standings["win_share_high"] - result.standings["win_share_low"]) / 2).to_numpy()


@cache
def until_known(bots=tuple(FIELD[:3]), games=60_000):
    return league(bots, games=games, seed=SEED, until=WIDTH)


@plays
def test_run_ends_at_the_first_look_that_is_good_enough():
    result = until_known()
    looks = [512]
    while looks[-1] < 10_000:
        looks.append(looks[-1] + looks[-1] // 5)
    at = looks.index(result.tally.blocks)
    assert at > 0
    assert result.complete
    assert (half_widths(result) < WIDTH).all()
    before = until_known(games=looks[at - 1] * SEATINGS)
    assert before.tally.blocks == looks[at - 1]
    assert half_widths(before).max() >= WIDTH


@plays
def test_games_are_the_cap():
    result = league(FIELD[:3], games=600 * SEATINGS, seed=SEED, until=1e-6)
    assert (result.complete, result.tally.blocks) == (True, 600)
    assert half_widths(result).max() > 1e-6


@plays
@pytest.mark.parametrize("workers", [0, 2])
def test_run_ends_at_the_same_look_with_any_workers_and_when_it_was_stopped(workers, here):
    values = {"bots": FIELD[:3], "games": 60_000, "seed": SEED, "until": WIDTH}
    part = run(check_spec(values), workers=workers, out="mine", reporter=Ends(3))
    assert not part.complete
    assert csv(StoredLeague("mine").result()) == csv(part)
    result = run(check_spec(values), workers=workers, out="mine", resume=True)
    assert result.complete
    assert csv(result) == csv_in("mine") == csv(StoredLeague("mine").result()) == csv(until_known())


@plays
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_run_of_one_block_ends_with_its_games():
    result = league(FIELD[:3], games=6, seed=SEED, until=0.1)
    assert (result.tally.blocks, result.complete) == (1, True)


@plays
def test_run_that_ends_earlier_with_more_bots_is_read_as_it_was(here):
    values = {"games": 60_000, "seed": SEED, "until": WIDTH}
    run(check_spec(values | {"bots": FIELD[:3]}), out="mine")
    larger = run(check_spec(values | {"bots": FIELD}), out="mine", resume=True)
    assert larger.tally.blocks < until_known().tally.blocks
    assert csv(larger) == csv_in("mine") == csv(until_known(tuple(FIELD)))
    assert csv(StoredLeague("mine").result()) == csv(larger)


COMPARED = {
    "bots": ["honors+boss", "honors:jack=0.4+boss", "quick+boss", "nil_tips+need_or_duck"],
    "seed": SEED, "delta": 0.01, "games": 60_000,
}  # fmt: skip


@cache
def compared():
    return run(check_spec(COMPARED))


def shards_of_comparison():
    """Count its shards, of 100 blocks at most: at each look, those of two tables."""
    looks = [256]
    while looks[-1] < compared().tally.blocks:
        looks.append(looks[-1] + looks[-1] // 50)
    assert looks[-1] == compared().tally.blocks
    return 2 * 3 + 2 * (len(looks) - 1)


@plays
@pytest.mark.parametrize("left_out", [40, 13, 2])
def test_comparison_that_was_stopped_comes_to_the_same_verdict(left_out, here, monkeypatch):
    monkeypatch.setattr(Schedule, "_size", lambda self, table, left: 100)
    part = run(check_spec(COMPARED), out="mine", reporter=Ends(shards_of_comparison() - left_out))
    assert not part.complete
    assert part.comparison["verdict"].tolist() == ["undecided"]
    assert csv(StoredLeague("mine").result()) == csv_in("mine") == csv(part)
    result = run(check_spec(COMPARED), out="mine", resume=True)
    assert result.comparison["verdict"].tolist() == ["level"]
    assert csv(result) == csv_in("mine") == csv(StoredLeague("mine").result()) == csv(compared())


@plays
def fill_disk(patch, after):
    """Let nothing be written after so many files."""
    real, written = os.fsync, []

    def fsync(file):
        if not os.path.isdir(f"/proc/self/fd/{file}"):
            written.append(file)
            if len(written) > after:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    patch.setattr(os, "fsync", fsync)


@plays
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="looks at files by their numbers")
@pytest.mark.parametrize("files", [1, 2, 9, 20, 21, 25])  # the manifest, 20 shards, and tables
def test_full_disk_is_one_line_and_what_was_finished_stays(files, small, monkeypatch):
    monkeypatch.setattr(folder, "SECONDS_WORTH_KEEPING", 0.0)
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, files)
        with pytest.raises(UsageError) as stopped:
            run(spec(), out="mine")
    place = str(small / "mine")
    kept = "what was finished is kept there, for --resume"
    assert str(stopped.value) == f"cannot write the folder {place!r}: No space left on device; {kept}"
    if files == 1:
        assert not Path(place).exists()  # there was nothing to keep
        return
    before = state_of("mine/shards")
    assert len(before) == min(files - 1, 20)
    assert list(Path("mine").rglob(".unfinished-*")) == []
    assert manifest_in("mine")["state"] == "running"
    assert csv(run(spec(), out="mine", resume=True)) == csv_in("mine") == undisturbed()
    assert before.items() <= state_of("mine/shards").items()


@plays
def test_full_disk_in_the_first_minute_leaves_what_was_finished(small):
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, 9)
        with pytest.raises(UsageError, match="what was finished is kept there"):
            run(spec(), out="mine")
    assert len(shards_in("mine")) == 8


@plays
def test_run_can_be_tried_again_where_it_could_not_begin(here):
    run(spec(games=6), out="mine")
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, 0)
        with pytest.raises(UsageError, match="No space left"):
            run(spec(games=6), out="mine", resume=True)
    assert run(spec(games=6), out="mine", resume=True).complete


@plays
def test_new_run_can_be_tried_again_where_it_could_not_begin(here):
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, 0)
        with pytest.raises(UsageError, match="No space left"):
            run(spec(games=6), out="mine")
    assert run(spec(games=6), out="mine").complete


@plays
@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_folder_that_cannot_be_written_is_one_line(here):
    Path("closed").mkdir(mode=0o555)
    with pytest.raises(UsageError, match="cannot write the folder .*Permission denied; name another with --out"):
        run(spec(games=6), out="closed/mine")
    run(spec(games=6), out="mine")
    Path("mine/shards").chmod(0o555)
    with pytest.raises(UsageError, match="cannot write the folder .*Permission denied; what was finished is kept"):
        run(spec(games=12), out="mine", resume=True)


# --- Answers in time -------------------------------------------------------------------------------------------------

DREAMER = """import time

from spadesim import bidder
from spadesim.cards import SPADES, count

@bidder(kind="python")
def dreamer(view):
    if count(view.hand & SPADES) >= 8:
        {dream}
    return 3
"""
DREAMERS = ["dreamer+lowest", "quick+boss", "honors+boss"]


def dreaming(dream, **options):
    """Play a league with a bidder that does something else in rare hands; one way in each folder."""
    place = Path(dream.partition("(")[0].replace(" ", ""))
    place.mkdir()
    (place / "dreamer.py").write_text(DREAMER.format(dream=dream))
    return league(DREAMERS, games=60, seed=SEED, load=[str(place / "dreamer.py")], **options)


@plays
@posix
@pytest.mark.parametrize("workers", [0, 2])
def test_answer_that_takes_too_long_is_a_fault(workers, here):
    with pytest.raises(BotFault) as wrong:
        dreaming("return -1", workers=workers)
    with pytest.raises(BotFault) as late:
        dreaming("time.sleep(1)", decision_timeout=0.2, workers=workers)
    assert "bot 'dreamer+lowest' gave no answer in 0.2 s when asked for its bid" in str(late.value)
    assert late.value.record["reason"] == "gave no answer in 0.2 s"
    for name in ("bot", "game", "deal", "seat", "hand", "table", "asked"):
        assert late.value.record[name] == wrong.value.record[name]


@plays
@posix
@pytest.mark.parametrize("workers", [0, 2])
def test_answer_that_takes_too_long_is_corrected_like_a_wrong_one(workers, here):
    wrong = dreaming("return -1", on_fault="correct")
    late = dreaming("time.sleep(1)", on_fault="correct", decision_timeout=0.2, workers=workers)
    assert csv(late) == csv(wrong)
    faults = late.standings.set_index("bot")["faults"]
    assert 0 < faults["dreamer+lowest"] < 60
    assert faults.sum() == faults["dreamer+lowest"]


# --- Real processes --------------------------------------------------------------------------------------------------

SPADESIM = [sys.executable, "-m", "spadesim"]
UNHURRIED = """import os
import time

from spadesim import bidder

@bidder(kind="python")
def unhurried(view):
    if os.path.exists("slow"):
        time.sleep(0.003)
    return 3
"""
SLOW_RUN = {"bots": ["unhurried+lowest", "quick+boss", "honors+boss"], "games": 300, "seed": SEED}
SLOW_RUN |= {"load": ["slow_bots.py"]}
SLOW_WORDS = ["league", *SLOW_RUN["bots"], "--load", "slow_bots.py", "--games", "300", "--seed", str(SEED)]
SLOW_WORDS += ["--workers", "2", "--out", "mine", "--quiet", "--table", "standings", "--format", "csv"]


@pytest.fixture
def slow(here):
    """Have a strategy that takes its time as long as the file "slow" is there."""
    Path("slow_bots.py").write_text(UNHURRIED)
    Path("slow").touch()
    return here


def start(words, command=SPADESIM):
    return subprocess.Popen(
        [*command, *words], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finished(words, command=SPADESIM):
    result = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60)
    return result.returncode, result.stdout, result.stderr


def processes():
    """List all that run: number, parent's number, group."""
    columns = ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="]
    lines = subprocess.run(columns, capture_output=True, text=True, check=True).stdout.splitlines()
    return [tuple(map(int, line.split()[:3])) for line in lines if "Z" not in line.split()[3]]


def workers_of(parent):
    return [number for number, its_parent, _ in processes() if its_parent == parent]


def wait_until(condition, seconds=20):
    for _ in range(seconds * 20):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"this did not come about in {seconds} seconds")


def in_mid_run(process):
    """Wait until some shards are finished and others well under way."""
    wait_until(lambda: len(list(Path("mine/shards").glob("*.npz"))) >= 2 and len(workers_of(process.pid)) == 2)
    time.sleep(0.3)
    assert process.poll() is None


@plays
@posix
def test_worker_that_is_killed_costs_nothing(slow):
    with start(SLOW_WORDS) as process:
        in_mid_run(process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        os.remove("slow")
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    expected = csv(league(**SLOW_RUN))
    assert csv_in("mine") == expected
    assert out == expected["standings"]
    assert manifest_in("mine")["state"] == "complete"
    assert processes_of_group(process.pid) == []


def processes_of_group(group):
    return [number for number, _, its_group in processes() if its_group == group]


@plays
@posix
def test_run_that_is_killed_goes_on_to_the_same_bytes(slow):
    with start(SLOW_WORDS) as process:
        in_mid_run(process)
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: processes_of_group(process.pid) == [], seconds=5)
        process.communicate(timeout=5)
    assert process.returncode == -signal.SIGKILL
    os.remove("slow")
    assert manifest_in("mine")["state"] == "running"
    assert csv_in("mine") == {}
    before = state_of("mine/shards")
    part = StoredLeague("mine").result()
    assert 0 < part.games_played < 300
    assert not part.complete
    assert part.games_played == SEATINGS * sum(shard.blocks for shard, _ in shards_in("mine").values())
    for left in ("mine/.unfinished-1", "mine/shards/.unfinished-2"):
        Path(left).write_bytes(b"half")
    code, out, errors = finished([*SLOW_WORDS, "--resume"])
    assert (code, errors) == (0, "")
    expected = csv(league(**SLOW_RUN))
    assert csv_in("mine") == expected
    assert out == expected["standings"]
    assert list(Path("mine").rglob(".unfinished-*")) == []
    assert before.items() <= state_of("mine/shards").items()
    assert manifest_in("mine")["state"] == "complete"


@plays
@posix
def test_worker_that_is_killed_between_two_shards_costs_nothing():
    class Kills(Reporter):
        killed = False

        def progress(self, games, seconds_left):
            if games and not self.killed:
                self.killed = True
                os.kill(workers_of(os.getpid())[0], signal.SIGKILL)
                time.sleep(0.5)

    result = run(spec(FIELD[:3], games=6000), workers=2, reporter=Kills())
    assert csv(result) == csv(league(FIELD[:3], games=6000, seed=SEED))


BAD = """import os
import time

from spadesim import bidder
from spadesim.cards import SPADES, count

@bidder(kind="python")
def ends(view):
    if count(view.hand & SPADES) >= 8:
        os._exit(3)
    return 3

@bidder(kind="python")
def sticks(view):
    while count(view.hand & SPADES) >= 8:
        time.sleep(0.01)
    return 3

@bidder(kind="python")
def eats(view):
    x = []
    while count(view.hand & SPADES) >= 8:
        x.append(bytearray(10**7))
    return 3

@bidder
def owns_up(view):
    return -1 if count(view.hand & SPADES) >= 8 else 3
"""
LOW_LIMIT = (
    "from spadesim.cli import main; from spadesim.tournament import workers;"
    " workers.memory_of_a_worker = lambda n: 8 * 10**8; main()"
)
REASONS = {
    "ends": "ended the process, with exit code 3",
    "eats": "ran out of memory, of which a worker has 0.8 GB",
    "sticks": "gave no answer in 1 s",
}


@plays
@posix
@pytest.mark.parametrize("bad", REASONS)
def test_bot_that_takes_its_worker_with_it_costs_its_own_tables(bad, here):
    Path("bad_bots.py").write_text(BAD)
    # copies of a bot are not told apart, so that of the four tables two are played, which saves waiting
    good = FIELD[:3] if bad == "ends" else [FIELD[0]] * 3
    bot = f"{bad}+lowest"
    words = ["league", *good, bot, "--load", "bad_bots.py", "--games", "60", "--seed", str(SEED)]
    words += [
        "--workers",
        "1" if bad == "sticks" else "2",
        "--shard-timeout",
        "1" if bad == "sticks" else "60",
        "--out",
        "mine",
        "--quiet",
    ]
    code, out, errors = finished(words, [sys.executable, "-c", LOW_LIMIT] if bad == "eats" else SPADESIM)
    assert code == 1, errors
    assert out.startswith("standings\n"), errors
    manifest = manifest_in("mine")
    assert manifest["state"] == "partial"
    failures, lines = manifest["failures"], errors.splitlines()
    assert len(lines) == len(failures)
    named = [manifest["bots"].index(name) for each in failures for name in each["table"]]
    texts = {(*two, bot) for two in combinations(good, 2)}
    tables = [tuple(manifest["texts"][i] for i in named[at : at + 3]) for at in range(0, len(named), 3)]
    assert set(tables) == texts
    for each, line, text in zip(failures, lines, tables, strict=True):
        game = first_game_in_which_it_owns_up(text)
        block = [game - game % SEATINGS, game - game % SEATINGS + SEATINGS]
        if bad == "sticks":  # one worker plays the blocks in their order
            assert each["games"] == block
        first, end = each["games"]
        assert [first, end] == [game - game % SEATINGS, game - game % SEATINGS + SEATINGS]
        command = f"spadesim replay {shlex.join(text)} --seed {SEED} --game {first} --load bad_bots.py"
        assert (each["strategy"], each["reason"], each["command"]) == (f"bidder '{bad}'", REASONS[bad], command)
        assert line == (
            f"spadesim: bidder '{bad}' {REASONS[bad]} (table {', '.join(each['table'])}; games {first} … {end - 1});"
            f" the table is left unfinished; replay it with: {command}"
        )
    whole = {text: [] for text in [tuple(good), *texts]}
    for shard, counts in shards_in("mine").values():
        whole[shard.table].append((shard, counts))
    played = sorted(whole[tuple(good)], key=lambda each: each[0].first)
    assert shards.gaps([shard for shard, _ in played], 10) == []
    alone = Job(check_spec({"bots": good, "games": 60, "seed": SEED})).play((0, 1, 2), 0, 10)[0]
    assert same_counts(reduce(add, (counts for _, counts in played)), alone)
    assert all(shards.gaps([shard for shard, _ in whole[text]], 10) for text in texts)
    assert csv(StoredLeague("mine").result()) == csv_in("mine")
    if bad == "ends":
        assert finished(shlex.split(failures[0]["command"])[1:])[0] == 3


@plays
@posix
@cache
def first_game_in_which_it_owns_up(table):
    bots = [*table[:2], "owns_up+lowest"]
    with pytest.raises(BotFault) as wrong:
        league(bots, games=60, seed=SEED, load=["bad_bots.py"])
    return wrong.value.record["game"]


@pytest.mark.parametrize("total", [8_000_000_000, None])
def test_workers_share_the_memory_that_a_container_leaves(total, tmp_path, monkeypatch):
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = tmp_path / "memory.max"
    limit.write_text("max\n" if total is None else f"{min(total, machine // 2)}\n")
    monkeypatch.setattr(workers, "CGROUP_LIMIT", str(limit))
    known = machine if total is None else min(total, machine // 2)
    assert workers.memory_of_a_worker(1) == int(known * 0.9)
    assert workers.memory_of_a_worker(4) == int(known * 0.9) // 4


# --- Dask ------------------------------------------------------------------------------------------------------------


@plays
def test_dask_cluster_gives_the_same_bytes():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        result = league(FIELD[:3], games=600, seed=SEED, scheduler=cluster.scheduler_address)
    assert csv(result) == csv(league(FIELD[:3], games=600, seed=SEED))


def test_cluster_that_does_not_answer_is_one_line(monkeypatch):
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="no scheduler answers at 'nonsense://nowhere:1'") as refused:
        play.workers_for(None, 0, "nonsense://nowhere:1")
    assert "\n" not in str(refused.value)
