"""The loop: deal, bids, tricks, score, refill, batch after batch.

It is one Python function, used two ways: compiled, with the strategies passed as function values, so that it compiles
once and never for a combination; or as it stands, when a table has an array or a Python strategy.
"""

from collections.abc import Callable
from functools import cache
from types import FunctionType

import numpy as np
from numba import from_dtype, njit, types

from spadesim.engine.compile.cache import FLAGS, engine_digest, kernel, marked, over_records, with_disk_cache
from spadesim.engine.compile.operations import each, never_inline
from spadesim.engine.game.blind import answer_blind, close_question, open_question
from spadesim.engine.game.count import count_deals, refill
from spadesim.engine.game.deal import deal, order_of
from spadesim.engine.game.dummy import lay_dummy, show_dummy, take_up_dummy
from spadesim.engine.game.faults import BID, BLIND, FAULT_DTYPE, PLAY, settle
from spadesim.engine.game.lanes import LANES
from spadesim.engine.game.score import score
from spadesim.engine.game.tricks import (
    close_play,
    forbid_total,
    note_high_spades,
    note_voids,
    open_play,
    share_needs,
    take_bids,
    take_cards,
)
from spadesim.engine.kernels.lift import kernel_signature, state_types

# fmt: off
CURSOR_DTYPE = np.dtype([
    ("next", "i8"), ("end", "i8"), ("first_block", "i8"), ("seed_key0", "u8"), ("seed_key1", "u8"),  # games to start
    ("hands", "i8"), ("turns", "i8"), ("tricks", "i8"), ("n_bidders", "i8"), ("n_players", "i8"),  # what to do
    ("forbids_total", "i8"), ("asks_blind", "i8"), ("has_dummy", "i8"), ("reads_voids", "i8"),
    ("counts_high_spades", "i8"), ("shares_needs", "i8"),
    ("stage", "i8"), ("finished", "i8"), ("corrections", "i8"), ("logged", "i8"),  # how far it got
    ("rows_a_batch", "i8"),
], align=True)
# fmt: on

# A row of the log of deals, a seat a row; cards as masks.
LOG_COLUMNS = "game deal seat bot order hand bid blind taken points bags score_before penalties".split()


def play(t, r, cursor, fault, blinds, bidders, players, deals, earned, bid_counts, results, history, log, batches):
    """Play batches of deals until all games have ended, `batches` are played or the log is full.

    Parameters
    ----------
    t, r, cursor, fault
        The state, changed in place, and the table: records of `lanes`, `setup.TABLE_DTYPE`; arrays of one CURSOR_DTYPE,
        `faults.FAULT_DTYPE` (of more rows, to have the corrections of the last batch). Interpreted, `t` and `r` are the
        arrays of these records.
    blinds, bidders, players
        Kernels of the table's distinct strategies, padded to one a hand. Bit i of the cursor's `asks_blind` is set
        where bidder i may bid nil blind, which `blinds[i]` asks.
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
    hands, turns, tricks = cursor[0]["hands"], cursor[0]["turns"], cursor[0]["tricks"]
    n_bidders, n_players = cursor[0]["n_bidders"], cursor[0]["n_players"]
    forbids_total, asks_blind = cursor[0]["forbids_total"], cursor[0]["asks_blind"]
    has_dummy, reads_voids = cursor[0]["has_dummy"], cursor[0]["reads_voids"]
    counts_high_spades, shares_needs = cursor[0]["counts_high_spades"], cursor[0]["shares_needs"]
    while batches > 0:
        if refill(t, r, cursor, results) == 0:
            return False
        if log.size > 0 and cursor[0]["logged"] + cursor[0]["rows_a_batch"] > log.shape[0]:
            return True
        cursor[0]["corrections"] = 0
        cursor[0]["stage"] = BID
        deal(t, r)
        for order in range(turns):
            if forbids_total:
                forbid_total(t, r, order)
            if asks_blind != 0:
                open_question(t, r, order)
                for i in range(n_bidders):
                    if (asks_blind >> i) & 1:
                        blinds[i](t, r, i, order, False)
                cursor[0]["stage"] = BLIND
                if close_question(t, r, order):
                    settle(t, r, order, cursor, fault, results)
                cursor[0]["stage"] = BID
            for i in range(n_bidders):
                bidders[i](t, r, i, order, n_bidders == 1 and asks_blind == 0)
            if asks_blind != 0:
                answer_blind(t, r, order)
            if take_bids(t, r, order):
                settle(t, r, order, cursor, fault, results)
        if has_dummy:
            lay_dummy(t, r)
        cursor[0]["stage"] = PLAY
        open_play(t, r)
        if shares_needs:
            share_needs(t, r)
        for trick in range(tricks):
            for position in range(hands):
                for i in range(n_players):
                    players[i](t, r, i, position, n_players == 1)
                if take_cards(t, r, position):
                    settle(t, r, position, cursor, fault, results)
                if reads_voids:
                    note_voids(t)
                if has_dummy and trick + position == 0:
                    show_dummy(t)
            if shares_needs:
                share_needs(t, r)
            if counts_high_spades:
                note_high_spades(t, trick)
            if history.size > 0:
                note_trick(t, trick, history)
        close_play(t)
        if has_dummy:
            take_up_dummy(t)
        score(t, r)
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
        dealt = each(t.dealt, t.leader[lane], lane)
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
def compiled_play(hands: int):
    """Compile the loop for this many hands, or load it; calls then take any strategies' kernels as they are."""
    kernels = types.UniTuple(types.FunctionType(kernel_signature(hands)), hands)
    records = [types.Array(from_dtype(each), 1, "C") for each in (CURSOR_DTYPE, FAULT_DTYPE)]
    int64s, int32s = types.Array(types.int64, 1, "C"), types.Array(types.int32, 1, "C")
    counts = [int64s, int64s, int32s, int32s]
    history, log = types.Array(types.int64, 4, "C"), types.Array(types.int64, 2, "C")
    signature = types.boolean(
        *state_types(hands), *records, kernels, kernels, kernels, *counts, history, log, types.int64
    )
    compiled = with_disk_cache(njit(**FLAGS)(marked(play)), f"play{hands}", engine_digest())
    compiled.compile(signature)
    compiled.disable_compile()
    return compiled


@cache
def interpreted_play():
    """Make the loop as plain Python, with kernels that go over all records of an array at once."""
    kernels = [refill, deal, forbid_total, open_question, close_question, answer_blind, take_bids, settle, open_play]
    kernels += [lay_dummy, show_dummy, take_up_dummy, take_cards, note_voids, note_high_spades, note_trick, close_play]
    kernels += [share_needs, score, count_deals, log_deals]
    return with_kernels(play, {kernel.__name__: over_records(kernel) for kernel in kernels})


def with_kernels(loop: Callable, kernels: dict[str, Callable]) -> Callable:
    """Make the same loop with other functions for some of its kernels."""
    return FunctionType(loop.__code__, loop.__globals__ | kernels)
