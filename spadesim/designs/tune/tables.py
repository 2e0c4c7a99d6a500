"""The figures of a search: every setting that it tried, and what the best of them are worth on unseen deals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from spadesim.bots.sweeping import Space
from spadesim.designs.tune.search import CENTRE, DEFAULT, SAMPLED, Generation, Point
from spadesim.stats import intervals
from spadesim.stats.columns import difference_columns, share_columns
from spadesim.stats.sums import Sums

CHOSEN = ("default", "tuned", "best_seen")


def search_table(generations: Sequence[Generation], space: Space) -> pd.DataFrame:
    """Make a row a setting and generation (docs/TABLES.md has the columns)."""
    rows = []
    for number, generation in enumerate(generations):
        shares = generation.shares
        for place, point in enumerate(generation.points):
            rows.append(
                {"generation": number, "candidate": ("default", "centre")[place] if place < SAMPLED else "sample"}
                | {f"{axis.half_name}_{axis.name}": value for axis, value in zip(space.axes, point, strict=True)}
                | {"games": int(generation.games[:, place].sum()), "wins": int(generation.wins[:, place].sum())}
                | {"win_share": shares[place], "win_share_difference": shares[place] - shares[DEFAULT]}
            )
    values = [f"{axis.half_name}_{axis.name}" for axis in space.axes]
    columns = ["generation", "candidate", *values, "games", "wins", "win_share", "win_share_difference"]
    return pd.DataFrame(rows, columns=columns)


@dataclass
class Chosen:
    """A setting that is worth a test, and where the search came upon it."""

    name: str
    point: Point
    generation: Generation
    place: int

    @property
    def difference(self) -> tuple[float, float]:
        """Its win share less that of the defaults in that generation, and the standard error."""
        return _less_default(self.generation.wins, self.generation.games, self.place)


def choose(generations: Sequence[Generation]) -> list[Chosen]:
    """Choose the defaults, the last middle of the search, and of all samples the one that looked best."""
    last = generations[-1]
    samples = [(generation, place) for generation in generations for place in range(SAMPLED, len(generation.points))]
    best, place = max(samples, key=lambda sample: sample[0].shares[sample[1]] - sample[0].shares[DEFAULT])
    return [
        Chosen(name, generation.points[at], generation, at)
        for name, generation, at in zip(CHOSEN, (last, last, best), (DEFAULT, CENTRE, place), strict=True)
    ]


def parameters_table(found: Sequence[Chosen], space: Space) -> pd.DataFrame:
    """Make a row a parameter, with its bounds and its value in each of these settings."""
    ends = [axis.ends or (None, None) for axis in space.axes]
    bounds = {"lowest": [low for low, _ in ends], "highest": [high for _, high in ends]}
    return pd.DataFrame(
        {"parameter": [axis.name for axis in space.axes], "of": [axis.half_name for axis in space.axes]}
        | bounds
        | {chosen.name: list(chosen.point) for chosen in found}
    )


def tuned_table(found: Sequence[Chosen], wins: np.ndarray, games: np.ndarray) -> pd.DataFrame:
    """Make a row for each setting that was tested.

    Parameters
    ----------
    wins, games
        Of the tested settings on unseen deals, by group of blocks: shape (groups, settings).
    """
    sums = Sums.over(wins, games)
    shares = share_columns("win_share", sums, len(games))
    rows = []
    for place, chosen in enumerate(found):
        seen, unseen = chosen.difference, _less_default(wins, games, place)
        rows.append(
            {"setting": chosen.name, "games": int(sums.d[place])}
            | {column: values[place] for column, values in shares.items()}
            | difference_columns("difference", *unseen, len(games))
            | difference_columns("seen_difference", *seen, len(chosen.generation.games))
            | {"optimism": seen[0] - unseen[0]}
        )
    return pd.DataFrame(rows)


def in_words(table: pd.DataFrame) -> str:
    """Return in words what the tuned bot is worth, and what the search had promised."""
    _, tuned, best = table.to_dict("records")
    half = (tuned["difference_high"] - tuned["difference_low"]) / 2
    return (
        f"tuned wins {tuned['win_share']:.4f} on deals that the search has not seen, {tuned['difference']:+.4f} ±"
        f" {half:.4f} to the defaults; the best of all samples looked like {best['seen_difference']:+.4f} in the search"
        f" and comes to {best['difference']:+.4f}"
    )


def _less_default(wins: np.ndarray, games: np.ndarray, place: int) -> tuple[float, float]:
    return intervals.difference(wins[:, [place, DEFAULT]], games[:, [place, DEFAULT]])
