"""Comparing two bots: the same deals, a verdict as soon as there is one, and figures that leagues agree with."""

import json

import numpy as np
import pandas as pd
import pytest
from play_specs import run
from stopping_reporter import StopsAfter
from whole_proof import whole, whole_but

from spadesim import compare, league
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.experiment import check_values
from spadesim.designs.files import read_experiment
from spadesim.designs.reopen import reopen
from spadesim.errors import UsageError
from spadesim.rules import Rules
from spadesim.stats import sequential

plays = pytest.mark.many_games

SEED = 5
BETTER, WORSE = "honors+boss", "quick+boss"
OTHERS = ["honors+need_or_duck", "nil_tips+boss"]


@pytest.fixture(scope="module")
def decided():
    return compare(BETTER, WORSE, OTHERS, seed=SEED, delta=0.02)


@plays
def test_the_better_bot_is_named_whichever_comes_first(decided):
    row = decided.comparison.iloc[0]
    assert row["verdict"] == BETTER
    assert row["difference"] > 0.1
    turned = compare(WORSE, BETTER, OTHERS, seed=SEED, delta=0.02).comparison.iloc[0]
    assert turned["verdict"] == BETTER
    assert turned["difference"] == -row["difference"]
    assert turned["games_each"] == row["games_each"]


@plays
def test_win_shares_are_those_of_leagues_of_the_same_games(decided):
    row = decided.comparison.iloc[0]
    for which in ("first", "second"):
        alone = league([row[which], *OTHERS], games=int(row["games_each"]), seed=SEED).standings.set_index("bot")
        assert alone.loc[row[which], "games"] == row["games_each"]
        assert alone.loc[row[which], "win_share"] == row[f"win_share_{which}"]
    assert row["difference"] == pytest.approx(row["win_share_first"] - row["win_share_second"])


@plays
def test_what_pairing_saves_is_the_ratio_of_variances(decided):
    row = decided.comparison.iloc[0]
    blocks = int(row["games_each"]) // 6
    assert blocks < 2_000  # each block is a group by itself
    shares = []
    for bot in (BETTER, WORSE):
        table = make_table(find_strategies().field([bot, *OTHERS]), Rules())
        shares.append(table.play(SEED, 0, blocks).results[:, 0, 0] / 6)
    expected = sum(np.var(share, ddof=1) for share in shares) / np.var(shares[0] - shares[1], ddof=1)
    assert row["relative_efficiency"] == pytest.approx(expected)
    half = sequential.anytime_half_width(np.var(shares[0] - shares[1], ddof=1), blocks)
    assert row["difference_high"] - row["difference"] == pytest.approx(half)


@whole
@plays
def test_the_same_bot_twice_is_level():
    row = compare(BETTER, BETTER, OTHERS, seed=SEED).comparison.iloc[0]
    assert (row["verdict"], row["difference"]) == ("level", 0)
    assert row["games_each"] < 10_000


@whole
@plays
def test_few_games_leave_it_undecided():
    row = compare(BETTER, "honors:ace=0.9+boss", OTHERS, seed=SEED, delta=0.001, games=3_000).comparison.iloc[0]
    assert (row["verdict"], row["games_each"]) == ("undecided", 3_000)


@whole
@plays
def test_two_workers_decide_at_the_same_game(decided):
    again = compare(BETTER, WORSE, OTHERS, seed=SEED, delta=0.02, workers=2)
    assert again.comparison.to_csv() == decided.comparison.to_csv()


@plays
@pytest.mark.parametrize("asked", whole_but([3, 8, 20], 8))
def test_an_interrupted_comparison_goes_on_to_the_same_verdict(asked, tmp_path):
    values = {"bots": (BETTER, "honors:ace=0.9+boss", *OTHERS), "seed": SEED, "delta": 0.004, "games": 9_000}
    spec = check_values(CompareSpec, values)
    whole = run(spec, out=str(tmp_path / "whole"))
    part = run(spec, out=str(tmp_path / "part"), reporter=StopsAfter(asked))
    assert not part.complete
    assert json.loads((tmp_path / "part" / "manifest.json").read_text())["state"] == "partial"
    run(spec, out=str(tmp_path / "part"), resume=True)
    for table in whole.tables:
        assert (tmp_path / "part" / f"{table}.csv").read_bytes() == (tmp_path / "whole" / f"{table}.csv").read_bytes()
    assert reopen(str(tmp_path / "part")).comparison.to_csv() == whole.comparison.to_csv()


@plays
def test_a_file_can_hold_a_comparison(tmp_path, decided):
    path = tmp_path / "better.toml"
    path.write_text(
        f"compare = {json.dumps([BETTER, WORSE])}\nagainst = {json.dumps(OTHERS)}\nseed = 5\ndelta = 0.02\n"
    )
    spec = read_experiment(str(path))
    assert spec == decided.spec.model_copy(update={"games": spec.games})
    assert read_experiment(str(path), {"seed": 6}).seed == 6
    pd.testing.assert_frame_equal(
        run(spec.model_copy(update={"games": decided.spec.games})).comparison, decided.comparison
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("compare = ['quick+boss']\nagainst = []", "expected a list of two bots and one of others"),
        ("compare = ['quick+boss', 'honors+boss']\nagainst = ['quick+boss']", "1 bot to play against; expected 2"),
        ("compare = ['quick+boss', 'honors+boss']\nbots = []", "bots are next to compare"),
        ("compare = ['quick+boss', 'honors+boss']\nagainst = []\ndelta = 2", "delta is 2"),
        ("compare = ['quick+boss', 'honors+boss']\nagainst = []\ndelat = 2", "did you mean 'delta'"),
    ],
)
def test_a_comparison_that_is_none_is_refused_in_one_line(text, expected, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=expected) as caught:
        run(read_experiment(str(path)))
    assert "\n" not in str(caught.value)
