"""Work in chunks, each by itself, in this process or in worker processes."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from typing import Any

from spadesim.errors import UsageError
from spadesim.tournament import processes
from spadesim.tournament.reporter import Reporter

POLL_SECONDS = 0.1
Finish = Callable[[int, Any], None]  # given a chunk's number and result


def work_through(
    work: Callable[[int], Any], chunks: Sequence[int], *, workers: int, take: Callable[[int, Any], None],
    reporter: Reporter,
) -> bool:  # fmt: skip
    """Do all chunks, or those up to where the reporter ends it; return whether all were done.

    Parameters
    ----------
    work
        Does one chunk, by its number; a worker process gets it by fork, or where there is none by pickle.
    workers
        Processes to work in; 0 for this one.
    take
        Is given each chunk's number and result, in no order.
    reporter
        Told of chunks done; its `start` and `stop` are the caller's.

    Raises
    ------
    UsageError
        When a worker is lost.
    """
    started, done = time.monotonic(), 0

    def finish(chunk: int, result: Any) -> None:
        nonlocal done
        take(chunk, result)
        done += 1
        reporter.progress(done, (time.monotonic() - started) / done * (len(chunks) - done))

    if workers == 0:
        for chunk in chunks:
            if reporter.ends():
                return False
            finish(chunk, work(chunk))
        return True
    executor = ProcessPoolExecutor(
        workers, mp_context=processes.CONTEXT, initializer=_start, initargs=(work, os.getpid(), workers)
    )
    try:
        complete = _share_out(executor, chunks, workers, finish, reporter)
        executor.shutdown()
    except BrokenExecutor:
        processes.kill(executor)
        raise UsageError(
            "a worker process was lost, as when memory runs out; try fewer --workers, or none to see it fail here"
        ) from None
    except BaseException:
        processes.kill(executor)
        raise
    return complete


def _share_out(
    executor: ProcessPoolExecutor,
    chunks: Sequence[int],
    workers: int,
    finish: Callable[[int, Any], None],
    reporter: Reporter,
) -> bool:
    waiting, running = list(reversed(chunks)), dict[Future[Any], int]()
    while waiting or running:
        while waiting and len(running) < workers and not reporter.ends():
            chunk = waiting.pop()
            running[executor.submit(_work, chunk)] = chunk
        if not running:
            break
        for future in wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED).done:
            finish(running.pop(future), future.result())
    return not waiting


_work_of_this_process: Callable[[int], Any]


def _start(work: Callable[[int], Any], parent: int, workers: int) -> None:
    global _work_of_this_process
    processes.settle_in(parent, workers)
    _work_of_this_process = work


def _work(chunk: int) -> Any:
    return _work_of_this_process(chunk)
