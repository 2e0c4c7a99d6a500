"""What a folder holds for a report: the manifest and the tables of a run, whatever kind it is of."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from spadesim.designs.league.spec import CompareSpec, League, SweepSpec
from spadesim.designs.past_runs import PastRun, kept_tables
from spadesim.errors import count_of
from spadesim.plots.charts import ranked
from spadesim.report import findings
from spadesim.report.games import SampleGames, sample_games
from spadesim.storage import manifests
from spadesim.storage.manifests import RUN

TITLES = {"tune": "A search for better parameters", "whatif": "What if", "study": "A study"}


@dataclass(frozen=True, kw_only=True)
class Material:
    """All that a report is made of.

    Attributes
    ----------
    kind
        "run" for a league or a comparison, or what else the manifest says.
    title, opening
        What was played, in a few words and in a sentence.
    manifest
        See docs/TABLES.md, "A run's folder".
    tables : dict of DataFrame
        By name.
    notes
        What a reader must know first: that the run is partial, and what failed.
    """

    kind: str
    title: str
    opening: str = ""
    manifest: dict[str, Any]
    tables: dict[str, pd.DataFrame]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class LeagueMaterial(Material):
    """What a report of a league is made of; its tables are in the order of the standings.

    Attributes
    ----------
    league
        What was played and counted.
    games
        A few games of it.
    """

    league: League
    games: SampleGames


def read_material(place: Path) -> Material:
    """Read a folder.

    Raises
    ------
    UsageError
        When it is no folder of a run, nothing has been played yet, or what is in it cannot be read.
    """
    manifest = manifests.load(place, "run")
    kind = manifest.get("kind", RUN)
    return _of_league(place) if kind == RUN else _of_other(place, str(kind), manifest)


def _of_league(place: Path) -> LeagueMaterial:
    run = PastRun(str(place))
    league = run.result()
    notes = (
        [] if league.complete else [f"the run is partial: {count_of(league.games_played, 'game')} of it are finished"]
    )
    notes += [f"the table {', '.join(each['table'])} could not be finished: {each['reason']}" for each in run.failures]
    return LeagueMaterial(
        kind=RUN,
        title=_title(run),
        opening=findings.played(league, len(run.tables)),
        manifest=run.manifest,
        tables=ranked(league.tables),
        notes=notes,
        league=league,
        games=sample_games(run, league.tables["standings"]),
    )


def _title(run: PastRun) -> str:
    if isinstance(run.spec, CompareSpec):
        return f"{run.names[0]} or {run.names[1]}"
    if isinstance(run.spec, SweepSpec):
        return f"A sweep of {run.spec.sweep}"
    return f"A league of {len(run.names)} bots"


def _of_other(place: Path, kind: str, manifest: dict[str, Any]) -> Material:
    tables = kept_tables(place)
    partial = manifest.get("state", "complete") != "complete"
    notes = ["the run is partial: its tables tell of what is finished"] if partial else []
    spec = manifest.get("spec", {})
    of_what = spec.get(kind, "") if isinstance(spec, dict) else ""
    title = f"{TITLES.get(kind, kind.capitalize())}: {of_what if isinstance(of_what, str) else ', '.join(of_what)}"
    return Material(kind=kind, title=title, manifest=manifest, tables=tables, notes=notes)
