"""What a seat may know, a function a field; the docstring is the field's documentation.

Compiled, a kernel computes the fields that its strategy names, lane by lane. Interpreted, the same functions get arrays
of seats and lanes and give arrays. Nothing here reads another seat's hand except to tell what it has shown.
"""

import numpy as np

from spadesim.cards import count
from spadesim.engine.compile.cache import inline_or_plain
from spadesim.engine.compile.operations import all_nils, all_seats, all_seats_within, all_taken, own
from spadesim.engine.game.deal import BLIND_DECISION, decision_random, order_of
from spadesim.engine.game.dummy import DUMMY, bidder_at
from spadesim.engine.game.seats import PAIRED_HANDS
from spadesim.engine.game.tricks import breaking, need_of

I = np.int64  # noqa: E741 - short, for it stands in every line

BID_FIELDS: dict = {}
PLAY_FIELDS: dict = {}


def for_both(function):
    """Offer a field to bidders and players."""
    BID_FIELDS[function.__name__] = function
    return for_play(function)


def for_bids(function):
    """Offer a field to bidders only."""
    BID_FIELDS[function.__name__] = function
    return inline_or_plain(function)


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
    return all_seats(t.bids, seat, lane)


@for_both
def scores(t, r, seat, lane, position):
    """Points of each seat before this deal."""
    return all_seats(t.scores, seat, lane)


@for_both
def bags(t, r, seat, lane, position):
    """Bags of each seat towards its next penalty, before this deal."""
    return all_seats(t.bags, seat, lane)


@for_both
def bags_left(t, r, seat, lane, position):
    """Bags until your next penalty; about a thousand million where there is none."""
    return r.bag_limit - own(t.bags, seat, lane)


@for_both
def blind(t, r, seat, lane, position):
    """1 for each seat whose bid is a blind nil, else 0."""
    return all_seats(t.blind, seat, lane)


@for_both
def players(t, r, seat, lane, position):
    """Number of hands at the table, the dummy's included (3)."""
    return r.hands


@for_both
def cards_each(t, r, seat, lane, position):
    """Cards dealt to each seat, and so the tricks of a deal (17)."""
    return r.cards_each


@for_both
def target(t, r, seat, lane, position):
    """Points that end the game (200)."""
    return r.target


@for_both
def nil_value(t, r, seat, lane, position):
    """Points for a nil made, and lost by one failed (100); 0 where a bid of 0 is like any other."""
    return r.nil


@for_both
def blind_nil(t, r, seat, lane, position):
    """Points for a blind nil; 0 where there is none (0)."""
    return r.blind_nil


@for_both
def min_bid(t, r, seat, lane, position):
    """The lowest bid that the rules allow (0)."""
    return r.min_bid


@for_both
def overtrick(t, r, seat, lane, position):
    """Points for each trick above the bid (1)."""
    return r.overtrick


@for_both
def set_points(t, r, seat, lane, position):
    """Points for each trick bid when the bid is missed (-10)."""
    return r.set_points


@for_both
def bag_limit(t, r, seat, lane, position):
    """Bags that bring a penalty (10); 0 where none do."""
    return r.bag_limit * (r.penalties_max > 0)


@for_both
def bag_penalty(t, r, seat, lane, position):
    """Points that a bag penalty costs (100)."""
    return r.bag_penalty


@for_both
def order(t, r, seat, lane, position):
    """Your place in the bidding, 0 bids first."""
    return order_of(seat, t.dealer[lane], r.players)


@inline_or_plain
def order_in_play(t, r, seat, lane, position):
    """Your place in the bidding, 0 bids first."""
    if t.dealt.shape[0] != PAIRED_HANDS or r.dummy == 0:
        return order_of(seat, t.dealer[lane], r.players)
    return order_of(bidder_at(seat, t.declarer[lane]), t.dealer[lane], r.players)


PLAY_FIELDS["order"] = order_in_play


@for_both
def partner(t, r, seat, lane, position):
    """The seat that plays on your side, counted from you; -1 where there is none (-1)."""
    return 2 if r.paired > 0 else -1


@inline_or_plain
def partner_in_bidding(t, r, seat, lane, position):
    """The seat that plays on your side, counted from you; -1 where there is none, or none yet (-1)."""
    return 2 if r.partnership > 0 else -1


BID_FIELDS["partner"] = partner_in_bidding


@for_bids
def bid_low(t, r, seat, lane, position):
    """The lowest bid that you may make (0)."""
    return r.min_bid


@for_bids
def bid_high(t, r, seat, lane, position):
    """The highest bid that you may make (17)."""
    return r.cards_each


@for_bids
def bid_not(t, r, seat, lane, position):
    """The bid that you may not make, as it would bring the total to the number of tricks; -1 where all go (-1)."""
    return t.bid_not[lane]


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
    """Every card that you have not seen: the pack less your hand, open hands and what has been played."""
    return r.deck & ~(seen_hands(t, seat, lane) | played(t, r, seat, lane, position))


@inline_or_plain
def unseen_in_bidding(t, r, seat, lane, position):
    """Every card of the pack but your own."""
    return r.deck & ~own(t.dealt, seat, lane)


BID_FIELDS["unseen"] = unseen_in_bidding


@inline_or_plain
def seen_hands(t, seat, lane):
    """Put together the hands that a seat can see, as dealt: its own, the dummy's, and for the dummy its declarer's."""
    seen = own(t.dealt, seat, lane) | t.face_up[lane]
    if t.dealt.shape[0] == PAIRED_HANDS:
        seen = seen | own(t.dealt, seat ^ 2, lane) * (t.dummy[lane] == seat)
    return seen


@for_play
def dummy(t, r, seat, lane, position):
    """The seat of the dummy's hand, counted from you; -1 where there is none (-1)."""
    places = t.dummy[lane] - seat
    return (places + r.hands * (places < 0)) * r.dummy - (r.dummy == 0)


@inline_or_plain
def empty_seat(t, r, seat, lane, position):
    """The seat of the dummy's hand, counted from you; -1 where there is none (-1)."""
    return (DUMMY - seat) * r.dummy - (r.dummy == 0)


BID_FIELDS["dummy"] = empty_seat


@for_play
def open(t, r, seat, lane, position):
    """What each seat holds as far as you may see it: your own hand, the dummy's, and for the dummy its declarer's."""
    gone = played(t, r, seat, lane, position)
    return all_seats_within(t.dealt, seat, lane, ~gone & seen_hands(t, seat, lane))


@for_play
def voids(t, r, seat, lane, position):
    """Suits, as whole masks, that each seat has failed to follow."""
    return all_seats(t.voids, seat, lane)


@for_play
def voids_behind(t, r, seat, lane, position):
    """The suits that somebody still to play to this trick has failed to follow; when you lead, anybody."""
    hands = t.dealt.shape[0]
    last = hands - position
    suits = t.played[lane] * 0
    for i in range(1, hands):
        suits = suits | own(t.voids, seat_after(seat, i, hands), lane) * (i < last)
    return suits


@for_play
def broken(t, r, seat, lane, position):
    """1 once spades are broken, the trick now included, else 0."""
    now = breaking(trick(t, r, seat, lane, position), t.led[lane], r.breaks_when_led)
    return I(1) * ((t.broken[lane] | now) != 0)


@for_play
def need(t, r, seat, lane, position):
    """Your bid less the tricks won, by your side where you have a partner; 0 while your nil is alive."""
    if t.dealt.shape[0] != PAIRED_HANDS:  # known when this is compiled
        return need_of(t.needs[lane], seat)
    needs, of_side = t.needs[lane], t.side_needs[lane]
    return need_of(of_side * r.paired + needs * (1 - r.paired), seat)


@for_play
def others_need(t, r, seat, lane, position):
    """Tricks that the others, or the other side, still need together; one that has its own counts 0."""
    hands = t.dealt.shape[0]
    if hands != PAIRED_HANDS:
        return sum_of_needs(t.needs[lane], seat, hands)
    left = above_zero(need_of(t.side_needs[lane], seat_after(seat, 1, hands)))
    right = above_zero(need_of(t.side_needs[lane], seat_after(seat, 3, hands)))
    of_side = left + above_zero(right - left)  # the higher, where two defenders bid for themselves
    return of_side * r.paired + sum_of_needs(t.needs[lane], seat, hands) * (1 - r.paired)


@inline_or_plain
def sum_of_needs(needs, seat, hands):
    """Add up what the other seats still need."""
    total = needs * 0
    for i in range(1, hands):
        total = total + above_zero(need_of(needs, seat_after(seat, i, hands)))
    return total


@inline_or_plain
def seat_after(seat, places, hands):
    """Find the seat so many places to the left."""
    there = seat + places
    return there - hands * (there >= hands)


@inline_or_plain
def above_zero(number):
    """Keep a number that is not negative, else 0; arrays too."""
    return number * (number > 0)


@for_play
def nils(t, r, seat, lane, position):
    """1 for each seat whose nil is alive, else 0."""
    return all_nils(t.bids, seat, lane, t.needs[lane], r.nil)


@for_play
def taken(t, r, seat, lane, position):
    """Tricks that each seat has won in this deal."""
    return all_taken(t.bids, seat, lane, t.needs[lane])


@inline_or_plain
def none_taken(t, r, seat, lane, position):
    """Tricks that each seat has won in this deal: none while bidding."""
    return all_seats(t.taken, seat, lane)


BID_FIELDS["taken"] = none_taken


@for_play
def tricks_left(t, r, seat, lane, position):
    """Tricks still to be played, this one included."""
    return count(hand(t, r, seat, lane, position))


@for_play
def leader(t, r, seat, lane, position):
    """The seat that led to this trick, counted from you; 0 when you lead."""
    return (r.hands - position) % r.hands


@for_play
def winning(t, r, seat, lane, position):
    """The seat that wins the trick as it lies, counted from you; 0 when you lead."""
    places = (t.winner[lane] - seat) * (position > 0)
    return places + r.hands * (places < 0)


@for_play
def cards(t, r, seat, lane, position):
    """Each seat's card in the trick now, 0 where it has none yet."""
    return all_seats_within(t.dealt, seat, lane, trick(t, r, seat, lane, position))


@for_play
def shown(t, r, seat, lane, position):
    """All that each seat has played in this deal."""
    return all_seats_within(t.dealt, seat, lane, played(t, r, seat, lane, position))


@for_both
def rules(t, r, seat, lane, position):
    """The rules as the engine has them, for `spadesim.search`."""
    return r


@inline_or_plain
def random_when_blind(t, r, seat, lane, position):
    """63 random bits, other ones than for the bid."""
    return decision_random(t.deal_key0[lane], t.deal_key1[lane], seat, BLIND_DECISION)


# What is known before the cards are looked at.
OF_CARDS = {"hand", "unseen"}
BLIND_FIELDS = {name: field for name, field in BID_FIELDS.items() if name not in OF_CARDS}
BLIND_FIELDS["random"] = random_when_blind
