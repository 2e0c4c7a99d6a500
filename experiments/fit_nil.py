"""Fit when a nil is made: python -m spadesim.experiments.fit_nil writes strategies/nil.toml.

Weak hands bid nil half the time, two other players hunt it, and a logistic model of the hand is fitted to whether it is
made.
"""

import click
import numpy as np

from spadesim.experiments.fitting import STRATEGIES, deals_of, logistic, write
from spadesim.strategies.nils import NilOdds, nil_odds

SEED, GAMES = 21, 240_000
BOTS = ["straying_nil+steady", "fitted+steady", "fitted:margin=1.1+steady"]


def main() -> None:
    """Play, fit, and write."""
    deals = deals_of(BOTS, GAMES, SEED)
    deals = deals[deals["bid"] == 0]
    hands, order = deals["hand"].to_numpy(np.int64), deals["order"].to_numpy(np.int64)
    units = (NilOdds(*row) for row in np.eye(len(NilOdds._fields)).tolist())
    columns = {name: nil_odds(hands, order, unit) for name, unit in zip(NilOdds._fields, units, strict=True)}
    odds = logistic(columns, (deals["taken"] == 0).to_numpy())
    about = {"made_by": "experiments/fit_nil.py", "seed": SEED, "games": GAMES, "bots": BOTS, "nils": len(deals)}
    write(STRATEGIES / "nil.toml", about, {"odds": odds})


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
