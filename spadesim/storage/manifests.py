"""Manifests: what a folder says about what was played in it, and whether that may go on."""

import json
import os
import platform
from collections.abc import Collection, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from spadesim.engine.compile.cache import engine_digest
from spadesim.errors import UsageError
from spadesim.storage import whole_files

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "manifest.json"
VERSIONS_OF = ("spadesim", "numpy", "numba", "pandas", "scipy")


class Failure(BaseModel):
    """What a manifest must say of a table that could not be finished."""

    table: list[str]
    reason: str


class Manifest(BaseModel):
    """What every manifest must say to be read; one may say more, and those of a design must where it has a subclass."""

    model_config = ConfigDict(strict=True)

    kind: str
    state: Literal["running", "partial", "complete"]
    spec: dict[str, Any]
    rules: dict[str, Any]
    sources: dict[str, str | None]
    engine: str
    versions: dict[str, str]
    seconds: float
    failures: list[Failure]


def played_by() -> dict[str, Any]:
    """Return what plays here: engine, versions, machine."""
    return {
        "engine": engine_digest(),
        "versions": {name: version(name) for name in VERSIONS_OF} | {"python": platform.python_version()},
        "machine": {"processor": platform.machine(), "system": platform.system(), "cores": os.cpu_count()},
    }


def write(place: Path, manifest: Mapping[str, Any]) -> None:
    """Write a folder's manifest."""
    whole_files.write(place / MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def check_out(out: str | None, resume: bool) -> None:
    """Refuse a folder without a name, and to go on where no folder is named."""
    if out == "":
        raise UsageError("the folder for the tables has no name; expected one, as in --out results/mine")
    if resume and out is None:
        raise UsageError("there is no folder to resume from; name it with out (--out DIR)")


def check_folder(place: Path, resume: bool) -> bool:
    """Return whether a folder holds something; refuse one that does, unless it is to go on."""
    there = place.exists() and whole_files.holds_something(place)
    if there and not resume:
        raise UsageError(f"the folder {str(place)!r} holds something already; name a new one, or --resume to go on")
    return there


def write_tables(place: Path, tables: "Mapping[str, pd.DataFrame]") -> None:
    """Write tables as CSV, each file whole or not at all."""
    for name, table in tables.items():
        whole_files.write(place / f"{name}.csv", table.to_csv(index=False).encode())


def read_tables(place: Path) -> "dict[str, pd.DataFrame]":
    """Read the tables that a folder has kept.

    Raises
    ------
    UsageError
        When there are none, or one cannot be read.
    """
    import pandas as pd  # takes long to import

    tables = {}
    for path in sorted(place.glob("*.csv")):
        try:
            tables[path.stem] = pd.read_csv(path)
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read the table {str(path)!r}: {' '.join(str(error).split())}") from None
    if not tables:
        raise UsageError(f"there are no tables in {str(place)!r} yet; the run's own command with --resume goes on")
    return tables


def read(place: Path, kind: str = "", model: type[Manifest] = Manifest) -> dict[str, Any]:
    """Read what was played in a folder.

    Parameters
    ----------
    kind
        What it should hold, the name of a design; "" for any run.
    model
        What its manifest must say.

    Raises
    ------
    UsageError
        When it holds nothing, something of another kind, or what a version that wrote other manifests has played.
    """
    what = f"{kind} run" if kind else "run"
    manifest = _load(place, what)
    found = manifest.get("kind")
    if kind and isinstance(found, str) and found != kind:
        raise UsageError(f"the folder {str(place)!r} holds a {found} run; expected a {what}")
    check(place, manifest, model)
    return manifest


def check(place: Path, manifest: Mapping[str, Any], model: type[Manifest]) -> None:
    """Refuse a manifest that does not say what it must.

    Raises
    ------
    UsageError
        When a key is missing, or has a value of another type.
    """
    try:
        model.model_validate(manifest)
    except ValidationError as error:
        if any(problem["type"] == "missing" and len(problem["loc"]) == 1 for problem in error.errors()):
            raise UsageError(
                f"the run in {str(place)!r} is of an older version of spadesim; play it again in a new folder"
            ) from None
        raise _unreadable(place) from None


def _load(place: Path, what: str) -> dict[str, Any]:
    """Read a folder's manifest, whatever it says."""
    if not place.exists():
        raise UsageError(f"the folder {str(place)!r} holds no {what}: it is not there; expected one that --out named")
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"the folder {str(place)!r} holds no {what}: it has no {MANIFEST}") from None
    except NotADirectoryError:
        raise UsageError(f"{str(place)!r} cannot be read: it is a file; expected the folder of a {what}") from None
    except (OSError, ValueError):
        raise _unreadable(place) from None
    if not isinstance(manifest, dict):
        raise _unreadable(place)
    return manifest


def _unreadable(place: Path) -> UsageError:
    """Make the error for a manifest that says what no version would."""
    return UsageError(f"{MANIFEST} in {str(place)!r} cannot be read; it was changed or is damaged")


def refuse(place: Path, reason: str) -> UsageError:
    """Make the error for what cannot be resumed."""
    return UsageError(f"cannot resume the run in {str(place)!r}: {reason}; name a new folder")


def check_same(before: Mapping[str, Any], now: Mapping[str, Any], place: Path, may_grow: Collection[str] = ()) -> None:
    """Refuse to go on with something else, and say in what it differs; what may grow the caller checks."""
    reason = _difference(before, now, may_grow)
    if reason:
        raise refuse(place, reason)


def _difference(before: Mapping[str, Any], now: Mapping[str, Any], may_grow: Collection[str]) -> str:
    played, here = before["versions"].get("spadesim"), now["versions"]["spadesim"]
    if played != here:
        return f"it was played by spadesim {played}, not {here}"
    if before["engine"] != now["engine"]:
        return "it was played by another engine: its sources, or the versions of Python, NumPy or Numba, have changed"
    old, new = before["spec"], now["spec"]
    for name in new:
        if name not in may_grow and old.get(name) != new[name]:
            return f"its {name.replace('_', '-')} is {old.get(name)!r}, not {new[name]!r}"
    if before["rules"] != json.loads(json.dumps(now["rules"])):
        return f"the rules {new['rules']!r} have changed since"
    for name, digest in before["sources"].items():
        if name in now["sources"] and now["sources"][name] != digest:
            return f"the source of {name} has changed since"
    return ""
