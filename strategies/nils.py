"""Decide whether to bid nil."""

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, PACK, QUEENS, SPADES, TENS, count
from spadesim.strategies.honors import honors

LOW = PACK & ~(ACES | KINGS | QUEENS | JACKS | TENS | TENS >> 1 | TENS >> 2)  # two to seven
HIGH = ACES | KINGS | QUEENS | JACKS


@bidder
def nil_tips(view, *, spades=3):
    """Bid nil on a harmless hand, else as `honors`.

    *Bids* 0 where there is no ace, no spade above the ten, no more than `spades` spades, and in every suit at least as
    many low cards (up to the seven) as high ones (from the jack).
    *Origin*: a German rules page's advice on when to dare a nil alone against two; the limits are ours.
    """
    held = view.hand & SPADES
    tame = (view.hand & ACES == 0) & (held & HIGH == 0) & (count(held) <= spades)
    tame = (
        tame
        & has_low_cards(view.hand & CLUBS)
        & has_low_cards(view.hand & DIAMONDS)
        & has_low_cards(view.hand & HEARTS)
    )
    return allowed(view, 0) if tame & (view.nil_value > 0) else honors(view)


def has_low_cards(suit):
    """Tell whether a suit has at least as many low cards as high ones."""
    return count(suit & LOW) >= count(suit & HIGH)
