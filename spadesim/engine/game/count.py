"""From finished deals and games to integer counts, which add in any order to the same sums."""

import numpy as np

from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.compile.operations import never_inline
from spadesim.engine.game.deal import first_dealer, game_keys, order_of
from spadesim.engine.game.lanes import BY_DEAL_CAP, BY_FAULT, GOES_ON, LANES, WON
from spadesim.engine.game.seats import n_scores, n_turns

I, U = np.int64, np.uint64  # noqa: E741 - short, for they stand in every line

# Columns of `results`, shape (blocks, bots, columns), flattened for the kernels. Behind these stand, for every seat or
# other bot of the table: wins in the seat, then games ahead of the bot, then the sum of score differences to it.
WINS, SCORE, PENALTIES, BAGS, DEALS, CAPPED, FAULTS, FIXED_COLUMNS = range(8)

MADE_SHIFT = 16
MADE = (
    1 << MADE_SHIFT
)  # `bid_counts` holds deals in the low half of an int32 and how many of them were made in the high half


# They tell the compiler that factors are short, which makes multiplications cheaper.
SMALL, SHORT = 0xFF, 0xFFFFFFF


def n_result_columns(bots: int) -> int:
    """Count the columns of `results`."""
    return FIXED_COLUMNS + 3 * bots


@kernel
def count_deals(t, r, deals, earned, bid_counts):
    """Count the deals just scored, a hand that bid at a time; the arrays are flattened.

    They are `deals[bot, order, bid, taken]`, `bid_counts[block, bot, bid]`, and where points do not follow from the
    first, `earned[bot, order, bid]`.
    """
    never_inline()
    for s in range(n_turns(t, r)):
        if r.points_vary == 0:
            find_cells(t, s, r, False)
        else:
            find_cells(t, s, r, True)
        for lane in range(LANES):  # all that cannot be vector code
            deals[U(t.cell[lane])] += t.weight[lane] & 1
            bid_counts[U(t.block_cell[lane])] += np.int32(t.weight[lane])
        if r.points_vary != 0:
            for lane in range(LANES):
                earned[U(t.bid_cell[lane])] += t.earned[s, lane] & -(t.weight[lane] & 1)


@inline
def find_cells(t, s, r, by_bid):
    """Find where a seat's deal is counted in every lane, and what it adds: idle and faulted lanes add nothing."""
    players, bots = n_turns(t, r) & SMALL, n_scores(t, r) & SMALL
    n_bids, counts_both = (r.cards_each + 1) & SMALL, r.dummy != 0
    for lane in range(LANES):
        bot, bid = t.bots[s, lane] & SMALL, t.bids[s, lane] & SMALL
        order = order_of(s, t.dealer[lane], players)
        bid_cell = ((bot * players + order) & SHORT) * n_bids + bid
        if by_bid:
            t.bid_cell[lane] = bid_cell
        # where two hands work for one bid, the tricks of both tell how good it was (R8)
        taken = t.contract_tricks[s, lane] if counts_both else t.taken[s, lane]
        t.cell[lane] = (bid_cell & SHORT) * n_bids + taken
        t.block_cell[lane] = (((t.block[lane] & SHORT) * bots + bot) & SHORT) * n_bids + bid
        t.weight[lane] = (1 + MADE * t.made[s, lane]) & -I((t.game[lane] >= 0) & (t.fault_seat[lane] == 0))


@kernel
def refill(t, r, cursor, results) -> np.int64:
    """Count the games that have ended and give their lanes the next ones."""
    never_inline()
    c = cursor[0]
    active = I(0)
    for lane in range(LANES):
        if t.game[lane] >= 0 and t.done[lane] != GOES_ON and t.game[lane] < c.end:
            count_game(t, lane, n_scores(t, r), results)
            c.finished += 1
        if t.game[lane] < 0 or t.done[lane] != GOES_ON or t.game[lane] >= c.end:
            start_game(t, lane, r, c)
        active += I(t.game[lane] >= 0)
    return active


@inline
def count_game(t, lane, bots, results):
    """Add one game to the results of its block."""
    columns = FIXED_COLUMNS + 3 * bots
    end = t.done[lane]
    best = t.scores[0, lane]
    for s in range(bots):
        best = max(best, t.scores[s, lane])
    for s in range(bots):
        row = U((t.block[lane] * bots + t.bots[s, lane]) * columns)
        won = I((end <= WON) & (t.scores[s, lane] == best))
        at_fault = t.fault_seat[lane] == s + 1
        results[row + U(WINS)] += won
        results[row + U(SCORE)] += t.scores[s, lane]
        results[row + U(PENALTIES)] += t.penalties[s, lane]
        results[row + U(BAGS)] += t.game_bags[s, lane]
        results[row + U(DEALS)] += t.deal[lane] + 1 - I(end == BY_FAULT)
        results[row + U(CAPPED)] += I(end == BY_DEAL_CAP)
        results[row + U(FIXED_COLUMNS + s)] += won
        for other in range(bots):
            margin = t.scores[s, lane] - t.scores[other, lane]
            other_at_fault = t.fault_seat[lane] == other + 1
            ahead = ((margin > 0) | other_at_fault) & (not at_fault)  # R9: a fault loses the game
            place = row + U(FIXED_COLUMNS + bots + t.bots[other, lane])
            results[place] += I(ahead)
            results[place + U(bots)] += margin


@inline
def start_game(t, lane, r, c):
    """Seat the bots of the next game, or let the lane idle; an idle lane still deals, but nothing of it counts."""
    hands = t.dealt.shape[0]
    game = c.next if c.next < c.end else -1
    c.next += I(game >= 0)
    n_seatings = r.n_seatings
    number = game if game >= 0 else c.first_block * n_seatings  # somewhere inside the chunk
    stream = number // n_seatings
    seating = number - stream * n_seatings
    t.game[lane] = game
    t.block[lane] = stream - c.first_block
    t.done[lane] = GOES_ON
    t.fault_seat[lane] = 0
    t.tie[lane] = GOES_ON
    t.deal[lane] = -1
    for s in range(hands):
        bot = r.seatings[seating, s]
        t.bots[s, lane] = bot
        t.bidders[s, lane] = r.bidder_of[bot]
        t.players[s, lane] = r.player_of[bot]
        t.scores[s, lane] = 0
        t.bags[s, lane] = 0
        t.game_bags[s, lane] = 0
        t.penalties[s, lane] = 0
    t.game_key0[lane], t.game_key1[lane] = game_keys(c.seed_key0, c.seed_key1, U(stream))
    dealer = first_dealer(t.game_key0[lane], t.game_key1[lane], r.players)
    t.dealer[lane] = r.players - 1 if dealer == 0 else dealer - 1  # `deal` passes it on
