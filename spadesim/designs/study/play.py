"""Studies: a question that is asked of leagues, of their logs as a rule, and answered by tables of its own.

A study is a file in TOML, a league with the key `study`, which names a module of `spadesim.studies` or a Python file:
its function `study` makes the tables of what has been played, its `TABLES` tell what they are, and its `LEAGUES`, if
there, how many leagues it is made of.
"""

import contextlib
import pkgutil
import re
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Self

from pydantic import Field

from spadesim import limits
from spadesim.bots import loading
from spadesim.designs.config import list_experiments, read_experiment
from spadesim.designs.league.play import run
from spadesim.designs.league.spec import LOG_PATTERN, League, LeagueSpec
from spadesim.designs.with_tables import WithTables
from spadesim.errors import UsageError, count_of, unknown
from spadesim.storage import manifests, whole_files
from spadesim.tournament.folder import LOG, read_manifest
from spadesim.tournament.progress import Reporter

if TYPE_CHECKING:
    import pandas as pd


class StudySpec(LeagueSpec):
    """What a study is: leagues of the same field on the same deals, and the name of what is asked of them.

    Attributes
    ----------
    study
        A module of `spadesim.studies`, or a Python file.
    variants
        Changes of the rules, such as ``"target=500"`` or ``"nil=50:target=500"``, each of which makes a league; where
        there are none, there is one league by the rules as they are.
    log
        As of any league, but every deal where nothing is said.
    """

    study: str
    variants: tuple[str, ...] = Field((), strict=False)
    log: str = Field("deals", pattern=LOG_PATTERN)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that the study makes."""
        return tuple(self.module.TABLES)

    @property
    def shown(self) -> tuple[str, ...]:
        """The first of them, where none is asked for."""
        return self.table_names[:1]

    def beside(self, folder: Path) -> Self:
        """Take the files that it names as lying in a folder."""
        spec = super().beside(folder)
        return spec.model_copy(update={"study": str(folder / self.study)}) if _is_file(self.study) else spec

    @property
    def module(self) -> ModuleType:
        """Where the study's function is.

        Raises
        ------
        UsageError
            When there is no such study, or the file declares none.
        """
        if _is_file(self.study):
            module = loading.load_file(self.study)
            if not (callable(getattr(module, "study", None)) and isinstance(getattr(module, "TABLES", None), dict)):
                raise UsageError(f"{self.study} is no study; expected a function study(parts) and a dictionary TABLES")
            return module
        if self.study not in list_studies():
            raise unknown("study", self.study, list_studies(), "a file's name ends in .py")
        return import_module(f"spadesim.studies.{self.study}")

    def leagues(self) -> dict[str, LeagueSpec]:
        """Make the specs of the leagues behind it, by variant."""
        values = self.model_dump(exclude={"study", "variants"})
        rules = {variant: f"{self.rules}:{variant}" for variant in self.variants} or {"": self.rules}
        return {variant: LeagueSpec(**values | {"rules": text}) for variant, text in rules.items()}


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
        for file in files:
            yield from _whole_games(file, list(columns))


@dataclass(repr=False)
class Study(WithTables):
    """A study that has been played.

    Attributes
    ----------
    spec : StudySpec
    parts : list of Part
        The leagues behind it.
    tables : dict of DataFrame
        By name; each is an attribute too. There are none as long as a league is partial.
    """

    kind = "study"

    spec: StudySpec
    parts: list[Part]
    tables: "dict[str, pd.DataFrame]" = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether all was played."""
        return bool(self.tables)

    @property
    def failures(self) -> list[dict]:
        """Tables that could not be finished."""
        return [each for part in self.parts for each in part.league.failures]

    @property
    def games_played(self) -> int:
        """Games behind the tables."""
        return sum(part.league.games_played for part in self.parts) if self.complete else 0

    def __repr__(self) -> str:
        return f"<Study {self.spec.study}: tables {', '.join(self.tables) or 'none yet'}>"


def study(
    name: str, *, games: int | None = None, seed: int | None = None, workers: int = 0, out: str | None = None,
    resume: bool = False,
) -> Study:  # fmt: skip
    """Make a study and return its tables.

    Parameters
    ----------
    name
        One that comes along, such as ``"nil_success"``, or a TOML file.
    games, seed
        In place of those of the file.
    workers, out, resume
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
    given = {name: value for name, value in (("games", games), ("seed", seed)) if value is not None}
    spec = read_experiment(name if name.endswith(".toml") else _file_of(name), given)
    if not isinstance(spec, StudySpec):
        raise UsageError(f"{name} is no study; expected a file with the key study")
    return run_study(spec, workers=workers, out=out, resume=resume)


def run_study(
    spec: StudySpec, *, workers: int | None = 0, out: str | None = None, resume: bool = False,
    shard_timeout: float = limits.SHARD_TIMEOUT, scheduler: str = "", reporter: Reporter | None = None,
) -> Study:  # fmt: skip
    """Play the leagues of a study, each in a folder of its own below `out`, and make its tables.

    Parameters
    ----------
    spec
        What to play, and what to ask.
    workers, out, resume, shard_timeout, scheduler, reporter
        See `runs.run`. Without `out` the logs go to a temporary folder.
    """
    module, leagues, reporter = spec.module, spec.leagues(), reporter or Reporter()
    wanted = getattr(module, "LEAGUES", len(leagues))
    if len(leagues) != wanted:
        raise UsageError(f"the variants make {count_of(len(leagues), 'league')}; the study {spec.study} takes {wanted}")
    with _place(spec, out, resume, [_folder_name(variant) for variant in leagues]) as place:
        parts: list[Part] = []
        for variant, league in leagues.items():
            if variant:
                reporter.note(f"{variant} ...")
            folder = place / _folder_name(variant) if place is not None else None
            found = run(
                league, workers=workers, out=str(folder) if folder else None, resume=resume,
                shard_timeout=shard_timeout, scheduler=scheduler, reporter=reporter,
            )  # fmt: skip
            parts.append(Part(variant, found, folder))
            if not found.complete:
                break
        complete = all(part.league.complete for part in parts)
        result = Study(spec, parts)
        if out is not None:
            _finish(Path(out), result)  # partial, whatever comes of its function
        if complete:
            result.tables = _tables_of(module, spec.study, parts)
            if out is not None:
                _finish(Path(out), result)
    return result


def _tables_of(module: ModuleType, name: str, parts: list[Part]) -> "dict[str, pd.DataFrame]":
    """Ask a study for its tables; what is wrong with them is told in one line."""
    import pandas as pd

    try:
        tables = module.study(parts)
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {' '.join(str(error).split())} ({line.filename}:{line.lineno})"
        raise UsageError(f"the study {name} raised {what}; what was played is kept with --out, for --resume") from error
    if not isinstance(tables, dict) or tables.keys() != module.TABLES.keys():
        found = ", ".join(map(str, tables)) if isinstance(tables, dict) else repr(tables)
        raise UsageError(f"the study {name} answered {found}; expected a dictionary of {', '.join(module.TABLES)}")
    for table, frame in tables.items():
        if not isinstance(frame, pd.DataFrame) or not len(frame.columns):
            what = "empty" if isinstance(frame, pd.DataFrame) else type(frame).__name__
            raise UsageError(f"the table {table} of the study {name} is {what}; expected a frame with columns")
    return tables


def _finish(place: Path, result: Study) -> None:
    """Write the tables, where there are any yet, and what they are of."""
    state = "complete" if result.complete else "partial"
    what = {"kind": "study", "state": state, "spec": result.spec.model_dump(mode="json")}
    with whole_files.told_in_one_line(place, manifests.MANIFEST):
        manifests.write_tables(place, result.tables)
        manifests.write(place, what | manifests.played_by())


def list_studies() -> list[str]:
    """Name the studies that come along."""
    return [each.name for each in pkgutil.iter_modules(import_module("spadesim.studies").__path__) if not each.ispkg]


@contextlib.contextmanager
def _place(spec: StudySpec, out: str | None, resume: bool, folders: Sequence[str]) -> Iterator[Path | None]:
    """Open the folder of a study; one that is made for it and gets nothing is taken away again."""
    manifests.check_out(out, resume)
    if out is None:
        if not spec.log:
            yield None
            return
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
        return
    place = Path(out)
    if manifests.check_folder(place, resume):
        read_manifest(place / folders[0])
    try:
        yield place
    except BaseException:
        with contextlib.suppress(OSError):
            place.rmdir()
        raise


def _whole_games(file: Path, columns: list[str]) -> "Iterator[pd.DataFrame]":
    """Read a file of a log, some million rows at a time."""
    import pandas as pd
    from pyarrow.parquet import ParquetFile

    with ParquetFile(file) as reader:
        rest = None  # of a game whose end is in the next group of rows
        for group in range(reader.num_row_groups):
            rows = reader.read_row_group(group, columns=list(dict.fromkeys([*columns, "game"]))).to_pandas()
            rows = rows if rest is None else pd.concat([rest, rows], ignore_index=True)
            is_last = rows["game"] == rows["game"].iloc[-1]
            rest = rows[is_last]
            yield rows.loc[~is_last, columns]
    if rest is not None:
        yield rest[columns]


def _folder_name(variant: str) -> str:
    return re.sub(r"[^\w=.-]+", "_", variant) or "league"


def _is_file(name: str) -> bool:
    return name.endswith(".py")


def _file_of(name: str) -> str:
    files = {Path(each["file"]).stem: each["file"] for each in list_experiments()}
    if name not in files:
        raise unknown(
            "study", name, files, "spadesim run --list shows those that come along; a file's name ends in .toml"
        )
    return files[name]
