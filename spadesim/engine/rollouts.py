"""Play on from a decision: every answer that a seat could give, in many worlds, to the end of the deal.

The lanes of a batch, which in a league are games, are here pairs of a world and an answer, and the kernels that play
them are the league's own: so a rollout knows all rules, and is as fast as a league.
"""

import numpy as np

from spadesim.cards import count, lowest, suit_of
from spadesim.engine.bits import stay_whole
from spadesim.engine.compiling import inline, kernel
from spadesim.engine.deals import draw
from spadesim.engine.dummy import bidder_at, lay_dummy, show_dummy, take_up_dummy
from spadesim.engine.endings import NONE, laid, max_n
from spadesim.engine.lanes import BYTE, GOES_ON, LANES, NEEDS_ZERO, WON, lanes_dtype
from spadesim.engine.scoring import score
from spadesim.engine.seats import n_scores, n_turns
from spadesim.engine.tricks import (
    breaking,
    close_play,
    forbid_total,
    note_high_spades,
    note_voids,
    open_play,
    share_needs,
    take_bids,
    take_cards,
)
from spadesim.engine.worlds import WORLD_WORD, choose_worlds, deal_worlds, keep_worlds, key_worlds, weigh_worlds

U, I = np.uint64, np.int64  # noqa: E741 - short, for they stand in every line
PROPOSALS = 4  # worlds dealt for each that is kept, where they are chosen by the bids
ACROSS = 5  # points from one column of a table of chances to the next


@kernel
def open_lanes(t, r, seen, worlds, chosen, answers, first):
    """Set up lanes in the midst of a deal: pair number first + lane of the worlds and answers in every lane."""
    stay_whole()
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


@kernel
def open_bidding(t, r, seen, worlds, chosen, answers, first):
    """Set up lanes at a seat's turn to bid: pair number first + lane of the worlds and answers in every lane."""
    stay_whole()
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
    stay_whole()
    for lane in range(min(LANES, pairs - first)):
        values[(first + lane) % values.size] += chance_of(t, r, lane, mine, chances)


@inline
def chance_of(t, r, lane, mine, chances):
    """Tell how likely a score wins the game after the deal just scored.

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
def note_rules(t, r, position, trick):
    """Note what only some rules need, after a card has been taken."""
    if r.paired != 0:
        share_needs(t, r)
    if r.high_spade_bonus != 0 and position == t.dealt.shape[0] - 1:
        note_high_spades(t, trick)


@kernel
def finish(t, r):
    """Score the deals that the lanes have played."""
    close_play(t)
    if r.dummy != 0:
        take_up_dummy(t)
    score(t, r)


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


def seen_dtype(hands: int) -> np.dtype:
    """Make the record of what a seat sees, by rows of a batch, with this many hands."""
    per_seat = "bids blind taken scores bags voids excluded cards shown open".split()
    scalars = "unseen legal played trick led beats leader winner position broken tricks_left".split()
    scalars += "dealer declarer dummy random me mine order".split()
    return np.dtype([(name, "i8", (hands,)) for name in per_seat] + [(name, "i8") for name in scalars], align=True)


def valuing_cards(policy, reads_voids: bool, hands: int):
    """Make the function that values the cards that a seat may play, rolled out with one player at all seats."""
    dtype = lanes_dtype(hands)

    def value_cards(r, looked, chances, n_worlds, seed, by_bids):
        seen, memory = looked[0], np.zeros(1, dtype)
        t = memory[0]
        worlds = np.zeros((hands, n_worlds * PROPOSALS if by_bids else n_worlds), np.int64)
        chosen, answers = np.zeros(n_worlds, np.int64), np.zeros(r.cards_each, np.int64)
        answers = answers[: cards_that_differ(seen, answers)]
        values, pairs = np.zeros(answers.size, np.float64), answers.size * n_worlds
        if answers.size == 1:
            return answers, values
        imagine(t, r, seen, worlds, chosen, seed, by_bids)
        first_trick = r.cards_each - seen.tricks_left
        for first in range(0, pairs, LANES):
            open_lanes(t, r, seen, worlds, chosen, answers, first)
            start = seen.position
            for trick in range(first_trick, r.cards_each):
                for position in range(start, hands):
                    if trick > first_trick or position > seen.position:
                        policy(t, r, 0, position, True)
                    take_cards(t, r, position)
                    if reads_voids:
                        note_voids(t)
                    note_rules(t, r, position, trick)
                start = 0
            finish(t, r)
            add_worth(t, r, seen.mine, chances, values, first, pairs)
        return answers, values / (n_worlds * memory.size)  # one; a record does not keep its array alive, a use does

    return value_cards


def valuing_bids(bidder, policy, reads_voids: bool, hands: int):
    """Make the function that values bids, the later bids made by one bidder and the cards played by one player."""
    dtype = lanes_dtype(hands)

    def value_bids(r, looked, chances, n_worlds, seed, by_bids, low, high, nil, bid_not):
        seen, memory = looked[0], np.zeros(1, dtype)
        t = memory[0]
        worlds = np.zeros((hands, n_worlds * PROPOSALS if by_bids else n_worlds), np.int64)
        chosen, answers, n = np.zeros(n_worlds, np.int64), np.zeros(r.cards_each + 1, np.int64), 0
        for bid in range(r.cards_each + 1):
            likely = (low <= bid) & (bid <= high)
            if (likely or (nil and bid == 0 and r.min_bid == 0)) and bid != bid_not:
                answers[n] = bid
                n += 1
        answers = answers[:n]
        values, pairs = np.zeros(n, np.float64), n * n_worlds
        imagine(t, r, seen, worlds, chosen, seed, by_bids)
        for first in range(0, pairs, LANES):
            open_bidding(t, r, seen, worlds, chosen, answers, first)
            for order in range(seen.order, n_turns(t, r)):
                if r.total_not != 0:
                    forbid_total(t, r, order)
                if order > seen.order:
                    bidder(t, r, 0, order, True)
                take_bids(t, r, order)
            if r.dummy != 0:
                lay_dummy(t, r)
            open_play(t, r)
            if r.paired != 0:
                share_needs(t, r)
            for trick in range(r.cards_each):
                for position in range(hands):
                    policy(t, r, 0, position, True)
                    take_cards(t, r, position)
                    if reads_voids:
                        note_voids(t)
                    note_rules(t, r, position, trick)
                    if r.dummy != 0 and trick + position == 0:
                        show_dummy(t)
            finish(t, r)
            add_worth(t, r, seen.mine, chances, values, first, pairs)
        return answers, values / (n_worlds * memory.size)  # one; a record does not keep its array alive, a use does

    return value_bids


@kernel
def tabulate(t, r, seen, worlds, chosen, chances, steps, payoff):
    """Tabulate the chance of every row's score to win the game, by how the tricks left fall among the rows.

    Parameters
    ----------
    worlds, chosen
        Any lies of the cards, for what else the lanes hold.
    steps
        As in `endings.max_n`.
    payoff
        Receives the chances, shape (rows, numbers); -1 where so many tricks are not left.
    """
    hands, left = steps.size, seen.tricks_left
    falls, answers = np.zeros(LANES, np.int64), np.zeros(1, np.int64)
    payoff[:, :] = -1.0
    n = 0
    for fell in range(payoff.shape[1]):
        tricks = I(0)
        for s in range(hands):
            tricks += (fell // steps[s]) % (left + 1)
        if tricks == left:
            falls[n] = fell
            n += 1
        if n == LANES or (n > 0 and fell == payoff.shape[1] - 1):
            open_lanes(t, r, seen, worlds, chosen, answers, 0)
            for lane in range(n):
                for s in range(hands):
                    t.needs[lane] -= ((falls[lane] // steps[s]) % (left + 1)) << BYTE * s
            finish(t, r)
            for lane in range(n):
                for s in range(hands):
                    payoff[s, falls[lane]] = chance_of(t, r, lane, score_of(r, s, seen.declarer), chances)
            n = 0


@inline
def score_of(r, row, declarer):
    """Find the row of the score that a hand plays for (R7, R8)."""
    if r.dummy != 0:
        return bidder_at(row, declarer)
    return row % r.bots


def valuing_endings(hands: int):
    """Make the function that values the cards a seat may play by exact search of the tricks left in each world."""
    dtype = lanes_dtype(hands)

    def value_endings(r, looked, chances, n_worlds, seed, by_bids):
        seen, memory = looked[0], np.zeros(1, dtype)
        t = memory[0]
        worlds = np.zeros((hands, n_worlds * PROPOSALS if by_bids else n_worlds), np.int64)
        chosen, answers = np.zeros(n_worlds, np.int64), np.zeros(r.cards_each, np.int64)
        answers = answers[: cards_that_differ(seen, answers)]
        values, held, steps = np.zeros(answers.size, np.float64), np.zeros(hands, np.int64), np.zeros(hands, np.int64)
        if answers.size == 1:
            return answers, values
        imagine(t, r, seen, worlds, chosen, seed, by_bids)
        for s in range(hands):
            steps[s] = (seen.tricks_left + 1) ** s
        payoff = np.zeros((hands, (seen.tricks_left + 1) ** hands), np.float64)
        tabulate(t, r, seen, worlds, chosen, chances, steps, payoff)
        for world in chosen:
            for i in range(answers.size):
                held[:] = worlds[:, world]
                values[i] += payoff[seen.me, ending(r, seen, held, answers[i], steps, payoff)]
        return answers, values / (n_worlds * memory.size)

    return value_endings


@kernel
def ending(r, seen, held, card, steps, payoff) -> int:
    """Tell how the tricks left fall after a card of the seat that sees, when all seats play on by `max_n`."""
    me, position, left, seats = seen.me, seen.position, seen.tricks_left, held.size
    suit, who, lying, beats = laid(card, me, seen.winner, position, seen.led, seen.trick, seen.beats)
    held[me] ^= card
    leader = me if position == 0 else seen.leader
    if position < seats - 1:
        return max_n(
            held,
            leader,
            who,
            position + 1,
            suit,
            lying,
            beats,
            seen.broken,
            r.breaks_when_led,
            left,
            NONE,
            steps,
            payoff,
        )
    fell = steps[who]
    if left == 1:
        return fell
    broken = seen.broken | breaking(lying, suit, r.breaks_when_led)
    return max_n(held, who, who, NONE, NONE, NONE, NONE, broken, r.breaks_when_led, left - 1, fell, steps, payoff)
