"""Bid by the spades: how many, how high, and what the small ones are for."""

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, QUEENS, SIDE_SUITS, SPADES, count, highest
from spadesim.strategies.honors import for_the_table
from spadesim.strategies.nils import held_from_below


@bidder
def mirror(view):
    """Bid the number of spades, 0 included.

    *Bids* 0 … 13; without a spade that is a nil.
    *Origin*: the forced bid of mirrors games.
    """
    return allowed(view, count(view.hand & SPADES))


@bidder
def whiz(view):
    """Bid the number of spades, or nil on a hand that is held from below.

    *Bids* 0 … 13.
    *Origin*: the two bids of whiz games.
    """
    harmless = held_from_below(view.hand, (3, 6, 8), 3) & (view.nil_value > 0)
    return allowed(view, 0 if harmless else max(count(view.hand & SPADES), 1))


@bidder
def ruff_ledger(view, *, king=0.7, ruff=0.8, two=2.5, four=-0.5, five=-0.5, six=-0.5, dummy=2.0):
    """Reserve small spades for ruffs in short suits, and price the other spades by the gaps above them.

    *Bids* side aces, `king` for each guarded side king, `ruff` for each small spade that has a short suit to ruff, and
    the spades that outlast the higher ones missing; rounded down, at least 1.
    *Origin*: the ledgers of public bots, which spend no spade twice.
    """
    side, spades = view.hand & SIDE_SUITS, view.hand & SPADES
    ruffs = room(view.hand & CLUBS) + room(view.hand & DIAMONDS) + room(view.hand & HEARTS)
    small = count(spades & ~(ACES | KINGS | QUEENS | JACKS))
    ruffing = min(small, ruffs)
    kings = guarded(view.hand & CLUBS) + guarded(view.hand & DIAMONDS) + guarded(view.hand & HEARTS)
    tricks = count(side & ACES) + king * kings + ruff * ruffing + max(count(spades) - ruffing - gaps(spades), 0)
    return allowed(view, max(int(tricks + for_the_table(view, two, four, five, six, dummy)), 1))


@bidder
def spade_gaps(view, *, last=1, two=2.5, four=-0.5, five=-0.5, six=-0.5, dummy=2.0):
    """Count the spades that outlast the higher ones missing, and side aces and guarded kings.

    *Bids* their number, at least 1, and `last` more when it bids last.
    *Origin*: gap counts of public bots; whoever bids last knows how many tricks are left.
    """
    spades = view.hand & SPADES
    kings = guarded(view.hand & CLUBS) + guarded(view.hand & DIAMONDS) + guarded(view.hand & HEARTS)
    bids_last = view.order == view.players - 1 - (view.dummy >= 0)
    tricks = max(count(spades) - gaps(spades), 0) + count(view.hand & SIDE_SUITS & ACES) + kings + last * bids_last
    return allowed(view, max(int(tricks + for_the_table(view, two, four, five, six, dummy)), 1))


def gaps(spades):
    """Return the number of missing spades above one's own third highest, each of which costs a spade."""
    top = highest(spades)
    second = highest(spades ^ top)
    third = highest(spades ^ top ^ second)
    return count(SPADES & (ACES | ACES - 1) & ~spades & ~(third | third - 1)) * (third != 0) + 2 * (third == 0)


def room(suit):
    """Return the number of rounds of a side suit that one can ruff while others still follow."""
    return max(3 - count(suit), 0)


def guarded(suit):
    """Return 1 for a king with another card beside it, else 0."""
    return count(suit & KINGS) & (count(suit) > 1)
