"""Blind nil: a question that is put to a seat far behind before it sees its cards (R2.3)."""

import numpy as np

from spadesim.engine.compile.cache import kernel
from spadesim.engine.compile.operations import never_inline, own
from spadesim.engine.game.lanes import LANES
from spadesim.engine.game.tricks import seat_to_act

I = np.int64  # noqa: E741 - short, for it stands in every line
NO, YES = 0, 1


@kernel
def open_question(t, r, order):
    """Find the lanes in which the seat to bid may bid nil blind: it is far behind, and a bid of 0 is not forbidden."""
    never_inline()
    for lane in range(LANES):
        best = t.scores[0, lane]
        for s in range(1, r.players):
            best = max(best, t.scores[s, lane])
        score = own(t.scores, seat_to_act(t, lane, order, r.players), lane)
        t.asked[lane] = I((best - score >= r.blind_behind) & (t.bid_not[lane] != 0))
        t.answer[lane] = NO


@kernel
def close_question(t, r, order) -> bool:
    """Keep who bids nil blind, and ask only the others for a bid; return whether one gave no answer, which is a no."""
    never_inline()
    wrong = I(0)
    for lane in range(LANES):
        seat = seat_to_act(t, lane, order, r.players)
        answer = t.answer[lane] if t.asked[lane] != 0 else NO
        said = I(answer == YES)
        wrong |= said ^ answer
        t.answer[lane] = answer
        for s in range(t.dealt.shape[0]):
            before = t.blind[s, lane]
            t.blind[s, lane] = said if seat == s else before
        t.asked[lane] = I(said == NO)
    return wrong != 0


@kernel
def answer_blind(t, r, order):
    """Turn the blind nils into bids of 0."""
    never_inline()
    for lane in range(LANES):
        said = own(t.blind, seat_to_act(t, lane, order, r.players), lane)
        answer = t.answer[lane]
        t.answer[lane] = answer if said == NO else 0
        t.asked[lane] = 1
