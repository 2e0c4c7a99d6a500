"""The experiments that come with spadesim: each is a league file, and its committed tables follow from its seed."""

from pathlib import Path

import pandas as pd
import pytest

from spadesim.config import read_experiment
from spadesim.engine.compiling import uncompiled
from spadesim.runs import run

ROOT = Path(__file__).parent.parent
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiment_asks_a_question_and_has_results(path):
    assert read_experiment(str(path)).bots
    assert path.read_text(encoding="utf-8").startswith('question = "')
    assert (ROOT / "results" / path.stem / "standings.csv").is_file()


@pytest.mark.skipif(uncompiled(), reason="hundreds of thousands of games")
@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_committed_tables_follow_from_the_seed(path):
    result = run(read_experiment(str(path)))
    for name, table in result.tables.items():
        kept = pd.read_csv(ROOT / "results" / path.stem / f"{name}.csv")
        # counts are exact everywhere; the last digit of an interval may depend on the machine's mathematics library
        pd.testing.assert_frame_equal(table, kept, check_dtype=False, rtol=1e-12, atol=0)
