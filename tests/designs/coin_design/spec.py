"""What tossing coins is."""

from typing import ClassVar

from pydantic import Field

from spadesim.designs.experiment import Experiment


class CoinsSpec(Experiment):
    """What tossing coins is.

    Attributes
    ----------
    coins
        How many are tossed.
    """

    design: ClassVar[str] = "coins"

    coins: int = Field(ge=1, le=10**6)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return ("sides",)


SPEC = CoinsSpec
