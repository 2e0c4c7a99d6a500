"""Play to keep one's own nil, or to break another seat's."""

from spadesim import player
from spadesim.cards import CLUBS, DIAMONDS, HEARTS, SIDE_SUITS, SPADES, at, count, highest, lowest, total, union
from spadesim.strategies.boss import boss
from spadesim.strategies.choices import first_of, highest_rank, lowest_rank

NEVER = 10_000  # beyond any count of cards


@player
def nil_safe(view):
    """Keep its own nil, else play as `boss`.

    *Plays*, while its nil is alive, the card with the fewest others under it on lead, the highest that does not win
    when following, and discards from the suit in which it is least covered from below.
    *Origin*: the advice of every rules page: play the highest loser, discard the most dangerous winner, keep low exits.
    """
    return keep_nil(view) if view.nils[0] != 0 else boss(view)


@player
def nil_hunter(view, *, under=17):
    """Break the others' nils, else play as `boss`.

    *Plays*, while another's nil is alive: on lead the lowest side card with no more than `under` unseen cards under
    it, in a suit that nobody is void in; when the nil is winning the trick, the highest card that leaves it there.
    *Origin*: lead low where the nil must follow, and stay under it.
    """
    return hunt(view, boss(view), under) if hunts(view) else boss(view)


def keep_nil(view):
    """Return the card for a seat whose nil is alive."""
    losers = view.legal & ~view.beats
    throw = first_of(highest(losers & SPADES), highest(least_covered(losers, view.unseen)))
    follows = (view.legal & view.led) != 0
    follow = first_of(highest(losers) if follows else throw, lowest(view.legal))
    return lowest(best_to_lead(view.legal, view.unseen)) if view.position == 0 else follow


def best_to_lead(legal, unseen):
    """Return the suit whose lowest card has the fewest unseen cards under it and at least one above."""
    clubs, diamonds = under_lead(legal & CLUBS, unseen & CLUBS), under_lead(legal & DIAMONDS, unseen & DIAMONDS)
    hearts, spades = under_lead(legal & HEARTS, unseen & HEARTS), under_lead(legal & SPADES, unseen & SPADES)
    fewest = min(min(clubs, diamonds), min(hearts, spades))
    side = CLUBS if clubs == fewest else DIAMONDS if diamonds == fewest else HEARTS
    return legal & (side if (min(clubs, diamonds) == fewest) | (hearts == fewest) else SPADES)


def under_lead(suit, out):
    """Return how many cards are out under a suit's lowest; NEVER if none is held, half of it more if none is above."""
    under = count(out & (lowest(suit) - 1))
    return NEVER if suit == 0 else under + NEVER // 2 * (count(out) == under)


def least_covered(losers, unseen):
    """Return the side suit whose lowest card, and then its highest, has the most unseen cards under it."""
    clubs, diamonds = exposure(losers & CLUBS, unseen & CLUBS), exposure(losers & DIAMONDS, unseen & DIAMONDS)
    hearts = exposure(losers & HEARTS, unseen & HEARTS)
    suit = CLUBS if (clubs >= diamonds) & (clubs >= hearts) else DIAMONDS if diamonds >= hearts else HEARTS
    return losers & suit


def exposure(suit, out):
    """Return how likely a suit is to win an unwanted trick, as a score; -1 where none is held."""
    return 4 * count(out & (lowest(suit) - 1)) + count(out & (highest(suit) - 1)) if suit != 0 else -1


def hunts(view):
    """Return whether an opponent's nil is alive, and none on one's own side."""
    partners = at(view.nils, view.partner)
    return (total(view.nils) > partners) & (view.nils[0] == 0)


def hunt(view, otherwise, under):
    """Return the card against a nil that is alive; `otherwise` is the card to play if there were none."""
    legal, unseen = view.legal & SIDE_SUITS & ~union(view.voids), view.unseen
    low = low_enough(legal & CLUBS, unseen & CLUBS, under) | low_enough(legal & DIAMONDS, unseen & DIAMONDS, under)
    lead = first_of(lowest_rank(low | low_enough(legal & HEARTS, unseen & HEARTS, under)), otherwise)
    nil_wins = at(view.nils, view.winning) != 0
    follow = first_of(highest_rank(view.legal & ~view.beats), otherwise) if nil_wins else otherwise
    return lead if view.position == 0 else follow


def low_enough(suit, out, under):
    """Return the lowest card of a suit if no more than `under` cards that are out are below it."""
    return lowest(suit) * (count(out & (lowest(suit) - 1)) <= under)
