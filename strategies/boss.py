"""Play by the cards that have gone: which are now high, and who is out of which suit."""

from spadesim import player
from spadesim.cards import CLUBS, DIAMONDS, HEARTS, SIDE_SUITS, SPADES, highest, lowest, suit_of, union


@player
def boss(view):
    """Cash the cards that nothing can beat, and take no trick too many.

    *Plays*, while tricks are needed: on lead the lowest side card that is now the highest of its suit, where nobody is
    known to be void, then the highest spade if nothing beats it, else low; when following in the last place the
    cheapest winner, unless a partner wins already, before it only a winner that no unseen card of its suit beats. Once
    the bid is made: low on lead, else the highest loser.
    *Origin*: the rules of thumb of many public bots, with the count of the cards done right.
    """
    bosses = boss_cards(view.legal, view.unseen)
    winners, losers = view.legal & view.beats, view.legal & ~view.beats
    if view.position == 0:
        ruffed = union(view.voids) * (view.unseen & SPADES != 0)
        cash = bosses & SIDE_SUITS & ~ruffed
        best = lowest(cash) if cash != 0 else highest(bosses & SPADES)
        return best if (view.need > 0) & (best != 0) else lowest(view.legal)
    last = view.position == view.players - 1
    take = lowest(winners if last else winners & bosses)
    take = 0 if last & (view.winning == view.partner) else take
    if view.need > 0:
        give = lowest(losers) if losers != 0 else lowest(winners)
        return take if take != 0 else give
    return highest(losers) if losers != 0 else highest(view.legal)


def boss_cards(held, unseen):
    """Keep the cards that no unseen card of their suit beats."""
    beaten = up_to(unseen & CLUBS) | up_to(unseen & DIAMONDS) | up_to(unseen & HEARTS) | up_to(unseen & SPADES)
    return held & ~beaten


def up_to(suit):
    """List the places at and below the highest card of one suit, within that suit."""
    top = highest(suit)
    return (top | (top - 1) * (top != 0)) & suit_of(suit)
