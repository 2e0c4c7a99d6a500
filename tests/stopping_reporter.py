"""Reporters that end a run in the middle, as Ctrl-C does."""

import math
from itertools import count

from spadesim.tournament.reporter import Reporter


class StopsAfter(Reporter):
    """End the run when asked for the n-th time whether to, in one process: after so many shards; and keep the notes."""

    def __init__(self, asked=math.inf):
        self._asked, self._times, self.notes = asked, count(), []

    def note(self, text):
        self.notes.append(text)

    def ends(self):
        return next(self._times) >= self._asked
