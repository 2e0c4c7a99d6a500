"""The folder of a run: manifest, tables, and the log of deals. It appears whole or not at all."""

import json
import os
import platform
import shutil
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from spadesim.errors import UsageError

if TYPE_CHECKING:
    from spadesim.leagues import Job, League

LOG_FOLDER = "deals"
VERSIONS_OF = ("spadesim", "numpy", "numba", "pandas", "scipy")


class RunFolder:
    """A folder under way; use it as a context: it is filled beside its final place and moved there at the end.

    Raises
    ------
    UsageError
        When the place holds something already or cannot be written.
    """

    def __init__(self, place: Path | None, job: "Job"):
        self._place = place
        self._job = job
        self._started = time.time()
        self._building: Path | None = None

    @classmethod
    def new(cls, out: str | None, job: "Job") -> "RunFolder":
        """Prepare the folder `out`, or none."""
        if out == "":
            raise UsageError("the folder for the tables has no name; expected one, as in --out results/mine")
        return cls(Path(out).resolve() if out is not None else None, job)

    def __enter__(self) -> "RunFolder":
        if self._place is None:
            return self
        if self._place.exists() and (not self._place.is_dir() or any(self._place.iterdir())):
            raise UsageError(f"the folder {str(self._place)!r} holds something already; name a new one")
        try:
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._building = Path(tempfile.mkdtemp(prefix=f".{self._place.name}-", dir=self._place.parent))
        except OSError as error:
            raise _unwritable(self._place, error) from None
        if self._job.spec.log:
            (self._building / LOG_FOLDER).mkdir()
        return self

    def __exit__(self, kind, error, trace) -> None:
        if self._building is not None:
            shutil.rmtree(self._building, ignore_errors=True)

    def log_part(self, number: int) -> Path | None:
        """Name the log file of a chunk; None where there is no log."""
        if self._building is None or not self._job.spec.log:
            return None
        return self._building / LOG_FOLDER / f"part-{number:06}.parquet"

    def finish(self, result: "League") -> None:
        """Write the tables and the manifest, and put the folder in its place."""
        if self._building is None or self._place is None:
            return
        try:
            for name, table in result.tables.items():
                table.to_csv(self._building / f"{name}.csv", index=False)
            manifest = json.dumps(self._manifest(), indent=2, ensure_ascii=False)
            (self._building / "manifest.json").write_text(manifest + "\n", encoding="utf-8")
            self._building.chmod(0o777 & ~_umask())
            os.replace(self._building, self._place)
        except OSError as error:
            raise _unwritable(self._place, error) from None

    def _manifest(self) -> dict:
        return {
            "spec": self._job.spec.model_dump(mode="json"),
            "rules": self._job.rules.as_dict(),
            "bots": [bot.name for bot in self._job.bots],
            "tables": len(self._job.tables),
            "games_a_table": self._job.games_a_table,
            "sources": self._job.source_digests(),
            "versions": {name: version(name) for name in VERSIONS_OF} | {"python": platform.python_version()},
            "machine": {"processor": platform.machine(), "system": platform.system(), "cores": os.cpu_count()},
            "seconds": round(time.time() - self._started, 3),
        }


def _unwritable(place: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write the folder {str(place)!r}: {error.strerror}; name another with --out")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
