"""The engine plays the very games of the slow reference: records card by card, and counts of leagues."""

import dataclasses
import itertools
import os
import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from against_reference import BIDDERS, BOTS_FILE, PLAYERS, engine_games, reference_games
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_proof import whole, whole_but

from spadesim.bots import prepare
from spadesim.designs.league.result import make_result
from spadesim.designs.league.spec import LeagueSpec
from spadesim.errors import UsageError
from spadesim.rules import FIELDS, PRESETS, Rules, read_rules
from spadesim.tournament.job import Job

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
@pytest.mark.parametrize("bots", whole_but(FIXED_TABLES, FIXED_TABLES[0]))
def test_a_few_short_games_are_those_of_the_reference(bots, interpreted):
    played = engine_games(bots, SHORT, 7, 10, 3, interpreted=interpreted)
    assert played == reference_games(bots, SHORT, 7, 10, 3)


@whole
@pytest.mark.many_games
@pytest.mark.parametrize("interpreted", [False, True])
@settings(max_examples=80)
@given(bots=tables_of_bots, rules=some_rules, seed=seeds, game=games)
def test_games_are_those_of_the_reference(interpreted, bots, rules, seed, game):
    played = engine_games(bots, rules, seed, game, 3, interpreted=interpreted)
    assert played == reference_games(bots, rules, seed, game, 3)


@whole
@pytest.mark.many_games
@pytest.mark.parametrize("bots", FIXED_TABLES)
def test_r5_1_whole_games_are_those_of_the_reference(bots):
    rules = Rules(max_deals=40)
    played = engine_games(bots, rules, 5, 300, 12)
    assert played == reference_games(bots, rules, 5, 300, 12)
    assert len({len(record["deals"]) for record in played}) > 3


@whole
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
@pytest.mark.parametrize(
    "removed", whole_but([("AS",), ("2D",), ("KH", "3C", "9S", "9D"), FEW_SIDE_CARDS], FEW_SIDE_CARDS)
)
def test_r1_2_other_packs_are_those_of_the_reference(removed):
    rules = Rules(removed=removed, max_deals=6)
    bots = ["quick+need_or_duck", "tricky_bid+random_legal", "spade_count+lowest"]
    assert engine_games(bots, rules, 1, 0, 6) == reference_games(bots, rules, 1, 0, 6)


# --- Every rule set --------------------------------------------------------------------------------------------------

# Bots that answer at random, or by everything that they see.
RANDOM_BOTS = ["daring_bid+family_play", "family_bid+random_legal", "wild_bid+tricky_play", "family_bid+family_play"]
RANDOM_BOTS += ["tricky_bid+need_or_duck", "daring_bid+random_legal"]
DEALS = int(os.environ.get("SPADESIM_TEST_DEALS", "300"))  # of each preset; the reference plays a hundred a second


@whole
@pytest.mark.many_games
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_plays_the_games_of_the_reference(name):
    rules = read_rules(f"{name}:max_deals=40")
    bots = RANDOM_BOTS[: rules.bots]
    deals, game = 0, 0
    while deals < DEALS:
        expected = reference_games(bots, rules, 21, game, 20)
        compiled = engine_games(bots, rules, 21, game, 20)
        interpreted = engine_games(bots, rules, 21, game, 20, interpreted=True)
        assert compiled == expected
        assert interpreted == expected
        deals += sum(len(record["deals"]) for record in expected)
        game += 20


FEW_BOTS = ["daring_bid+family_play", "family_bid+random_legal", "family_bid+family_play"]
ONE_OF_A_KIND = [("cutthroat", False), ("cutthroat", True), ("pagat-jokers", False), ("house-blind-nil", False)]
ONE_OF_A_KIND += [("partnership", True), ("dummy-hand", True)]  # for four hands all would be compiled anew


@pytest.mark.many_games
@pytest.mark.parametrize(("name", "interpreted"), ONE_OF_A_KIND)
def test_a_few_games_by_a_preset_of_each_kind_are_those_of_the_reference(name, interpreted):
    rules = read_rules(f"{name}:max_deals=6")
    bots = FEW_BOTS[: rules.bots]
    played = engine_games(bots, rules, 22, 0, 5, interpreted=interpreted)
    assert played == reference_games(bots, rules, 22, 0, 5)


CHOICES = {
    "players": [2, 3, 4, 5, 6],
    "removed": [(), ("2C",), ("2C", "2D"), ("2C", "3C", "2D", "3D"), ("AS",), ("KH", "3C", "9S", "9D"), FEW_SIDE_CARDS],
    "jokers": [0, 2],
    "set_aside": [0, 1, 2, 3, 17],
    "min_bid": [0, 1],
    "bid_total_not": [None, "cards_each"],
    "nil": [0, 50, 100],
    "failed_nil_bags": [True, False],
    "blind_nil": [0, 200],
    "blind_behind": [0, 50, 100],
    "opening_lead": ["left_nonspade", "left", "lowest_club"],
    "spades_break": ["ruff", "played", "won", "free"],
    "overtrick": [-10, 0, 1, 3],
    "set_points": [-20, -10, 0],
    "bag_limit": [None, 1, 2, 5, 10, 40],
    "bag_penalty": [0, 10, 50, 100],
    "bag_reset": ["carry", "zero"],
    "exact_bonus": [0, 7],
    "high_spade_bonus": [0, 5],
    "target": [1, 50, 200, 500],
    "floor": [None, -1, -200],
    "fixed_deals": [None, 1, 3],
    "max_deals": [1, 3, 8],
    "renege": ["nothing", "bid_fails", "three_tricks"],
    "partnerships": [None, "opposite"],
    "dummy": [True, False],
}
changes = st.lists(st.sampled_from(FIELDS), min_size=6, max_size=6, unique=True).flatmap(
    lambda fields: st.fixed_dictionaries({field: st.sampled_from(CHOICES[field]) for field in fields})
)
any_bot = st.builds(
    "{}+{}".format,
    st.sampled_from(["daring_bid", "family_bid", "careless_bid"]),
    st.sampled_from(["family_play", "careless_play", "random_legal"]),
)


def rules_or_error(base, changed):
    try:
        return dataclasses.replace(base, **changed), ""
    except UsageError as error:
        return base, str(error)


def test_the_choices_are_of_every_field():
    assert set(CHOICES) == set(FIELDS)


@whole
@pytest.mark.many_games
@settings(max_examples=300)
@given(
    name=st.sampled_from(sorted(PRESETS)),
    changed=changes,
    bots=st.lists(any_bot, min_size=6, max_size=6),
    seed=seeds,
    interpreted=st.booleans(),
)
def test_rules_changed_at_random_are_refused_or_played_as_in_the_reference(name, changed, bots, seed, interpreted):
    rules, error = rules_or_error(PRESETS[name], {"max_deals": 8} | changed)
    if error:
        assert len([field for field in FIELDS if re.search(rf"\b{field}\b", error)]) >= 2
        assert "\n" not in error
        return
    bots = bots[: rules.bots]
    policy = "correct" if any("careless" in bot for bot in bots) else "stop"
    expected = reference_games(bots, rules, seed, 5, 2, on_fault=policy)
    played = engine_games(bots, rules, seed, 5, 2, on_fault=policy, interpreted=interpreted)
    faults = [record.pop("fault", None) for record in played]
    assert played == expected
    assert [fault is not None for fault in faults] == [
        any("corrections" in deal for deal in record["deals"]) for record in expected
    ]


# --- Counts of a league ----------------------------------------------------------------------------------------------

FIELD = ["quick+need_or_duck", "wild_bid+tricky_play", "fixed:bid=0+lowest", "quick+need_or_duck"]
FEW_DEALS = read_rules("cutthroat:max_deals=5:target=150")
SEED, FIRST, BLOCKS, SEATINGS = 9, 4, 6, 6


def result_of(job):
    """Count the blocks at all tables."""
    pool = job.pool(FIRST + BLOCKS)
    for bots in job.tables:
        pool.add(bots, job.play(bots, FIRST, BLOCKS)[0])
    return make_result(job.spec, job.rules, [bot.name for bot in job.bots], pool.tally())


@pytest.fixture(scope="module")
def league():
    """Play some blocks of a league, in the engine."""
    job = Job(LeagueSpec(bots=FIELD, seed=SEED, rules=FEW_DEALS.name, load=(BOTS_FILE,)))
    return result_of(job)


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
    "contracts": lambda record, seat: sum(deal["bids"][seat] > 0 for deal in record["deals"]),
    "sets": lambda record, seat: sum(deal["bids"][seat] > deal["taken"][seat] for deal in record["deals"]),
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
        "set_rate": ("sets", "contracts"),
        "bags_per_deal": ("bags", "deals"),
        "penalties_per_game": ("penalties", "games"),
    }
    for name, parts in rates.items():
        n, d = (count_by_block(appearances, part) for part in parts)
        expected = {"n": n, "d": d, "nn": n * n, "nd": n * d, "dd": d * d, "seen": d > 0}
        for part, by_block in expected.items():
            assert getattr(league.tally.rates[name], part).tolist() == by_block.sum(1).tolist(), (name, part)


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


# --- Counts by other rules -------------------------------------------------------------------------------------------

OTHER_RULES = ["solo-4", "partnership", "dummy-hand", "house-blind-nil", "pagat"]
FAMILY_FIELD = [*RANDOM_BOTS[:3], "quick+need_or_duck"]


@pytest.fixture(scope="module", params=whole_but(OTHER_RULES))
def family(request):
    """Play a league by other rules; return it with each hand that bid, as (bot, block, seat, record, deal)."""
    rules = read_rules(f"{request.param}:max_deals=6")
    job = Job(LeagueSpec(bots=FAMILY_FIELD, seed=SEED, rules=rules.name, load=(BOTS_FILE,)))
    found, order = [], prepare.seatings(rules)
    for table in itertools.combinations(range(len(FAMILY_FIELD)), rules.bots):
        bots = [FAMILY_FIELD[i] for i in table]
        for record in reference_games(bots, rules, SEED, FIRST * len(order), BLOCKS * len(order)):
            block, seating = divmod(record["game"], len(order))
            places = [table[i] for i in order[seating]]
            found += [(places[seat], block, seat, record) for seat in range(rules.players)]
    return rules, result_of(job), found


def tricks_for_bid(deal, seat, rules):
    """Count the tricks that stand against a bid: a hand's own, or with a dummy those of both hands, but for a nil."""
    if not rules.dummy or deal["bids"][seat] == 0:
        return deal["taken"][seat]
    declarer = deal["declarer"]
    partner = deal["dummy"] if seat == declarer else 3 - seat - declarer
    return deal["taken"][seat] + deal["taken"][partner]


def earned_by_hand(deal, seat, rules):
    """Score a hand's nil, or the contract that its bid is a part of; return too whether it was made."""
    bid, tricks = deal["bids"][seat], tricks_for_bid(deal, seat, rules)
    if bid == 0 and rules.nil:
        worth = rules.blind_nil if deal.get("blind", [False] * 4)[seat] else rules.nil
        return (worth, 1) if tricks == 0 else (-worth, 0)
    if rules.partnerships:
        bid, tricks = (deal[key][seat] + deal[key][seat ^ 2] for key in ("bids", "taken"))
    return (10 * bid + rules.overtrick * (tricks - bid), 1) if tricks >= bid else (rules.set_points * bid, 0)


@pytest.mark.many_games
def test_games_by_other_rules_are_counted_as_in_the_reference(family):
    rules, league, found = family
    totals = {name: np.zeros(len(FAMILY_FIELD), int) for name in ("wins", "capped", "score", "penalties", "deals")}
    for bot, _, seat, record in found:
        if seat >= rules.bots:  # the second hand of a side
            continue
        totals["wins"][bot] += record["winner"] == seat
        totals["capped"][bot] += record["end_reason"] == "deal_cap"
        totals["score"][bot] += final(record, seat)
        totals["penalties"][bot] += sum(deal["penalties"][seat] for deal in record["deals"])
        totals["deals"][bot] += len(record["deals"])
    for name, counted in totals.items():
        assert league.tally.totals[name].tolist() == counted.tolist(), name


@pytest.mark.many_games
def test_bids_by_other_rules_are_counted_as_in_the_reference(family):
    rules, league, found = family
    deals, earned, made = (
        np.zeros_like(counts) for counts in (league.tally.deals, league.tally.earned, league.tally.earned)
    )
    for bot, _, seat, record in found:
        for deal in record["deals"]:
            order, bid = (seat - deal["dealer"] - 1) % rules.players, deal["bids"][seat]
            points, kept = earned_by_hand(deal, seat, rules)
            deals[bot, order, bid, tricks_for_bid(deal, seat, rules)] += 1
            earned[bot, order, bid] += points
            made[bot, order, bid] += kept
    assert (league.tally.deals == deals).all()
    assert (league.tally.earned == earned).all()
    assert league.tally.rates["made_rate"].n.tolist() == made.sum(1).tolist()
    nils = league.nils
    assert nils["deals"].tolist() == deals.sum((1, 2, 3)).tolist()
    assert nils["nil_bids"].tolist() == (deals[:, :, 0].sum((1, 2)) * (rules.nil > 0)).tolist()
    assert nils["nil_made"].tolist() == (made[:, :, 0].sum(1) * (rules.nil > 0)).tolist()
