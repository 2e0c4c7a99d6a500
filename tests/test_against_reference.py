"""The engine plays the very games of the slow reference: records card by card, and counts of leagues."""

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import BIDDERS, BOTS_FILE, PLAYERS, engine_games, reference_games

from spadesim import rules as rules_module
from spadesim.leagues import Job, LeagueSpec
from spadesim.rules import Rules
from spadesim.runs import make_result

specs = st.builds("{}+{}".format, st.sampled_from(sorted(BIDDERS)), st.sampled_from(sorted(PLAYERS)))
tables_of_bots = st.lists(specs, min_size=3, max_size=3)
seeds = st.integers(0, 2**64 - 1)
games = st.integers(0, 10**12)
some_rules = st.builds(
    Rules,
    nil=st.sampled_from([0, 50, 100, 200]),
    failed_nil_bags=st.booleans(),
    overtrick=st.sampled_from([-10, 0, 1, 3]),
    set_points=st.sampled_from([-20, -10, 0]),
    bag_limit=st.sampled_from([1, 2, 5, 10, 40]),
    bag_penalty=st.sampled_from([0, 10, 100]),
    target=st.sampled_from([1, 50, 200, 500]),
    max_deals=st.integers(1, 25),
)

# --- Records ---------------------------------------------------------------------------------------------------------

SHORT = Rules(max_deals=2)
FIXED_TABLES = [
    ["wild_bid+tricky_play", "tricky_bid+random_legal", "quick+need_or_duck"],
    ["tricky_bid+tricky_play", "spade_count+highest", "fixed:bid=0+lowest"],
    ["quick+need_or_duck_array", "wild_bid_python+need_or_duck_python", "tricky_bid+tricky_play"],
]


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("bots", FIXED_TABLES)
def test_a_few_short_games_are_those_of_the_reference(bots, interpreted):
    played = engine_games(bots, SHORT, 7, 10, 3, interpreted=interpreted)
    assert played == reference_games(bots, SHORT, 7, 10, 3)


@pytest.mark.many_games
@pytest.mark.parametrize("interpreted", [False, True])
@settings(max_examples=80)
@given(bots=tables_of_bots, rules=some_rules, seed=seeds, game=games)
def test_games_are_those_of_the_reference(interpreted, bots, rules, seed, game):
    played = engine_games(bots, rules, seed, game, 3, interpreted=interpreted)
    assert played == reference_games(bots, rules, seed, game, 3)


@pytest.mark.many_games
@pytest.mark.parametrize("bots", FIXED_TABLES)
def test_r5_1_whole_games_are_those_of_the_reference(bots):
    rules = Rules(max_deals=40)
    played = engine_games(bots, rules, 5, 300, 12)
    assert played == reference_games(bots, rules, 5, 300, 12)
    assert len({len(record["deals"]) for record in played}) > 3


@pytest.mark.many_games
def test_r5_2_play_offs_are_those_of_the_reference():
    # Without points for overtricks and without bag penalties, most totals are ties, and play-offs end at any height.
    rules = Rules(target=60, max_deals=25, overtrick=0, set_points=-20, bag_penalty=0)
    bots = ["fixed:bid=6+random_legal", "fixed:bid=6+lowest", "fixed:bid=6+need_or_duck"]
    played = engine_games(bots, rules, 3, 0, 60)
    assert played == reference_games(bots, rules, 3, 0, 60)
    won = [record for record in played if record["winner"] is not None]
    tops = [[sorted(deal["scores"])[1:] for deal in record["deals"]] for record in won]
    assert sum(any(second == first >= 60 for second, first in game) for game in tops) > 20
    assert sum(game[-1][1] < 60 for game in tops) > 0


# Hands run out of side suits before spades are broken (R3.4).
FEW_SIDE_CARDS = ("2S", *(rank + suit for suit in "CDH" for rank in "23456789T"))


@pytest.mark.many_games
@pytest.mark.parametrize("removed", [("AS",), ("2D",), ("KH", "3C", "9S", "9D"), FEW_SIDE_CARDS])
def test_r1_2_other_packs_are_those_of_the_reference(removed):
    rules = Rules(removed=removed, max_deals=6)
    bots = ["quick+need_or_duck", "tricky_bid+random_legal", "spade_count+lowest"]
    assert engine_games(bots, rules, 1, 0, 6) == reference_games(bots, rules, 1, 0, 6)


# --- Counts of a league ----------------------------------------------------------------------------------------------

FIELD = ["quick+need_or_duck", "wild_bid+tricky_play", "fixed:bid=0+lowest", "quick+need_or_duck"]
FEW_DEALS = Rules(name="few_deals", max_deals=5, target=150)
SEED, FIRST, BLOCKS, SEATINGS = 9, 4, 6, 6


@pytest.fixture(scope="module")
def league():
    """Play some blocks of a league, in the engine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(rules_module.PRESETS, FEW_DEALS.name, FEW_DEALS)
        job = Job(LeagueSpec(bots=FIELD, seed=SEED, rules=FEW_DEALS.name, load=(BOTS_FILE,)))
        return make_result(job, job.play(FIRST, BLOCKS))


@pytest.fixture(scope="module")
def appearances():
    """Play the same blocks in the reference; list each bot's games as (bot, block, seat, places, record)."""
    found = []
    for table in itertools.combinations(range(len(FIELD)), 3):
        bots = [FIELD[i] for i in table]
        for record in reference_games(bots, FEW_DEALS, SEED, FIRST * SEATINGS, BLOCKS * SEATINGS):
            block, seating = record["game"] // SEATINGS - FIRST, record["game"] % SEATINGS
            places = [table[i] for i in list(itertools.permutations(range(3)))[seating]]
            found += [(bot, block, seat, places, record) for seat, bot in enumerate(places)]
    return found


def new_bags(deal, seat):
    return max(deal["taken"][seat] - deal["bids"][seat], 0)


def final(record, seat):
    return record["deals"][-1]["scores"][seat]


PARTS = {
    "games": lambda record, seat: 1,
    "wins": lambda record, seat: int(record["winner"] == seat),
    "capped": lambda record, seat: int(record["end_reason"] == "deal_cap"),
    "score": final,
    "penalties": lambda record, seat: sum(deal["penalties"][seat] for deal in record["deals"]),
    "bags": lambda record, seat: sum(new_bags(deal, seat) for deal in record["deals"]),
    "deals": lambda record, seat: len(record["deals"]),
    "nil_bids": lambda record, seat: sum(deal["bids"][seat] == 0 for deal in record["deals"]),
    "nils_made": lambda record, seat: sum(deal["bids"][seat] == deal["taken"][seat] == 0 for deal in record["deals"]),
}


def count_by_block(appearances, part):
    """Sum a part of the records for each bot and block."""
    counts = np.zeros((len(FIELD), BLOCKS), int)
    for bot, block, seat, _, record in appearances:
        counts[bot, block] += PARTS[part](record, seat)
    return counts


@pytest.mark.many_games
def test_league_totals_are_those_of_the_reference(league, appearances):
    assert league.tally.blocks == BLOCKS
    assert league.tally.games.tolist() == count_by_block(appearances, "games").sum(1).tolist()
    for name in ("wins", "capped", "score", "penalties", "bags", "deals"):
        assert league.tally.totals[name].tolist() == count_by_block(appearances, name).sum(1).tolist(), name
    assert league.tally.totals["capped"].min() > 0
    assert league.tally.totals["faults"].tolist() == [0] * len(FIELD)


@pytest.mark.many_games
def test_league_deals_by_order_bid_and_tricks_are_those_of_the_reference(league, appearances):
    expected = Counter()
    for bot, _, seat, _, record in appearances:
        for deal in record["deals"]:
            expected[bot, (seat - deal["dealer"] - 1) % 3, deal["bids"][seat], deal["taken"][seat]] += 1
    counted = league.tally.deals
    assert {tuple(place): counted[tuple(place)] for place in np.argwhere(counted).tolist()} == dict(expected)


@pytest.mark.many_games
def test_league_pairs_and_seats_are_those_of_the_reference(league, appearances):
    met, ahead, margin, level = Counter(), Counter(), Counter(), Counter()
    seat_games, seat_wins = Counter(), Counter()
    for bot, _, seat, places, record in appearances:
        seat_games[bot, seat] += 1
        seat_wins[bot, seat] += record["winner"] == seat
        for other_seat, other in enumerate(places):
            if other != bot:
                met[bot, other] += 1
                ahead[bot, other] += final(record, seat) > final(record, other_seat)
                level[bot, other] += final(record, seat) == final(record, other_seat)
                margin[bot, other] += final(record, seat) - final(record, other_seat)
    names = league.bots
    for row in league.head_to_head.to_dict("records"):
        pair = names.index(row["bot"]), names.index(row["other"])
        counted = [row["games"], row["ahead"], row["level"], row["behind"], round(row["mean_margin"] * row["games"])]
        assert counted == [met[pair], ahead[pair], level[pair], ahead[pair[::-1]], margin[pair]]
    assert len(league.head_to_head) == len(met) == 12
    for row in league.seats.to_dict("records"):
        place = names.index(row["bot"]), row["seat"]
        assert [row["games"], row["wins"]] == [seat_games[place], seat_wins[place]]


@pytest.mark.many_games
def test_league_sums_over_blocks_are_those_of_the_reference(league, appearances):
    rates = {
        "win_share": ("wins", "games"),
        "mean_score": ("score", "games"),
        "points_per_deal": ("score", "deals"),
        "nil_rate": ("nil_bids", "deals"),
        "nil_success": ("nils_made", "nil_bids"),
        "bags_per_deal": ("bags", "deals"),
        "penalties_per_game": ("penalties", "games"),
    }
    for name, parts in rates.items():
        n, d = (count_by_block(appearances, part) for part in parts)
        expected = {"n": n, "d": d, "nn": n * n, "nd": n * d, "dd": d * d, "seen": d > 0}
        for each, by_block in expected.items():
            assert getattr(league.tally.rates[name], each).tolist() == by_block.sum(1).tolist(), (name, each)


@pytest.mark.many_games
def test_league_points_by_bid_are_those_of_the_reference(league, appearances):
    deals = defaultdict(list)
    for bot, _, seat, _, record in appearances:
        for deal in record["deals"]:
            points = deal["points"][seat] + FEW_DEALS.bag_penalty * deal["penalties"][seat]  # penalties left out
            deals[league.bots[bot], deal["bids"][seat]].append((deal["taken"][seat], points))
    assert len(league.bids) == len(deals)
    for row in league.bids.to_dict("records"):
        taken, points = zip(*deals[row["bot"], row["bid"]], strict=True)
        made = sum(tricks == 0 if row["bid"] == 0 else tricks >= row["bid"] for tricks in taken)
        assert [row["deals"], row["made"]] == [len(taken), made]
        assert row["mean_taken"] == pytest.approx(sum(taken) / len(taken))
        assert row["points_per_deal"] == pytest.approx(sum(points) / len(points))
