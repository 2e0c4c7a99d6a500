"""Counts are the same however a league is played, and its tables agree with each other and with the rules."""

import numpy as np
import pytest
from against_reference import BOTS_FILE
from whole_proof import whole, whole_but

from spadesim import league
from spadesim.engine import table as engine_table
from spadesim.rules import DEALS_MAX, PRESETS
from spadesim.tournament import job, scheduling

pytestmark = pytest.mark.many_games

SEED = 77
FIELD = ["quick+need_or_duck", "wild_bid+tricky_play", "spade_count+random_legal", "nil_tips+boss"]
SHORT = "cutthroat:max_deals=12"  # in which bots that bid at random are soon done


def play(bots=FIELD, games=1200, **options):
    return league(bots, games=games, seed=SEED, rules=SHORT, load=[BOTS_FILE], **options)


def csv(result):
    return {name: table.to_csv(index=False) for name, table in result.tables.items()}


@pytest.fixture(scope="module")
def played():
    """Play the field once for all tests."""
    return play()


# --- The same bytes --------------------------------------------------------------------------------------------------


def test_two_workers_give_the_same_bytes(played):
    assert csv(play(workers=2)) == csv(played)


@whole
def test_interpreted_loop_gives_the_same_bytes():
    assert csv(play(games=300, interpreted=True)) == csv(play(games=300))


def test_array_and_python_strategies_give_the_same_bytes():
    compiled = ["wild_bid+need_or_duck", "quick+need_or_duck", "quick+lowest"]
    others = ["wild_bid_array+need_or_duck_array", "quick+need_or_duck_python", "quick+lowest"]
    tables = [play(bots, games=300).tables for bots in (compiled, others)]
    for name in tables[0]:
        renamed = tables[1][name].replace(dict(zip(others, compiled, strict=True)))
        assert renamed.to_csv() == tables[0][name].to_csv()


@pytest.mark.parametrize(
    ("module", "limit", "value"),
    whole_but(
        [(scheduling, "SECONDS_A_SHARD", 0.0), (scheduling, "FIRST_ROUND", 7), (job, "BLOCKS_AT_ONCE", 13)],
        (scheduling, "SECONDS_A_SHARD", 0.0),
        several=True,
    ),
)
def test_shards_change_nothing(played, monkeypatch, module, limit, value):
    monkeypatch.setattr(module, limit, value)
    assert csv(play()) == csv(played)


@pytest.mark.parametrize(("records", "games_a_lane"), whole_but([(1, 6), (3, 1)], (3, 1), several=True))
def test_number_of_lanes_changes_nothing(monkeypatch, records, games_a_lane):
    field = ["wild_bid_array+need_or_duck_array", "quick+need_or_duck", "fixed+lowest"]
    usual = csv(play(field, games=1500))
    monkeypatch.setattr(engine_table, "RECORDS_INTERPRETED", records)
    monkeypatch.setattr(engine_table, "GAMES_A_LANE", games_a_lane)
    assert csv(play(field, games=1500)) == usual


def test_another_seed_gives_other_games(played):
    other = league(FIELD, games=1200, seed=SEED + 1, rules=SHORT, load=[BOTS_FILE])
    assert csv(other) != csv(played)


def test_a_table_counts_the_same_in_a_larger_field():
    alone = play(FIELD[:3], games=120)
    with_focus = play([*FIELD[:3], *FIELD[:2]], games=120, focus=[FIELD[2]])
    pairs = [alone.head_to_head, with_focus.head_to_head]
    one, other = (frame[(frame["bot"] == FIELD[0]) & (frame["other"] == FIELD[1])] for frame in pairs)
    assert one[["games", "ahead", "behind"]].values.tolist() == other[["games", "ahead", "behind"]].values.tolist()


# --- Equal bots ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bot",
    whole_but(
        ["quick+need_or_duck", "honors+boss", "wild_bid+random_legal", "wild_bid+tricky_play"], "quick+need_or_duck"
    ),
)
def test_equal_bots_differ_by_exactly_nothing(bot):
    result = play([bot] * 3, games=600)
    columns = result.standings.drop(columns="bot")
    assert (columns == columns.iloc[0]).all(axis=None)
    assert result.standings["bot"].tolist() == [bot, f"{bot}#2", f"{bot}#3"]
    assert (result.head_to_head["mean_margin"] == 0).all()
    assert (result.head_to_head["ahead"] == result.head_to_head["behind"]).all()
    deals = result.tally.deals
    assert (deals == deals[0]).all()


@pytest.mark.parametrize("rules", whole_but(PRESETS, "pagat-bags"))
def test_equal_bots_differ_by_exactly_nothing_by_any_rules(rules):
    result = league(["honors+boss"] * PRESETS[rules].bots, games=240, seed=SEED, rules=rules)
    columns = result.standings.drop(columns="bot")
    assert (columns == columns.iloc[0]).all(axis=None)
    assert (result.head_to_head["mean_margin"] == 0).all()
    assert (result.tally.deals == result.tally.deals[0]).all()


def test_r5_3_bots_that_always_bid_1_never_finish():
    result = league(["fixed:bid=1+need_or_duck"] * 3, games=60, seed=SEED)
    standings = result.standings
    assert standings["capped"].tolist() == standings["games"].tolist() == [60] * 3
    assert standings["wins"].tolist() == [0] * 3
    assert standings["deals_per_game"].tolist() == [200] * 3
    assert (standings["mean_score"] < 0).all()
    assert (standings["win_share_low"] == 0).all()
    assert (standings["win_share_high"] > 0).all()


@pytest.mark.parametrize(
    ("preset", "seatings", "bots"),
    whole_but([("cutthroat", 6, 3), ("solo-6", 12, 6)], ("cutthroat", 6, 3), several=True),
)
def test_r5_3_counts_hold_the_longest_games(preset, seatings, bots):
    longest = f"{preset}:max_deals={DEALS_MAX}:target=10000:set_points=-10:bag_penalty=1000"
    result = league(["fixed:bid=1+need_or_duck"] * bots, games=seatings, seed=SEED, rules=longest)
    assert result.bids["deals"].tolist() == [seatings * DEALS_MAX] * bots
    made = result.calibration[result.calibration["taken"] >= 1].groupby("bot")["deals"].sum()
    assert result.bids["made"].tolist() == made.tolist()


# --- Tables that agree -----------------------------------------------------------------------------------------------


def by_bot(table, column):
    """Sum a column of a table for each bot, in the order of the field."""
    return table.groupby("bot")[column].sum().reindex(FIELD).tolist()


def test_standings_agree_with_seats_and_pairs(played):
    for column in ("games", "wins"):
        assert by_bot(played.seats, column) == by_bot(played.standings, column)
    assert (played.seats["games"] == played.standings["games"].iloc[0] // 3).all()
    assert by_bot(played.head_to_head, "games") == [2 * games for games in by_bot(played.standings, "games")]
    assert by_bot(played.standings, "games") == [3 * 1200] * 4  # of the 4 tables of three


def test_games_have_one_winner_or_were_capped(played):
    totals = played.standings[["games", "wins", "capped", "faults"]].sum()
    assert totals["games"] == 4 * 1200 * 3
    assert totals["wins"] + totals["capped"] // 3 == 4 * 1200
    assert totals["capped"] > 0
    assert totals["faults"] == 0


def test_head_to_head_is_the_same_from_both_sides(played):
    pairs = played.head_to_head.set_index(["bot", "other"])
    assert (pairs["ahead"] + pairs["level"] + pairs["behind"] == pairs["games"]).all()
    assert len(pairs) == 12
    for bot, other in pairs.index:
        one, back = pairs.loc[(bot, other)], pairs.loc[(other, bot)]
        assert [one["games"], one["ahead"], one["level"]] == [back["games"], back["behind"], back["level"]]
        assert one["mean_margin"] == -back["mean_margin"]
        assert one["ahead_share"] == one["ahead"] / one["games"]


def test_deals_add_up_in_every_table(played):
    deals = by_bot(played.standings, "deals")
    for table in (played.nils, played.bags, played.bids, played.calibration, played.orders):
        assert by_bot(table, "deals") == deals
    assert sum(deals) == played.tally.deals.sum()
    tricks = (played.calibration["deals"] * played.calibration["taken"]).sum()
    assert tricks * 3 == 17 * sum(deals)  # 17 tricks a deal, three seats


def test_bids_and_nils_agree_with_the_calibration(played):
    deals, bid, taken = (played.calibration[column] for column in ("deals", "bid", "taken"))
    made = played.calibration.assign(made=deals * np.where(bid == 0, taken == 0, taken >= bid))
    assert by_bot(made, "made") == by_bot(played.bids, "made")
    nils = played.bids[played.bids["bid"] == 0].set_index("bot").reindex(FIELD).fillna(0)
    assert by_bot(played.nils, "nil_bids") == nils["deals"].tolist()
    assert by_bot(played.nils, "nil_made") == nils["made"].tolist()
    bags = played.calibration.assign(bags=deals * (taken - bid).clip(lower=0))
    assert by_bot(bags, "bags") == by_bot(played.bags, "bags")


def test_points_agree_with_bids_and_penalties(played):
    # Every point is scored by a bid or lost by a penalty; each mean times its count is a whole number again.
    bids = played.bids.assign(points=played.bids["points_per_deal"] * played.bids["deals"])
    orders = played.orders.assign(points=played.orders["points_per_deal"] * played.orders["deals"])
    penalties = np.array(by_bot(played.bags, "penalties"))
    standings = played.standings.set_index("bot").reindex(FIELD)
    scores = (standings["mean_score"] * standings["games"]).to_numpy()
    assert by_bot(bids, "points") == pytest.approx(scores + 100 * penalties)
    assert by_bot(orders, "points") == pytest.approx(scores + 100 * penalties)
    assert (standings["points_per_deal"] * standings["deals"]).to_numpy() == pytest.approx(scores)
    bags = played.bags.set_index("bot").reindex(FIELD)
    assert (bags["penalty_points_per_game"] * bags["games"]).to_numpy() == pytest.approx(-100 * penalties)


def test_standings_are_in_order_of_win_share(played):
    assert played.standings["win_share"].is_monotonic_decreasing
    assert (played.standings["win_share"] == played.standings["wins"] / played.standings["games"]).all()


def test_every_interval_holds_its_figure(played):
    bounded = 0
    for table in played.tables.values():
        for low in [column for column in table if column.endswith("_low")]:
            name = low.removesuffix("_low")
            known = table[table[name].notna()]
            assert (known[low] <= known[name] + 1e-12).all(), low
            assert (known[name] <= known[f"{name}_high"] + 1e-12).all(), low
            bounded += 1
    assert bounded > 8


def test_games_are_rounded_up_to_whole_blocks():
    result = play(FIELD[:3], games=7)
    assert result.standings["games"].tolist() == [12] * 3
