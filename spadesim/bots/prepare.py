"""From bots to a table that can play: each distinct strategy becomes one kernel."""

import itertools
from collections.abc import Sequence
from functools import cache, partial

from spadesim.bots import loading
from spadesim.bots.registry import Bot, Configured
from spadesim.bots.strategy import Strategy
from spadesim.engine.compile.cache import uncompiled
from spadesim.engine.compile.inspection import attributes_of_first_argument, keywords_of
from spadesim.engine.kernels.interpret import InterpretedKernel
from spadesim.engine.kernels.lift import fields_named, lift, reads_voids, role_fields
from spadesim.engine.table import Table
from spadesim.errors import StrategyError, nearest
from spadesim.rules import Rules

ALL_ORDERS_UP_TO = 3


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """List in which seats a table's bots meet: `seatings[k][seat]` is the bot.

    Two and three play in every order; more go round the table, in the order given and in its reverse; two that each
    play both hands of a side change sides.
    """
    order = tuple(range(rules.bots))
    if rules.partnerships:
        return [order * 2, order[::-1] * 2]
    if len(order) <= ALL_ORDERS_UP_TO:
        return list(itertools.permutations(order))
    return [way[i:] + way[:i] for way in (order, order[::-1]) for i in order]


def make_table(bots: Sequence[Bot], rules: Rules, interpreted: bool = False, seconds: float = 0.0) -> Table:
    """Seat bots at a table.

    Parameters
    ----------
    bots
        As many as the rules seat.
    interpreted
        Play compiled strategies as plain Python, where print and pdb work.
    seconds
        That a strategy in Python may take for one answer; 0 for any.

    Raises
    ------
    StrategyError
        When a strategy reads a field that a view does not have or does not compile.
    """
    bidders, bidder_of = _distinct([bot.bidder for bot in bots])
    players, player_of = _distinct([bot.player for bot in bots])
    kernels = [
        [(kernel(each, rules.hands, interpreted, seconds), _numbers(each)) for each in all]
        for all in (bidders, players)
    ]
    blinds = [blind_kernel(each, rules.hands, interpreted, seconds) if rules.blind_nil else None for each in bidders]
    # a Python strategy may read fields where its own code does not name them, as in a method
    notes_voids = any(each.strategy.kind != "compiled" or reads_voids(fields_of(each.strategy)) for each in players)
    which = (bidder_of, player_of, notes_voids, partial(make_table, bots, rules, interpreted=True, seconds=seconds))
    return Table(rules, seatings(rules), kernels[0], kernels[1], blinds, *which)


def kernel(configured: Configured, hands: int, interpreted: bool, seconds: float = 0.0):
    """Make the kernel of a strategy."""
    strategy = configured.strategy
    return _kernel(strategy, strategy.function, strategy.role, configured.settings, hands, interpreted, seconds)


def blind_kernel(configured: Configured, hands: int, interpreted: bool, seconds: float):
    """Make the kernel that asks a bidder whether it bids nil blind; None where it never does."""
    strategy = configured.strategy
    if strategy.blind_nil is None:
        return None
    settings = {name: configured.settings[name] for name in keywords_of(strategy.blind_nil)}
    return _kernel(strategy, strategy.blind_nil, "blind", settings, hands, interpreted, seconds)


def _kernel(strategy: Strategy, function, role: str, settings: dict, hands: int, interpreted: bool, seconds: float):
    check_fields(strategy, function, role)
    if strategy.kind == "compiled" and not interpreted and not uncompiled():
        return _compiled(strategy, function, role, hands)
    kind = "array" if strategy.kind == "array" else "python"
    name, helpers = f"{strategy.role} {strategy.name!r}", loading.helpers_of(function)
    return InterpretedKernel(name, function, role, kind, settings, helpers, seconds)


@cache
def _compiled(strategy: Strategy, function, role: str, hands: int):
    helpers = loading.helpers_of(function)
    return lift(function, role, strategy.parameters, helpers, loading.digest(function), strategy.name, hands)


def fields_of(strategy: Strategy) -> list[str]:
    """List the view fields that a strategy may read."""
    return fields_named([strategy.function, *loading.helpers_of(strategy.function)], strategy.role)


def check_fields(strategy: Strategy, function=None, role: str = "") -> None:
    """Refuse a strategy that reads a field which its view does not have."""
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
    for each in used:
        if each not in distinct:
            distinct.append(each)
    return distinct, [distinct.index(each) for each in used]


def _numbers(configured: Configured) -> list:
    return [value for _, value in configured.values if not isinstance(value, str)]
