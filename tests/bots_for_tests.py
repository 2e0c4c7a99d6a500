"""Strategies for tests alone: of no sense, but they read every field of a view; `reference.py` has their twins.

`need_or_duck` and `wild_bid` are here again as array and as Python strategies, which must play the very same games.
"""

import numpy as np

from spadesim import bidder, player
from spadesim.cards import ACES, JACKS, KINGS, PACK, QUEENS, SUITS, count, highest, lowest, nth


@bidder
def wild_bid(view):
    """Bid any number from 0 to 17."""
    return view.random % 18


@bidder(kind="array")
def wild_bid_array(view):
    """Bid as `wild_bid`."""
    return view.random % 18


@bidder(kind="python")
def wild_bid_python(view):
    """Bid as `wild_bid`."""
    return view.random % 18


@bidder
def tricky_bid(view):
    """Bid a number that depends on everything a bidder sees."""
    total = count(view.hand & (JACKS | QUEENS | KINGS | ACES))
    for bid in view.bids:
        total += (3 + bid) * (bid >= 0)
    total += view.order
    total += view.scores[0] - view.scores[1]
    total += 2 * view.bags[0] + view.bags[2]
    total += view.random % 3
    return total % 7


@player
def tricky_play(view):
    """Play a card that depends on everything a player sees."""
    total = 7 * view.position + 3 * count(view.played) + 5 * count(view.unseen) + 2 * count(view.trick)
    total += count(view.beats) + view.broken + view.need + view.tricks_left + view.leader + 2 * view.winning
    for i in range(view.players):
        total += (i + 1) * count_suits(view.voids[i])
        total += (i + 1) * count(view.shown[i])
        card = view.cards[i]
        total += (i + 2) * count(PACK_IN_PLAY & (card | (card - 1))) * (card != 0)
        total += (i + 1) * view.bids[i]
        total += (i + 3) * view.taken[i]
    total += view.scores[1] + view.bags[1]
    return nth(view.legal, total % count(view.legal))


PACK_IN_PLAY = PACK & ~1  # without the two of clubs


def count_suits(mask):
    """Count the suits that a mask of whole suits holds."""
    suits = 0
    for suit in SUITS:
        suits += 1 * ((mask & suit) != 0)
    return suits


@player(kind="array")
def need_or_duck_array(view):
    """Play as `need_or_duck`, for many games at once."""
    winners, losers = view.legal & view.beats, view.legal & ~view.beats
    if view.position == 0:
        return np.where(view.need > 0, highest(view.legal), lowest(view.legal))
    ducked = np.where(losers != 0, highest(losers), highest(view.legal))
    return np.where((view.need > 0) & (winners != 0), lowest(winners), ducked)


@player(kind="python")
def need_or_duck_python(view):
    """Play as `need_or_duck`, in plain Python."""
    if view.led == 0:
        return highest(view.legal) if view.need > 0 else lowest(view.legal)
    winners, losers = view.legal & view.beats, view.legal & ~view.beats
    if view.need > 0 and winners:
        return lowest(winners)
    return highest(losers or view.legal)
