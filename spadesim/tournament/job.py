"""A job: a spec that is ready to be played, shard by shard."""

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import add
from typing import Any, ClassVar, Protocol

import numpy as np

from spadesim.bots import faults, loading
from spadesim.bots.prepare import kernel, make_table, seatings
from spadesim.bots.registry import Bot, Registry, find_strategies
from spadesim.engine.table import Counts, Table
from spadesim.errors import BotFault, UsageError, count_of, nearest
from spadesim.rules import read_rules
from spadesim.tournament.stopping import FixedGames
from spadesim.tournament.tally import Pool, TableCounts

BLOCKS_AT_ONCE = 8_192  # more are played in several goes, to bound the memory
LOGGED_AT_ONCE = 512
LOGGED_IN_A_ROW = 64  # blocks: in runs at least this long a sampled log is spread over the run
TABLES_KEPT = 256


class JobSpec(Hashable, Protocol):
    """What a job must know; `designs.league.spec.LeagueSpec` says what each attribute means."""

    design: ClassVar[str]

    @property
    def seed(self) -> int: ...
    @property
    def rules(self) -> str: ...
    @property
    def load(self) -> tuple[str, ...]: ...
    @property
    def games(self) -> int: ...
    @property
    def focus(self) -> tuple[str, ...]: ...
    @property
    def on_fault(self) -> str: ...
    @property
    def log(self) -> str: ...
    @property
    def until(self) -> float: ...
    @property
    def decision_timeout(self) -> float: ...
    @property
    def interpreted(self) -> bool: ...

    def field(self, registry: Registry) -> list[str]:
        """List the bots, as texts."""

    def meetings(self, n_bots: int, seats: int, focus: Sequence[int]) -> list[tuple[int, ...]]:
        """List the tables: which bots of the field meet."""

    def stopping(self) -> FixedGames:
        """Return when the job has seen enough."""

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """Return its values by name."""

    def as_python(self) -> "JobSpec":
        """Return the same job, its strategies played as plain Python."""


class Job:
    """A job that is ready to be played, shard by shard: a table and some blocks, a pure function of the spec.

    Raises
    ------
    UsageError
        When the field is too small or names what does not exist.
    StrategyError
        When a strategy does not load.
    """

    def __init__(self, spec: JobSpec):
        self.spec = spec
        self.rules = read_rules(spec.rules)
        registry = find_strategies(spec.load)
        self.bots = registry.field(spec.field(registry))
        n, seats = len(self.bots), self.rules.bots
        if n < seats:
            raise UsageError(
                f"{count_of(n, 'bot')} in the field; expected at least {seats} by these rules"
                f" (a bot may be named twice)"
            )
        self.focus = [place for text in spec.focus for place in self._focus(text, registry)]
        self.tables = spec.meetings(n, seats, self.focus)
        self.n_seatings = len(seatings(self.rules))
        self.blocks = math.ceil(spec.games / self.n_seatings)
        self.table = lru_cache(TABLES_KEPT)(self._make_table)

    @property
    def names(self) -> list[str]:
        """Names of the bots, in the order of the field."""
        return [bot.name for bot in self.bots]

    @property
    def games_a_table(self) -> int:
        """Games of each table, in whole blocks."""
        return self.blocks * self.n_seatings

    @property
    def log_period(self) -> int:
        """Of this many blocks in a row the first LOGGED_IN_A_ROW are logged; 0 for none."""
        if not self.spec.log:
            return 0
        share = float(self.spec.log.partition(":")[2] or 1)
        return max(round(LOGGED_IN_A_ROW / share), LOGGED_IN_A_ROW) if share > 0 else 0

    def text_of(self, bots: tuple[int, ...]) -> tuple[str, ...]:
        """Name a table by its bots; copies of a bot are not told apart, for they play alike."""
        return tuple(self.bots[i].spec for i in bots)

    def compile(self) -> None:
        """Compile all strategies, or load them, before anything is played; users' own first, as they may fail."""
        used = [half for bot in self.bots for half in (bot.bidder, bot.player)]
        for configured in sorted(used, key=lambda half: half.strategy.is_built_in):
            kernel(configured, self.rules.hands, self.spec.interpreted)
        self.table(self.tables[0]).load()

    def pool(self, blocks: int | None = None) -> Pool:
        """Make room for the counts of so many blocks at all tables."""
        return Pool(len(self.bots), self.tables, blocks or self.blocks, self.rules, self.n_seatings)

    def play(self, bots: tuple[int, ...], first: int, blocks: int) -> tuple[TableCounts, list[np.ndarray]]:
        """Play blocks of a table; return its counts, and the log's rows where there is one.

        Raises
        ------
        BotFault
            When a bot is at fault and the spec says to stop: the lowest game.
        """
        table, rows, found = self.table(bots), [], []
        for start, number, logged in self._stretches(first, blocks):
            counts = table.play(self.spec.seed, start, number, self.spec.on_fault, logged)
            if counts.has_fault and self.spec.on_fault == "stop":
                raise self._fault(bots, counts)
            found.append(TableCounts.of(counts, start))
            rows += counts.log
        return reduce(add, found), rows

    def log_part(self, bots: tuple[int, ...], rows: list[np.ndarray]) -> bytes | None:
        """Write a table's rows of the log as a Parquet file; None where there are none."""
        if not rows:
            return None
        from spadesim.storage.deals_log import to_parquet  # pyarrow takes long to import

        return to_parquet(bots, rows, self.names, self.n_seatings)

    def _stretches(self, first: int, blocks: int) -> Iterator[tuple[int, int, bool]]:
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

    def _make_table(self, bots: tuple[int, ...]) -> Table:
        spec = self.spec
        return make_table([self.bots[i] for i in bots], self.rules, spec.interpreted, spec.decision_timeout)

    def _focus(self, text: str, registry: Registry) -> list[int]:
        if "#" in text:
            places = [i for i, bot in enumerate(self.bots) if bot.name == text]
        else:
            wanted = registry.bot(text)
            halves = (wanted.bidder, wanted.player)
            places = [i for i, bot in enumerate(self.bots) if (bot.bidder, bot.player) == halves]
        if not places:
            raise UsageError(f"the bot in focus {text!r} is not in the field{nearest(text, self.names)}")
        return places

    def _fault(self, bots: tuple[int, ...], counts: Counts) -> BotFault:
        at_table = [self.bots[i] for i in bots]
        record = faults.describe(counts.fault, counts.reason, at_table, self.spec.seed, self.rules, self.spec.load)
        return faults.to_error(record)


def source_digests(bots: Iterable[Bot]) -> dict[str, str | None]:
    """Hash what is behind each strategy of the bots; None where it reads values that cannot be hashed."""
    used = {half.strategy for bot in bots for half in (bot.bidder, bot.player)}
    digests = {}
    for strategy in sorted(used, key=lambda strategy: (strategy.role, strategy.name)):
        digests[f"{strategy.role} {strategy.name}"] = loading.digest(strategy.function)
        if strategy.blind_nil is not None:
            digests[f"blind nil of {strategy.name}"] = loading.digest(strategy.blind_nil)
    return digests
