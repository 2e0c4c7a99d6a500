"""What one seat sees in a state made by hand: the lanes are the engine's own, and its view functions read them.

So nothing about a view is written twice, and authors' tests, `spadesim bid` and games see the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from spadesim.cards import SPADES, union
from spadesim.engine.game.dummy import DUMMY, bidder_at, declarer_of
from spadesim.engine.game.lanes import BYTE, NEEDS_ZERO, new_lanes
from spadesim.engine.game.tricks import forbid_total, legal_first_lead, legal_lead, note_voids, share_needs, take_cards
from spadesim.engine.game.views import BID_FIELDS, PLAY_FIELDS
from spadesim.engine.kernels.interpret import read_view
from spadesim.rules import Rules


@dataclass(frozen=True)
class SeatState:
    """What a seat knows, by seat counted from itself; cards and suits as masks.

    Attributes
    ----------
    hand
        The cards that it still holds.
    bids
        -1 where a bid is still to come.
    shown
        The cards of earlier tricks.
    voids
        The suits that each has failed to follow in earlier tricks.
    opened
        What lies open of the others' hands.
    trick
        The cards in the trick now, in the order played.
    order
        The place in the bidding of whoever answers: a seat, or for the dummy's hand its declarer.
    dummy
        The seat of the dummy's hand; -1 where there is none, or it does not matter which it is.
    broken
        Whether spades were broken in earlier tricks.
    random
        What the view shows as the decision's random bits.
    """

    hand: int
    bids: Sequence[int]
    taken: Sequence[int]
    scores: Sequence[int]
    bags: Sequence[int]
    blind: Sequence[int]
    shown: Sequence[int]
    voids: Sequence[int]
    opened: Sequence[int]
    trick: Sequence[int]
    order: int
    dummy: int = -1
    broken: bool = False
    random: int = 0

    @property
    def bidding(self) -> bool:
        """Whether the seat is yet to bid; a card on the table says that it has, whatever the bids are."""
        return self.bids[0] < 0 and not self.trick and not any(self.shown) and not any(self.opened)


def view_of(state: SeatState, rules: Rules, table: np.ndarray) -> SimpleNamespace:
    """Make the view of a seat, with all fields of bidders and players; `table` is a record with the rules set.

    The fields of the other role are such as they can be: what a bidder may lead, which bids a player could have made.
    """
    lanes, me, position = new_lanes(rules, 1), row_of(state, rules), len(state.trick)
    with np.errstate(over="ignore"):  # uncompiled, hashes wrap around on purpose
        set_up_lanes(lanes, state, rules, me)
        if state.bids[0] < 0 and rules.bid_total_not is not None:
            forbid_total(lanes[0], table[0], state.order)
        lead_or_follow(lanes, state, table)
        fields = PLAY_FIELDS | BID_FIELDS if state.bidding else BID_FIELDS | PLAY_FIELDS
        view = read_view(fields, lanes, table, me, position)
    view.random = state.random  # in a game a hash of the deal's key, which goes only one way
    return view


def row_of(state: SeatState, rules: Rules) -> int:
    """Choose the row of the seat; the others follow in their order.

    While bidding with a dummy, the empty seat has the last row. In the play the dummy's hand is never in the first.
    """
    if not rules.dummy:
        return 0
    if state.bidding:
        return DUMMY - state.dummy if state.dummy > 0 else state.order
    return rules.hands - 1 if state.dummy == 0 else 0


def set_up_lanes(lanes: np.ndarray, state: SeatState, rules: Rules, me: int) -> None:
    """Write the state before the trick now into all lanes, each the same."""
    t, hands, position = lanes[0], rules.hands, len(state.trick)
    in_trick = [0] * hands
    for place, card in enumerate(state.trick):
        in_trick[place - position] = card
    held = [state.hand, *state.opened[1:]]
    dealt = [union(parts) for parts in zip(held, state.shown, in_trick, strict=True)]
    by_seat = {name: getattr(state, name) for name in ("bids", "taken", "scores", "bags", "blind", "voids")}
    for name, values in (by_seat | {"dealt": dealt}).items():
        for i, value in enumerate(values):
            t[name][(me + i) % hands] = value
    t["needs"], t["first_needs"] = packed(t["bids"] - t["taken"]), packed(t["bids"])
    t["played"] = union(tuple(state.shown))
    t["leader"] = t["winner"] = (me - position) % hands
    t["broken"] = SPADES if state.broken or rules.spades_break == "free" else 0
    t["face_up"] = union([cards for cards, opened in zip(dealt, state.opened, strict=True) if opened])
    bidder = me
    if rules.dummy and not state.bidding:
        t["dummy"] = dummy = (me + state.dummy) % hands
        t["declarer"] = declarer = declarer_of(dummy)
        bidder = bidder_at(me, declarer)
    t["dealer"] = (bidder - state.order - 1) % rules.players


def packed(needs: np.ndarray) -> np.ndarray:
    """Pack one number a seat into one a lane, as the lanes have it."""
    together: np.ndarray = np.sum([(of_seat + NEEDS_ZERO) << BYTE * seat for seat, of_seat in enumerate(needs)], axis=0)
    return together


def lead_or_follow(lanes: np.ndarray, state: SeatState, table: np.ndarray) -> None:
    """Play the cards of the trick now, and find what the seat may play."""
    t, r = lanes[0], table[0]
    for place, card in enumerate(state.trick):
        t["legal"] = t["answer"] = card
        take_cards(t, r, place)
    if state.trick:
        note_voids(t)
    elif any(state.shown) or state.broken:
        t["legal"] = legal_lead(state.hand, int(t["broken"][0]))
    else:
        t["legal"] = legal_first_lead(state.hand, r["opening"], r["broken_at_first"])
    if r["paired"] != 0:
        share_needs(t, r)
