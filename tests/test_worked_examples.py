"""The worked examples of docs/RULES.md, figure for figure, played by the engine's own kernels."""

import json
import re
from pathlib import Path

import pytest
from batch import Batch

from spadesim import cards
from spadesim.engine.lanes import BY_DEAL_CAP, BY_TARGET, GOES_ON
from spadesim.engine.scoring import score
from spadesim.engine.tricks import close_play, open_play, take_cards
from spadesim.rules import Rules

TESTS = Path(__file__).parent
EXAMPLES = json.loads((TESTS / "data" / "worked_examples.json").read_text())
RULES_PAGE = (TESTS.parent / "docs" / "RULES.md").read_text()


# --- Tricks ----------------------------------------------------------------------------------------------------------


def play_trick(hands, leader, played):
    """Play one trick in lane 0; return what was legal before each card, the winner and whether spades are broken."""
    batch = Batch()
    batch["dealt"][:, 0] = [cards.parse(hand) for hand in hands]
    batch["winner"][0] = leader
    open_play(batch.t)
    legal = []
    for position, card in enumerate(played):
        legal.append(cards.names(batch["legal"][0]))
        batch["answer"][0] = cards.parse(card)
        take_cards(batch.t, batch.r, position)
        assert batch["answer"][0] & batch["trick"][0], "the card was refused"
    close_play(batch.t)
    winner = int(batch["winner"][0])
    assert batch["taken"][:, 0].tolist() == [int(seat == winner) for seat in range(3)]
    return legal, winner, bool(batch["broken"][0])


@pytest.mark.parametrize("example", EXAMPLES["tricks"])
def test_r3_3_r3_4_tricks(example):
    hands = ["", "", ""]
    for place, card in enumerate(example["cards"]):
        hands[(example["led_by"] + place) % 3] = card
    _, winner, broken = play_trick(hands, example["led_by"], example["cards"])
    assert (winner, broken) == (example["winner"], example["breaks_spades"])


def test_r3_2_seat_2_has_to_follow_with_the_king_of_hearts():
    legal, winner, _ = play_trick(["AH", "2S", "KH QS"], 0, ["AH", "2S", "KH"])
    assert legal == [["AH"], ["2S"], ["KH"]]
    assert winner == 1


def test_r3_4_spades_led_by_a_hand_without_other_suits_break_nothing():
    legal, winner, broken = play_trick(["QS 2S", "4S 3S", "AS 5H"], 0, ["QS", "3S", "AS"])
    assert legal == [["2S", "QS"], ["3S", "4S"], ["AS"]]
    assert (winner, broken) == (2, False)


def test_r3_4_winner_with_a_side_suit_may_not_lead_a_spade_before_they_are_broken():
    batch = Batch()
    batch["dealt"][:, 0] = [cards.parse(hand) for hand in ("AH 5S 6H", "2H 3C", "3H 4C")]
    open_play(batch.t)
    assert cards.names(batch["legal"][0]) == ["6H", "AH"]  # R3.1
    for position, card in enumerate(["AH", "2H", "3H"]):
        batch["answer"][0] = cards.parse(card)
        take_cards(batch.t, batch.r, position)
    assert cards.names(batch["legal"][0]) == ["6H"]


# --- Scores ----------------------------------------------------------------------------------------------------------


def score_deals(examples, rules, seat=0):
    """Score each example in a lane of its own, in this seat; return points, bags and penalties."""
    batch = Batch(rules)
    for lane, example in enumerate(examples):
        batch["bids"][seat, lane] = example["bid"]
        batch["taken"][seat, lane] = example["taken"]
        batch["bags"][seat, lane] = example.get("bags_before", 0)
        batch["scores"][seat, lane] = 1000
    score(batch.t, batch.r)
    points, bags, penalties, scores = (
        batch[name][seat, : len(examples)].tolist() for name in ("points", "bags", "deal_penalties", "scores")
    )
    assert scores == [1000 + each for each in points]
    return points, bags, penalties


@pytest.mark.parametrize("seat", range(3))
def test_r4_1_r4_2_r4_3_deals(seat):
    examples = EXAMPLES["deals_cutthroat"]
    points, bags, penalties = score_deals(examples, Rules(), seat)
    assert points == [example["points"] for example in examples]
    assert bags == [example["bags_after"] for example in examples]
    assert penalties == [0, 0, 0, 1, 0, 0, 0, 1, 2, 2]


def test_r4_2_failed_nil_without_bags():
    examples = EXAMPLES["deals_house"][1:]  # in the first one of the house the bags restart at zero
    points, bags, _ = score_deals(examples, Rules(failed_nil_bags=False))
    assert points == [example["points"] for example in examples]
    assert bags == [example["bags_after"] for example in examples]


def test_r4_1_set_that_costs_nothing():
    examples = EXAMPLES["deals_solo"]
    points, bags, _ = score_deals(examples, Rules(nil=0, set_points=0))
    assert points == [example["points"] for example in examples]
    assert bags == [example["bags_after"] for example in examples]


def test_r4_1_overtricks_that_cost_points():
    examples = EXAMPLES["deals_pagat"]
    points, _, _ = score_deals(examples, Rules(nil=0, overtrick=-10, bag_penalty=0))
    assert points == [example["points"] for example in examples]


# --- The end of a game -----------------------------------------------------------------------------------------------


def judge(totals, deal=0, playing_off=False):
    """Let a deal bring the seats to these totals; return how the game ended, and whether a tie is played off."""
    batch = Batch()
    batch["bids"][:, 0] = batch["taken"][:, 0] = 1  # 10 points and no bag for all
    batch["scores"][:, 0] = [total - 10 for total in totals]
    batch["deal"][0] = deal
    batch["playoff"][0] = playing_off
    score(batch.t, batch.r)
    assert batch["scores"][:, 0].tolist() == totals
    return int(batch["done"][0]), bool(batch["playoff"][0])


def test_r5_1_game_goes_on_below_the_target():
    assert judge([199, 100, 0]) == (GOES_ON, False)


@pytest.mark.parametrize("totals", [[200, 100, 0], [203, 210, 0], [-400, 210, 209]])
def test_r5_1_game_ends_with_a_sole_leader_at_the_target(totals):
    assert judge(totals)[0] == BY_TARGET


@pytest.mark.parametrize("totals", [[214, 214, 180], [200, 200, 200], [0, 231, 231]])
def test_r5_2_tie_goes_on(totals):
    assert judge(totals) == (GOES_ON, True)


def test_r5_2_shared_second_place_is_no_tie():
    assert judge([214, 180, 180])[0] == BY_TARGET


@pytest.mark.parametrize("totals", [[150, 140, 180], [-5, -5, -4], [204, 203, 180]])
def test_r5_2_first_sole_leader_wins_whatever_the_totals(totals):
    assert judge(totals, playing_off=True)[0] == BY_TARGET


def test_r5_2_tie_goes_on_below_the_target():
    assert judge([150, 150, 140], playing_off=True) == (GOES_ON, True)


def test_r5_3_game_stops_after_the_last_deal():
    assert judge([100, 50, 0], deal=198)[0] == GOES_ON
    assert judge([100, 50, 0], deal=199)[0] == BY_DEAL_CAP
    assert judge([214, 214, 180], deal=199, playing_off=True)[0] == BY_DEAL_CAP


def test_r5_3_winner_in_the_last_deal_still_wins():
    assert judge([200, 50, 0], deal=199)[0] == BY_TARGET


# --- The page itself -------------------------------------------------------------------------------------------------


def rows_of(first_column):
    """Read the rows of the page's table whose header begins with this column."""
    block = re.search(rf"^\| {first_column} \|.*\n\|[- |]+\n((?:\|.*\n)+)", RULES_PAGE, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block[1].splitlines()]


def test_the_page_has_the_same_tricks():
    rows = [row[1:] for row in rows_of(r"rule \| led by seat")]
    for each, (led_by, shown, winner, broken) in zip(EXAMPLES["tricks"], rows, strict=True):
        assert (int(led_by), shown.strip("`").split(), int(winner)) == (each["led_by"], each["cards"], each["winner"])
        assert broken == ("yes" if each["breaks_spades"] else "no")


def test_the_page_has_the_same_scores():
    columns = ("bid", "taken", "bags_before", "points", "bags_after")
    expected = [[each[column] for column in columns] for each in EXAMPLES["deals_cutthroat"]]
    rows = rows_of(r"rule \| bid \| taken")
    assert [[int(cell.replace("−", "-")) for cell in row[1:6]] for row in rows] == expected


def test_the_page_has_the_same_numbers_of_the_rules():
    rules = Rules()
    rows = {row[0].strip("`"): row[1] for row in rows_of("field")}
    for name, written in rows.items():
        value = getattr(rules, name)
        shown = f'`["{value[0]}"]`' if isinstance(value, tuple) else str(value).lower().replace("-", "−")
        assert written == shown, name
    assert len(rows) == 10
