"""Tests of the slow reference alone: the worked examples of the rules, and what must hold in every game.

First three-handed `cutthroat`, then the rest of the family; `FAMILY` has its presets.
"""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain, permutations
from pathlib import Path

import pytest
import reference as ref
from whole_proof import whole, whole_but

DATA = Path(__file__).parents[1] / "data"
EXAMPLES = json.loads((DATA / "worked_examples.json").read_text())
PROBABILITIES = json.loads((DATA / "deal_probabilities.json").read_text())

SENSIBLE = ("sensible", ref.quick, ref.need_or_duck)
WILD = ("wild", ref.wild_bid, ref.random_legal)
TRICKY = ("tricky", ref.tricky_bid, ref.tricky_play)
GREEDY = ("greedy", ref.spade_count, ref.highest)
NIL = ("nil", ref.fixed(0), ref.lowest)
ONE = ("one", ref.fixed(1), ref.need_or_duck)
TABLES = {
    "sensible-wild-tricky": [SENSIBLE, WILD, TRICKY],
    "greedy-nil-tricky": [GREEDY, NIL, TRICKY],
    "all-sensible": [SENSIBLE, SENSIBLE, SENSIBLE],
}
FEW_DEALS = replace(ref.CUTTHROAT, max_deals=25)  # bots that bid at random seldom finish


@cache
def games():
    """Play a few games of each table once for all the tests."""
    return [ref.play_game(bots, 11, game, FEW_DEALS) for bots in TABLES.values() for game in range(8)]


def deals():
    return [deal for game in games() for deal in game["deals"]]


def hands_before_each_card(deal):
    """Walk through a deal; yield (hand with the card still in it, card, suit led or None, spades broken before)."""
    hands = [set(hand) for hand in deal["hands"]]
    broken = False
    for trick in deal["tricks"]:
        led = None
        for i, card in enumerate(trick["cards"]):
            hand = hands[(trick["leader"] + i) % 3]
            yield hand, card, led, broken
            hand.remove(card)
            led = led or card[1]
            broken = broken or (card[1] == "S" and led != "S")


# --- Cards and dealing -----------------------------------------------------------------------------------------------


def test_r1_1_pack_is_51_cards_without_the_two_of_clubs():
    pack = ref.CUTTHROAT.pack
    assert len(pack) == len(set(pack)) == 51
    assert "2C" not in pack
    assert [pack[0], pack[11], pack[12], pack[-1]] == ["3C", "AC", "2D", "AS"]


def test_r1_1_cards_that_do_not_go_round_are_refused():
    with pytest.raises(ValueError, match="52 cards do not go round 3 hands"):
        replace(ref.CUTTHROAT, removed=())


def test_r1_2_all_51_cards_are_dealt_17_each():
    for deal in deals():
        assert sorted(chain(*deal["hands"])) == sorted(ref.CUTTHROAT.pack)
        assert [len(hand) for hand in deal["hands"]] == [17, 17, 17]
        assert all(hand == sorted(hand, key=ref.FULL_PACK.index) for hand in deal["hands"])


def test_r1_2_first_dealer_is_drawn_by_lot():
    dealers = Counter(ref.first_dealer(5, stream) for stream in range(3000))
    assert set(dealers) == {0, 1, 2}
    assert min(dealers.values()) > 900  # 1000 expected, standard deviation 26


def test_r1_2_deal_passes_to_the_left():
    for game in games():
        dealers = [deal["dealer"] for deal in game["deals"]]
        assert dealers == [(ref.first_dealer(11, game["game"] // 6) + i) % 3 for i in range(len(dealers))]


def test_r1_2_seat_for_card_by_hand():
    third = 2**32 // 3  # 3 * third < 2**32 <= 3 * (third + 1)
    assert ref.seat_for_card(0, 51, [17, 17, 17]) == 0
    assert ref.seat_for_card(2**32 - 1, 51, [17, 17, 17]) == 2
    assert ref.seat_for_card(third, 51, [17, 17, 17]) == 0
    assert ref.seat_for_card(third + 1, 51, [17, 17, 17]) == 1
    assert ref.seat_for_card(2**31, 2, [1, 0, 1]) == 2
    assert ref.seat_for_card(0, 1, [0, 0, 1]) == 2


def test_r1_2_lengths_of_spades_fit_the_exact_probabilities():
    n = 6000
    seen = Counter(sum(card[1] == "S" for card in ref.deal_hands(1, stream, 0)[stream % 3]) for stream in range(n))
    common = [k for k in range(14) if n * PROBABILITIES["P_spades_in_hand"][k]["value"] >= 10]
    expected = {k: n * PROBABILITIES["P_spades_in_hand"][k]["value"] for k in common}
    chi_square = sum((seen[k] - expected[k]) ** 2 / expected[k] for k in common)
    assert len(common) == 10
    assert chi_square < 27.9  # 99.9 % point of 9 degrees of freedom


def test_draw_without_its_second_key_is_splitmix64():
    # The published first outputs of SplitMix64 for the seed 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [ref.draw(1234567, 0, n) for n in (1, 2, 3)] == published


def test_draw_depends_on_both_keys_and_the_number():
    draws = [ref.draw(*arguments) for arguments in [(1, 2, 3), (2, 2, 3), (1, 3, 3), (1, 2, 4)]]
    assert len(set(draws)) == 4
    assert all(0 <= number < 2**64 for number in draws)


# --- Bids ------------------------------------------------------------------------------------------------------------


def test_r2_1_bids_go_round_from_the_dealers_left():
    heard = []

    def listen(view):
        heard.append((view.order, view.bids))
        return 3 + view.order

    deal = ref.play_game([("bot", listen, ref.lowest)] * 3, 1, 0, replace(ref.CUTTHROAT, max_deals=1))["deals"][0]
    assert heard == [(0, [-1, -1, -1]), (1, [-1, -1, 3]), (2, [-1, 3, 4])]
    assert [deal["bids"][(deal["dealer"] + i) % 3] for i in (1, 2, 3)] == [3, 4, 5]


@pytest.mark.parametrize("bid", [-1, 18])
def test_r2_1_bids_out_of_range_are_refused(bid):
    with pytest.raises(ValueError, match="illegal bid"):
        ref.play_game([("bot", ref.fixed(bid), ref.lowest)] * 3, 1, 0)


def test_r2_1_every_bid_from_0_to_17_is_allowed():
    wild_games = [ref.play_game([WILD] * 3, 3, game, FEW_DEALS) for game in range(0, 12, 6)]
    bids = {bid for game in wild_games for deal in game["deals"] for bid in deal["bids"]}
    assert bids == set(range(18))


# --- Play ------------------------------------------------------------------------------------------------------------


def test_r3_1_first_lead_is_the_dealers_left_and_no_spade():
    for deal in deals():
        first = deal["tricks"][0]
        assert first["leader"] == (deal["dealer"] + 1) % 3
        assert first["cards"][0][1] != "S" or all(card[1] == "S" for card in deal["hands"][first["leader"]])


def test_r3_1_hand_of_nothing_but_spades_may_lead_one():
    assert ref.legal_cards(["3H", "2S"], None, False) == ["3H"]
    assert ref.legal_cards(["2S", "AS"], None, False) == ["2S", "AS"]
    assert ref.legal_cards(["3H", "2S"], None, True) == ["3H", "2S"]


def test_r3_2_worked_example_third_hand_must_follow():
    assert ref.legal_cards(["KH", "QS"], "H", True) == ["KH"]


def test_r3_2_void_hand_may_play_any_card():
    assert ref.legal_cards(["3C", "QS"], "H", False) == ["3C", "QS"]


def test_r3_2_every_card_played_follows_or_comes_from_a_void():
    for deal in deals():
        for hand, card, led, _ in hands_before_each_card(deal):
            assert led in (None, card[1]) or all(other[1] != led for other in hand)


def test_r3_2_illegal_card_is_refused():
    with pytest.raises(ValueError, match="illegal card 'AS'"):
        ref.play_game([("bot", ref.quick, lambda view: "AS")] * 3, 1, 0)


@pytest.mark.parametrize("example", EXAMPLES["tricks"])
def test_r3_3_worked_examples_of_tricks(example):
    led = example["cards"][0][1]
    assert ref.trick_winner(example["cards"], example["led_by"]) == example["winner"]
    assert any(ref.breaks_spades(card, led) for card in example["cards"][1:]) == example["breaks_spades"]


def test_r3_3_winner_leads_next():
    for deal in deals():
        winners = [trick["winner"] for trick in deal["tricks"]]
        assert [trick["leader"] for trick in deal["tricks"][1:]] == winners[:-1]


def test_r3_3_winner_holds_the_highest_spade_or_the_highest_of_the_suit_led():
    for deal in deals():
        for trick in deal["tricks"]:
            cards = trick["cards"]
            suit = "S" if any(card[1] == "S" for card in cards) else cards[0][1]
            best = max((card for card in cards if card[1] == suit), key=lambda card: "23456789TJQKA".index(card[0]))
            assert trick["winner"] == (trick["leader"] + cards.index(best)) % 3


def test_r3_4_spade_lead_from_an_all_spade_hand_breaks_nothing():
    assert not ref.breaks_spades("2S", None)
    assert not ref.breaks_spades("2S", "S")
    assert ref.breaks_spades("2S", "H")
    assert not ref.breaks_spades("2C", "H")


def test_r3_4_no_spade_is_led_before_spades_are_broken():
    for deal in deals():
        for hand, card, led, broken in hands_before_each_card(deal):
            if led is None and card[1] == "S":
                assert broken or all(other[1] == "S" for other in hand)


def test_r3_5_all_17_tricks_are_played():
    for deal in deals():
        assert len(deal["tricks"]) == sum(deal["taken"]) == 17
        assert sorted(chain(*(trick["cards"] for trick in deal["tricks"]))) == sorted(ref.CUTTHROAT.pack)
        assert deal["taken"] == [sum(trick["winner"] == seat for trick in deal["tricks"]) for seat in range(3)]


def test_r3_5_a_hand_wins_at_least_its_sure_spades():
    sure_hands = 0
    for deal in deals():
        for hand, taken in zip(deal["hands"], deal["taken"], strict=True):
            sure = next(i for i, rank in enumerate("AKQJT98765432.") if rank + "S" not in hand)
            sure_hands += sure > 0
            assert taken >= sure
    assert sure_hands > 50


# --- Scoring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES["deals_cutthroat"])
def test_r4_1_to_r4_3_worked_examples_of_deals(example):
    points, _, bags = ref.score_deal(example["bid"], example["taken"], example["bags_before"], ref.CUTTHROAT)
    assert (points, bags) == (example["points"], example["bags_after"])


def test_r4_1_worked_example_of_three_bids():
    results = [ref.score_deal(bid, taken, 0) for bid, taken in [(5, 7), (6, 6), (4, 4)]]
    assert results == [(52, 0, 2), (60, 0, 0), (40, 0, 0)]


def test_r4_1_worked_example_of_a_set():
    assert ref.score_deal(8, 5, 0) == (-80, 0, 0)


def test_r4_1_overtricks_less_undertricks_are_17_less_the_bids():
    for deal in deals():
        pairs = list(zip(deal["bids"], deal["taken"], strict=True))
        over = sum(max(taken - bid, 0) for bid, taken in pairs)
        under = sum(max(bid - taken, 0) for bid, taken in pairs)
        assert over - under == 17 - sum(deal["bids"])


def test_r4_1_set_points_and_overtrick_can_vary():
    solo = replace(ref.CUTTHROAT, nil=0, set_points=0)
    for example in EXAMPLES["deals_solo"]:
        points, _, bags = ref.score_deal(example["bid"], example["taken"], example["bags_before"], solo)
        assert (points, bags) == (example["points"], example["bags_after"])
    pagat = replace(ref.CUTTHROAT, nil=0, overtrick=-10, bag_limit=None)
    for example in EXAMPLES["deals_pagat"]:
        assert ref.score_deal(example["bid"], example["taken"], 0, pagat)[0] == example["points"]


def test_r4_2_worked_examples_of_nil():
    assert ref.score_deal(0, 0, 0) == (100, 0, 0)
    assert ref.score_deal(0, 3, 0) == (-100, 0, 3)


def test_r4_2_failed_nil_without_bags():
    house = replace(ref.CUTTHROAT, failed_nil_bags=False, bag_reset="zero")
    for example in EXAMPLES["deals_house"]:
        points, _, bags = ref.score_deal(example["bid"], example["taken"], example["bags_before"], house)
        assert (points, bags) == (example["points"], example["bags_after"])


def test_r4_2_nil_worth_nothing_is_a_bid_like_any_other():
    assert ref.score_deal(0, 3, 0, replace(ref.CUTTHROAT, nil=0)) == (3, 0, 3)


def test_r4_2_nil_with_the_ace_of_spades_always_fails():
    nils = 0
    for deal in deals():
        for seat, hand in enumerate(deal["hands"]):
            if deal["bids"][seat] == 0 and "AS" in hand:
                nils += 1
                assert deal["taken"][seat] >= 1
                assert deal["points"][seat] == -100 - 100 * deal["penalties"][seat]
    assert nils > 10


def test_r4_3_worked_examples_of_bag_penalties():
    assert ref.score_deal(5, 7, 9) == (-48, 1, 1)
    assert ref.score_deal(0, 17, 9) == (-300, 2, 6)


def test_r4_3_scores_and_bags_add_up_over_a_game():
    for game in games():
        scores, bags = [0, 0, 0], [0, 0, 0]
        for deal in game["deals"]:
            for seat, (bid, taken) in enumerate(zip(deal["bids"], deal["taken"], strict=True)):
                scores[seat] += deal["points"][seat]
                bags[seat] += max(taken - bid, 0) - 10 * deal["penalties"][seat]
            assert deal["scores"] == scores
            assert deal["bags"] == bags
            assert all(0 <= bag < 10 for bag in bags)


# --- The end of a game -----------------------------------------------------------------------------------------------


def test_r5_1_highest_total_wins_after_a_whole_deal():
    assert ref.judge_totals([199, 100, 0], False) == (None, False)
    assert ref.judge_totals([200, 100, 0], False) == (0, False)
    assert ref.judge_totals([203, 210, 0], False) == (1, False)


def test_r5_1_games_end_at_the_first_deal_that_reaches_the_target():
    ended = [game for game in games() if game["end_reason"] == "target"]
    assert len(ended) > 5
    for game in ended:
        totals = [deal["scores"] for deal in game["deals"]]
        assert totals[-1].index(max(totals[-1])) == game["winner"]
        assert sorted(totals[-1])[-1] > sorted(totals[-1])[-2]
        # Every earlier deal was below the target, or the tie of a play-off.
        assert all(max(scores) < 200 or sorted(scores)[-1] == sorted(scores)[-2] for scores in totals[:-1])


def test_r5_2_worked_example_of_a_tie_is_played_off():
    assert ref.judge_totals([214, 214, 180], False) == (None, True)


def test_r5_2_first_sole_leader_wins_whatever_the_totals():
    assert ref.judge_totals([150, 140, 180], True) == (2, False)
    assert ref.judge_totals([150, 150, 140], True) == (None, True)


def test_r5_2_tie_is_played_off_by_all_three_in_a_game():
    # Nil scores 100 or -100, less for ten bags: one deal always reaches a target of -100, and often with a tie.
    rules = replace(ref.CUTTHROAT, target=-100)
    bots = [("bot", ref.fixed(0), ref.random_legal)] * 3
    ends = []
    for game in range(0, 300, 6):
        totals = [deal["scores"] for deal in ref.play_game(bots, 2, game, rules)["deals"]]
        leads = [sorted(scores)[-1] - sorted(scores)[-2] for scores in totals]
        assert leads[-1] > 0
        assert all(lead == 0 for lead in leads[:-1])
        ends.append(max(totals[-1]))
    assert min(ends) < -100 <= max(ends)


def test_r5_3_games_that_always_bid_1_end_by_the_cap():
    game = ref.play_game([ONE] * 3, 4, 0)
    assert len(game["deals"]) == 200
    assert (game["winner"], game["end_reason"]) == (None, "deal_cap")


def test_r5_3_a_winner_in_the_last_deal_still_wins():
    game = next(game for game in games() if game["end_reason"] == "target")
    bots = {name: (name, bidder, player) for name, bidder, player in (SENSIBLE, WILD, TRICKY)}
    seated = [bots[name] for name in game["seats"]]  # seating 0 of these is the same game
    length = len(game["deals"])
    stream_game = game["game"] // 6 * 6
    last = ref.play_game(seated, 11, stream_game, replace(ref.CUTTHROAT, max_deals=length))
    cut = ref.play_game(seated, 11, stream_game, replace(ref.CUTTHROAT, max_deals=length - 1))
    assert (last["deals"], last["winner"]) == (game["deals"], game["winner"])
    assert (cut["deals"], cut["winner"], cut["end_reason"]) == (game["deals"][:-1], None, "deal_cap")


# --- Records, seatings and chance ------------------------------------------------------------------------------------


def test_record_is_plain_json_with_the_fields_of_a_replay():
    game = games()[0]
    assert json.loads(json.dumps(game)) == game
    assert list(game) == ["rules", "seed", "game", "seats", "deals", "winner", "end_reason"]
    fields = ["dealer", "hands", "bids", "tricks", "taken", "points", "penalties", "scores", "bags"]
    assert list(game["deals"][0]) == fields
    assert list(game["deals"][0]["tricks"][0]) == ["leader", "cards", "winner"]


def test_the_six_seatings_share_their_deals():
    bots = [("a", ref.quick, ref.lowest), ("b", ref.fixed(2), ref.highest), ("c", ref.spade_count, ref.need_or_duck)]
    block = [ref.play_game(bots, 9, 12 + seating, FEW_DEALS) for seating in range(6)]
    assert [tuple(game["seats"]) for game in block] == list(permutations("abc"))
    assert len({json.dumps([game["deals"][0]["dealer"], game["deals"][0]["hands"]]) for game in block}) == 1


def test_the_same_game_comes_out_twice_and_another_seed_differs():
    bots = TABLES["sensible-wild-tricky"]
    first = ref.play_game(bots, 11, 0, FEW_DEALS)
    assert first == games()[0]
    assert first["deals"] != ref.play_game(bots, 12, 0, FEW_DEALS)["deals"]


def test_equal_random_bots_tie_exactly_over_the_seatings():
    block = [ref.play_game([WILD] * 3, 6, 6 + seating, FEW_DEALS) for seating in range(6)]
    assert all(game["deals"] == block[0]["deals"] for game in block)


# --- Views -----------------------------------------------------------------------------------------------------------


def collect_views():
    """Play one deal of `tricky` bots and return every view of a player with the card it chose."""
    views = []

    def watch(view):
        card = ref.tricky_play(view)
        views.append((view, card))
        return card

    bots = [("bot", ref.tricky_bid, watch)] * 3
    deal = ref.play_game(bots, 8, 0, replace(ref.CUTTHROAT, max_deals=1))["deals"][0]
    return deal, views


def test_view_splits_the_pack_into_hand_played_and_unseen():
    _, views = collect_views()
    assert len(views) == 51
    for number, (view, _) in enumerate(views):
        assert len(view.played) == number
        assert sorted(view.hand + view.played + view.unseen) == sorted(view.pack)
        assert sorted(chain(*view.shown)) == sorted(view.played)
        assert len(view.hand) == view.tricks_left == 17 - number // 3
        assert view.need == view.bids[0] - view.taken[0]
        assert sum(view.taken) == number // 3


def test_view_counts_seats_from_oneself():
    deal, views = collect_views()
    for number, (view, card) in enumerate(views):
        trick = deal["tricks"][number // 3]
        me = (trick["leader"] + number % 3) % 3
        assert view.position == len(view.trick) == number % 3
        assert (me + view.leader) % 3 == trick["leader"]
        assert trick["cards"][view.position] == card
        assert view.bids == [deal["bids"][(me + i) % 3] for i in range(3)]
        assert view.cards[0] is None
        assert [view.cards[(i - view.position) % 3] for i in range(view.position)] == view.trick


def test_view_beats_is_what_would_lead_the_trick():
    _, views = collect_views()
    for view, _ in views:
        if not view.trick:
            assert (view.led, view.leader, view.winning, view.beats) == (None, 0, 0, view.pack)
            continue
        for card in view.pack:
            would_lead = ref.winning_place([*view.trick, card]) == len(view.trick)
            assert (card in view.beats) == would_lead
        assert not set(view.trick) & set(view.beats)
        assert view.cards[view.winning] == view.trick[ref.winning_place(view.trick)]


def test_r3_4_view_is_broken_within_the_very_trick():
    deal, views = collect_views()
    cards = hands_before_each_card(deal)
    seen = [(view.broken, card, view.led, broken) for (view, card), (_, _, _, broken) in zip(views, cards, strict=True)]
    assert all(mine == truth for mine, _, _, truth in seen)
    number = next(i for i, (_, card, led, _) in enumerate(seen) if card[1] == "S" and led not in (None, "S"))
    assert [broken for broken, *_ in seen] == [False] * (number + 1) + [True] * (50 - number)


def test_view_voids_are_known_at_once():
    deal, views = collect_views()
    voids = [set(), set(), set()]
    for number, (view, card) in enumerate(views):
        me = (deal["tricks"][number // 3]["leader"] + number % 3) % 3
        assert view.voids == [voids[(me + i) % 3] for i in range(3)]
        if view.led not in (None, card[1]):
            voids[me].add(view.led)
    assert any(voids)


def test_view_random_is_63_fresh_bits():
    deal, views = collect_views()
    numbers = [view.random for view, _ in views]
    leader, key = deal["tricks"][1]["leader"], ref.deal_key(8, 0, 0)
    assert numbers[3] == ref.draw(*key, 64 + 64 * leader + 2) // 2  # draw 0 is the bid, 1 the card before
    assert len(set(numbers)) == 51
    assert all(0 <= number < 2**63 for number in numbers)
    assert max(numbers) >= 2**62


# --- Strategies ------------------------------------------------------------------------------------------------------


ANY_BID = {"bid_low": 0, "bid_high": 17, "bid_not": -1}


def test_bidders_by_hand():
    view = ref.View(hand=["AC", "AD", "KH", "2S", "3S", "AS"], random=18 * 5 + 4, **ANY_BID)
    assert (ref.quick(view), ref.spade_count(view), ref.fixed(6)(view), ref.wild_bid(view)) == (4, 3, 6, 4)
    assert ref.spade_count(ref.View(hand=["AC"])) == 1


def test_wild_bid_leaves_out_the_barred_bid():
    def bids(low, high, barred):
        return [ref.wild_bid(ref.View(random=n, bid_low=low, bid_high=high, bid_not=barred)) for n in range(4)]

    assert bids(1, 4, -1) == [1, 2, 3, 4]
    assert bids(1, 4, 3) == [1, 2, 2, 4]
    assert bids(1, 4, 1) == [2, 2, 3, 4]
    assert bids(0, 3, 0) == [1, 1, 2, 3]


def test_tricky_bid_by_hand():
    view = ref.View(
        hand=["TC", "JC", "AS"], bids=[-1, -1, 4], order=1, scores=[-30, 40, 7], bags=[3, 9, 2], random=5, **ANY_BID
    )
    # 2 high cards + 3 * 1 + 4 + order 1 - 70 + 6 + 2 + 2 = -50, and -50 modulo 7 is 6.
    assert ref.tricky_bid(view) == 6


@pytest.mark.parametrize(
    ("led", "legal", "best", "need", "card"),
    [
        (None, ["3C", "AH", "2S"], [], 1, "2S"),
        (None, ["3C", "AH", "2S"], [], 0, "3C"),
        ("H", ["2H", "QH", "KH"], ["QH", "KH", "AH"], 1, "QH"),
        ("H", ["2H", "9H", "KH"], ["QH", "KH", "AH"], 0, "9H"),
        ("H", ["KH", "AH"], ["QH", "KH", "AH"], -2, "AH"),
        ("H", ["2H", "9H"], ["QH", "KH", "AH"], 3, "9H"),
    ],
)
def test_need_or_duck_by_hand(led, legal, best, need, card):
    assert ref.need_or_duck(ref.View(led=led, legal=legal, beats=best, need=need)) == card


def test_random_legal_reaches_both_ends():
    legal = ["3C", "4C", "5C"]
    assert ref.random_legal(ref.View(legal=legal, random=0)) == "3C"
    assert ref.random_legal(ref.View(legal=legal, random=2**63 - 1)) == "5C"


# --- The family: presets ---------------------------------------------------------------------------------------------

SOLO = replace(
    ref.CUTTHROAT, min_bid=1, nil=0, opening_lead="left", spades_break="played", set_points=0, target=500
)  # fmt: skip
PAGAT = replace(
    ref.CUTTHROAT, removed=(), set_aside=1, nil=0, opening_lead="lowest_club", spades_break="won", overtrick=-10,
    bag_limit=None, target=300,
)  # fmt: skip
HOUSE = replace(ref.CUTTHROAT, failed_nil_bags=False, bag_reset="zero", renege="bid_fails")
PARTNERSHIP = replace(
    ref.CUTTHROAT, players=4, removed=(), partnerships="opposite", opening_lead="left", target=500, floor=-200
)  # fmt: skip
DUMMY_HAND = replace(ref.CUTTHROAT, removed=(), dummy=True, opening_lead="left", target=500)
FAMILY = {
    "cutthroat": ref.CUTTHROAT,
    "solo-3": SOLO,
    "solo-4": replace(SOLO, players=4, removed=()),
    "solo-5": replace(SOLO, players=5, removed=("2C", "2D")),
    "solo-6": replace(SOLO, players=6, removed=("2C", "3C", "2D", "3D")),
    "pagat": PAGAT,
    "pagat-not-17": replace(PAGAT, bid_total_not="cards_each"),
    "pagat-jokers": replace(PAGAT, jokers=2, set_aside=0),
    "dummy-hand": DUMMY_HAND,
    "dummy-hand-clubs": replace(DUMMY_HAND, opening_lead="lowest_club", spades_break="free"),
    "partnership": PARTNERSHIP,
    "partnership-free": replace(PARTNERSHIP, spades_break="free", blind_nil=200, bid_total_not="cards_each"),
    "house": HOUSE,
    "house-blind-nil": replace(HOUSE, blind_nil=200),
    "house-4": replace(HOUSE, players=4, removed=()),
    "duel": replace(HOUSE, players=2, set_aside=17),
}
CARDS_EACH = {"solo-4": 13, "solo-5": 10, "solo-6": 8, "pagat-jokers": 18, "dummy-hand": 13, "dummy-hand-clubs": 13}
CARDS_EACH |= {"partnership": 13, "partnership-free": 13, "house-4": 13}  # the others 17
SET_ASIDE = {"pagat": 1, "pagat-not-17": 1, "duel": 17}

FAMILY_BOT = ("family", ref.family_bid, ref.family_play)
DARING = ("daring", ref.daring_bid, ref.need_or_duck, ref.daring)
CARELESS = ("careless", ref.careless_bid, ref.careless_play)
WILD_DUCK = ("wild-duck", ref.wild_bid, ref.need_or_duck)
ONE_OF_A_KIND = ["cutthroat", "pagat-jokers", "house-blind-nil", "partnership-free", "dummy-hand", "duel"]
every_preset = pytest.mark.parametrize("name", whole_but(FAMILY, *ONE_OF_A_KIND))


def field_of(rules, *bots):
    """Take as many of these bots as the rules want, from the first again when they run out."""
    return [bots[i % len(bots)] for i in range(1 + max(ref.seatings(rules)[0]))]


def family_bots(rules):
    return field_of(rules, FAMILY_BOT, DARING, WILD_DUCK)


@cache
def family_games(name, games=7):
    """Play a few games of eight deals of a preset."""
    rules = replace(FAMILY[name], max_deals=8, floor=None, target=10_000)
    return [ref.play_game(family_bots(rules), 21, game, rules) for game in range(games)]


def family_deals(name, games=7):
    return [deal for game in family_games(name, games) for deal in game["deals"]]


def layout_of(deal):
    """List the hands clockwise around the table, as the record has them."""
    if "declarer" not in deal:
        return list(range(len(deal["hands"])))
    return {0: [0, 1, 3, 2], 1: [0, 1, 2, 3], 2: [0, 3, 1, 2]}[deal["declarer"]]


def turns(deal):
    """Walk through a deal; yield (number of the trick, hand to play, its cards, its card, the trick before it)."""
    layout, hands = layout_of(deal), [list(hand) for hand in deal["hands"]]
    for number, trick in enumerate(deal["tricks"]):
        first = layout.index(trick["leader"])
        for i, card in enumerate(trick["cards"]):
            hand = layout[(first + i) % len(layout)]
            yield number, hand, hands[hand], card, trick["cards"][:i]
            hands[hand].remove(card)


def suit(card):
    return "S" if card in ("LJ", "BJ") else card[1]


# --- The family: cards and dealing -----------------------------------------------------------------------------------


@every_preset
def test_r1_2_all_the_cards_but_those_set_aside_are_dealt(name):
    rules, each = FAMILY[name], CARDS_EACH.get(name, 17)
    assert rules.cards_each == each
    for deal in family_deals(name):
        dealt = list(chain(*deal["hands"]))
        assert [len(hand) for hand in deal["hands"]] == [each] * rules.hands
        assert len(set(dealt)) == len(dealt) == len(rules.pack) - SET_ASIDE.get(name, 0)
        assert set(dealt) <= set(rules.pack)
        assert all(hand == sorted(hand, key=rules.pack.index) for hand in deal["hands"])
        assert len(deal["tricks"]) == sum(deal["taken"]) == each


def test_r1_2_every_card_is_set_aside_as_often_as_the_others():
    aside = Counter()
    for stream in range(2600):
        aside.update(set(PAGAT.pack) - set(chain(*ref.deal_hands(1, stream, 0, PAGAT))))
    assert len(aside) == 52
    assert sum((times - 50) ** 2 / 50 for times in aside.values()) < 87  # 99.9 % point of 51 degrees of freedom


def test_set_aside_is_a_pile_behind_the_hands():
    # 2 hands of 17 and 17 aside: a card goes aside by the highest third of its 32 bits.
    assert ref.seat_for_card(2**32 - 1, 51, [17, 17, 17]) == 2
    duel = FAMILY["duel"]
    assert ref.deal_hands(3, 5, 2, duel) == ref.deal_hands(3, 5, 2)[:2]
    assert ref.deal_hands(3, 5, 2, DUMMY_HAND) == ref.deal_hands(3, 5, 2, FAMILY["house-4"])


def test_jokers_are_the_highest_spades():
    rules = FAMILY["pagat-jokers"]
    assert rules.pack[-3:] == ["AS", "LJ", "BJ"]
    assert len(rules.pack) == 54
    assert ref.trick_winner(["AS", "BJ", "LJ"], 0) == 1
    assert ref.trick_winner(["AH", "LJ", "KH"], 0) == 1
    assert ref.trick_winner(["LJ", "AS", "BJ"], 2) == 1
    assert ref.legal_cards(["3H", "AS", "LJ"], "S", True) == ["AS", "LJ"]
    assert ref.legal_cards(["3H", "AS", "LJ"], None, False) == ["3H"]
    assert ref.breaks_spades("LJ", "H")
    assert not ref.breaks_spades("BJ", "S")
    assert ref.spades_in(["3H", "2S", "LJ", "BJ"]) == 3


@every_preset
def test_r1_2_the_deal_passes_to_the_left_among_the_players(name):
    players = FAMILY[name].players
    for game in family_games(name):
        first = ref.first_dealer(21, game["game"] // len(ref.seatings(FAMILY[name])), FAMILY[name])
        assert [deal["dealer"] for deal in game["deals"]] == [(first + i) % players for i in range(len(game["deals"]))]


def test_r1_2_first_dealer_is_one_of_the_players():
    for rules, players in [(FAMILY["duel"], 2), (FAMILY["solo-6"], 6), (DUMMY_HAND, 3)]:
        assert {ref.first_dealer(5, stream, rules) for stream in range(100)} == set(range(players))


# --- The family: seatings --------------------------------------------------------------------------------------------


def test_seatings_by_hand():
    assert ref.seatings(FAMILY["duel"]) == [(0, 1), (1, 0)]
    assert ref.seatings(ref.CUTTHROAT) == ref.seatings(DUMMY_HAND) == list(permutations(range(3)))
    forward = [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]
    assert ref.seatings(FAMILY["house-4"]) == [*forward, (3, 2, 1, 0), (2, 1, 0, 3), (1, 0, 3, 2), (0, 3, 2, 1)]
    assert ref.seatings(PARTNERSHIP) == [(0, 1, 0, 1), (1, 0, 1, 0)]


@pytest.mark.parametrize("name", ["solo-4", "solo-5", "solo-6"])
def test_seatings_put_every_bot_in_every_seat_with_either_neighbour(name):
    rules = FAMILY[name]
    seated, n = ref.seatings(rules), rules.players
    assert len(seated) == len(set(seated)) == 2 * n
    for seat in range(n):
        assert Counter(order[seat] for order in seated) == dict.fromkeys(range(n), 2)
    lefts = {(order[seat], order[(seat + 1) % n]) for order in seated for seat in range(n)}
    assert {(0, 1), (0, n - 1)} <= lefts


@every_preset
def test_seatings_share_their_deals(name):
    rules = replace(FAMILY[name], max_deals=1)
    n = len(ref.seatings(rules))
    block = [ref.play_game(family_bots(rules), 9, 2 * n + seating, rules) for seating in range(n)]
    assert len({json.dumps([game["deals"][0]["dealer"], game["deals"][0]["hands"]]) for game in block}) == 1
    names = [bot[0] for bot in family_bots(rules)]
    assert [game["seats"] for game in block] == [[names[i] for i in order] for order in ref.seatings(rules)]


# --- The family: bids ------------------------------------------------------------------------------------------------


def test_min_bid_forbids_0():
    with pytest.raises(ValueError, match="illegal bid 0"):
        ref.play_game([NIL] * 3, 1, 0, SOLO)
    assert {bid for name in ("solo-3", "solo-6") for deal in family_deals(name) for bid in deal["bids"]} >= {1, 2, 8}
    assert all(bid >= 1 for deal in family_deals("solo-6") for bid in deal["bids"])


def bids_seen(rules, bids):
    """Let the seats bid these numbers in their order; return (bid_low, bid_high, bid_not) of each."""
    seen = []

    def bidder(view):
        seen.append((view.bid_low, view.bid_high, view.bid_not))
        return bids[view.order]

    ref.play_game(field_of(rules, ("bot", bidder, ref.lowest)), 1, 0, replace(rules, max_deals=1))
    return seen


def test_bid_total_not_binds_the_last_bidder():
    not_17 = FAMILY["pagat-not-17"]
    assert bids_seen(not_17, [5, 6, 5]) == [(0, 17, -1), (0, 17, -1), (0, 17, 6)]
    assert bids_seen(not_17, [17, 0, 1])[2] == (0, 17, 0)
    assert bids_seen(not_17, [9, 9, 17])[2] == (0, 17, -1)  # 18 already
    assert bids_seen(PAGAT, [5, 6, 6])[2] == (0, 17, -1)
    assert bids_seen(replace(not_17, min_bid=1), [9, 8, 1])[2] == (1, 17, -1)  # 0 is no bid anyway
    assert bids_seen(replace(DUMMY_HAND, bid_total_not="cards_each"), [5, 6, 1])[2] == (0, 13, 2)
    assert bids_seen(FAMILY["partnership-free"], [3, 3, 3, 5])[3] == (0, 13, 4)
    with pytest.raises(ValueError, match="illegal bid 6"):
        bids_seen(not_17, [5, 6, 6])


def test_bid_total_not_is_never_the_total():
    for name in ("pagat-not-17", "partnership-free"):
        totals = {sum(deal["bids"]) for deal in family_deals(name)}
        assert FAMILY[name].cards_each not in totals
        assert len(totals) > 10


def blind_questions(rules, scores, answer=True, order=0):
    """Let seat `order` places left of the dealer bid at these scores; return the deal and what it was asked."""
    deal = ref.Deal(rules, (1, 2), 0, ref.deal_hands(1, 0, 0, rules), scores, [0] * rules.players)
    asked = []

    def blind(view):
        asked.append(view)
        return answer

    seats = deal.bidding_order[: order + 1]
    for seat in seats[:-1]:
        ref.take_bid(deal, seat, ("bot", ref.fixed(1), ref.lowest))
    ref.take_bid(deal, seats[-1], ("bot", ref.fixed(2), ref.lowest, blind))
    return deal, asked


def test_blind_nil_is_open_to_a_seat_100_behind():
    rules = FAMILY["house-blind-nil"]
    for scores, is_asked in [([50, -50, 49], True), ([50, -49, 49], False), ([0, 0, 100], True), ([0, 99, -1], False)]:
        deal, asked = blind_questions(rules, scores)  # seat 1 bids
        assert len(asked) == is_asked
        assert (deal.bids[1], deal.blind[1]) == ((0, True) if is_asked else (2, False))
    assert blind_questions(rules, [0, -100, 0], answer=False)[0].bids[1] == 2
    assert not blind_questions(replace(rules, blind_nil=0), [0, -500, 0])[1]
    assert not blind_questions(replace(rules, min_bid=1), [0, -500, 0])[1]
    assert blind_questions(replace(rules, blind_behind=200), [0, -199, 0])[1] == []


def test_blind_nil_is_open_to_a_side_100_behind():
    rules = FAMILY["partnership-free"]
    assert len(blind_questions(rules, [100, 0, 100, 0])[1]) == 1  # seat 1 bids first
    assert len(blind_questions(rules, [99, 0, 99, 0])[1]) == 0
    assert len(blind_questions(rules, [0, 100, 0, 100], order=1)[1]) == 1


def test_blind_nil_is_asked_without_the_cards():
    deal, asked = blind_questions(FAMILY["house-blind-nil"], [0, 30, -100], order=1)
    view = asked[0]
    assert not hasattr(view, "hand")
    assert (view.scores, view.bids, view.blind, view.order) == ([-100, 0, 30], [-1, -1, 1], [0, 0, 0], 1)
    assert view.random == ref.draw(1, 2, 64 + 64 * 2 + 63) // 2
    assert ref.bid_view(deal, 0).blind == [0, 0, 1]  # the next bidder sees that it was blind


def test_blind_nil_is_recorded_and_paid():
    blind = 0
    for deal in family_deals("house-blind-nil", games=21):
        for seat in range(3):
            if deal["blind"][seat]:
                blind += 1
                assert deal["bids"][seat] == 0
                assert deal["points"][seat] == (200 if deal["taken"][seat] == 0 else -200)
    assert blind > 5
    assert "blind" not in family_deals("house")[0]


# --- The family: play ------------------------------------------------------------------------------------------------


@every_preset
def test_r3_1_r3_2_every_card_follows_or_comes_from_a_void(name):
    for deal in family_deals(name):
        for _, _, cards, card, before in turns(deal):
            if before:
                assert suit(card) == suit(before[0]) or all(suit(other) != suit(before[0]) for other in cards)


@every_preset
def test_r3_3_winner_takes_the_trick_and_leads(name):
    for deal in family_deals(name):
        layout, next_leader = layout_of(deal), None
        for trick in deal["tricks"]:
            assert next_leader in (None, trick["leader"])
            spades = [card for card in trick["cards"] if suit(card) == "S"]
            candidates = spades or [card for card in trick["cards"] if suit(card) == suit(trick["cards"][0])]
            best = max(candidates, key=FAMILY[name].pack.index)
            next_leader = layout[(layout.index(trick["leader"]) + trick["cards"].index(best)) % len(layout)]
            assert trick["winner"] == next_leader
        winners = [trick["winner"] for trick in deal["tricks"]]
        assert deal["taken"] == [winners.count(hand) for hand in range(len(layout))]


@every_preset
def test_r3_4_no_spade_is_led_too_early(name):
    rules, led = FAMILY[name], 0
    for deal in family_deals(name):
        broken = rules.spades_break == "free"
        for _, _, cards, card, before in turns(deal):
            if not before and suit(card) == "S":
                led += 1
                assert broken or all(suit(other) == "S" for other in cards)
            if suit(card) == "S":
                broken |= rules.spades_break == "played" or bool(before and suit(before[0]) != "S")
    assert led > 10


def test_r3_4_what_breaks_spades():
    rules = {way: replace(ref.CUTTHROAT, spades_break=way) for way in ("ruff", "won", "played")}
    assert [ref.breaks_spades("2S", "H", rules[way]) for way in rules] == [True, True, True]
    assert [ref.breaks_spades("2S", None, rules[way]) for way in rules] == [False, False, True]
    assert [ref.breaks_spades("2S", "S", rules[way]) for way in rules] == [False, False, True]
    assert [ref.breaks_spades("2H", None, rules[way]) for way in rules] == [False, False, False]


def first_turn(rules, hands, dealer=0):
    """Bid 3 all round; return the deal before its first card and what its leader may play."""
    zeros = [0] * rules.players
    deal = ref.Deal(rules, (0, 0), dealer, [list(hand) for hand in hands], zeros, zeros)
    deal.bids = [3] * rules.players
    ref.open_play(deal)
    return deal, ref.play_view(deal, deal.leader)


HANDS = [["4C", "5H", "9S"], ["3C", "4H", "2S"], ["9C", "TC", "AS"]]


def test_r3_1_opening_leads():
    leads = {}
    for lead in ("left_nonspade", "left", "lowest_club"):
        for way in ("ruff", "free"):
            deal, view = first_turn(replace(ref.CUTTHROAT, opening_lead=lead, spades_break=way), HANDS)
            leads[lead, way] = deal.leader, view.legal, view.broken
    assert leads == {
        ("left_nonspade", "ruff"): (1, ["3C", "4H"], False),
        ("left_nonspade", "free"): (1, ["3C", "4H"], True),
        ("left", "ruff"): (1, ["3C", "4H"], False),
        ("left", "free"): (1, ["3C", "4H", "2S"], True),
        ("lowest_club", "ruff"): (1, ["3C"], False),
        ("lowest_club", "free"): (1, ["3C"], True),
    }


def test_lowest_club_is_led_by_whoever_holds_it():
    for dealer in range(3):
        deal, view = first_turn(PAGAT, HANDS, dealer)
        assert (deal.leader, view.legal) == (1, ["3C"])  # the two is set aside
    _, view = first_turn(PAGAT, [["5H", "9S"], ["4H", "2S"], ["AD", "AS"]])
    assert (view.legal, view.order) == (["4H"], 0)  # no club at all: as "left"


def test_lowest_club_opens_every_game_of_pagat():
    for name in ("pagat", "pagat-jokers"):
        for deal in family_deals(name):
            first, clubs = deal["tricks"][0], [card for card in chain(*deal["hands"]) if card[1] == "C"]
            assert first["cards"][0] == min(clubs, key=ref.FULL_PACK.index)
            assert first["cards"][0] in deal["hands"][first["leader"]]


def test_lowest_club_lead_leaves_a_hand_without_clubs_free():
    deal = ref.Deal(PAGAT, (0, 0), 0, [["QS", "9D"], ["2C", "4D"], ["AH", "2S"]], [0] * 3, [0] * 3)
    deal.bids = [1, 1, 1]
    ref.open_play(deal)
    ref.take_card(deal, 1, ref.lowest)
    assert ref.play_view(deal, 2).legal == ["AH", "2S"]  # no club: anything, a spade too


@pytest.mark.parametrize("name", ["solo-5", "partnership", "house-4", "duel"])
def test_r3_1_dealers_left_leads_first(name):
    for deal in family_deals(name):
        assert deal["tricks"][0]["leader"] == (deal["dealer"] + 1) % FAMILY[name].players


# --- The family: scores ----------------------------------------------------------------------------------------------


def test_bag_reset_zero_is_one_penalty_and_no_bags_left():
    for example in EXAMPLES["deals_house"]:
        points, _, bags = ref.score_deal(example["bid"], example["taken"], example["bags_before"], HOUSE)
        assert (points, bags) == (example["points"], example["bags_after"])
    assert ref.score_deal(1, 13, 9, HOUSE) == (10 + 12 - 100, 1, 0)  # 9 + 12: the example of the rules
    assert ref.score_deal(1, 13, 9) == (10 + 12 - 200, 2, 1)
    assert ref.score_deal(1, 2, 8, HOUSE) == (11, 0, 9)


def test_bags_without_a_limit_only_add_up():
    no_bags = replace(HOUSE, bag_limit=None)
    assert ref.score_deal(5, 9, 30, no_bags) == (54, 0, 34)
    assert ref.score_deal(5, 7, 3, replace(ref.CUTTHROAT, bag_limit=5, bag_penalty=50)) == (52 - 50, 1, 0)


def test_nil_of_50_points():
    house = replace(HOUSE, nil=50)
    assert ref.score_deal(0, 0, 0, house) == (50, 0, 0)
    assert ref.score_deal(0, 2, 0, house) == (-50, 0, 0)


ONE_TRICK = [{"leader": 0, "cards": ["2D", "3D", "4D", "5D"], "winner": 3}]


def scored(rules, bids, taken, tricks=None, **state):
    """Score a deal made by hand: these bids by seat and tricks by hand; the dealer is seat 2, or 3 with four."""
    zeros = [0] * rules.players
    deal = ref.Deal(rules, (0, 0), rules.players - 1, [[] for _ in range(rules.hands)], zeros, zeros)
    for name, value in {"bids": bids, "taken": taken, **state}.items():
        setattr(deal, name, value)
    ref.open_play(deal)
    return ref.score_all(deal, tricks or ONE_TRICK)


def test_r7_worked_examples_of_partnerships():
    missed, bagged = EXAMPLES["partnership_hand"]
    bids, taken = missed["bids"], missed["taken"]
    results = scored(PARTNERSHIP, [bids[0], 3, bids[1], 3], [taken[0], 5, taken[1], 4])
    assert results[0] == results[2] == (missed["points"], 0, 0)
    bids, taken, bags = bagged["bids"], bagged["taken"], [bagged["bags_before"], 0] * 2
    results = scored(PARTNERSHIP, [bids[0], 3, bids[1], 2], [taken[0], 3, taken[1], 2], bags=bags)
    assert results[0] == results[2] == (bagged["score_after"] - bagged["score_before"], 1, bagged["bags_after"])
    assert results[1] == results[3] == (50, 0, 0)


def test_r7_failed_nil_beside_a_contract():
    # 003: contract of 5 made with a failed nil: -50. The nil's trick counts for the contract.
    assert scored(PARTNERSHIP, [5, 4, 0, 4], [5, 4, 0, 4])[0] == (150, 0, 0)
    assert scored(PARTNERSHIP, [5, 4, 0, 4], [4, 4, 1, 4])[0] == (50 - 100, 0, 0)
    assert scored(PARTNERSHIP, [5, 4, 0, 4], [5, 3, 2, 3])[0] == (52 - 100, 0, 2)
    no_bags = replace(PARTNERSHIP, failed_nil_bags=False)
    assert scored(no_bags, [5, 4, 0, 4], [5, 3, 2, 3])[0] == (52 - 100, 0, 2)  # overtricks of a contract all the same


def test_r7_both_nil_is_no_contract():
    assert scored(PARTNERSHIP, [0, 4, 0, 4], [0, 6, 0, 7])[0] == (200, 0, 0)
    assert scored(PARTNERSHIP, [0, 4, 0, 4], [3, 5, 0, 5])[0] == (0, 0, 3)
    assert scored(PARTNERSHIP, [0, 4, 0, 4], [3, 4, 2, 4])[0] == (-200, 0, 5)
    assert scored(replace(PARTNERSHIP, failed_nil_bags=False), [0, 4, 0, 4], [3, 4, 2, 4])[0] == (-200, 0, 0)
    assert scored(PARTNERSHIP, [0, 4, 0, 4], [3, 4, 2, 4], bags=[6, 0, 6, 0])[0] == (-300, 1, 1)


def test_r7_blind_nil_counts_its_own_points():
    rules = replace(PARTNERSHIP, blind_nil=200)
    blind = [False, False, True, False]
    assert scored(rules, [5, 4, 0, 4], [5, 4, 0, 4], blind=blind)[0] == (250, 0, 0)
    assert scored(rules, [0, 4, 0, 4], [0, 5, 1, 7], blind=blind)[0] == (100 - 200, 0, 1)


def test_r7_bids_of_nothing_special_are_a_contract_of_0():
    assert scored(replace(PARTNERSHIP, nil=0), [0, 4, 0, 4], [1, 6, 1, 5])[0] == (2, 0, 2)


def test_r8_declarer_scores_with_the_dummy_and_each_defender_its_own_bid():
    # Seat 1 bids most and plays the dummy's hand (3): 2 + 5 tricks against 6; the defenders took 3 + 3.
    results = scored(DUMMY_HAND, [4, 6, 5], [3, 2, 3, 5])
    assert results == [(42, 0, 2), (61, 0, 1), (51, 0, 1)]
    assert scored(DUMMY_HAND, [4, 6, 7], [3, 2, 3, 5]) == [(41, 0, 1), (-60, 0, 0), (71, 0, 1)]
    results = scored(DUMMY_HAND, [4, 7, 7], [3, 2, 3, 5])  # a tie: seat 0 bids first, so seat 1 before seat 2
    assert results == [(42, 0, 2), (70, 0, 0), (-70, 0, 0)]


def test_r8_nil_is_for_the_bidders_own_hand():
    assert scored(DUMMY_HAND, [0, 6, 5], [0, 2, 6, 5]) == [(100, 0, 0), (61, 0, 1), (51, 0, 1)]
    assert scored(DUMMY_HAND, [0, 6, 5], [1, 2, 5, 5]) == [(-100, 0, 1), (61, 0, 1), (51, 0, 1)]
    # All bid 0: seat 0 is declarer, and its own hand counts, not the dummy's.
    assert scored(DUMMY_HAND, [0, 0, 0], [0, 2, 5, 6]) == [(100, 0, 0), (-100, 0, 2), (-100, 0, 5)]
    assert scored(replace(DUMMY_HAND, nil=0), [0, 6, 5], [0, 2, 6, 5])[0] == (6, 0, 6)


def test_r9_renege_fails_the_bid():
    assert ref.score_together([ref.Promise(5, 7, reneges=1)], 7, 9, HOUSE) == (-50, 0, 9)
    assert ref.score_together([ref.Promise(5, 3, reneges=1)], 3, 9, HOUSE) == (-50, 0, 9)
    assert ref.score_together([ref.Promise(0, 0, reneges=2)], 0, 9, HOUSE) == (-100, 0, 9)
    assert ref.score_together([ref.Promise(5, 7, reneges=3)], 7, 0, ref.CUTTHROAT) == (52, 0, 2)  # costs nothing
    assert ref.score_together([ref.Promise(0, 0, blind=True, reneges=1)], 0, 0, FAMILY["house-blind-nil"])[0] == -200


def test_r9_renege_adds_three_tricks_to_the_bid():
    rules = replace(ref.CUTTHROAT, renege="three_tricks")
    assert ref.score_together([ref.Promise(2, 6, reneges=1)], 6, 0, rules) == (51, 0, 1)
    assert ref.score_together([ref.Promise(2, 6, reneges=2)], 6, 0, rules) == (-80, 0, 0)
    assert ref.score_together([ref.Promise(0, 0, reneges=1)], 0, 0, rules) == (-100, 0, 0)


def test_r9_renege_of_a_partner_costs_the_side():
    fails = replace(PARTNERSHIP, renege="bid_fails")
    assert scored(fails, [5, 4, 3, 4], [5, 2, 4, 2], reneges=[0, 0, 1, 0])[0] == (-80, 0, 0)
    assert scored(fails, [5, 4, 3, 4], [5, 2, 4, 2], reneges=[0, 0, 1, 0])[1] == (-80, 0, 0)  # set anyway
    assert scored(fails, [5, 4, 0, 4], [6, 4, 0, 3], reneges=[0, 0, 1, 0])[0] == (51 - 100, 0, 1)  # the nil alone
    assert scored(fails, [5, 4, 0, 4], [6, 4, 0, 3], reneges=[1, 0, 0, 0])[0] == (-50 + 100, 0, 0)
    three = replace(PARTNERSHIP, renege="three_tricks")
    assert scored(three, [3, 4, 2, 4], [5, 2, 4, 2], reneges=[0, 0, 1, 0])[0] == (81, 0, 1)
    assert scored(three, [3, 4, 2, 4], [5, 2, 4, 2], reneges=[1, 0, 1, 0])[0] == (-110, 0, 0)
    assert scored(three, [3, 4, 0, 4], [5, 4, 0, 4], reneges=[0, 0, 1, 0])[0] == (32 - 100, 0, 2)


def test_r9_renege_of_the_dummy_is_its_declarers():
    rules = replace(DUMMY_HAND, renege="bid_fails")
    results = scored(rules, [4, 6, 5], [3, 2, 3, 5], reneges=[0, 0, 0, 1])
    assert results == [(42, 0, 2), (-60, 0, 0), (51, 0, 1)]
    results = scored(rules, [4, 6, 5], [3, 2, 3, 5], reneges=[1, 0, 0, 0])  # a defender's is not the other's
    assert results == [(-40, 0, 0), (61, 0, 1), (51, 0, 1)]


def test_exact_bonus_for_7_or_more_and_2_or_less():
    rules = replace(ref.CUTTHROAT, exact_bonus=25)
    points = {bid: ref.score_deal(bid, bid, 0, rules)[0] for bid in (1, 2, 3, 6, 7, 8)}
    assert points == {1: 35, 2: 45, 3: 30, 6: 60, 7: 95, 8: 105}
    assert ref.score_deal(7, 8, 0, rules)[0] == 71
    assert ref.score_deal(8, 7, 0, rules)[0] == -80
    assert [ref.score_deal(0, taken, 0, rules)[0] for taken in (0, 1)] == [125, -100]
    assert [ref.score_deal(0, taken, 0, replace(rules, nil=0))[0] for taken in (0, 1)] == [25, 1]
    partners = replace(PARTNERSHIP, exact_bonus=25)
    assert scored(partners, [4, 3, 4, 1], [6, 2, 2, 3])[0] == (105, 0, 0)
    assert scored(partners, [7, 3, 0, 1], [7, 2, 0, 4])[0] == (70 + 25 + 100 + 25, 0, 0)


def high_tricks(*tricks):
    """Make records of tricks from (winner, its card); the other cards are low ones."""
    return [{"leader": winner, "cards": [card, "2D", "3D"], "winner": winner} for winner, card in tricks]


def test_high_spade_bonus_counts_the_last_tricks():
    assert ref.last_high_spades(high_tricks((0, "AS"), (1, "KH"))) == (1, 0)
    assert ref.last_high_spades(high_tricks((0, "AS"), (1, "JS"))) == (1, 1)
    assert ref.last_high_spades(high_tricks((1, "AS"), (1, "TS"), (1, "LJ"), (1, "BJ"))) == (1, 2)
    assert ref.last_high_spades(high_tricks((2, "QS"), (2, "KS"))) == (2, 2)
    ruffed = [{"leader": 0, "cards": ["AH", "QS", "AS"], "winner": 2}]
    assert ref.last_high_spades(ruffed) == (2, 1)


def test_high_spade_bonus_goes_to_the_seat_or_its_side():
    tricks = high_tricks((2, "QS"), (2, "KS"))
    alone = replace(ref.CUTTHROAT, high_spade_bonus=15)
    assert [points for points, _, _ in scored(alone, [5, 6, 6], [5, 6, 6], tricks)] == [50, 60, 60 + 30]
    sides = replace(PARTNERSHIP, high_spade_bonus=15)
    results = [points for points, _, _ in scored(sides, [3, 3, 3, 4], [3, 3, 3, 4], tricks)]
    assert results == [60 + 30, 70, 60 + 30, 70]
    with_dummy = replace(DUMMY_HAND, high_spade_bonus=15)
    of_dummy = high_tricks((3, "QS"), (3, "KS"))
    assert [points for points, _, _ in scored(with_dummy, [3, 6, 3], [3, 3, 3, 4], of_dummy)] == [33, 61 + 30, 33]
    assert [points for points, _, _ in scored(with_dummy, [3, 6, 3], [3, 3, 3, 4], tricks)] == [33, 61, 33 + 30]


@every_preset
def test_r4_points_add_up_to_the_scores(name):
    rules = FAMILY[name]
    for game in family_games(name):
        scores = [0] * rules.players
        for deal in game["deals"]:
            scores = [before + new for before, new in zip(scores, deal["points"], strict=True)]
            assert deal["scores"] == scores
            assert rules.bag_limit is None or all(bags < rules.bag_limit for bags in deal["bags"])
            if rules.partnerships:
                for column in ("points", "penalties", "scores", "bags"):
                    assert deal[column][:2] == deal[column][2:]


@pytest.mark.parametrize("name", ["solo-3", "solo-4", "solo-5", "solo-6", "pagat", "pagat-jokers", "house-4", "duel"])
def test_r4_1_points_of_every_contract(name):
    rules, contracts = FAMILY[name], 0
    for deal in family_deals(name):
        for seat, (bid, taken) in enumerate(zip(deal["bids"], deal["taken"], strict=True)):
            if bid > 0 and not deal["penalties"][seat]:
                made = 10 * bid + (taken - bid) * (-10 if name.startswith("pagat") else 1)
                missed = 0 if name.startswith("solo") else -10 * bid
                assert deal["points"][seat] == (made if taken >= bid else missed)
                contracts += 1
    assert rules.players == 2 or contracts > 100


# --- The family: the end of a game -----------------------------------------------------------------------------------


def test_floor_ends_the_game_and_the_highest_wins():
    totals = [[120, -199, 120, -199], [120, -200, 120, -200], [500, -200, 500, -200], [-200, -200, -200, -200]]
    assert [ref.reason_to_end(scores, 1, PARTNERSHIP) for scores in totals] == [None, "floor", "target", "floor"]
    assert ref.judge_totals([-210, -200, -210, -200], False, PARTNERSHIP) == (1, False)
    assert ref.judge_totals([-200, -200, -200, -200], False, PARTNERSHIP) == (None, True)
    assert ref.judge_totals([100, 50, 80], False, replace(ref.CUTTHROAT, floor=-200)) == (None, False)
    assert ref.judge_totals([100, 50, -200], False, replace(ref.CUTTHROAT, floor=-200)) == (0, False)


def test_fixed_deals_end_the_game_after_so_many():
    rules = replace(ref.CUTTHROAT, fixed_deals=4)
    assert [ref.reason_to_end([10, 20, 30], deals, rules) for deals in (3, 4)] == [None, "deals"]
    assert ref.reason_to_end([200, 20, 30], 3, rules) == "target"
    assert ref.judge_totals([10, 20, 30], False, rules, 4) == (2, False)
    assert ref.judge_totals([10, 30, 30], False, rules, 4) == (None, True)
    ends = [ref.play_game([WILD, SENSIBLE, GREEDY], 3, game, replace(rules, target=5000)) for game in range(6)]
    assert {(len(game["deals"]), game["end_reason"]) for game in ends} == {(4, "deals")}
    for game in ends:
        scores = game["deals"][-1]["scores"]
        assert scores[game["winner"]] == max(scores)


def test_r5_2_the_reason_stays_while_a_tie_is_played_off():
    # A bid of 0 is always made and scores 0, so that most deals leave all three at 0; then one bid of 6 decides.
    even = replace(ref.CUTTHROAT, nil=0, overtrick=0, bag_limit=None, fixed_deals=1, target=50, max_deals=40)

    def bidder(view):
        return 6 if view.random % 8 == 0 else 0

    games = [ref.play_game([("bot", bidder, ref.highest)] * 3, 5, game, even) for game in range(0, 180, 6)]
    ended = [game for game in games if game["winner"] is not None and len(game["deals"]) > 1]
    assert len(ended) > 3
    assert {game["end_reason"] for game in ended} == {"deals"}
    assert any(max(game["deals"][-1]["scores"]) >= 50 for game in ended)  # which alone would be "target"


def test_r7_the_winner_is_the_lower_seat_of_its_side():
    assert ref.judge_totals([510, 480, 510, 480], False, PARTNERSHIP) == (0, False)
    assert ref.judge_totals([480, 510, 480, 510], False, PARTNERSHIP) == (1, False)
    assert ref.judge_totals([510, 510, 510, 510], False, PARTNERSHIP) == (None, True)
    rules = replace(PARTNERSHIP, max_deals=60)
    games = [ref.play_game([SENSIBLE, GREEDY], 8, game, rules) for game in range(6)]
    assert {game["winner"] for game in games} <= {0, 1}
    assert {game["end_reason"] for game in games} <= {"target", "floor"}
    for game in games:
        scores = game["deals"][-1]["scores"]
        assert scores[game["winner"]] == max(scores)


def test_r5_1_games_of_two_and_six_end():
    for name, n in (("duel", 2), ("solo-6", 6)):
        game = ref.play_game([SENSIBLE] * n, 4, 1, FAMILY[name])
        scores = game["deals"][-1]["scores"]
        assert (len(scores), game["end_reason"]) == (n, "target")
        assert scores[game["winner"]] == max(scores) >= FAMILY[name].target


# --- The family: the dummy's hand ------------------------------------------------------------------------------------


def test_r8_the_dummy_is_opposite_its_declarer():
    layouts = {}
    for declarer in range(3):
        deal = ref.Deal(DUMMY_HAND, (0, 0), 2, [[] for _ in range(4)], [0] * 3, [0] * 3)
        deal.bids = [7 if seat == declarer else 2 for seat in range(3)]
        ref.open_play(deal)
        layouts[declarer] = deal.table
        assert deal.declarer == declarer
    assert layouts == {0: [0, 1, ref.DUMMY, 2], 1: [0, 1, 2, ref.DUMMY], 2: [0, ref.DUMMY, 1, 2]}


@pytest.mark.parametrize(
    ("dealer", "bids", "declarer"),
    [(2, [4, 4, 4], 0), (0, [4, 4, 4], 1), (1, [4, 4, 4], 2), (0, [5, 4, 5], 2), (0, [3, 5, 5], 1), (1, [0, 0, 0], 2)],
)
def test_r8_the_highest_bidder_is_declarer_and_of_several_the_earliest(dealer, bids, declarer):
    deal = ref.Deal(DUMMY_HAND, (0, 0), dealer, [[] for _ in range(4)], [0] * 3, [0] * 3)
    deal.bids = bids
    ref.open_play(deal)
    assert (deal.declarer, deal.leader) == (declarer, (dealer + 1) % 3)


def test_r8_turns_alternate_between_the_sides():
    declarers = Counter()
    for deal in family_deals("dummy-hand"):
        declarers[deal["declarer"]] += 1
        assert deal["tricks"][0]["leader"] == (deal["dealer"] + 1) % 3
        assert deal["dummy"] == 3
        ours = [hand in (deal["declarer"], 3) for _, hand, *_ in turns(deal)]
        assert all(ours[i] != ours[i + 1] for i in range(0, 52, 2))
        assert all(ours[4 * i] == ours[4 * i + 2] for i in range(13))
    assert set(declarers) == {0, 1, 2}


def test_r8_record_has_four_hands_and_three_seats():
    game = family_games("dummy-hand")[0]
    assert len(game["seats"]) == 3
    for deal in game["deals"]:
        assert [len(deal[name]) for name in ("hands", "taken")] == [4, 4]
        assert {len(deal[name]) for name in ("bids", "points", "penalties", "scores", "bags")} == {3}
    assert {trick["winner"] for deal in game["deals"] for trick in deal["tricks"]} == {0, 1, 2, 3}


def test_r8_lowest_club_may_be_the_dummys():
    leaders = Counter(deal["tricks"][0]["leader"] for deal in family_deals("dummy-hand-clubs"))
    assert set(leaders) == {0, 1, 2, 3}
    assert all(deal["tricks"][0]["cards"][0] == "2C" for deal in family_deals("dummy-hand-clubs"))


# --- The family: views -----------------------------------------------------------------------------------------------


@cache
def family_views(name):
    """Play two deals of a preset; return the game and by deal [(view, answer) of every bid], [… of every card]."""
    rules = replace(FAMILY[name], max_deals=2, floor=None)
    bids, cards = [], []

    def bidder(view):
        bids.append((view, ref.family_bid(view)))
        return bids[-1][1]

    def player(view):
        cards.append((view, ref.family_play(view)))
        return cards[-1][1]

    game = ref.play_game(field_of(rules, ("bot", bidder, player)), 17, 3, rules)
    n, m = rules.players, rules.hands * rules.cards_each
    assert (len(bids), len(cards)) == (2 * n, 2 * m)
    return game, [bids[:n], bids[n:]], [cards[:m], cards[m:]]


def view_turns(name):
    """Yield (record of the deal, scores before, bags before, turn, view, card) for every card."""
    rules = FAMILY[name]
    game, _, views = family_views(name)
    scores, bags = [0] * rules.players, [0] * rules.players
    for deal, seen in zip(game["deals"], views, strict=True):
        for turn, (view, card) in zip(turns(deal), seen, strict=True):
            yield deal, scores, bags, turn, view, card
        scores, bags = deal["scores"], deal["bags"]


def around(deal, hand):
    """List the hands clockwise from this one, and the seats that play them."""
    layout = layout_of(deal)
    hands = [layout[(layout.index(hand) + i) % len(layout)] for i in range(len(layout))]
    return hands, [deal["declarer"] if "declarer" in deal and other == 3 else other for other in hands]


@every_preset
def test_view_of_a_player_counts_places_from_its_hand(name):
    rules = FAMILY[name]
    for deal, scores, bags, (number, hand, cards, card, before), view, answer in view_turns(name):
        hands, seats = around(deal, hand)
        winners = [trick["winner"] for trick in deal["tricks"][:number]]
        assert (view.hand, answer) == (cards, card)
        assert view.players == len(view.bids) == len(view.cards) == len(hands)
        assert view.bids == [deal["bids"][seat] for seat in seats]
        assert view.scores == [scores[seat] for seat in seats]
        assert view.bags == [bags[seat] for seat in seats]
        assert view.blind == [int(deal.get("blind", [0] * 6)[seat]) for seat in seats]
        assert view.taken == [winners.count(other) for other in hands]
        assert view.order == (seats[0] - deal["dealer"] - 1) % rules.players
        assert view.trick == before
        assert hands[view.leader] == deal["tricks"][number]["leader"]
        assert view.cards == [None] * (len(hands) - len(before)) + before
        if before:
            best = ref.winning_place(before)
            assert view.cards[view.winning] == before[best]


@every_preset
def test_view_splits_the_pack_of_the_family(name):
    for deal, _, _, (number, _, cards, _, before), view, _ in view_turns(name):
        open_cards = list(chain(*view.open))
        assert sorted([*open_cards, *view.played, *view.unseen]) == sorted(view.pack) == sorted(FAMILY[name].pack)
        assert view.open[0] == view.hand == cards
        held = list(chain(*deal["hands"]))
        aside = set(view.pack) - set(held)
        assert aside <= set(view.unseen)
        assert sorted(chain(*view.shown)) == sorted(view.played)
        if "declarer" not in deal:
            assert view.open[1:] == [[]] * (view.players - 1)
            assert view.dummy == -1
        assert len(view.played) == number * view.players + len(before)
        assert view.tricks_left == FAMILY[name].cards_each - number
        assert not before or view.leader != 0


@pytest.mark.parametrize("name", ["dummy-hand", "dummy-hand-clubs"])
def test_r8_view_sees_the_dummy_once_a_card_is_played(name):
    dummys_turns = 0
    for deal, _, _, (number, hand, _, _, before), view, _ in view_turns(name):
        hands, _ = around(deal, hand)
        assert hands[view.dummy] == 3
        gone = {card for trick in deal["tricks"][:number] for card in trick["cards"]} | set(before)
        still = [[card for card in deal["hands"][other] if card not in gone] for other in hands]
        first = number == 0 and not before
        seen = {hand} | (set() if first else {3}) | ({deal["declarer"]} if hand == 3 else set())
        assert view.open == [still[i] if other in seen else [] for i, other in enumerate(hands)]
        assert view.partner == 2
        dummys_turns += hand == 3
    assert dummys_turns == 26


@every_preset
def test_view_need_is_what_the_side_still_wants(name):
    rules, nils = FAMILY[name], 0
    for deal, _, _, (number, hand, *_), view, _ in view_turns(name):
        hands, seats = around(deal, hand)
        winners = [trick["winner"] for trick in deal["tricks"][:number]]
        bid, taken = deal["bids"][seats[0]], winners.count(hand)
        if rules.nil and bid == 0 and taken == 0:
            nils += 1
            assert view.need == 0
            continue
        if len(hands) == 4 and (rules.partnerships or rules.dummy):
            taken += winners.count(hands[2])
            bid += deal["bids"][seats[2]] if rules.partnerships else 0
        assert view.need == bid - taken


def test_r7_view_need_of_a_failed_nil_is_that_of_its_side():
    deal = ref.Deal(PARTNERSHIP, (0, 0), 3, [["2C"], ["3C"], ["4C"], ["5C"]], [0] * 4, [0] * 4)
    deal.bids, deal.taken = [0, 4, 5, 4], [0, 2, 3, 1]
    assert [ref.need(deal, hand) for hand in range(4)] == [0, 5, 2, 5]
    deal.taken = [1, 2, 3, 1]
    assert [ref.need(deal, hand) for hand in range(4)] == [1, 5, 1, 5]


def test_r8_view_need_of_declarer_dummy_and_defenders():
    deal = ref.Deal(DUMMY_HAND, (0, 0), 2, [["2C"], ["3C"], ["4C"], ["5C"]], [0] * 3, [0] * 3)
    deal.bids = [0, 6, 5]
    ref.open_play(deal)
    deal.taken = [0, 2, 1, 3]
    assert [ref.need(deal, hand) for hand in range(4)] == [0, 1, 4, 1]
    deal.taken = [2, 2, 1, 3]
    assert [ref.need(deal, hand) for hand in range(4)] == [-3, 1, 2, 1]


@every_preset
def test_view_of_a_bidder(name):
    rules = FAMILY[name]
    game, bids, _ = family_views(name)
    scores, bags = [0] * rules.players, [0] * rules.players
    for deal, seen in zip(game["deals"], bids, strict=True):
        for order, (view, bid) in enumerate(seen):
            seat = (deal["dealer"] + 1 + order) % rules.players
            hands = [(seat + i) % rules.hands for i in range(rules.hands)]  # the dummy's place is between 2 and 0
            empty = [rules.dummy and other == 3 for other in hands]
            told = [(deal["dealer"] + 1 + i) % rules.players for i in range(order)]
            assert view.order == order
            assert view.hand == deal["hands"][seat]
            assert deal["bids"][seat] == bid
            assert view.bids == [deal["bids"][other] if other in told else -1 for other in hands]
            assert view.scores == [0 if no else scores[other] for other, no in zip(hands, empty, strict=True)]
            assert view.bags == [0 if no else bags[other] for other, no in zip(hands, empty, strict=True)]
            assert view.taken == view.blind == [0] * rules.hands
            assert (view.players, view.cards_each) == (rules.hands, rules.cards_each)
            assert view.partner == (2 if rules.partnerships else -1)
            assert (view.bid_low, view.bid_high) == (rules.min_bid, rules.cards_each)
        scores, bags = deal["scores"], deal["bags"]


def test_view_tells_the_rules():
    rules = replace(ref.CUTTHROAT, blind_nil=150, bag_limit=7, bag_penalty=70, overtrick=2, set_points=-20, nil=50)
    deal = ref.Deal(rules, (1, 2), 0, ref.deal_hands(1, 0, 0), [0] * 3, [3, 5, 6])
    view = ref.bid_view(deal, 1)
    assert (view.nil_value, view.blind_nil, view.min_bid, view.target) == (50, 150, 0, 200)
    assert (view.bag_limit, view.bag_penalty, view.bags_left) == (7, 70, 2)
    assert (view.overtrick, view.set_points) == (2, -20)
    deal = ref.Deal(replace(rules, bag_limit=None), (1, 2), 0, ref.deal_hands(1, 0, 0), [0] * 3, [3, 5, 6])
    view = ref.bid_view(deal, 1)
    assert (view.bag_limit, view.bags_left) == (0, 2**30 - 5)


def test_r8_view_random_is_that_of_the_place_in_play():
    game, _, views = family_views("dummy-hand")
    for number, (deal, seen) in enumerate(zip(game["deals"], views, strict=True)):
        key, layout = ref.deal_key(17, 0, number), layout_of(deal)
        for (trick, hand, *_), (view, _) in zip(turns(deal), seen, strict=True):
            assert view.random == ref.draw(*key, 64 + 64 * layout.index(hand) + 1 + trick) // 2


# --- The family: bots at fault ---------------------------------------------------------------------------------------

FAULTS_AT = ["cutthroat", "solo-5", "pagat-not-17", "dummy-hand", "partnership", "house-blind-nil", "duel"]


@cache
def careless_games(name):
    rules = replace(FAMILY[name], max_deals=4)
    return [ref.play_game(field_of(rules, CARELESS, DARING), 5, game, rules, "correct") for game in range(4)]


@pytest.mark.parametrize("name", FAULTS_AT)
def test_r9_corrected_cards_are_the_lowest_legal_ones(name):
    rules, corrected = FAMILY[name], 0
    for game in careless_games(name):
        for deal in game["deals"]:
            notes = {(note["seat"], note["trick"]): note for note in deal.get("corrections", ())}
            broken = rules.spades_break == "free"
            for number, hand, cards, card, before in turns(deal):
                led = suit(before[0]) if before else None
                legal = ref.legal_cards(cards, led, broken)
                note = notes.pop((hand, number), None)
                if number == 0 and not before and rules.opening_lead == "lowest_club":
                    legal = [card]
                assert card in legal
                if note is not None:
                    corrected += 1
                    assert card == note["instead"] == legal[0]
                    assert note["answer"] not in legal
                broken |= suit(card) == "S" and (rules.spades_break == "played" or led not in (None, "S"))
            assert all(trick is None for _, trick in notes)
    assert corrected > 20


@pytest.mark.parametrize("name", FAULTS_AT)
def test_r9_corrected_bids_are_the_nearest_legal_ones(name):
    rules, corrected = FAMILY[name], 0
    for game in careless_games(name):
        for deal in game["deals"]:
            for note in deal.get("corrections", ()):
                if note["trick"] is None:
                    corrected += 1
                    low, high, answer = rules.min_bid, rules.cards_each, note["answer"]
                    assert deal["bids"][note["seat"]] == note["instead"]
                    others = sum(deal["bids"]) - note["instead"]
                    barred = rules.bid_total_not and answer + others == high
                    assert barred or not low <= answer <= high
                    expected = {low, low + 1} if answer < low else {high, high - 1}
                    assert note["instead"] in ({answer - 1, 1} if barred else expected)
    assert corrected > 3


def nearest(answer, low, high, barred):
    return ref.nearest_bid(answer, [bid for bid in range(low, high + 1) if bid != barred])


def test_r9_nearest_bid_by_hand():
    assert [nearest(answer, 0, 17, -1) for answer in (18, 1000, -1, -(10**12))] == [17, 17, 0, 0]
    assert [nearest(answer, 0, 17, 6) for answer in (6, 18, -1)] == [5, 17, 0]
    assert [nearest(answer, 0, 17, 17) for answer in (17, 20)] == [16, 16]
    assert [nearest(answer, 1, 17, 1) for answer in (1, 0)] == [2, 2]


def test_r9_corrections_are_noted_in_their_order():
    notes = [note for deal in careless_games("dummy-hand")[0]["deals"] for note in deal.get("corrections", ())]
    assert {tuple(note) for note in notes} == {("seat", "trick", "answer", "instead")}
    for deal in careless_games("dummy-hand")[0]["deals"]:
        tricks = [-1 if note["trick"] is None else note["trick"] for note in deal.get("corrections", ())]
        assert tricks == sorted(tricks)
    seats = {note["seat"] for game in careless_games("dummy-hand") for d in game["deals"] for note in d["corrections"]}
    assert seats == {0, 1, 2, 3}
    json.dumps(notes)


def test_r9_corrected_bids_cost_nothing_and_cards_their_price():
    late = replace(HOUSE, max_deals=1)
    bids = [("bot", ref.fixed(99), ref.lowest), ("one", ref.fixed(1), ref.lowest), ("two", ref.fixed(2), ref.lowest)]
    deal = ref.play_game(bids, 2, 0, late, "correct")["deals"][0]
    assert deal["bids"] == [17, 1, 2]
    assert deal["corrections"] == [{"seat": 0, "trick": None, "answer": 99, "instead": 17}]
    good = ref.play_game([("bot", ref.fixed(17), ref.lowest), *bids[1:]], 2, 0, late)["deals"][0]
    assert "corrections" not in good
    assert {name: deal[name] for name in good} == good

    def renege(view):
        return view.unseen[0] if view.tricks_left == 17 else ref.lowest(view)

    bids[1] = ("one", ref.fixed(1), renege)
    reneged = ref.play_game(bids, 2, 0, late, "correct")["deals"][0]
    assert reneged["tricks"] == deal["tricks"]
    assert deal["points"][1] == 10 + deal["bags"][1]
    assert (reneged["points"][1], reneged["bags"][1]) == (-10, 0)
    assert [note["seat"] for note in reneged["corrections"]] == [0, 1]


def test_r9_faults_stop_the_game_unless_they_are_corrected():
    with pytest.raises(ValueError, match="illegal"):
        ref.play_game([CARELESS] * 3, 5, 0)


@every_preset
def test_family_strategies_are_legal_and_records_are_json(name):
    game = family_games(name)[0]
    assert json.loads(json.dumps(game)) == game
    fields = ["rules", "seed", "game", "seats", "deals", "winner", "end_reason"]
    assert [key for key in game if key != "sides"] == fields
    assert game.get("sides") == ([[0, 2], [1, 3]] if FAMILY[name].partnerships else None)
    assert ("declarer" in game["deals"][0]) == FAMILY[name].dummy
    assert ("blind" in game["deals"][0]) == (FAMILY[name].blind_nil != 0)


@whole
def test_family_bots_see_every_field():
    """Change one number or card at a time: the bid or card of some view must change with it."""
    bids, cards = [], []
    for name in ("cutthroat", "dummy-hand", "partnership-free"):
        _, of_bids, of_cards = family_views(name)
        bids += [view for view, _ in chain(*of_bids)]
        cards += [view for view, _ in chain(*of_cards)]
    check_every_field(ref.family_bid, bids, {"players"})  # which the loops over it need
    check_every_field(ref.daring, bids, {"players", "hand", "unseen"})
    check_every_field(ref.family_play, cards, {"players", "pack"})


def check_every_field(strategy, views, unread):
    for name in vars(views[0]):
        if name in unread:
            continue
        differ = Counter()
        for view in views:
            if len(getattr(view, "legal", "12")) > 1:
                for entry, other in variations(view, name):
                    differ[entry, strategy(other) != strategy(view)] += 1
        entries = {entry for entry, _ in differ}
        assert entries
        assert all(differ[entry, True] > 0 for entry in entries), (name, differ)


def variations(view, name):
    """Yield (number of an entry, view in which this entry of the field is another)."""
    value = getattr(view, name)
    for entry, new in [(0, "C" if value == "D" else "D")] if name == "led" else changes(value):
        other = ref.View(**vars(view))
        setattr(other, name, new)
        yield entry, other


def changes(value):
    """Yield (number of an entry, value of a field with this entry changed)."""
    if isinstance(value, int):
        yield 0, value + 1
    elif isinstance(value, str) or value is None:
        yield 0, "6D" if value == "5D" else "5D"
    elif isinstance(value, set):
        yield 0, value ^ {"D"}
    elif value and (isinstance(value[0], (int, set, list)) or None in value):
        for i, part in enumerate(value):
            for _, new in changes(part):
                yield i, [*value[:i], new, *value[i + 1 :]]
    else:
        yield 0, [*value, "5D"] if "5D" not in value else [card for card in value if card != "5D"]
