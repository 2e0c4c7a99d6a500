"""The folder of a run: what is played, shard by shard, and the tables made of it.

A shard's file is written beside its place, flushed to the disk and renamed, so it is whole or not there, whatever
happens; its name has a hash of what is in it. The manifest says what is being played, and `--resume` goes on only with
just that.
"""

import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from spadesim.designs.league.spec import Job, League
from spadesim.errors import BotFault
from spadesim.storage import manifests, whole_files
from spadesim.storage.manifests import MANIFEST, RUN
from spadesim.tournament import shards
from spadesim.tournament.shards import Shard
from spadesim.tournament.tally import TableCounts

SHARDS, LOG = "shards", "deals"
MAY_GROW = {"games", "bots"}  # what of a spec may be more than before
SECONDS_WORTH_KEEPING = 60.0


class Failure(BaseModel):
    """What a manifest must say of a table that could not be finished."""

    table: list[str]
    reason: str


class Manifest(BaseModel):
    """What a league's manifest must say to be read."""

    model_config = ConfigDict(strict=True)

    state: Literal["running", "partial", "complete"]
    spec: dict[str, Any]
    rules: dict[str, Any]
    bots: list[str]
    texts: list[str]
    focus: list[int]
    games_a_table: int
    sources: dict[str, str | None]
    engine: str
    versions: dict[str, str]
    seconds: float
    failures: list[Failure]


class RunFolder:
    """A folder to which a run writes, locked while it does.

    Parameters
    ----------
    place
        It is made if need be.
    job
        What is played.
    resume
        Whether a run that is there goes on; else the folder must be new or empty.

    Raises
    ------
    UsageError
        When it holds something else, is in use, or cannot be written.
    """

    def __init__(self, place: str, job: Job, resume: bool):
        self.place, self._job, self._started = Path(place).resolve(), job, time.time()
        self.damaged: list[str] = []
        with self._written():
            self._open(resume)

    def _open(self, resume: bool) -> None:
        before = read_manifest(self.place) if manifests.check_folder(self.place, resume) else None
        self._went_on = before is not None
        if before is not None:
            _check_same(before, self._manifest(), self.place)
        (self.place / SHARDS).mkdir(parents=True, exist_ok=True)
        if self._job.spec.log:
            (self.place / LOG).mkdir(exist_ok=True)
        self._lock = whole_files.lock(self.place)
        try:
            whole_files.take_away_unfinished(self.place)
            self._seconds_before = before["seconds"] if before is not None else 0.0
            self._write_manifest("running")
        except OSError:
            os.close(self._lock)
            if not self._went_on:
                shutil.rmtree(self.place, ignore_errors=True)
            raise

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, kind, error, trace) -> None:
        young = time.time() - self._started < SECONDS_WORTH_KEEPING
        nothing = not any((self.place / SHARDS).iterdir())
        # a bot's fault is found at once as a rule, and when it is mended, what was played is of no use
        if kind is not None and not self._went_on and (nothing or (young and issubclass(kind, BotFault))):
            shutil.rmtree(self.place, ignore_errors=True)
        os.close(self._lock)

    def played(self) -> dict[Shard, Path]:
        """List what has been played; a file that is damaged is taken away, and named in `damaged`."""
        found = {}
        for path in sorted((self.place / SHARDS).glob("*.npz")):
            try:
                found[read_shard(path)[0]] = path
            except ValueError:
                self.damaged.append(path.name)
                with self._written():
                    path.unlink()
        self._take_away_logs_without(found.values())
        return found

    def _take_away_logs_without(self, played: Iterable[Path]) -> None:
        """Remove the log of shards that are not there: they will be played again, and maybe cut otherwise."""
        kept = {_log_name(path.name) for path in played}
        with self._written():
            for path in (self.place / LOG).glob("*.parquet"):
                if path.name not in kept:
                    path.unlink()

    def add(self, shard: Shard, counts: TableCounts, log: bytes | None) -> None:
        """Keep a shard."""
        data = shards.to_bytes(shard, counts)
        name = shards.file_name(shard, data)
        with self._written():
            if log is not None:  # first, so that there is never a shard without it
                whole_files.write(self.place / LOG / _log_name(name), log)
            whole_files.write(self.place / SHARDS / name, data)

    def finish(self, result: League) -> None:
        """Write the tables, and in the manifest how far the run got."""
        with self._written():
            manifests.write_tables(self.place, result.tables)
            self._write_manifest("complete" if result.complete else "partial", result.failures)

    def _write_manifest(self, state: str, failures: list[dict] | None = None) -> None:
        seconds = time.time() - self._started + self._seconds_before
        manifest = {"state": state} | self._manifest() | {"failures": failures or [], "seconds": round(seconds, 3)}
        manifests.write(self.place, manifest)

    def _written(self):
        return whole_files.told_in_one_line(self.place, MANIFEST)

    def _manifest(self) -> dict[str, Any]:
        return {
            "spec": self._job.spec.model_dump(mode="json"),
            "rules": self._job.rules.as_dict(),
            "bots": [bot.name for bot in self._job.bots],
            "texts": [bot.spec for bot in self._job.bots],
            "focus": self._job.focus,
            "tables": len(self._job.tables),
            "games_a_table": self._job.games_a_table,
            "sources": self._job.source_digests(),
        } | manifests.played_by()


def read_manifest(place: Path) -> dict[str, Any]:
    """Read what was played in a folder (see `manifests.read`)."""
    return manifests.read(place, RUN, Manifest)


def read_shard(path: Path) -> tuple[Shard, TableCounts]:
    """Read a shard's file.

    Raises
    ------
    ValueError
        When it is damaged.
    """
    data = path.read_bytes()
    if not whole_files.is_whole(path.name, data):
        raise ValueError(f"{path.name} is damaged")
    return shards.from_bytes(data)


def _log_name(shard: str) -> str:
    """Name the log of a shard's file: as that, but for the hash."""
    return f"{shard.rpartition('-')[0]}.parquet"


def _check_same(before: dict, now: dict, place: Path) -> None:
    """Refuse to go on with another run; this one may have more games and more bots."""
    manifests.check_same(before, now, place, RUN, MAY_GROW)
    old, new = before["spec"]["games"], now["spec"]["games"]
    if new < old:
        raise manifests.refuse(place, RUN, f"it has {old:,} games a table, not {new:,}; expected as many or more")
    then, today = (list(zip(each["bots"], each["texts"], strict=True)) for each in (before, now))
    if not _in_order(then, today):
        what = "its field is another; expected the same bots in the same order, and maybe more"
        raise manifests.refuse(place, RUN, what)


def _in_order(few: list, many: list) -> bool:
    """Tell whether all of `few` stand in `many` in the same order."""
    rest = iter(many)
    return all(each in rest for each in few)
