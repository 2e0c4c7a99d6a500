"""The dummy's hand (R8): it lies opposite the declarer, who is known only when all have bid.

While bidding, rows 0 to 2 of a batch are the three seats and row 3 is the empty one. For the play the rows are put
into the order of the turns, declarer, defender, dummy, defender, so that nothing in the play has to know of the dummy;
for the scoring they are put back. Seat 0 keeps its row, and so the dummy goes to row 2, 3 or 1 with declarer 0, 1 or 2.
"""

import numpy as np

from spadesim.engine.compile.cache import inline, inline_or_plain, kernel
from spadesim.engine.compile.operations import never_inline, own
from spadesim.engine.game.lanes import LANES
from spadesim.engine.game.tricks import seat_to_act

I = np.int64  # noqa: E741 - short, for it stands in every line
SEATS, DUMMY = 3, 3  # bots at the table; the row of the dummy's hand, and its seat in reports


@inline_or_plain
def place_of_dummy(declarer):
    """Return the place of the dummy's hand in the play."""
    return (declarer + 1) % SEATS + 1


@inline_or_plain
def declarer_of(place):
    """Return who is declarer when the dummy's hand is at this place."""
    return (place + 1) % SEATS


@inline_or_plain
def seat_at(place, declarer):
    """Return whose hand is at a place in the play; 3 is the dummy's."""
    dummy = place_of_dummy(declarer)
    return DUMMY if place == dummy else place - (place > dummy)


@inline_or_plain
def bidder_at(place, declarer):
    """Return whose bid the hand at a place is played for: a seat's own, or the declarer's for the dummy."""
    dummy = place_of_dummy(declarer)
    return (place - (place > dummy)) * (place != dummy) + declarer * (place == dummy)


@kernel
def lay_dummy(t, r):
    """Find the declarer, the highest bidder and the first of equals, and put the rows into the order of the turns."""
    never_inline()
    for lane in range(LANES):
        declarer, most = I(0), I(-1)
        for order in range(SEATS):
            seat = seat_to_act(t, lane, order, SEATS)
            bid = own(t.bids, seat, lane)
            declarer = seat if bid > most else declarer
            most = max(bid, most)
        dummy = place_of_dummy(declarer)
        leader = t.leader[lane]
        t.declarer[lane] = declarer
        t.dummy[lane] = dummy
        t.leader[lane] = t.winner[lane] = leader + I(leader >= dummy)
        t.face_up[lane] = 0
        t.dealt[1, lane], t.dealt[2, lane], t.dealt[3, lane] = to_places(
            dummy, t.dealt[1, lane], t.dealt[2, lane], t.dealt[3, lane]
        )
        # the dummy is played for the declarer's bid, by its player
        t.bids[1, lane], t.bids[2, lane], t.bids[3, lane] = to_places(
            dummy, t.bids[1, lane], t.bids[2, lane], own(t.bids, declarer, lane)
        )
        t.blind[1, lane], t.blind[2, lane], t.blind[3, lane] = to_places(
            dummy, t.blind[1, lane], t.blind[2, lane], own(t.blind, declarer, lane)
        )
        t.scores[1, lane], t.scores[2, lane], t.scores[3, lane] = to_places(
            dummy, t.scores[1, lane], t.scores[2, lane], own(t.scores, declarer, lane)
        )
        t.bags[1, lane], t.bags[2, lane], t.bags[3, lane] = to_places(
            dummy, t.bags[1, lane], t.bags[2, lane], own(t.bags, declarer, lane)
        )
        t.bots[1, lane], t.bots[2, lane], t.bots[3, lane] = to_places(
            dummy, t.bots[1, lane], t.bots[2, lane], own(t.bots, declarer, lane)
        )
        t.players[1, lane], t.players[2, lane], t.players[3, lane] = to_places(
            dummy, t.players[1, lane], t.players[2, lane], own(t.players, declarer, lane)
        )


@kernel
def show_dummy(t):
    """Turn the dummy face up."""
    never_inline()
    for lane in range(LANES):
        t.face_up[lane] = own(t.dealt, t.dummy[lane], lane)


@kernel
def take_up_dummy(t):
    """Put the rows back: what the dummy's hand cost, the declarer pays."""
    never_inline()
    for lane in range(LANES):
        declarer, dummy = t.declarer[lane], t.dummy[lane]
        t.dealt[1, lane], t.dealt[2, lane], t.dealt[3, lane] = to_seats(
            dummy, t.dealt[1, lane], t.dealt[2, lane], t.dealt[3, lane]
        )
        t.taken[1, lane], t.taken[2, lane], t.taken[3, lane] = to_seats(
            dummy, t.taken[1, lane], t.taken[2, lane], t.taken[3, lane]
        )
        t.reneges[1, lane], t.reneges[2, lane], t.reneges[3, lane] = to_seats(
            dummy, t.reneges[1, lane], t.reneges[2, lane], t.reneges[3, lane]
        )
        t.bids[1, lane], t.bids[2, lane], t.bids[3, lane] = to_seats(
            dummy, t.bids[1, lane], t.bids[2, lane], t.bids[3, lane]
        )
        t.blind[1, lane], t.blind[2, lane], t.blind[3, lane] = to_seats(
            dummy, t.blind[1, lane], t.blind[2, lane], t.blind[3, lane]
        )
        t.scores[1, lane], t.scores[2, lane], t.scores[3, lane] = to_seats(
            dummy, t.scores[1, lane], t.scores[2, lane], t.scores[3, lane]
        )
        t.bags[1, lane], t.bags[2, lane], t.bags[3, lane] = to_seats(
            dummy, t.bags[1, lane], t.bags[2, lane], t.bags[3, lane]
        )
        t.bots[1, lane], t.bots[2, lane], t.bots[3, lane] = to_seats(
            dummy, t.bots[1, lane], t.bots[2, lane], t.bots[3, lane]
        )
        t.players[1, lane], t.players[2, lane], t.players[3, lane] = to_seats(
            dummy, t.players[1, lane], t.players[2, lane], t.players[3, lane]
        )
        for seat in range(SEATS):
            t.reneges[seat, lane] += t.reneges[DUMMY, lane] * I(seat == declarer)
        t.winner[lane] = seat_at(t.winner[lane], declarer)
        t.face_up[lane] = 0
        empty_seat(t, lane)


@inline
def empty_seat(t, lane):
    """Let the empty seat look as it does while others bid."""
    t.bids[DUMMY, lane] = -1
    t.blind[DUMMY, lane] = 0
    t.scores[DUMMY, lane] = 0
    t.bags[DUMMY, lane] = 0


@inline
def to_places(dummy, one, two, last):
    """Put what the dummy's hand has, `last`, between what seats 1 and 2 have."""
    return (
        last if dummy == 1 else one,
        last if dummy == 2 else one if dummy == 1 else two,
        last if dummy == 3 else two,
    )


@inline
def to_seats(dummy, one, two, three):
    """Put it behind the others again."""
    return (
        two if dummy == 1 else one,
        two if dummy == 3 else three,
        one if dummy == 1 else two if dummy == 2 else three,
    )
