"""The folder of a run, whatever is played: what has been found, shard by shard, and the tables made of it.

A shard is a few arrays under a name, written as NPZ beside its place, flushed to the disk and renamed, so that the file
is whole or not there, whatever happens; its name has a hash of what is in it. A shard may have a log of deals, written
before it. The manifest says what is being played, and `--resume` goes on only with just that.
"""

import io
import os
import shutil
import time
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from spadesim.errors import BotFault
from spadesim.storage import manifests, whole_files

if TYPE_CHECKING:
    import pandas as pd

SHARDS, LOG = "shards", "deals"
SECONDS_WORTH_KEEPING = 60.0

Arrays = dict[str, np.ndarray]
WhyNot = Callable[[Mapping[str, Any], Mapping[str, Any]], str]


class RunFolder:
    """A folder to which a run writes, locked while it does; a context.

    Parameters
    ----------
    out
        It is made if need be.
    run
        What is played: its `kind`, which is the name of its design; its `spec` and `rules`, and the digests of its
        `sources`, all as plain values. A resumed run must have the same. The manifest keeps more keys, where there are
        any.
    resume
        Whether a run that is there goes on; else the folder must be new or empty.
    may_grow
        Keys of the spec that may be more than before.
    why_not
        Given the manifest that is there and the new one, says why this run cannot go on with that; "" where it can.
    model
        What the manifest that is there must say.

    Attributes
    ----------
    place : Path
    damaged : list of str
        Files that were found damaged, and removed.

    Raises
    ------
    UsageError
        When the folder holds something else, is in use, or cannot be written.
    """

    def __init__(
        self, out: str, run: Mapping[str, Any], resume: bool, *, may_grow: Collection[str] = (),
        why_not: WhyNot | None = None, model: type[manifests.Manifest] = manifests.Manifest,
    ):  # fmt: skip
        self.place, self._started = Path(out).resolve(), time.time()
        self._manifest = dict(run) | manifests.played_by()
        self.damaged: list[str] = []
        with self._reports_errors():
            before = self._find_earlier(resume, may_grow, why_not, model)
            self._is_resumed = before is not None
            self._seconds_before = before["seconds"] if before is not None else 0.0
            self._open()
            self._files = {_name_of(path): path for path in sorted((self.place / SHARDS).glob("*.npz"))}

    def _find_earlier(
        self, resume: bool, may_grow: Collection[str], why_not: WhyNot | None, model: type[manifests.Manifest]
    ) -> dict[str, Any] | None:
        """Read the manifest of the run that is to go on; refuse another one."""
        if not manifests.check_folder(self.place, resume):
            return None
        before = manifests.read(self.place, self._manifest["kind"], model)
        manifests.check_same(before, self._manifest, self.place, may_grow)
        reason = why_not(before, self._manifest) if why_not is not None else ""
        if reason:
            raise manifests.refuse(self.place, reason)
        return before

    def _open(self) -> None:
        self.place.mkdir(parents=True, exist_ok=True)
        self._lock = whole_files.lock(self.place)
        try:
            whole_files.remove_unfinished(self.place)
            self._write_manifest("running")
        except OSError:
            os.close(self._lock)
            self._remove_if_new()
            raise

    def _remove_if_new(self) -> None:
        if not self._is_resumed:
            shutil.rmtree(self.place, ignore_errors=True)

    def _holds_shards(self) -> bool:
        """Return whether anything has been kept, here or in the folder of a part."""
        return any(self.place.rglob(f"{SHARDS}/*.npz"))

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A bot's fault is found at once as a rule, and once it is mended, what was played is of no use.
        young = time.time() - self._started < SECONDS_WORTH_KEEPING
        if kind is not None and (not self._holds_shards() or (young and issubclass(kind, BotFault))):
            self._remove_if_new()
        os.close(self._lock)

    def names(self) -> list[str]:
        """List the names of the shards that are there, in order."""
        return list(self._files)

    def read(self, name: str) -> Arrays | None:
        """Read a shard; None where there is none, or a damaged one, which is removed and named in `damaged`."""
        path = self._files.get(name)
        if path is None:
            return None
        try:
            return read_shard(path)
        except ValueError:
            self.damaged.append(path.name)
            with self._reports_errors():
                path.unlink()
            del self._files[name]
            return None

    def remove_logs_without_shards(self) -> None:
        """Remove the log of shards that are not there: they will be played again, and maybe cut otherwise."""
        with self._reports_errors():
            for path in (self.place / LOG).glob("*.parquet"):
                if path.stem not in self._files:
                    path.unlink()

    def keep(self, name: str, arrays: Mapping[str, np.ndarray], log: bytes | None = None) -> None:
        """Write a shard, and its log of deals; the name is of letters, digits and hyphens, and new."""
        file = io.BytesIO()
        np.savez_compressed(file, **{key: np.asarray(array) for key, array in arrays.items()})  # type: ignore[arg-type]
        data = file.getvalue()
        path = self.place / SHARDS / whole_files.named_by_content(name, data)
        with self._reports_errors():
            if log is not None:  # first, so that there is never a shard without it
                (self.place / LOG).mkdir(exist_ok=True)
                whole_files.write(self.place / LOG / f"{name}.parquet", log)
            path.parent.mkdir(exist_ok=True)
            whole_files.write(path, data)
        self._files[name] = path

    def finish(
        self, tables: "Mapping[str, pd.DataFrame]", complete: bool, failures: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Write the tables, and in the manifest how far the run has come."""
        with self._reports_errors():
            manifests.write_tables(self.place, tables)
            self._write_manifest("complete" if complete else "partial", failures)

    def write_file(self, name: str, data: bytes) -> None:
        """Write one more file beside the tables."""
        with self._reports_errors():
            whole_files.write(self.place / name, data)

    def _write_manifest(self, state: str, failures: Sequence[Mapping[str, Any]] = ()) -> None:
        seconds = round(time.time() - self._started + self._seconds_before, 3)
        manifest = (
            {"kind": self._manifest["kind"], "state": state}
            | self._manifest
            | {"failures": list(failures), "seconds": seconds}
        )
        manifests.write(self.place, manifest)

    def _reports_errors(self) -> AbstractContextManager[None]:
        return whole_files.reported_in_one_line(self.place, manifests.MANIFEST)


def read_shard(path: Path) -> Arrays:
    """Read a shard's file.

    Raises
    ------
    ValueError
        When it is damaged.
    """
    data = path.read_bytes()
    if not whole_files.is_whole(path.name, data):
        raise ValueError(f"{path.name} is damaged")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
    except (OSError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path.name} is no shard: {error}") from None


def _name_of(path: Path) -> str:
    return path.name.rpartition("-")[0]
