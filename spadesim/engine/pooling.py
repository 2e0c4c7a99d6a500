"""Sums over blocks of counts and of their products, from which the error bars come."""

import numpy as np

from spadesim.engine.compiling import kernel
from spadesim.engine.counting import DEALS, MADE, MADE_SHIFT

I = np.int64  # noqa: E741 - short, for it stands in every line


POOLED_SHIFT = 32  # pooled over tables, deals and deals made are kept apart by more than at one table


@kernel
def pool_table(bots, results, bid_counts, pooled_results, pooled_bids):
    """Add one table's counts to those of the league, whose bots `bots` sit at the table."""
    blocks, seats, n_columns = results.shape
    n_bots = pooled_results.shape[1]
    ahead = n_columns - 2 * seats  # the columns before these are the bot's own
    for block in range(blocks):
        for place in range(seats):
            bot = bots[place]
            for column in range(ahead):
                pooled_results[block, bot, column] += results[block, place, column]
            for other in range(seats):
                pooled_results[block, bot, ahead + bots[other]] += results[block, place, ahead + other]
                pooled_results[block, bot, ahead + n_bots + bots[other]] += results[block, place, ahead + seats + other]
            for bid in range(bid_counts.shape[2]):
                packed = I(bid_counts[block, place, bid])
                pooled_bids[block, bot, bid] += (packed & (MADE - 1)) + ((packed >> MADE_SHIFT) << POOLED_SHIFT)


@kernel
def sum_results(results, sums, squares, by_deals):
    """Add up results (blocks, bots, columns): each column, its square, and its product with the deals of its block."""
    for block in range(results.shape[0]):
        for bot in range(results.shape[1]):
            deals = I(results[block, bot, DEALS])
            for column in range(results.shape[2]):
                value = I(results[block, bot, column])
                sums[bot, column] += value
                squares[bot, column] += value * value
                by_deals[bot, column] += value * deals


@kernel
def sum_bids(bid_counts, shift, sums, nil_sums):
    """Add up deals and deals made, shape (blocks, bots, bids), the latter behind `shift` bits.

    Parameters
    ----------
    sums : (6, bots, bids) int64
        Receives n, d, nn, nd, dd and the blocks with d > 0, for the deals made (n) among all (d).
    nil_sums : (6, bots) int64
        The same for nil bids (n) among all deals (d).
    """
    low_bits = (I(1) << shift) - 1
    for block in range(bid_counts.shape[0]):
        for bot in range(bid_counts.shape[1]):
            total = I(0)
            for bid in range(bid_counts.shape[2]):
                packed = I(bid_counts[block, bot, bid])
                if packed != 0:
                    total += packed & low_bits
                    add(sums[:, bot, bid], packed >> shift, packed & low_bits)
            if total != 0:
                add(nil_sums[:, bot], I(bid_counts[block, bot, 0]) & low_bits, total)


@kernel
def add(sums, n, d):
    """Add one block."""
    sums[0] += n
    sums[1] += d
    sums[2] += n * n
    sums[3] += n * d
    sums[4] += d * d
    sums[5] += 1
