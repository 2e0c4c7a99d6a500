"""Play by the cards that are gone: which are now high, and who is void in which suit."""

from spadesim import player
from spadesim.cards import SIDE_SUITS, SPADES, count, highest, lowest, union
from spadesim.strategies.choices import (
    boss_cards,
    first_of,
    highest_rank,
    in_best_played_suit,
    lowest_rank,
)

DRAWS_WITH = 3  # spades, including the highest one left, from which on it pays to draw the others'


@player
def boss(view):
    """Cash the cards that nothing can beat, and take no trick too many.

    *Plays* for tricks while it needs any, as `win_or_give` says, else to lose them, as `lose` says.
    *Origin*: the rules of thumb of many public bots, with cards counted correctly.
    """
    return win_or_give(view) if view.need > 0 else lose(view)


@player
def plain_boss(view):
    """Cash the cards that nothing can beat, never ruff on the off chance, and lead from the lowest suit.

    *Plays* like `boss`, but before the last place only what no unseen card of its suit beats, draws no spades, and
    chooses suits clubs first.
    *Origin*: `boss` as it was at first, kept as a yardstick.
    """
    bosses = boss_cards(view.legal, view.unseen)
    winners, losers = view.legal & view.beats, view.legal & ~view.beats
    if view.position == 0:
        cash = bosses & SIDE_SUITS & ~(union(view.voids) * (view.unseen & SPADES != 0))
        best = first_of(lowest(cash), highest(bosses & SPADES))
        return best if (view.need > 0) & (best != 0) else lowest(view.legal)
    is_last = view.position == view.players - 1
    take = lowest(winners if is_last else winners & bosses)
    take = 0 if is_last & (view.winning == view.partner) else take
    give = first_of(lowest(losers), lowest(winners))
    duck = first_of(highest(losers), highest(view.legal))
    return first_of(take, give) if view.need > 0 else duck


def win_or_give(view):
    """Return the card for a seat that wants tricks.

    On lead the highest spade if nothing beats it and there are spades to draw, else a side card that is now the highest
    of its suit, where nobody is void, else low from the suit that is played out the most. When following: in last place
    the cheapest winner, unless a partner is winning already; before that only a winner that no unseen card of its suit
    beats, or a low ruff where nobody still to play is known to be void. Else the lowest card, no spade if possible.
    """
    return lead_to_win(view) if view.position == 0 else follow_to_win(view)


def lose(view):
    """Return the card for a seat that wants no more tricks: low on lead, else the highest that does not win."""
    losers = view.legal & ~view.beats
    return lowest(view.legal) if view.position == 0 else first_of(highest_rank(losers), highest(view.legal))


def lead_to_win(view):
    """Return the lead of a seat that wants tricks."""
    legal, unseen = view.legal, view.unseen
    bosses, spades_out = boss_cards(legal, unseen), unseen & SPADES
    voids, side = union(view.voids), legal & SIDE_SUITS
    cash = lowest(bosses & SIDE_SUITS & ~(voids * (spades_out != 0)))
    best_spade = highest(bosses & SPADES)
    draws = (best_spade != 0) & (spades_out != 0) & (count(view.hand & SPADES) >= DRAWS_WITH)
    best = best_spade if draws else first_of(cash, best_spade)
    low = lowest(in_best_played_suit(side, unseen, voids))
    return first_of(best, first_of(low, lowest(legal)))


def follow_to_win(view):
    """Return the card with which a seat that wants tricks follows."""
    winners, losers = view.legal & view.beats, view.legal & ~view.beats
    is_last = view.position == view.players - 1
    sure = boss_cards(winners, view.unseen)
    may_ruff = ((view.voids_behind & view.led) == 0) & (view.led != SPADES)
    ruff = lowest(winners & SPADES) if may_ruff else lowest(sure & SPADES)
    before_last = first_of(lowest(sure & SIDE_SUITS), ruff)
    take = lowest(winners) if is_last else before_last
    take = 0 if is_last & (view.winning == view.partner) else take
    give = lowest_rank(first_of(losers & SIDE_SUITS, losers))
    return first_of(take, first_of(give, lowest(winners)))
