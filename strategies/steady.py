"""The best quick player that goes by rules."""

from spadesim import player
from spadesim.strategies.boss import lose, win_or_give
from spadesim.strategies.nil_play import hunt, hunts, keep_nil
from spadesim.strategies.setting import breaks


@player
def steady(view, *, bags_left=0, under=1):
    """Make the bid, then break the others', keep nils and break nils.

    *Plays* its own nil as `nil_safe` and others' as `nil_hunter`; else for tricks, as `boss`, while it needs them or
    can still break a bid with them, as `setter`.
    *Origin*: the best of a few dozen variants, against `plain_boss`, `need_or_duck` and the best so far.
    """
    card = win_or_give(view) if (view.need > 0) | breaks(view, bags_left) else lose(view)
    card = hunt(view, card, under) if hunts(view) else card
    return keep_nil(view) if view.nils[0] != 0 else card
