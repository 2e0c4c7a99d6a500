"""Bids and cards: what is legal, what wins, and that every answer is checked (R2.1, R3, R6.1).

The kernels keep the state legal whatever a bot answers: an illegal bid becomes the nearest legal one and an illegal
card the lowest legal one, and the kernel says that there was one. What that costs the bot is for `faults.settle` (R9).
"""

import numpy as np

from spadesim.cards import ACES, CLUBS, JACKS, JOKERS, KINGS, QUEENS, SIDE_SUITS, SPADES, highest, lowest, suit_of
from spadesim.engine.compile.cache import inline, inline_or_plain, kernel
from spadesim.engine.compile.operations import never_inline, own
from spadesim.engine.game.lanes import BYTE, LANES, NEEDS_ZERO
from spadesim.engine.game.seats import n_turns
from spadesim.engine.game.setup import LEFT_NONSPADE, LOWEST_CLUB

I = np.int64  # noqa: E741 - short, for it stands in every line
NEEDS_MASK = (1 << BYTE) - 1
HIGH_SPADES = SPADES & (JACKS | QUEENS | KINGS | ACES | JOKERS)


@inline_or_plain
def legal_lead(hand, broken):
    """Cards that may be led: no spade before spades are broken, unless there is nothing else (R3.1, R3.4)."""
    side = hand & SIDE_SUITS
    return side if (broken == 0) & (side != 0) else hand


@inline_or_plain
def legal_first_lead(hand, opening, broken_at_first):
    """Cards that may be led to the first trick, if this hand leads to it (R3.1)."""
    if opening == LOWEST_CLUB and hand & CLUBS != 0:
        return lowest(hand & CLUBS)
    return legal_lead(hand, 0 if opening == LEFT_NONSPADE else broken_at_first)


@inline_or_plain
def legal_follow(hand, led):
    """Cards that may follow: the suit led if possible, else any (R3.2)."""
    follow = hand & led
    return follow if follow != 0 else hand


@inline
def checked(card, legal):
    """Keep one legal card; replace anything else by the lowest legal card (R6.1)."""
    return card if ((card & legal) != 0) & ((card & (card - 1)) == 0) else lowest(legal)


@inline
def seat_to_act(t, lane, position, seats):
    """Find the seat to bid or play, of so many; the winner of the last trick leads."""
    winner, leader = t.winner[lane], t.leader[lane]  # both read first, so that the choice is no branch
    seat = (winner if position == 0 else leader) + position
    return seat - seats if seat >= seats else seat


@inline
def legal_next(t, lane, position, led):
    """Return what the seat at a position may follow with."""
    seat = seat_to_act(t, lane, position, t.dealt.shape[0])
    return legal_follow(own(t.dealt, seat, lane) & ~t.played[lane], led)


@kernel
def forbid_total(t, r, order):
    """Find the bid that the last bidder may not make, as it would bring the total to the tricks there are (R2.1)."""
    never_inline()
    low, high, is_last = r.min_bid, r.cards_each, order == r.players - 1
    for lane in range(LANES):
        left = high
        for s in range(t.dealt.shape[0]):
            left -= max(t.bids[s, lane], 0)  # its own, and an empty seat's, still stand at -1
        t.bid_not[lane] = left if is_last & (left >= low) & (left <= high) else -1


@kernel
def take_bids(t, r, order) -> bool:
    """Enter the answers as bids, each the nearest legal one (R2.1); return whether one was illegal."""
    never_inline()
    if r.total_not == 0:
        return enter_bids(t, r, order, False) != 0
    return enter_bids(t, r, order, True) != 0


@inline
def enter_bids(t, r, order, forbids):
    """Enter bids; `forbids` where one may be forbidden to the last bidder."""
    low, high, turns = r.min_bid, r.cards_each, n_turns(t, r)
    wrong = 0
    for lane in range(LANES):
        seat = seat_to_act(t, lane, order, turns)
        bid, bid_not = min(max(t.answer[lane], low), high), t.bid_not[lane] if forbids else -1
        beside = bid_not - 1 if bid_not > low else bid_not + 1
        bid = beside if forbids and bid == bid_not else bid
        wrong |= bid ^ t.answer[lane]
        for s in range(t.dealt.shape[0]):
            before = t.bids[s, lane]
            t.bids[s, lane] = bid if seat == s else before
    return wrong


@kernel
def open_play(t, r):
    """Open the first trick (R3.1)."""
    never_inline()
    for lane in range(LANES):
        needs = 0
        for s in range(t.dealt.shape[0]):
            needs |= (t.bids[s, lane] + NEEDS_ZERO) << BYTE * s
        t.needs[lane] = t.first_needs[lane] = needs
    if r.opening == LOWEST_CLUB:
        give_lead_to_lowest_club(t)
    else:
        unbroken = 0 if r.opening == LEFT_NONSPADE else r.broken_at_first
        for lane in range(LANES):
            t.legal[lane] = legal_lead(own(t.dealt, t.winner[lane], lane), unbroken)


@inline
def give_lead_to_lowest_club(t):
    """Let whoever holds the lowest club lead it."""
    hands = t.dealt.shape[0]
    for lane in range(LANES):
        held = 0
        for s in range(hands):
            held |= t.dealt[s, lane]
        club = lowest(held & CLUBS)
        holder = 0
        for s in range(hands):
            holder += s * I((t.dealt[s, lane] & club) != 0)
        t.legal[lane] = club
        t.leader[lane] = t.winner[lane] = holder


@kernel
def take_cards(t, r, position) -> bool:
    """Play the answers as the cards at this position of the trick; return whether one was illegal."""
    never_inline()
    wrong = 0
    if position == 0:
        wrong |= take_lead(t, r.deck)
    elif position < t.dealt.shape[0] - 1:
        wrong |= take_middle(t, position)
    else:
        wrong |= take_last(t, position, r.breaks_when_led)
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
        seat = seat_to_act(t, lane, position, t.dealt.shape[0])
        beats, winner = t.beats[lane], t.winner[lane]
        wins = (card & beats) != 0
        # a winning spade leaves only higher spades, for every side suit lies below it
        t.beats[lane] = beats & ~(card | (card - 1)) if wins else beats
        t.winner[lane] = seat if wins else winner
        t.trick[lane] |= card
        t.legal[lane] = legal_next(t, lane, position + 1, t.led[lane])
    return wrong


@inline
def take_last(t, position, breaks_when_led):
    """Take the last card of a trick; the winner leads next (R3.3), and spades may be broken (R3.4)."""
    wrong = 0
    for lane in range(LANES):
        card = checked(t.answer[lane], t.legal[lane])
        wrong |= card ^ t.answer[lane]
        seat, winner = seat_to_act(t, lane, position, t.dealt.shape[0]), t.winner[lane]
        winner = seat if (card & t.beats[lane]) != 0 else winner
        trick = t.trick[lane] | card
        played = t.played[lane] | trick
        broken = t.broken[lane] | breaking(trick, t.led[lane], breaks_when_led)
        t.needs[lane] -= 1 << BYTE * winner
        t.winner[lane] = winner
        t.trick[lane] = trick
        t.played[lane] = played
        t.broken[lane] = broken
        t.legal[lane] = legal_lead(own(t.dealt, winner, lane) & ~played, broken)
    return wrong


@inline_or_plain
def breaking(trick, led, breaks_when_led):
    """Keep the spades of a trick that break spades: in a trick led in another suit, or in any (R3.4)."""
    return trick & SPADES & (~led | breaks_when_led)


@kernel
def share_needs(t, r):
    """Find what the side of each seat still needs: for both bids (R7), or with a dummy for its own (R8)."""
    never_inline()
    hands = t.dealt.shape[0]
    for lane in range(LANES):
        needs, bids = t.needs[lane], t.first_needs[lane]
        shared = 0
        for s in range(hands):
            bid, alone, opposite = need_of(bids, s), need_of(needs, s), (s + 2) % hands
            other = need_of(needs, opposite) - (need_of(bids, opposite) if r.dummy != 0 else 0)
            nil_is_alive = (bid == 0) & (alone == 0) & (r.nil != 0)
            shared |= ((0 if nil_is_alive else alone + other) + NEEDS_ZERO) << BYTE * s
        t.side_needs[lane] = shared


@kernel
def close_play(t):
    """Enter the tricks won."""
    never_inline()
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
    never_inline()
    for lane in range(LANES):
        led = t.led[lane]
        for s in range(t.dealt.shape[0]):
            card = t.trick[lane] & t.dealt[s, lane]
            t.voids[s, lane] |= led & -I((card != 0) & ((card & led) == 0))


@kernel
def note_high_spades(t, trick):
    """Count the tricks in a row that one hand has won with a high spade, up to this one (R4.4)."""
    never_inline()
    for lane in range(LANES):
        best = highest(t.trick[lane] & SPADES)  # the highest spade wins, so this is the winner's card or none
        before = t.high_spades[lane] if trick > 0 else 0
        # between two tricks `leader` is still who led to the one just played: the winner of the one before
        same = before if t.leader[lane] == t.winner[lane] else 0
        t.high_spades[lane] = same + 1 if (best & HIGH_SPADES) != 0 else 0
