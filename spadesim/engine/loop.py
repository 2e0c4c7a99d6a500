"""The loop: deal, bids, tricks, score, refill, batch after batch.

It is one Python function, used two ways: compiled, with the strategies passed as function values, so that it compiles once
and never for a combination; or as it stands, when a table has an array or a Python strategy.
"""

from functools import cache

import numpy as np
from numba import from_dtype, njit, types

from spadesim.engine.bits import each, stay_whole
from spadesim.engine.compiling import FLAGS, engine_digest, kernel, with_disk_cache
from spadesim.engine.counting import count_deals, n_result_columns, refill
from spadesim.engine.deals import deal
from spadesim.engine.faults import FAULT_DTYPE, settle
from spadesim.engine.lanes import LANES
from spadesim.engine.lift import TABLE_TYPE, kernel_signature, lanes_type
from spadesim.engine.scoring import score
from spadesim.engine.tricks import note_voids, open_play, take_bids, take_cards

# fmt: off
CURSOR_DTYPE = np.dtype([
    ("next", "i8"), ("end", "i8"),  # games still to start
    ("first_block", "i8"), ("finished", "i8"), ("logged", "i8"), ("seed", "u8"),
], align=True)
# fmt: on

# A row of the log of deals, a seat a row; cards as masks.
LOG_COLUMNS = "game deal seat bot order hand bid taken points bags score_before penalties".split()


def play(
    lanes, table, cursor, fault, bidders, players, deals, bid_counts, results, history, log, batches,
):  # fmt: skip
    """Play batches of deals until all games have ended, `batches` are played or the log is full.

    Parameters
    ----------
    lanes, table, cursor, fault
        The state, changed in place, but for the table: see `lanes`, `setup.TABLE_DTYPE`, CURSOR_DTYPE, `faults.FAULT_DTYPE`.
    bidders, players
        Kernels of the table's distinct strategies, padded to one a seat.
    deals, bid_counts, results
        The counts to add to: see `counting`.
    history
        Receives the tricks of the last batch, shape (records, tricks, 1 + seats, LANES): the leader's seat, then the cards
        in the order played; of size 0 to do without.
    log
        Receives a row a seat and deal, shape (rows, LOG_COLUMNS); of size 0 to do without.

    Returns
    -------
    bool
        Whether games are still under way.
    """
    seats, tricks = table[0]["players"], table[0]["cards_each"]
    n_bidders, n_players = table[0]["n_bidders"], table[0]["n_players"]
    while batches > 0:
        if refill(lanes, table, cursor, results) == 0:
            return False
        if log.size > 0 and cursor[0]["logged"] + lanes.size * LANES * seats > log.shape[0]:
            return True
        deal(lanes, table)
        for order in range(seats):
            for i in range(n_bidders):
                bidders[i](lanes, table, i, order, n_bidders == 1)
            if take_bids(lanes, table, order):
                settle(lanes, table, order, True, cursor, fault, results)
        open_play(lanes)
        for trick in range(tricks):
            for position in range(seats):
                for i in range(n_players):
                    players[i](lanes, table, i, position, n_players == 1)
                if take_cards(lanes, table, position):
                    settle(lanes, table, position, False, cursor, fault, results)
                if table[0]["reads_voids"]:
                    note_voids(lanes)
            if history.size > 0:
                note_trick(lanes, trick, history)
        score(lanes, table)
        count_deals(lanes, table, deals, bid_counts)
        if log.size > 0:
            log_deals(lanes, cursor, log)
        batches -= 1
    return True


@kernel
def note_trick(lanes, trick, history):
    """Write down the trick just finished in every lane."""
    stay_whole()
    for b in range(lanes.size):
        t = lanes[b]
        for lane in range(LANES):
            history[b, trick, 0, lane] = t.leader[lane]
            dealt = each(t.dealt, t.leader[lane], lane)
            for place in range(t.dealt.shape[0]):
                history[b, trick, 1 + place, lane] = dealt[place] & t.trick[lane]


@kernel
def log_deals(lanes, cursor, log):
    """Append the deal just scored in every lane, a row a seat."""
    stay_whole()
    row = cursor[0].logged
    for b in range(lanes.size):
        t = lanes[b]
        hands = t.dealt.shape[0]
        for lane in range(LANES):
            if t.game[lane] < 0 or t.fault_seat[lane] != 0:
                continue
            for s in range(hands):
                log[row, 0] = t.game[lane]
                log[row, 1] = t.deal[lane]
                log[row, 2] = s
                log[row, 3] = t.bots[s, lane]
                log[row, 4] = (s + 2 * hands - t.dealer[lane] - 1) % hands
                log[row, 5] = t.dealt[s, lane]
                log[row, 6] = t.bids[s, lane]
                log[row, 7] = t.taken[s, lane]
                log[row, 8] = t.points[s, lane]
                log[row, 9] = t.bags[s, lane]
                log[row, 10] = t.scores[s, lane] - t.points[s, lane]
                log[row, 11] = t.deal_penalties[s, lane]
                row += 1
    cursor[0].logged = row


@cache
def compiled_play(hands: int):
    """Compile the loop for this many hands, or load it; calls then take any strategies' kernels as they are."""
    kernels = types.UniTuple(types.FunctionType(kernel_signature(hands)), hands)
    records = [types.Array(from_dtype(each), 1, "C") for each in (CURSOR_DTYPE, FAULT_DTYPE)]
    counts = [types.Array(types.int64, 1, "C"), types.Array(types.int32, 1, "C"), types.Array(types.int32, 3, "C")]
    history, log = types.Array(types.int64, 4, "C"), types.Array(types.int64, 2, "C")
    state = [lanes_type(hands), TABLE_TYPE, *records]
    signature = types.boolean(*state, kernels, kernels, *counts, history, log, types.int64)
    compiled = with_disk_cache(njit(**FLAGS)(play), f"play{hands}", engine_digest())
    compiled.compile(signature)
    compiled.disable_compile()
    return compiled
