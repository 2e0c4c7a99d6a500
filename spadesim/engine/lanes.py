"""The state of a batch: 112 games side by side, one record of fixed-shape fields, structure of arrays.

A *lane* is one game under way. The fixed shapes are what lets the compiler see that fields do not overlap and turn the
kernels into vector code; a batch is small enough to stay in the first-level cache.
"""

import numpy as np
from numba import config

from spadesim.rules import Rules

# Not a power of two: rows of 1024 bytes would crowd into the same sets of the first-level cache, and one placement in
# four would run a third slower. With 896 bytes every placement is as fast as the best.
LANES = 112
CACHE_LINE = 64

PER_SEAT = [
    "dealt",  # the cards as dealt; what a seat still holds is `dealt & ~played`
    "bids",  # -1 until the seat has bid
    "taken",  # tricks won in this deal, entered when it has been played
    "voids",  # suits that the seat has failed to follow; kept only where a player reads it
    "scores",
    "bags",  # towards the next penalty
    "game_bags",  # all bags of the game
    "penalties",  # bag penalties of the game
    "points",  # of the last deal, penalties included
    "deal_penalties",  # of the last deal
    "bots",  # which bot of the table sits here
    "bidders",  # which of the table's distinct bidders it uses
    "players",  # which of the table's distinct players it uses
]
PER_LANE = [
    "game",  # number in the table, -1 when the lane idles
    "block",  # its deal stream, counted from the first stream of the chunk
    "deal",  # number in the game, 0 first, -1 before
    "dealer",
    "leader",  # the seat that led to this trick; while bidding, the seat that bids first
    "winner",  # the seat that wins the trick so far, and so leads to the next
    "needs",  # while playing: bid less tricks won of every seat, a byte each, plus NEEDS_ZERO
    "legal",  # what the seat to play may play
    "led",  # the suit led, as a mask; 0 before the lead
    "trick",  # the cards in the trick
    "played",  # the cards in finished tricks
    "beats",  # the cards that would win the trick now
    "broken",  # the spades that broke spades in finished tricks, 0 while unbroken
    "answer",  # what the strategy to move said: a bid or a card
    "playoff",  # 1 once a tie at the top must be broken (R5.2)
    "done",  # how the game ended, 0 while it goes on
    "cell",  # where the deal of a seat is counted, see `counting.find_cells`
    "block_cell",
    "weight",
    "fault_seat",  # 1 + the seat whose fault ends the game, else 0
]
KEYS = ["game_key0", "game_key1", "deal_key0", "deal_key1"]

BYTE, NEEDS_ZERO = 8, 128  # a seat's needs stand BYTE * seat bits up

GOES_ON, BY_TARGET, BY_DEAL_CAP, BY_FAULT = range(4)
END_REASONS = {BY_TARGET: "target", BY_DEAL_CAP: "deal_cap", BY_FAULT: "fault"}


def lanes_dtype(hands: int) -> np.dtype:
    """Make the record type of a batch with this many hands."""
    return np.dtype(
        [(name, "i8", (hands, LANES)) for name in PER_SEAT]
        + [(name, "i8", (LANES,)) for name in PER_LANE]
        + [(name, "u8", (LANES,)) for name in KEYS]
        + [("record", "i8")],  # its number among the batches that are played together
        align=True,
    )


def new_lanes(rules: Rules, records: int) -> np.ndarray:
    """Make `records` batches of idle lanes, shape (records,), on a cache line's boundary."""
    dtype = lanes_dtype(rules.players)
    memory = np.zeros(records * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    lanes = memory[start : start + records * dtype.itemsize].view(dtype)
    lanes["game"] = -1
    lanes["record"] = np.arange(records)
    return as_records(lanes)


def as_records(array: np.ndarray) -> np.ndarray:
    """Give uncompiled kernels the attribute access that compiled ones have."""
    return array.view(np.recarray) if config.DISABLE_JIT else array
