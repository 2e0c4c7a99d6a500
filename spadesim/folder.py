"""The folder of a run: what is played, shard by shard, and the tables made of it.

A shard's file is written beside its place, flushed to the disk and renamed, so it is whole or not there, whatever
happens; its name has a hash of what is in it. The manifest says what is being played, and `--resume` goes on only with
just that.
"""

import contextlib
import json
import os
import platform
import secrets
import shutil
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from spadesim import shards
from spadesim.engine.compiling import engine_digest
from spadesim.errors import BotFault, UsageError
from spadesim.leagues import Job, League
from spadesim.shards import Shard
from spadesim.tally import TableCounts

MANIFEST, SHARDS, LOG = "manifest.json", "shards", "deals"
VERSIONS_OF = ("spadesim", "numpy", "numba", "pandas", "scipy")
MAY_GROW = {"games", "bots"}  # what of a spec may be more than before
NEEDED = {"state", "spec", "rules", "bots", "texts", "focus", "games_a_table", "sources", "engine", "versions"}
NEEDED |= {"seconds", "failures"}
UNFINISHED = ".unfinished-"
SECONDS_WORTH_KEEPING = 60.0


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
        if not place:
            raise UsageError("the folder for the tables has no name; expected one, as in --out results/mine")
        self.place, self._job, self._started = Path(place).resolve(), job, time.time()
        self.damaged: list[str] = []
        with _written(self.place):
            self._open(resume)

    def _open(self, resume: bool) -> None:
        there = self.place.exists() and _holds_something(self.place)
        if there and not resume:
            raise UsageError(
                f"the folder {str(self.place)!r} holds something already; name a new one, or --resume to go on"
            )
        before = read_manifest(self.place) if there else None
        self._went_on = before is not None
        if before is not None:
            _check_same(before, self._manifest(), self.place)
        (self.place / SHARDS).mkdir(parents=True, exist_ok=True)
        if self._job.spec.log:
            (self.place / LOG).mkdir(exist_ok=True)
        self._lock = _lock(self.place)
        try:
            for left in [*self.place.glob(f"*/{UNFINISHED}*"), *self.place.glob(f"{UNFINISHED}*")]:
                left.unlink()
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
                with _written(self.place):
                    path.unlink()
        self._take_away_logs_without(found.values())
        return found

    def _take_away_logs_without(self, played: Iterable[Path]) -> None:
        """Remove the log of shards that are not there: they will be played again, and maybe cut otherwise."""
        kept = {_log_name(path.name) for path in played}
        with _written(self.place):
            for path in (self.place / LOG).glob("*.parquet"):
                if path.name not in kept:
                    path.unlink()

    def add(self, shard: Shard, counts: TableCounts, log: bytes | None) -> None:
        """Keep a shard."""
        data = shards.to_bytes(shard, counts)
        name = shards.file_name(shard, data)
        with _written(self.place):
            if log is not None:  # first, so that there is never a shard without it
                _write(self.place / LOG / _log_name(name), log)
            _write(self.place / SHARDS / name, data)

    def finish(self, result: League) -> None:
        """Write the tables, and in the manifest how far the run got."""
        with _written(self.place):
            for name, table in result.tables.items():
                _write(self.place / f"{name}.csv", table.to_csv(index=False).encode())
            self._write_manifest("complete" if result.complete else "partial", result.failures)

    def _write_manifest(self, state: str, failures: list[dict] | None = None) -> None:
        seconds = time.time() - self._started + self._seconds_before
        manifest = {"state": state} | self._manifest() | {"failures": failures or [], "seconds": round(seconds, 3)}
        _write(self.place / MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())

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
            "engine": engine_digest(),
            "versions": {name: version(name) for name in VERSIONS_OF} | {"python": platform.python_version()},
            "machine": {"processor": platform.machine(), "system": platform.system(), "cores": os.cpu_count()},
        }


def read_manifest(place: Path) -> dict[str, Any]:
    """Read what was played in a folder.

    Raises
    ------
    UsageError
        When it holds no run, or one of a version that wrote other manifests.
    """
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        missing = NEEDED - manifest.keys()
    except FileNotFoundError:
        raise UsageError(f"the folder {str(place)!r} holds no run: it has no {MANIFEST}") from None
    except (OSError, ValueError, AttributeError):
        raise UsageError(f"{MANIFEST} in {str(place)!r} cannot be read; it was changed or is damaged") from None
    if missing:
        raise UsageError(f"the run in {str(place)!r} is of an older version of spadesim; play it again in a new folder")
    return manifest


def read_shard(path: Path) -> tuple[Shard, TableCounts]:
    """Read a shard's file.

    Raises
    ------
    ValueError
        When it is damaged.
    """
    data = path.read_bytes()
    if not shards.is_whole(path.name, data):
        raise ValueError(f"{path.name} is damaged")
    return shards.from_bytes(data)


def _log_name(shard: str) -> str:
    """Name the log of a shard's file: as that, but for the hash."""
    return f"{shard.rpartition('-')[0]}.parquet"


def _check_same(before: dict, now: dict, place: Path) -> None:
    """Refuse to go on with another run, and say in what it differs."""

    def refuse(what: str) -> None:
        raise UsageError(f"cannot resume the run in {str(place)!r}: {what}; name a new folder")

    if before["versions"].get("spadesim") != now["versions"]["spadesim"]:
        refuse(f"it was played by spadesim {before['versions'].get('spadesim')}, not {now['versions']['spadesim']}")
    if before["engine"] != now["engine"]:
        refuse("it was played by another engine: its sources, or the versions of Python, NumPy or Numba, have changed")
    old, new = before["spec"], now["spec"]
    for name in new:
        if name not in MAY_GROW and old.get(name) != new[name]:
            refuse(f"its {name.replace('_', '-')} is {old.get(name)!r}, not {new[name]!r}")
    if before["rules"] != json.loads(json.dumps(now["rules"])):
        refuse(f"the rules {new['rules']!r} have changed since")
    if new["games"] < old["games"]:
        refuse(f"it has {old['games']:,} games a table, not {new['games']:,}; expected as many or more")
    if not _in_order(before["bots"], now["bots"]):
        refuse("its field is another; expected the same bots in the same order, and maybe more")
    for name, digest in before["sources"].items():
        if name in now["sources"] and now["sources"][name] != digest:
            refuse(f"the source of {name} has changed since")


def _holds_something(place: Path) -> bool:
    """Tell whether there is more than empty folders and what a run that was killed at its very start has left."""
    files = (path for path in place.rglob("*") if not path.is_dir())
    return not place.is_dir() or any(not path.name.startswith(UNFINISHED) for path in files)


def _in_order(few: list[str], many: list[str]) -> bool:
    """Tell whether all of `few` stand in `many` in the same order."""
    rest = iter(many)
    return all(each in rest for each in few)


def _lock(place: Path) -> int:
    """Keep other runs out until this process ends or closes the file; where there are no locks, do without."""
    folder = os.open(place, os.O_RDONLY)
    with contextlib.suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another run is writing to {str(place)!r}; wait for it, or name a new folder") from None
    return folder


def _write(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or not there."""
    unfinished = path.with_name(UNFINISHED + secrets.token_hex(8))
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def _written(place: Path):
    """Tell in one line what cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"cannot write the folder {str(place)!r}: {error.strerror}; what was finished is kept there, for --resume"
            if (place / MANIFEST).exists()
            else f"cannot write the folder {str(place)!r}: {error.strerror}; name another with --out"
        ) from None
