"""Where shards are played: in this process, in worker processes, or on a Dask cluster."""

import contextlib
import multiprocessing
import os
import re
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import lru_cache
from typing import Any

from spadesim.bots import faults
from spadesim.engine.compile.cache import listeners
from spadesim.engine.kernels import interpret
from spadesim.errors import BotFault, SpadesimError, UsageError
from spadesim.tournament.job import Job, JobSpec
from spadesim.tournament.scheduling import Table

POLL_SECONDS = 0.1
SECONDS_TO_END = 5.0
PIECE = 64  # blocks, at the most, that are watched at a time
PART_OF_MEMORY = 0.9  # that all workers together may take
CGROUP_LIMIT = "/sys/fs/cgroup/memory.max"
NOTE_BYTES = 200

FORKS = "fork" in multiprocessing.get_all_start_methods()
CONTEXT: Any = multiprocessing.get_context("fork" if FORKS else "spawn")
_lock = threading.Lock()  # a table plays one shard at a time


def play_shard(job: Job, table: Table, first: int, blocks: int) -> tuple:
    """Play a shard: its counts, its part of the log or None, and the seconds that it took."""
    job.table(table).load()
    started = time.perf_counter()
    counts, rows = job.play(table, first, blocks)
    return counts, job.log_part(table, rows), time.perf_counter() - started


class InProcess:
    """Play in this process, where print and pdb work; what loops for ever loops for ever."""

    slots = 1

    def __init__(self, job: Job):
        self._job = job

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        pass

    def submit(self, table: Table, first: int, blocks: int) -> Future:
        """Play a shard at once."""
        future: Future = Future()
        try:
            future.set_result(play_shard(self._job, table, first, blocks))
        except BotFault as error:
            future.set_exception(error)
        return future

    def replace(self) -> None:
        """Do nothing."""

    def investigate(self, table: Table, first: int, blocks: int, timeout: float) -> tuple | dict:
        """Play a shard."""
        return play_shard(self._job, table, first, blocks)


class Processes:
    """Play in worker processes, any of which may be lost."""

    def __init__(self, job: Job, workers: int):
        self._job, self.slots = job, workers
        self._executor = self._new()

    def _new(self) -> ProcessPoolExecutor:
        arguments = (self._job.spec, self._job if FORKS else None, os.getpid(), self.slots)
        return ProcessPoolExecutor(self.slots, mp_context=CONTEXT, initializer=_start_worker, initargs=arguments)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace) -> None:
        if kind is None:
            self._executor.shutdown()
        else:
            kill(self._executor)

    def submit(self, table: Table, first: int, blocks: int) -> Future:
        """Start a shard."""
        return self._executor.submit(_play, table, first, blocks)

    def replace(self) -> None:
        """Kill all workers, and start new ones."""
        kill(self._executor)
        self._executor = self._new()

    def investigate(self, table: Table, first: int, blocks: int, timeout: float) -> tuple | dict:
        """Play a shard once more, in a process of its own."""
        return investigate(self._job, table, first, blocks, timeout, self.slots)


def kill(executor: ProcessPoolExecutor) -> None:
    """End worker processes at once."""
    manager: Any = executor._executor_manager_thread
    for process in list((executor._processes or {}).values()):
        process.kill()
    executor.shutdown(wait=False, cancel_futures=True)  # waiting could hang on what a killed worker held
    if manager is not None:
        manager.join(SECONDS_TO_END)  # or the interpreter, at its end, would stumble over it


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
            self._client = Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no scheduler answers at {address!r} ({error}); expected tcp://host:port") from None
        self._job, self._sources = job, job.source_digests()
        self.slots = max(sum(self._client.nthreads().values()), 1)
        self._executor: Executor = self._client.get_executor(pure=False)

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self._client.close()

    def submit(self, table: Table, first: int, blocks: int) -> Future:
        """Start a shard."""
        return self._executor.submit(_play_remotely, self._job.spec, self._sources, table, first, blocks)

    def replace(self) -> None:
        """Forget what is under way."""
        self._executor.shutdown(wait=False)
        self._executor = self._client.get_executor(pure=False)

    def investigate(self, table: Table, first: int, blocks: int, timeout: float) -> tuple | dict:
        """Play a shard once more, on this machine."""
        return investigate(self._job, table, first, blocks, timeout, 1)


def workers_for(job: Job, workers: int, scheduler: str = ""):
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


def settle_in(parent: int, workers: int) -> None:
    """Make this process a worker, one of so many: it ends with its parent, and takes but its share of the memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    listeners.clear()  # the parent has told
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _limit_memory(workers)


def _end_with(parent: int) -> None:
    """End this process as soon as its parent is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)


def _limit_memory(workers: int) -> None:
    """Let a strategy that eats memory run into an exception before the machine runs out of it."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # a system without such limits
        import resource

        limit = memory_of_a_worker(workers)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def memory_of_a_worker(workers: int) -> int:
    """Tell how many bytes each worker may take."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with contextlib.suppress(OSError, ValueError), open(CGROUP_LIMIT) as file:
        total = min(total, int(file.read()))
    return int(total * PART_OF_MEMORY) // workers


def _play(table: Table, first: int, blocks: int) -> tuple:
    return play_shard(_job, table, first, blocks)


@lru_cache(4)
def _job_for(spec: JobSpec) -> Job:
    return Job(spec)


def _play_remotely(spec: JobSpec, sources: dict, table: Table, first: int, blocks: int) -> tuple:
    with _lock:
        job = _job_for(spec)
        if job.source_digests() != sources:
            raise UsageError("a worker has other strategies than this machine; install the same files on all")
        return play_shard(job, table, first, blocks)


# --- A shard that took its worker with it -----------------------------------------------------------------------------


def investigate(job: Job, table: Table, first: int, blocks: int, timeout: float, workers: int) -> tuple | dict:
    """Play a shard alone, a few blocks at a time; if it fails again, find the game and the strategy.

    Returns
    -------
    tuple or dict
        As `play_shard`; or "table", "games", "strategy", "reason" and "command".
    """
    found = _watch(job, table, first, blocks, False, timeout, workers)
    if isinstance(found, tuple):
        return found
    first, blocks = found["first"], found["blocks"]
    closer = _watch(job, table, first, blocks, True, timeout, workers)
    if isinstance(closer, dict):
        found = closer
        first, blocks = closer["first"], closer["blocks"]
    bots, seatings = [job.bots[i] for i in table], job.n_seatings
    return {
        "table": [bot.name for bot in bots],
        "games": [first * seatings, (first + blocks) * seatings],
        "strategy": found["strategy"],
        "reason": found["reason"],
        "command": faults.replay_command(bots, job.spec.seed, first * seatings, job.rules, job.spec.load),
    }


def _watch(
    job: Job, table: Table, first: int, blocks: int, interpreted: bool, timeout: float, workers: int
) -> tuple | dict:
    place, note = CONTEXT.Array("q", 2), CONTEXT.Array("c", NOTE_BYTES)
    ours, theirs = CONTEXT.Pipe(duplex=False)
    arguments = (job.spec, job if FORKS else None, workers, table, first, blocks, interpreted, place, note, theirs)
    process = CONTEXT.Process(target=_play_watched, args=(os.getpid(), *arguments), daemon=True)
    process.start()
    theirs.close()
    seen, since, reason = None, time.monotonic(), ""
    try:
        while not reason:
            if ours.poll(POLL_SECONDS):
                try:
                    answer = ours.recv()
                except EOFError:
                    process.join()
                    reason = _ended(process.exitcode or 0)
                    break
                if isinstance(answer, BaseException):
                    raise answer
                if isinstance(answer, tuple):
                    return answer
                reason = answer
            now = time.monotonic()
            if place[:] != seen:
                seen, since = place[:], now
            elif timeout and now - since > timeout:
                reason = f"gave no answer in {timeout:g} s"
    finally:
        process.kill()
        process.join()
        ours.close()
    return {"first": place[0], "blocks": place[1], "strategy": note.value.decode(), "reason": reason}


def _ended(code: int) -> str:
    if code >= 0:
        return f"ended the process, with exit code {code}"
    why = ", as the system does when memory runs out" if code == -signal.SIGKILL else ""
    return f"ended the process, by {signal.Signals(-code).name}{why}"


def _play_watched(parent, spec, job, workers, table, first, blocks, interpreted, place, note, answers) -> None:
    _start_worker(spec, job, parent, workers)
    try:
        answers.send(_play_in_pieces(_job, table, first, blocks, interpreted, place, note))
    except SpadesimError as error:
        answers.send(error)
    except MemoryError:
        answers.send(f"ran out of memory, of which a worker has {memory_of_a_worker(workers) / 1e9:.1f} GB")
    except Exception as error:
        answers.send(f"raised {type(error).__name__}: {error}")


def _play_in_pieces(job: Job, table: Table, first: int, blocks: int, interpreted: bool, place, note) -> tuple:
    def ask(strategy: str) -> None:
        note.value = strategy.encode()[:NOTE_BYTES]

    if interpreted:
        interpret.on_ask = ask
        job = Job(job.spec.as_python())
    started, (counts, rows), end = time.perf_counter(), (None, []), first + blocks
    for start in range(first, end, 1 if interpreted else PIECE):
        place[:] = [start, min(1 if interpreted else PIECE, end - start)]
        more, log = job.play(table, *place[:])
        counts = more if counts is None else counts + more
        rows += log
    return counts, job.log_part(table, rows), time.perf_counter() - started
