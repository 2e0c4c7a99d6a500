"""What an illegal answer costs (R9): the rare path, entered only when a batch holds one."""

import numpy as np

from spadesim.cards import count
from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.compile.operations import never_inline, own
from spadesim.engine.game.count import FAULTS, FIXED_COLUMNS
from spadesim.engine.game.dummy import DUMMY, seat_at
from spadesim.engine.game.lanes import LANES
from spadesim.engine.game.phases import BID, BLIND, PLAY
from spadesim.engine.game.tricks import legal_first_lead, legal_follow, legal_lead

I = np.int64  # noqa: E741 - short, for it stands in every line

STOP, CORRECT, FORFEIT = range(3)
POLICIES = {"stop": STOP, "correct": CORRECT, "forfeit": FORFEIT}
NO_FAULT = 1 << 62

# The first fault of the lowest-numbered game, whatever lanes and workers did. `decision` is -1 for the question about a
# blind nil, 0 for a bid, 1 + t for a card; `seat` is 3 for the dummy's hand, `place` is the seat's in the order of the
# turns; `legal` are the legal cards, or the bid that is not legal. Behind it may stand rows for the corrections of a
# batch.
FAULT_DTYPE = np.dtype(
    [(name, "i8") for name in "policy game deal seat place bot decision answer instead hand legal".split()], align=True
)


@kernel
def settle(t, r, stage, position, cursor, fault, results):
    """Find the lanes whose last answer was illegal, count them, and end their games unless the policy is to correct.

    Parameters
    ----------
    stage
        What was asked.
    position
        The place in the bidding or in the trick.
    cursor, fault, results
        As in `loop.play`.
    """
    never_inline()
    f = fault[0]
    bidding = stage != PLAY
    hands = t.dealt.shape[0]
    for lane in range(LANES):
        if t.game[lane] < 0 or t.fault_seat[lane] != 0 or t.game[lane] >= cursor[0].end:
            continue
        place = (t.leader[lane] + position) % (r.players if bidding else hands)
        said = own(t.blind, place, lane) if stage == BLIND else own(t.bids, place, lane)
        used = said if bidding else own(t.dealt, place, lane) & t.trick[lane]
        if used == t.answer[lane]:
            continue
        seat = seat_at(place, t.declarer[lane]) if r.dummy != 0 and not bidding else place
        bot = own(t.bots, place, lane)
        results[(t.block[lane] * r.bots + bot) * (FIXED_COLUMNS + 3 * r.bots) + FAULTS] += 1
        if f.policy != CORRECT:
            t.fault_seat[lane] = loser(t, r, seat, lane) + 1
        elif not bidding and r.renege != 0:
            t.reneges[place, lane] += 1
        if t.game[lane] < f.game:
            write_down(t, r, lane, position, stage, place, used, f)
            f.seat, f.bot = seat, bot
        if cursor[0].corrections + 1 < fault.size:
            cursor[0].corrections += 1
            c = fault[cursor[0].corrections]
            write_down(t, r, lane, position, stage, place, used, c)
            c.seat, c.bot = seat, bot
    if f.policy == STOP and f.game < cursor[0].end:
        cursor[0].end = f.game + 1  # later games no longer matter; earlier ones may still hold an earlier fault


@inline
def loser(t, r, seat, lane):
    """Find the seat that stands for the bot at fault: its side's first, or the declarer for the dummy's hand."""
    seat = seat & 1 if r.partnership != 0 else seat
    return t.declarer[lane] if (r.dummy != 0) & (seat == DUMMY) else seat


@inline
def write_down(t, r, lane, position, stage, place, used, f):
    """Write down the fault for the report."""
    f.game, f.deal, f.place, f.answer, f.instead = t.game[lane], t.deal[lane], place, t.answer[lane], used
    finished = t.played[lane] & ~t.trick[lane]  # the last card of a trick has already moved it there
    f.hand = own(t.dealt, place, lane) & ~(finished if stage == PLAY else 0)
    f.decision = 1 + r.cards_each - count(f.hand) if stage == PLAY else stage - BID
    f.legal = legal_then(t, r, lane, position, f) if stage == PLAY else t.bid_not[lane]


@inline
def legal_then(t, r, lane, position, f):
    """Return what was legal before a card that has been played."""
    if position > 0:
        return legal_follow(f.hand, t.led[lane])
    if f.decision == 1:
        return legal_first_lead(f.hand, r.opening, t.broken[lane])
    return legal_lead(f.hand, t.broken[lane])
