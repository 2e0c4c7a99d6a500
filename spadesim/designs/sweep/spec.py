"""What a sweep is: a bot with the defaults of its parameters, then one for each setting, each with the others."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, model_validator

from spadesim.bots.registry import Registry
from spadesim.bots.sweeping import settings_of
from spadesim.designs.league.spec import TABLE_NAMES, SameSeatsSpec, others_as_bots
from spadesim.limits import SETTINGS_MAX
from spadesim.tournament.stopping import FixedGames

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.designs.league.result import League


class SweepSpec(SameSeatsSpec):
    """What a sweep is. A file names the others in `against`.

    Attributes
    ----------
    bots
        The others.
    sweep
        The bot and what is swept, as `bots.sweeping.settings_of` reads it.
    sample
        How many settings are sampled; 0 for all of a grid.
    """

    design: ClassVar[str] = "sweep"
    only_in_files: ClassVar[tuple[str, ...]] = ("against",)
    committed: ClassVar[tuple[str, ...]] = ("sweep", "sweep_bids")

    sweep: str
    sample: int = Field(0, ge=0, le=SETTINGS_MAX)

    @property
    def others(self) -> int:
        """How many bots the settings play against."""
        return len(self.bots)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return ("sweep", "sweep_bids", *TABLE_NAMES)

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return ("sweep", "sweep_bids")

    def field(self, registry: Registry) -> list[str]:
        """List the bots: the defaults, the settings, the others."""
        return [*settings_of(self.sweep, registry, self.sample, self.seed), *self.bots]

    @model_validator(mode="before")
    @classmethod
    def _put_into_one_field(cls, values: dict[str, Any]) -> dict[str, Any]:
        return others_as_bots("sweep", values)

    @property
    def result_type(self) -> "type[League]":
        """The class of its result."""
        from spadesim.designs.sweep.play import Sweep

        return Sweep

    def extra_tables(self, result: "League", stopping: FixedGames) -> "dict[str, pd.DataFrame]":
        """Make the tables of a row a setting."""
        from spadesim.designs.sweep.tables import sweep_tables

        return sweep_tables(result, self)


SPEC = SweepSpec
