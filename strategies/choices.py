"""Choose one of several cards."""

from spadesim.cards import CLUBS, DIAMONDS, HEARTS, SPADES, TWOS, count, highest, lowest, suit_of

RANKS = CLUBS  # the places onto which all suits are moved


def first_of(card, other):
    """Return the first card if there is one, else the other."""
    return card if card != 0 else other


def lowest_rank(cards):
    """Return the card of the lowest rank; of equal ranks, the one of the lowest suit."""
    return lowest(cards & lowest(ranks_of(cards)) * TWOS)


def highest_rank(cards):
    """Return the card of the highest rank; of equal ranks, the one of the highest suit."""
    return highest(cards & highest(ranks_of(cards)) * TWOS)


def ranks_of(cards):
    """Return the ranks among cards of any suit: bit 0 is a two, bit 12 an ace."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & RANKS


def boss_cards(held, unseen):
    """Return the held cards that no unseen card of their suit beats."""
    beaten = up_to(unseen & CLUBS) | up_to(unseen & DIAMONDS) | up_to(unseen & HEARTS) | up_to(unseen & SPADES)
    return held & ~beaten


def up_to(suit):
    """Return the places at and below the highest card of one suit, within that suit."""
    top = highest(suit)
    return (top | (top - 1) * (top != 0)) & suit_of(suit)


def in_best_played_suit(side, unseen, voids):
    """Return the side cards of the suit with the fewest cards out, preferably one that somebody is void in.

    There the others run out soonest: they must ruff, and what is left becomes high.
    """
    clubs = cards_out(side & CLUBS, unseen & CLUBS, voids & CLUBS)
    diamonds = cards_out(side & DIAMONDS, unseen & DIAMONDS, voids & DIAMONDS)
    hearts = cards_out(side & HEARTS, unseen & HEARTS, voids & HEARTS)
    suit = CLUBS if (clubs <= diamonds) & (clubs <= hearts) else DIAMONDS if diamonds <= hearts else HEARTS
    return side & suit


def cards_out(held, out, void):
    """Return the number of a suit's cards that are out, less 20 where somebody is void in it; 99 where none is held."""
    return count(out) - 20 * (void != 0) if held != 0 else 99
