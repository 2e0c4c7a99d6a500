"""Play a comparison: a league of two tables, that ends when it is decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.experiment import ShardedValues, check_call, listed, takes
from spadesim.designs.league.play import play, reopen
from spadesim.designs.league.result import League
from spadesim.designs.result import Table

__all__ = ["Comparison", "compare", "play", "reopen"]


@dataclass(repr=False)
class Comparison(League):
    """A comparison that has been played."""

    comparison = Table("Which of the two is better, in one row.")

    @property
    def verdict(self) -> str:
        """The better bot's name, "level" or "undecided"."""
        return str(self.comparison["verdict"].iloc[0])


class CompareValues(ShardedValues, total=False):
    """What `compare` takes by keyword."""

    games: int
    delta: float
    alpha: float
    beta: float
    on_fault: str
    interpreted: bool


@takes(CompareSpec, hidden=("bots", "focus", "log", "until", "decision_timeout"))
def compare(first: str, second: str, against: Sequence[str], **options: Unpack[CompareValues]) -> Comparison:
    """Find out which of two bots is better against the same others, in the same seats, on the same deals.

    Parameters
    ----------
    first, second
        The bots.
    against
        The others at each of the two tables.
    games
        At each table, at most.
    delta
        The smallest difference of win shares that matters, above 0 and below 1.
    alpha, beta
        The probability of naming a better bot where they are equal, and of missing one that is better by `delta`.
    seed, rules, load, on_fault, interpreted, workers, out, resume, shard_timeout, scheduler
        As in `league`.

    Returns
    -------
    Comparison
        A league with one more frame, `comparison`, whose `verdict` is the better bot's name, "level" or "undecided".

    Raises
    ------
    UsageError, BotFault
        See `league`.
    """
    result = play(*check_call(CompareSpec, {"compare": (first, second), "against": listed(against)}, options))
    assert isinstance(result, Comparison)
    return result
