"""From bots to a table that can play: each distinct strategy becomes one kernel."""

import itertools
from collections.abc import Sequence
from functools import cache, partial

from spadesim import loading
from spadesim.engine.compiling import uncompiled
from spadesim.engine.interpret import InterpretedKernel
from spadesim.engine.lift import fields_named, lift, role_fields
from spadesim.engine.table import Table
from spadesim.errors import StrategyError, nearest
from spadesim.inspection import attributes_of_first_argument
from spadesim.registry import Bot, Configured
from spadesim.rules import Rules
from spadesim.strategy import Strategy


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """List in which seats a table's bots meet: `seatings[k][seat]` is the bot."""
    return list(itertools.permutations(range(rules.players)))


def make_table(bots: Sequence[Bot], rules: Rules, interpreted: bool = False) -> Table:
    """Seat bots at a table.

    Parameters
    ----------
    bots
        As many as the rules seat.
    interpreted
        Play compiled strategies as plain Python, where print and pdb work.

    Raises
    ------
    StrategyError
        When a strategy reads a field that a view does not have or does not compile.
    """
    bidders, bidder_of = _distinct([bot.bidder for bot in bots])
    players, player_of = _distinct([bot.player for bot in bots])
    kernels = [
        [(kernel(each, rules.players, interpreted), _numbers(each)) for each in all] for all in (bidders, players)
    ]
    # a Python strategy may read fields where its own code does not name them, as in a method
    reads_voids = any(each.strategy.kind != "compiled" or "voids" in fields_of(each.strategy) for each in players)
    which = (bidder_of, player_of, reads_voids, partial(make_table, bots, rules, interpreted=True))
    return Table(rules, seatings(rules), kernels[0], kernels[1], *which)


def kernel(configured: Configured, hands: int, interpreted: bool):
    """Make the kernel of a strategy."""
    strategy = configured.strategy
    check_fields(strategy)
    if strategy.kind == "compiled" and not interpreted and not uncompiled():
        return _compiled(strategy.function, strategy.role, hands)
    kind = "array" if strategy.kind == "array" else "python"
    helpers = loading.helpers_of(strategy.function)
    return InterpretedKernel(strategy.function, strategy.role, kind, configured.settings, helpers)


@cache
def _compiled(function, role: str, hands: int):
    strategy = function.__spadesim__
    helpers = loading.helpers_of(function)
    return lift(function, role, strategy.parameters, helpers, loading.digest(function), strategy.name, hands)


def fields_of(strategy: Strategy) -> list[str]:
    """List the view fields that a strategy may read."""
    return fields_named([strategy.function, *loading.helpers_of(strategy.function)], strategy.role)


def check_fields(strategy: Strategy) -> None:
    """Refuse a strategy that reads a field which its view does not have."""
    fields = role_fields(strategy.role)
    for name, line in attributes_of_first_argument(strategy.function).items():
        if name not in fields:
            file = strategy.function.__code__.co_filename
            hint = nearest(name, fields) or f"; its fields are {', '.join(fields)}"
            raise StrategyError(
                f"{file}:{line}: {strategy.role} {strategy.name!r} reads view.{name},"
                f" but a {strategy.role}'s view has no such field{hint}"
            )


def _distinct(used: Sequence[Configured]) -> tuple[list[Configured], list[int]]:
    distinct: list[Configured] = []
    for each in used:
        if each not in distinct:
            distinct.append(each)
    return distinct, [distinct.index(each) for each in used]


def _numbers(configured: Configured) -> list:
    return [value for _, value in configured.values if not isinstance(value, str)]
