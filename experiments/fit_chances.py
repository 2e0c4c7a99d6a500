"""Fit who wins from where: python -m spadesim.experiments.fit_chances writes spadesim/bots/chances.toml.

Each bot has a strength that depends on the points it has to go and the bags it holds; its chance to win is its strength
divided by the sum of all (a conditional logit, McFadden 1974). Log strengths are linear between knots of points to go;
the further there is to go, the more a bag takes off.
"""

import click
import numpy as np
from scipy.optimize import minimize

from spadesim.bots.chances import BAGS, KNOTS, bag_share, between_knots
from spadesim.experiments.fitting import LIBRARY, deals_of, write

SEED, GAMES, TARGET = 11, 120_000, 200
BOTS = ["fitted+steady", "fitted:margin=1.1+steady", "honors:base=-1.3+steady"]


def main() -> None:
    """Play, fit, and write."""
    to_go, bags, won = positions()
    columns = np.concatenate([between_knots(to_go), bag_share(to_go)[..., None] * (bags[..., None] == BAGS[1:])], -1)
    rows = np.arange(len(won))

    def loss(weights):
        strengths = columns @ weights
        strengths = np.exp(strengths - strengths.max(1, keepdims=True))
        chances = strengths / strengths.sum(1, keepdims=True)
        gradient = (chances[..., None] * columns).sum(1) - columns[rows, won]
        return -np.log(chances[rows, won]).mean() + 1e-6 * weights @ weights, gradient.mean(0) + 2e-6 * weights

    weights = minimize(loss, np.zeros(columns.shape[-1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    by_points, by_bags = np.split(weights, [len(KNOTS)])
    about = {"made_by": "experiments/fit_chances.py", "seed": SEED, "games": GAMES, "bots": BOTS, "deals": len(won)}
    by_points = by_points - by_points[list(KNOTS).index(TARGET)]
    write(LIBRARY / "chances.toml", about, {"by_points": by_points.tolist(), "by_bags": [0.0, *by_bags.tolist()]})


def positions() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games and return every deal's start: points to go and bags by seat, and the seat that won the game."""
    deals = deals_of(BOTS, GAMES, SEED).sort_values(["game", "deal", "seat"])
    score, points, bags_after = (
        deals[name].to_numpy(np.int64).reshape(-1, 3) for name in ("score_before", "points", "bags")
    )
    game = deals["game"].to_numpy()[::3]
    first, last = np.r_[True, game[1:] != game[:-1]], np.r_[game[1:] != game[:-1], True]
    bags = np.where(first[:, None], 0, np.roll(bags_after, 1, 0))
    winner = (score + points)[last].argmax(1)
    return TARGET - score, bags, winner[np.cumsum(first) - 1]


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
