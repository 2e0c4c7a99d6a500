"""What an illegal answer costs (R9): the rare path, entered only when a batch holds one."""

import numpy as np

from spadesim.cards import count
from spadesim.engine.bits import own, stay_whole
from spadesim.engine.compiling import inline, kernel
from spadesim.engine.counting import FAULTS, FIXED_COLUMNS
from spadesim.engine.lanes import LANES
from spadesim.engine.tricks import legal_follow, legal_lead

I = np.int64  # noqa: E741 - short, for it stands in every line

STOP, CORRECT, FORFEIT = range(3)
POLICIES = {"stop": STOP, "correct": CORRECT, "forfeit": FORFEIT}
NO_FAULT = 1 << 62

# The first fault of the lowest-numbered game, whatever lanes and workers did. `decision` is 0 for a bid, 1 + t for a
# card.
FAULT_DTYPE = np.dtype(
    [(name, "i8") for name in "policy game deal seat decision answer hand legal".split()], align=True
)


@kernel
def settle(t, r, position, bidding, cursor, fault, results):
    """Find the lanes whose last answer was illegal, count them, and end their games unless the policy is to correct."""
    stay_whole()
    f = fault[0]
    hands = t.dealt.shape[0]
    for lane in range(LANES):
        if t.game[lane] < 0 or t.fault_seat[lane] != 0 or t.game[lane] >= cursor[0].end:
            continue
        seat = (t.leader[lane] + position) % hands
        used = own(t.bids, seat, lane) if bidding else own(t.dealt, seat, lane) & t.trick[lane]
        if used == t.answer[lane]:
            continue
        columns = FIXED_COLUMNS + 3 * hands
        results[(t.block[lane] * hands + own(t.bots, seat, lane)) * columns + FAULTS] += 1
        if f.policy != CORRECT:
            t.fault_seat[lane] = seat + 1
        if t.game[lane] < f.game:
            write_down(t, lane, seat, position, bidding, r.cards_each, f)
    if f.policy == STOP and f.game < cursor[0].end:
        cursor[0].end = f.game + 1  # later games no longer matter; earlier ones may still hold an earlier fault


@inline
def write_down(t, lane, seat, position, bidding, cards_each, f):
    """Write down the fault for the report."""
    f.game, f.deal, f.seat, f.answer = t.game[lane], t.deal[lane], seat, t.answer[lane]
    finished = t.played[lane] & ~t.trick[lane]  # the last card of a trick has already moved it there
    f.hand = own(t.dealt, seat, lane) & ~(0 if bidding else finished)
    f.decision = 0 if bidding else 1 + cards_each - count(f.hand)
    before = t.broken[lane] if position == 0 else 0
    follow = legal_follow(f.hand, t.led[lane]) if position > 0 else legal_lead(f.hand, before)
    f.legal = -1 if bidding else follow
