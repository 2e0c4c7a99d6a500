"""Is a strategy legal, deterministic, and how fast? To be asked before it enters a league."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from spadesim.bots import faults
from spadesim.bots.prepare import kernel, make_table
from spadesim.bots.registry import LISTING, Registry
from spadesim.engine.compile.cache import listeners
from spadesim.errors import unknown
from spadesim.rules import Rules, as_rules

DEALS = 20_000
SECONDS = 10.0
BLOCKS_A_STEP = 64
PARTNER = {"bidder": "need_or_duck", "player": "quick"}  # what a lone bidder plays like, or a lone player bids


@dataclass
class Report:
    """What a check found out about one bot.

    Attributes
    ----------
    compile_seconds : float or None
        None where the machine code was there already or nothing is compiled.
    fault : dict or None
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
    fault: dict | None

    @property
    def passed(self) -> bool:
        """Whether it may enter a league."""
        return self.fault is None and self.deterministic


def bots_to_check(registry: Registry, name: str) -> list[str]:
    """Complete the name of a bot, a bidder or a player to bots that can be seated."""
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
    """Play a bot in every seat against itself, twice.

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
        When it does not exist or does not compile.
    """
    rules = as_rules(rules)
    bots = registry.field([name] * rules.bots)
    compile_seconds = _compile(bots[0], rules)
    first = _play(bots, rules, seed, n_steps=None)
    again = _play(bots, rules, seed, n_steps=first["steps"])
    fault = first["fault"] or again["fault"]
    record = None
    if fault is not None:
        record = faults.describe(fault.fault, fault.reason, bots, seed, rules, load)
    return Report(
        bot=name,
        kind=" + ".join(sorted({bots[0].bidder.strategy.kind, bots[0].player.strategy.kind})),
        deals=first["deals"],
        games=first["games"],
        deals_per_second=first["deals"] / first["seconds"],
        compile_seconds=compile_seconds,
        deterministic=first["counts"] == again["counts"],
        fault=record,
    )


def _compile(bot, rules: Rules) -> float | None:
    compiled: list[str] = []
    listeners.append(compiled.append)
    started = time.perf_counter()
    try:
        for configured in (bot.bidder, bot.player):
            kernel(configured, rules.hands, False)
    finally:
        listeners.remove(compiled.append)
    return time.perf_counter() - started if compiled else None


def _play(bots, rules: Rules, seed: int, n_steps: int | None) -> dict:
    """Play steps of more and more blocks until there are enough deals, or exactly so many steps."""
    table = make_table(bots, rules)
    table.play(seed, 1 << 40, 1)  # loads the loop, so that only playing is timed
    done: dict = {"counts": [], "deals": 0, "games": 0, "steps": 0, "blocks": 0, "fault": None}
    started = time.perf_counter()
    while done["steps"] < n_steps if n_steps is not None else done["steps"] == 0 or _goes_on(done, started):
        blocks = min(1 << done["steps"], BLOCKS_A_STEP)  # few at first, for a strategy that takes long
        counts = table.play(seed, done["blocks"], blocks)
        done["counts"].append((counts.deals.tobytes(), counts.results.tobytes()))
        done["deals"] += int(counts.deals.sum()) // rules.players
        done["games"] += blocks * table.n_seatings
        done["blocks"] += blocks
        done["steps"] += 1
        if counts.has_fault:
            done["fault"] = counts
            break
    done["seconds"] = time.perf_counter() - started
    return done


def _goes_on(done: dict, started: float) -> bool:
    return done["deals"] < DEALS and time.perf_counter() - started < SECONDS
