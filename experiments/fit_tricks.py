"""Fit what cards are worth: python -m spadesim.experiments.fit_tricks writes strategies/tricks.toml.

Bidders stray from their estimate, and whether they make the bid is fitted by the logistic model log odds = slope *
(tricks of the hand and place - bid). So the prices are in tricks, and the sum of a hand's prices is the bid that it
makes half the time.
"""

import click
import numpy as np

from spadesim.experiments.fitting import STRATEGIES, deals_of, logistic, write
from spadesim.strategies.fitted import Prices, tricks_by_place, tricks_in

SEED, GAMES = 7, 120_000
BOTS = ["straying+steady", "straying:low=-1:high=1+steady", "honors:base=-1.3+steady"]


def main() -> None:
    """Play, fit, and write."""
    deals = deals_of(BOTS, GAMES, SEED)
    deals = deals[deals["bot"].astype(str).str.startswith("straying") & (deals["bid"] > 0)]
    columns = dict(zip(Prices._fields, features(deals), strict=True))
    weights = logistic({**columns, "bid": deals["bid"].to_numpy()}, (deals["taken"] >= deals["bid"]).to_numpy())
    slope = -weights.pop("bid")
    about = {"made_by": "experiments/fit_tricks.py", "seed": SEED, "games": GAMES, "bots": BOTS, "deals": len(deals)}
    prices = {name: weight / slope for name, weight in weights.items()}
    write(STRATEGIES / "tricks.toml", about, {"slope": slope, "prices": prices})


def features(deals) -> list[np.ndarray]:
    """Return what each price is multiplied by: the estimate with that price 1 and all others 0."""
    hands, order, before = (deals[name].to_numpy(np.int64) for name in ("hand", "order", "bid_before"))
    units = (Prices(*row) for row in np.eye(len(Prices._fields)).tolist())
    return [tricks_in(hands, unit) + tricks_by_place(order, before, unit) for unit in units]


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
