"""Play on from a decision: every answer that a seat could give, in many worlds, to the end of the deal.

The lanes of a batch, which in a league are games, are here pairs of a world and an answer, and the kernels that play
them are the league's own: so a rollout knows all rules, and is as fast as a league.
"""

import numpy as np

from spadesim.cards import lowest, suit_of
from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.compile.operations import never_inline
from spadesim.engine.game.lanes import BYTE, GOES_ON, LANES, NEEDS_ZERO, WON, memory_for
from spadesim.engine.game.phases import (
    begin_play,
    end_play,
    make_bids,
    open_bids,
    phase,
    play_cards,
    steps_of,
    take_turn,
)
from spadesim.engine.game.seats import n_scores
from spadesim.engine.game.tricks import share_needs, take_bids
from spadesim.engine.search.worlds import imagine, new_worlds

I = np.int64  # noqa: E741 - short, for it stands in every line
ACROSS = 5  # points from one column of a table of chances to the next


@kernel
def open_lanes(t, r, seen, worlds, chosen, answers, first):
    """Set up lanes in the midst of a deal: pair number first + lane of the worlds and answers in every lane."""
    never_inline()
    hands, n_answers = t.dealt.shape[0], answers.size
    last = chosen.size * n_answers - 1
    needs = first_needs = I(0)
    for s in range(hands):
        needs |= (seen.bids[s] - seen.taken[s] + NEEDS_ZERO) << BYTE * s
        first_needs |= (seen.bids[s] + NEEDS_ZERO) << BYTE * s
    for lane in range(LANES):
        pair = min(first + lane, last)
        world = chosen[pair // n_answers]
        t.answer[lane] = answers[pair % n_answers]
        for s in range(hands):
            t.dealt[s, lane] = worlds[s, world] | seen.shown[s]
    for lane in range(LANES):
        for s in range(hands):
            t.bids[s, lane] = seen.bids[s]
            t.blind[s, lane] = seen.blind[s]
            t.scores[s, lane] = seen.scores[s]
            t.bags[s, lane] = seen.bags[s]
            t.voids[s, lane] = seen.voids[s]
        t.needs[lane] = needs
        t.first_needs[lane] = first_needs
        t.played[lane] = seen.played & ~seen.trick
        t.trick[lane] = seen.trick
        t.led[lane] = seen.led
        t.beats[lane] = seen.beats
        t.legal[lane] = seen.legal
        t.leader[lane] = seen.leader
        t.winner[lane] = seen.winner
        t.broken[lane] = seen.broken
        t.dealer[lane] = seen.dealer
        t.deal[lane] = t.tie[lane] = t.fault_seat[lane] = t.high_spades[lane] = 0
        t.declarer[lane] = seen.declarer
        t.dummy[lane] = seen.dummy
        t.face_up[lane] = t.dealt[max(seen.dummy, 0), lane] if seen.dummy >= 0 else 0
        t.asked[lane] = 1
    if r.paired != 0:
        share_needs(t, r)


@kernel
def open_bidding(t, r, seen, worlds, chosen, answers, first):
    """Set up lanes at a seat's turn to bid: pair number first + lane of the worlds and answers in every lane."""
    never_inline()
    hands, n_answers = t.dealt.shape[0], answers.size
    last = chosen.size * n_answers - 1
    for lane in range(LANES):
        pair = min(first + lane, last)
        world = chosen[pair // n_answers]
        t.answer[lane] = answers[pair % n_answers]
        for s in range(hands):
            t.dealt[s, lane] = worlds[s, world]
    for lane in range(LANES):
        for s in range(hands):
            t.bids[s, lane] = seen.bids[s]
            t.blind[s, lane] = seen.blind[s]
            t.scores[s, lane] = seen.scores[s]
            t.bags[s, lane] = seen.bags[s]
            t.voids[s, lane] = t.taken[s, lane] = 0
        t.played[lane] = t.high_spades[lane] = 0
        t.dealer[lane] = seen.dealer
        t.leader[lane] = t.winner[lane] = seen.leader
        t.broken[lane] = r.broken_at_first
        t.bid_not[lane] = -1
        t.deal[lane] = t.tie[lane] = t.fault_seat[lane] = 0
        t.dummy[lane] = -1
        t.face_up[lane] = 0
        t.asked[lane] = 1


@kernel
def add_worth(t, r, mine, chances, values, first, pairs):
    """Add up what each answer came to: the chance to win the game from where the deal left it.

    Parameters
    ----------
    mine
        The row of the score that counts.
    chances
        As in `chance_of`.
    values
        Sums by answer, shape (answers,), changed in place.
    first, pairs
        Number of the pair in lane 0, and of all pairs.
    """
    never_inline()
    for lane in range(min(LANES, pairs - first)):
        values[(first + lane) % values.size] += chance_of(t, r, lane, mine, chances)


@inline
def chance_of(t, r, lane, mine, chances):
    """Return how likely a score wins the game after the deal just scored.

    Parameters
    ----------
    mine
        The score's row.
    chances
        Strength of a bot by bags (in tenths of the limit) and points to go (by ACROSS); a bot wins with probability its
        own by the sum of all.
    """
    total, own, best = 0.0, 0.0, I(0)
    for s in range(n_scores(t, r)):
        bags = min(max(t.bags[s, lane] * 10 // r.bag_limit, 0), chances.shape[0] - 1)
        to_go = min(max((r.target - t.scores[s, lane]) // ACROSS, 0), chances.shape[1] - 1)
        strength = chances[bags, to_go]
        total += strength
        own = strength if s == mine else own
        best = s if t.scores[s, lane] > t.scores[best, lane] else best
    ended = (t.done[lane] != GOES_ON) & (t.done[lane] <= WON)
    return (1.0 if best == mine else 0.0) if ended else own / total


@kernel
def cards_that_differ(seen, answers) -> int:
    """List the legal cards, of those with nothing but own cards between them only the lowest; return how many."""
    in_play = seen.legal | seen.unseen | seen.trick
    for s in range(seen.open.size):
        in_play |= seen.open[s]
    n, left = 0, seen.legal
    while left != 0:
        card = lowest(left)
        left ^= card
        answers[n] = card
        n += 1
        suit, touching = suit_of(card), card
        while touching != 0:
            touching = (touching << 1) & suit
            if touching & in_play != 0:
                touching &= left
                left ^= touching
    return n


def card_evaluator(policy, notes_voids: bool, hands: int):
    """Make the function that values the cards that a seat may play, rolled out with one player at all seats."""
    new_memory, play_on = memory_for(hands), make_play_on(policy)

    def value_cards(r, looked, chances, n_worlds, seed, by_bids):
        seen, memory = looked[0], new_memory()
        t = memory[0]
        answers = np.zeros(r.cards_each, np.int64)
        answers = answers[: cards_that_differ(seen, answers)]
        values, pairs = np.zeros(answers.size, np.float64), answers.size * n_worlds
        if answers.size == 1:
            return answers, values
        worlds, chosen = new_worlds(hands, n_worlds, by_bids)
        imagine(t, r, seen, worlds, chosen, seed, by_bids)
        steps, trick = steps_of(r, 1, 1, 0, notes_voids), r.cards_each - seen.tricks_left
        for first in range(0, pairs, LANES):
            open_lanes(t, r, seen, worlds, chosen, answers, first)
            play_cards(t, r, steps, trick, seen.position)
            play_on(t, r, steps, trick, seen.position + 1)
            end_play(t, r, steps)
            add_worth(t, r, seen.mine, chances, values, first, pairs)
        return answers, values / (n_worlds * memory.size)  # one; a record does not keep its array alive, a use does

    return value_cards


def bid_evaluator(bidder, policy, notes_voids: bool, hands: int):
    """Make the function that values bids, the later bids made by one bidder and the cards played by one player."""
    new_memory, play_on = memory_for(hands), make_play_on(policy)

    def value_bids(
        r, looked, chances, n_worlds, seed, by_bids, low, high, nil, bid_not
    ):  # fmt: skip
        seen, memory = looked[0], new_memory()
        t = memory[0]
        answers, n = np.zeros(r.cards_each + 1, np.int64), 0
        for bid in range(r.cards_each + 1):
            likely = (low <= bid) & (bid <= high)
            if (likely or (nil and bid == 0 and r.min_bid == 0)) and bid != bid_not:
                answers[n] = bid
                n += 1
        if n == 0:
            raise ValueError("no bid to value; expected a lowest bid not above the highest, or a nil")
        answers = answers[:n]
        values, pairs = np.zeros(n, np.float64), n * n_worlds
        worlds, chosen = new_worlds(hands, n_worlds, by_bids)
        imagine(t, r, seen, worlds, chosen, seed, by_bids)
        steps = steps_of(r, 1, 1, 0, notes_voids)  # later bids are never blind nils
        for first in range(0, pairs, LANES):
            open_bidding(t, r, seen, worlds, chosen, answers, first)
            take_bids(t, r, seen.order)
            for order in range(seen.order + 1, steps.turns):
                open_bids(t, r, steps, (bidder,), order)
                make_bids(t, r, steps, (bidder,), order)
            begin_play(t, r, steps)
            play_on(t, r, steps, 0, 0)
            end_play(t, r, steps)
            add_worth(t, r, seen.mine, chances, values, first, pairs)
        return answers, values / (n_worlds * memory.size)  # one; a record does not keep its array alive, a use does

    return value_bids


def make_play_on(policy):
    """Make the function that plays the lanes from a trick and position to the last trick, by one player."""

    def play_on(t, r, steps, trick, position):
        start = position
        for number in range(trick, steps.tricks):
            for place in range(start, steps.hands):
                take_turn(t, r, steps, (policy,), number, place)  # what is illegal has been replaced; nobody counts it
            start = 0

    return phase(play_on)
