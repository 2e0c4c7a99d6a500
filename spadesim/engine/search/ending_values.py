"""Value cards by exact search: in each world all tricks left are played as every seat would, knowing all cards."""

import numpy as np

from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.game.dummy import bidder_at
from spadesim.engine.game.lanes import BYTE, LANES, memory_for
from spadesim.engine.game.phases import end_play, steps_of
from spadesim.engine.game.tricks import breaking
from spadesim.engine.search.endings import NONE, laid, max_n
from spadesim.engine.search.rollouts import cards_that_differ, chance_of, open_lanes
from spadesim.engine.search.worlds import imagine, new_worlds

I = np.int64  # noqa: E741 - short, for it stands in every line
TRICKS_MAX = 5  # searched exactly: each more takes a hundred times as long


@kernel
def tabulate(t, r, seen, worlds, chosen, chances, steps, payoff):
    """Tabulate the chance of every row's score to win the game, by how the tricks left fall among the rows.

    Parameters
    ----------
    worlds, chosen
        Any layouts of the cards, for what else the lanes hold.
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
            end_play(t, r, steps_of(r, 1, 1, 0, 0))
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


def ending_evaluator(hands: int):
    """Make the function that values the cards a seat may play by exact search of the tricks left in each world."""
    new_memory = memory_for(hands)

    def value_endings(r, looked, chances, n_worlds, seed, by_bids):
        seen, memory = looked[0], new_memory()
        t = memory[0]
        if seen.tricks_left > TRICKS_MAX:
            raise ValueError("too many tricks left for an exact search; expected at most 5")
        answers = np.zeros(r.cards_each, np.int64)
        answers = answers[: cards_that_differ(seen, answers)]
        values, held, steps = np.zeros(answers.size, np.float64), np.zeros(hands, np.int64), np.zeros(hands, np.int64)
        if answers.size == 1:
            return answers, values
        worlds, chosen = new_worlds(hands, n_worlds, by_bids)
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
    """Find how the tricks left fall after a card of the seat that sees, when all seats play on by `max_n`."""
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
