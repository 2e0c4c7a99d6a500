"""What comes of an experiment: its tables, as frames and as attributes."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from spadesim.designs.experiment import Experiment

if TYPE_CHECKING:
    import pandas as pd


class Table:
    """A table of a result, as an attribute: ``result.standings``; in a result's class its text says what it tells."""

    def __init__(self, about: str):
        self.__doc__ = about

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, result: None, owner: type) -> "Table": ...
    @overload
    def __get__(self, result: "Result", owner: type) -> "pd.DataFrame": ...
    def __get__(self, result: "Result | None", owner: type) -> "Table | pd.DataFrame":
        """Return the frame."""
        return self if result is None else result.table(self._name)


@dataclass(repr=False)
class Result:
    """What comes of an experiment of any design.

    Attributes
    ----------
    spec : Experiment
        What was played.
    tables : dict of DataFrame
        By name; each is an attribute too.
    complete : bool
        Whether all was played.
    failures : list of dict
        Tables that could not be finished, because a bot's code never came back or took the process with it.
    """

    spec: Experiment
    tables: "dict[str, pd.DataFrame]"
    complete: bool = field(default=True, kw_only=True)
    failures: list[dict[str, Any]] = field(default_factory=list, kw_only=True)

    @property
    def games_played(self) -> int:
        """Games behind the tables; 0 where there is nothing to show."""
        return 0

    @property
    def conclusion(self) -> str:
        """What was found, in a sentence; "" for nothing."""
        return ""

    def table(self, name: str) -> "pd.DataFrame":
        """Return a table by its name.

        Raises
        ------
        AttributeError
            When there is no such table.
        """
        if name not in self.tables:
            has = f"its tables are {', '.join(self.tables)}" if self.tables else "it has none yet"
            raise AttributeError(f"a {self.spec.design} has no table {name!r}; {has}")
        return self.tables[name]

    def __getattr__(self, name: str) -> Any:
        """Return a table that the class does not name, as those of a study; else say which there are."""
        if name.startswith("_") or name in ("spec", "tables"):
            raise AttributeError(name)
        return self.table(name)

    @property
    def main_table(self) -> "pd.DataFrame | None":
        """The first of its tables that is there."""
        return next((self.tables[name] for name in self.spec.table_names if name in self.tables), None)

    def __dir__(self) -> list[str]:
        """List attributes: of the tables, those that are there."""
        missing = {name for name, value in vars(type(self)).items() if isinstance(value, Table)} - self.tables.keys()
        return sorted({*super().__dir__(), *self.tables} - missing)

    def __repr__(self) -> str:
        state = "" if self.complete else " (partial)"
        tables = ", ".join(self.tables) or "none yet"
        games = f"{self.games_played:,} games; " if self.games_played else ""
        return f"<{type(self).__name__}{state}: {games}tables {tables}>"

    def _repr_html_(self) -> str:
        """Show the main table in a notebook."""
        from html import escape

        frame = self.main_table
        return f"<p>{escape(repr(self))}</p>" + ("" if frame is None else frame.to_html(index=False, escape=True))
