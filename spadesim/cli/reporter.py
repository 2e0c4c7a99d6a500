"""Notes and progress on a terminal."""

import sys

from tqdm import tqdm

from spadesim.tournament import interrupts
from spadesim.tournament.reporter import Reporter

BAR = "{percentage:3.0f}%|{bar}| {desc}"
SECONDS_TO_LEARN = 2.0  # what tables cost, before anything is said of the time left


class TerminalReporter(Reporter):
    """Write notes and a progress bar to stderr; no bar where nobody watches."""

    def __init__(self, quiet: bool):
        self._quiet = quiet
        self._bar: tqdm | None = None
        self._total, self._things = 0, ""
        self._has_said = False

    def note(self, text: str) -> None:
        """Write a line."""
        if not self._quiet:
            tqdm.write(text, file=sys.stderr)

    def start(self, total: int, things: str = "games") -> None:
        """Open the bar; from now on Ctrl-C ends the run in good order."""
        interrupts.defer(True)
        self._total, self._things = total, things
        if not self._quiet and sys.stderr.isatty():
            self._bar = tqdm(total=1.0, bar_format=BAR, file=sys.stderr, leave=False)

    def progress(self, done: int, seconds_left: float) -> None:
        """Move the bar: by time rather than by what is done, for some tables take longer than others."""
        if self._bar is not None:
            taken = self._bar.format_dict["elapsed"]
            self._bar.n = taken / max(taken + seconds_left, 1e-9)
            left = f", {tqdm.format_interval(seconds_left)} left" if taken > SECONDS_TO_LEARN else ""
            self._bar.set_description_str(f"{done:,} of {self._total:,} {self._things}{left}")

    def stop(self) -> None:
        """Close the bar."""
        interrupts.defer(False)
        if self._bar is not None:
            self._bar.close()

    def ends(self) -> bool:
        """Return whether Ctrl-C was pressed."""
        if interrupts.happened() and not self._has_said:
            self._has_said = True
            self.note("stopping: what is under way is finished (Ctrl-C again stops at once) ...")
        return interrupts.happened()
