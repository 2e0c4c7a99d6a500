"""What a comparison is: the first two bots, each at a table with all the others."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, model_validator

from spadesim.designs.league.spec import TABLE_NAMES, SameSeatsSpec, others_as_bots
from spadesim.errors import UsageError
from spadesim.tournament.stopping import FixedGames, SequentialTest

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.designs.league.result import League


class CompareSpec(SameSeatsSpec):
    """What a comparison is. A file names the two in `compare`, the others in `against`.

    Attributes
    ----------
    games
        At each of the two tables, at most.
    delta
        The smallest difference of win shares that matters.
    alpha, beta
        The probability of naming a better bot where they are equal, and of missing one that is better by delta.
    """

    design: ClassVar[str] = "compare"
    only_in_files: ClassVar[tuple[str, ...]] = ("compare", "against")

    delta: float = Field(0.01, gt=0, lt=1, strict=False)
    alpha: float = Field(0.05, gt=0, lt=0.5, strict=False)
    beta: float = Field(0.05, gt=0, lt=0.5, strict=False)

    @property
    def others(self) -> int:
        """How many bots the two play against."""
        return len(self.bots) - 2

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return ("comparison", *TABLE_NAMES)

    @property
    def shown(self) -> tuple[str, ...]:
        """The one that is shown where none is asked for."""
        return ("comparison",)

    @model_validator(mode="before")
    @classmethod
    def _put_into_one_field(cls, values: dict[str, Any]) -> dict[str, Any]:
        if "compare" not in values:
            return values
        if "bots" in values:
            raise UsageError("bots are next to compare; expected the others in against")
        two, against = values["compare"], values.get("against", [])
        lists = isinstance(two, list | tuple) and isinstance(against, list | tuple)
        if not lists or len(two) != 2:
            raise UsageError(f"compare is {two!r}, against {against!r}; expected a list of two bots and one of others")
        rest = {name: value for name, value in values.items() if name not in ("compare", "against")}
        return others_as_bots("compare", rest) | {"bots": (*two, *against)}

    def stopping(self) -> FixedGames:
        """Return when it has seen enough: when it is decided."""
        return SequentialTest(self.delta, self.alpha, self.beta)

    @property
    def result_type(self) -> "type[League]":
        """The class of its result."""
        from spadesim.designs.compare.play import Comparison

        return Comparison

    def extra_tables(self, result: "League", stopping: FixedGames) -> "dict[str, pd.DataFrame]":
        """Make the table of the verdict."""
        from spadesim.designs.compare.tables import comparison

        assert isinstance(stopping, SequentialTest)
        return {"comparison": comparison(result, self, stopping.verdict)}


SPEC = CompareSpec
