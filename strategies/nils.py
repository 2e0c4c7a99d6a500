"""Decide whether to bid nil: gates, which may be put before any bidder, and the bidders that they make."""

from collections import namedtuple
from math import log

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, PACK, QUEENS, SPADES, TENS, count, lowest
from spadesim.strategies.data import read
from spadesim.strategies.fitted import fitted, tricks_of
from spadesim.strategies.honors import honors

LOW = PACK & ~(ACES | KINGS | QUEENS | JACKS | TENS | TENS >> 1 | TENS >> 2)  # two to seven
HIGH = ACES | KINGS | QUEENS | JACKS
NilOdds = namedtuple(
    "NilOdds",
    "base spade spade_ace spade_king spade_queen spade_jack spade_ten low_one low_two low_more second third void"
    " singleton first last",
)
ODDS = NilOdds(**read("nil")["odds"])  # log odds of making a nil, by experiments/fit_nil.py


@bidder
def nil_tips(view, *, spades=3):
    """Bid nil on a harmless hand, else as `honors`.

    *Bids* 0 where there is no ace, no spade above the ten, no more than `spades` spades, and in every suit at least as
    many low cards (up to the seven) as high ones (from the jack).
    *Origin*: a German rules page's advice on when to risk a nil alone against two; the limits are ours.
    """
    tame = (view.hand & ACES == 0) & (view.hand & SPADES & HIGH == 0) & (count(view.hand & SPADES) <= spades)
    return nil_or(view, tame & low_against_high(view.hand, HIGH), honors(view))


@bidder
def nil_veto(view, *, spades=3, high=5):
    """Bid nil unless something rules it out, else as `fitted`.

    *Bids* 0 without ♠A and ♠K, a side suit without a card up to the seven, more than `spades` spades or more than
    `high` cards from the jack up.
    *Origin*: the veto lists of public bots.
    """
    return nil_or(view, not_vetoed(view.hand, spades, high), fitted(view))


@bidder
def nil_balance(view, *, spades=3):
    """Bid nil where the low cards of every suit balance the high ones, else as `fitted`.

    *Bids* 0 without ♠A and ♠K, with at most `spades` spades, and in every side suit at least as many cards up to the
    seven as from the nine up.
    *Origin*: the low-against-high tests of public bots.
    """
    harmless = (view.hand & SPADES & (ACES | KINGS) == 0) & (count(view.hand & SPADES) <= spades)
    return nil_or(view, harmless & low_against_high(view.hand, HIGH | TENS | TENS >> 1), fitted(view))


@bidder
def nil_strict(view, *, lowest_up_to=5, second_up_to=8, third_up_to=10, spades=3):
    """Bid nil where every suit is held from below, else as `fitted`.

    *Bids* 0 without ♠A and ♠K, with at most `spades` spades, and with a lowest, second and third card of every suit no
    higher than these ranks (2 is a two, 11 a jack).
    *Origin*: the strict-lengths test whose success was measured against players that do not hunt: 82 %.
    """
    limits = (lowest_up_to - 2, second_up_to - 2, third_up_to - 2)
    return nil_or(view, held_from_below(view.hand, limits, spades), fitted(view))


@bidder
def nil_fitted(view, *, chance=0.45, up_to=4.2):
    """Bid nil where a fitted chance of making it is high enough, else as `fitted`.

    *Bids* 0 on hands worth no more than `up_to` tricks of which `nil_odds` says that at least `chance` are made.
    *Origin*: a logistic fit over nils of our own, hunted by `steady` players (experiments/fit_nil.py); a nil against a
    safe bid of four breaks even at .64, against a poor hand sooner.
    """
    good = nil_odds(view.hand, view.order, ODDS) > log(chance / (1.0 - chance))
    return nil_or(view, good & (tricks_of(view) <= up_to) & (view.players == 3), fitted(view))


def nil_or(view, good, bid):
    """Return nil if the hand is good for it and the rules have it, else the bid."""
    return allowed(view, 0) if good & (view.nil_value > 0) else bid


def not_vetoed(hand, spades, high):
    """Return whether nothing on the list rules out a nil."""
    tops = (hand & SPADES & (ACES | KINGS) == 0) & (count(hand & SPADES) <= spades) & (count(hand & HIGH) <= high)
    return tops & not_bare(hand & CLUBS) & not_bare(hand & DIAMONDS) & not_bare(hand & HEARTS)


def not_bare(suit):
    """Return whether a side suit has a card up to the seven if it has any."""
    return (suit == 0) | (suit & LOW != 0)


def low_against_high(hand, high):
    """Return whether every side suit has at least as many low cards as high ones."""
    return balanced(hand & CLUBS, high) & balanced(hand & DIAMONDS, high) & balanced(hand & HEARTS, high)


def balanced(suit, high):
    """Return whether one suit has at least as many low cards as high ones."""
    return count(suit & LOW) >= count(suit & high)


def held_from_below(hand, limits, spades):
    """Return whether the three lowest cards of every suit are low enough, and the spades few and low."""
    tame = (count(hand & SPADES) <= spades) & (hand & SPADES & (ACES | KINGS) == 0)
    sides = from_below(hand & CLUBS, CLUBS, limits) & from_below(hand & DIAMONDS, DIAMONDS, limits)
    return tame & sides & from_below(hand & HEARTS, HEARTS, limits) & from_below(hand & SPADES, SPADES, limits)


def from_below(suit, places, limits):
    """Return whether a suit's lowest, second and third card have no more lower ranks than the limits."""
    second = suit & (suit - 1)
    third = second & (second - 1)
    first_low = (suit == 0) | (ranks_below(suit, places) <= limits[0])
    return first_low & low_enough(second, places, limits[1]) & low_enough(third, places, limits[2])


def low_enough(suit, places, limit):
    """Return whether a suit's lowest card, if there is one, has no more lower ranks than the limit."""
    return (suit == 0) | (ranks_below(suit, places) <= limit)


def ranks_below(suit, places):
    """Return the number of ranks below the lowest card of a suit; `places` is the whole suit."""
    return count((lowest(suit) - 1) & places)


def nil_odds(hand, order, odds):
    """Return an estimate of the log odds of making a nil among three; also for arrays of hands."""
    spades = hand & SPADES
    sum_ = odds.base + odds.spade * count(spades) + odds.first * (order == 0) + odds.last * (order == 2)
    sum_ = sum_ + odds.spade_ace * count(spades & ACES) + odds.spade_king * count(spades & KINGS)
    sum_ = sum_ + odds.spade_queen * count(spades & QUEENS) + odds.spade_jack * count(spades & JACKS)
    sum_ = sum_ + odds.spade_ten * count(spades & TENS)
    sum_ = sum_ + odds_of_suit(hand & CLUBS, CLUBS & PACK & ~(CLUBS & -CLUBS), odds)  # clubs have no two among three
    return sum_ + odds_of_suit(hand & DIAMONDS, DIAMONDS, odds) + odds_of_suit(hand & HEARTS, HEARTS, odds)


def odds_of_suit(suit, places, odds):
    """Return an estimate of what a side suit adds, by the cards out below its lowest, second and third card."""
    second = suit & (suit - 1)
    third = second & (second - 1)
    below, below_second = ranks_below(suit, places) * (suit != 0), ranks_below(second, places) * (second != 0)
    below_third = ranks_below(third, places) * (third != 0)
    sum_ = odds.low_one * (below == 1) + odds.low_two * (below == 2) + odds.low_more * (below - 2) * (below > 2)
    sum_ = sum_ + odds.second * (below_second - 3) * (below_second > 3)
    sum_ = sum_ + odds.third * (below_third - 5) * (below_third > 5)
    return sum_ + odds.void * (suit == 0) + odds.singleton * ((suit != 0) & (second == 0))
