"""Seat bots at a table that can play: each distinct strategy becomes one kernel."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from spadesim.bots import loading
from spadesim.bots.registry import Bot, Configured
from spadesim.bots.strategy import Function, Strategy
from spadesim.engine.compile.cache import uncompiled
from spadesim.engine.compile.inspection import attributes_of_first_argument, keywords_of
from spadesim.engine.kernels.interpret import InterpretedKernel
from spadesim.engine.kernels.lift import fields_named, lift, reads_voids, role_fields
from spadesim.engine.table import Strategies, Table
from spadesim.errors import StrategyError, nearest
from spadesim.rules import Rules

ALL_ORDERS_UP_TO = 3  # bots at a table
Kernel = Any  # a compiled kernel, of which mypy knows nothing, or an `InterpretedKernel`


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """Return the seatings in which a table's bots meet: `seatings[k][seat]` is the bot.

    Two and three play in every order; more are rotated round the table, in the order given and in its reverse; two that
    each play both hands of a side change sides.
    """
    order = tuple(range(rules.bots))
    if rules.partnerships:
        return [order * 2, order[::-1] * 2]
    if len(order) <= ALL_ORDERS_UP_TO:
        return list(itertools.permutations(order))
    return [way[i:] + way[:i] for way in (order, order[::-1]) for i in order]


def make_table(bots: Sequence[Bot], rules: Rules, interpreted: bool = False, seconds: float = 0.0) -> Table:
    """Return a table with bots in their seats.

    Parameters
    ----------
    bots
        As many as the rules seat.
    interpreted
        Play compiled strategies as plain Python, where print and pdb work.
    seconds
        The seconds that a Python strategy may take for one answer; 0 for no limit.

    Raises
    ------
    StrategyError
        When a strategy reads a field that its view does not have, or does not compile.
    """
    bidders, players = _distinct([bot.bidder for bot in bots]), _distinct([bot.player for bot in bots])
    made = [
        Strategies(
            [kernel(configured, rules.hands, interpreted, seconds) for configured in distinct],
            [_numbers(configured) for configured in distinct],
            of_bot,
        )
        for distinct, of_bot in (bidders, players)
    ]
    if rules.blind_nil:
        blinds = [blind_kernel(configured, rules.hands, interpreted, seconds) for configured in bidders[0]]
        made[0] = replace(made[0], blinds=blinds)
    # a Python strategy may read fields that its own code does not name, as in a method
    notes_voids = any(
        player.strategy.kind != "compiled" or reads_voids(fields_of(player.strategy)) for player in players[0]
    )
    as_python = partial(make_table, bots, rules, interpreted=True, seconds=seconds)
    return Table(rules, seatings(rules), made[0], made[1], notes_voids, as_python)


def kernel(configured: Configured, hands: int, interpreted: bool, seconds: float = 0.0) -> Kernel:
    """Return the kernel of a strategy."""
    strategy = configured.strategy
    asked = _Asked(strategy, strategy.function, strategy.role, configured.settings)
    return _kernel(asked, hands, interpreted, seconds)


def blind_kernel(configured: Configured, hands: int, interpreted: bool, seconds: float) -> Kernel | None:
    """Return the kernel that asks a bidder whether it bids nil blind; None where it never does."""
    strategy = configured.strategy
    if strategy.blind_nil is None:
        return None
    settings = {name: configured.settings[name] for name in keywords_of(strategy.blind_nil)}
    return _kernel(_Asked(strategy, strategy.blind_nil, "blind", settings), hands, interpreted, seconds)


@dataclass(frozen=True)
class _Asked:
    """A function of a strategy that is asked: its bid, its card, or whether it bids nil blind."""

    strategy: Strategy
    function: Function
    role: str
    settings: dict[str, Any]


def _kernel(asked: _Asked, hands: int, interpreted: bool, seconds: float) -> Kernel:
    strategy, function = asked.strategy, asked.function
    check_fields(strategy, function, asked.role)
    if strategy.kind == "compiled" and not interpreted and not uncompiled():
        return _compiled(strategy, function, asked.role, hands)
    kind = "array" if strategy.kind == "array" else "python"
    name, helpers = f"{strategy.role} {strategy.name!r}", loading.helpers_of(function)
    return InterpretedKernel(name, function, asked.role, kind, asked.settings, helpers, seconds)


@cache
def _compiled(strategy: Strategy, function: Function, role: str, hands: int) -> Kernel:
    helpers = loading.helpers_of(function)
    return lift(function, role, strategy.parameters, helpers, loading.digest(function), strategy.name, hands)


def fields_of(strategy: Strategy) -> list[str]:
    """Return the view fields that a strategy may read."""
    return fields_named([strategy.function, *loading.helpers_of(strategy.function)], strategy.role)


def check_fields(strategy: Strategy, function: Function | None = None, role: str = "") -> None:
    """Refuse a strategy that reads a field that its view does not have."""
    function, role = function or strategy.function, role or strategy.role
    fields = role_fields(role)
    for name, line in attributes_of_first_argument(function).items():
        if name not in fields:
            file = function.__code__.co_filename
            unseen = role == "blind" and name in role_fields("bidder")
            when = " before it sees its cards" if unseen else ""
            hint = "" if unseen else nearest(name, fields) or f"; its fields are {', '.join(fields)}"
            raise StrategyError(
                f"{file}:{line}: {strategy.role} {strategy.name!r} reads view.{name},"
                f" but a {strategy.role}'s view has no such field{when}{hint}"
            )


def _distinct(used: Sequence[Configured]) -> tuple[list[Configured], list[int]]:
    distinct: list[Configured] = []
    for configured in used:
        if configured not in distinct:
            distinct.append(configured)
    return distinct, [distinct.index(configured) for configured in used]


def _numbers(configured: Configured) -> list[Any]:
    return [value for _, value in configured.values if not isinstance(value, str)]
