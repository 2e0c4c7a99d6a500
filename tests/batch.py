"""A batch of lanes made by hand, for the engine's kernels."""

from spadesim.engine.lanes import new_lanes
from spadesim.engine.setup import set_up
from spadesim.prepare import seatings
from spadesim.rules import Rules


class Batch:
    """One batch of idle lanes and a table: `batch["bids"][seat, lane]`, `kernel(batch.t, batch.r, …)`."""

    def __init__(self, rules: Rules | None = None):
        self.rules = rules or Rules()
        self._lanes = new_lanes(self.rules, 1)
        self._table = set_up(self.rules, seatings(self.rules))

    @property
    def t(self):
        """The lanes as kernels take them."""
        return self._lanes[0]

    @property
    def r(self):
        """The table as kernels take it."""
        return self._table[0]

    def __getitem__(self, name):
        return self._lanes[name][0]
