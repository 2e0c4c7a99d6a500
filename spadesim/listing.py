"""What there is, and whether it is fit to play: rows for the commands `strategies` and `check`."""

from collections.abc import Sequence
from pathlib import Path

from spadesim import faults, loading
from spadesim.check import bots_to_check, check
from spadesim.errors import unknown
from spadesim.presets import PRESETS, differences
from spadesim.registry import LISTING, Registry, declared_names, find_strategies, show_value
from spadesim.rules import Rules
from spadesim.strategy import Strategy

PARAMETERS_SHOWN = 3


def list_all(registry: Registry, short: bool = False) -> list[dict]:
    """List every bidder, player and named bot in a line; in a short list, without long lists of parameters."""
    rows = [
        {
            "role": role,
            "name": name,
            "kind": strategy.kind,
            "what": strategy.summary,
            "parameters": _parameters(strategy, short),
        }
        for role in ("bidder", "player")
        for name, strategy in sorted(getattr(registry, role).items())
    ]
    named = sorted(registry.bots.items())
    return rows + [{"role": "bot", "name": name, "kind": "", "what": spec, "parameters": ""} for name, spec in named]


def describe_one(registry: Registry, name: str) -> list[dict]:
    """Describe what goes by a name: a bidder, a player, a bot, or several of them."""
    found = [
        {
            "role": role,
            "name": name,
            "kind": each.kind,
            "parameters": each.parameters,
            "place": each.place,
            "text": _text(each),
        }
        for role in ("bidder", "player")
        if (each := getattr(registry, role).get(name)) is not None
    ]
    if name in registry.bots:
        found.append(
            {"role": "bot", "name": name, "spec": registry.bots[name], "text": f"bot {name}: {registry.bots[name]}"}
        )
    if not found:
        raise unknown("strategy", name, {*registry.bidder, *registry.player, *registry.bots}, LISTING)
    return found


def list_rules() -> list[dict]:
    """List the presets of rules: how many play, what they are dealt, and what differs from `cutthroat`."""
    return [
        {
            "rules": name, "players": rules.players, "hands": rules.hands, "cards_each": rules.cards_each,
            "bots": rules.bots, "differs": differences(rules),
        }
        for name, rules in PRESETS.items()
    ]  # fmt: skip


def check_rows(
    file_or_name: str, *, seed: int, load: Sequence[str], rules: Rules | None = None
) -> tuple[list[dict], list[str]]:
    """Check a strategy, or all of a file; return a row a bot, and in words what was wrong."""
    is_file = file_or_name.endswith(".py") or Path(file_or_name).is_file()
    load = [*load, file_or_name] if is_file else list(load)
    registry = find_strategies(load)
    names = declared_names(loading.load_file(file_or_name)) if is_file else [file_or_name]
    bots = dict.fromkeys(bot for name in names for bot in bots_to_check(registry, name))
    reports = [check(registry, bot, rules=rules, seed=seed, load=load) for bot in bots]
    rows = [
        {
            "bot": report.bot, "passed": report.passed, "legal": report.fault is None,
            "deterministic": report.deterministic, "kind": report.kind, "deals": report.deals,
            "deals_per_second": round(report.deals_per_second),
            "compile_seconds": "cached" if report.compile_seconds is None else round(report.compile_seconds, 2),
        }
        for report in reports
    ]  # fmt: skip
    wrong = [str(faults.to_error(report.fault)) for report in reports if report.fault is not None]
    wrong += [
        f"bot {report.bot!r} is not deterministic: the same games went another way the second time;"
        f" take random numbers from view.random alone"
        for report in reports
        if not report.deterministic
    ]
    return rows, wrong


def _parameters(strategy: Strategy, short: bool = False) -> str:
    if short and len(strategy.parameters) > PARAMETERS_SHOWN:
        return f"{len(strategy.parameters)} (spadesim strategies {strategy.name})"
    return ":".join(f"{name}={show_value(value)}" for name, value in strategy.parameters.items())


def _text(strategy: Strategy) -> str:
    parameters = _parameters(strategy).replace(":", "\n  ")
    head = f"{strategy.role} {strategy.name} ({strategy.kind}), {strategy.place}"
    return f"{head}\n\n{strategy.doc}\n\nparameters:\n  {parameters or 'none'}"
