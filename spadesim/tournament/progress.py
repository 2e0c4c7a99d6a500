"""A job under way: what has been counted, and what is left."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from spadesim.errors import UsageError
from spadesim.storage.run_folder import RunFolder
from spadesim.tournament.job import Job
from spadesim.tournament.reporter import Reporter
from spadesim.tournament.run_options import RunOptions
from spadesim.tournament.scheduling import Played, Schedule, Stretch, Table, Workers
from spadesim.tournament.shards import Shard, from_arrays, gaps, shard_in, to_arrays
from spadesim.tournament.stopping import FixedGames
from spadesim.tournament.tally import Pool, TableCounts, Tally
from spadesim.tournament.workers import workers_for


@dataclass
class Counted:
    """What came of a job.

    Attributes
    ----------
    tally : Tally
    stopping : FixedGames
        When it had seen enough, and why.
    complete : bool
        Whether all was played that was to be.
    failures : list of dict
        Tables that could not be finished.
    """

    tally: Tally
    stopping: FixedGames
    complete: bool
    failures: list[dict[str, Any]]


def play_job(job: Job, options: RunOptions, folder: RunFolder | None = None) -> Counted:
    """Play what is left of a job.

    Raises
    ------
    UsageError, BotFault
        See `spadesim.league`.
    """
    job.compile()
    progress = Progress(job, folder, options.reporter)
    with workers_for(job, options.processes, options.scheduler) as workers:
        tally, complete = progress.play(workers, options.shard_timeout)
    return Counted(tally, progress.stopping, complete and not progress.failures, progress.failures)


class Progress:
    """A job under way: what has been counted, and what is left.

    Attributes
    ----------
    failures : list of dict
        Tables that cannot be finished.
    stopping
        When the job has seen enough.
    """

    def __init__(self, job: Job, folder: RunFolder | None = None, reporter: Reporter | None = None):
        self._job, self._folder, self._reporter = job, folder, reporter or Reporter()
        self._tables: dict[tuple[str, ...], list[Table]] = defaultdict(list)
        for table in job.tables:
            self._tables[job.text_of(table)].append(table)
        self._there = self._find_shards(folder) if folder is not None else []
        self.failures: list[dict[str, Any]] = []
        self.stopping = job.spec.stopping()

    def _find_shards(self, folder: RunFolder) -> list[Shard]:
        """List what has been played earlier."""
        found = []
        for name in folder.names():
            arrays = folder.read(name)
            if arrays is not None:
                found.append(shard_in(arrays))
        folder.remove_logs_without_shards()
        for file in folder.damaged:
            self._reporter.note(f"the shard {file} is damaged; it is played again")
        return found

    def play(self, workers: Workers, timeout: float = 0.0) -> tuple[Tally, bool]:
        """Play what is left; return the counts, and whether all was played."""
        job, reporter = self._job, self._reporter
        pool = job.pool()
        left = {tables[0]: self._left_of(text) for text, tables in self._tables.items()}
        before = sum(job.blocks - sum(end - first for first, end in stretches) for stretches in left.values())
        games_a_block = job.n_seatings
        reporter.start(job.blocks * games_a_block * len(left))
        schedule = Schedule(
            workers, left, take=lambda stretch, played: self._take(pool, stretch, played),
            fail=self.failures.append, stops=reporter.ends, timeout=timeout,
            tell=lambda blocks, seconds: reporter.progress((before + blocks) * games_a_block, seconds),
        )  # fmt: skip
        complete = True
        try:
            for end in self.stopping.looks(job.blocks):
                self._add_earlier(pool, end)
                complete = schedule.play(end, self.stopping.expected(job.blocks) or end)
                if not complete or self.stopping.enough(pool):
                    break
        finally:
            reporter.stop()
        if not complete:
            self._add_earlier(pool, job.blocks)
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

    def _add_earlier(self, pool: Pool, end: int) -> None:
        """Count the shards of earlier runs up to block `end`, and no more: a look must see what it saw then."""
        if self._folder is None:
            return
        for shard in [shard for shard in self._there if shard.end <= end]:
            self._there.remove(shard)
            arrays = self._folder.read(shard.name)
            if arrays is None:
                raise UsageError(f"the shard {shard.name} was whole a moment ago and is not now; run again to play it")
            self._count(pool, shard.table, from_arrays(arrays)[1])

    def _take(self, pool: Pool, stretch: Stretch, played: Played) -> None:
        shard = Shard(self._job.text_of(stretch.table), stretch.first, stretch.blocks)
        if self._folder is not None:
            self._folder.keep(shard.name, to_arrays(shard, played.counts), played.log)
        self._count(pool, shard.table, played.counts)

    def _count(self, pool: Pool, text: tuple[str, ...], counts: TableCounts) -> None:
        for table in self._tables.get(text, []):
            pool.add(table, counts)
