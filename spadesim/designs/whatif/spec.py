"""What a what-if study is."""

from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field

from spadesim import limits
from spadesim.designs.experiment import Experiment, bot_beside


class WhatIfSpec(Experiment):
    """What a what-if study is.

    Attributes
    ----------
    whatif
        The bots of one table, as ``bidder+player``.
    hands
        Decisions to bid that are looked at.
    redeals
        In each of the two sets, for every hand.
    rules
        By which each bot plays one hand.
    """

    design: ClassVar[str] = "whatif"
    page: ClassVar[str] = "WHATIF.md"
    committed: ClassVar[tuple[str, ...]] = ("regret", "nils", "regret_by")

    whatif: tuple[str, ...] = Field(strict=False)
    hands: int = Field(limits.WHATIF_HANDS, ge=1, le=limits.HANDS_MAX)
    redeals: int = Field(limits.WHATIF_REDEALS, ge=1, le=limits.REDEALS_MAX)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return "regret", "nils", "regret_by", "curves"

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return "regret", "nils"

    def beside(self, folder: Path) -> Self:
        """Return the same, with the files that it names in a folder, those of bots included."""
        bots = tuple(bot_beside(bot, folder) for bot in self.whatif)
        return super().beside(folder).model_copy(update={"whatif": bots})


SPEC = WhatIfSpec
