"""Worlds: layouts of the unseen cards that agree with what a seat knows.

The cards that a seat has not seen are dealt to the other hands at random, each to a hand that may still hold its suit.
Two hands that are not seen get them uniformly from all layouts that agree with the voids shown. With more hands the
suits that fewest may hold go first, and where a card has no hand left, it goes to one with an empty place all the same.
"""

import math

import numpy as np

from spadesim.cards import ACES, CLUBS, DIAMONDS, HEARTS, JACKS, KINGS, QUEENS, SIDE_SUITS, SPADES, SUITS, count, lowest
from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.compile.operations import never_inline
from spadesim.engine.game.deal import U1, U32, draw
from spadesim.engine.game.lanes import LANES

U, I = np.uint64, np.int64  # noqa: E741 - short, for they stand in every line
WORLD_WORD = U(0xA24BAED4963EE407)

SPREAD = 1.2  # tricks by which a bid strays from what the bidder's hand is worth, one standard deviation
WORLDS_MAX = 1_000_000  # more of them would only fill the memory
PROPOSALS = 4  # worlds dealt for each that is kept, where they are chosen by the bids
NIL_TOP = 2.5  # tricks that a hand looks worth on which a nil is bid


@inline
def new_worlds(hands, n, by_bids):
    """Make room for the hands of the worlds dealt, shape (hands, dealt), and for the numbers of the n to play."""
    if n < 1 or n > WORLDS_MAX:
        raise ValueError("worlds out of range; expected 1 to 1,000,000 of them")
    return np.zeros((hands, n * PROPOSALS if by_bids else n), np.int64), np.zeros(n, np.int64)


@kernel
def imagine(t, r, seen, worlds, chosen, seed, by_bids):
    """Deal worlds that agree with what is seen, and choose those to play.

    Parameters
    ----------
    worlds
        Receives the hands, shape (hands, n).
    chosen
        Receives the indices of the worlds to play.
    seed
        Other worlds for another seed; the decision's own random number is the rest of the key.
    by_bids
        Whether worlds are chosen by how well they fit the bids.
    """
    hands, n = worlds.shape
    places = np.zeros(hands, np.int64)
    aside = count(seen.unseen)
    for s in range(hands):
        if s != seen.me and seen.open[s] == 0:
            places[s] = seen.tricks_left - I(seen.cards[s] != 0)
            aside -= places[s]
    places[seen.me] = aside  # what is set aside goes to one's own row, which is filled in behind it
    key0 = draw(U(seen.random), WORLD_WORD, U(2 * seed))
    key1 = draw(U(seen.random), WORLD_WORD, U(2 * seed + 1))
    for first in range(0, n, LANES):
        key_worlds(t, key0, key1, first)
        deal_worlds(t, seen.unseen, places, seen.excluded)
        keep_worlds(t, worlds, first)
    for s in range(hands):
        if s == seen.me or seen.open[s] != 0:
            worlds[s, :] = seen.open[s]
    for i in range(chosen.size):
        chosen[i] = i
    if by_bids:
        weights = np.zeros(n, np.float64)
        weigh_worlds(worlds, seen.me, seen.shown, seen.bids, r.nil, weights)
        choose_worlds(weights, chosen)


@kernel
def key_worlds(t, key0, key1, first):
    """Set in each lane the keys of its world: worlds `first`, first + 1, … of a decision."""
    never_inline()
    for lane in range(LANES):
        world = U(first + lane)
        t.deal_key0[lane] = draw(key0, key1, world + world)
        t.deal_key1[lane] = draw(key0, key1, world + world + U1)


@kernel
def deal_worlds(t, unseen, places, voids):
    """Deal the unseen cards in every lane.

    Parameters
    ----------
    t
        Receives the hands in `dealt`; `taken` holds empty places on the way.
    unseen
        The cards, as a mask.
    places
        How many each hand gets, shape (hands,).
    voids
        The suits that it cannot hold, shape (hands,).
    """
    never_inline()
    hands = t.dealt.shape[0]
    for s in range(hands):
        for lane in range(LANES):
            t.dealt[s, lane] = 0
            t.taken[s, lane] = places[s]
    n = 0
    for holders in range(hands + 1):
        for suit in SUITS:
            if holders_of(suit, places, voids) == holders:
                left = unseen & suit
                while left != 0:
                    card = lowest(left)
                    left ^= card
                    give_one(t, card, voids, n)
                    n += 1


@inline
def holders_of(suit, places, voids):
    """Count the hands that may hold a suit."""
    holders = 0
    for s in range(places.size):
        holders += I((places[s] > 0) & ((voids[s] & suit) == 0))
    return holders


@kernel
def give_one(t, card, voids, n):
    """Deal one card to a hand that may hold it, with probability its empty places by all such."""
    never_inline()
    hands = t.dealt.shape[0]
    for lane in range(LANES):
        total = I(0)
        for s in range(hands):
            total += t.taken[s, lane] & -I((voids[s] & card) == 0)
        anywhere = -I(total == 0)
        for s in range(hands):
            total += t.taken[s, lane] & anywhere
        drawn = I(((draw(t.deal_key0[lane], t.deal_key1[lane], U(n)) >> U32) * U(total)) >> U32)
        for s in range(hands):
            room = t.taken[s, lane] & (-I((voids[s] & card) == 0) | anywhere)
            here = -I((drawn >= 0) & (drawn < room))
            drawn -= room
            t.dealt[s, lane] |= card & here
            t.taken[s, lane] += here


@kernel
def keep_worlds(t, worlds, first):
    """Copy the lanes' hands to `worlds`, shape (hands, n), from world `first` on."""
    never_inline()
    n = min(LANES, worlds.shape[1] - first)
    for s in range(t.dealt.shape[0]):
        for lane in range(n):
            worlds[s, first + lane] = t.dealt[s, lane]


@kernel
def weigh_worlds(worlds, me, shown, bids, nil, weights):
    """Weigh each world by how well the others' hands fit their bids, most 1.

    A hand is held to be worth what `worth_of` says, and a bid to stray from that normally, by SPREAD.
    """
    never_inline()
    hands = worlds.shape[0]
    for w in range(worlds.shape[1]):
        misfit = 0.0
        for s in range(hands):
            if s != me and bids[s] >= 0:
                worth = worth_of(worlds[s, w] | shown[s])
                off = worth - bids[s] - 0.5
                off = max(worth - NIL_TOP, 0.0) if nil != 0 and bids[s] == 0 else off
                misfit += off * off
        weights[w] = math.exp(-misfit / (2 * SPREAD * SPREAD))


@inline
def worth_of(hand):
    """Guess the tricks in a hand of 17 cards: round figures, good enough to tell likely hands from others."""
    side, spades = hand & SIDE_SUITS, hand & SPADES
    n = count(spades)
    worth = 0.65 * n - 0.955 + 0.9 * count(side & ACES) + 0.75 * count(side & KINGS) + 0.5 * count(side & QUEENS)
    worth += 0.8 * count(spades & ACES) + 0.6 * count(spades & KINGS) + 0.45 * count(spades & QUEENS)
    worth += 0.3 * count(spades & JACKS)
    for suit in (CLUBS, DIAMONDS, HEARTS):
        worth += 0.4 * max(3 - count(side & suit), 0)
    return worth


@kernel
def choose_worlds(weights, chosen):
    """Choose worlds by weight, evenly spaced along their running sum."""
    total = 0.0
    for w in range(weights.size):
        total += weights[w]
    step = total / chosen.size
    reached, w = weights[0], 0
    for i in range(chosen.size):
        while reached < (i + 0.5) * step and w < weights.size - 1:
            w += 1
            reached += weights[w]
        chosen[i] = w
