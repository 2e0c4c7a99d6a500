"""Reopen a stored run: its tables, made anew from what was played where the design can, else as they were written."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from spadesim.designs import design_named
from spadesim.designs.experiment import check_values
from spadesim.designs.result import Result
from spadesim.designs.section import StoredRun
from spadesim.errors import UsageError
from spadesim.storage import manifests


def reopen(out: str) -> Result:
    """Return the result of a stored run.

    Raises
    ------
    UsageError
        When the folder holds no run or nothing has been played yet, or what is in it cannot be read.
    """
    return reopen_run(out).result


def reopen_run(out: str) -> StoredRun:
    """Return a stored run whole (see `reopen`)."""
    place = Path(out)
    manifest = manifests.read(place)
    design = design_named(manifest["kind"])
    try:
        spec = check_values(design.spec, manifest["spec"])
    except UsageError as error:
        raise unreadable(place, manifest, error) from None
    play = design.door("play")
    if hasattr(play, "reopen"):
        return StoredRun(place, manifest, play.reopen(place, manifest, spec))
    complete = manifest["state"] == "complete"
    kept = Result(spec, manifests.read_tables(place), complete=complete, failures=manifest["failures"])
    return StoredRun(place, manifest, kept)


def unreadable(place: Path, manifest: dict[str, Any], error: Exception) -> UsageError:
    """Make the error for a run that cannot be read: another version wrote it, or somebody has changed it."""
    by, here = manifest["versions"].get("spadesim", "of an unknown version"), version("spadesim")
    who = "it was changed" if by == here else f"it was played by spadesim {by}, and this is {here}"
    return UsageError(f"the run in {str(place)!r} cannot be read: {who} ({error}); play it again in a new folder")
