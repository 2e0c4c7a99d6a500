"""Run a league: in this process or in several, with progress, and into a folder."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spadesim import defaults
from spadesim.config import check_spec
from spadesim.engine.compiling import listeners
from spadesim.errors import UsageError
from spadesim.folder import RunFolder
from spadesim.leagues import Job, League, LeagueSpec
from spadesim.limits import WORKERS_MAX
from spadesim.tally import Tally

POLL_SECONDS = 0.1
AHEAD = 4  # chunks a worker that may wait for their turn

_job: Job  # of this worker process
_finished_games: Any = None  # a counter shared with the parent


class Reporter:
    """Told what goes on; this one keeps quiet."""

    def note(self, text: str) -> None:
        """Take a remark for the user."""

    def start(self, games: int) -> None:
        """Learn how many games there will be."""

    def progress(self, games: int) -> None:
        """Learn that so many more games are finished."""

    def stop(self) -> None:
        """Learn that there will be no more."""


def league(
    bots: Sequence[str] = (), *, games: int = defaults.GAMES, seed: int = defaults.SEED, rules: str = "cutthroat",
    load: Sequence[str] = (), focus: Sequence[str] = (), on_fault: str = "stop", workers: int = 1,
    interpreted: bool = False, out: str | None = None, log: str = "",
) -> League:  # fmt: skip
    """Play a league and return its tables.

    Parameters
    ----------
    bots
        At least as many as the rules seat, such as ``"quick+need_or_duck"``; none means the standing field.
    games
        Games a table, rounded up to whole blocks of all its seatings.
    seed
        The same seed gives the same tables to the byte, whatever the workers.
    rules
        A preset or a TOML file, and behind colons fields that are changed: ``"cutthroat:nil=50:target=500"``.
    load
        Strategy files.
    focus
        Bots; only tables with one of them are played.
    on_fault
        "stop", "correct" or "forfeit" (R9).
    workers
        Processes to play in.
    interpreted
        Play compiled strategies as plain Python.
    out
        A new folder for the tables as CSV.
    log
        "deals" to write every deal under `out`.

    Returns
    -------
    League
        With the frames `standings`, `nils`, `bags`, `bids`, `calibration`, `orders`, `seats`, `head_to_head`.

    Raises
    ------
    UsageError
        When something is named that does not exist or a number is out of range.
    BotFault
        When a bot breaks the rules of play.

    Examples
    --------
    >>> from spadesim import league
    >>> league(["quick+need_or_duck"] * 3, games=6).standings["win_share"].round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    names = {"bots": bots, "load": load, "focus": focus}
    values: dict[str, Any] = {name: each if isinstance(each, str) else tuple(each) for name, each in names.items()}
    values |= {"games": games, "seed": seed}
    values |= {"rules": rules, "on_fault": on_fault, "interpreted": interpreted, "log": log}
    return run(check_spec(values), workers=workers, out=out)


def run(spec: LeagueSpec, *, workers: int = 1, out: str | None = None, reporter: Reporter | None = None) -> League:
    """Play a league.

    Parameters
    ----------
    workers
        Processes to play in, 1 … 1024; no figure depends on it.
    out
        A new folder for the manifest, the tables, and the log of deals if the spec asks for it.

    Raises
    ------
    UsageError, BotFault
        See `spadesim.league`.
    """
    reporter = reporter or Reporter()
    if not isinstance(workers, int) or not 1 <= workers <= WORKERS_MAX:
        raise UsageError(f"workers is {workers!r}; expected a whole number, 1 … {WORKERS_MAX}")
    if spec.log and out is None:
        raise UsageError("log is 'deals' but there is no folder for it; name one with out (--out DIR)")
    job = Job(spec)
    if job.games_a_table != spec.games:
        reporter.note(
            f"{job.games_a_table:,} games a table: rounded up to whole blocks, of {job.n_seatings} games each"
        )
    with RunFolder.new(out, job) as folder:
        job.compile()
        reporter.start(job.games_a_table * len(job.tables))
        try:
            total = play_job(job, workers, reporter, folder.log_part)
        finally:
            reporter.stop()
        result = make_result(job, total)
        folder.finish(result)
    return result


def make_result(job: Job, total: Tally) -> League:
    """Turn the counts into tables."""
    from spadesim.tables import make_tables

    names = [bot.name for bot in job.bots]
    return League(job.spec, job.rules, total, names, make_tables(total, names, job.rules))


def play_job(
    job: Job,
    workers: int,
    reporter: Reporter | None = None,
    log_part: Callable[[int], Path | None] = lambda number: None,
) -> Tally:
    """Play all chunks of a league and add up their counts."""
    tallies = _play_chunks(job, workers, reporter or Reporter(), log_part)
    total = next(tallies)
    for each in tallies:
        total += each
    return total


def _play_chunks(job: Job, workers: int, reporter: Reporter, log_part: Callable[[int], Path | None]) -> Iterator[Tally]:
    tasks = [(*chunk, log_part(i)) for i, chunk in enumerate(job.chunks())]
    if min(workers, len(tasks)) == 1:
        for first, blocks, log_file in tasks:
            yield job.play(first, blocks, log_file, reporter.progress)
        return
    with _pool(job, min(workers, len(tasks))) as (executor, finished):
        waiting: deque[Future] = deque()
        seen = 0
        for task in [*tasks, None]:
            if task is not None:
                waiting.append(executor.submit(_play, *task))
            while waiting and (task is None or len(waiting) >= AHEAD * workers):
                wait([waiting[0]], timeout=POLL_SECONDS)
                now = finished.value
                reporter.progress(now - seen)
                seen = now
                if waiting[0].done():
                    yield waiting.popleft().result()


@contextmanager
def _pool(job: Job, workers: int):
    """Open worker processes that are ended at once when anything goes wrong here."""
    forks = "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if forks else "spawn")
    finished = context.Value("q", 0)
    executor = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_start_worker, initargs=(job.spec, job if forks else None, finished)
    )
    try:
        yield executor, finished
    except BaseException:
        for process in list((executor._processes or {}).values()):
            process.kill()
        executor.shutdown(wait=False, cancel_futures=True)  # waiting could hang on what a killed worker held
        raise
    executor.shutdown()


def _start_worker(spec: LeagueSpec, job: Job | None, finished) -> None:
    global _job, _finished_games
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    listeners.clear()  # the parent has told
    _finished_games = finished
    _job = job or Job(spec)


def _play(first: int, blocks: int, log_file: Path | None) -> Tally:
    def progress(games: int) -> None:
        with _finished_games.get_lock():
            _finished_games.value += games

    return _job.play(first, blocks, log_file, progress)


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
