"""Play a sweep: a league in which the settings of a bot take turns in the same seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from spadesim.designs.experiment import ShardedValues, check_call, listed, takes
from spadesim.designs.league.play import play, reopen
from spadesim.designs.league.result import League
from spadesim.designs.result import Table
from spadesim.designs.sweep.spec import SweepSpec

__all__ = ["Sweep", "play", "reopen", "sweep"]


@dataclass(repr=False)
class Sweep(League):
    """A sweep that has been played."""

    sweep = Table("What each setting wins, and more or less than the defaults, a row a setting.")
    sweep_bids = Table("How each setting bids, and otherwise than the defaults, a row a setting.")

    @property
    def conclusion(self) -> str:
        """Which setting won most, and what that is worth."""
        from spadesim.designs.sweep.tables import best_in_words

        return best_in_words(self.sweep) if self.complete else ""


class SweepValues(ShardedValues, total=False):
    """What `sweep` takes by keyword."""

    sample: int
    games: int
    on_fault: str
    interpreted: bool


@takes(SweepSpec, hidden=("bots", "focus", "log", "until", "decision_timeout"))
def sweep(bot: str, against: Sequence[str], **options: Unpack[SweepValues]) -> Sweep:
    """Try settings of a bot's parameters against the same others, in the same seats, on the same deals.

    Parameters
    ----------
    bot
        The bot, with several values or a range after parameters: ``"honors:ace=0.8..1.1:7:lead=0,-0.4+steady"``.
    against
        The others at the table.
    sample
        How many settings are drawn, spread over the whole space (Sobol); 0 for all of the grid.
    games
        Of each setting.
    seed, rules, load, on_fault, interpreted, workers, out, resume, shard_timeout, scheduler
        As in `league`.

    Returns
    -------
    Sweep
        A league with two more frames, `sweep` and `sweep_bids`, a row a setting with its paired differences to the
        defaults.

    Raises
    ------
    UsageError, BotFault
        See `league`.

    Examples
    --------
    >>> from spadesim import sweep
    >>> table = sweep("honors:ace=0.8,0.9+need_or_duck", ["quick+need_or_duck"] * 2, games=60).sweep
    >>> table[["bidder_ace", "default"]].values.tolist()
    [[0.95, True], [0.8, False], [0.9, False]]
    """
    result = play(*check_call(SweepSpec, {"sweep": bot, "against": listed(against)}, options))
    assert isinstance(result, Sweep)
    return result
