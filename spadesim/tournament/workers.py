"""Where shards are played: in this process, in worker processes, or on a Dask cluster."""

import os
import re
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import lru_cache
from typing import Any, Self

from spadesim.errors import BotFault, UsageError
from spadesim.tournament.investigation import investigate
from spadesim.tournament.job import Job, JobSpec
from spadesim.tournament.processes import CONTEXT, FORKS, kill, settle_in
from spadesim.tournament.scheduling import Failed, Played, Stretch

_lock = threading.Lock()  # a table plays one shard at a time


def play_shard(job: Job, stretch: Stretch) -> Played:
    """Play a shard."""
    job.table(stretch.table).load()
    started = time.perf_counter()
    counts, rows = job.play(*stretch)
    return Played(counts, job.log_part(stretch.table, rows), time.perf_counter() - started)


class InProcess:
    """Play in this process, where print and pdb work; what loops for ever loops for ever."""

    slots = 1

    def __init__(self, job: Job):
        self._job = job

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def submit(self, stretch: Stretch) -> "Future[Played]":
        """Play a shard at once."""
        future: Future[Played] = Future()
        try:
            future.set_result(play_shard(self._job, stretch))
        except BotFault as error:
            future.set_exception(error)
        return future

    def replace(self) -> None:
        """Do nothing."""

    def investigate(self, stretch: Stretch, timeout: float) -> Played | Failed:
        """Play a shard."""
        return play_shard(self._job, stretch)


class Processes:
    """Play in worker processes, any of which may be lost."""

    def __init__(self, job: Job, workers: int):
        self._job, self.slots = job, workers
        self._executor = self._new()

    def _new(self) -> ProcessPoolExecutor:
        arguments = (self._job.spec, self._job if FORKS else None, os.getpid(), self.slots)
        return ProcessPoolExecutor(self.slots, mp_context=CONTEXT, initializer=_start_worker, initargs=arguments)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self._executor.shutdown()
        else:
            kill(self._executor)

    def submit(self, stretch: Stretch) -> "Future[Played]":
        """Start a shard."""
        return self._executor.submit(_play, stretch)

    def replace(self) -> None:
        """Kill all workers, and start new ones."""
        kill(self._executor)
        self._executor = self._new()

    def investigate(self, stretch: Stretch, timeout: float) -> Played | Failed:
        """Play a shard once more, in a process of its own."""
        return investigate(self._job, stretch, timeout, self.slots)


class DaskCluster:
    """Play on the workers of a Dask cluster, which itself starts shards anew whose worker was lost.

    The files named with --load must be at the same places there. What a bot does to its worker is found out here.

    Raises
    ------
    UsageError
        When Dask is not installed, or the address is none or does not answer.
    """

    def __init__(self, job: Job, address: str):
        if not re.fullmatch(r"\w+://.+:\d+", address):
            raise UsageError(f"scheduler is {address!r}; expected an address, as in tcp://host:8786")
        try:
            from distributed import Client
        except ImportError:
            raise UsageError("a scheduler needs Dask, which is not installed; pip install 'spadesim[dask]'") from None
        try:
            client: Any = Client
            self._client = client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no scheduler answers at {address!r} ({error}); expected tcp://host:port") from None
        self._job, self._sources = job, job.source_digests()
        self.slots = max(sum(self._client.nthreads().values()), 1)
        self._executor: Executor = self._client.get_executor(pure=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def submit(self, stretch: Stretch) -> "Future[Played]":
        """Start a shard."""
        return self._executor.submit(_play_remotely, self._job.spec, self._sources, stretch)

    def replace(self) -> None:
        """Forget what is under way."""
        self._executor.shutdown(wait=False)
        self._executor = self._client.get_executor(pure=False)

    def investigate(self, stretch: Stretch, timeout: float) -> Played | Failed:
        """Play a shard once more, on this machine."""
        return investigate(self._job, stretch, timeout, 1)


def workers_for(job: Job, workers: int, scheduler: str = "") -> "InProcess | Processes | DaskCluster":
    """Open the workers to play on, as a context."""
    if scheduler:
        return DaskCluster(job, scheduler)
    return Processes(job, workers) if workers else InProcess(job)


# --- In a worker -----------------------------------------------------------------------------------------------------

_job: Job  # of this worker process


def _start_worker(spec: JobSpec, job: Job | None, parent: int, workers: int) -> None:
    global _job
    settle_in(parent, workers)
    _job = job or Job(spec)


def _play(stretch: Stretch) -> Played:
    return play_shard(_job, stretch)


@lru_cache(4)
def _job_for(spec: JobSpec) -> Job:
    return Job(spec)


def _play_remotely(spec: JobSpec, sources: dict[str, str | None], stretch: Stretch) -> Played:
    with _lock:
        job = _job_for(spec)
        if job.source_digests() != sources:
            raise UsageError("a worker has other strategies than this machine; install the same files on all")
        return play_shard(job, stretch)
