"""A league: all tables of a field meet, each in every seating of the same deals."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from spadesim import defaults, faults, loading, tally
from spadesim.errors import UsageError, count_of, nearest
from spadesim.limits import GAMES_MAX, SEED_MAX
from spadesim.prepare import kernel, make_table, seatings
from spadesim.presets import read_rules
from spadesim.registry import Registry, find_strategies
from spadesim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

CHUNKS = 16  # at least so many parts, so that all workers end at about the same time
BLOCKS_MAX = 10_240
CELLS_MAX = 1 << 22  # blocks × pairs of bots that a worker pools at once
LOG_ROWS_MAX = 1 << 20
DEALS_A_GAME = 8  # roughly, to bound the log's memory
TABLES_KEPT = 256

Progress = Callable[[int], None]


class LeagueSpec(BaseModel):
    """What a league is, and all that its figures depend on besides the strategies' sources.

    Attributes
    ----------
    bots
        The field, as ``bidder+player``.
    games
        Games a table; rounded up to whole blocks.
    seed
        0 … 2**64 - 1.
    rules
        A preset or a TOML file, and fields that are changed, as `presets.read_rules` reads them.
    focus
        Bots; if any, only tables with one of them are played.
    on_fault
        "stop", "correct" or "forfeit" (R9).
    log
        "deals" to write every deal, a row a seat, under the output folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    bots: tuple[str, ...] = Field((), strict=False)
    games: int = Field(defaults.GAMES, ge=1, le=GAMES_MAX)
    seed: int = Field(defaults.SEED, ge=0, le=SEED_MAX)
    rules: str = "cutthroat"
    load: tuple[str, ...] = Field((), strict=False)
    focus: tuple[str, ...] = Field((), strict=False)
    on_fault: Literal["stop", "correct", "forfeit"] = "stop"
    log: Literal["", "deals"] = ""
    interpreted: bool = False


class Job:
    """A league that is ready to be played, chunk by chunk; each chunk is a pure function of the spec.

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
        self.bots = registry.field(spec.bots or standing_field())
        if len(self.bots) < self.rules.bots:
            raise UsageError(
                f"{count_of(len(self.bots), 'bot')} in the field; expected at least {self.rules.bots} by these rules"
                f" (a bot may be named twice)"
            )
        focus = [self._focus(text, registry) for text in spec.focus]
        self.tables = tally.league_tables(len(self.bots), self.rules.bots, [i for bots in focus for i in bots])
        self.n_seatings = len(seatings(self.rules))
        self.blocks = math.ceil(spec.games / self.n_seatings)
        self.table = lru_cache(TABLES_KEPT)(self._make_table)

    @property
    def games_a_table(self) -> int:
        """Games of each table, in whole blocks."""
        return self.blocks * self.n_seatings

    def compile(self) -> None:
        """Compile all strategies, or load them, before anything is played; users' own first, as they may fail."""
        used = [each for bot in self.bots for each in (bot.bidder, bot.player)]
        for configured in sorted(used, key=lambda each: each.strategy.is_built_in):
            kernel(configured, self.rules.hands, self.spec.interpreted)
        pool = tally.BlockCounts(len(self.bots), 1, self.rules, self.n_seatings)
        pool.add(self.tables[0], self.table(self.tables[0]).load())
        pool.tally()

    def chunks(self) -> list[tuple[int, int]]:
        """Divide the blocks into (first, number), whatever the workers."""
        most = min(BLOCKS_MAX, CELLS_MAX // len(self.bots) ** 2)
        if self.spec.log:
            rows_a_block = len(self.tables) * self.n_seatings * DEALS_A_GAME * self.rules.players
            most = min(most, LOG_ROWS_MAX // rows_a_block)
        size = max(1, min(most, max(64, math.ceil(self.blocks / CHUNKS))))
        return [(first, min(size, self.blocks - first)) for first in range(0, self.blocks, size)]

    def play(
        self, first: int, blocks: int, log_file: Path | None = None, progress: Progress | None = None
    ) -> tally.Tally:
        """Play a chunk of blocks at all tables.

        Raises
        ------
        BotFault
            When a bot is at fault and the spec says to stop: the first table's lowest game.
        """
        pool = tally.BlockCounts(len(self.bots), blocks, self.rules, self.n_seatings)
        rows = []
        for bots in self.tables:
            table = self.table(bots)
            counts = table.play(self.spec.seed, first, blocks, self.spec.on_fault, log_file is not None, progress)
            if counts.has_fault and self.spec.on_fault == "stop":
                raise self._fault(bots, counts)
            pool.add(bots, counts)
            if log_file is not None:
                rows.append((bots, counts.log))
        if log_file is not None:
            from spadesim.dealslog import write_part

            write_part(log_file, rows, [bot.name for bot in self.bots], self.n_seatings)
        return pool.tally()

    def source_digests(self) -> dict[str, str | None]:
        """Hash what is behind each strategy of the field; None where it reads values that cannot be hashed."""
        used = {each.strategy for bot in self.bots for each in (bot.bidder, bot.player)}
        digests = {}
        for strategy in sorted(used, key=lambda strategy: (strategy.role, strategy.name)):
            digests[f"{strategy.role} {strategy.name}"] = loading.digest(strategy.function)
            if strategy.blind_nil is not None:
                digests[f"blind nil of {strategy.name}"] = loading.digest(strategy.blind_nil)
        return digests

    def _make_table(self, bots: tuple[int, ...]):
        return make_table([self.bots[i] for i in bots], self.rules, self.spec.interpreted)

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


def standing_field() -> tuple[str, ...]:
    """Name the bots of a league that names none."""
    from spadesim.strategies import STANDING_FIELD

    return STANDING_FIELD


@dataclass(repr=False)
class League:
    """A league that has been played.

    Attributes
    ----------
    spec, rules, tally
        What was played, by which rules, and what was counted.
    bots
        The names, in the order of the field.
    tables : dict of DataFrame
        By name; each is an attribute too: ``result.standings``.
    """

    spec: LeagueSpec
    rules: Rules
    tally: tally.Tally
    bots: list[str]
    tables: "dict[str, pd.DataFrame]"

    @property
    def games_played(self) -> int:
        """Games at all tables."""
        return int(self.tally.games.sum()) // self.rules.bots

    def __repr__(self) -> str:
        return f"<League of {', '.join(self.bots)}: {self.tally.blocks:,} blocks; tables {', '.join(self.tables)}>"

    def __dir__(self):
        return [*super().__dir__(), *self.tables]

    def __getattr__(self, name: str):
        tables = self.__dict__.get("tables", {})
        if name in tables:
            return tables[name]
        raise AttributeError(f"a league has no table {name!r}; its tables are {', '.join(tables)}")
