"""Blind nil: a question that is put to a seat far behind before it sees its cards (R2.3)."""

import numpy as np

from spadesim.engine.bits import own, stay_whole
from spadesim.engine.compiling import kernel
from spadesim.engine.lanes import LANES
from spadesim.engine.tricks import seat_to_act

I = np.int64  # noqa: E741 - short, for it stands in every line
NO, YES, NO_ANSWER = 0, 1, -1


@kernel
def open_question(t, r, order):
    """Find the lanes in which the seat to bid may bid nil blind: it is far behind, and a bid of 0 is not forbidden."""
    stay_whole()
    for lane in range(LANES):
        best = t.scores[0, lane]
        for s in range(1, r.players):
            best = max(best, t.scores[s, lane])
        score = own(t.scores, seat_to_act(t, lane, order, r.players), lane)
        t.asked[lane] = I((best - score >= r.blind_behind) & (t.bid_not[lane] != 0))
        t.answer[lane] = NO


@kernel
def close_question(t, r, order):
    """Keep who bids nil blind; only the others are asked for a bid."""
    stay_whole()
    for lane in range(LANES):
        seat = seat_to_act(t, lane, order, r.players)
        answer = t.answer[lane] if t.asked[lane] != 0 else NO
        said = answer if (answer == NO) | (answer == YES) else NO_ANSWER
        for s in range(t.dealt.shape[0]):
            before = t.blind[s, lane]
            t.blind[s, lane] = said if seat == s else before
        t.asked[lane] = I(said == NO)


@kernel
def answer_blind(t, r, order):
    """Turn the blind nils into bids of 0, and no answer to the question into no bid."""
    stay_whole()
    for lane in range(LANES):
        seat = seat_to_act(t, lane, order, r.players)
        said = own(t.blind, seat, lane)
        answer = t.answer[lane]
        t.answer[lane] = answer if said == NO else 0 if said == YES else NO_ANSWER
        for s in range(t.dealt.shape[0]):
            before = t.blind[s, lane]
            t.blind[s, lane] = I(before == YES)
        t.asked[lane] = 1
