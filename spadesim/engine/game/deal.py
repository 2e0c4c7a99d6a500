"""Randomness and dealing. A number is a hash of (seed, stream, deal, draw) and of nothing else: no lane, no bot, no
worker.

Any game can therefore be played alone, and the same stream of deals serves every seating of the bots. The hash is
SplitMix64's finaliser (Steele, Lea and Flood 2014) with a second key word between its two rounds, so that a deal has
128 bits of key.
"""

import numpy as np

from spadesim.engine.compile.cache import inline, inline_or_plain, kernel
from spadesim.engine.compile.operations import never_inline
from spadesim.engine.game.lanes import LANES
from spadesim.engine.game.seats import n_turns

U, I = np.uint64, np.int64  # noqa: E741 - short, for they stand in every line
GOLDEN = U(0x9E3779B97F4A7C15)
SEED_WORD = U(0xD1342543DE82EF95)
ROUND_1, ROUND_2 = U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
U1, U2, U3, U27, U30, U31, U32 = U(1), U(2), U(3), U(27), U(30), U(31), U(32)
LOW_HALF = U(0xFFFFFFFF)
SMALL = 0xFF  # tells the compiler that a factor is short, which makes a multiplication cheaper
ONE_PLACE = 1 << 32  # an empty place, in the 32-bit fractions that draws come in

DECISION_DRAWS = 64  # draws 0 … 63 of a deal's key are its cards; the decisions of seat s begin at 64 * (s + 1)
BLIND_DECISION = DECISION_DRAWS - 1


@inline
def left_of(seat, last):
    """Pass to the left."""
    return 0 if seat == last else seat + 1


@inline_or_plain
def draw(key0, key1, n):
    """Draw 64 bits: number `n` of the sequence that the two key words name."""
    z = key0 + n * GOLDEN
    z = (z ^ (z >> U30)) * ROUND_1
    z = z ^ key1
    z = (z ^ (z >> U27)) * ROUND_2
    return z ^ (z >> U31)


@inline_or_plain
def order_of(seat, dealer, players):
    """Return a seat's place in the bidding: the dealer's left bids first (R2.1)."""
    places = seat - dealer - 1
    return places + players * (places < 0)


def seed_keys(seed: int) -> tuple[np.uint64, np.uint64]:
    """Key a seed, 0 … 2**64 - 1."""
    with np.errstate(over="ignore"):
        return draw(U(seed), SEED_WORD, U(0)), draw(U(seed), SEED_WORD, U1)


@inline
def game_keys(key0, key1, stream):
    """Key the games of a deal stream, from the seed's key."""
    return draw(key0, key1, U2 * stream), draw(key0, key1, U2 * stream + U1)


@inline
def first_dealer(key0, key1, players):
    """Draw the seat of the first dealer (R1.2)."""
    return I(((draw(key0, key1, U(0)) >> U32) * U(players)) >> U32)


@inline_or_plain
def decision_random(key0, key1, seat, n):
    """Draw 63 bits for decision `n` of a seat: 0 is its bid, 1 + t its card to trick t, the last one a blind nil."""
    return I(draw(key0, key1, U(DECISION_DRAWS * (seat + 1) + n)) >> U1)


@inline
def give(card, place, places, received):
    """Deal a card to the seats up to one if its place falls among theirs."""
    here = -I(place < places)
    return places - (here & ONE_PLACE), received | (card & here)


@kernel
def deal(t, r):
    """Deal every lane its next deal (R1.2): each card to a seat with probability its empty places / cards left."""
    never_inline()
    open_deal(t, r)
    if r.set_aside == 0:
        give_out(t, r, t.dealt.shape[0] - 1)
    else:
        give_out(t, r, t.dealt.shape[0])


@inline
def open_deal(t, r):
    """Pass the deal on and forget the last one."""
    last, unbroken = n_turns(t, r) - 1, r.broken_at_first
    for lane in range(LANES):
        dealer = left_of(t.dealer[lane], last)
        t.dealer[lane] = dealer
        t.leader[lane] = t.winner[lane] = left_of(dealer, last)  # R2.1, R3.1
        t.played[lane] = 0
        t.broken[lane] = unbroken
        t.deal[lane] += 1
        n = U(t.deal[lane])
        t.deal_key0[lane] = draw(t.game_key0[lane], t.game_key1[lane], U2 * n + U2)
        t.deal_key1[lane] = draw(t.game_key0[lane], t.game_key1[lane], U2 * n + U3)
    for s in range(t.dealt.shape[0]):
        for lane in range(LANES):
            t.bids[s, lane] = -1
            t.voids[s, lane] = 0
    if r.blind_nil != 0 or r.renege != 0:
        for s in range(t.dealt.shape[0]):
            for lane in range(LANES):
                t.blind[s, lane] = 0
                t.reneges[s, lane] = 0


@inline
def give_out(t, r, chosen):
    """Deal the pack; the hands up to `chosen` are drawn, a last one gets what is left."""
    n_cards, each, deck = r.n_cards, r.cards_each, r.deck
    hands = t.dealt.shape[0]
    # until the end, `dealt[s]` holds what hands 0 … s received together and `taken[s]` their empty places together
    for s in range(hands):
        for lane in range(LANES):
            t.dealt[s, lane] = 0
            t.taken[s, lane] = (s + 1) * each * ONE_PLACE
    for four in range(0, n_cards, 4):  # the pack is filled up with empty masks, which change nothing
        card0, card1, card2, card3 = r.pack[four], r.pack[four + 1], r.pack[four + 2], r.pack[four + 3]
        left = n_cards - four
        left0, left1, left2, left3 = left & SMALL, (left - 1) & SMALL, (left - 2) & SMALL, (left - 3) & SMALL
        for lane in range(LANES):
            bits = draw(t.deal_key0[lane], t.deal_key1[lane], U(four // 2))
            more = draw(t.deal_key0[lane], t.deal_key1[lane], U(four // 2 + 1))
            place0, place1 = I(bits & LOW_HALF) * left0, I(bits >> U32) * left1
            place2, place3 = I(more & LOW_HALF) * left2, I(more >> U32) * left3
            for s in range(chosen):
                places, received = t.taken[s, lane], t.dealt[s, lane]
                places, received = give(card0, place0, places, received)
                places, received = give(card1, place1, places, received)
                places, received = give(card2, place2, places, received)
                t.taken[s, lane], t.dealt[s, lane] = give(card3, place3, places, received)
    for s in range(hands - 1, 0, -1):
        for lane in range(LANES):
            up_to_here = t.dealt[s, lane] if s < chosen else deck
            t.dealt[s, lane] = up_to_here & ~t.dealt[s - 1, lane]
    for s in range(hands):
        for lane in range(LANES):
            t.taken[s, lane] = 0
