"""The simplest strategies: yardsticks that others are measured against."""

from spadesim import bidder, player
from spadesim.bids import allowed
from spadesim.cards import ACES, SPADES, count, nth
from spadesim.cards import highest as highest_of
from spadesim.cards import lowest as lowest_of


@bidder
def fixed(view, *, bid=4):
    """Bid the same number whatever the hand.

    *Bids* `bid`; 0 is nil, and 18 is a fault, for trying out what happens then.
    *Origin*: the constant bidder of every test bench.
    """
    return bid


@bidder
def quick(view):
    """Count half the spades, every side ace, and one for luck.

    *Bids* 1 … 10 or so, never nil.
    *Origin*: the short count that players are taught first.
    """
    return allowed(view, count(view.hand & SPADES) // 2 + count(view.hand & ACES & ~SPADES) + 1)


@bidder
def spade_count(view):
    """Count the spades and nothing else; at least 1.

    *Bids* 1 … 13.
    *Origin*: the forced bid of whiz and mirrors games.
    """
    return allowed(view, max(count(view.hand & SPADES), 1))


@player
def random_legal(view):
    """Play any legal card, each as likely as the others.

    *Plays* without looking at anything.
    *Origin*: the zero point of every scale.
    """
    return nth(view.legal, ((view.random >> 31) * count(view.legal)) >> 32)


@player
def lowest(view):
    """Play the lowest legal card, clubs before spades.

    *Plays* to lose tricks, roughly.
    *Origin*: a yardstick.
    """
    return lowest_of(view.legal)


@player
def highest(view):
    """Play the highest legal card, spades before clubs.

    *Plays* to win tricks, roughly.
    *Origin*: a yardstick.
    """
    return highest_of(view.legal)


@player
def need_or_duck(view):
    """Win as cheaply as possible while tricks are needed, then stay under.

    *Plays* the highest card on lead and the cheapest winner when following while its bid is not made; afterwards the
    lowest card on lead and the highest loser.
    *Origin*: the plainest player that knows its contract.
    """
    if view.position == 0:
        return highest_of(view.legal) if view.need > 0 else lowest_of(view.legal)
    winners = view.legal & view.beats
    losers = view.legal & ~view.beats
    if view.need > 0 and winners != 0:
        return lowest_of(winners)
    return highest_of(losers) if losers != 0 else highest_of(view.legal)
