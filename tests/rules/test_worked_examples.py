"""The worked examples of docs/RULES.md and of its sources, figure for figure, played by the engine's own kernels.

The tables of the page are read and played row by row; the examples of the oracle file must all stand in them. Then the
page is held against the code: presets, fields, what is refused.
"""

import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from batch import Batch
from whole_proof import whole, whole_but, whole_where

from spadesim import cards, play_game, testing
from spadesim.bots.prepare import seatings
from spadesim.bots.replay import turns
from spadesim.engine.game.blind import open_question
from spadesim.engine.game.dummy import lay_dummy
from spadesim.engine.game.lanes import END_REASONS, GOES_ON, WON
from spadesim.engine.game.score import score
from spadesim.engine.game.tricks import close_play, forbid_total, note_high_spades, open_play, take_bids, take_cards
from spadesim.errors import UsageError
from spadesim.rules import FIELDS, PRESETS, Rules, read_rules

TESTS = Path(__file__).parents[1]
EXAMPLES = json.loads((TESTS / "data" / "worked_examples.json").read_text())
RULES_PAGE = (TESTS.parent / "docs" / "RULES.md").read_text(encoding="utf-8")

plays = pytest.mark.many_games

PARTNERSHIP, DUMMY_HAND, HOUSE, PAGAT = (PRESETS[name] for name in ("partnership", "dummy-hand", "house", "pagat"))


# --- Reading the page ------------------------------------------------------------------------------------------------


def rows_of(heading):
    """Read the rows of the one table under a heading as dictionaries, minus signs and all."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", RULES_PAGE, re.M | re.S)
    assert found, heading
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(header, row, strict=True)) for row in rows]


def rows(heading):
    """Make a parameter of each row of a table, named after the cells that say what it is about."""
    found = rows_of(heading)
    return [pytest.param(row, id=f"{i}-{next(iter(row.values())).strip('`')}") for i, row in enumerate(found)]


def named(cell):
    return re.findall(r"`([^`]+)`", cell)


def rules_of(row):
    (name,) = named(row["rules"])
    return read_rules(name)


def few_hands(rows):
    """Leave rows by rules for two, five or six hands to the whole proof: each number of hands is compiled anew."""
    return whole_where(rows, lambda row: rules_of(row).hands not in (3, 4))


def numbers(cell):
    """Read the numbers of a cell; a nil is 0."""
    text = cell.replace("−", "-").replace("blind", "0").replace("nil", "0")
    return [int(number) for number in re.findall(r"[-+]?\d+", text)]


def number(cell):
    (only,) = numbers(cell)
    return only


def test_the_reader_finds_rows_names_and_numbers():
    first = rows_of("Scores")[0]
    assert list(first)[:4] == ["rules", "rule", "bid", "taken"]
    assert (named(first["rules"]), number(first["points"]), first["besides"]) == (["cutthroat"], 52, "")
    assert numbers("+33 −60 nil") == [33, -60, 0]


# --- R1: cards and deal ----------------------------------------------------------------------------------------------

# What the sources say of seats and cards.
DEALT = [
    ("cutthroat", 3, 17, "2C", 0), ("solo-3", 3, 17, "2C", 0), ("solo-4", 4, 13, "", 0), ("solo-5", 5, 10, "2C 2D", 0),
    ("solo-6", 6, 8, "2C 3C 2D 3D", 0), ("pagat", 3, 17, "", 1), ("pagat-jokers", 3, 18, "", 0),
    ("dummy-hand", 4, 13, "", 0), ("partnership", 4, 13, "", 0), ("house", 3, 17, "2C", 0), ("house-4", 4, 13, "", 0),
    ("duel", 2, 17, "2C", 17),
]  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "hands", "cards_each", "removed", "aside"), whole_where(DEALT, lambda case: case[1] != 3, several=True)
)
def test_r1_2_cards_dealt(preset, hands, cards_each, removed, aside):
    rules = PRESETS[preset]
    batch = Batch(rules)
    batch.deal_next()
    dealt = batch["dealt"]
    assert dealt.shape[0] == hands
    assert (cards.count(dealt) == cards_each).all()
    together = np.bitwise_or.reduce(dealt)
    assert (cards.count(together) == hands * cards_each).all()  # no card twice
    assert not (together & cards.parse(removed)).any()
    assert cards.count(rules.deck) - hands * cards_each == aside
    assert rules.deck == (cards.PACK | (cards.JOKERS if preset == "pagat-jokers" else 0)) & ~cards.parse(removed)


@plays
def test_r1_2_first_dealer_is_any_seat_and_the_deal_passes_to_the_left():
    games = [play_game(["quick+boss"] * 3, seed=5, game=6 * stream) for stream in range(12)]
    assert {game["deals"][0]["dealer"] for game in games} == {0, 1, 2}
    for game in games:
        dealers = [deal["dealer"] for deal in game["deals"]]
        assert dealers == [(dealers[0] + i) % 3 for i in range(len(dealers))]


# --- R2: bids --------------------------------------------------------------------------------------------------------


def last_bid(rules, before, answer):
    """Let the last bidder answer; return its bid, whether the answer stood, and the bid that its view bars."""
    batch = Batch(rules)
    batch["leader"][0] = batch["winner"][0] = 0
    batch["bids"][:] = -1
    batch["bids"][: len(before), 0] = before
    if rules.bid_total_not:
        forbid_total(batch.t, batch.r, len(before))
    batch["answer"][:] = max(rules.min_bid, 1)
    batch["answer"][0] = answer
    take_bids(batch.t, batch.r, len(before))
    bid = int(batch["bids"][len(before), 0])
    return bid, bid == answer, int(batch["bid_not"][0])


@pytest.mark.parametrize("row", few_hands(rows("Last bids")))
def test_r2_1_last_bids(row):
    rules, before, barred = rules_of(row), numbers(row["bids before"]), numbers(row["may not bid"])
    for answer in range(-1, rules.cards_each + 2):
        bid, stood, bid_not = last_bid(rules, before, answer)
        assert stood == (0 <= answer <= rules.cards_each and answer not in barred), answer
        assert rules.min_bid <= bid <= rules.cards_each
        in_range = [bid for bid in barred if bid >= rules.min_bid]
        assert not rules.bid_total_not or bid_not == (in_range or [-1])[0]


@pytest.mark.parametrize("row", few_hands(rows("Blind nil")))
def test_r2_3_who_may_bid_nil_blind(row):
    rules, totals = rules_of(row), numbers(row["totals"])
    expected = numbers(row["seats that may bid nil blind"])
    if not rules.blind_nil:
        assert expected == []  # the question is never opened
        return
    batch = Batch(rules)
    for seat in range(rules.players):
        batch["scores"][seat, 0] = totals[seat % rules.bots]
    asked = []
    for order in range(rules.players):
        open_question(batch.t, batch.r, order)
        asked += [order] if batch["asked"][0] else []
    assert asked == expected


BLIND = '''
from spadesim import bidder


def always(view):
    return 1


@bidder(blind_nil=always)
def sleeper(view):
    """Bid nil blind wherever that is allowed, else 3."""
    return 3
'''


def test_r2_3_a_seat_100_behind_bids_nil_blind_for_200(tmp_path):
    file = tmp_path / "sleeper.py"
    file.write_text(BLIND)
    record = testing.play(
        hands=ALL_OF_A_SUIT, bots=["sleeper+lowest", "sleeper+lowest", "quick+lowest"], scores=[0, 1, 100],
        load=[str(file)], rules=PRESETS["house-blind-nil"],
    )  # fmt: skip
    assert record["blind"] == [True, False, False]
    assert record["bids"][:2] == [0, 3]
    assert (record["taken"][0], record["points"][0]) == (0, 200)


# Seat 0 has the low cards, seat 2 nearly all spades.
ALL_OF_A_SUIT = [
    "3C 4C 5C 6C 7C 8C 2D 3D 4D 5D 6D 2H 3H 4H 5H 6H 7H",
    "9C TC JC QC KC AC 7D 8D 9D TD JD QD KD AD 8H 9H TH",
    "JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
]


# --- R3: tricks ------------------------------------------------------------------------------------------------------


def play_trick(hands, leader, played, rules=None):
    """Play one trick in lane 0; return what was legal before each card, the winner and whether spades are broken."""
    rules = rules or Rules()
    if rules.opening_lead == "lowest_club" and not any("C" in card for card in played):
        rules = replace(rules, opening_lead="left")  # a later trick of the deal
    batch = Batch(rules)
    batch["dealt"][:, 0] = [cards.parse(hand) for hand in hands]
    batch["winner"][0] = leader
    batch["broken"][:] = cards.SPADES if rules.spades_break == "free" else 0
    open_play(batch.t, batch.r)
    legal = []
    for position, card in enumerate(played):
        legal.append(cards.names(batch["legal"][0]))
        batch["answer"][0] = cards.parse(card)
        take_cards(batch.t, batch.r, position)
        assert batch["answer"][0] & batch["trick"][0], "the card was refused"
    close_play(batch.t)
    winner = int(batch["winner"][0])
    assert batch["taken"][:, 0].tolist() == [int(seat == winner) for seat in range(rules.hands)]
    return legal, winner, bool(batch["broken"][0])


@pytest.mark.parametrize("row", few_hands(rows("Tricks")))
def test_r3_3_r3_4_tricks(row):
    rules, leader, (played,) = rules_of(row), number(row["led by seat"]), named(row["cards"])
    hands = [""] * rules.hands
    for place, card in enumerate(played.split()):
        hands[(leader + place) % rules.hands] = card
    _, winner, broken = play_trick(hands, leader, played.split(), rules)
    assert (winner, broken) == (number(row["winner"]), row["spades broken by this trick"] == "yes")


def test_r3_2_seat_2_has_to_follow_with_the_king_of_hearts():
    legal, winner, broken = play_trick(["AH", "2S", "KH QS"], 0, ["AH", "2S", "KH"])
    assert legal == [["AH"], ["2S"], ["KH"]]
    assert (winner, broken) == (1, True)


@pytest.mark.parametrize("rules", ["cutthroat", "pagat", "partnership"])
def test_r3_4_spades_led_by_a_hand_without_other_suits_break_nothing(rules):
    hands = ["QS 2S", "4S 3S", "AS 5H", "6S 7S"][: PRESETS[rules].hands]
    legal, winner, broken = play_trick(hands, 0, ["QS", "3S", "AS", "6S"][: len(hands)], PRESETS[rules])
    assert legal[:3] == [["2S", "QS"], ["3S", "4S"], ["AS"]]
    assert (winner, broken) == (2, False)


def test_r3_4_solo_any_spade_played_breaks_them():
    _, winner, broken = play_trick(["QS 2S", "4S 3S", "AS 5H"], 0, ["QS", "3S", "AS"], PRESETS["solo-3"])
    assert (winner, broken) == (2, True)


def test_r3_4_winner_with_a_side_suit_may_not_lead_a_spade_before_they_are_broken():
    batch = Batch()
    batch["dealt"][:, 0] = [cards.parse(hand) for hand in ("AH 5S 6H", "2H 3C", "3H 4C")]
    open_play(batch.t, batch.r)
    assert cards.names(batch["legal"][0]) == ["6H", "AH"]  # R3.1
    for position, card in enumerate(["AH", "2H", "3H"]):
        batch["answer"][0] = cards.parse(card)
        take_cards(batch.t, batch.r, position)
    assert cards.names(batch["legal"][0]) == ["6H"]


@pytest.mark.parametrize("row", few_hands(rows("First leads")))
def test_r3_1_r3_4_first_leads(row):
    rules, (hand,), (legal,) = rules_of(row), named(row["hand"]), named(row["may lead"])
    batch = Batch(rules)
    batch["dealt"][0, 0] = cards.parse(hand)
    open_play(batch.t, batch.r)
    assert batch["legal"][0] == cards.parse(legal)
    assert batch["winner"][0] == 0


@pytest.mark.parametrize(("aside", "lead"), [("2C", "3C"), ("3C", "2C"), ("AS", "2C")])
@pytest.mark.parametrize("dealer", range(3))
def test_r3_1_pagat_the_two_of_clubs_leads_or_the_three_if_it_is_set_aside(aside, lead, dealer):
    left = cards.names(cards.PACK & ~cards.parse(aside))
    hands = [" ".join(left[i::3]) for i in range(3)]
    record = testing.play(hands=hands, bots=["quick+highest"] * 3, dealer=dealer, rules=PAGAT)
    first = record["tricks"][0]
    assert first["cards"][0] == lead
    assert lead in record["hands"][first["leader"]]
    assert all(card[1] == "C" for card in first["cards"])  # everybody has one


def test_r3_1_pagat_a_seat_without_clubs_may_trump_the_first_trick():
    legal, winner, broken = play_trick(["2C 4C", "5C 6H", "7S KD"], 0, ["2C", "5C", "7S"], PAGAT)
    assert legal == [["2C"], ["5C"], ["KD", "7S"]]
    assert (winner, broken) == (2, True)


@plays
@pytest.mark.parametrize("preset", whole_but(["solo-6", "house-4", "duel"]))
def test_r3_5_all_tricks_are_played(preset):
    rules = PRESETS[preset]
    record = play_game(["quick+need_or_duck"] * rules.bots, rules=rules, seed=2)
    for deal in record["deals"]:
        assert len(deal["tricks"]) == sum(deal["taken"]) == rules.cards_each
        assert all(len(trick["cards"]) == rules.players for trick in deal["tricks"])


# --- R4: scores ------------------------------------------------------------------------------------------------------


def score_deal(rules, bid, taken, bags=0, reneges=0, blind=False, seat=0):
    """Score one deal of one seat; return points and bags."""
    batch = Batch(rules)
    given = {"bids": bid, "taken": taken, "bags": bags, "reneges": reneges, "blind": int(blind), "scores": 1000}
    for name, value in given.items():
        batch[name][seat, 0] = value
    score(batch.t, batch.r)
    points = int(batch["points"][seat, 0])
    assert batch["scores"][seat, 0] == 1000 + points
    return points, int(batch["bags"][seat, 0])


@pytest.mark.parametrize("row", few_hands(rows("Scores")))
def test_r4_scores(row):
    rules, besides = rules_of(row), row["besides"]
    given = [number(row[column]) for column in ("bid", "taken", "bags before")]
    reneges = number(besides) if "renege" in besides else 0
    expected = (number(row["points"]), number(row["bags after"]))
    for seat in range(rules.players):
        assert score_deal(rules, *given, reneges, besides == "blind", seat) == expected


@pytest.mark.parametrize("seat", range(3))
def test_r4_1_r4_2_r4_3_cutthroat_deals(seat):
    for example in EXAMPLES["deals_cutthroat"]:
        scored = score_deal(Rules(), example["bid"], example["taken"], example["bags_before"], seat=seat)
        assert scored == (example["points"], example["bags_after"])


def test_r4_1_cutthroat_bids_5_6_4_with_7_6_4_taken():
    assert [score_deal(Rules(), bid, taken) for bid, taken in ((5, 7), (6, 6), (4, 4))] == [(52, 2), (60, 0), (40, 0)]


def test_r4_3_penalties_are_counted():
    batch = Batch()
    for lane, example in enumerate(EXAMPLES["deals_cutthroat"]):
        for name in ("bid", "taken", "bags_before"):
            batch[{"bid": "bids", "bags_before": "bags"}.get(name, name)][1, lane] = example[name]
    score(batch.t, batch.r)
    assert batch["deal_penalties"][1, : len(EXAMPLES["deals_cutthroat"])].tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 2, 2]


@pytest.mark.parametrize("example", EXAMPLES["deals_house"])
def test_r4_2_r4_3_house_deals(example):
    assert score_deal(HOUSE, example["bid"], example["taken"], example["bags_before"]) == (
        example["points"],
        example["bags_after"],
    )


def test_r4_1_house_bid_6_take_6_is_60():
    assert score_deal(HOUSE, 6, 6) == (60, 0)


def test_r4_1_house_bid_8_take_5_is_minus_80_and_no_bags():
    assert score_deal(HOUSE, 8, 5, 9) == (-80, 9)


def test_r4_3_house_10_bags_cost_100_and_the_count_restarts_at_0():
    assert score_deal(HOUSE, 4, 7, 7) == (43 - 100, 0)


def test_r4_3_house_9_and_12_bags_are_one_penalty_and_leave_0():
    assert score_deal(HOUSE, 1, 13, 9) == (10 + 12 - 100, 0)


@pytest.mark.parametrize("taken", [0, 1, 5])
def test_r4_2_house_nil_and_blind_nil(taken):
    sign = 1 if taken == 0 else -1
    assert score_deal(HOUSE, 0, taken) == (100 * sign, 0)
    assert score_deal(PRESETS["house-nil-50"], 0, taken) == (50 * sign, 0)
    assert score_deal(PRESETS["house-blind-nil"], 0, taken, blind=True) == (200 * sign, 0)
    assert score_deal(PRESETS["house-blind-nil"], 0, taken) == (100 * sign, 0)


def test_r4_3_house_no_bags_overtricks_are_worth_a_point_and_nothing_more():
    assert score_deal(PRESETS["house-no-bags"], 1, 17, 9)[0] == 26


@pytest.mark.parametrize("example", EXAMPLES["deals_pagat"])
def test_r4_1_pagat_deals(example):
    assert score_deal(PAGAT, example["bid"], example["taken"])[0] == example["points"]


def test_r4_3_pagat_10_sandbags_over_several_deals_cost_100():
    bags, points = 0, []
    for taken in (8, 8, 7):  # 4, 4 and 3 too many
        earned, bags = score_deal(PRESETS["pagat-bags"], 4, taken, bags)
        points.append(earned)
    assert (points, bags) == ([44, 44, 43 - 100], 1)


@pytest.mark.parametrize("preset", whole_but(["solo-3", "solo-4", "solo-5", "solo-6"], "solo-3"))
@pytest.mark.parametrize("example", EXAMPLES["deals_solo"])
def test_r4_1_solo_deals(preset, example):
    scored = score_deal(PRESETS[preset], example["bid"], example["taken"], example["bags_before"])
    assert scored == (example["points"], example["bags_after"])


@pytest.mark.parametrize("row", few_hands(rows("Last tricks")))
def test_r4_4_high_spades_in_the_last_tricks(row):
    rules = rules_of(row)
    batch = Batch(rules)
    batch["bids"][:] = batch["taken"][:] = 1
    won = re.findall(r"(\d) `(\w+)`", row["last tricks"])
    leader = 1 - int(won[0][0])  # somebody else
    for i, (winner, card) in enumerate(won):
        batch["leader"][0], batch["winner"][0] = leader, int(winner)
        batch["trick"][0] = cards.parse(f"{card} 2D 3D" if card[1:] in ("S", "J") else f"{card} 2H 3H")
        note_high_spades(batch.t, rules.cards_each - len(won) + i)
        leader = int(winner)
    score(batch.t, batch.r)
    assert (batch["points"][:, 0] - 10).tolist() == numbers(row["bonus of seats 0, 1, 2"])


# --- R5: the end of a game -------------------------------------------------------------------------------------------


def judge(totals, rules=None, deal=0, tie=GOES_ON):
    """Let a deal bring the bots to these totals; return how the game ended, and what a tie interrupted."""
    rules = rules or Rules()

    def after(before):
        batch = Batch(rules)
        batch["bids"][:, 0] = batch["taken"][:, 0] = 1
        for seat in range(rules.players):
            batch["scores"][seat, 0] = before[seat % rules.bots]
        batch["deal"][0] = deal
        batch["tie"][0] = tie
        score(batch.t, batch.r)
        return batch, batch["scores"][: rules.bots, 0].tolist()

    _, earned = after([0] * rules.bots)
    batch, scores = after([total - points for total, points in zip(totals, earned, strict=True)])
    assert scores == totals
    return int(batch["done"][0]), int(batch["tie"][0])


def reason(code):
    return END_REASONS.get(code)


@pytest.mark.parametrize("row", few_hands(rows("The end of a game")))
def test_r5_what_follows_a_deal(row):
    rules, totals = rules_of(row), numbers(row["totals"])
    done, _ = judge(totals, rules, number(row["deals played"]) - 1)
    expected = named(row["what follows"])
    assert [f'"{reason(done)}"'] == expected if expected else done == GOES_ON
    if "wins" in row["what follows"] and done <= WON:
        (winner,) = re.findall(r"bot (\d) wins", row["what follows"])
        assert totals.index(max(totals)) == int(winner)


def test_r5_1_game_goes_on_below_the_target():
    assert judge([199, 100, 0]) == (GOES_ON, GOES_ON)


@pytest.mark.parametrize("totals", [[200, 100, 0], [203, 210, 0], [-400, 210, 209]])
def test_r5_1_game_ends_with_a_sole_leader_at_the_target(totals):
    assert reason(judge(totals)[0]) == "target"


def test_r5_1_solo_the_first_to_reach_the_score_is_the_highest_of_the_deal():
    assert reason(judge([200, 214, 199], PRESETS["solo-3"])[0]) == "target"


@pytest.mark.parametrize("totals", [[214, 214, 180], [200, 200, 200], [0, 231, 231]])
def test_r5_2_tie_goes_on(totals):
    done, tie = judge(totals)
    assert (done, reason(tie)) == (GOES_ON, "target")


def test_r5_2_shared_second_place_is_no_tie():
    assert reason(judge([214, 180, 180])[0]) == "target"


@pytest.mark.parametrize("end", ["target", "floor", "deals"])
@pytest.mark.parametrize("totals", [[150, 140, 180], [-5, -5, -4], [204, 203, 180]])
def test_r5_2_first_sole_leader_wins_whatever_the_totals(totals, end):
    (code,) = [code for code, word in END_REASONS.items() if word == end]
    assert judge(totals, tie=code)[0] == code


def test_r5_2_tie_goes_on_below_the_target():
    (target,) = [code for code, word in END_REASONS.items() if word == "target"]
    assert judge([150, 150, 140], tie=target) == (GOES_ON, target)


def test_r5_3_game_stops_after_the_last_deal():
    (target,) = [code for code, word in END_REASONS.items() if word == "target"]
    assert judge([100, 50, 0], deal=198)[0] == GOES_ON
    assert reason(judge([100, 50, 0], deal=199)[0]) == "deal_cap"
    assert reason(judge([214, 214, 180], deal=199, tie=target)[0]) == "deal_cap"


def test_r5_3_winner_in_the_last_deal_still_wins():
    assert reason(judge([200, 50, 0], deal=199)[0]) == "target"


@plays
def test_r5_2_all_three_play_a_decider():
    # Without points for overtricks and without bag penalties most totals are ties.
    rules = Rules(target=60, max_deals=25, overtrick=0, set_points=-20, bag_penalty=0)
    bots = ["fixed:bid=6+random_legal", "fixed:bid=6+lowest", "fixed:bid=6+need_or_duck"]
    records = [play_game(bots, rules=rules, seed=3, game=game) for game in range(20)]
    tops = [
        [sorted(deal["scores"])[1:] for deal in record["deals"]] for record in records if record["winner"] is not None
    ]
    decided = [game for game in tops if any(second == first >= 60 for second, first in game)]
    assert decided
    for game in decided:
        tie = next(i for i, (second, first) in enumerate(game) if second == first >= 60)
        assert all(second == first for second, first in game[tie:-1])
        assert game[-1][0] < game[-1][1]
    assert all(len(deal["bids"]) == 3 for record in records for deal in record["deals"])


# --- R7: partnership -------------------------------------------------------------------------------------------------


def score_side(bids, taken, bags=0, total=0, blind=(0, 0), side=0, reneges=(0, 0), rules=PARTNERSHIP):
    """Score a deal of one side; return points, bags and total, of which both seats show the same."""
    batch = Batch(rules)
    for i, seat in enumerate((side, side + 2)):
        given = {"bids": bids[i], "taken": taken[i], "blind": blind[i], "reneges": reneges[i]}
        for name, value in (given | {"bags": bags, "scores": total}).items():
            batch[name][seat, 0] = value
    score(batch.t, batch.r)
    shown = [tuple(int(batch[name][seat, 0]) for name in ("points", "bags", "scores")) for seat in (side, side + 2)]
    assert shown[0] == shown[1]
    return shown[0]


@pytest.mark.parametrize("row", rows("A side's score"))
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("turned", [False, True])
def test_r7_scores_of_a_side(row, side, turned):
    way = -1 if turned else 1
    bids, taken = numbers(row["bids"])[::way], numbers(row["taken"])[::way]
    blind = [int(word == "blind") for word in row["bids"].split()][::way]
    before = number(row["bags before"]), number(row["total before"])
    expected = tuple(number(row[column]) for column in ("points", "bags after", "total after"))
    assert score_side(bids, taken, *before, blind, side, rules=rules_of(row)) == expected


def test_r7_6_bid_and_fewer_taken_is_minus_60():
    for taken in range(6):
        assert score_side([4, 2], [taken, 0])[0] == -60


def test_r7_bid_5_take_6_is_51():
    assert score_side([3, 2], [3, 3])[:2] == (51, 1)


def test_r7_nil_made_and_the_partners_contract_of_5_missed_is_50():
    (example,) = [row for row in EXAMPLES["partnership_hand"] if "points" in row]
    assert score_side(example["bids"], example["taken"])[0] == example["points"] == 50


def test_r7_nil_failed_and_the_contract_of_5_made_is_minus_50():
    assert score_side([5, 0], [4, 1])[0] == -50


def test_r7_108_before_and_8_tricks_on_a_bid_of_5_are_61():
    (example,) = [row for row in EXAMPLES["partnership_hand"] if "score_after" in row]
    _, bags, total = score_side(example["bids"], example["taken"], example["bags_before"], example["score_before"])
    assert (bags, total) == (example["bags_after"], example["score_after"]) == (1, 61)


def test_r9_partnership_bid_fails_or_three_tricks_are_added_for_a_renege():
    fails, three = (replace(PARTNERSHIP, renege=renege) for renege in ("bid_fails", "three_tricks"))
    assert score_side([3, 2], [5, 3], reneges=[0, 1], rules=fails)[:2] == (-50, 0)
    assert score_side([3, 2], [5, 3], reneges=[0, 1], rules=three)[:2] == (80, 0)
    assert score_side([3, 2], [4, 3], reneges=[1, 0], rules=three)[:2] == (-80, 0)
    assert score_side([5, 0], [5, 0], reneges=[0, 1], rules=fails)[:2] == (50 - 100, 0)  # the nil's renege


@whole
@plays
def test_r7_whole_games_belong_to_the_sides():
    record = play_game(["quick+need_or_duck", "honors+boss"], rules=PARTNERSHIP, seed=1, game=1)
    assert record["sides"] == [[0, 2], [1, 3]]
    assert record["seats"] == ["honors+boss", "quick+need_or_duck"] * 2
    assert record["winner"] in (0, 1)
    for deal in record["deals"]:
        for name in ("points", "penalties", "scores", "bags"):
            assert deal[name][:2] == deal[name][2:]


# --- R8: dummy hand --------------------------------------------------------------------------------------------------


def declare(first, bids):
    """Find the declarer, as the engine does."""
    batch = Batch(DUMMY_HAND)
    batch["leader"][:] = batch["winner"][:] = first
    batch["bids"][:3, 0] = bids
    lay_dummy(batch.t, batch.r)
    return int(batch["declarer"][0])


def score_dummy_hand(bids, declarer, taken):
    batch = Batch(DUMMY_HAND)
    batch["bids"][:, 0] = [*bids, -1]
    batch["taken"][:, 0] = taken
    batch["declarer"][0] = declarer
    score(batch.t, batch.r)
    return batch["points"][:3, 0].tolist(), batch["bags"][:3, 0].tolist()


@pytest.mark.parametrize("row", rows("The dummy hand"))
def test_r8_declarer_and_scores(row):
    bids, taken, declarer = numbers(row["bids"]), numbers(row["taken"]), number(row["declarer"])
    assert sum(taken) == DUMMY_HAND.cards_each
    assert declare(number(row["first bidder"]), bids) == declarer
    assert score_dummy_hand(bids, declarer, taken) == (numbers(row["points"]), numbers(row["bags after"]))


def test_r8_a_tie_goes_to_whoever_bid_it_first():
    for first in range(3):
        order = [(first + i) % 3 for i in range(3)]
        for bids in permutations([4, 4, 3]):
            by_order = [bids[seat] for seat in order]
            assert declare(first, bids) == order[by_order.index(4)]


@pytest.mark.parametrize("row", rows("R8 Dummy hand"))
def test_r8_turns(row):
    seats = [3 if word == "dummy" else int(word) for word in row["turns, clockwise"].split(", ")]
    declarer = number(row["declarer"])
    assert turns({"declarer": declarer, "hands": [[]] * 4}) == seats
    assert (seats.index(3) - seats.index(declarer)) % 4 == 2  # opposite the declarer


@pytest.mark.parametrize("dealer", range(3))
def test_r8_the_first_bidder_leads_and_each_defender_scores_by_its_own_bid(dealer):
    hands = [" ".join(cards.names(cards.PACK)[i::4]) for i in range(4)]
    bots = ["fixed:bid=4+boss", "fixed:bid=5+boss", "fixed:bid=2+boss"]
    record = testing.play(hands=hands, bots=bots, dealer=dealer, rules=DUMMY_HAND)
    assert (record["declarer"], record["dummy"]) == (1, 3)
    assert record["tricks"][0]["leader"] == (dealer + 1) % 3
    assert record["tricks"][0]["cards"][0][1] != "S"
    together = record["taken"][1] + record["taken"][3], record["taken"][0] + record["taken"][2]
    for seat, bid, taken in ((1, 5, together[0]), (0, 4, together[1]), (2, 2, together[1])):
        assert record["points"][seat] == (10 * bid + taken - bid if taken >= bid else -10 * bid)


# --- R9: what a renege costs -----------------------------------------------------------------------------------------

RENEGING = '''
from spadesim import player
from spadesim.cards import highest, lowest


@player
def reneges_once(view):
    """Answer with the lowest card, legal or not, in the fourth trick, else with the highest legal one."""
    return lowest(view.hand) if view.tricks_left == 14 else highest(view.legal)
'''


@plays
def test_r9_house_the_bid_of_whoever_does_not_follow_suit_fails(tmp_path):
    file = tmp_path / "reneging.py"
    file.write_text(RENEGING)
    bots = ["fixed:bid=1+reneges_once", "quick+need_or_duck", "quick+boss"]
    played = {
        rules: play_game(bots, rules=PRESETS[rules], load=[str(file)], on_fault="correct", seed=3)
        for rules in ("house", "cutthroat")
    }
    failed = [deal for deal in played["house"]["deals"] if "corrections" in deal]
    assert failed
    for deal in failed:
        (correction,) = deal["corrections"]
        assert (correction["seat"], correction["trick"]) == (0, 3)
        assert (deal["points"][0], deal["penalties"][0]) == (-10, 0)
    # without a price, the same first deal is scored as it was played
    first = played["cutthroat"]["deals"][played["house"]["deals"].index(failed[0])]
    assert first["taken"] == failed[0]["taken"]
    assert first["points"][0] == (10 + first["taken"][0] - 1 if first["taken"][0] else -10)


# --- The page and the oracle file ------------------------------------------------------------------------------------


def test_the_page_has_the_tricks_of_the_oracle():
    shown = [
        (row["rules"], number(row["led by seat"]), named(row["cards"])[0].split(), number(row["winner"]),
         row["spades broken by this trick"] == "yes")
        for row in rows_of("Tricks")
    ]  # fmt: skip
    for example in EXAMPLES["tricks"]:
        assert (
            "`cutthroat`",
            example["led_by"],
            example["cards"],
            example["winner"],
            example["breaks_spades"],
        ) in shown


@pytest.mark.parametrize(
    ("examples", "rules"), [("cutthroat", "cutthroat"), ("house", "house"), ("pagat", "pagat"), ("solo", "solo-3")]
)
def test_the_page_has_the_scores_of_the_oracle(examples, rules):
    shown = [row for row in rows_of("Scores") if row["rules"] == f"`{rules}`" and not row["besides"]]
    for example in EXAMPLES[f"deals_{examples}"]:
        columns = {"bid": "bid", "taken": "taken", "bags_before": "bags before", "points": "points"}
        columns |= {"bags_after": "bags after"} if "bags_after" in example else {}
        found = [
            row for row in shown if all(number(row[there]) == example.get(here, 0) for here, there in columns.items())
        ]
        assert len(found) == 1, example


def test_the_page_has_the_sides_of_the_oracle():
    shown = [
        [numbers(row[column]) for column in ("bids", "taken", "points", "total after", "bags after")]
        for row in rows_of("A side's score")
    ]
    assert [[5, 0], [4, 0], [50], [50], [0]] in shown
    assert [[3, 2], [5, 3], [-47], [61], [1]] in shown
    assert len(EXAMPLES["partnership_hand"]) == 2


def test_every_family_of_presets_has_worked_examples():
    tables = ("Tricks", "First leads", "Scores", "A side's score", "The end of a game", "Blind nil", "Last bids")
    shown = {named(row["rules"])[0].partition(":")[0] for heading in tables for row in rows_of(heading)}
    assert shown == set(PRESETS)


# --- The page and the code -------------------------------------------------------------------------------------------


def test_every_preset_is_on_the_page_with_what_it_changes():
    shown = rows_of("The presets")
    assert [named(row["preset"])[0] for row in shown] == list(PRESETS)
    for row in shown:
        (name,), changes = named(row["preset"]), named(row["changes"])
        preset = PRESETS[name]
        base = changes.pop(0) if row["changes"].startswith("as ") else "cutthroat"
        assert (row["changes"] == "nothing") == (name == "cutthroat")
        assert replace(read_rules(base, changes), name=name) == preset, name
        for change in changes:
            field = change.partition("=")[0]
            assert getattr(PRESETS[base], field) != getattr(preset, field), (name, field)
        columns = ("seats", "cards each", "target")
        assert [number(row[column]) for column in columns] == [preset.players, preset.cards_each, preset.target], name


def test_sources_of_presets_are_introduced():
    introduced = set(re.findall(r"^- \*(.*?)\*: ", RULES_PAGE, re.M))
    assert {row["source"] for row in rows_of("The presets")} == introduced


def test_what_presets_settle_speaks_of_presets():
    shown = {name for row in rows_of("What they settle") for name in named(row["preset"])}
    assert shown <= set(PRESETS)


@pytest.mark.parametrize("row", rows("More of what the sources name"))
def test_other_games_of_the_sources_are_rules(row):
    assert rules_of(row) not in PRESETS.values()


def as_shown(value):
    """Write a value as the page does, which is TOML with a real minus."""
    return f"`{json.dumps(value)}`".replace("-", "−")


def test_every_field_is_on_the_page_with_its_value():
    shown = rows_of("The fields of `Rules`")
    assert [named(row["field"])[0] for row in shown] == list(FIELDS)
    for row in shown:
        (field,) = named(row["field"])
        assert row["value"] == as_shown(Rules().as_dict()[field]), field


def refusal(settings):
    with pytest.raises(UsageError) as refused:
        read_rules("cutthroat", settings)
    return str(refused.value)


@pytest.mark.parametrize("row", rows("The fields of `Rules`"))
def test_values_on_the_page_are_those_allowed(row):
    (field,), values = named(row["field"]), row["values"]
    if field == "removed":
        assert "no card" in refusal(["removed=1C"])
        assert "twice" in refusal(["removed=2C,2C"])
        return
    wrong = refusal([f"{field}=nonsense"])
    assert ("none" in wrong) == ('"none"' in values)
    if "…" in values:
        low, high = numbers(values)
        for outside in (low - 1, high + 1):
            assert f"{field} is {outside}; expected a whole number from {low} to {high}" in refusal(
                [f"{field}={outside}"]
            )
    elif "true" in values:
        assert "expected true or false" in wrong
    elif numbers(values):
        assert f"expected {values}" in wrong
    else:
        assert set(re.findall(r"'(\w+)'", wrong.partition("expected")[2])) == {
            word.strip('"') for word in named(values) if word != '"none"'
        }


@pytest.mark.parametrize("row", rows("The fields of `Rules`"))
def test_rules_of_fields_are_on_the_page(row):
    for rule in row["rule"].split(", "):
        assert f"**{rule}** " in RULES_PAGE or f"\n## {rule} " in RULES_PAGE


@pytest.mark.parametrize("row", rows("What is refused"))
def test_what_is_refused_is_refused_with_an_error_that_names_all_fields(row):
    (rules,) = named(row["as in"])
    with pytest.raises(UsageError) as refused:
        read_rules(rules)
    for field in named(row["fields"]):
        assert re.search(rf"\b{field} = ", str(refused.value)), field


def test_all_contradictions_are_on_the_page():
    from spadesim.rules.model import _contradictions

    listed = {tuple(named(row["fields"])) for row in rows_of("What is refused")}
    checked = {fields for _, fields, _ in _contradictions(Rules())}
    assert listed == checked | {("players", "dummy", "removed", "jokers", "set_aside"), ("removed", "jokers")}


def test_seatings_are_those_on_the_page():
    for row in rows_of("Seatings"):
        players = number(re.sub(r"\D", "", row["seats"]))
        name = "partnership" if "partnership" in row["seats"] else {2: "duel", 3: "dummy-hand"}.get(players)
        orders = ["".join(map(str, order)) for order in seatings(PRESETS[name or f"solo-{players}"])]
        assert len(orders) == number(row["seatings"])
        shown = [
            part.split(", ")
            for part in row["from the first to the last"].replace(" ", "").replace(",", ", ").split("…")
        ]
        places = [[orders.index(order) for order in part] for part in shown]
        assert places[0][0] == 0
        assert places[-1][-1] == len(orders) - 1
        assert all(part == list(range(part[0], part[-1] + 1)) for part in places)
    assert seatings(Rules()) == seatings(DUMMY_HAND)


def test_the_page_knows_the_default_rules_by_their_name():
    assert replace(PRESETS["cutthroat"], name="") == replace(Rules(), name="")
    assert read_rules("cutthroat:nil=50") == read_rules("cutthroat", ["nil=50"])
