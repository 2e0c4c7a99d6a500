"""The order of things, with workers that play nothing, on a clock of their own: each block is counted exactly once."""

from concurrent.futures import BrokenExecutor, Future
from itertools import combinations
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_runs import (
    SEATINGS,
    SEED,
)

from spadesim import BotFault
from spadesim.tournament import scheduling
from spadesim.tournament.scheduling import Played, Schedule, rounds

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

    def submit(self, stretch):
        table, first, blocks = stretch
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

    def investigate(self, stretch, timeout):
        table, first, blocks = stretch
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
        return Played(("counts", table, first, blocks), None, blocks * self.costs.get(table, 0.01))


def fault(table, block):
    return BotFault(f"{table} at block {block}", {"game": block * SEATINGS})


def schedule(bench, left, blocks=BLOCKS, stops=lambda: False, timeout=0.0):
    """Play what is left; return whether all was played, the blocks in the order taken, and what failed."""
    taken, failed, told = [], [], []

    def take(stretch, played):
        assert played.counts == ("counts", *stretch)
        taken.extend((stretch.table, block) for block in range(stretch.first, stretch.first + stretch.blocks))

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
    return complete, taken, [failure["table"] for failure in failed]


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
        def investigate(self, *stretch_and_limit):
            self.hanging.clear()
            return super().investigate(*stretch_and_limit)

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
