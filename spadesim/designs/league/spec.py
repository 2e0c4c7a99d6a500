"""What a league is; and what the designs have in common that are leagues of a kind."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import Field

from spadesim import limits
from spadesim.bots.registry import Registry, standing_field
from spadesim.designs.experiment import Experiment, bot_beside
from spadesim.errors import UsageError, count_of
from spadesim.tournament.stopping import FixedGames, TargetPrecision
from spadesim.tournament.tally import league_tables

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.designs.league.result import League

LOG_PATTERN = r"^(deals(:(1(\.0*)?|0?\.\d+))?)?$"  # "deals", or a share of them after a colon
TABLE_NAMES = ("standings", "nils", "bags", "bids", "calibration", "orders", "seats", "head_to_head", "ratings")
SHOWN = ("standings", "nils", "bags", "orders", "seats", "head_to_head", "ratings")


class LeagueSpec(Experiment):
    """What a league is.

    Attributes
    ----------
    bots
        The field, as ``bidder+player``.
    games
        Games a table; rounded up to whole blocks.
    focus
        Bots; if any, only tables with one of them are played.
    on_fault
        "stop", "correct" or "forfeit" (R9).
    log
        "deals" to write every deal, a row a seat, under the output folder; "deals:0.01" for one block in a hundred.
    until
        If above 0, the league ends as soon as every win share's half-width is below it, or with `games`.
    decision_timeout
        Seconds that a strategy in Python may take for one answer; 0 for any.
    interpreted
        Whether compiled strategies are played as plain Python.
    """

    design: ClassVar[str] = "league"
    has_shards: ClassVar[bool] = True

    bots: tuple[str, ...] = Field((), strict=False)
    games: int = Field(limits.GAMES, ge=1, le=limits.GAMES_MAX)
    focus: tuple[str, ...] = Field((), strict=False)
    on_fault: Literal["stop", "correct", "forfeit"] = "stop"
    log: str = Field("", pattern=LOG_PATTERN)
    until: float = Field(0.0, ge=0, lt=1, strict=False)
    decision_timeout: float = Field(0.0, ge=0, strict=False)
    interpreted: bool = False

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return TABLE_NAMES

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return SHOWN

    def beside(self, folder: Path) -> Self:
        """Return the same, with the files that it names in a folder, those of bots included."""
        bots = tuple(bot_beside(bot, folder) for bot in self.bots)
        return super().beside(folder).model_copy(update={"bots": bots})

    # --- What a job asks (`tournament.job.JobSpec`) ---

    def field(self, registry: Registry) -> list[str]:
        """List the bots, as texts."""
        return list(self.bots or standing_field())

    def meetings(self, n_bots: int, seats: int, focus: Sequence[int]) -> list[tuple[int, ...]]:
        """List the tables: which bots of the field meet."""
        return league_tables(n_bots, seats, focus)

    def stopping(self) -> FixedGames:
        """Return when it has seen enough."""
        return TargetPrecision(self.until) if self.until else FixedGames()

    def as_python(self) -> Self:
        """Return the same, its strategies played as plain Python."""
        return self.model_copy(update={"interpreted": True})

    # --- What differs between the designs that are leagues of a kind ---

    @property
    def result_type(self) -> "type[League]":
        """The class of its result."""
        from spadesim.designs.league.result import League

        return League

    def extra_tables(self, result: "League", stopping: FixedGames) -> "dict[str, pd.DataFrame]":
        """Make the tables that it has besides those of any league."""
        return {}


class SameSeatsSpec(LeagueSpec):
    """What a league is in which bots take turns in the same seats: each at a table with the last ones of the field."""

    @property
    def others(self) -> int:
        """How many are the last ones, against whom all play."""
        raise NotImplementedError

    def meetings(self, n_bots: int, seats: int, focus: Sequence[int]) -> list[tuple[int, ...]]:
        """List the tables: each of the bots with the others.

        Raises
        ------
        UsageError
            When the others do not fill a table.
        """
        if self.others != seats - 1:
            raise UsageError(f"{count_of(self.others, 'bot')} to play against; expected {seats - 1} by these rules")
        first = n_bots - self.others
        return [(bot, *range(first, n_bots)) for bot in range(first)]


def others_as_bots(design: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Put the others, which a file names in `against`, into the field `bots`.

    Raises
    ------
    UsageError
        When both are there.
    """
    if "against" not in values:
        return dict(values)
    if "bots" in values:
        raise UsageError(f"bots are next to {design}; expected the others in against")
    return {name: value for name, value in values.items() if name != "against"} | {"bots": values["against"]}


SPEC = LeagueSpec
