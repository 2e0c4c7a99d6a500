"""Search: endings against a brute force from the rules, worlds against what is seen, rollouts against the reference.

The brute force below knows cards as (suit, rank) and nothing of the engine; the reference plays the same worlds on.
"""

import copy
import itertools
import os
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import reference as ref
from against_reference import BOTS_FILE, twin_rules, view_by_hand
from answer_checks import check_answers
from scipy.stats import chisquare
from whole_proof import whole, whole_but

from spadesim import BotFault, cards, league, play_game, testing
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import play_games
from spadesim.engine.game.lanes import as_records, lanes_dtype
from spadesim.engine.search.endings import max_n, paranoid, steps_for
from spadesim.engine.search.worlds import imagine, new_worlds
from spadesim.errors import StrategyError
from spadesim.rules import read_rules
from spadesim.search import (
    make_bid_evaluator,
    make_card_evaluator,
    make_ending_evaluator,
    observe_bidding,
    observe_play,
)

SEED = 77
SUITS = "CDHS"

# --- A brute force of endings ----------------------------------------------------------------------------------------


def takes_over(card, best):
    return card[1] > best[1] if card[0] == best[0] else card[0] == "S"


def may_play(hand, trick, broken):
    """List the legal cards of a hand, lowest first; `trick` has (seat, card)."""
    if trick:
        chosen = [card for card in hand if card[0] == trick[0][1][0]]
    else:
        chosen = [card for card in hand if card[0] != "S" or broken]
    return sorted(chosen or hand, key=lambda card: (SUITS.index(card[0]), card[1]))


def winner_of(trick):
    best = trick[0]
    for seat, card in trick[1:]:
        best = (seat, card) if takes_over(card, best[1]) else best
    return best[0]


def breaks(trick, led_too):
    return any(card[0] == "S" for _, card in trick) and (led_too or trick[0][1][0] != "S")


def after(hands, trick, broken, seat, card, led_too):
    """Lay a card: the hands, the trick, whether spades are broken, who is next, and who won a trick that is full."""
    hands = [[other for other in hand if other != card] if s == seat else hand for s, hand in enumerate(hands)]
    trick = [*trick, (seat, card)]
    if len(trick) < len(hands):
        return hands, trick, broken, (seat + 1) % len(hands), None
    winner = winner_of(trick)
    return hands, [], broken or breaks(trick, led_too), winner, winner


def everyone_for_itself(hands, trick, broken, seat, took, payoff, led_too):
    """Return who takes how many tricks; `payoff` gives by seat what that is worth."""
    if not any(hands) and not trick:
        return took
    found = []
    for card in may_play(hands[seat], trick, broken):
        then = after(hands, trick, broken, seat, card, led_too)
        got = tuple(n + (s == then[4]) for s, n in enumerate(took))
        end = everyone_for_itself(*then[:4], got, payoff, led_too)
        worth = payoff(end)
        found.append((-worth[seat], max(worth[:seat] + worth[seat + 1 :]), len(found), end))
    return min(found)[3]  # the best for itself; the best of the others worst off; the lowest card


def all_against_one(hands, trick, broken, seat, me, depth, led_too):
    """Count the tricks that seat `me` takes of the next `depth`, when the others play to keep them down."""
    if depth == 0 or (not any(hands) and not trick):
        return 0
    values = []
    for card in may_play(hands[seat], trick, broken):
        *then, winner = after(hands, trick, broken, seat, card, led_too)
        values.append((winner == me) + all_against_one(*then, me, depth - (winner is not None), led_too))
    return max(values) if seat == me else min(values)


def random_ending(rng, n_hands, n_cards):
    """Draw an ending of few suits, so that cards meet: hands, the cards on the table, broken, who is next, led_too."""
    suits = rng.choice(["CDHS", "CHS", "DS", "HS"])
    pack = [(suit, rank) for suit in suits for rank in rng.permutation(13)[: 12 if len(suits) < 3 else 7].tolist()]
    order = rng.permutation(len(pack))
    hands = [[pack[i] for i in order[s * n_cards : (s + 1) * n_cards]] for s in range(n_hands)]
    broken, led_too, seat = bool(rng.integers(3) > 0), bool(rng.integers(2)), int(rng.integers(n_hands))
    trick = []
    for _ in range(rng.integers(n_hands)):
        choice = may_play(hands[seat], trick, broken)
        card = choice[rng.integers(len(choice))]
        hands, trick, broken, seat, _ = after(hands, trick, broken, seat, card, led_too)
    return hands, trick, broken, seat, led_too


def mask(some):
    return sum(1 << 16 * SUITS.index(suit) + rank for suit, rank in some)


def for_engine(hands, trick, broken, seat):
    """Write an ending down as `max_n` takes it."""
    held = np.array([mask(hand) for hand in hands], np.int64)
    if not trick:
        return held, seat, seat, 0, 0, 0, 0, cards.SPADES * broken
    lying = [card for _, card in trick]
    winner = winner_of(trick)
    best = dict(trick)[winner]
    beats = mask(card for card in itertools.product(SUITS, range(13)) if takes_over(card, best))
    led = cards.SUITS[SUITS.index(lying[0][0])]
    return held, trick[0][0], winner, len(trick), led, mask(lying), beats, cards.SPADES * broken


ENDINGS = [(3, 3, 2000), (3, 2, 200), (4, 3, 120), (4, 2, 300), (2, 4, 200)]  # hands, cards, how many


def endings(part=1):
    """Draw endings, or one part in so many of them."""
    rng = np.random.default_rng(SEED)
    for n_hands, n_cards, times in ENDINGS:
        for _ in range(times // part):
            yield rng, n_cards, random_ending(rng, n_hands, n_cards)


@pytest.mark.many_games
@pytest.mark.parametrize(
    ("paid", "part"),
    whole_but([("tricks", 1), ("with ties", 1), ("by side", 1), ("with ties", 20)], ("with ties", 20), several=True),
)
def test_max_n_is_the_brute_force(paid, part):
    seen = Counter()
    for rng, left, (hands, trick, broken, seat, led_too) in endings(part):
        steps = steps_for(len(hands), left)
        falls = list(itertools.product(range(left + 1), repeat=len(hands)))
        table = np.zeros((len(hands), (left + 1) ** len(hands)))
        for fall in falls:
            by_side = [fall[s] + (fall[(s + 2) % 4] if len(hands) == 4 else 0) for s in range(len(hands))]
            worth = fall if paid == "tricks" else by_side if paid == "by side" else rng.integers(-3, 3, len(hands))
            table[:, np.dot(fall, steps)] = worth
        expected = everyone_for_itself(
            hands, trick, broken, seat, (0,) * len(hands),
            lambda end, table=table, steps=steps: tuple(table[:, np.dot(end, steps)].tolist()), led_too,
        )  # fmt: skip
        state = for_engine(hands, trick, broken, seat)
        held = state[0].copy()
        end = max_n(*state, cards.SPADES * led_too, left, 0, steps, table)
        assert end == np.dot(expected, steps), (hands, trick, broken, seat, led_too)
        assert (state[0] == held).all()
        assert sum(expected) == left
        assert paid != "tricks" or table[:, end].sum() == left
        seen[len(trick) > 0, broken, led_too] += 1
    assert len(seen) == 8


@whole
@pytest.mark.many_games
def test_paranoid_is_the_brute_force_and_rises_by_a_trick_at_most():
    sure_of = Counter()
    for _, left, (hands, trick, broken, seat, led_too) in endings():
        state = for_engine(hands, trick, broken, seat)
        for me in range(len(hands)):
            by_depth = [0]
            for depth in range(1, left + 1):
                expected = all_against_one(hands, trick, broken, seat, me, depth, led_too)
                assert paranoid(*state, cards.SPADES * led_too, depth, me) == expected
                by_depth.append(expected)
            assert set(np.diff(by_depth)) <= {0, 1}
            assert paranoid(*state, cards.SPADES * led_too, left + 1, me) == by_depth[-1]
            sure_of[by_depth[-1]] += 1
    assert {0, 1, 2, 3} <= sure_of.keys()


# --- Worlds ----------------------------------------------------------------------------------------------------------


def worlds_of(view, n, seed=0, by_bids=False, bidding=False):
    """Deal the worlds of a view as rollouts do: shape (hands, n), by seats counted from oneself."""
    looked = observe_bidding(view) if bidding else observe_play(view)
    hands, me = view.players, int(looked[0]["me"])
    memory = as_records(np.zeros(1, lanes_dtype(hands)))
    worlds, chosen = new_worlds(hands, n, by_bids)
    imagine(memory[0], view.rules.record, looked[0], worlds, chosen, seed, by_bids)
    return np.roll(worlds[:, chosen], -me, 0)


WORLDS_BY = ["cutthroat", "partnership", "dummy-hand", "solo-4", "solo-6", "duel", "pagat"]
VOIDS_KEPT = {"cutthroat", "dummy-hand"}  # two hands to deal to; where there are more, a layout at times breaks a void


@pytest.mark.many_games
@pytest.mark.parametrize("by_bids", [False, True])
@pytest.mark.parametrize("name", whole_but(WORLDS_BY, "cutthroat"))
def test_worlds_agree_with_what_is_seen(name, by_bids):
    rules = read_rules(name)
    n, broke_voids = 60, []
    for number, (kind, deal, hand) in enumerate(walk(twin_rules(rules), [ref.random_legal], 2)):
        if number % 3 != 0 and rules.hands > 3:
            continue
        view, bidding = seen_at(kind, deal, hand, rules), kind == "bid"
        worlds = worlds_of(view, n, 3, by_bids, bidding)
        together = np.zeros(n, np.int64)
        for i, held in enumerate(worlds):
            shown = view.hand if i == 0 else 0 if bidding else view.open[i]
            if shown:
                assert (held == shown).all()
                continue
            assert (held & ~view.unseen == 0).all()
            assert (together & held == 0).all()
            together |= held
            left = rules.cards_each if bidding else view.tricks_left - (view.cards[i] != 0)
            assert (cards.count(held) == left).all()
            broke_voids.append((held & (0 if bidding else view.voids[i]) != 0).mean())
        # what no hand holds is set aside
        assert (cards.count(view.unseen & ~together) == rules.set_aside).all()
    assert len(broke_voids) > 50
    assert np.mean(broke_voids) == 0 if name in VOIDS_KEPT else np.mean(broke_voids) < 0.02


ENDING = {"hand": "9S 5H 4D", "bids": (5, 5, 5), "taken": (4, 5, 5)}
UNSEEN = "2S 3S 6H 7H 8D 9D"


def ending_view(unseen=UNSEEN, **given):
    """Make the view of an ending in which just these cards are out."""
    held = cards.parse(" ".join([given.get("hand", ENDING["hand"]), given.get("trick", "")]))
    gone = cards.PACK & ~cards.parse("2C") & ~held & ~cards.parse(unseen)
    return testing.view(**ENDING | {"shown": [cards.show(gone), "", ""]} | given)


def layouts(view):
    """List all hands of the left that agree with what is seen."""
    out = cards.cards_of(view.unseen)
    n_left = view.tricks_left - (view.cards[1] != 0)
    found = []
    for chosen in itertools.combinations(out, n_left):
        left = sum(chosen)
        if left & view.voids[1] == 0 and (view.unseen & ~left) & view.voids[2] == 0:
            found.append(left)
    return found


@pytest.mark.many_games
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 20),
        ({"voids": ["", "D", ""]}, 4),
        ({"voids": ["", "", "S"]}, 4),
        ({"voids": ["", "D", "H"]}, 2),
        ({"unseen": "2S 3S 6H 7H 9D", "trick": "QD"}, 10),
        ({"unseen": "2S 3S 6H 9D", "trick": "QD JD"}, 6),
        ({"unseen": "2S 3S 6H 7H", "trick": "QD JD", "voids": ["", "H", ""]}, 1),
    ],
)
def test_worlds_of_three_are_uniform(given, expected):
    view = ending_view(**given)
    possible = layouts(view)
    assert len(possible) == expected
    n = 6_000
    counted = Counter(worlds_of(view, n)[1].tolist())
    assert counted.keys() == set(possible)
    assert chisquare([counted[left] for left in possible]).pvalue > 1e-4 or expected == 1


@pytest.mark.many_games
def test_worlds_change_with_seed_and_decision_and_with_nothing_else():
    view, later = ending_view(random=5), ending_view(random=6)
    first = worlds_of(view, 40, 1)
    assert (worlds_of(view, 40, 1) == first).all()
    assert (worlds_of(view, 300, 1)[:, :40] == first).all()
    assert (worlds_of(view, 40, 2) != first).any()
    assert (worlds_of(later, 40, 1) != first).any()


@pytest.mark.many_games
def test_worlds_by_bids_prefer_hands_that_fit():
    hand = "9S 5H 4D 3C 4C 5C 6C 7C 8C 9C TC JC 2D 3D 5D 6D 7D"
    view = testing.view(hand=hand, bids=(-1, 9, 1), order=2)
    spades = [
        cards.count(worlds_of(view, 400, 0, by_bids, bidding=True)[1] & (cards.SPADES | cards.ACES)).mean()
        for by_bids in (False, True)
    ]
    assert spades[1] > spades[0] + 1
    alike = testing.view(hand=hand, bids=(-1, 4, 4), order=2)
    left, right = (
        cards.count(worlds_of(alike, 2_000, 0, True, True)[i] & (cards.SPADES | cards.ACES)).mean() for i in (1, 2)
    )
    assert abs(left - right) < 0.3


# --- Rollouts --------------------------------------------------------------------------------------------------------

STRENGTHS = np.random.default_rng(5).uniform(0.2, 2.0, (10, 60))  # by tenths of the bag limit and by five points to go
ROLLED_BY = ["cutthroat", "partnership", "dummy-hand", "solo-4:bid_total_not=cards_each", "pagat:max_deals=40"]
ROLLED_BY += ["cutthroat:target=60:bag_limit=3"]
if os.environ.get("SPADESIM_TEST_DEALS"):  # another number of hands, and so half a minute of compiling
    ROLLED_BY += ["duel"]
N_WORLDS = 3


def quick(view):
    """Bid as `quick`, the nearest that may be bid."""
    legal = [bid for bid in range(view.bid_low, view.bid_high + 1) if bid != view.bid_not]
    return ref.nearest_bid(ref.quick(view), legal)


def some_bid(view):
    """Bid as `quick`, or at times anything, nil as often as not."""
    return quick(view) if view.random % 3 else ref.legal_bid(view, view.random // 3 % 2 * (view.random // 7))


def walk(rules, players, n_deals, stream=0, bidder=some_bid):
    """Play deals in the reference; before each answer yield (kind, a copy of the deal, hand)."""
    for number in range(n_deals):
        dealer = (ref.first_dealer(SEED, stream, rules) + number) % rules.players
        scores, bags = [95, 40, 120, -30, 60, 10][: rules.players], [2, 9, 5, 0, 7, 1][: rules.players]
        if rules.partnerships:
            scores, bags = scores[:2] * 2, bags[:2] * 2
        scores = [min(score, rules.target - 5) for score in scores]
        bags = [min(bag, (rules.bag_limit or 99) - 1) for bag in bags]
        key, hands = ref.deal_key(SEED, stream, number), ref.deal_hands(SEED, stream, number, rules)
        deal = ref.Deal(rules, key, dealer, hands, scores, bags)
        for seat in deal.bidding_order:
            yield "bid", copy.deepcopy(deal), seat
            ref.take_bid(deal, seat, ("", bidder, None))
        ref.open_play(deal)
        for trick in range(rules.cards_each):
            for hand in deal.clockwise_from(deal.leader):
                yield "play", copy.deepcopy(deal), hand
                ref.take_card(deal, hand, players[trick % len(players)])
            ref.play_trick(deal, [])  # full already


def seen_at(kind, deal, hand, rules):
    if kind == "play":
        return view_by_hand(ref.play_view(deal, hand), rules)
    more = {"dummy": ref.DUMMY - hand} if rules.dummy else {}
    return view_by_hand(ref.bid_view(deal, hand), rules, **more)


def in_world(deal, hand, world):
    """Copy a deal, with the hands of a world."""
    deal = copy.deepcopy(deal)
    for other, held in zip(deal.clockwise_from(hand), world.tolist(), strict=True):
        deal.hands[other] = cards.names(held)
    return deal


def played_on(deal, player):
    """Play a deal to its end; return (scores, bags) by bot."""
    bots = [("", None, player)] * deal.rules.players
    tricks = [ref.play_trick(deal, bots) for _ in range(deal.rules.cards_each - sum(deal.taken))]
    results = ref.score_all(deal, tricks)
    n_bots = 2 if deal.rules.partnerships else deal.rules.players
    scores = [before + result[0] for before, result in zip(deal.scores, results, strict=True)]
    return scores[:n_bots], [result[2] for result in results][:n_bots]


def chance(deal, hand, scores, bags):
    """Return how likely the bot that plays a hand wins the game, by STRENGTHS."""
    mine = deal.seat_of(hand) % len(scores)
    winner, _ = ref.judge_totals(scores, False, deal.rules, 1)
    if winner is not None:
        return float(winner == mine)
    limit = deal.rules.bag_limit
    strengths = [
        STRENGTHS[
            min(10 * bag // limit, 9) if limit else 0,
            min(max((deal.rules.target - score) // 5, 0), STRENGTHS.shape[1] - 1),
        ]
        for score, bag in zip(scores, bags, strict=True)
    ]
    return strengths[mine] / sum(strengths)


@cache
def values_by(what, *names):
    """Make the functions that value answers, once for all tests."""
    found = find_strategies([BOTS_FILE])
    if what == "cards":
        return make_card_evaluator(found.player[names[0]].function, STRENGTHS)
    if what == "bids":
        return make_bid_evaluator(found.bidder[names[0]].function, found.player[names[1]].function, STRENGTHS)
    return make_ending_evaluator(STRENGTHS)


@whole
@pytest.mark.many_games
@pytest.mark.parametrize("by_bids", [False, True])
@pytest.mark.parametrize("name", ROLLED_BY)
def test_cards_are_worth_what_the_reference_makes_of_the_same_worlds(name, by_bids):
    rules = read_rules(name)
    value, compared, differ = values_by("cards", "tricky_play"), 0, 0
    for number, (kind, deal, hand) in enumerate(walk(twin_rules(rules), [ref.random_legal], 2, stream=1)):
        if kind == "bid" or number % 7 > 1:
            continue
        view = seen_at(kind, deal, hand, rules)
        answers, values = value(view, N_WORLDS, 4, by_bids)
        assert answers.tolist() == differing(deal, hand, view)
        if len(answers) == 1:
            continue
        worlds = worlds_of(view, N_WORLDS, 4, by_bids)
        for card, worth in zip(answers.tolist(), values.tolist(), strict=True):
            chances = []
            for world in worlds.T:
                there = in_world(deal, hand, world)
                ref.take_card(there, hand, lambda _, card=card: cards.names(card)[0])
                chances.append(chance(there, hand, *played_on(there, ref.tricky_play)))
            assert worth == pytest.approx(np.mean(chances), abs=1e-9), (name, number, cards.show(card))
        compared += 1
        differ += len(set(values.tolist())) > 1
    assert compared > 10
    assert differ > compared // 3


def differing(deal, hand, view):
    """List the legal cards but for those with nothing but own cards between them and a lower one of the suit."""
    pack = deal.rules.pack
    mine, out = set(deal.hands[hand]), set(pack) - set(deal.played) | set(deal.trick)
    kept, before = [], None
    for card in pack:
        if card in out:
            legal = card in mine and card in cards.names(view.legal)
            if legal and not (before and before[1] and ref.suit_of(before[0]) == ref.suit_of(card)):
                kept.append(cards.parse(card))
            before = (card, legal)
    return kept


@pytest.mark.many_games
@pytest.mark.parametrize("name", whole_but(ROLLED_BY, "cutthroat"))
def test_bids_are_worth_what_the_reference_makes_of_the_same_worlds(name):
    rules = read_rules(name)
    value, compared = values_by("bids", "quick", "need_or_duck"), set()
    for kind, deal, seat in walk(twin_rules(rules), [ref.lowest], 2, stream=2):
        if kind == "play":
            continue
        view = seen_at(kind, deal, seat, rules)
        bids, values = value(view, N_WORLDS, 4, False, 2, 5, True)
        wanted = ([0] if rules.min_bid == 0 else []) + [2, 3, 4, 5]
        assert bids.tolist() == [bid for bid in wanted if bid != view.bid_not]
        worlds = worlds_of(view, N_WORLDS, 4, False, bidding=True)
        for bid, worth in zip(bids.tolist(), values.tolist(), strict=True):
            chances = []
            for world in worlds.T:
                there = in_world(deal, seat, world)
                ref.take_bid(there, seat, ("", lambda _, bid=bid: bid, None))
                for later in there.bidding_order[there.bidding_order.index(seat) + 1 :]:
                    ref.take_bid(there, later, ("", quick, None))
                ref.open_play(there)
                chances.append(chance(there, seat, *played_on(there, ref.need_or_duck)))
            assert worth == pytest.approx(np.mean(chances), abs=1e-9), (name, bid, deal.bids)
        compared.add(view.order)
    assert compared == set(range(rules.players))


@whole
@pytest.mark.many_games
@pytest.mark.parametrize("name", ["cutthroat", "partnership", "dummy-hand", "solo-4"])
def test_cards_of_endings_are_worth_what_the_brute_force_finds(name):
    rules = read_rules(name)
    value, compared = values_by("endings"), 0
    for kind, deal, hand in walk(twin_rules(rules), [ref.random_legal], 9, stream=3):
        if kind == "bid" or sum(deal.taken) < rules.cards_each - 3:
            continue
        view = seen_at(kind, deal, hand, rules)
        answers, values = value(view, N_WORLDS, 4, False)
        if len(answers) == 1:
            continue
        from_me = deal.clockwise_from(hand)
        payoff = payoffs(deal, from_me)
        leader = from_me.index(deal.leader)
        trick = [((leader + i) % len(from_me), as_pair(card)) for i, card in enumerate(deal.trick)]
        led_too = rules.spades_break == "played"
        for card, worth in zip(answers.tolist(), values.tolist(), strict=True):
            found = []
            for world in worlds_of(view, N_WORLDS, 4).T:
                hands = [[as_pair(card) for card in cards.names(held)] for held in world.tolist()]
                # spades are broken for the next lead only when the trick is full, which `after` sees to
                *then, winner = after(hands, trick, deal.broken, 0, as_pair(cards.names(card)[0]), led_too)
                took = tuple(int(s == winner) for s in range(len(hands)))
                found.append(payoff(everyone_for_itself(*then, took, payoff, led_too))[0])
            assert worth == pytest.approx(np.mean(found), abs=1e-9), (name, deal.hands, deal.trick)
        compared += 1
    assert compared > 20


def as_pair(card):
    return card[1], "23456789TJQKA".index(card[0])


def payoffs(deal, from_me):
    """Return the chances of all seats by how the tricks left fall."""

    @cache
    def of(took):
        there = copy.deepcopy(deal)
        for hand, tricks in zip(from_me, took, strict=True):
            there.taken[hand] += tricks
        results = ref.score_all(there, [{"winner": 0, "cards": ["3C", "4C", "5C"]}])
        n_bots = 2 if deal.rules.partnerships else deal.rules.players
        scores = [before + result[0] for before, result in zip(deal.scores, results, strict=True)][:n_bots]
        bags = [result[2] for result in results][:n_bots]
        return tuple(chance(there, hand, scores, bags) for hand in from_me)

    return of


# --- Searching strategies in games -----------------------------------------------------------------------------------

SEARCHERS = ["quick+monte_carlo:worlds=3", "rollout_bidder:worlds=3+lowest", "quick+pimc:worlds=2"]
ONE_DEAL = "cutthroat:max_deals=1"


def texts(result):
    return {name: table.to_csv() for name, table in result.tables.items()}


@whole
@pytest.mark.many_games
def test_searchers_play_the_same_whoever_else_plays_and_however():
    usual = league(SEARCHERS, games=12, seed=SEED, rules=ONE_DEAL)
    assert texts(league(SEARCHERS, games=12, seed=SEED, rules=ONE_DEAL, workers=2)) == texts(usual)
    assert texts(league(SEARCHERS, games=12, seed=SEED, rules=ONE_DEAL, interpreted=True)) == texts(usual)
    bots = find_strategies().field(SEARCHERS)
    together = list(play_games(bots, replace(read_rules("cutthroat"), max_deals=1), SEED, 0, 12))
    alone = [play_game(SEARCHERS, seed=SEED, game=game, rules=ONE_DEAL) for game in range(12)]
    assert [game["deals"] for game in together] == [game["deals"] for game in alone]


ASKED = ["rollout_bidder:worlds=2+lowest", "spade_count+monte_carlo:worlds=2", "spade_count+pimc:worlds=2"]


@whole
@pytest.mark.many_games
@pytest.mark.parametrize(("bot", "rules"), [*((bot, "cutthroat") for bot in ASKED), (ASKED[0], "pagat-jokers")])
def test_answers_are_legal_repeatable_and_blind_to_the_others_cards(bot, rules):
    check_answers(bot, rules)


def test_every_strategy_that_searches_is_asked():
    built_in = find_strategies()
    strategies = [*built_in.bidder.values(), *built_in.player.values()]
    searching = {strategy.name for strategy in strategies if "worlds" in strategy.parameters}
    assert searching == {part.partition(":")[0] for bot in ASKED for part in bot.split("+") if ":worlds=" in part}


@whole
@pytest.mark.many_games
def test_another_seed_of_a_searcher_gives_other_worlds():
    records = []
    for seed in (0, 1):
        bots = [f"quick+monte_carlo:worlds=2:seed={seed}", "quick+lowest", "quick+highest"]
        records.append([play_game(bots, seed=SEED, game=game, rules=ONE_DEAL)["deals"] for game in range(6)])
    assert [deal["hands"] for game in records[0] for deal in game] == [deal["hands"] for g in records[1] for deal in g]
    assert records[0] != records[1]


@pytest.mark.many_games
def test_what_is_seen_has_no_other_cards():
    # Beside its own the record of what a seat sees holds only cards that all can see.
    for kind, deal, hand in walk(twin_rules(read_rules("cutthroat")), [ref.random_legal], 1):
        if kind == "play":
            looked = observe_play(seen_at(kind, deal, hand, read_rules("cutthroat")))
            assert [cards.names(held) for held in looked[0]["open"].tolist()] == [deal.hands[hand], [], []]


@whole
@pytest.mark.many_games
@pytest.mark.parametrize(
    ("bot", "expected"),
    [
        ("quick+monte_carlo:worlds=0", "expected 1 to 1,000,000 of them"),
        ("quick+pimc:worlds=-1", "expected 1 to 1,000,000 of them"),
        ("rollout_bidder:worlds=1000000000+lowest", "expected 1 to 1,000,000 of them"),
        ("quick+pimc:worlds=2:exact=17", "expected at most 5"),
        ("rollout_bidder:worlds=2:around=-1:nil=false+lowest", "no bid to value"),
    ],
)
def test_a_search_of_nothing_or_too_much_is_a_fault_that_says_so(bot, expected):
    with pytest.raises(BotFault, match=expected):
        league([bot, "quick+lowest", "quick+lowest"], games=6, seed=SEED, rules=ONE_DEAL)


@pytest.mark.parametrize(
    "chances",
    [np.ones((0, 3)), np.ones(5), np.full((10, 40), np.nan), -np.ones((10, 40)), np.ones((2, 2), int), [[1.0]]],
)
def test_chances_that_are_none_are_refused(chances):
    with pytest.raises(StrategyError, match="expected"):
        make_ending_evaluator(chances)
