"""How to play, as against what: nothing here changes a figure."""

import os
from dataclasses import dataclass, field

from spadesim import limits
from spadesim.errors import UsageError
from spadesim.storage.manifests import check_out
from spadesim.tournament.reporter import Reporter


@dataclass(frozen=True)
class RunOptions:
    """How a run is played.

    Attributes
    ----------
    workers
        Processes to play in: 0 for this one, where nothing guards against strategies that never answer; None for as
        many as there are cores.
    out
        A new folder for the tables as CSV, and for what is played, shard by shard.
    resume
        Whether to go on with the run in `out`, if there is one.
    shard_timeout
        Seconds that a shard, which usually takes some, may take in a worker process; 0 for any.
    scheduler
        Address of a Dask scheduler, ``"tcp://host:port"``, on whose workers to play.
    reporter
        Told what goes on.

    Raises
    ------
    UsageError
        When there are too many workers, or `out` has no name or is missing where a run is to go on.
    """

    workers: int | None = 0
    out: str | None = None
    resume: bool = False
    shard_timeout: float = limits.SHARD_TIMEOUT
    scheduler: str = ""
    reporter: Reporter = field(default_factory=Reporter)

    def __post_init__(self) -> None:
        if self.workers is not None and (
            not isinstance(self.workers, int) or not 0 <= self.workers <= limits.WORKERS_MAX
        ):
            raise UsageError(f"workers is {self.workers!r}; expected a whole number, 0 … {limits.WORKERS_MAX}")
        check_out(self.out, self.resume)

    @property
    def processes(self) -> int:
        """Processes to play in; 0 for this one."""
        return cores() if self.workers is None else self.workers


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
