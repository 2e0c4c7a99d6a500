"""What a seat may know, a function a field; the docstring is the field's documentation.

Compiled, a kernel computes the fields that its strategy names, lane by lane. Interpreted, the same functions get arrays
of seats and lanes and give arrays. Nothing here reads another seat's hand except to tell what it has shown.
"""

import numpy as np

from spadesim.cards import SPADES, count
from spadesim.engine.bits import each, each_taken, each_within, own
from spadesim.engine.compiling import inline_or_plain
from spadesim.engine.deals import decision_random
from spadesim.engine.tricks import need_of

I = np.int64  # noqa: E741 - short, for it stands in every line

BID_FIELDS: dict = {}
PLAY_FIELDS: dict = {}


def for_both(function):
    """Offer a field to bidders and players."""
    BID_FIELDS[function.__name__] = function
    return for_play(function)


def for_play(function):
    """Offer a field to players only."""
    PLAY_FIELDS[function.__name__] = function
    return inline_or_plain(function)


@for_both
def hand(t, r, seat, lane, position):
    """Your cards, as a mask."""
    return own(t.dealt, seat, lane) & ~t.played[lane]


@for_both
def bids(t, r, seat, lane, position):
    """What each seat has bid, -1 where it has not yet."""
    return each(t.bids, seat, lane)


@for_both
def scores(t, r, seat, lane, position):
    """Points of each seat before this deal."""
    return each(t.scores, seat, lane)


@for_both
def bags(t, r, seat, lane, position):
    """Bags of each seat towards its next penalty, before this deal."""
    return each(t.bags, seat, lane)


@for_both
def players(t, r, seat, lane, position):
    """Number of seats (3)."""
    return r.players


@for_both
def cards_each(t, r, seat, lane, position):
    """Cards dealt to each seat, and so the tricks of a deal (17)."""
    return r.cards_each


@for_both
def target(t, r, seat, lane, position):
    """Points that end the game (200)."""
    return r.target


@for_both
def order(t, r, seat, lane, position):
    """Your place in the bidding, 0 bids first."""
    places = seat - t.dealer[lane] - 1
    return places + r.players * (places < 0)


@for_both
def random(t, r, seat, lane, position):
    """63 random bits, fresh for every decision, the same for whichever bot makes it."""
    n = (r.cards_each + 1 - count(hand(t, r, seat, lane, position))) * (own(t.bids, seat, lane) >= 0)
    return decision_random(t.deal_key0[lane], t.deal_key1[lane], seat, n)


@for_play
def legal(t, r, seat, lane, position):
    """The cards that you may play, as a mask; the answer must be one of them."""
    return t.legal[lane]


@for_play
def led(t, r, seat, lane, position):
    """The suit led, as a mask of the whole suit; 0 when you lead."""
    return t.led[lane] * (position > 0)


@for_play
def trick(t, r, seat, lane, position):
    """The cards in the trick now; 0 when you lead."""
    return t.trick[lane] * (position > 0)


@for_play
def beats(t, r, seat, lane, position):
    """Every card of the pack that would win the trick as it lies; the whole pack when you lead."""
    return t.beats[lane] if position > 0 else t.beats[lane] | r.deck


@for_play
def position(t, r, seat, lane, position):
    """Your place in the trick, 0 leads."""
    return position


@for_play
def played(t, r, seat, lane, position):
    """Every card played in this deal, the trick now included."""
    return t.played[lane] | t.trick[lane] * (position > 0)


@for_play
def unseen(t, r, seat, lane, position):
    """Every card that you have not seen: the pack less your hand and what has been played."""
    return r.deck & ~(own(t.dealt, seat, lane) | played(t, r, seat, lane, position))


@for_play
def voids(t, r, seat, lane, position):
    """Suits, as whole masks, that each seat has failed to follow."""
    return each(t.voids, seat, lane)


@for_play
def broken(t, r, seat, lane, position):
    """1 once spades are broken, the trick now included, else 0."""
    return I(1) * ((t.broken[lane] | (trick(t, r, seat, lane, position) & SPADES & ~t.led[lane])) != 0)


@for_play
def need(t, r, seat, lane, position):
    """Your bid less the tricks that you have won."""
    return need_of(t.needs[lane], seat)


@for_play
def taken(t, r, seat, lane, position):
    """Tricks that each seat has won in this deal."""
    return each_taken(t.bids, seat, lane, t.needs[lane])


@inline_or_plain
def none_taken(t, r, seat, lane, position):
    """Tricks that each seat has won in this deal: none while bidding."""
    return each(t.taken, seat, lane)


BID_FIELDS["taken"] = none_taken


@for_play
def tricks_left(t, r, seat, lane, position):
    """Tricks still to be played, this one included."""
    return count(hand(t, r, seat, lane, position))


@for_play
def leader(t, r, seat, lane, position):
    """The seat that led to this trick, counted from you; 0 when you lead."""
    return (r.players - position) % r.players


@for_play
def winning(t, r, seat, lane, position):
    """The seat that wins the trick as it lies, counted from you; 0 when you lead."""
    places = (t.winner[lane] - seat) * (position > 0)
    return places + r.players * (places < 0)


@for_play
def cards(t, r, seat, lane, position):
    """Each seat's card in the trick now, 0 where it has none yet."""
    return each_within(t.dealt, seat, lane, trick(t, r, seat, lane, position))


@for_play
def shown(t, r, seat, lane, position):
    """All that each seat has played in this deal."""
    return each_within(t.dealt, seat, lane, played(t, r, seat, lane, position))
