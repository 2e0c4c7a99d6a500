"""What every experiment is: the model that specs are made from, and how the functions of designs check their values."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, ClassVar, ParamSpec, Self, TypedDict, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spadesim import limits
from spadesim.bots.registry import FILE
from spadesim.designs import LEAGUE, design_of, find_designs
from spadesim.errors import UsageError, expected, nearest
from spadesim.tournament.run_options import RunOptions

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound="Experiment")
IN_EVERY_FILE = ("question", "set")
SHARDED = ("shard_timeout", "scheduler")  # options of what is played in shards of tables


class Experiment(BaseModel):
    """What an experiment of any design is, and all that its figures depend on besides the strategies' sources.

    Attributes
    ----------
    seed
        0 … 2**64 - 1.
    rules
        A preset or a TOML file, and fields that are changed, as `rules.read_rules` reads them.
    load
        Strategy files.
    design : str
        The name of the design, that of its folder.
    only_in_files : tuple of str
        Keys of a TOML file that are no fields: they stand for some.
    has_shards : bool
        Whether it is played in shards of tables, so that there can be a limit on their time, and a cluster.
    page : str
        The page of `docs/` that has its tables' columns.
    committed : tuple of str
        Tables that are kept in `results/`; () for all.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    design: ClassVar[str]
    only_in_files: ClassVar[tuple[str, ...]] = ()
    has_shards: ClassVar[bool] = False
    page: ClassVar[str] = "TABLES.md"
    committed: ClassVar[tuple[str, ...]] = ()

    seed: int = Field(limits.SEED, ge=0, le=limits.SEED_MAX)
    rules: str = "cutthroat"
    load: tuple[str, ...] = Field((), strict=False)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes, in their order; the first is the main one."""
        raise NotImplementedError

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for; the first alone where a program reads."""
        return self.table_names[:1]

    def about(self, table: str) -> str:
        """Return what a table tells, in a few words; "" where a page of `docs/` does."""
        return ""

    def beside(self, folder: Path) -> Self:
        """Return the same, with the files that it names in a folder."""
        rules = str(folder / self.rules) if self.rules.partition(":")[0].endswith(".toml") else self.rules
        return self.model_copy(update={"load": tuple(str(folder / file) for file in self.load), "rules": rules})


class ExperimentValues(TypedDict, total=False):
    """What the functions of all designs take, by keyword: the values of an experiment, and how to play it."""

    seed: int
    rules: str
    load: Sequence[str]
    workers: int | None
    out: str | None
    resume: bool


class ShardedValues(ExperimentValues, total=False):
    """What those take besides that are played in shards of tables."""

    shard_timeout: float
    scheduler: str


def bot_beside(bot: str, folder: Path) -> str:
    """Return a bot, with the file that it is kept in in a folder."""
    return FILE + str(folder / bot[len(FILE) :]) if bot.startswith(FILE) else bot


def check_values(spec_type: type[S], values: Mapping[str, Any], source: str = "") -> S:
    """Make a spec.

    Parameters
    ----------
    source
        Where the values are from, for the message.

    Raises
    ------
    UsageError
        When a key is unknown, of the wrong type or out of range; the message names it, its value and what was expected.
    """
    where = f"{source}: " if source else ""
    try:
        return spec_type.model_validate(dict(values))
    except ValidationError as error:
        raise UsageError(where + _one_line(error.errors(), spec_type)) from None
    except UsageError as error:
        raise UsageError(f"{where}{error}") from None


def check_spec(values: Mapping[str, Any], source: str = "") -> Any:
    """Make the spec of the design that one of the keys names, of a league where none does (see `check_values`)."""
    return check_values(design_of(values).spec, values, source)


def check_call(spec_type: type[S], values: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[S, RunOptions]:
    """Make a spec, and how to play it, of what a function of a design was called with.

    Parameters
    ----------
    values
        Fields of the spec.
    options
        More of them, and fields of `RunOptions`.

    Raises
    ------
    UsageError
        See `check_values`.
    """
    how = {field.name: options[field.name] for field in fields(RunOptions) if field.name in options}
    rest = {name: value for name, value in options.items() if name not in how}
    known = [*spec_type.model_fields, *(field.name for field in fields(RunOptions))]
    for name in rest:
        if name not in known:
            raise UsageError(f"{spec_type.design} has no argument {name!r}{nearest(name, known)}")
    for name in ("out", "scheduler"):
        if how.get(name) is not None and not isinstance(how[name], str):
            raise UsageError(f"{name} is {how[name]!r}; expected text")
    tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in {**values, **rest}.items()}
    return check_values(spec_type, tuples), RunOptions(**how)


def listed(names: Sequence[str]) -> Sequence[str]:
    """Make a tuple of a list; a single text stays one, and is refused as such."""
    return names if isinstance(names, str) else tuple(names)


def takes(spec_type: type[Experiment], *, hidden: tuple[str, ...] = ()) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function show the fields of a spec that it takes by keyword, with their defaults, to `help` and to Tab.

    Parameters
    ----------
    hidden
        Fields that it takes in another form.
    """

    def show(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        named = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        left_out = {parameter.name for parameter in named}.union(hidden, () if spec_type.has_shards else SHARDED)
        defaults = {name: field.default for name, field in spec_type.model_fields.items() if not field.is_required()}
        defaults |= {option.name: option.default for option in fields(RunOptions) if option.default is not MISSING}
        by_keyword = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in defaults.items()
            if name not in left_out
        ]
        function.__signature__ = signature.replace(parameters=[*named, *by_keyword])  # type: ignore[attr-defined, unused-ignore]
        return function

    return show


def _one_line(errors: Sequence[Any], spec_type: type[Experiment]) -> str:
    """Return in one line what pydantic found wrong: first a key that is unknown, which may be another one misspelt."""
    error = next((error for error in errors if error["type"] == "extra_forbidden"), errors[0])
    name = ".".join(map(str, error["loc"])).replace("_", "-")
    if error["type"] == "missing":
        return f"there is no key {name!r}; a {spec_type.design} needs it"
    if error["type"] != "extra_forbidden":
        return f"{name} is {error['input']!r}; {expected(error)}"
    keys = [design for design in find_designs() if design != LEAGUE]
    if name in keys:
        return f"{name!r} is next to {spec_type.design!r}, but a file holds one experiment; expected one of them"
    names = [field.replace("_", "-") for field in [*spec_type.model_fields, *spec_type.only_in_files]]
    known = list(dict.fromkeys([*names, *keys, *IN_EVERY_FILE]))
    return f"unknown key {name!r}{nearest(name, known) or '; expected one of ' + ', '.join(known)}"
