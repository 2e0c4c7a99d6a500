"""Deals against exact probabilities, and that they depend on the seed, the stream and the deal alone (R1.2)."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import reference as ref
from against_reference import BOTS_FILE, engine_games, twin_rules
from batch import Batch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from spadesim import cards
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.engine.game.deal import deal
from spadesim.engine.loop import LOG_COLUMNS
from spadesim.rules import Rules

EXACT = json.loads((Path(__file__).parents[1] / "data" / "deal_probabilities.json").read_text())
SEED, STREAMS, DEALS = 20, 1200, 100
P_VALUE = 1e-4  # of a wrong alarm, in each of about 60 tests with a fixed seed


@cache
def dealt():
    """Deal many deals of many streams; shape (3, deals), the masks of the hands."""
    batch = Batch()
    lanes = batch["game"].size
    hands = []
    with np.errstate(over="ignore"):
        for first in range(0, STREAMS, lanes):
            keys = [ref.game_key(SEED, stream) for stream in range(first, first + lanes)]
            batch["game_key0"][:], batch["game_key1"][:] = np.array(keys, np.uint64).T
            batch["deal"][:] = -1
            for _ in range(DEALS):
                deal(batch.t, batch.r)
                hands.append(batch["dealt"].copy())
    return np.concatenate(hands, axis=1)


def probabilities(name):
    """Read a distribution of the file as floats made from its exact fractions."""
    return [float(Fraction(chance["fraction"])) for chance in EXACT[name]]


def p_value(counted, expected):
    """Test counts against probabilities that add up to 1, cells with expectations below 5 pooled."""
    counted, expected = np.array(counted, float), np.array(expected) * np.sum(counted)
    small = expected < 5
    if small.any():
        counted = np.append(counted[~small], counted[small].sum())
        expected = np.append(expected[~small], expected[small].sum())
        if expected[-1] < 5:  # still too few: with the smallest of the others
            least = int(np.argmin(expected[:-1]))
            counted[least] += counted[-1]
            expected[least] += expected[-1]
            counted, expected = counted[:-1], expected[:-1]
    return chisquare(counted, expected, sum_check=False).pvalue if len(counted) > 1 else 1.0


def lengths(hands, suit):
    return cards.count(hands & suit)


# --- Chances ---------------------------------------------------------------------------------------------------------


@pytest.mark.many_games
def test_r1_2_every_deal_is_a_partition_of_the_51_cards():
    hands = dealt()
    assert hands.shape[1] >= 100_000
    assert (cards.count(hands) == 17).all()
    assert (hands[0] | hands[1] | hands[2] == Rules().deck).all()  # 3 × 17 = 51: no card twice
    assert len(np.unique(hands[0])) == hands.shape[1]


@pytest.mark.many_games
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize(
    ("name", "count_of"),
    [
        ("P_spades_in_hand", lambda hand: lengths(hand, cards.SPADES)),
        ("P_clubs_in_hand", lambda hand: lengths(hand, cards.CLUBS)),
        ("P_aces_in_hand", lambda hand: lengths(hand, cards.ACES)),
        ("P_hand_exactly_j_voids", lambda hand: sum((hand & suit == 0).astype(int) for suit in cards.SUITS)),
    ],
)
def test_r1_2_hands_fit_the_exact_probabilities(seat, name, count_of):
    expected = probabilities(name)
    counted = np.bincount(count_of(dealt()[seat]), minlength=len(expected))
    assert p_value(counted, expected) > P_VALUE


@pytest.mark.many_games
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("suit", cards.SUITS)
def test_r1_2_voids_fit_the_exact_probabilities(seat, suit):
    name = "P_void_clubs" if suit == cards.CLUBS else "P_void_13_suit"
    chance = float(Fraction(EXACT[name]["fraction"]))
    void = int((dealt()[seat] & suit == 0).sum())
    assert p_value([void, dealt().shape[1] - void], [chance, 1 - chance]) > P_VALUE


@pytest.mark.many_games
def test_r1_2_tables_fit_the_exact_probabilities():
    hands, n = dealt(), dealt().shape[1]
    voids = sum((hands & suit == 0).sum(0) for suit in cards.SUITS)
    for counted, name in [
        ((voids == 0).sum(), "P_table_no_void"),
        ((hands & cards.SPADES == 0).any(0).sum(), "P_some_hand_no_spades"),
    ]:
        chance = float(Fraction(EXACT[name]["fraction"]))
        assert p_value([counted, n - counted], [chance, 1 - chance]) > P_VALUE, name


@pytest.mark.many_games
@pytest.mark.parametrize(("suit", "of"), [(suit, "suit13") for suit in cards.SUITS[1:]] + [(cards.CLUBS, "clubs12")])
def test_r1_2_lengths_of_the_others_fit_the_exact_probabilities(suit, of):
    # Given the length of my suit, the chance that neither of the others is shorter than 1, 2, 3, 4.
    mine, left, right = lengths(dealt(), suit)
    shorter = np.minimum(np.minimum(left, right), 4)
    tested = 0
    for length, chances in EXACT[f"P_neither_opp_shorter_than_j_given_my_length_c_{of}"].items():
        at_least = [1.0, *(float(Fraction(chance["fraction"])) for chance in chances), 0.0]
        expected = -np.diff(at_least)
        counted = np.bincount(shorter[mine == int(length)], minlength=5)
        if counted.sum() >= 100:
            tested += 1
            assert p_value(counted, expected) > P_VALUE, length
    assert tested >= 8


@pytest.mark.many_games
def test_r1_2_spades_of_two_hands_vary_together_as_they_must():
    n = dealt().shape[1]
    spades = lengths(dealt(), cards.SPADES)
    variance, covariance = (float(Fraction(EXACT[name])) for name in ("var_spades", "cov_spades_two_hands"))
    sampled = np.cov(spades)
    error = (variance**2 + covariance**2) ** 0.5 / n**0.5  # of a sampled covariance, near normal
    for seat in range(3):
        assert abs(sampled[seat, seat] - variance) < 4 * 2**0.5 * variance / n**0.5
        assert abs(sampled[seat, (seat + 1) % 3] - covariance) < 4 * error
    assert abs(spades[0].mean() - float(Fraction(EXACT["mean_spades"]))) < 4 * (variance / n) ** 0.5


@pytest.mark.many_games
def test_r1_2_each_card_goes_to_each_seat_as_often():
    for card in cards.cards_of(Rules().deck):
        assert p_value(((dealt() & card) != 0).sum(1), [1 / 3] * 3) > P_VALUE


@pytest.mark.many_games
def test_r1_2_sure_spade_tricks_fit_their_exact_mean():
    # From the ace down, each spade of the others can beat one lower spade of mine; what is left unbeaten is sure.
    hand, n = dealt()[0], dealt().shape[1]
    sure, beaters = np.zeros(n, int), np.zeros(n, int)
    for card in reversed(cards.cards_of(cards.SPADES & cards.PACK)):
        mine = hand & card != 0
        sure += mine & (beaters == 0)
        beaters = np.where(mine, np.maximum(beaters - 1, 0), beaters + 1)
    mean = float(Fraction(EXACT["E_guaranteed_spade_tricks_matching_bound"]["fraction"]))
    assert abs(sure.mean() - mean) < 4 * sure.std() / n**0.5


@pytest.mark.many_games
def test_r1_2_successive_deals_of_a_stream_are_not_alike():
    spades, n = lengths(dealt()[0], cards.SPADES), dealt().shape[1]
    lanes = Batch()["game"].size  # the next deal of the same stream stands this much further on
    assert abs(np.corrcoef(spades[:-lanes], spades[lanes:])[0, 1]) < 4 / n**0.5


# --- What deals depend on --------------------------------------------------------------------------------------------


def deals_log(bots, rules, seed=SEED, blocks=80):
    """Play blocks with the log of deals; return its columns, sorted by game, deal and seat."""
    table = make_table(find_strategies([BOTS_FILE]).field(bots), rules)
    rows = np.concatenate(table.play(seed, 0, blocks, log=True).log)
    columns = dict(zip(LOG_COLUMNS, rows.T, strict=True))
    order = np.lexsort([columns[name] for name in ("seat", "deal", "game")])
    return {name: values[order] for name, values in columns.items()}


@pytest.mark.many_games
def test_r1_2_deals_depend_neither_on_bots_nor_on_seating():
    rules = Rules(max_deals=3, target=10_000)
    logs = [
        deals_log(bots, rules)
        for bots in (
            ["quick+need_or_duck", "wild_bid+tricky_play", "fixed+lowest"],
            ["wild_bid+random_legal"] * 3,
            ["wild_bid_python+need_or_duck_array", "quick+highest", "quick+lowest"],
        )
    ]
    hands = [log["hand"].reshape(80, 6, 3, 3) for log in logs]  # block, seating, deal, seat
    assert all((dealt == hands[0]).all() for dealt in hands)
    assert (hands[0] == hands[0][:, :1]).all()
    orders = [log["order"].reshape(80, 6, 3, 3) for log in logs]
    assert all((order == orders[0][:, :1]).all() for order in orders)
    assert len(np.unique(hands[0])) == 80 * 9


@pytest.mark.many_games
def test_r1_2_first_dealer_is_drawn_by_lot_and_the_deal_passes_to_the_left():
    log = deals_log(["fixed+lowest"] * 3, Rules(max_deals=2, target=10_000), blocks=3000)
    dealers = ((log["seat"] - log["order"] - 1) % 3).reshape(3000, 6, 2, 3)  # block, seating, deal, seat
    first = dealers[:, 0, 0, 0]
    assert (dealers[:, :, 0] == first[:, None, None]).all()
    assert (dealers[:, :, 1] == (first[:, None, None] + 1) % 3).all()
    assert chisquare(np.bincount(first, minlength=3)).pvalue > P_VALUE
    assert first[:300].tolist() == [ref.first_dealer(SEED, stream) for stream in range(300)]


@pytest.mark.many_games
@given(
    seed=st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 2**63, 2**64 - 1])),
    stream=st.integers(0, 10**11),
)
def test_r1_2_deals_are_those_of_the_reference(seed, stream):
    rules = Rules(max_deals=2, target=10_000)
    record = engine_games(["quick+lowest"] * 3, rules, seed, 6 * stream + 4, 1)[0]
    hands = [dealt["hands"] for dealt in record["deals"]]
    assert hands == [ref.deal_hands(seed, stream, number, twin_rules(rules)) for number in range(2)]
    assert record["deals"][0]["dealer"] == ref.first_dealer(seed, stream)


def test_r1_2_dealt_pack_is_that_of_the_reference():
    batch = Batch()
    batch["game_key0"][:], batch["game_key1"][:] = ref.game_key(3, 5)
    batch["deal"][:] = 6
    with np.errstate(over="ignore"):
        deal(batch.t, batch.r)
    assert [cards.names(hand) for hand in batch["dealt"][:, 0]] == ref.deal_hands(3, 5, 7)
