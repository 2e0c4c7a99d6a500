"""Turn the rows of a log into rates with intervals: whole numbers are added up by key and by group of blocks."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from spadesim.designs.league.result import League
from spadesim.stats import intervals
from spadesim.stats.columns import difference_columns, mean_columns, share_columns
from spadesim.stats.groups import group_of
from spadesim.stats.intervals import Floats
from spadesim.stats.sums import Sums

AT_ONCE = 16  # frames that may wait to be added up
Ratios = Mapping[str, tuple[str, str]]  # by name of a rate, the columns whose sums it divides
Integers = npt.NDArray[np.int64]


class Counts:
    """Sums of columns by key and by group of blocks, to which the frames of a log are added one by one.

    Parameters
    ----------
    by
        The columns of the key.
    sums
        Columns of whole numbers or truth values to add up.
    """

    def __init__(self, by: Sequence[str], sums: Sequence[str]):
        self._by, self._sums = list(by), list(sums)
        self._frames: list[pd.DataFrame] = []
        self._units: set[int] = set()

    def add(self, frame: pd.DataFrame) -> None:
        """Add the rows of a frame that has the key's columns, those to add up, and `stream`, the block."""
        units = group_of(frame["stream"].to_numpy())
        self._units.update(np.unique(units).tolist())
        numbers = frame[self._sums].astype(np.int64).assign(**{name: frame[name] for name in self._by}, unit=units)
        self._frames.append(numbers.groupby([*self._by, "unit"], observed=True).sum())
        if len(self._frames) >= AT_ONCE:
            self._frames = [self._together()]

    def table(self, shares: Ratios | None = None, means: Ratios | None = None) -> pd.DataFrame:
        """Return a row per key, in order: the sums, then the rates, each with its interval (docs/TABLES.md).

        Parameters
        ----------
        shares, means
            By the name of a rate, the columns of its numerator and denominator.
        """
        keys = self.keys()
        table = keys.assign(**{name: self.by_unit(name).sum(0) for name in self._sums})
        for rates, columns in ((shares, share_columns), (means, mean_columns)):
            for name, (n, d) in (rates or {}).items():
                table = table.assign(**columns(name, Sums.over(self.by_unit(n), self.by_unit(d)), len(self._units)))
        return table

    def keys(self) -> pd.DataFrame:
        """Return the keys, a row each, in order."""
        keys = self._wide(self._sums[0]).index.to_frame(index=False)
        return keys.astype({name: object for name in self._by if keys[name].dtype == "category"})

    def by_unit(self, column: str) -> Integers:
        """Return the sums of a column, shape (groups of blocks, keys)."""
        return self._wide(column).to_numpy(np.int64).T

    def _wide(self, column: str) -> pd.DataFrame:
        wide = self._together()[column].unstack("unit", fill_value=0)
        return wide.reindex(columns=sorted(self._units), fill_value=0)

    def _together(self) -> pd.DataFrame:
        if len(self._frames) > 1:
            keys = [*self._by, "unit"]
            self._frames = [pd.concat(self._frames).groupby(level=keys, observed=True).sum()]
        return self._frames[0]


def differences(first: tuple[Integers, Integers], second: tuple[Integers, Integers], name: str) -> dict[str, Floats]:
    """Return the rates of the first minus those of the second, over the same blocks, with intervals.

    Parameters
    ----------
    first, second
        Numerators and denominators, each of shape (groups of blocks, rows).
    name
        The name of the difference's column.
    """
    n, d = (np.hstack(both) for both in zip(first, second, strict=True))
    rows = np.arange(first[0].shape[1])
    values, errors = intervals.differences(n, d, rows, len(rows) + rows)
    return difference_columns(name, values, errors, len(n))


def win_share_differences(first: League, second: League) -> pd.DataFrame:
    """Return what each bot of a field wins more in the second of two leagues on the same deals, with intervals."""
    counts = [league.tally.by_group["win_share"] for league in (first, second)]
    shares = [intervals.rate(Sums.over(wins, games)) for wins, games in counts]
    bots = np.array(first.bots, object)
    frame = pd.DataFrame({"bot": bots, "first_win_share": shares[0], "second_win_share": shares[1]})
    return frame.assign(**differences(counts[1], counts[0], "difference"))
