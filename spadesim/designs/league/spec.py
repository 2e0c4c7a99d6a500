"""A league: all tables of a field meet, each in every seating of the same deals."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from spadesim import limits
from spadesim.bots import faults, loading
from spadesim.bots.prepare import kernel, make_table, seatings
from spadesim.bots.registry import FILE, Bot, Registry, find_strategies, standing_field
from spadesim.bots.sweeping import settings_of
from spadesim.designs.kinds import Experiment
from spadesim.designs.league.plotting import Plotting
from spadesim.designs.with_tables import WithTables
from spadesim.errors import UsageError, count_of, nearest
from spadesim.limits import GAMES_MAX, SETTINGS_MAX
from spadesim.rules import Rules, read_rules
from spadesim.tournament import tally

if TYPE_CHECKING:
    import pandas as pd

BLOCKS_AT_ONCE = 8_192  # more are played in several goes, to bound the memory
LOGGED_AT_ONCE = 512
LOGGED_IN_A_ROW = 64  # blocks: in so long runs a sampled log is spread over the league
LOG_PATTERN = r"^(deals(:(1(\.0*)?|0?\.\d+))?)?$"  # "deals", or a share of them behind a colon

TABLES_KEPT = 256

TABLE_NAMES = ("standings", "nils", "bags", "bids", "calibration", "orders", "seats", "head_to_head", "ratings")
SHOWN = ("standings", "nils", "bags", "orders", "seats", "head_to_head", "ratings")


class LeagueSpec(Experiment):
    """What a league is.

    Attributes
    ----------
    bots
        The field, as ``bidder+player``.
    games
        Games a table; rounded up to whole blocks.
    focus
        Bots; if any, only tables with one of them are played.
    on_fault
        "stop", "correct" or "forfeit" (R9).
    log
        "deals" to write every deal, a row a seat, under the output folder; "deals:0.01" for one block in a hundred.
    until
        If above 0, the league ends as soon as every win share's half-width is below it, or with `games`.
    decision_timeout
        Seconds that a strategy in Python may take for one answer; 0 for any.
    """

    bots: tuple[str, ...] = Field((), strict=False)
    games: int = Field(limits.GAMES, ge=1, le=GAMES_MAX)
    focus: tuple[str, ...] = Field((), strict=False)
    on_fault: Literal["stop", "correct", "forfeit"] = "stop"
    log: str = Field("", pattern=LOG_PATTERN)
    until: float = Field(0.0, ge=0, lt=1, strict=False)
    decision_timeout: float = Field(0.0, ge=0, strict=False)
    interpreted: bool = False

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return TABLE_NAMES

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return SHOWN

    def field(self, registry: Registry) -> list[str]:
        """List the bots, as texts."""
        return list(self.bots or standing_field())

    def beside(self, folder: Path) -> Self:
        """Take the files that it names as lying in a folder, those of bots included."""
        bots = tuple(bot_beside(bot, folder) for bot in self.bots)
        return super().beside(folder).model_copy(update={"bots": bots})


class SameSeatsSpec(LeagueSpec):
    """What a league is in which bots take turns in the same seats: each at a table with the last ones of the field."""

    @property
    def others(self) -> int:
        """How many are the last ones, against whom all play."""
        raise NotImplementedError


class CompareSpec(SameSeatsSpec):
    """What a comparison is: the first two bots, each at a table with all the others.

    A file names the two in `compare`, the others in `against`.

    Attributes
    ----------
    games
        At each of the two tables, at most.
    delta
        The smallest difference of win shares that matters.
    alpha, beta
        The probability of naming a better bot where they are equal, and of missing one that is better by delta.
    """

    delta: float = Field(0.01, gt=0, lt=1, strict=False)
    alpha: float = Field(0.05, gt=0, lt=0.5, strict=False)
    beta: float = Field(0.05, gt=0, lt=0.5, strict=False)

    only_in_files: ClassVar[tuple[str, ...]] = ("compare", "against")

    @property
    def others(self) -> int:
        """How many bots the two play against."""
        return len(self.bots) - 2

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return ("comparison", *TABLE_NAMES)

    @property
    def shown(self) -> tuple[str, ...]:
        """The one that is shown where none is asked for."""
        return ("comparison",)

    @model_validator(mode="before")
    @classmethod
    def _put_into_one_field(cls, values: dict[str, Any]) -> dict[str, Any]:
        if "compare" not in values:
            return values
        if "bots" in values:
            raise UsageError("bots stand beside compare; expected the others in against")
        others = {name: value for name, value in values.items() if name not in cls.only_in_files}
        two, against = values["compare"], values.get("against", [])
        if not isinstance(two, list) or len(two) != 2 or not isinstance(against, list):
            raise UsageError(f"compare is {two!r}, against {against!r}; expected a list of two bots and one of others")
        return others | {"bots": [*two, *against]}


class SweepSpec(SameSeatsSpec):
    """What a sweep is: a bot with the defaults of its parameters, then one for each setting, each with the others.

    A file names the others in `against`.

    Attributes
    ----------
    bots
        The others.
    sweep
        The bot and what is swept, as `sweeping.settings_of` reads it.
    sample
        How many settings are sampled; 0 for all of a grid.
    """

    sweep: str
    sample: int = Field(0, ge=0, le=SETTINGS_MAX)

    only_in_files: ClassVar[tuple[str, ...]] = ("against",)

    @property
    def others(self) -> int:
        """How many bots the settings play against."""
        return len(self.bots)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return ("sweep", "sweep_bids", *TABLE_NAMES)

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return ("sweep", "sweep_bids")

    def field(self, registry: Registry) -> list[str]:
        """List the bots: the defaults, the settings, the others."""
        return [*settings_of(self.sweep, registry, self.sample, self.seed), *self.bots]

    @model_validator(mode="before")
    @classmethod
    def _put_into_one_field(cls, values: dict[str, Any]) -> dict[str, Any]:
        if "against" not in values:
            return values
        if "bots" in values:
            raise UsageError("bots stand beside sweep; expected the others in against")
        return {name: each for name, each in values.items() if name != "against"} | {"bots": values["against"]}


class Job:
    """A league that is ready to be played, shard by shard: a table and some blocks, a pure function of the spec.

    Raises
    ------
    UsageError
        When the field is too small or names what does not exist.
    StrategyError
        When a strategy does not load.
    """

    def __init__(self, spec: LeagueSpec):
        self.spec = spec
        self.rules = read_rules(spec.rules)
        registry = find_strategies(spec.load)
        self.bots = registry.field(spec.field(registry))
        n, seats = len(self.bots), self.rules.bots
        if isinstance(spec, SameSeatsSpec) and spec.others != seats - 1:
            raise UsageError(f"{count_of(spec.others, 'bot')} to play against; expected {seats - 1} by these rules")
        if len(self.bots) < self.rules.bots:
            raise UsageError(
                f"{count_of(len(self.bots), 'bot')} in the field; expected at least {self.rules.bots} by these rules"
                f" (a bot may be named twice)"
            )
        self.focus = [place for text in spec.focus for place in self._focus(text, registry)]
        self.tables = tables_of(spec, n, seats, self.focus)
        self.n_seatings = len(seatings(self.rules))
        self.blocks = math.ceil(spec.games / self.n_seatings)
        self.table = lru_cache(TABLES_KEPT)(self._make_table)

    @property
    def games_a_table(self) -> int:
        """Games of each table, in whole blocks."""
        return self.blocks * self.n_seatings

    @property
    def log_period(self) -> int:
        """Of so many blocks in a row the first LOGGED_IN_A_ROW are logged; 0 for none."""
        if not self.spec.log:
            return 0
        share = float(self.spec.log.partition(":")[2] or 1)
        return max(round(LOGGED_IN_A_ROW / share), LOGGED_IN_A_ROW) if share > 0 else 0

    def text_of(self, bots: tuple[int, ...]) -> tuple[str, ...]:
        """Name a table by its bots; copies of a bot are not told apart, for they play alike."""
        return tuple(self.bots[i].spec for i in bots)

    def compile(self) -> None:
        """Compile all strategies, or load them, before anything is played; users' own first, as they may fail."""
        used = [each for bot in self.bots for each in (bot.bidder, bot.player)]
        for configured in sorted(used, key=lambda each: each.strategy.is_built_in):
            kernel(configured, self.rules.hands, self.spec.interpreted)
        self.table(self.tables[0]).load()

    def pool(self, blocks: int | None = None) -> tally.Pool:
        """Make room for the counts of so many blocks at all tables."""
        return tally.Pool(len(self.bots), self.tables, blocks or self.blocks, self.rules, self.n_seatings)

    def play(self, bots: tuple[int, ...], first: int, blocks: int) -> tuple[tally.TableCounts, list[np.ndarray]]:
        """Play blocks of a table; give its counts, and the log's rows where there is one.

        Raises
        ------
        BotFault
            When a bot is at fault and the spec says to stop: the lowest game.
        """
        table, rows, found = self.table(bots), [], []
        for start, number, logged in self._goes(first, blocks):
            counts = table.play(self.spec.seed, start, number, self.spec.on_fault, logged)
            if counts.has_fault and self.spec.on_fault == "stop":
                raise self._fault(bots, counts)
            found.append(tally.TableCounts.of(counts, start))
            rows += counts.log
        return reduce(add, found), rows

    def log_part(self, bots: tuple[int, ...], rows: list[np.ndarray]) -> bytes | None:
        """Write a table's rows of the log as a Parquet file; None where there are none."""
        if not rows:
            return None
        from spadesim.storage.deals_log import to_parquet

        return to_parquet(bots, rows, [bot.name for bot in self.bots], self.n_seatings)

    def _goes(self, first: int, blocks: int) -> Iterator[tuple[int, int, bool]]:
        """Divide blocks into (first, number, logged)."""
        period, end = self.log_period, first + blocks
        while first < end:
            logged = period > 0 and first % period < LOGGED_IN_A_ROW
            if period == LOGGED_IN_A_ROW:  # all
                until = first + LOGGED_AT_ONCE
            elif period:
                until = first - first % period + (LOGGED_IN_A_ROW if logged else period)
            else:
                until = end
            number = min(until, first + BLOCKS_AT_ONCE, end) - first
            yield first, number, logged
            first += number

    def source_digests(self) -> dict[str, str | None]:
        """Hash what is behind each strategy of the field (see the function of this name)."""
        return source_digests(self.bots)

    def _make_table(self, bots: tuple[int, ...]):
        spec = self.spec
        return make_table([self.bots[i] for i in bots], self.rules, spec.interpreted, spec.decision_timeout)

    def _focus(self, text: str, registry: Registry) -> list[int]:
        if "#" in text:
            places = [i for i, each in enumerate(self.bots) if each.name == text]
        else:
            bot = registry.bot(text)
            places = [i for i, each in enumerate(self.bots) if (each.bidder, each.player) == (bot.bidder, bot.player)]
        if not places:
            hint = nearest(text, [each.name for each in self.bots])
            raise UsageError(f"the bot in focus {text!r} is not in the field{hint}")
        return places

    def _fault(self, bots: tuple[int, ...], counts) -> faults.BotFault:
        at_table = [self.bots[i] for i in bots]
        record = faults.describe(counts.fault, counts.reason, at_table, self.spec.seed, self.rules, self.spec.load)
        return faults.to_error(record)


def source_digests(bots: Iterable[Bot]) -> dict[str, str | None]:
    """Hash what is behind each strategy of the bots; None where it reads values that cannot be hashed."""
    used = {each.strategy for bot in bots for each in (bot.bidder, bot.player)}
    digests = {}
    for strategy in sorted(used, key=lambda strategy: (strategy.role, strategy.name)):
        digests[f"{strategy.role} {strategy.name}"] = loading.digest(strategy.function)
        if strategy.blind_nil is not None:
            digests[f"blind nil of {strategy.name}"] = loading.digest(strategy.blind_nil)
    return digests


def tables_of(spec: LeagueSpec, n_bots: int, seats: int, focus: Sequence[int]) -> list[tuple[int, ...]]:
    """List who meets whom."""
    if isinstance(spec, SameSeatsSpec):
        others = range(n_bots - (seats - 1), n_bots)
        return [(bot, *others) for bot in range(others.start)]
    return tally.league_tables(n_bots, seats, focus)


def bot_beside(bot: str, folder: Path) -> str:
    """Take the file that a bot is kept in as lying in a folder."""
    return FILE + str(folder / bot[len(FILE) :]) if bot.startswith(FILE) else bot


@dataclass(repr=False)
class League(WithTables, Plotting):
    """A league that has been played; `plot_standings()` and so on draw it.

    Attributes
    ----------
    spec, rules, tally
        What was played, by which rules, and what was counted.
    bots
        The names, in the order of the field.
    tables : dict of DataFrame
        By name; each is an attribute too: ``result.standings``.
    complete : bool
        Whether all was played.
    failures : list of dict
        Tables that could not be finished, because a bot's code never came back or took the process with it.
    """

    kind = "league"

    spec: LeagueSpec
    rules: Rules
    tally: tally.Tally
    bots: list[str]
    tables: "dict[str, pd.DataFrame]"
    complete: bool = True
    failures: list[dict] = field(default_factory=list)

    @property
    def games_played(self) -> int:
        """Games at all tables."""
        return int(self.tally.games.sum()) // self.rules.bots

    def __repr__(self) -> str:
        return f"<League of {', '.join(self.bots)}: {self.tally.blocks:,} blocks; tables {', '.join(self.tables)}>"
