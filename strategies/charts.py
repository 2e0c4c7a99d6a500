"""Read tricks off a chart, in quarters of a trick, by honour and length of suit."""

import numpy as np

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, QUEENS, SPADES, count, total
from spadesim.strategies.honors import for_the_table

# Quarter-tricks of a side suit's ace, king and queen, by the number of cards held in it.
ACE_CHART = np.array([0, 4, 4, 4, 4, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1])
KING_CHART = np.array([0, 1, 3, 3, 3, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
QUEEN_CHART = np.array([0, 0, 1, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
SHORT_CHART = np.array([4, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])  # for ruffs, with spades to spare


@bidder
def quarter_chart(view, *, two=2.5, four=-0.5, five=-0.5, six=-0.5, dummy=2.0):
    """Add up quarter-tricks from a chart for 13-card hands, rounded down.

    *Bids* at least 1; `two` to `dummy` move it for other tables, as in `honors`.
    *Origin*: the charts of hand counts that four-handed players learn; the quarters are ours.
    """
    moved = for_the_table(view, two, four, five, six, dummy)
    return allowed(view, max(int(quarters(view.hand, 13) / 4.0 + moved), 1))


@bidder
def stretched_chart(view, *, most=16, two=2.5, four=-0.5, five=-0.5, six=-0.5, dummy=2.0):
    """Read the same chart with lengths stretched for 17 cards, and keep the total of the table down.

    *Bids* at least 1, and if possible no more than takes the table's total to `most`.
    *Origin*: a public three-handed bot that stretches a four-handed chart and caps the table.
    """
    moved = for_the_table(view, two, four, five, six, dummy)
    bid = int(quarters(view.hand, view.cards_each) / 4.0 + moved)
    made_before = total(view.bids) + view.players - view.order
    return allowed(view, max(min(bid, most - made_before), 1))


def quarters(hand, cards_each):
    """Return the quarter-tricks of a hand, its lengths read as if it had 13 cards."""
    spades = hand & SPADES
    n = count(spades)
    sides = side_quarters(hand & CLUBS, n, cards_each) + side_quarters(hand & DIAMONDS, n, cards_each)
    tops = 4 * count(spades & ACES) + 4 * count(spades & KINGS) * (n > 1) + 3 * count(spades & QUEENS) * (n > 2)
    tops += 2 * count(spades & JACKS) * (n > 3)
    return sides + side_quarters(hand & HEARTS, n, cards_each) + tops + 3 * max(n - 3, 0)


def side_quarters(suit, n_spades, cards_each):
    """Return the quarter-tricks of a side suit by the charts; short suits count with at least three spades."""
    held = count(suit)
    as_of_13 = (held * 13 + cards_each // 2) // cards_each
    short = SHORT_CHART[held] * (n_spades > 2)
    honours = ACE_CHART[as_of_13] * count(suit & ACES) + KING_CHART[as_of_13] * count(suit & KINGS)
    return honours + QUEEN_CHART[as_of_13] * count(suit & QUEENS) + short
