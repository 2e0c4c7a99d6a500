"""Cards as bits: 16 per suit, clubs lowest and spades on top; within a suit the two is lowest, the ace 12 bits higher.

A *mask* is an int64 that holds any number of cards, a hand or a trick or "every card that would win now"; a card is a
mask of one bit. A higher spade is a higher bit, so comparing trumps is comparing numbers. Bit 63 stays empty, so that
``mask & -mask`` and ``~mask`` mean the same in Python, in NumPy and in compiled code.

`count` to `at` take ints and int64 arrays alike and work inside compiled strategies; the functions that read and write
cards as text take ints.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Mask = int
Cards = TypeVar("Cards", int, npt.NDArray[np.int64])  # a mask, or an array of masks

SUIT_BITS = 16
SUIT_LETTERS = "CDHS"
RANK_LETTERS = "23456789TJQKA"
SUIT_SYMBOLS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}

SUIT = 0x7FFF  # 13 ranks, and room for two jokers above the spades
CLUBS = SUIT
DIAMONDS = SUIT << SUIT_BITS
HEARTS = SUIT << 2 * SUIT_BITS
SPADES = SUIT << 3 * SUIT_BITS
SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)
SIDE_SUITS = CLUBS | DIAMONDS | HEARTS

ONE_OF_EACH = 1 | 1 << SUIT_BITS | 1 << 2 * SUIT_BITS | 1 << 3 * SUIT_BITS  # the four twos
TWOS = ONE_OF_EACH
TENS = ONE_OF_EACH << 8
JACKS = ONE_OF_EACH << 9
QUEENS = ONE_OF_EACH << 10
KINGS = ONE_OF_EACH << 11
ACES = ONE_OF_EACH << 12
PACK = sum(ONE_OF_EACH << rank for rank in range(len(RANK_LETTERS)))
LITTLE_JOKER, BIG_JOKER = 1 << 61, 1 << 62  # spades above the ace, where the rules have them; not part of PACK
JOKERS = LITTLE_JOKER | BIG_JOKER
JOKER_NAMES = {"LJ": LITTLE_JOKER, "BJ": BIG_JOKER}


def count(mask: Cards) -> Cards:
    """Return the number of cards in a mask."""
    if isinstance(mask, np.ndarray):
        return np.bitwise_count(mask.view(np.uint64)).astype(np.int64)
    return mask.bit_count() if mask >= 0 else 64 - (~mask).bit_count()


def lowest(mask: Cards) -> Cards:
    """Return the lowest card of a mask, clubs before spades; 0 where there is none."""
    return mask & -mask


def highest(mask: Cards) -> Cards:
    """Return the highest card of a mask, spades before clubs; 0 where there is none."""
    if isinstance(mask, int):
        return (1 << mask.bit_length()) >> 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask = mask | mask >> shift
    return mask ^ mask >> 1


def below(card: Cards) -> Cards:
    """Return the lower cards of a card's own suit as a mask of places, which has cards that are not in play too."""
    return suit_of(card) & (card - 1)


def above(card: Cards) -> Cards:
    """Return the higher cards of a card's own suit as a mask of places, which has cards that are not in play too."""
    return suit_of(card) & ~(card | (card - 1))


def suit_of(card: Cards) -> Cards:
    """Return the mask of a card's whole suit (0 for 0); of several cards, of all suits that they are in."""
    suits = card & 0
    for suit in SUITS:
        suits = suits | suit * ((card & suit) != 0)
    return suits


def nth(mask: Cards, index: Cards) -> Cards:
    """Return the card of a mask that has `index` lower cards in it, 0 being the lowest; 0 where there are too few."""
    if isinstance(index, np.ndarray):
        mask = np.where(index < 0, 0, mask)
        for passed in range(int(index.max(initial=0))):
            mask = np.where(index > passed, mask & (mask - 1), mask)
    else:
        mask = mask * (index >= 0)
        for _ in range(index):
            mask = mask & (mask - 1)
    return mask & -mask


def union(masks: Iterable[Cards]) -> Cards:
    """Return several masks together, such as the voids of all seats."""
    together: Any = 0
    for mask in masks:
        together = together | mask
    united: Cards = together
    return united


def total(values: Iterable[Cards]) -> Cards:
    """Return the sum of the numbers of a tuple, such as the tricks of all seats."""
    added: Any = 0
    for value in values:
        added = added + value
    sum_of_all: Cards = added
    return sum_of_all


def at(values: Sequence[Cards], seat: Cards) -> Cards:
    """Return one entry of a tuple, at a seat that is known only in the game; 0 where there is no such seat."""
    found = values[0] * 0
    for i, value in enumerate(values):
        found = found + value * (seat == i)
    return found


def parse(text: str) -> Mask:
    """Return the mask of cards such as ``"AS KH 10d 2♣"``.

    Parameters
    ----------
    text
        Cards as rank and suit, separated by spaces or commas: ranks 2-9, T or 10, J, Q, K, A; suits C, D, H, S or
        their symbols, in either case. LJ and BJ are the jokers.

    Returns
    -------
    int
        The mask of the cards.

    Raises
    ------
    ValueError
        When a word is no card, or a card is named twice; the message shows the word.
    """
    mask = 0
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if mask & card:
            raise ValueError(f"the card {word!r} is named twice; expected each card once")
        mask |= card
    return mask


def parse_card(word: str) -> Mask:
    """Return the mask of one card such as ``"TH"``; see `parse`."""
    tidy = word.strip().upper().replace("10", "T")
    if tidy in JOKER_NAMES:
        return JOKER_NAMES[tidy]
    rank = RANK_LETTERS.find(tidy[:1]) if tidy else -1
    suit = SUIT_LETTERS.find(SUIT_SYMBOLS.get(tidy[1:], tidy[1:])) if len(tidy) == 2 else -1
    if rank < 0 or suit < 0:
        raise ValueError(f"no card {word!r}; expected a rank (2-9 T J Q K A) and a suit (C D H S), as in 'TH'")
    return 1 << suit * SUIT_BITS + rank


def cards_of(mask: Mask) -> list[Mask]:
    """Return the single cards of a mask, lowest first."""
    cards = []
    while mask:
        cards.append(mask & -mask)
        mask &= mask - 1
    return cards


def names(mask: Mask) -> list[str]:
    """Return the names of a mask's cards, as in ``["2C", "AS"]``, lowest first."""
    return [_name(card) for card in cards_of(int(mask))]


def show(mask: Mask) -> str:
    """Return a mask as text, the way a player sorts a hand: spades first, high cards first."""
    return " ".join(reversed(names(mask)))


def _name(card: Mask) -> str:
    for name, joker in JOKER_NAMES.items():
        if card == joker:
            return name
    suit, rank = divmod(card.bit_length() - 1, SUIT_BITS)
    return RANK_LETTERS[rank] + SUIT_LETTERS[suit]
