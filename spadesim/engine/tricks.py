"""Bids and cards: what is legal, what wins, and that every answer is checked (R2.1, R3, R6.1).

The kernels keep the state legal whatever a bot answers: an illegal bid becomes the nearest legal one and an illegal
card the lowest legal one, and the kernel says that there was one. What that costs the bot is for `faults.settle` (R9).
"""

import numpy as np

from spadesim.cards import SIDE_SUITS, SPADES, lowest, suit_of
from spadesim.engine.bits import own, stay_whole
from spadesim.engine.compiling import inline, inline_or_plain, kernel
from spadesim.engine.lanes import BYTE, LANES, NEEDS_ZERO

I = np.int64  # noqa: E741 - short, for it stands in every line
NEEDS_MASK = (1 << BYTE) - 1


@inline
def legal_lead(hand, broken):
    """Cards that may be led: no spade before spades are broken, unless there is nothing else (R3.1, R3.4)."""
    side = hand & SIDE_SUITS
    return side if (broken == 0) & (side != 0) else hand


@inline
def legal_follow(hand, led):
    """Cards that may follow: the suit led if possible, else any (R3.2)."""
    follow = hand & led
    return follow if follow != 0 else hand


@inline
def checked(card, legal):
    """Keep one legal card; replace anything else by the lowest legal card (R6.1)."""
    return card if ((card & legal) != 0) & ((card & (card - 1)) == 0) else lowest(legal)


@inline
def seat_to_act(t, lane, position):
    """Find the seat to bid or play; the winner of the last trick leads."""
    winner, leader = t.winner[lane], t.leader[lane]  # both read first, so that the choice is no branch
    seat = (winner if position == 0 else leader) + position
    return seat - t.dealt.shape[0] if seat >= t.dealt.shape[0] else seat


@inline
def legal_next(t, lane, position, led):
    """Tell what the seat at a position may follow with."""
    return legal_follow(own(t.dealt, seat_to_act(t, lane, position), lane) & ~t.played[lane], led)


@kernel
def take_bids(t, r, order) -> bool:
    """Enter the answers as bids 0 … cards_each (R2.1); return whether one was illegal."""
    stay_whole()
    most = r.cards_each
    wrong = 0
    for lane in range(LANES):
        seat = seat_to_act(t, lane, order)
        bid = min(max(t.answer[lane], 0), most)
        wrong |= bid ^ t.answer[lane]
        for s in range(t.dealt.shape[0]):
            before = t.bids[s, lane]
            t.bids[s, lane] = bid if seat == s else before
    return wrong != 0


@kernel
def open_play(t):
    """Open the first trick (R3.1)."""
    stay_whole()
    for lane in range(LANES):
        needs = 0
        for s in range(t.dealt.shape[0]):
            needs |= (t.bids[s, lane] + NEEDS_ZERO) << BYTE * s
        t.needs[lane] = needs
        t.legal[lane] = legal_lead(own(t.dealt, t.winner[lane], lane), 0)


@kernel
def take_cards(t, r, position) -> bool:
    """Play the answers as the cards at this position of the trick; return whether one was illegal."""
    stay_whole()
    wrong = 0
    if position == 0:
        wrong |= take_lead(t, r.deck)
    elif position < r.players - 1:
        wrong |= take_middle(t, position)
    else:
        wrong |= take_last(t, position)
    return wrong != 0


@inline
def take_lead(t, deck):
    """Take the card led; it sets the suit and what beats it."""
    wrong = 0
    for lane in range(LANES):
        card = checked(t.answer[lane], t.legal[lane])
        wrong |= card ^ t.answer[lane]
        suit = suit_of(card)
        t.leader[lane] = t.winner[lane]
        t.led[lane] = suit
        t.trick[lane] = card
        t.beats[lane] = (suit | SPADES) & deck & ~(card | (card - 1))
        t.legal[lane] = legal_next(t, lane, 1, suit)
    return wrong


@inline
def take_middle(t, position):
    """Take a card between the first and the last."""
    wrong = 0
    for lane in range(LANES):
        card = checked(t.answer[lane], t.legal[lane])
        wrong |= card ^ t.answer[lane]
        seat = seat_to_act(t, lane, position)
        beats, winner = t.beats[lane], t.winner[lane]
        wins = (card & beats) != 0
        # a winning spade leaves only higher spades, for every side suit lies below it
        t.beats[lane] = beats & ~(card | (card - 1)) if wins else beats
        t.winner[lane] = seat if wins else winner
        t.trick[lane] |= card
        t.legal[lane] = legal_next(t, lane, position + 1, t.led[lane])
    return wrong


@inline
def take_last(t, position):
    """Take the last card of a trick; the winner leads next (R3.3), and spades may be broken (R3.4)."""
    wrong = 0
    for lane in range(LANES):
        card = checked(t.answer[lane], t.legal[lane])
        wrong |= card ^ t.answer[lane]
        seat, winner = seat_to_act(t, lane, position), t.winner[lane]
        winner = seat if (card & t.beats[lane]) != 0 else winner
        trick = t.trick[lane] | card
        played = t.played[lane] | trick
        broken = t.broken[lane] | (trick & SPADES & ~t.led[lane])
        t.needs[lane] -= 1 << BYTE * winner
        t.winner[lane] = winner
        t.trick[lane] = trick
        t.played[lane] = played
        t.broken[lane] = broken
        t.legal[lane] = legal_lead(own(t.dealt, winner, lane) & ~played, broken)
    return wrong


@kernel
def close_play(t):
    """Enter the tricks won."""
    stay_whole()
    for lane in range(LANES):
        for s in range(t.dealt.shape[0]):
            t.taken[s, lane] = t.bids[s, lane] - need_of(t.needs[lane], s)


@inline_or_plain
def need_of(needs, seat):
    """Read one seat's bid less its tricks; arrays of needs and seats read many."""
    return ((needs >> BYTE * seat) & NEEDS_MASK) - NEEDS_ZERO


@kernel
def note_voids(t):
    """Remember who has failed to follow in this trick; called only where a player at the table reads `voids`."""
    stay_whole()
    for lane in range(LANES):
        led = t.led[lane]
        for s in range(t.dealt.shape[0]):
            card = t.trick[lane] & t.dealt[s, lane]
            t.voids[s, lane] |= led & -I((card != 0) & ((card & led) == 0))
