"""Measure what a decision costs: python -m spadesim.experiments.measure_costs writes strategies/costs.toml.

A table plays with the strategy at all seats and then with the cheapest one in its place; the difference in time per
decision is the cost. Medians of several runs, on one core; figures below a nanosecond are noise.
"""

import statistics
import time

import click

from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.experiments.fitting import STRATEGIES, write
from spadesim.rules import read_rules

SEED, SECONDS, RUNS = 1, 0.2, 5
CHEAPEST = {"bidder": "fixed", "player": "lowest"}
RULES = read_rules("cutthroat")
DECISIONS = {"bidder": 1, "player": RULES.cards_each}  # per seat and deal


def main() -> None:
    """Measure every bundled strategy, and write."""
    registry = find_strategies()
    costs = {}
    for role, base in CHEAPEST.items():
        for name in sorted(getattr(registry, role)):
            bots = [f"{name}+lowest" if role == "bidder" else f"fixed+{name}" for name in (name, base)]
            dear, cheap = (seconds_a_seat(registry, bot) for bot in bots)
            costs.setdefault(role, {})[name] = max(1e6 * (dear - cheap) / DECISIONS[role], 0.0)
            print(f"{role} {name}: {costs[role][name]:.4f} µs", flush=True)
    about = {"made_by": "experiments/measure_costs.py", "unit": "microseconds a decision"}
    write(STRATEGIES / "costs.toml", about, costs)


def seconds_a_seat(registry, bot: str) -> float:
    """Return the seconds per seat and deal that a bot takes at all seats."""
    table = make_table(registry.field([bot] * 3), RULES)
    blocks, took = 1, 0.0
    table.play(SEED, 0, 1)
    while took < SECONDS:
        blocks *= 2
        took, _ = timed(table, blocks)
    return statistics.median(took / deals for took, deals in (timed(table, blocks) for _ in range(RUNS)))


def timed(table, blocks: int) -> tuple[float, int]:
    """Play some streams; return the seconds, and the deals counted by seat."""
    started = time.perf_counter()
    counts = table.play(SEED, 0, blocks)
    return time.perf_counter() - started, int(counts.deals.sum())


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
