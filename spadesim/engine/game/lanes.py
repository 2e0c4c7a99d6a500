"""The state of a batch: 112 games side by side, one record of fixed-shape fields, structure of arrays.

A *lane* is one game under way. The fixed shapes are what lets the compiler see that fields do not overlap and turn the
kernels into vector code; a batch is small enough to stay in the first-level cache.
"""

import numpy as np
from numba import config, njit

from spadesim.engine.compile.cache import marked
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
    "made",  # 1 where the contract or nil of the last deal was made
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
    "tie",  # how the game would have ended but for a tie at the top, which must be broken (R5.2)
    "done",  # how the game ended, 0 while it goes on
    "cell",  # where the deal of a seat is counted, see `counting.find_cells`
    "block_cell",
    "weight",
    "fault_seat",  # 1 + the seat whose fault ends the game, else 0
]
# What only some rules need stands behind, so that the rest lies close together in the cache.
PER_SEAT_OPTIONAL = [
    "blind",  # 1 where the bid is a blind nil (R2.3)
    "reneges",  # corrected cards, where the rules put a price on them (R9)
    "forfeited",  # 1 where a renege lets the contract fail
    "contract",  # the contract that the seat's points hang on, see `scoring`
    "contract_tricks",  # the tricks that count towards it
    "earned",  # points of its own contract or nil
]
PER_LANE_OPTIONAL = [
    "asked",  # 1 where the seat to act is asked at all; 0 after a blind nil
    "bid_not",  # the bid that would bring the total to what is forbidden, else -1 (R2.1)
    "first_needs",  # `needs` before the first trick: the bids
    "side_needs",  # what each seat's side needs, packed as `needs`
    "bid_cell",  # where the points of a bid are counted
    "declarer",  # the seat that plays the dummy's hand (R8)
    "dummy",  # the place of the dummy's hand, -1 where there is none
    "face_up",  # the dummy's cards as dealt, once all may see them
    "high_spades",  # tricks in a row that one hand has won with a high spade (R4.4)
]
KEYS = ["game_key0", "game_key1", "deal_key0", "deal_key1"]

BYTE, NEEDS_ZERO = 8, 128  # a seat's needs stand BYTE * seat bits up

GOES_ON, BY_TARGET, BY_FLOOR, BY_FIXED_DEALS, BY_DEAL_CAP, BY_FAULT = range(6)
END_REASONS = {
    BY_TARGET: "target", BY_FLOOR: "floor", BY_FIXED_DEALS: "deals", BY_DEAL_CAP: "deal_cap", BY_FAULT: "fault",
}  # fmt: skip
WON = BY_FIXED_DEALS  # an end up to this one has a winner


def lanes_dtype(hands: int) -> np.dtype:
    """Make the record type of a batch with this many hands."""
    per_seat, per_lane = (hands, LANES), (LANES,)
    return np.dtype(
        [(name, "i8", per_seat) for name in PER_SEAT]
        + [(name, "i8", per_lane) for name in PER_LANE]
        + [(name, "u8", per_lane) for name in KEYS]
        + [(name, "i8", per_seat) for name in PER_SEAT_OPTIONAL]
        + [(name, "i8", per_lane) for name in PER_LANE_OPTIONAL]
        + [("record", "i8")],  # its number among the batches that are played together
        align=True,
    )


def new_lanes(rules: Rules, records: int) -> np.ndarray:
    """Make `records` batches of idle lanes, shape (records,), on a cache line's boundary."""
    dtype = lanes_dtype(rules.hands)
    memory = np.zeros(records * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    lanes = memory[start : start + records * dtype.itemsize].view(dtype)
    lanes["game"] = lanes["dummy"] = lanes["bid_not"] = -1
    lanes["asked"] = 1
    lanes["record"] = np.arange(records)
    return as_records(lanes)


def memory_for(hands: int):
    """Make the function by which compiled code gets an array of one batch, whose lanes it sets up itself."""
    dtype = lanes_dtype(hands)
    if config.DISABLE_JIT:
        return lambda: as_records(np.zeros(1, dtype))
    return njit(marked(lambda: np.zeros(1, dtype)))


def as_records(array: np.ndarray) -> np.ndarray:
    """Let uncompiled kernels read fields as attributes, as compiled ones do."""
    return array.view(np.recarray) if config.DISABLE_JIT else array
