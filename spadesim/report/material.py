"""What a report is made of: a stored run, what its design has to say of it, and what a reader must know first."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from spadesim.designs import design_named
from spadesim.designs.reopen import reopen_run
from spadesim.designs.section import Section, StoredRun
from spadesim.errors import count_of

NOT_SHOWN = {"failures", "focus", "texts"}  # of a manifest: they are in the notes, in the spec, and in the commands
LONG_HASH = r"\b([0-9a-f]{16})[0-9a-f]{48}\b"


@dataclass(frozen=True, kw_only=True)
class Material:
    """All that a report is made of.

    Attributes
    ----------
    title, opening
        What was played, in a few words and in a sentence.
    manifest
        See docs/TABLES.md, "A run's folder".
    sections
        In their order; the last one says what was played, and by which versions.
    tables
        Names of the run's own tables, which its folder has as CSV.
    notes
        What a reader must know first: that the run is partial, and what failed.
    """

    title: str
    opening: str
    manifest: dict[str, Any]
    sections: list[Section]
    tables: list[str]
    notes: list[str] = field(default_factory=list)


def read_material(place: Path) -> Material:
    """Read a folder.

    Raises
    ------
    UsageError
        When it is no folder of a run, nothing has been played yet, or what is in it cannot be read.
    """
    return material_of(reopen_run(str(place)))


def material_of(run: StoredRun) -> Material:
    """Make all that a report of a stored run is made of."""
    design = design_named(run.manifest["kind"])
    title, opening, own = design.name.capitalize(), "", list[Section]()
    if design.has("sections"):
        sections = design.door("sections")
        title, own = sections.title(run), sections.sections(run)
        opening = sections.opening(run) if hasattr(sections, "opening") else ""
    return Material(
        title=title, opening=opening, manifest=run.manifest,
        sections=[*own, *_rest(run, own), _played(run.manifest)], tables=list(run.result.tables), notes=_notes(run),
    )  # fmt: skip


def _notes(run: StoredRun) -> list[str]:
    result, notes = run.result, []
    if not result.complete:
        games = result.games_played
        much = f"{count_of(games, 'game')} finished so far" if games else "its tables show what is finished"
        notes.append(f"the run is partial: {much}")
    failed = [
        f"the table {', '.join(failure['table'])} could not be finished: {failure['reason']}"
        for failure in result.failures
    ]
    return notes + failed


def _rest(run: StoredRun, sections: list[Section]) -> list[Section]:
    """Show the tables that no section has shown: together at the end, or where there is none a section each."""
    shown = {name for section in sections for name in section.tables}
    rest = {name: frame for name, frame in run.result.tables.items() if name not in shown}
    if sections and rest:
        return [Section("More tables", tables=rest)]
    return [Section(name.replace("_", " ").capitalize(), tables={name: rest[name]}) for name in rest]


def _played(manifest: dict[str, Any]) -> Section:
    """Show what was played, and by which versions."""
    known = {name: value for name, value in manifest.items() if name not in NOT_SHOWN}
    parts = {"run": {name: value for name, value in known.items() if not isinstance(value, dict)}}
    parts |= {name: value for name, value in known.items() if isinstance(value, dict)}
    tables = {
        name: pd.DataFrame({"name": list(values), "value": [_plain(value) for value in values.values()]})
        for name, values in parts.items()
        if values
    }
    return Section("What was played", text="The same spec, seed and versions give the same figures.", tables=tables)


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "-"
    if value is None or value == "":
        return "-"
    return re.sub(LONG_HASH, r"\1…", str(value))
