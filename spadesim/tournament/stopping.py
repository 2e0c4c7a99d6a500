"""When a run has seen enough: where it looks, and what it looks for.

Looks are at fixed numbers of blocks that all tables have played, so that a run ends at the same game however many
workers play it, and however often it is interrupted.
"""

import numpy as np

from spadesim.stats import intervals, sequential
from spadesim.stats.sums import Sums
from spadesim.tournament.scheduling import rounds
from spadesim.tournament.tally import Pool

# Each look waits for all tables.
FIRST_LOOK_AT_PRECISION, LOOK_GROWTH = 512, 0.2
FIRST_LOOK_OF_TEST = 256


class FixedGames:
    """Play all games."""

    def looks(self, blocks: int) -> list[int]:
        """List how many blocks all tables have played at each look."""
        return rounds(blocks)

    def enough(self, pool: Pool) -> bool:
        """Look at what has been played; return whether that will do."""
        return False

    def expected(self, blocks: int) -> int | None:
        """Guess how many blocks it will take, of at most so many; None where no estimate is available."""
        return blocks


class TargetPrecision(FixedGames):
    """Play until every win share's half-width is below a bound."""

    def __init__(self, width: float):
        self._bound = width
        self._blocks, self._widest = 0, np.inf

    def looks(self, blocks: int) -> list[int]:
        """List looks that are far apart, for each waits for all tables."""
        return sequential.looks(blocks, FIRST_LOOK_AT_PRECISION, LOOK_GROWTH)

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
    """Play until it is decided which of the first two bots is better, or that they are level.

    Parameters
    ----------
    delta, alpha, beta
        As in `sequential.WaldTest`.
    """

    def __init__(self, delta: float, alpha: float, beta: float):
        self._test = sequential.WaldTest(delta, alpha, beta)

    @property
    def verdict(self) -> sequential.Verdict | None:
        """What was decided."""
        return self._test.verdict

    def looks(self, blocks: int) -> list[int]:
        """List looks close enough that little is played in vain."""
        return sequential.looks(blocks, FIRST_LOOK_OF_TEST)

    def enough(self, pool: Pool) -> bool:
        """Weigh the evidence."""
        wins, games = (counts[:, :2] for counts in pool.wins())
        if (games[:, 0] != games[:, 1]).any():
            return False  # one of the two cannot go on
        difference, error = intervals.difference(wins, games)
        blocks, different = pool.blocks, int((wins[:, 0] != wins[:, 1]).sum())
        return self._test.look(difference, error**2 * blocks, blocks, different) is not None

    def expected(self, blocks: int) -> int | None:
        """No estimate available."""
        return None
