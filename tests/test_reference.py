"""Tests of the slow reference alone: the worked examples of the rules, and what must hold in every game."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain, permutations
from pathlib import Path

import pytest
import reference as ref

DATA = Path(__file__).parent / "data"
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


def test_r1_1_hands_that_do_not_use_up_the_pack_are_refused():
    with pytest.raises(ValueError, match="3 hands of 17 do not use up 52 cards"):
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
    # The first house example is left out: there the bags restart at zero.
    house = replace(ref.CUTTHROAT, failed_nil_bags=False)
    for example in EXAMPLES["deals_house"][1:]:
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


def test_bidders_by_hand():
    view = ref.View(hand=["AC", "AD", "KH", "2S", "3S", "AS"], random=18 * 5 + 4)
    assert (ref.quick(view), ref.spade_count(view), ref.fixed(6)(view), ref.wild_bid(view)) == (4, 3, 6, 4)
    assert ref.spade_count(ref.View(hand=["AC"])) == 1


def test_tricky_bid_by_hand():
    view = ref.View(
        hand=["TC", "JC", "AS"], bids=[-1, -1, 4], order=1, scores=[-30, 40, 7], bags=[3, 9, 2], random=5, players=3
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
