"""The folder of a study: what it has found, piece by piece, and the tables made of it.

A piece is a few arrays under a name, written as NPZ so that the file is whole or not there; its name has a hash of what
is in it. The manifest says what is being studied, and `--resume` goes on only with just that.
"""

import io
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from spadesim.storage import manifests, whole_files

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "pieces"


class Manifest(BaseModel):
    """What a study's manifest must say to be read."""

    model_config = ConfigDict(strict=True)

    kind: str
    state: Literal["running", "partial", "complete"]
    spec: dict[str, Any]
    rules: dict[str, Any]
    sources: dict[str, str | None]
    engine: str
    versions: dict[str, str]
    seconds: float


class Pieces:
    """A folder to which a study writes, locked while it does; a context.

    Parameters
    ----------
    out
        It is made if need be.
    study
        What is studied: its `kind`, which is its command; its `spec`, `rules` and the digests of its `sources`, all as
        plain values. A resumed study must have the same. The manifest keeps more keys, where there are any.
    resume
        Whether a study that is there goes on; else the folder must be new or empty.

    Attributes
    ----------
    damaged : list of str
        Files that were found damaged, and taken away.

    Raises
    ------
    UsageError
        When the folder holds something else, is in use, or cannot be written.
    """

    def __init__(self, out: str, study: Mapping[str, Any], resume: bool):
        self.place, self._started = Path(out).resolve(), time.time()
        self._manifest = dict(study) | manifests.played_by()
        self.damaged: list[str] = []
        with self._written():
            self._open(resume)

    def _open(self, resume: bool) -> None:
        place, kind = self.place, self._manifest["kind"]
        before = manifests.read(place, kind, Manifest) if manifests.check_folder(place, resume) else None
        if before is not None:
            manifests.check_same(before, self._manifest, place, kind)
        self._went_on = before is not None
        self._seconds_before = before["seconds"] if before is not None else 0.0
        (place / FOLDER).mkdir(parents=True, exist_ok=True)
        self._lock = whole_files.lock(place)
        try:
            whole_files.take_away_unfinished(place)
            self._write_manifest("running")
        except OSError:
            os.close(self._lock)
            self._take_away_if_new()
            raise
        self._files = {path.name.rpartition("-")[0]: path for path in sorted((place / FOLDER).glob("*.npz"))}

    def _take_away_if_new(self) -> None:
        if not self._went_on:
            shutil.rmtree(self.place, ignore_errors=True)

    def __enter__(self) -> "Pieces":
        return self

    def __exit__(self, kind, error, trace) -> None:
        if kind is not None and not self._files:
            self._take_away_if_new()
        os.close(self._lock)

    def read(self, name: str) -> dict[str, np.ndarray] | None:
        """Read a piece; None where there is none, or a damaged one, which is taken away."""
        path = self._files.get(name)
        if path is None:
            return None
        data = path.read_bytes()
        if not whole_files.is_whole(path.name, data):
            self.damaged.append(path.name)
            with self._written():
                path.unlink()
            del self._files[name]
            return None
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {key: file[key] for key in file.files}

    def keep(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Write a piece; the name is of letters, digits and hyphens, and new."""
        file = io.BytesIO()
        np.savez_compressed(file, **{key: np.asarray(array) for key, array in arrays.items()})  # type: ignore[arg-type]
        path = self.place / FOLDER / whole_files.named_by_content(name, file.getvalue())
        with self._written():
            whole_files.write(path, file.getvalue())
        self._files[name] = path

    def finish(self, tables: "Mapping[str, pd.DataFrame]", complete: bool) -> None:
        """Write the tables, and in the manifest whether there are all pieces."""
        with self._written():
            manifests.write_tables(self.place, tables)
            self._write_manifest("complete" if complete else "partial")

    def _write_manifest(self, state: str) -> None:
        seconds = round(time.time() - self._started + self._seconds_before, 3)
        manifests.write(self.place, {"state": state} | self._manifest | {"seconds": seconds})

    def _written(self):
        return whole_files.told_in_one_line(self.place, manifests.MANIFEST)
