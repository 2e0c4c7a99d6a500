"""Exact search of the last tricks, all cards known: every seat for itself (maxⁿ), or all against one (paranoid).

What a seat wants is a table of payoffs by how the tricks fall, so the same search serves tricks, points and the chance
to win the game. How they fall is one number: `steps[s]` for each trick of seat s, added up.
"""

import numpy as np

from spadesim.cards import SPADES, lowest, suit_of
from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.game.tricks import breaking, legal_follow, legal_lead

# A literal 0 in a recursive call would compile the function once more, and the two for each other.
NONE = np.int64(0)


def steps_for(seats: int, tricks: int) -> np.ndarray:
    """Return what a trick of each seat adds to the number that says how so many tricks fall, shape (seats,)."""
    return (tricks + 1) ** np.arange(seats)


@kernel
def max_n(
    held, leader, winner, position, led, trick, beats, broken, breaks_when_led, left, fell, steps, payoff
) -> int:  # fmt: skip
    """Find how the tricks fall when every seat plays for its own payoff and knows that the others do.

    Of cards with the same payoff a seat plays the one that leaves the best off among the others the least; of these the
    lowest. Without a stated tie-break maxⁿ has no one value (Sturtevant 2002).

    Parameters
    ----------
    held
        The cards of each seat, shape (seats,); changed on the way, and put back.
    leader, winner, position, led, trick, beats, broken
        The trick under way: who led, who wins it so far, how many cards lie, the suit led and the cards as masks, what
        would win now, and whether spades are broken. At position 0 only `winner`, who leads, and `broken` count.
    breaks_when_led
        A suit that breaks spades though it was led; see `tricks.breaking`.
    left
        Tricks still to be finished, this one included, at least 1.
    fell, steps
        How the tricks fell so far, and what a trick of each seat adds to it, shape (seats,).
    payoff
        What each seat gets out of it, by how all fell, shape (seats, numbers).

    Returns
    -------
    int
        How they fall in the end.
    """
    seats = held.size
    mover, legal = turn(held, leader, winner, position, led, broken)
    best, found, least = -1, 0.0, 0.0
    while legal != 0:
        card = lowest(legal)
        legal ^= card
        suit, who, lying, now = laid(card, mover, winner, position, led, trick, beats)
        held[mover] ^= card
        if position < seats - 1:
            first = mover if position == 0 else leader
            end = max_n(
                held, first, who, position + 1, suit, lying, now, broken, breaks_when_led, left, fell, steps, payoff
            )
        else:
            end = fell + steps[who]
            if left > 1:
                after = broken | breaking(lying, suit, breaks_when_led)
                end = max_n(
                    held, who, who, NONE, NONE, NONE, NONE, after, breaks_when_led, left - 1, end, steps, payoff
                )
        held[mover] ^= card
        worth, others = payoff[mover, end], best_of_others(payoff, mover, end)
        if best < 0 or worth > found or (worth == found and others < least):
            best, found, least = end, worth, others
    return best


@kernel
def paranoid(
    held, leader, winner, position, led, trick, beats, broken, breaks_when_led, depth, me
) -> int:  # fmt: skip
    """Count the tricks that a seat can be sure of among the next `depth`, whatever the others do together.

    The arguments are those of `max_n`; `depth` counts the trick under way.
    """
    seats = held.size
    mover, legal = turn(held, leader, winner, position, led, broken)
    best = -1
    while legal != 0:
        card = lowest(legal)
        legal ^= card
        suit, who, lying, now = laid(card, mover, winner, position, led, trick, beats)
        held[mover] ^= card
        if position < seats - 1:
            first = mover if position == 0 else leader
            sure = paranoid(held, first, who, position + 1, suit, lying, now, broken, breaks_when_led, depth, me)
        else:
            sure = 1 if who == me else 0
            if depth > 1 and held[who] != 0:
                after = broken | breaking(lying, suit, breaks_when_led)
                sure += paranoid(held, who, who, NONE, NONE, NONE, NONE, after, breaks_when_led, depth - 1, me)
        held[mover] ^= card
        best = sure if best < 0 or (sure > best) == (mover == me) else best
    return best


@inline
def turn(held, leader, winner, position, led, broken):
    """Find whose turn it is, and the cards it may play; the winner of the last trick leads."""
    mover = (winner if position == 0 else leader + position) % held.size
    return mover, legal_lead(held[mover], broken) if position == 0 else legal_follow(held[mover], led)


@inline
def laid(card, mover, winner, position, led, trick, beats):
    """Lay a card: the suit led, who wins now, the cards that lie, and what would beat them."""
    wins = (position == 0) | ((card & beats) != 0)
    suit = suit_of(card) if position == 0 else led
    could = suit | SPADES if position == 0 else beats
    now = could & ~(card | (card - 1)) if wins else beats
    return suit, mover if wins else winner, card if position == 0 else trick | card, now


@inline
def best_of_others(payoff, mover, end):
    """Find the highest payoff among the other seats."""
    most = -np.inf
    for s in range(payoff.shape[0]):
        most = max(most, payoff[s, end]) if s != mover else most
    return most
