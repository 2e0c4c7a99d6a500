"""Price side honours by the chance that nobody ruffs them."""

from math import comb

import numpy as np

from spadesim import bidder
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, KINGS, QUEENS, SPADES, count

HAND, OTHERS = 17, 34


def safe_chance(held: int, round_number: int, suit_cards: int = 13) -> float:
    """Compute the chance that both others still follow in this round of a suit of which one holds `held` cards.

    The cards outside, `suit_cards - held`, lie among the 34 of the two others, 17 each: hypergeometric.
    """
    outside = suit_cards - held
    fitting = range(max(round_number, outside - HAND), min(HAND, outside - round_number) + 1)
    return sum(comb(outside, k) * comb(OTHERS - outside, HAND - k) for k in fitting) / comb(OTHERS, HAND)


# SAFE[r, c]: the honour that wins round r (1 the ace, 2 the king, 3 the queen) in a 13-card suit with c cards held; it
# needs r - 1 lower cards to wait with. A suit of 12 cards with c held is as a suit of 13 with c + 1.
SAFE = np.array([[safe_chance(c, r) if r and c >= r else 0.0 for c in range(15)] for r in range(4)])


@bidder
def ruff_safe(view, *, spade=0.65, spade_high=0.45, margin=0.9):
    """Add the chances that side honours live to win their round, and a price for every spade.

    *Bids* the sum less `margin`, rounded down, at least 1; `spade` for each spade and `spade_high` more for the ace,
    king and queen of spades.
    *Origin*: the exact hypergeometric ruff table; the prices of spades are a round version of the measured ones.
    """
    spades = view.hand & SPADES
    total = spade * count(spades) + spade_high * count(spades & (ACES | KINGS | QUEENS)) - margin
    total += (
        suit_tricks(view.hand & CLUBS, 1) + suit_tricks(view.hand & DIAMONDS, 0) + suit_tricks(view.hand & HEARTS, 0)
    )
    return max(int(total), 1)


def suit_tricks(cards, missing):
    """Add the chances of a side suit's honours; `missing` cards of the 13 are out of play."""
    held = count(cards)
    length = held + missing
    tricks = SAFE[1, length] * count(cards & ACES)
    tricks += SAFE[2, length] * count(cards & KINGS) * (held >= 2)
    return tricks + SAFE[3, length] * count(cards & QUEENS) * (held >= 3)
