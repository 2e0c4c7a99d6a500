"""Which shards to play next, on which workers, and what to do when one never comes back.

Nothing here changes a figure: a shard's counts depend on the spec alone, and counts add. The order is fixed as well, in
rounds of all tables, so that a league that is cut short has played its tables about equally far.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from spadesim.errors import BotFault, SpadesimError
from spadesim.tournament.tally import TableCounts

FIRST_ROUND = 256  # blocks that all tables play before any plays more
ROUNDS_GROW = 8  # times, from one round to the next
PROBE = 1  # block, where nothing is known of what a table costs
SECONDS_A_SHARD = 2.0  # aimed at; as a run grows long, a larger part of it
PART_OF_RUN = 1 / 50
SECONDS_MOST = 60.0
SECONDS_LEAST = 0.2
PART_OF_REST = 1 / 2  # of the time left, so that all workers end at about the same time
PART_OF_TIMEOUT = 1 / 4  # so that no honest shard comes near it
POLL_SECONDS = 0.1

Table = tuple[int, ...]
Gaps = list[tuple[int, int]]  # what is left of a table's blocks, as (first, end)
Failed = dict[str, Any]  # "table", "games", "strategy", "reason" and "command" of a table that cannot be finished


class Stretch(NamedTuple):
    """Some blocks of a table in a row, to be played as a shard."""

    table: Table
    first: int
    blocks: int


class Played(NamedTuple):
    """What came of a shard: its counts, its part of the log or None, and the seconds that it took."""

    counts: TableCounts
    log: bytes | None
    seconds: float


def rounds(blocks: int) -> list[int]:
    """List how many blocks all tables have played at the end of each round."""
    ends, end = [], FIRST_ROUND
    while end < blocks:
        ends.append(end)
        end *= ROUNDS_GROW
    return [*ends, blocks]


@dataclass
class Costs:
    """What a block of a table takes, in seconds, learned from the shards that have been played."""

    of_table: dict[Table, float] = field(default_factory=dict)
    of_bot: dict[int, float] = field(default_factory=dict)

    def learn(self, table: Table, blocks: int, seconds: float) -> None:
        """Note what a shard took."""
        self.of_table[table] = a_block = seconds / blocks
        for bot in table:  # at most all of it
            self.of_bot[bot] = min(a_block, self.of_bot.get(bot, a_block))

    def of(self, table: Table) -> float | None:
        """Guess what a block takes; None where some bot has not been seen yet."""
        if table in self.of_table:
            return self.of_table[table]
        known = [self.of_bot.get(bot) for bot in table]
        return None if None in known else sum(known)  # type: ignore[arg-type]


@dataclass
class Task:
    """A shard under way."""

    stretch: Stretch
    started: float

    @classmethod
    def starting(cls, stretch: Stretch) -> "Task":
        """Start the clock."""
        return cls(stretch, time.monotonic())

    @property
    def table(self) -> Table:
        """The table that is played."""
        return self.stretch.table


class Workers(Protocol):
    """Where shards are played (see `workers`)."""

    slots: int  # shards under way at a time

    def submit(self, stretch: Stretch) -> "Future[Played]":
        """Start a shard."""

    def replace(self) -> None:
        """End all that is under way at once, and start anew."""

    def investigate(self, stretch: Stretch, timeout: float) -> Played | Failed:
        """Play a shard once more, alone and watched: return what it gives, or what is wrong."""


class Schedule:
    """Play what is left of a league's tables.

    Parameters
    ----------
    workers
        Where.
    left
        For each table the blocks to play, as (first, end).
    take
        Is given each finished shard, and what came of it.
    fail
        Is given a table that cannot be finished, as a dict that tells why.
    stops
        Asked now and then whether to finish what is under way and end.
    tell
        Is told the blocks that have been played and a guess at the seconds left.
    timeout
        Seconds that a shard may take; 0 for any.
    """

    def __init__(
        self, workers: Workers, left: dict[Table, Gaps], *,
        take: Callable[[Stretch, Played], None], fail: Callable[[Failed], None],
        stops: Callable[[], bool], tell: Callable[[int, float], None], timeout: float = 0.0,
    ):  # fmt: skip
        self._workers, self._left, self._timeout = workers, left, timeout
        self._take, self._fail, self._stops, self._tell = take, fail, stops, tell
        self._costs = Costs()
        self._running: dict[Future[Played], Task] = {}
        self._started = time.monotonic()
        self._finished_blocks = 0
        self._faults: list[tuple[Table, BotFault]] = []
        self._failed: set[Table] = set()

    def play(self, end: int, expected: int | None = None) -> bool:
        """Play all tables up to block `end`, of `expected` in all; return whether all was played.

        Raises
        ------
        BotFault
            The first in the order of the tables, whatever the workers.
        """
        waiting = deque(self._pieces(end))
        while waiting or self._running:
            while waiting and len(self._running) < self._workers.slots and not self._faults and not self._stops():
                self._start(waiting, self._seconds_left(waiting, end, expected or end))
            if not self._running:
                break
            done, _ = wait(self._running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            self._collect(done)
            self._end_overdue()
            self._tell(self._finished_blocks, self._seconds_left(waiting, end, expected or end))
        if self._faults:
            raise min(self._faults, key=lambda fault: (fault[0], fault[1].record["game"]))[1]
        return not waiting

    def _pieces(self, end: int) -> Iterator[list[Any]]:
        for table, gaps in self._left.items():
            for first, last in gaps:
                if first < end:
                    yield [table, first, min(last, end)]
            self._left[table] = [(max(first, end), last) for first, last in gaps if last > end]

    def _start(self, waiting: deque[list[Any]], seconds_left: float) -> None:
        piece = waiting[0]
        table, first, end = piece
        if table in self._failed:
            waiting.popleft()
            return
        blocks = min(self._size(table, seconds_left), end - first)
        try:
            stretch = Stretch(table, first, blocks)
            future = self._workers.submit(stretch)
        except BrokenExecutor:  # told here before any shard's future tells it
            suspects = list(self._running.values())
            self._running.clear()
            self._try_again(suspects)
            return
        self._running[future] = Task.starting(stretch)
        if first + blocks == end:
            waiting.popleft()
        else:
            piece[1] = first + blocks

    def _size(self, table: Table, seconds_left: float) -> int:
        cost = self._costs.of(table)
        if cost is None:
            return PROBE
        aim = min(max(SECONDS_A_SHARD, (time.monotonic() - self._started) * PART_OF_RUN), SECONDS_MOST)
        aim = min(aim, self._timeout * PART_OF_TIMEOUT or aim)
        if self._workers.slots > 1:
            aim = min(aim, max(seconds_left * PART_OF_REST, SECONDS_LEAST))
        return max(int(aim / max(cost, 1e-9)), 1)

    def _collect(self, done: Iterable[Future[Played]]) -> None:
        suspects = []
        for future in done:
            task = self._running.pop(future)
            try:
                result = future.result()
            except BotFault as error:
                self._faults.append((task.table, error))
            except SpadesimError:
                raise
            except BrokenExecutor:  # nobody knows at which of them
                suspects += [task, *self._running.values()]
                self._running.clear()
                break
            except Exception:
                suspects.append(task)
            else:
                self._finish(task.stretch, result)
        if suspects:
            self._try_again(suspects)

    def _finish(self, stretch: Stretch, played: Played) -> None:
        self._costs.learn(stretch.table, stretch.blocks, played.seconds)
        self._finished_blocks += stretch.blocks
        self._take(stretch, played)

    def _end_overdue(self) -> None:
        now = time.monotonic()
        overdue = [
            future for future, task in self._running.items() if self._timeout and now - task.started > self._timeout
        ]
        if overdue:
            self._try_again([self._running.pop(future) for future in overdue])

    def _try_again(self, suspects: Sequence[Task]) -> None:
        """Play shards once more, each alone and watched, and let the others under way begin anew on new workers."""
        others = list(self._running.values())
        self._running.clear()
        self._workers.replace()
        for task in suspects:
            if task.table in self._failed:
                continue
            try:
                found = self._workers.investigate(task.stretch, self._timeout)
            except BotFault as error:
                self._faults.append((task.table, error))
                continue
            if isinstance(found, dict):
                self._failed.add(task.table)
                self._left[task.table] = []
                self._fail(found)
            else:
                self._finish(task.stretch, found)
        for task in others:
            if task.table in self._failed:
                continue
            self._running[self._workers.submit(task.stretch)] = Task.starting(task.stretch)

    def _seconds_left(self, waiting: Iterable[Sequence[Any]], end: int, expected: int) -> float:
        """Guess from what the tables have cost so far."""
        usual = max(self._costs.of_table.values(), default=0.0)

        def seconds(table: Table, blocks: int) -> float:
            cost = self._costs.of(table)
            return blocks * (usual if cost is None else cost)

        work = sum(seconds(table, last - first) for table, first, last in waiting)
        work += sum(seconds(task.table, task.stretch.blocks) for task in self._running.values())
        for table, gaps in self._left.items():
            work += seconds(table, sum(min(last, expected) - min(first, expected) for first, last in gaps))
        return work / self._workers.slots
