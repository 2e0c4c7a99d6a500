"""Bid by a model that was fitted to games of our own."""

from collections import namedtuple

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, QUEENS, SPADES, TENS, count, total
from spadesim.strategies.data import read
from spadesim.strategies.honors import for_the_table

NINES = TENS >> 1
Prices = namedtuple(
    "Prices",
    "base ace king bare_king queen long_queen guarded_jack void singleton doubleton longest"
    " spade many_spades few_spades spade_ace spade_king spade_queen spade_jack spade_ten spade_nine"
    " bare_spade_king bare_spade_queen first last before_second before_last",
)
PRICES = Prices(**read("tricks")["prices"])  # in tricks, by experiments/fit_tricks.py
TWO, FOUR, FIVE, SIX, DUMMY = 2.7, -0.6, -1.2, -1.9, 1.9  # what other tables add, so that as many bids are made
BID_OF_ONE = 4.5  # roughly, of a seat that has bid


@bidder
def fitted(view, *, margin=0.9):
    """Bid what a model of the tricks that can be made with a hand leaves after a margin.

    *Bids* `tricks_of` the hand less `margin`, rounded down, at least 1.
    *Origin*: a logistic fit of whether bids were made, over deals of our own among `steady` players who bid more or
    less than they thought (experiments/fit_tricks.py); the margin is the one that won the most games.
    """
    return allowed(view, max(int(tricks_of(view) - margin), 1))


def tricks_of(view):
    """Return the bid that a seat would make half the time, by its hand, its place and the bids before it."""
    made_before = total(view.bids) + view.players - view.order  # those to come are -1
    tricks = tricks_in(view.hand, PRICES) + tricks_by_place(view.order, made_before, PRICES) * (view.players == 3)
    return tricks + for_the_table(view, TWO, FOUR, FIVE, SIX, DUMMY)


def tricks_by_place(order, made_before, prices):
    """Return what the place in the bidding of three, and the sum of the bids before it, add to the hand."""
    before = made_before - BID_OF_ONE * order
    tricks = prices.first * (order == 0) + prices.last * (order == 2)
    return tricks + (prices.before_second * (order == 1) + prices.before_last * (order == 2)) * before


def tricks_in(hand, prices):
    """Return an estimate of the tricks in a hand of 17 cards of a pack of 51; also for an array of hands."""
    clubs, diamonds, hearts, spades = hand & CLUBS, hand & DIAMONDS, hand & HEARTS, hand & SPADES
    n = count(spades)
    tricks = prices.base + tricks_in_suit(clubs, prices) + tricks_in_suit(diamonds, prices)
    tricks = tricks + tricks_in_suit(hearts, prices)
    tricks = tricks + prices.spade * n + prices.many_spades * (n - 5) * (n > 5) + prices.few_spades * (3 - n) * (n < 3)
    tricks = tricks + prices.spade_ace * count(spades & ACES) + prices.spade_king * count(spades & KINGS)
    tricks = tricks + prices.spade_queen * count(spades & QUEENS) + prices.spade_jack * count(spades & JACKS)
    tricks = tricks + prices.spade_ten * count(spades & TENS) + prices.spade_nine * count(spades & NINES)
    tricks = tricks + prices.bare_spade_king * count(spades & KINGS) * (n < 2)
    return tricks + prices.bare_spade_queen * count(spades & QUEENS) * (n < 3)


def tricks_in_suit(suit, prices):
    """Return an estimate of what a side suit adds: its honours, and its shortness for ruffs."""
    n, king, queen = count(suit), count(suit & KINGS), count(suit & QUEENS)
    tricks = prices.ace * count(suit & ACES) + prices.king * king * (n >= 2) + prices.bare_king * king * (n < 2)
    tricks = tricks + prices.queen * queen * (n >= 3) + prices.long_queen * queen * (n - 4) * (n > 4)
    tricks = tricks + prices.guarded_jack * count(suit & JACKS) * (n >= 4) + prices.longest * (n - 6) * (n > 6)
    return tricks + prices.void * (n == 0) + prices.singleton * (n == 1) + prices.doubleton * (n == 2)
