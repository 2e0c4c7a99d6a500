"""Rows for the commands `strategies` and `check`: what there is, and whether it is fit to play."""

import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from spadesim.bots import faults, loading
from spadesim.bots.check import bots_to_check, check
from spadesim.bots.registry import BUNDLED, LISTING, Registry, declared_names, find_strategies, show_value
from spadesim.bots.strategy import Strategy
from spadesim.errors import unknown
from spadesim.rules import PRESETS, Rules, differences

PARAMETERS_SHOWN = 3
Row = dict[str, Any]


def list_all(registry: Registry) -> list[Row]:
    """Return a row for every bidder, player and named bot, by family: the strategies of one file."""
    costs = known_costs()
    rows = [
        {
            "family": _family(strategy),
            "role": role,
            "name": name,
            "kind": strategy.kind,
            "microseconds": costs.get(role, {}).get(name) if strategy.is_built_in else None,
            "what": strategy.summary,
            "parameters": _parameters(strategy),
            "origin": strategy.origin,
        }
        for role in ("bidder", "player")
        for name, strategy in registry.of_role(role).items()
    ]
    rows.sort(key=lambda row: (row["family"], row["role"], row["name"]))
    empty = dict.fromkeys(rows[0], "")
    named = sorted(registry.bots.items())
    bots = {"family": "bots", "role": "bot", "microseconds": None}
    return rows + [{**empty, **bots, "name": name, "what": spec} for name, spec in named]


def known_costs() -> dict[str, dict[str, float]]:
    """Return what a decision of each bundled strategy costs, in microseconds, as measured once on one machine."""
    return tomllib.loads(resources.files(BUNDLED).joinpath("costs.toml").read_text(encoding="utf-8"))


def as_groups(rows: Sequence[Row]) -> str:
    """Return the list as text: a paragraph per family, two lines per strategy."""
    lines: list[str] = []
    family = None
    for row in rows:
        if row["family"] != family:
            family = row["family"]
            lines += ["", family]
        cost = "" if row["microseconds"] is None else f"{row['microseconds']:.3g} µs"
        parameters = row["parameters"].split(":") if row["parameters"] else []
        set_by = f"  [{':'.join(parameters[:PARAMETERS_SHOWN])}{':…' if len(parameters) > PARAMETERS_SHOWN else ''}]"
        lines.append(f"  {row['role']:6}  {row['name']:16} {cost:>9}  {row['what']}{set_by if parameters else ''}")
        if row["origin"]:
            lines.append(f"{'':38}{row['origin']}")
    return "\n".join(lines[1:])


def describe_one(registry: Registry, name: str) -> list[Row]:
    """Return what a name stands for: a bidder, a player, a bot, or several of them."""
    found = [
        {
            "role": role,
            "name": name,
            "kind": strategy.kind,
            "parameters": strategy.parameters,
            "place": strategy.place,
            "text": _text(strategy),
        }
        for role in ("bidder", "player")
        if (strategy := registry.of_role(role).get(name)) is not None
    ]
    if name in registry.bots:
        found.append(
            {"role": "bot", "name": name, "spec": registry.bots[name], "text": f"bot {name}: {registry.bots[name]}"}
        )
    if not found:
        raise unknown("strategy", name, {*registry.bidder, *registry.player, *registry.bots}, LISTING)
    return found


def list_rules() -> list[Row]:
    """Return a row per preset of rules: how many play, what they are dealt, and what differs from `cutthroat`."""
    return [
        {
            "rules": name, "players": rules.players, "hands": rules.hands, "cards_each": rules.cards_each,
            "bots": rules.bots, "differs": differences(rules),
        }
        for name, rules in PRESETS.items()
    ]  # fmt: skip


def check_rows(
    file_or_name: str, *, seed: int, load: Sequence[str], rules: Rules | None = None
) -> tuple[list[Row], list[str]]:
    """Check a strategy, or all of a file; return a row per bot, and a sentence for everything that was wrong."""
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
        f"bot {report.bot!r} is not deterministic: the same games went differently the second time;"
        f" take random numbers from view.random only"
        for report in reports
        if not report.deterministic
    ]
    return rows, wrong


def _family(strategy: Strategy) -> str:
    return strategy.function.__module__.rpartition(".")[2]


def _parameters(strategy: Strategy) -> str:
    return ":".join(f"{name}={show_value(value)}" for name, value in strategy.parameters.items())


def _with_bounds(strategy: Strategy) -> list[str]:
    bounds = {name: f"  tuned between {low:g} and {high:g}" for name, (low, high) in strategy.bounds.items()}
    return [f"{name}={show_value(value)}{bounds.get(name, '')}" for name, value in strategy.parameters.items()]


def _text(strategy: Strategy) -> str:
    parameters = "\n  ".join(_with_bounds(strategy))
    head = f"{strategy.role} {strategy.name} ({strategy.kind}), {strategy.place}"
    return f"{head}\n\n{strategy.doc}\n\nparameters:\n  {parameters or 'none'}"
