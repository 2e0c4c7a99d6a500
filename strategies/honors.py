"""Add up what the cards are worth."""

from spadesim import bidder
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, QUEENS, SIDE_SUITS, SPADES, TENS, count


@bidder
def honors(
    view, *, ace=0.95, king=0.82, queen=0.65, jack=0.38, spade=0.65, spade_ace=0.99, spade_king=0.67, spade_queen=0.48,
    spade_jack=0.33, spade_ten=0.22, void=1.15, singleton=0.90, doubleton=0.53, lead=-0.42, base=-0.955,
):  # fmt: skip
    """Add measured trick values of honours, spades and short suits.

    *Bids* the sum, rounded down, at least 1. `lead` is added for the seat that bids first and so leads, `base` for all.
    *Origin*: a linear fit of tricks won on the hand, over a million deals among players who try to win every trick.
    """
    side, spades = view.hand & SIDE_SUITS, view.hand & SPADES
    total = base + ace * count(side & ACES) + king * count(side & KINGS) + queen * count(side & QUEENS)
    total += jack * count(side & JACKS) + spade * count(spades)
    total += (
        spade_ace * count(spades & ACES) + spade_king * count(spades & KINGS) + spade_queen * count(spades & QUEENS)
    )
    total += spade_jack * count(spades & JACKS) + spade_ten * count(spades & TENS)
    clubs, diamonds, hearts = count(side & CLUBS), count(side & DIAMONDS), count(side & HEARTS)
    total += void * ((clubs == 0) + (diamonds == 0) + (hearts == 0))
    total += singleton * ((clubs == 1) + (diamonds == 1) + (hearts == 1))
    total += doubleton * ((clubs == 2) + (diamonds == 2) + (hearts == 2))
    total += lead * (view.order == 0)
    return max(int(total), 1)
