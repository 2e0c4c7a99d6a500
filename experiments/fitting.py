"""What the fits have in common: deals to learn from, the logistic fit, and the file of numbers."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize

import spadesim

HERE = Path(__file__).parent
STRATEGIES = HERE.parent / "strategies"
LIBRARY = Path(spadesim.__file__).parent / "bots"
EXPLORERS = str(HERE / "explorers.py")


def deals_of(bots: Sequence[str], games: int, seed: int) -> pd.DataFrame:
    """Play games and return a row for each seat and deal, in the order of the bidding, as in docs/TABLES.md."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        spadesim.league(bots, games=games, seed=seed, load=[EXPLORERS], out=str(out), log="deals")
        parts = sorted((out / "deals").glob("*.parquet"))
        deals = pd.concat([pd.read_parquet(part) for part in parts], ignore_index=True)
    deals = deals.sort_values(["table", "game", "deal", "order"], ignore_index=True)
    before = deals.groupby(["table", "game", "deal"], observed=True)["bid"].cumsum() - deals["bid"]
    return deals.assign(bid_before=before)


def logistic(columns: Mapping[str, np.ndarray], happened: np.ndarray) -> dict[str, float]:
    """Return the weights with which a sum of columns fits the log odds of an event best, by maximum likelihood."""
    matrix = np.column_stack([np.asarray(column, float) for column in columns.values()])
    scale = np.abs(matrix).max(0)

    def loss(weights):
        odds = matrix @ (weights / scale)
        gradient = matrix.T @ (1 / (1 + np.exp(-odds)) - happened) / scale
        return (np.logaddexp(0, odds) - happened * odds).mean(), gradient / len(happened)

    found = minimize(loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    return dict(zip(columns, (found.x / scale).tolist(), strict=True))


def write(file: Path, about: Mapping[str, object], values: Mapping[str, object]) -> None:
    """Write a TOML file of fitted numbers: how they came about, and the numbers."""
    lines = [f"{key} = {_text(value)}" for key, value in {**about, **values}.items() if not isinstance(value, Mapping)]
    for key, value in values.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{key}]", *(f"{inner} = {_text(number)}" for inner, number in value.items())]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
