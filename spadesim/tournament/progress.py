"""A league under way: what has been counted, what is left, and who is told."""

import time
from collections import defaultdict
from pathlib import Path

from spadesim.designs.league.spec import Job
from spadesim.errors import UsageError
from spadesim.tournament.folder import RunFolder, read_shard
from spadesim.tournament.scheduling import Schedule, Table, Task, Workers
from spadesim.tournament.shards import Shard, gaps
from spadesim.tournament.stopping import stopping_of
from spadesim.tournament.tally import Pool, TableCounts, Tally


class Reporter:
    """Told what goes on, and asked whether to end; this one keeps quiet and never does."""

    def note(self, text: str) -> None:
        """Take a remark for the user."""

    def start(self, total: int, things: str = "games") -> None:
        """Learn how many games there will be, or whatever else there is to do."""

    def progress(self, done: int, seconds_left: float) -> None:
        """Learn how many are finished, and how long the others may take."""

    def stop(self) -> None:
        """Learn that there will be no more."""

    def ends(self) -> bool:
        """Tell whether to finish what is under way and end."""
        return False


class Part(Reporter):
    """Tell another reporter of a part of what it was told of: so many games of it are finished before."""

    def __init__(self, whole: Reporter, games: int, before: int):
        self._whole, self._games, self._before, self._started = whole, games, before, time.monotonic()
        self._part = 0

    def note(self, text: str) -> None:
        """Pass a remark on."""
        self._whole.note(text)

    def progress(self, done: int, seconds_left: float) -> None:
        """Guess what is left of the whole from the time that this part takes."""
        a_game = (time.monotonic() - self._started + seconds_left) / max(self._part, 1)
        self._whole.progress(self._before + done, a_game * (self._games - self._before - done))

    def start(self, total: int, things: str = "games") -> None:
        """Learn how many games there are in this part."""
        self._part = total

    def ends(self) -> bool:
        """Ask the whole."""
        return self._whole.ends()


class Progress:
    """A league under way: what has been counted, and what is left.

    Attributes
    ----------
    failures : list of dict
        Tables that cannot be finished.
    stopping
        When the league has seen enough.
    """

    def __init__(self, job: Job, folder: RunFolder | None = None, reporter: Reporter | None = None):
        self._job, self._folder, self._reporter = job, folder, reporter or Reporter()
        self._tables: dict[tuple[str, ...], list[Table]] = defaultdict(list)
        for table in job.tables:
            self._tables[job.text_of(table)].append(table)
        self._there: dict[Shard, Path] = folder.played() if folder is not None else {}
        for name in folder.damaged if folder is not None else []:
            self._reporter.note(f"the shard {name} is damaged; it is played again")
        self.failures: list[dict] = []
        self.stopping = stopping_of(job.spec)

    def play(self, workers: Workers, timeout: float = 0.0) -> tuple[Tally, bool]:
        """Play what is left; give the counts, and whether all was played."""
        job, reporter = self._job, self._reporter
        pool = job.pool()
        left = {self._tables[text][0]: self._left_of(text) for text in self._tables}
        before = sum(job.blocks - sum(end - first for first, end in each) for each in left.values())
        a_table = job.n_seatings
        reporter.start(job.blocks * a_table * len(left))
        schedule = Schedule(
            workers, left, take=lambda task, counts, log: self._take(pool, task, counts, log),
            fail=self.failures.append, stops=reporter.ends, timeout=timeout,
            tell=lambda blocks, seconds: reporter.progress((before + blocks) * a_table, seconds),
        )  # fmt: skip
        complete = True
        try:
            for end in self.stopping.looks(job.blocks):
                self._add_what_is_there(pool, end)
                complete = schedule.play(end, self.stopping.expected(job.blocks) or end)
                if not complete or self.stopping.enough(pool):
                    break
        finally:
            reporter.stop()
        if not complete:
            self._add_what_is_there(pool, job.blocks)
            if pool.blocks == 0:
                raise KeyboardInterrupt
        tally = pool.tally()
        tally.looked_at = bool(job.spec.until)
        return tally, complete

    def _left_of(self, text: tuple[str, ...]) -> list[tuple[int, int]]:
        try:
            return gaps([shard for shard in self._there if shard.table == text], self._job.blocks)
        except ValueError as error:
            raise UsageError(f"shards of {' | '.join(text)} overlap: {error}; play the run in a new folder") from None

    def _add_what_is_there(self, pool: Pool, end: int) -> None:
        """Count the shards of earlier runs up to block `end`, and no more: a look must see what it saw then."""
        for shard in [shard for shard in self._there if shard.end <= end]:
            self._count(pool, shard.table, read_shard(self._there.pop(shard))[1])

    def _take(self, pool: Pool, task: Task, counts: TableCounts, log: bytes | None) -> None:
        text = self._job.text_of(task.table)
        if self._folder is not None:
            self._folder.add(Shard(text, task.first, task.blocks), counts, log)
        self._count(pool, text, counts)

    def _count(self, pool: Pool, text: tuple[str, ...], counts: TableCounts) -> None:
        for table in self._tables.get(text, []):
            pool.add(table, counts)
