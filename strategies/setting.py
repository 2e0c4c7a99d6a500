"""Play on when one's own bid is safe: to set the others, or to take no bags."""

from spadesim import player
from spadesim.strategies.boss import boss, win_or_give


@player
def setter(view, *, bags_left=1):
    """Make its own bid, then take tricks from those who still need them.

    *Plays* as `boss` while it needs tricks; afterwards it goes on taking tricks while another's bid can still be
    broken, as long as it stays `bags_left` bags short of a penalty.
    *Origin*: the third player decides who is set; an overtrick is cheap as long as its penalty is far away.
    """
    return win_or_give(view) if breaks(view, bags_left) else boss(view)


@player
def bag_shy(view, *, bags_left=4):
    """Fear the penalty: near it, take nothing beyond the bid, else play as `setter`.

    *Plays* for tricks to spare while more than `bags_left` bags are left before the penalty.
    *Origin*: a bag costs its share of the penalty, and that share grows with the bags held.
    """
    return win_or_give(view) if breaks(view, bags_left) | spare(view, bags_left) else boss(view)


def breaks(view, bags_left):
    """Return whether tricks beyond one's bid may set another seat, at a price in bags that one can pay."""
    return (view.need <= 0) & (view.others_need > 0) & (view.nils[0] == 0) & (view.bags_left + view.need > bags_left)


def spare(view, bags_left):
    """Return whether a penalty is so far away that each bag is worth its point."""
    return (view.need <= 0) & (view.nils[0] == 0) & (view.bags_left + view.need > bags_left) & (view.overtrick > 0)
