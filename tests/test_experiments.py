"""The experiments that come with spadesim: each is a league file, and its committed tables follow from its seed."""

import os
from pathlib import Path

import pandas as pd
import pytest

from spadesim.config import read_experiment
from spadesim.engine.compiling import uncompiled
from spadesim.leagues import CompareSpec
from spadesim.registry import find_strategies
from spadesim.runs import run

ROOT = Path(__file__).parent.parent
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))


def searches(path):
    """Tell whether a bot of the experiment searches, and it takes minutes."""
    bots = find_strategies().field(read_experiment(str(path)).bots)
    parts = [part.strategy.function.__module__ for bot in bots for part in (bot.bidder, bot.player)]
    return "spadesim.strategies.searchers" in parts


QUICK = [path for path in EXPERIMENTS if os.environ.get("SPADESIM_ALL_EXPERIMENTS") or not searches(path)]


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiment_asks_a_question_and_has_results(path):
    assert read_experiment(str(path)).bots
    assert path.read_text(encoding="utf-8").startswith('question = "')
    standings = pd.read_csv(ROOT / "results" / path.stem / "standings.csv")
    spec = read_experiment(str(path))
    assert sorted(standings["bot"]) == sorted(bot.name for bot in find_strategies().field(spec.bots))
    assert standings["games"].min() >= spec.games or isinstance(spec, CompareSpec)


@pytest.mark.skipif(uncompiled(), reason="hundreds of thousands of games")
@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_committed_tables_follow_from_the_seed(path):
    result = run(read_experiment(str(path)))
    for name, table in result.tables.items():
        kept = pd.read_csv(ROOT / "results" / path.stem / f"{name}.csv")
        # counts are exact everywhere; the last digit of an interval may depend on the machine's mathematics library
        pd.testing.assert_frame_equal(table, kept, check_dtype=False, rtol=1e-12, atol=0)
