"""Price side honours by the chance that nobody ruffs them."""

from math import comb

import numpy as np

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, KINGS, QUEENS, SPADES, count
from spadesim.strategies.honors import for_the_table

HANDS = {2: 17, 3: 17, 4: 13, 5: 10, 6: 8}  # cards per hand, by the number of hands
PACK = {2: 51, 3: 51, 4: 52, 5: 50, 6: 48}


def safe_chance(held: int, round_number: int, hands: int = 3, suit_cards: int = 13) -> float:
    """Return the chance that all others still follow in this round of a suit of which one holds `held` cards.

    The other cards of the suit, `suit_cards - held`, may be anywhere among the cards that one does not hold:
    hypergeometric.
    """
    size, unknown, outside = HANDS[hands], PACK[hands] - HANDS[hands], suit_cards - held
    ways = {outside: 1}  # cards of the suit still to be placed -> ways to fill the hands so far
    left = unknown
    for _ in range(hands - 1):
        filled: dict[int, int] = {}
        for still, n in ways.items():
            for k in range(round_number, min(size, still) + 1):
                filled[still - k] = filled.get(still - k, 0) + n * comb(still, k) * comb(left - still, size - k)
        ways, left = filled, left - size
    return sum(ways.values()) / deals(unknown, size, hands - 1)


def deals(unknown: int, size: int, hands: int) -> int:
    """Return the number of ways to deal this many hands."""
    return comb(unknown, size) * (deals(unknown - size, size, hands - 1) if hands > 1 else 1)


# SAFE[n, r, c]: among n hands, the honour that wins round r (1 the ace, 2 the king, 3 the queen) in a 13-card suit with
# c cards held; it needs r - 1 lower cards to wait with. A suit of 12 cards with c held is like one of 13 with c + 1.
SAFE = np.array(
    [[[safe_chance(c, r, n) if n > 1 and r and c >= r else 0.0 for c in range(15)] for r in range(4)] for n in range(7)]
)


@bidder
def ruff_safe(view, *, spade=0.65, spade_high=0.45, margin=0.9, two=2.8, four=0.3, five=0.1, six=0.1, dummy=2.3):
    """Add the chances that side honours survive to win their round, and a price for every spade.

    *Bids* the sum less `margin`, rounded down, at least 1; `spade` for each spade and `spade_high` more for the ace,
    king and queen of spades. `two` to `dummy` move it for other tables, as in `honors`.
    *Origin*: the exact hypergeometric ruff table; the prices of spades are a round version of the measured ones.
    """
    spades = view.hand & SPADES
    total = spade * count(spades) + spade_high * count(spades & (ACES | KINGS | QUEENS)) - margin
    total += (
        suit_tricks(view.hand & CLUBS, 1 * (view.players <= 3), view.players)
        + suit_tricks(view.hand & DIAMONDS, 0, view.players)
        + suit_tricks(view.hand & HEARTS, 0, view.players)
    )
    total += for_the_table(view, two, four, five, six, dummy)
    return allowed(view, max(int(total), 1))


def suit_tricks(cards, missing, hands):
    """Return the sum of the chances of a side suit's honours; `missing` cards of the 13 are not in the pack."""
    held = count(cards)
    length = held + missing
    tricks = SAFE[hands, 1, length] * count(cards & ACES)
    tricks += SAFE[hands, 2, length] * count(cards & KINGS) * (held >= 2)
    return tricks + SAFE[hands, 3, length] * count(cards & QUEENS) * (held >= 3)
