"""The search for a bidder's best parameters: which settings each generation tries, and what it came to.

It is CMA-ES (Hansen and Ostermeier 2001, *Evolutionary Computation* 9), for whole numbers with a margin (Hamano, Saito,
Nomura and Shirakawa 2022, *GECCO*), by the library cmaes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from cmaes import CMAwM

from spadesim.bots.sweeping import Axis, Space, rounded
from spadesim.errors import UsageError, count_of
from spadesim.limits import SEED_MAX

Point = tuple[Any, ...]  # values of the parameters that are tuned, in the order of the axes
FIRST_STEP = 0.2  # standard deviation in the first generation, in widths between the bounds
DEFAULT, CENTRE, SAMPLED = 0, 1, 2  # places in a generation: the defaults, the middle of the search, what it samples


@dataclass
class Generation:
    """What one generation of n candidates came to.

    Attributes
    ----------
    points : list of tuple
        Values of the parameters: the defaults, the middle of the search, and samples around it.
    wins, games : (groups, n) int64
        By group of blocks.
    """

    points: list[Point]
    wins: np.ndarray
    games: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """Win share of each candidate."""
        shares: np.ndarray = self.wins.sum(0) / self.games.sum(0)
        return shares


class Search:
    """A search between bounds: asked for the settings of a generation, and told what they came to.

    Raises
    ------
    UsageError
        When there are fewer than two parameters, or one has no bounds.
    """

    def __init__(self, space: Space, seed: int):
        axes = space.axes
        for axis in axes:
            if axis.ends is None:
                raise UsageError(f"{axis.name} has a list of values; expected a range to search, low..high")
        if len(axes) < 2:
            raise UsageError(
                f"{count_of(len(axes), 'parameter')} to tune; expected two or more that the bidder declares bounds"
                " for, or ranges, as in honors:ace=0.8..1.1:king=0.6..0.9+steady (one alone is best swept)"
            )
        self._space = space
        start = [_place(axis, value) for axis, value in zip(axes, space.defaults, strict=True)]
        self._optimizer = CMAwM(
            mean=np.clip(start, 0, 1), sigma=FIRST_STEP, bounds=np.tile([0.0, 1.0], (len(axes), 1)),
            steps=np.array([_step(axis) for axis in axes]), seed=_seed_of(seed),
            population_size=2 * (4 + int(3 * np.log(len(axes)))),  # twice the usual, for win shares are uncertain
        )  # fmt: skip
        self._raw: list[np.ndarray] = []

    @property
    def size(self) -> int:
        """Settings in a generation."""
        return SAMPLED + int(self._optimizer.population_size)

    def ask(self) -> list[Point]:
        """Return the settings of the next generation."""
        asked = [self._optimizer.ask() for _ in range(self._optimizer.population_size)]
        self._raw = [raw for _, raw in asked]
        return [
            self._space.defaults,
            *(self._point(places) for places in (self._optimizer.mean, *(x for x, _ in asked))),
        ]

    def tell(self, shares: np.ndarray) -> None:
        """Take in what the settings asked for have won, in the same order."""
        self._optimizer.tell([(raw, -float(share)) for raw, share in zip(self._raw, shares[SAMPLED:], strict=True)])

    def _point(self, places: np.ndarray) -> Point:
        return tuple(_value(axis, place) for axis, place in zip(self._space.axes, places.tolist(), strict=True))


def seed_of_generation(seed: int, number: int) -> int:
    """Return a seed that gives each generation deals of its own."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0]) & SEED_MAX


def _seed_of(seed: int) -> int:
    """Bring a seed to the 32 bits that the library takes."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0])


def _place(axis: Axis, value: float) -> float:
    low, high = axis.ends or (0, 1)
    return float((value - low) / (high - low))


def _value(axis: Axis, place: float) -> float:
    low, high = axis.ends or (0, 1)
    value = low + min(max(place, 0.0), 1.0) * (high - low)
    return round(value) if isinstance(low, int) else rounded(value)


def _step(axis: Axis) -> float:
    low, high = axis.ends or (0, 1)
    return 1 / (high - low) if isinstance(low, int) else 0.0
