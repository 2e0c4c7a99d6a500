"""The chance-to-win model: how likely a bot is to win the game, by everybody's points to go and bags.

A bot has a strength, and wins with probability its own strength divided by the sum of all. The numbers were fitted to
games to 200 (experiments/fit_chances.py); for other targets it is the points to go that count.
"""

import tomllib
from importlib import resources

import numpy as np
import numpy.typing as npt

from spadesim.engine.search.rollouts import ACROSS

Floats = npt.NDArray[np.float64]

KNOTS = np.array([0, 20, 40, 60, 80, 100, 130, 160, 200, 260])  # points to go, between which log strengths are linear
BAGS = np.arange(10)  # tenths of the way to a penalty
COLUMNS = 161  # of the table, ACROSS points to go in each
FAR_SLOPE = 0.01  # by which log strengths fall per point beyond the last knot, where there were few games


def between_knots(to_go: npt.ArrayLike) -> Floats:
    """Return the weights of the knots on both sides of points to go, shape (..., knots)."""
    within = np.clip(to_go, KNOTS[0], KNOTS[-1])
    weights = [np.interp(within, KNOTS, unit) for unit in np.eye(len(KNOTS))]
    return np.stack(weights, -1)


def bag_share(to_go: npt.ArrayLike) -> Floats:
    """Return which share of its price a bag has: all of it with 200 points to go, nothing at the target."""
    return np.asarray(np.clip(to_go, 0, KNOTS[-1]) / 200)


def table_of_chances() -> Floats:
    """Return strengths by bags and by points to go, in steps of ACROSS."""
    fitted = tomllib.loads(resources.files(__package__).joinpath("chances.toml").read_text(encoding="utf-8"))
    to_go = np.arange(COLUMNS) * ACROSS + ACROSS / 2
    by_points = between_knots(to_go) @ np.array(fitted["by_points"])
    by_points = by_points - FAR_SLOPE * np.maximum(to_go - KNOTS[-1], 0)
    return np.asarray(np.exp(by_points + np.outer(fitted["by_bags"], bag_share(to_go))))


CHANCES = table_of_chances()
