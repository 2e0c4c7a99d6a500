"""Measure how many deals a search plays on to the end: python -m spadesim.experiments.measure_rollouts prints it.

Every card of a fresh hand is played on in many worlds, on one core; the time includes dealing the worlds, choosing them
by the bids, and scoring. Beside it is printed what a league of the same player plays in the same process.
"""

import statistics
import time

import click

from spadesim import testing
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.rules import read_rules
from spadesim.search import CHANCES, make_card_evaluator
from spadesim.strategies.basics import need_or_duck
from spadesim.strategies.steady import steady

HAND = "AS 9S 6S 3S KH 9H 6H 5H AD JD 8D 4D QC TC 8C 5C 3C"
WORLDS, RUNS = 4096, 9


def main() -> None:
    """Measure, and print deals a second."""
    view = testing.view(hand=HAND, bids=(4, 4, 5), trick="", random=1)
    for player in (need_or_duck, steady):
        values = make_card_evaluator(player, CHANCES)
        for by_bids in (False, True):
            cards, _ = values(view, WORLDS, 0, by_bids)
            seconds = statistics.median(
                timed(lambda s, v=values, b=by_bids: v(view, WORLDS, s, b)) for _ in range(RUNS)
            )
            rate = len(cards) * WORLDS / seconds
            print(
                f"{player.__name__}, worlds {'by bids' if by_bids else 'at random'}: {rate / 1e6:.2f} million deals/s"
            )
        table = make_table(find_strategies().field([f"quick+{player.__name__}"] * 3), read_rules("cutthroat"))
        deals = int(table.play(1, 0, 20_000).deals.sum()) // 3
        seconds = statistics.median(timed(lambda s, t=table: t.play(1, 0, 20_000)) for _ in range(RUNS))
        print(f"{player.__name__}, a league: {deals / seconds / 1e6:.2f} million deals/s")


def timed(run) -> float:
    """Return the seconds that one call takes."""
    started = time.perf_counter()
    run(1)
    return time.perf_counter() - started


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
