"""The card helpers against sets of card names: on ints, on arrays, and compiled."""

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numba import njit

from spadesim import cards
from spadesim.engine.compile import operations  # noqa: F401  (makes the helpers compile)

NAMES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]  # lowest first
LITTLE_JOKER, BIG_JOKER = 1 << 61, 1 << 62

hands = st.sets(st.sampled_from(NAMES)).map(lambda hand: sorted(hand, key=NAMES.index))
masks = st.integers(0, 2**63 - 1).map(lambda mask: mask & (cards.PACK | LITTLE_JOKER | BIG_JOKER))
EDGES = [0, 1, cards.PACK, LITTLE_JOKER, BIG_JOKER, LITTLE_JOKER | BIG_JOKER, cards.SPADES, cards.CLUBS]


def mask_of(names):
    """Place the cards by hand: 16 operations a suit, clubs lowest."""
    return sum(1 << 16 * "CDHS".index(name[1]) + "23456789TJQKA".index(name[0]) for name in names)


def in_suit(mask, suit):
    return mask & cards.SUITS["CDHS".index(suit)]


# --- Names -----------------------------------------------------------------------------------------------------------


def test_constants_hold_the_cards_that_they_name():
    assert cards.names(cards.PACK) == NAMES
    assert mask_of(NAMES) == cards.PACK
    for suit, mask in zip("CDHS", cards.SUITS, strict=True):
        assert cards.names(mask & cards.PACK) == [name for name in NAMES if name[1] == suit]
    ranks = {"2": cards.TWOS, "T": cards.TENS, "J": cards.JACKS, "Q": cards.QUEENS, "K": cards.KINGS, "A": cards.ACES}
    for rank, mask in ranks.items():
        assert cards.names(mask) == [name for name in NAMES if name[0] == rank]
    assert cards.SIDE_SUITS == cards.CLUBS | cards.DIAMONDS | cards.HEARTS


@given(hands)
def test_parse_reads_what_names_writes(hand):
    assert cards.parse(" ".join(hand)) == mask_of(hand)
    assert cards.names(mask_of(hand)) == hand


@given(hands)
def test_show_sorts_spades_first_and_high_cards_first(hand):
    assert cards.show(mask_of(hand)).split() == hand[::-1]


@pytest.mark.parametrize("text", ["AS TH 2C", "as th 2c", "A♠ 10♥ 2♣", "AS,10h, 2c", "  AS\n10H\t2C "])
def test_parse_takes_symbols_tens_commas_and_either_case(text):
    assert cards.parse(text) == mask_of(["2C", "TH", "AS"])


@pytest.mark.parametrize("word", ["1S", "A", "AX", "SA", "ASS", "11H", "♠", "0"])
def test_parse_refuses_a_word_that_is_no_card(word):
    expected = r"; expected a rank \(2-9 T J Q K A\) and a suit \(C D H S\), as in 'TH'"
    with pytest.raises(ValueError, match=f"^no card {word!r}{expected}$"):
        cards.parse(f"KH {word}")


def test_parse_refuses_a_card_named_twice():
    with pytest.raises(ValueError, match=r"^the card '10h' is named twice; expected each card once$"):
        cards.parse("TH AS 10h")


def test_parse_of_nothing_is_no_card():
    assert cards.parse("") == cards.parse(" , ") == 0


def test_jokers_rank_above_the_ace_of_spades():
    assert cards.names(LITTLE_JOKER | BIG_JOKER | mask_of(["AS"])) == ["AS", "LJ", "BJ"]


# --- Helpers on ints -------------------------------------------------------------------------------------------------


@given(hands)
@example([])
def test_count_lowest_and_highest(hand):
    mask = mask_of(hand)
    assert cards.count(mask) == len(hand)
    assert cards.names(cards.lowest(mask)) == hand[:1]
    assert cards.names(cards.highest(mask)) == hand[-1:]
    assert [cards.names(card) for card in cards.cards_of(mask)] == [[name] for name in hand]


@given(hands, st.integers(0, 53))
def test_nth_counts_from_the_lowest(hand, index):
    assert cards.names(cards.nth(mask_of(hand), index)) == hand[index : index + 1]


@given(st.sampled_from(NAMES))
def test_above_and_below_stay_in_the_suit(name):
    suit = [other for other in NAMES if other[1] == name[1]]
    card, place = mask_of([name]), suit.index(name)
    assert cards.names(cards.below(card)) == suit[:place]
    assert cards.names(cards.above(card) & cards.PACK) == suit[place + 1 :]


@given(hands)
def test_suit_of_several_cards_is_all_their_suits(hand):
    whole = cards.suit_of(mask_of(hand))
    for suit in "CDHS":
        assert in_suit(whole, suit) == (in_suit(-1, suit) if any(name[1] == suit for name in hand) else 0)


def test_no_card_gives_no_card():
    helpers = (cards.count, cards.lowest, cards.highest, cards.suit_of, cards.above, cards.below)
    assert [helper(0) for helper in helpers] == [0] * 6
    assert cards.nth(0, 0) == 0


def test_jokers_are_spades_above_the_ace():
    ace = mask_of(["AS"])
    assert cards.suit_of(LITTLE_JOKER) == cards.suit_of(BIG_JOKER) == cards.SPADES
    assert cards.above(ace) == LITTLE_JOKER | BIG_JOKER
    assert cards.above(BIG_JOKER) == 0
    assert cards.below(BIG_JOKER) == cards.SPADES & ~BIG_JOKER
    assert cards.highest(ace | LITTLE_JOKER | BIG_JOKER) == BIG_JOKER


few_numbers = st.lists(st.integers(-(2**40), 2**40), min_size=2, max_size=6).map(tuple)


@given(few_numbers)
@example((0, 0))
def test_total_adds_up(values):
    assert cards.total(values) == sum(values)


@given(few_numbers, st.integers(-2, 7))
@example((5, 6), -1)
def test_at_reads_one_entry_and_0_where_there_is_none(values, seat):
    assert cards.at(values, seat) == (values[seat] if 0 <= seat < len(values) else 0)


# --- The same on arrays and compiled ---------------------------------------------------------------------------------

HELPERS = [cards.count, cards.lowest, cards.highest, cards.suit_of]
SINGLE_CARD_HELPERS = [cards.above, cards.below]


def single_cards(mask_list):
    return [card for mask in mask_list for card in cards.cards_of(mask)] + [0]


def check_against_ints(helper, arguments, answers):
    assert [int(answer) for answer in answers] == [helper(argument) for argument in arguments]


@given(st.lists(masks, min_size=1, max_size=20))
@example(EDGES)
def test_arrays_give_what_ints_give(mask_list):
    for helper in HELPERS + SINGLE_CARD_HELPERS:
        arguments = mask_list if helper in HELPERS else single_cards(mask_list)
        answers = helper(np.array(arguments, np.int64))
        assert answers.dtype == np.int64
        check_against_ints(helper, arguments, answers)
    indices = np.arange(len(mask_list)) % 5
    answers = cards.nth(np.array(mask_list, np.int64), indices)
    assert answers.tolist() == [cards.nth(mask, index) for mask, index in zip(mask_list, indices.tolist(), strict=True)]
    for index in (0, 1, 16, 60):
        answers = cards.nth(np.array(mask_list, np.int64), index)
        assert answers.tolist() == [cards.nth(mask, index) for mask in mask_list]


@given(masks)
@example(0)
@example(BIG_JOKER)
def test_numpy_scalars_give_what_ints_give(mask):
    for helper in HELPERS:
        assert helper(np.int64(mask)) == helper(mask)


@njit
def compiled_helpers(mask, index):
    one_card = cards.lowest(mask)
    return (
        cards.count(mask),
        one_card,
        cards.highest(mask),
        cards.suit_of(mask),
        cards.above(one_card),
        cards.below(one_card),
        cards.nth(mask, index),
    )


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
@given(st.one_of(masks, st.sampled_from(EDGES)), st.integers(0, 64))
@example(0, 0)
@example(BIG_JOKER, 0)
@example(LITTLE_JOKER | BIG_JOKER, 1)
def test_compiled_helpers_give_what_ints_give(mask, index):
    assert compiled_helpers(mask, index) == compiled_helpers.py_func(mask, index)


@given(st.lists(few_numbers.map(lambda values: (values * 3)[:3]), min_size=1, max_size=9), st.data())
def test_arrays_of_tuples_give_what_tuples_give(rows, data):
    seats = data.draw(st.lists(st.integers(-1, 3), min_size=len(rows), max_size=len(rows)))
    columns = tuple(np.array(rows, np.int64).T)
    assert cards.total(columns).tolist() == [sum(row) for row in rows]
    read = cards.at(columns, np.array(seats)).tolist()
    assert read == [cards.at(row, seat) for row, seat in zip(rows, seats, strict=True)]
    assert cards.at(columns, 2).tolist() == [row[2] for row in rows]


@njit
def compiled_on_tuples(values, seat):
    return cards.total(values), cards.at(values, seat), cards.union(values)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
@given(few_numbers, st.integers(-2, 7))
@example((-1, 3), -1)
@example((1, 2, 3, 4, 5, 6), 5)
def test_compiled_helpers_on_tuples_give_what_tuples_give(values, seat):
    assert compiled_on_tuples(values, seat) == compiled_on_tuples.py_func(values, seat)
