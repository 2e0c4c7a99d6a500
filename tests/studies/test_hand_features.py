"""Figures of hands, against the same figures read card by card from the hands' texts."""

from itertools import combinations, product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim import cards, features
from spadesim.errors import UsageError
from spadesim.rules import PRESETS

SUITS = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}
SIDES = ("club", "diamond", "heart")
RANKS = "23456789TJQKA"
PACKS = ("cutthroat", "pagat-jokers", "solo-6", "partnership")


# --- The slow way: a hand is a list of names ("AS", "2C", "LJ", "BJ"), and so is the pack ----------------------------


def suit_of(card):
    return "S" if card in ("LJ", "BJ") else card[1]


def rank_of(card):
    return {"LJ": 15, "BJ": 16}[card] if card in ("LJ", "BJ") else 2 + RANKS.index(card[0])


def in_suit(hand, suit):
    """List the ranks of a suit, the highest first."""
    return sorted((rank_of(card) for card in hand if suit_of(card) == suit), reverse=True)


def slow_features(hand, pack):
    held = {name: in_suit(hand, suit) for name, suit in SUITS.items()}
    out = {name: in_suit([card for card in pack if card not in hand], suit) for name, suit in SUITS.items()}
    lengths = {name: len(ranks) for name, ranks in held.items()}
    sides = [lengths[name] for name in SIDES]
    every = [rank for ranks in held.values() for rank in ranks]
    side_ranks = [rank for name in SIDES for rank in held[name]]
    found = {f"{name}s": length for name, length in lengths.items()}
    found |= {"longest_suit": max(lengths.values()), "shortest_suit": min(lengths.values())}
    found |= {"longest_side": max(sides), "shortest_side": min(sides)}
    found |= {"voids": sides.count(0), "singletons": sides.count(1), "doubletons": sides.count(2)}
    found["spade_honors"] = len([rank for rank in held["spade"] if rank >= 11])
    found["side_honors"] = len([rank for rank in side_ranks if rank >= 11])
    found |= {f"side_{what}": side_ranks.count(rank) for what, rank in (("aces", 14), ("kings", 13), ("queens", 12))}
    found["kings_without_ace"] = sum(13 in held[name] and 14 not in held[name] for name in SIDES)
    found["high_card_points"] = sum({14: 4, 13: 3, 12: 2, 11: 1}.get(rank, 0) for rank in every)
    found["top_spade"] = max(held["spade"], default=0)
    found["spade_run"] = run_from_the_top(held["spade"], out["spade"])
    found["sure_spades"] = len(held["spade"]) - most_beaten(tuple(held["spade"]), tuple(out["spade"]))
    found |= {f"lowest_{name}": min(ranks, default=0) for name, ranks in held.items()}
    found |= {f"under_{name}": out_below(held[name], out[name], 0) for name in SUITS}
    found["most_under"] = max(out_below(held[name], out[name], 0) for name in SIDES)
    found["most_under_second"] = max(out_below(held[name], out[name], 1) for name in SIDES)
    found["side_honor_tricks"] = sum(honor_tricks(held[name]) for name in SIDES)
    return found


def run_from_the_top(held, out):
    length = 0
    for rank in sorted(held + out, reverse=True):
        if rank not in held:
            break
        length += 1
    return length


def most_beaten(held, out):
    """Match held spades with higher ones out, as many as can be: by augmenting paths, one card at a time."""
    matched = {}

    def place(card, tried):
        for other in out:
            if other > card and other not in tried:
                tried.add(other)
                if other not in matched or place(matched[other], tried):
                    matched[other] = card
                    return True
        return False

    return sum(place(card, set()) for card in held)


def out_below(held, out, nth):
    """Count the cards out below the lowest (0) or second lowest (1) held."""
    return len([rank for rank in out if rank < sorted(held)[nth]]) if len(held) > nth else 0


def honor_tricks(ranks):
    if 14 in ranks:
        return 2 if 13 in ranks else 1.5 if 12 in ranks else 1
    if 13 in ranks:
        return 1 if 12 in ranks else 0.5 if len(ranks) > 1 else 0
    return 0


# --- Both ways agree -------------------------------------------------------------------------------------------------


@st.composite
def dealt_hands(draw):
    """Draw a pack, and some hands of it, of the size that is dealt."""
    rules = PRESETS[draw(st.sampled_from(PACKS))]
    pack = cards.names(rules.deck)
    hands = draw(st.lists(st.permutations(pack), min_size=1, max_size=8))
    return rules, pack, [hand[: rules.cards_each] for hand in hands]


@given(dealt_hands())
def test_features_are_those_read_card_by_card(drawn):
    rules, pack, hands = drawn
    frame = features(pd.DataFrame({"hand": [cards.parse(" ".join(hand)) for hand in hands]}), rules)
    for row, hand in zip(frame.drop(columns="hand").to_dict("records"), hands, strict=True):
        assert row == slow_features(hand, pack)


def test_rows_and_columns_of_the_log_stay():
    frame = pd.DataFrame(
        {"bid": [4, 0, 1], "hand": [cards.parse(hand) for hand in ("AS", "2D 3D", "")]}, index=[7, 5, 3]
    )
    with_features = features(frame)
    pd.testing.assert_frame_equal(with_features[["bid", "hand"]], frame)
    assert with_features["spades"].tolist() == [1, 0, 0]
    added = with_features.dtypes.drop(["bid", "hand"])
    assert set(map(str, added.drop("side_honor_tricks"))) == {"int8"}
    assert list(features(frame.iloc[:0])) == list(with_features)


def test_hand_that_the_rules_do_not_deal_is_refused():
    frame = pd.DataFrame({"hand": [cards.parse("AS"), cards.parse("2C LJ")]})
    with pytest.raises(UsageError, match="a hand holds LJ 2C, which is not in the pack; name the rules"):
        features(frame)
    with pytest.raises(UsageError, match="a hand is -1; expected masks of cards, 0 or more"):
        features(pd.DataFrame({"hand": [5, -1]}))
    with pytest.raises(UsageError, match="no column hand of whole numbers"):
        features(pd.DataFrame({"hand": ["AS KS"]}))


SURE = {"KS QS": 1, "QS JS TS": 1, "AS QS": 1, "AS KS JS TS 9S": 4, "5S 4S 3S 2S": 0}


def test_sure_spades_of_examples():
    frame = features(pd.DataFrame({"hand": [cards.parse(hand) for hand in SURE]}))
    assert frame["sure_spades"].tolist() == list(SURE.values())


# --- Sure spades are a promise, and the best one ---------------------------------------------------------------------

LOW = 0  # of a side suit: follows nothing and beats nothing


def fewest_tricks(hands, leader):
    """Return the fewest tricks that hand 0 can win with spades, however all three play.

    Cards are ranks of spades, or LOW, of another suit. The lead may be any card, and whoever can follows spades. Cards
    of other suits never win against a spade; a trick without spades goes to its leader.
    """
    if not hands[0]:
        return 0
    fewest = len(hands[0])
    order = [(leader + i) % 3 for i in range(3)]
    for trick in product(*(sorted(set(hands[seat])) for seat in order)):
        led, followers = trick[0], list(zip(order, trick, strict=True))[1:]
        if led != LOW and any(card == LOW and max(hands[seat]) != LOW for seat, card in followers):
            continue  # does not follow
        best = max(trick)
        winner = order[trick.index(best)]
        left = list(hands)
        for seat, card in zip(order, trick, strict=True):
            rest = list(left[seat])
            rest.remove(card)
            left[seat] = tuple(rest)
        fewest = min(fewest, int(winner == 0 and best != LOW) + fewest_tricks(tuple(left), winner))
    return fewest


def divisions(out, size):
    """Return all ways to divide spades among two hands of a size, filled up with low cards."""
    for number in range(len(out) + 1):
        for one in combinations(out, number):
            other = tuple(rank for rank in out if rank not in one)
            if max(len(one), len(other)) <= size:
                yield tuple(hand + (LOW,) * (size - len(hand)) for hand in (one, other))


@pytest.mark.parametrize("number_in_pack", [4, 5, 6])
def test_sure_spades_are_the_fewest_that_any_play_of_any_deal_gives(number_in_pack):
    size, spades = 3, tuple(range(2, 2 + number_in_pack))
    for number in range(1, size + 1):
        for held in combinations(spades, number):
            out = tuple(rank for rank in spades if rank not in held)
            mine = held + (LOW,) * (size - number)
            deals = [(mine, *others) for others in divisions(out, size)]
            fewest = min(fewest_tricks(deal, leader) for deal in deals for leader in range(3))
            assert fewest == number - most_beaten(held, out), held
