"""Strategies for tests alone: of no sense, but they read every field of a view; `reference.py` has their twins.

`need_or_duck` and `wild_bid` are here again as array and as Python strategies, which must play the very same games.
`family_bid` and `family_play` depend on every field and every entry, whatever the rules are.
"""

import numpy as np

from spadesim import bidder, player
from spadesim.cards import ACES, JACKS, KINGS, PACK, QUEENS, SPADES, SUITS, count, highest, lowest, nth


@bidder
def wild_bid(view):
    """Bid any legal number."""
    return legal_bid(view.random, view.bid_low, view.bid_high, view.bid_not)


@bidder(kind="array")
def wild_bid_array(view):
    """Bid as `wild_bid`."""
    return legal_bid(view.random, view.bid_low, view.bid_high, view.bid_not)


@bidder(kind="python")
def wild_bid_python(view):
    """Bid as `wild_bid`."""
    return legal_bid(view.random, view.bid_low, view.bid_high, view.bid_not)


def legal_bid(number, low, high, barred):
    """Turn any number into a legal bid; of two that are as near to the barred one, the lower."""
    bid = low + number % (high - low + 1)
    return bid + 1 * (bid == barred) * (1 - 2 * (bid > low))


@bidder
def tricky_bid(view):
    """Bid a number that depends on most of what a bidder sees."""
    total = count(view.hand & (JACKS | QUEENS | KINGS | ACES))
    for bid in view.bids:
        total += (3 + bid) * (bid >= 0)
    total += view.order
    total += view.scores[0] - view.scores[1]
    total += 2 * view.bags[0] + view.bags[-1]
    total += view.random % 3
    return legal_bid(total % 7, view.bid_low, view.bid_high, view.bid_not)


@player
def tricky_play(view):
    """Play a card that depends on most of what a player sees."""
    total = 7 * view.position + 3 * count(view.played) + 5 * count(view.unseen) + 2 * count(view.trick)
    total += count(view.beats) + view.broken + view.need + view.tricks_left + view.leader + 2 * view.winning
    for i in range(view.players):
        total += (i + 1) * count_suits(view.voids[i])
        total += (i + 1) * count(view.shown[i])
        card = view.cards[i]
        total += (i + 2) * count(ALL_BUT_LOWEST & (card | (card - 1))) * (card != 0)
        total += (i + 1) * view.bids[i]
        total += (i + 3) * view.taken[i]
    total += view.scores[1] + view.bags[1]
    return nth(view.legal, total % count(view.legal))


ALL_BUT_LOWEST = (PACK | SPADES) & ~1  # with the jokers, without the two of clubs


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


# --- Everything that a view has --------------------------------------------------------------------------------------


@bidder
def family_bid(view):
    """Bid a number that depends on everything a bidder sees."""
    total = table_number(view) + view.hand % 1009 + 2 * (view.unseen % 1009)
    total += 3 * view.bid_low + 5 * view.bid_high + 7 * view.bid_not
    return legal_bid(mixed(total), view.bid_low, view.bid_high, view.bid_not)


@player
def family_play(view):
    """Play a card that depends on everything a player sees."""
    total = table_number(view) + 2 * view.position + 3 * view.need + 5 * view.tricks_left + 7 * view.leader
    total += 11 * view.winning + 13 * view.dummy + 17 * view.broken + 19 * view.others_need
    total += view.hand % 1009 + 2 * (view.legal % 1009) + 3 * (view.trick % 1009)
    total += 4 * (view.beats % 1009) + 5 * (view.played % 1009) + 6 * (view.unseen % 1009)
    total += 7 * suits_number(view.led) + 8 * suits_number(view.voids_behind)
    for i in range(view.players):
        total += (i + 2) * (view.cards[i] % 1009)
        total += (i + 3) * (view.shown[i] % 1009) + (i + 5) * (view.open[i] % 1009)
        total += (i + 7) * suits_number(view.voids[i]) + (i + 13) * view.nils[i]
    return nth(view.legal, mixed(total) % count(view.legal))


def daring(view):
    """Answer whether to bid nil blind, from everything that is known before the cards are seen."""
    total = table_number(view) + view.bid_low + view.bid_high + view.bid_not
    return 1 * (mixed(total) % 3 == 0)


@bidder(blind_nil=daring)
def daring_bid(view):
    """Bid nil blind at times, else any legal number."""
    return legal_bid(view.random // 7, view.bid_low, view.bid_high, view.bid_not)


def table_number(view):
    """Add up all that is known without looking at a card, each with a factor of its own."""
    total = view.random % 1013
    total += 2 * view.players + 3 * view.cards_each + 4 * view.target + 5 * view.order + 6 * view.partner
    total += 7 * view.nil_value + 8 * view.blind_nil + 9 * view.min_bid + 10 * view.bag_limit + 11 * view.bag_penalty
    total += 12 * view.overtrick + 13 * view.set_points + 14 * view.bags_left
    for i in range(view.players):
        total += (i + 2) * view.bids[i] + (i + 3) * view.taken[i] + (i + 5) * view.scores[i]
        total += (i + 7) * view.bags[i] + (i + 11) * view.blind[i]
    return total


def mixed(total):
    """Stir a number, so that a small modulus of it depends on all that went into it."""
    return total * 37 % 997


def suits_number(mask):
    """Write a mask of whole suits with four binary digits."""
    number = 0
    for suit in SUITS:
        number = 2 * number + 1 * ((mask & suit) != 0)
    return number


# --- At fault --------------------------------------------------------------------------------------------------------


@bidder
def careless_bid(view):
    """Bid any legal number, but one time in five one that is too high, too low or barred."""
    number = view.random // 5
    if view.random % 5 != 0:
        return legal_bid(number, view.bid_low, view.bid_high, view.bid_not)
    if number % 3 == 0:
        return view.bid_high + 3
    return view.bid_low - 2 if number % 3 == 1 else view.bid_not


@player
def careless_play(view):
    """Play any legal card, but one time in five the lowest of the hand, if legal or not, or one of somebody else's."""
    number = view.random // 5
    if view.random % 5 != 0:
        return nth(view.legal, number % count(view.legal))
    if number % 2 == 0 and view.unseen != 0:
        return lowest(view.unseen)
    return lowest(view.hand)


@bidder
def tossing(view, *, salt=1):
    """Bid a trick for each high card, and one more by the toss of a coin of its own."""
    coin = ((view.random >> 7) * (2 * salt + 1) >> 40) & 1
    return min(max(count(view.hand & (ACES | KINGS | QUEENS)) + coin, view.bid_low), view.bid_high)
