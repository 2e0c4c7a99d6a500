"""Figures of hands, for studies: lengths, honours, sure tricks and low cards of every hand of a log of deals.

Each depends only on the hand and on the pack that is played with, and is computed for a column of masks at a time
(docs/TABLES.md lists them).
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from spadesim.cards import (
    ACES,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JACKS,
    JOKERS,
    KINGS,
    QUEENS,
    SIDE_SUITS,
    SPADES,
    SUIT_BITS,
    count,
    highest,
    lowest,
    show,
)
from spadesim.errors import UsageError
from spadesim.rules import Rules, as_rules

SIDES = {"club": CLUBS, "diamond": DIAMONDS, "heart": HEARTS}
SUITS = SIDES | {"spade": SPADES}
LOWEST_RANK = 2  # the ranks are 2 … 10, jack 11, queen 12, king 13, ace 14, and the jokers 15 and 16
Column = npt.NDArray[np.int64]  # one entry per hand


def features(frame: pd.DataFrame, rules: Rules | str | None = None) -> pd.DataFrame:
    """Return a log of deals with figures of its hands.

    Parameters
    ----------
    frame
        With a column `hand` of masks, as `--log deals` writes them.
    rules
        The rules by which the deals were played, or what to type for them; `cutthroat` if none are given. The pack
        depends on them.

    Returns
    -------
    DataFrame
        The frame with another column for each figure (docs/TABLES.md has the units), of int8 except for
        `side_honor_tricks`, of float64. Its other columns are as before.

    Raises
    ------
    UsageError
        When there are no hands in the frame, or a hand holds a card that is not in the pack.

    Examples
    --------
    >>> import pandas as pd
    >>> from spadesim import cards, features
    >>> hand = cards.parse("AS KS JS 2S AH QH KD QC JC TC 9C 8C 7C 6C 5C 4C 3C")
    >>> row = features(pd.DataFrame({"hand": [hand]})).iloc[0]
    >>> int(row.spades), int(row.sure_spades), int(row.singletons), int(row.kings_without_ace)
    (4, 2, 1, 1)
    """
    deck = as_rules(rules).deck
    hand = _hands(frame, deck)
    columns = _lengths(hand) | _honors(hand) | _spades(hand, deck) | _low_cards(hand, deck)
    small = {name: values.astype(np.int8) for name, values in columns.items()}
    return frame.assign(**small, side_honor_tricks=_honor_tricks(hand))


def _hands(frame: pd.DataFrame, deck: int) -> Column:
    if "hand" not in frame or frame["hand"].dtype.kind not in "iu":
        raise UsageError("the frame has no column hand of whole numbers; expected a log of deals (--log deals)")
    hand = frame["hand"].to_numpy(np.int64)
    if hand.min(initial=0) < 0:
        raise UsageError(f"a hand is {hand.min()}; expected masks of cards, 0 or more")
    strange = hand & ~deck
    if strange.any():
        raise UsageError(
            f"a hand holds {show(int(strange[strange != 0][0]))}, which is not in the pack; name the rules of the log"
        )
    return hand


def _lengths(hand: Column) -> dict[str, Column]:
    suits = {f"{name}s": count(hand & suit) for name, suit in SUITS.items()}
    every = np.stack(list(suits.values()))
    sides = every[:-1]
    return suits | {
        "longest_suit": every.max(0),
        "shortest_suit": every.min(0),
        "longest_side": sides.max(0),
        "shortest_side": sides.min(0),
        "voids": (sides == 0).sum(0),
        "singletons": (sides == 1).sum(0),
        "doubletons": (sides == 2).sum(0),
    }


def _honors(hand: Column) -> dict[str, Column]:
    side = hand & SIDE_SUITS
    aces, kings, queens, jacks = (count(hand & rank) for rank in (ACES, KINGS, QUEENS, JACKS))
    below_aces = (side & ACES) >> 1  # the places of their kings
    return {
        "spade_honors": count(hand & SPADES & (ACES | KINGS | QUEENS | JACKS | JOKERS)),
        "side_honors": count(side & (ACES | KINGS | QUEENS | JACKS)),
        "side_aces": count(side & ACES),
        "side_kings": count(side & KINGS),
        "side_queens": count(side & QUEENS),
        "kings_without_ace": count(side & KINGS & ~below_aces),
        "high_card_points": 4 * aces + 3 * kings + 2 * queens + jacks,
    }


def _honor_tricks(hand: Column) -> npt.NDArray[np.float64]:
    """Return the honour tricks of the side suits by the main lines of Culbertson's table (1930, *Blue Book*)."""
    tricks = np.zeros(len(hand))
    for suit in SIDES.values():
        ace, king, queen = (hand & suit & rank != 0 for rank in (ACES, KINGS, QUEENS))
        guarded = count(hand & suit) > 1
        tricks += np.select([ace & king, ace & queen, ace, king & queen, king & guarded], [2.0, 1.5, 1.0, 1.0, 0.5])
    return tricks


def _spades(hand: Column, deck: int) -> dict[str, Column]:
    return {"top_spade": _rank(highest(hand & SPADES), SPADES)} | _sure_spades(hand, deck)


def _sure_spades(hand: Column, deck: int) -> dict[str, Column]:
    """Return the top spades in a row, and the tricks that spades win whatever the others hold and however all play.

    Every spade is played to some trick and wins it unless a higher one is played on it. A higher one can do so only
    once, so the most spades that others can beat is the largest matching of held spades with higher ones out. Whatever
    beats a spade beats every lower one, so it is found by going down and letting each spade be beaten by any higher
    one that is left.
    """
    run, sure, free = (np.zeros(len(hand), np.int8) for _ in range(3))  # free: higher ones out that have beaten none
    unbroken = np.ones(len(hand), bool)
    for card in _downwards(deck & SPADES):
        held = hand & card != 0
        unbroken &= held
        run += unbroken
        beaten = held & (free > 0)
        sure += held & ~beaten
        free += ~held
        free -= beaten
    return {"spade_run": run.astype(np.int64), "sure_spades": sure.astype(np.int64)}


def _low_cards(hand: Column, deck: int) -> dict[str, Column]:
    low, under, under_second = {}, {}, []
    for name, suit in SUITS.items():
        first = lowest(hand & suit)
        second = lowest(hand & suit & ~first)
        low[f"lowest_{name}"] = _rank(first, suit)
        under[f"under_{name}"] = _out_below(first, hand, suit & deck)
        under_second.append(_out_below(second, hand, suit & deck))
    most = np.maximum.reduce([under[f"under_{name}"] for name in SIDES])
    return low | under | {"most_under": most, "most_under_second": np.maximum.reduce(under_second[: len(SIDES)])}


def _out_below(card: Column, hand: Column, suit: int) -> Column:
    """Return how many cards of a suit that others may hold are below a card; 0 where there is no card."""
    return np.where(card == 0, 0, count((card - 1) & suit & ~hand))


def _rank(card: Column, suit: int) -> Column:
    """Return a card's rank, 0 where there is none."""
    return np.where(card == 0, 0, count((card - 1) & suit) + LOWEST_RANK)


def _downwards(mask: int) -> list[int]:
    return [1 << bit for bit in range(4 * SUIT_BITS - 2, -1, -1) if mask >> bit & 1]
