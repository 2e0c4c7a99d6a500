"""Check a strategy before it enters a league: is it legal, is it deterministic, and how fast is it?"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from spadesim.bots import faults
from spadesim.bots.prepare import kernel, make_table
from spadesim.bots.registry import LISTING, Bot, Registry
from spadesim.engine.compile.cache import listeners
from spadesim.engine.table import Counts
from spadesim.errors import unknown
from spadesim.rules import Rules, as_rules

DEALS = 20_000
SECONDS = 10.0
BLOCKS_A_STEP = 64
PARTNER = {"bidder": "need_or_duck", "player": "quick"}  # the player for a lone bidder, the bidder for a lone player


@dataclass
class Report:
    """What a check found about one bot.

    Attributes
    ----------
    compile_seconds : float or None
        None where the machine code was cached, or nothing is compiled.
    fault : Record or None
        The first fault (`faults.describe`).
    deterministic : bool
        Whether the same games went the same way twice.
    """

    bot: str
    kind: str
    deals: int
    games: int
    deals_per_second: float
    compile_seconds: float | None
    deterministic: bool
    fault: faults.Record | None

    @property
    def passed(self) -> bool:
        """Whether the bot may enter a league."""
        return self.fault is None and self.deterministic


def bots_to_check(registry: Registry, name: str) -> list[str]:
    """Return the bots to check for the name of a bot, a bidder or a player."""
    if registry.is_bot(name):
        return [name]
    base = name.split(":")[0]
    found = []
    if base in registry.bidder:
        found.append(f"{name}+{PARTNER['bidder']}")
    if base in registry.player:
        found.append(f"{PARTNER['player']}+{name}")
    if not found:
        raise unknown("strategy", base, {*registry.bidder, *registry.player, *registry.bots}, LISTING)
    return found


def check(
    registry: Registry, name: str, *, rules: Rules | str | None = None, seed: int = 1, load: Sequence[str] = ()
) -> Report:
    """Play a bot against copies of itself, twice, and return a report.

    Parameters
    ----------
    name
        A bot.

    Returns
    -------
    Report
        After 20,000 deals or 10 seconds, whichever ends first.

    Raises
    ------
    UsageError
        When the bot does not exist or does not compile.
    """
    rules = as_rules(rules)
    bots = registry.field([name] * rules.bots)
    compile_seconds = _compile(bots[0], rules)
    first = _play(bots, rules, seed, n_steps=None)
    again = _play(bots, rules, seed, n_steps=first.steps)
    at_fault = first.at_fault or again.at_fault
    record = None
    if at_fault is not None:
        record = faults.describe(at_fault.fault, at_fault.reason, bots, seed, rules, load)
    return Report(
        bot=name,
        kind=" + ".join(sorted({bots[0].bidder.strategy.kind, bots[0].player.strategy.kind})),
        deals=first.deals,
        games=first.games,
        deals_per_second=first.deals / first.seconds,
        compile_seconds=compile_seconds,
        deterministic=first.counts == again.counts,
        fault=record,
    )


def _compile(bot: Bot, rules: Rules) -> float | None:
    """Compile a bot; return the seconds it took, or None where nothing had to be compiled."""
    compiled: list[str] = []
    listeners.append(compiled.append)
    started = time.perf_counter()
    try:
        for configured in (bot.bidder, bot.player):
            kernel(configured, rules.hands, False)
    finally:
        listeners.remove(compiled.append)
    return time.perf_counter() - started if compiled else None


@dataclass
class _Played:
    """What was played so far, step by step."""

    steps: int = 0
    blocks: int = 0
    deals: int = 0
    games: int = 0
    seconds: float = 0.0
    counts: list[tuple[bytes, bytes]] = field(default_factory=list)
    at_fault: Counts | None = None

    @property
    def is_enough(self) -> bool:
        """Whether there are enough deals, or no more time."""
        return self.steps > 0 and (self.deals >= DEALS or self.seconds >= SECONDS)


def _play(bots: Sequence[Bot], rules: Rules, seed: int, n_steps: int | None) -> _Played:
    """Play steps of more and more blocks, until there are enough deals or for this many steps."""
    table = make_table(bots, rules)
    table.play(seed, 1 << 40, 1)  # loads the loop, so that only playing is timed
    played = _Played()
    started = time.perf_counter()
    while played.steps < n_steps if n_steps is not None else not played.is_enough:
        blocks = min(1 << played.steps, BLOCKS_A_STEP)  # few at first, for a strategy that takes long
        counts = table.play(seed, played.blocks, blocks)
        played.counts.append((counts.deals.tobytes(), counts.results.tobytes()))
        played.deals += int(counts.deals.sum()) // rules.players
        played.games += blocks * table.n_seatings
        played.blocks += blocks
        played.steps += 1
        played.seconds = time.perf_counter() - started
        if counts.has_fault:
            played.at_fault = counts
            break
    return played
