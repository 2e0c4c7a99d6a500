"""Add up what the cards are worth."""

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, QUEENS, SIDE_SUITS, SPADES, TENS, count


@bidder(
    bounds={
        "ace": (0.6, 1.2), "king": (0.4, 1.1), "queen": (0.2, 0.9), "jack": (0.0, 0.7), "spade": (0.3, 0.9),
        "spade_ace": (0.4, 1.3), "spade_king": (0.3, 1.1), "spade_queen": (0.1, 0.9), "spade_jack": (0.0, 0.7),
        "spade_ten": (0.0, 0.6), "void": (0.0, 1.8), "singleton": (0.0, 1.4), "doubleton": (0.0, 1.0),
        "lead": (-1.0, 0.3), "base": (-2.5, 0.5),
    }
)  # fmt: skip
def honors(
    view, *, ace=0.95, king=0.82, queen=0.65, jack=0.38, spade=0.65, spade_ace=0.99, spade_king=0.67, spade_queen=0.48,
    spade_jack=0.33, spade_ten=0.22, void=1.15, singleton=0.90, doubleton=0.53, lead=-0.42, base=-0.955,
    two=2.5, four=-1.15, five=-2.0, six=-2.5, dummy=1.4,
):  # fmt: skip
    """Add measured trick values of honours, spades and short suits.

    *Bids* the sum, rounded down, at least 1. `lead` is added for the seat that bids first and so leads, `base` for all;
    `two` to `six` with that many players, `dummy` where the bid is for two hands.
    *Origin*: a linear fit of tricks won on the hand, over a million three-handed deals among players who try to win
    every trick; for other tables moved so that the average hand bids about half a trick less than it wins.
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
    total += lead * (view.order == 0) + for_the_table(view, two, four, five, six, dummy)
    return allowed(view, max(int(total), 1))


def for_the_table(view, two, four, five, six, dummy):
    """Return by how much a bid made for three hands is moved where there are more or fewer."""
    if view.dummy >= 0:
        return dummy
    few = two if view.players == 2 else 0.0
    many = four if view.players == 4 else five if view.players == 5 else six
    return few if view.players <= 3 else many
