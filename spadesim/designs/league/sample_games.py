"""A few games of a run, played once more for a report."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from spadesim.bots.faults import replay_command
from spadesim.bots.registry import Bot, find_strategies
from spadesim.bots.replay import play_games
from spadesim.designs.league.stored import StoredLeague
from spadesim.engine.compile.cache import engine_digest
from spadesim.errors import SpadesimError
from spadesim.tournament.job import source_digests

GAMES = 3


@dataclass(frozen=True)
class SampleGames:
    """Games of the leading table, with the commands that show them; or why there are none."""

    records: list[dict[str, Any]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    missing: str = ""


def sample_games(run: StoredLeague, standings: pd.DataFrame) -> SampleGames:
    """Play the first games of the leading table again: one of each of the first streams, each in another seating.

    The leading table is the one that is first by the places of its bots. Nothing is played where it would be another
    game than in the run, because a source has changed or is gone.
    """
    places = {bot: place for place, bot in enumerate(standings["bot"])}
    failed = {tuple(failure["table"]) for failure in run.failures}
    names = {table: [run.names[i] for i in table] for table in run.tables}
    tables = [table for table in run.tables if tuple(names[table]) not in failed]
    if not tables:
        return SampleGames(missing="no table was finished")
    table = min(tables, key=lambda table: sorted(places[name] for name in names[table]))
    try:
        field = find_strategies(run.spec.load).field(run.texts)
    except SpadesimError as error:
        return SampleGames(missing=str(error))
    changed = _changed(run, field)
    if changed:
        return SampleGames(missing=f"{changed} has changed since the run")
    return _play(run, [field[i] for i in table])


def _changed(run: StoredLeague, field: list[Bot]) -> str:
    """Name the first thing that is not as it was when the run was played."""
    if run.manifest["engine"] != engine_digest():
        return "the engine"
    before = run.manifest["sources"]
    return next((name for name, digest in source_digests(field).items() if before.get(name) != digest), "")


def _play(run: StoredLeague, bots: list[Bot]) -> SampleGames:
    spec, found = run.spec, SampleGames()
    for stream in range(min(GAMES, run.blocks)):
        game = stream * run.seatings + stream % run.seatings
        found.records.extend(
            play_games(
                bots, run.rules, spec.seed, game, 1, on_fault=spec.on_fault, load=spec.load,
                interpreted=spec.interpreted,
            )
        )  # fmt: skip
        found.commands.append(replay_command(bots, spec.seed, game, run.rules, spec.load))
    return found
