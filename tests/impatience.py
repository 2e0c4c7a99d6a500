"""Reporters that end a run in the middle, as Ctrl-C does."""

from itertools import count

from spadesim.tournament.reporter import Reporter


class StopsAfter(Reporter):
    """End the run when asked for the n-th time whether to."""

    def __init__(self, asked):
        self._asked, self._times = asked, count()

    def ends(self):
        return next(self._times) >= self._asked
