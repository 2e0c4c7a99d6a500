"""What a search for a bidder's best parameters is."""

from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field

from spadesim import limits
from spadesim.designs.experiment import Experiment, bot_beside
from spadesim.designs.league.spec import SameSeatsSpec


class TuneSpec(Experiment):
    """What a search is.

    Attributes
    ----------
    tune
        The bot. Its bidder's parameters are searched between the bounds that it declares, or as in a sweep those that
        have a range after the equals sign, and no others.
    against
        The others at the table.
    budget
        Games of the whole search, at the least: it ends with the generation in which they are reached.
    games
        Of each candidate in a generation.
    unseen
        Of each bot at the end, on other deals.
    """

    design: ClassVar[str] = "tune"
    has_shards: ClassVar[bool] = True
    committed: ClassVar[tuple[str, ...]] = ("tuned", "parameters")

    tune: str
    against: tuple[str, ...] = Field(strict=False)
    budget: int = Field(limits.TUNE_BUDGET, ge=1, le=limits.GAMES_MAX)
    games: int = Field(limits.TUNE_GAMES, ge=1, le=limits.GAMES_MAX)
    unseen: int = Field(limits.TUNE_UNSEEN, ge=1, le=limits.GAMES_MAX)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return "tuned", "parameters", "search"

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return "tuned", "parameters"

    def beside(self, folder: Path) -> Self:
        """Return the same, with the files that it names in a folder, those of bots included."""
        against = tuple(bot_beside(bot, folder) for bot in self.against)
        return super().beside(folder).model_copy(update={"against": against})


class CandidatesSpec(SameSeatsSpec):
    """A generation: some candidates, then those that they play against."""

    candidates: int

    @property
    def others(self) -> int:
        """How many the candidates play against."""
        return len(self.bots) - self.candidates


SPEC = TuneSpec
