"""The loop: deal, bids, tricks, score, refill, batch after batch.

It is one Python function, used two ways: compiled, with the strategies passed as function values, so that it compiles
once and never for a combination; or as it stands, when a table has an array or a Python strategy.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import from_dtype, types

from spadesim.engine.compile.cache import kernel
from spadesim.engine.compile.operations import all_seats, never_inline
from spadesim.engine.game.count import count_deals, refill
from spadesim.engine.game.deal import deal, order_of
from spadesim.engine.game.faults import FAULT_DTYPE, settle
from spadesim.engine.game.lanes import LANES
from spadesim.engine.game.phases import (
    BID,
    BLIND,
    PLAY,
    begin_play,
    compile_loop,
    end_play,
    in_plain_python,
    make_bids,
    open_bids,
    steps_type,
    take_turn,
)  # fmt: skip
from spadesim.engine.kernels.lift import kernel_signature, state_types

# fmt: off
CURSOR_DTYPE = np.dtype([
    ("next", "i8"), ("end", "i8"), ("first_block", "i8"), ("seed_key0", "u8"), ("seed_key1", "u8"),  # games to start
    ("finished", "i8"), ("corrections", "i8"), ("logged", "i8"), ("rows_a_batch", "i8"),  # how far it got
], align=True)
# fmt: on

# A row of the log of deals, a seat a row; cards as masks.
LOG_COLUMNS = "game deal seat bot order hand bid blind taken points bags score_before penalties".split()


def play(
    t, r, steps, cursor, fault, blinds, bidders, players, deals, earned, bid_counts, results, history, log, batches
):  # fmt: skip
    """Play batches of deals until all games have ended, `batches` are played or the log is full.

    Parameters
    ----------
    t, r, cursor, fault
        The state, changed in place, and the table: records of `lanes`, `setup.TABLE_DTYPE`; arrays of one CURSOR_DTYPE,
        `faults.FAULT_DTYPE` (of more rows, to have the corrections of the last batch). Interpreted, `t` and `r` are the
        arrays of these records.
    steps
        What the deals consist of, `phases.Steps`.
    blinds, bidders, players
        Kernels of the table's distinct strategies, padded to one a hand; `blinds[i]` asks bidder i whether it
        bids nil blind.
    deals, earned, bid_counts, results
        The counts to add to: see `counting`.
    history
        Receives the tricks of the last batch, shape (records, tricks, 1 + hands, LANES): the leader's place, then the
        cards in the order played; of size 0 to do without.
    log
        Receives a row a seat and deal, shape (rows, LOG_COLUMNS); of size 0 to do without.

    Returns
    -------
    bool
        Whether games are still under way.
    """
    while batches > 0:
        if refill(t, r, cursor, results) == 0:
            return False
        if log.size > 0 and cursor[0]["logged"] + cursor[0]["rows_a_batch"] > log.shape[0]:
            return True
        cursor[0]["corrections"] = 0
        deal(t, r)
        for order in range(steps.turns):
            if open_bids(t, r, steps, blinds, order):
                settle(t, r, BLIND, order, cursor, fault, results)
            if make_bids(t, r, steps, bidders, order):
                settle(t, r, BID, order, cursor, fault, results)
        begin_play(t, r, steps)
        for trick in range(steps.tricks):
            for position in range(steps.hands):
                if take_turn(t, r, steps, players, trick, position):
                    settle(t, r, PLAY, position, cursor, fault, results)
            if history.size > 0:
                note_trick(t, trick, history)
        end_play(t, r, steps)
        count_deals(t, r, deals, earned, bid_counts)
        if log.size > 0:
            log_deals(t, r, cursor, log)
        batches -= 1
    return True


@kernel
def note_trick(t, trick, history):
    """Write down the trick just finished in every lane."""
    never_inline()
    for lane in range(LANES):
        history[t.record, trick, 0, lane] = t.leader[lane]
        dealt = all_seats(t.dealt, t.leader[lane], lane)
        for place in range(t.dealt.shape[0]):
            history[t.record, trick, 1 + place, lane] = dealt[place] & t.trick[lane]


@kernel
def log_deals(t, r, cursor, log):
    """Append the deal just scored in every lane, a row a seat."""
    never_inline()
    row = cursor[0].logged
    for lane in range(LANES):
        if t.game[lane] < 0 or t.fault_seat[lane] != 0:
            continue
        for s in range(r.players):
            log[row, 0] = t.game[lane]
            log[row, 1] = t.deal[lane]
            log[row, 2] = s
            log[row, 3] = t.bots[s, lane]
            log[row, 4] = order_of(s, t.dealer[lane], r.players)
            log[row, 5] = t.dealt[s, lane]
            log[row, 6] = t.bids[s, lane]
            log[row, 7] = t.blind[s, lane]
            log[row, 8] = t.taken[s, lane]
            log[row, 9] = t.points[s, lane]
            log[row, 10] = t.bags[s, lane]
            log[row, 11] = t.scores[s, lane] - t.points[s, lane]
            log[row, 12] = t.deal_penalties[s, lane]
            row += 1
    cursor[0].logged = row


@cache
def compiled_play(hands: int, asks_blind: bool, has_dummy: bool) -> Callable:
    """Compile the loop for this many hands, or load it."""
    kernels = types.UniTuple(types.FunctionType(kernel_signature(hands)), hands)
    records = [types.Array(from_dtype(dtype), 1, "C") for dtype in (CURSOR_DTYPE, FAULT_DTYPE)]
    int64s, int32s = types.Array(types.int64, 1, "C"), types.Array(types.int32, 1, "C")
    counts = [int64s, int64s, int32s, int32s]
    history, log = types.Array(types.int64, 4, "C"), types.Array(types.int64, 2, "C")
    signature = types.boolean(
        *state_types(hands), steps_type(), *records, kernels, kernels, kernels, *counts, history, log, types.int64
    )
    return compile_loop(play, f"play{hands}", signature, asks_blind, has_dummy)


@cache
def interpreted_play() -> Callable:
    """Make the loop as plain Python, with kernels that go over all records of an array at once."""
    return in_plain_python(play, [refill, deal, settle, note_trick, count_deals, log_deals])
