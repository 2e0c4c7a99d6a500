"""Studies: a question that is asked of leagues, of their logs as a rule, and answered by tables of its own.

A study is a file in TOML, a league with the key `study`, which names a module of `spadesim.studies` or a Python file:
its function `study` makes the tables of what has been played, its `TABLES` say what they are, and its `LEAGUES`, if
there, how many leagues it is made of.
"""

import re
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Unpack

from spadesim.designs.experiment import ShardedValues, check_call, takes
from spadesim.designs.files import bundled_experiments, read_experiment
from spadesim.designs.league.play import play as play_league
from spadesim.designs.league.result import League
from spadesim.designs.result import Result
from spadesim.designs.study.spec import StudySpec
from spadesim.errors import UsageError, count_of, unknown
from spadesim.rules import read_rules
from spadesim.storage.run_folder import LOG, RunFolder
from spadesim.tournament.run_options import RunOptions

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Part:
    """One of the leagues of a study.

    Attributes
    ----------
    variant : str
        The change of the rules, "" where there is one league alone.
    league : League
        What was played.
    folder : Path or None
        Where its log is.
    """

    variant: str
    league: League
    folder: Path | None

    def deals(self, *columns: str) -> "Iterator[pd.DataFrame]":
        """Read the log, a frame of whole games of one table at a time, in the order of docs/TABLES.md.

        Raises
        ------
        UsageError
            When nothing was logged.
        """
        files = sorted((self.folder / LOG).glob("*.parquet")) if self.folder is not None else []
        if not files:
            raise UsageError("the study reads a log of deals but there is none; expected log = 'deals'")
        from spadesim.storage.deals_log import whole_games  # pyarrow takes long to import

        for file in files:
            yield from whole_games(file, list(columns))


@dataclass(repr=False)
class Study(Result):
    """A study that has been played: its tables, each an attribute too; none as long as a league is partial.

    Attributes
    ----------
    parts : list of Part
        The leagues behind it.
    """

    spec: StudySpec
    parts: list[Part] = field(default_factory=list)

    @property
    def games_played(self) -> int:
        """Games behind the tables."""
        return sum(part.league.games_played for part in self.parts) if self.complete else 0


class StudyValues(ShardedValues, total=False):
    """What `study` takes by keyword."""

    games: int


@takes(StudySpec, hidden=("bots", "rules", "load", "focus", "on_fault", "log", "until", "decision_timeout",
       "interpreted", "variants"))  # fmt: skip
def study(name: str, **options: Unpack[StudyValues]) -> Study:
    """Make a study and return its tables.

    Parameters
    ----------
    name
        A bundled one, such as ``"nil_success"``, or a TOML file.
    games, seed
        In place of those of the file.
    workers, out, resume, shard_timeout, scheduler
        As in `league`.

    Returns
    -------
    Study
        With a frame for each table: ``study("nil_success").by_spades``.

    Raises
    ------
    UsageError, BotFault
        See `league`.
    """
    instead: dict[str, Any] = {key: options.pop(key) for key in ("games", "seed") if key in options}
    spec = read_study(name, instead)
    _, run_options = check_call(StudySpec, spec.model_dump(), options)
    return play(spec, run_options)


def read_study(name: str, instead: dict[str, Any]) -> StudySpec:
    """Read a study from a file, or a bundled one by its name; values that are None stay those of the file.

    Raises
    ------
    UsageError
        When there is none, or the file has another experiment.
    """
    files = bundled_experiments()
    if not name.endswith(".toml") and name not in files:
        where = "spadesim run --list shows the bundled experiments; a file's name ends in .toml"
        raise unknown("study", name, files, where)
    given = {key: value for key, value in instead.items() if value is not None}
    spec = read_experiment(name if name.endswith(".toml") else files[name], given)
    if not isinstance(spec, StudySpec):
        raise UsageError(f"{name} is no study; expected a file with the key study")
    return spec


def play(spec: StudySpec, options: RunOptions) -> Study:
    """Play the leagues of a study, each in a folder of its own below `out`, and make its tables.

    Without `out` the logs go to a temporary folder.
    """
    module, leagues = spec.module, spec.leagues()
    wanted = getattr(module, "LEAGUES", len(leagues))
    if len(leagues) != wanted:
        raise UsageError(f"the variants make {count_of(len(leagues), 'league')}; the study {spec.study} takes {wanted}")
    result = Study(spec, {}, complete=False)
    with ExitStack() as stack:
        folder = stack.enter_context(_folder_for(spec, options)) if options.out is not None else None
        place = folder.place if folder is not None else None
        if place is None and spec.log:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for variant, league in leagues.items():
            if variant:
                options.reporter.note(f"{variant} ...")
            below = place / _folder_name(variant) if place is not None else None
            found = play_league(league, replace(options, out=str(below) if below is not None else None))
            result.parts.append(Part(variant, found, below))
            result.failures += found.failures
            if not found.complete:
                break
        if folder is not None:
            folder.finish({}, False, result.failures)  # partial, whatever comes of its function
        if len(result.parts) == wanted and all(part.league.complete for part in result.parts):
            result.tables = _tables_of(module, spec, result.parts)
            result.complete = True
            if folder is not None:
                folder.finish(result.tables, True)
    return result


def _folder_for(spec: StudySpec, options: RunOptions) -> AbstractContextManager[RunFolder]:
    """Open the folder of a study; its leagues have theirs below, which remember what was played and by what."""
    run = {"kind": spec.design, "spec": spec.model_dump(mode="json"), "rules": read_rules(spec.rules).as_dict()}
    assert options.out is not None
    return RunFolder(options.out, run | {"sources": {}}, options.resume, may_grow=("games", "bots"))


def _tables_of(module: ModuleType, spec: StudySpec, parts: list[Part]) -> "dict[str, pd.DataFrame]":
    """Ask a study for its tables; what is wrong with them is reported in one line."""
    import pandas as pd

    name = spec.study
    try:
        tables: dict[str, pd.DataFrame] = module.study(parts)
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {' '.join(str(error).split())} ({line.filename}:{line.lineno})"
        raise UsageError(f"the study {name} raised {what}; with --out finished games are kept, for --resume") from error
    if not isinstance(tables, dict) or tables.keys() != module.TABLES.keys():
        found = ", ".join(map(str, tables)) if isinstance(tables, dict) else repr(tables)
        raise UsageError(f"the study {name} answered {found}; expected a dictionary of {', '.join(module.TABLES)}")
    for table, frame in tables.items():
        if not isinstance(frame, pd.DataFrame) or not len(frame.columns):
            what = "empty" if isinstance(frame, pd.DataFrame) else type(frame).__name__
            raise UsageError(f"the table {table} of the study {name} is {what}; expected a frame with columns")
    return tables


def _folder_name(variant: str) -> str:
    return re.sub(r"[^\w=.-]+", "_", variant) or "league"
