"""Worker processes: how they start, what they may take, and how they end."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from spadesim.engine.compile.cache import listeners

POLL_SECONDS = 0.1
SECONDS_TO_END = 5.0
PART_OF_MEMORY = 0.9  # that all workers together may take
CGROUP_LIMIT = "/sys/fs/cgroup/memory.max"

FORKS = "fork" in multiprocessing.get_all_start_methods()
CONTEXT: Any = multiprocessing.get_context("fork" if FORKS else "spawn")


def kill(executor: ProcessPoolExecutor) -> None:
    """End worker processes at once."""
    manager: Any = executor._executor_manager_thread
    for process in list((executor._processes or {}).values()):
        process.kill()
    executor.shutdown(wait=False, cancel_futures=True)  # waiting could hang on what a killed worker held
    if manager is not None:
        manager.join(SECONDS_TO_END)  # or the interpreter, at its end, would stumble over it


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
    """Return how many bytes each worker may take."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with contextlib.suppress(OSError, ValueError), open(CGROUP_LIMIT) as file:
        total = min(total, int(file.read()))
    return int(total * PART_OF_MEMORY) // workers
