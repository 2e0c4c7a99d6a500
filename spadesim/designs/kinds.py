"""The kinds of experiment: what tells each of them, what checks its values, and what plays it.

A kind is a line of `KINDS`. Models and functions are named, and imported when an experiment of the kind is there.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from spadesim import limits
from spadesim.limits import SEED_MAX

if TYPE_CHECKING:
    import pandas as pd


class Experiment(BaseModel):
    """What an experiment of any kind is, and all that its figures depend on besides the strategies' sources.

    Attributes
    ----------
    seed
        0 … 2**64 - 1.
    rules
        A preset or a TOML file, and fields that are changed, as `presets.read_rules` reads them.
    load
        Strategy files.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    only_in_files: ClassVar[tuple[str, ...]] = ()  # keys of a TOML file that are no fields: they stand for some

    seed: int = Field(limits.SEED, ge=0, le=SEED_MAX)
    rules: str = "cutthroat"
    load: tuple[str, ...] = Field((), strict=False)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes, in their order."""
        raise NotImplementedError

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for; the first alone where a program reads."""
        return self.table_names[:1]

    def beside(self, folder: Path) -> Self:
        """Take the files that it names as lying in a folder."""
        rules = str(folder / self.rules) if self.rules.partition(":")[0].endswith(".toml") else self.rules
        return self.model_copy(update={"load": tuple(str(folder / each) for each in self.load), "rules": rules})


class Result(Protocol):
    """What comes of an experiment of any kind.

    Attributes
    ----------
    tables : dict of DataFrame
        By name.
    complete : bool
        Whether all was played.
    failures : list of dict
        Tables that could not be finished (see `leagues.League`).
    games_played : int
        Games behind the tables; 0 where there is nothing to show.
    """

    tables: "dict[str, pd.DataFrame]"
    complete: bool
    failures: list[dict]

    @property
    def games_played(self) -> int:
        """Games behind the tables."""


class Kind(NamedTuple):
    """A kind of experiment.

    Attributes
    ----------
    keys
        Any of them tells it: at the top of a file, in a run's manifest, among the fields of its model.
    model
        An `Experiment` that checks the values.
    function
        ``function(spec, *, workers, out, resume, shard_timeout, scheduler, reporter) -> Result`` plays it.
    """

    keys: tuple[str, ...]
    model: str
    function: str

    def check(self, values: Mapping[str, Any]) -> Experiment:
        """Make the spec; pydantic's ValidationError, or a UsageError, says what does not fit."""
        return self.spec_type.model_validate(dict(values))

    @property
    def spec_type(self) -> type[Experiment]:
        """The model."""
        return _named(self.model)

    @property
    def play(self) -> Callable[..., Result]:
        """The function."""
        return _named(self.function)


LEAGUE = Kind((), "spadesim.designs.league.spec:LeagueSpec", "spadesim.designs.league.play:run")
KINDS = (
    Kind(("study",), "spadesim.designs.study.play:StudySpec", "spadesim.designs.study.play:run_study"),
    Kind(("compare", "delta"), "spadesim.designs.league.spec:CompareSpec", "spadesim.designs.league.play:run"),
    Kind(("sweep",), "spadesim.designs.league.spec:SweepSpec", "spadesim.designs.league.play:run"),
    Kind(("whatif",), "spadesim.designs.whatif.play:WhatIfSpec", "spadesim.designs.whatif.play:run"),
    Kind(("tune",), "spadesim.designs.tune.play:TuneSpec", "spadesim.designs.tune.play:run"),
    LEAGUE,
)  # fmt: skip


def kind_of(names: Iterable[str]) -> Kind:
    """Find the kind that one of these keys tells; a league where none does."""
    names = set(names)
    return next((kind for kind in KINDS if names.intersection(kind.keys)), LEAGUE)


def play(spec: Experiment, **how: Any) -> Result:
    """Play an experiment of any kind; `how` as in `runs.run`."""
    return kind_of(type(spec).model_fields).play(spec, **how)


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
