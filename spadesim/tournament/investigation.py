"""Play a shard that took its worker with it, or never came back, once more: watched, to find the game and strategy."""

import os
import signal
import time
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from spadesim.bots import faults
from spadesim.engine.kernels import interpret
from spadesim.errors import SpadesimError
from spadesim.tournament.job import Job, JobSpec
from spadesim.tournament.processes import CONTEXT, FORKS, POLL_SECONDS, memory_of_a_worker, settle_in
from spadesim.tournament.scheduling import Failed, Played, Stretch

PIECE = 64  # blocks, at the most, that are watched at a time
NOTE_BYTES = 200


@dataclass(frozen=True)
class Suspect:
    """What the watched process was doing when it failed."""

    first: int
    blocks: int
    strategy: str
    reason: str


@dataclass
class Orders:
    """What a watched process is to do, and where it notes how far it is.

    Attributes
    ----------
    parent, workers
        The process that it ends with; among how many workers the memory is shared.
    spec, job
        What is played; the job itself where a process inherits it.
    interpreted
        Whether to ask strategies one by one, and note which.
    place, strategy
        Shared memory: the blocks under way, and the strategy that was asked last.
    answers
        Where the result goes, or what was wrong.
    """

    parent: int
    workers: int
    spec: JobSpec
    job: Job | None
    stretch: Stretch
    interpreted: bool
    place: Any
    strategy: Any
    answers: Any


def investigate(job: Job, stretch: Stretch, timeout: float, workers: int) -> Played | Failed:
    """Play a shard alone, a few blocks at a time; if it fails again, find the game and the strategy."""
    found = _watch(job, stretch, False, timeout, workers)
    if isinstance(found, Played):
        return found
    closer = _watch(job, Stretch(stretch.table, found.first, found.blocks), True, timeout, workers)
    if isinstance(closer, Suspect):
        found = closer
    bots, seatings = [job.bots[i] for i in stretch.table], job.n_seatings
    return {
        "table": [bot.name for bot in bots],
        "games": [found.first * seatings, (found.first + found.blocks) * seatings],
        "strategy": found.strategy,
        "reason": found.reason,
        "command": faults.replay_command(bots, job.spec.seed, found.first * seatings, job.rules, job.spec.load),
    }


def _watch(job: Job, stretch: Stretch, interpreted: bool, timeout: float, workers: int) -> Played | Suspect:
    place, strategy = CONTEXT.Array("q", 2), CONTEXT.Array("c", NOTE_BYTES)
    ours, theirs = CONTEXT.Pipe(duplex=False)
    inherited = job if FORKS else None
    orders = Orders(os.getpid(), workers, job.spec, inherited, stretch, interpreted, place, strategy, theirs)
    process = CONTEXT.Process(target=_play_watched, args=(orders,), daemon=True)
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
                if isinstance(answer, Played):
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
    return Suspect(place[0], place[1], strategy.value.decode(), reason)


def _ended(code: int) -> str:
    if code >= 0:
        return f"ended the process, with exit code {code}"
    why = ", as the system does when memory runs out" if code == -signal.SIGKILL else ""
    return f"ended the process, by {signal.Signals(-code).name}{why}"


# --- In the watched process ---------------------------------------------------------------------------------------


def _play_watched(orders: Orders) -> None:
    settle_in(orders.parent, orders.workers)
    try:
        orders.answers.send(_play_in_pieces(orders))
    except SpadesimError as error:
        orders.answers.send(error)
    except MemoryError:
        gigabytes = memory_of_a_worker(orders.workers) / 1e9
        orders.answers.send(f"ran out of memory, of which a worker has {gigabytes:.1f} GB")
    except Exception as error:
        orders.answers.send(f"raised {type(error).__name__}: {error}")


def _play_in_pieces(orders: Orders) -> Played:
    def note(strategy: str) -> None:
        orders.strategy.value = strategy.encode()[:NOTE_BYTES]

    job = orders.job or Job(orders.spec)
    if orders.interpreted:
        interpret.on_ask = note
        job = Job(orders.spec.as_python())
    table, first, blocks = orders.stretch
    started, counts, rows, piece = time.perf_counter(), [], [], 1 if orders.interpreted else PIECE
    for start in range(first, first + blocks, piece):
        orders.place[:] = [start, min(piece, first + blocks - start)]
        more, log = job.play(table, *orders.place[:])
        counts.append(more)
        rows += log
    return Played(reduce(add, counts), job.log_part(table, rows), time.perf_counter() - started)
