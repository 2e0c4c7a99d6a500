"""Who is told what goes on, and asked whether to end."""

import time


class Reporter:
    """Told what goes on, and asked whether to end; this one keeps quiet and never does."""

    def note(self, text: str) -> None:
        """Take a remark for the user."""

    def start(self, total: int, things: str = "games") -> None:
        """Learn how many games there will be, or whatever else there is to do."""

    def progress(self, done: int, seconds_left: float) -> None:
        """Learn how many are finished, and how long the others may take."""

    def stop(self) -> None:
        """Learn that there will be no more."""

    def ends(self) -> bool:
        """Return whether to finish what is under way and end."""
        return False


class PartReporter(Reporter):
    """Pass on to another reporter what happens in one part of its work.

    Parameters
    ----------
    whole
        The other reporter.
    games, before
        Of the whole work, and those of them finished before this part.
    """

    def __init__(self, whole: Reporter, games: int, before: int):
        self._whole, self._games, self._before, self._started = whole, games, before, time.monotonic()
        self._part = 0

    def note(self, text: str) -> None:
        """Pass a remark on."""
        self._whole.note(text)

    def progress(self, done: int, seconds_left: float) -> None:
        """Guess what is left of the whole from the time that this part takes."""
        seconds_a_game = (time.monotonic() - self._started + seconds_left) / max(self._part, 1)
        self._whole.progress(self._before + done, seconds_a_game * (self._games - self._before - done))

    def start(self, total: int, things: str = "games") -> None:
        """Learn how many games there are in this part."""
        self._part = total

    def ends(self) -> bool:
        """Ask the whole."""
        return self._whole.ends()
