"""Results whose tables can be read as attributes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


class WithTables:
    """What has `tables`, frames by name, each of which is an attribute too: ``result.standings``.

    Attributes
    ----------
    kind : str
        What it is called where a table is not found.
    """

    kind = "result"
    tables: "dict[str, pd.DataFrame]"

    def __dir__(self):
        return [*super().__dir__(), *self.tables]

    def __getattr__(self, name: str):
        tables = self.__dict__.get("tables", {})
        if name in tables:
            return tables[name]
        raise AttributeError(f"a {self.kind} has no table {name!r}; its tables are {', '.join(tables)}")
