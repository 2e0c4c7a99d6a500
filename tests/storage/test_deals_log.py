"""The log of deals: a row a seat, the same as the replays tell, in an order that workers do not change."""

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from spadesim import cards, league
from spadesim.bots.replay import play_game
from spadesim.errors import UsageError
from spadesim.tournament import job

pytestmark = pytest.mark.many_games

BOTS = ["quick+need_or_duck", "nil_tips+boss", "spade_count+lowest", "quick+need_or_duck"]


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logged") / "run"
    return league(BOTS, games=600, seed=3, out=str(folder), log="deals"), folder


def test_the_log_reads_in_one_line_and_adds_up_to_the_tables(logged):
    result, folder = logged
    log = pd.read_parquet(folder / "deals")
    assert len(log) == result.nils["deals"].sum()
    counted = log.groupby(["bot", "bid", "taken"], observed=True).size()
    table = result.calibration.set_index(["bot", "bid", "taken"])["deals"]
    assert counted.to_dict() == table.to_dict()
    assert log["nil"].equals(log["bid"] == 0)
    points = log.groupby("bot", observed=True)["points"].sum()
    standings = result.standings.set_index("bot")
    assert points.to_dict() == (standings["mean_score"] * standings["games"]).round().astype(int).to_dict()


def test_every_row_is_what_the_replay_shows(logged):
    _, folder = logged
    log = pd.read_parquet(folder / "deals")
    game = 8
    table = log[(log["table"] == " | ".join(BOTS[:3])) & (log["game"] == game)]
    record = play_game(BOTS[:3], seed=3, game=game)
    assert len(table) == 3 * len(record["deals"])
    for row in table.itertuples():
        deal = record["deals"][row.deal]
        assert row.bot == record["seats"][row.seat]
        assert row.stream == game // 6
        assert row.order == (row.seat - deal["dealer"] - 1) % 3
        assert cards.names(row.hand) == deal["hands"][row.seat]
        keys = ("bid", "taken", "points", "penalties", "bags")
        assert [getattr(row, key) for key in keys] == [deal[{"bid": "bids"}.get(key, key)][row.seat] for key in keys]
        assert row.score_before + row.points == deal["scores"][row.seat]


def test_workers_write_the_same_rows_in_the_same_order(logged, tmp_path):
    _, folder = logged
    league(BOTS, games=600, seed=3, out=str(tmp_path / "two"), log="deals", workers=2)
    one, two = (pd.read_parquet(path / "deals") for path in (folder, tmp_path / "two"))
    assert_frame_equal(one, two)


def test_sampled_log_has_whole_blocks_of_the_full_one(tmp_path, monkeypatch):
    monkeypatch.setattr(job, "LOGGED_IN_A_ROW", 2)
    field = BOTS[:3]
    full = league(field, games=120, seed=3, out=str(tmp_path / "full"), log="deals")
    part = league(field, games=120, seed=3, out=str(tmp_path / "part"), log="deals:0.2", workers=2)
    assert_frame_equal(full.standings, part.standings)
    whole, sample = (pd.read_parquet(tmp_path / name / "deals") for name in ("full", "part"))
    assert sorted(sample["stream"].unique()) == [0, 1, 10, 11]
    assert_frame_equal(whole[whole["stream"].isin([0, 1, 10, 11])].reset_index(drop=True), sample)


def test_a_log_needs_a_folder():
    with pytest.raises(UsageError, match="--out"):
        league(BOTS, games=6, log="deals")
