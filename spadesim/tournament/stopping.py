"""When a run has seen enough: where it looks, and what it looks for.

Looks are at fixed numbers of blocks that all tables have played, so that a run ends at the same game however many
workers play it, and however often it is interrupted.
"""

import numpy as np

from spadesim.designs.league.spec import CompareSpec, LeagueSpec
from spadesim.stats import intervals, sequential
from spadesim.tournament.scheduling import rounds
from spadesim.tournament.tally import Pool, Sums

# Each look waits for all tables.
PRECISION_FIRST_LOOK, PRECISION_LOOK_GROWTH = 512, 0.2
COMPARE_FIRST_LOOK = 256


class FixedGames:
    """Play all games."""

    def looks(self, blocks: int) -> list[int]:
        """List how many blocks all tables have played at each look."""
        return rounds(blocks)

    def enough(self, pool: Pool) -> bool:
        """Look at what has been played; tell whether that will do."""
        return False

    def expected(self, blocks: int) -> int | None:
        """Guess how many blocks it will take, of at most so many; None where there is nothing to go by."""
        return blocks


class TargetPrecision(FixedGames):
    """Play until every win share's half-width is below a bound."""

    def __init__(self, width: float):
        self._bound = width
        self._blocks, self._widest = 0, np.inf

    def looks(self, blocks: int) -> list[int]:
        """List looks that are far apart, for each waits for all tables."""
        return sequential.looks(blocks, PRECISION_FIRST_LOOK, PRECISION_LOOK_GROWTH)

    def enough(self, pool: Pool) -> bool:
        """Look at the widest interval."""
        wins, games = pool.wins()
        self._blocks = pool.blocks
        widths = intervals.anytime_half_width(Sums.over(wins, games), len(games), self._blocks)
        self._widest = float(np.nan_to_num(widths, nan=np.inf).max())
        return self._widest < self._bound

    def expected(self, blocks: int) -> int | None:
        """Guess from the last look: a width halves with four times the blocks."""
        if np.isinf(self._widest):
            return None
        return min(int(self._blocks * max(self._widest / self._bound, 1) ** 2), blocks)


class SequentialTest(FixedGames):
    """Play until it is decided which of the first two bots is better, or that they are level."""

    def __init__(self, spec: CompareSpec):
        self._test = sequential.WaldTest(spec.delta, spec.alpha, spec.beta)

    @property
    def verdict(self) -> sequential.Verdict | None:
        """What was decided."""
        return self._test.verdict

    def looks(self, blocks: int) -> list[int]:
        """List looks close enough that little is played in vain."""
        return sequential.looks(blocks, COMPARE_FIRST_LOOK)

    def enough(self, pool: Pool) -> bool:
        """Weigh the evidence."""
        wins, games = (each[:, :2] for each in pool.wins())
        if (games[:, 0] != games[:, 1]).any():
            return False  # one of the two cannot go on
        difference, error = intervals.difference(wins, games)
        blocks, different = pool.blocks, int((wins[:, 0] != wins[:, 1]).sum())
        return self._test.look(difference, error**2 * blocks, blocks, different) is not None

    def expected(self, blocks: int) -> int | None:
        """Nobody knows."""
        return None


def stopping_of(spec: LeagueSpec) -> FixedGames:
    """Choose when a run ends."""
    if isinstance(spec, CompareSpec):
        return SequentialTest(spec)
    return TargetPrecision(spec.until) if spec.until else FixedGames()
