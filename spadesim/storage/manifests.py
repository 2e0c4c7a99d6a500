"""Manifests: what a folder says about what was played in it, and whether that may go on."""

import json
import os
import platform
from collections.abc import Collection, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from spadesim.engine.compile.cache import engine_digest
from spadesim.errors import UsageError
from spadesim.storage import whole_files

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "manifest.json"
RUN = "run"  # the kind of a manifest that says nothing of it
VERSIONS_OF = ("spadesim", "numpy", "numba", "pandas", "scipy")


def played_by() -> dict[str, Any]:
    """Tell what plays here: engine, versions, machine."""
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
    """Tell whether a folder holds something; refuse one that does, unless it is to go on."""
    there = place.exists() and whole_files.holds_something(place)
    if there and not resume:
        raise UsageError(f"the folder {str(place)!r} holds something already; name a new one, or --resume to go on")
    return there


def write_tables(place: Path, tables: "Mapping[str, pd.DataFrame]") -> None:
    """Write tables as CSV, each file whole or not at all."""
    for name, table in tables.items():
        whole_files.write(place / f"{name}.csv", table.to_csv(index=False).encode())


def load(place: Path, what: str) -> dict[str, Any]:
    """Read a folder's manifest, whatever it says.

    Parameters
    ----------
    what
        What the folder should hold, for the message.

    Raises
    ------
    UsageError
        When there is none, or it is no JSON object.
    """
    if not place.exists():
        raise UsageError(f"the folder {str(place)!r} holds no {what}: it is not there; expected one that --out named")
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"the folder {str(place)!r} holds no {what}: it has no {MANIFEST}") from None
    except NotADirectoryError:
        raise UsageError(f"{str(place)!r} cannot be read: it is a file; expected the folder of a {what}") from None
    except (OSError, ValueError):
        raise unreadable(place) from None
    if not isinstance(manifest, dict):
        raise unreadable(place)
    return manifest


def unreadable(place: Path) -> UsageError:
    """Make the error for a manifest that says what no version would."""
    return UsageError(f"{MANIFEST} in {str(place)!r} cannot be read; it was changed or is damaged")


def read(place: Path, kind: str, model: type[BaseModel]) -> dict[str, Any]:
    """Read what was played in a folder.

    Parameters
    ----------
    kind
        What it should hold: "run", or the command of a study; a manifest that says nothing of its kind is a run's.
    model
        What a manifest of this version says.

    Raises
    ------
    UsageError
        When it holds nothing, something of another kind, or what a version that wrote other manifests has played.
    """
    what = named(kind)
    manifest = load(place, what)
    found = manifest.get("kind", RUN)
    if found != kind:
        raise UsageError(f"the folder {str(place)!r} holds a {named(found)}; expected a {what}")
    try:
        model.model_validate(manifest)
    except ValidationError as error:
        if any(each["type"] == "missing" and len(each["loc"]) == 1 for each in error.errors()):
            raise UsageError(
                f"the {what} in {str(place)!r} is of an older version of spadesim; play it again in a new folder"
            ) from None
        raise unreadable(place) from None
    return manifest


def named(kind: str) -> str:
    """Name what a folder holds."""
    return kind if kind == RUN else f"{kind} study"


def refuse(place: Path, kind: str, what: str) -> UsageError:
    """Make the error for what cannot be resumed."""
    return UsageError(f"cannot resume the {named(kind)} in {str(place)!r}: {what}; name a new folder")


def check_same(before: dict, now: dict, place: Path, kind: str, may_grow: Collection[str] = ()) -> None:
    """Refuse to go on with something else, and say in what it differs; what may grow the caller checks."""
    if before["versions"].get("spadesim") != now["versions"]["spadesim"]:
        what = f"it was played by spadesim {before['versions'].get('spadesim')}, not {now['versions']['spadesim']}"
        raise refuse(place, kind, what)
    if before["engine"] != now["engine"]:
        what = "it was played by another engine: its sources, or the versions of Python, NumPy or Numba, have changed"
        raise refuse(place, kind, what)
    old, new = before["spec"], now["spec"]
    for name in new:
        if name not in may_grow and old.get(name) != new[name]:
            raise refuse(place, kind, f"its {name.replace('_', '-')} is {old.get(name)!r}, not {new[name]!r}")
    if before["rules"] != json.loads(json.dumps(now["rules"])):
        raise refuse(place, kind, f"the rules {new['rules']!r} have changed since")
    for name, digest in before["sources"].items():
        if name in now["sources"] and now["sources"][name] != digest:
            raise refuse(place, kind, f"the source of {name} has changed since")
