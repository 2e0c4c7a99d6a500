"""Bidders and players that search: they try every answer in many worlds."""

import numpy as np

from spadesim import bidder, bot, player
from spadesim.bids import allowed
from spadesim.search import CHANCES, make_bid_evaluator, make_card_evaluator, make_ending_evaluator
from spadesim.strategies.fitted import fitted, tricks_of
from spadesim.strategies.steady import steady

card_values = make_card_evaluator(steady, CHANCES)
ending_values = make_ending_evaluator(CHANCES)
bid_values = make_bid_evaluator(fitted, steady, CHANCES)


@player
def monte_carlo(view, *, worlds=64, seed=0, by_bids=True):
    """Play every card on in many worlds, and take the one that wins the most games.

    *Plays* the card with the best mean chance to win over `worlds` layouts of the unseen cards, each played on with
    `steady` at all seats; of equals the lowest. `seed` gives other worlds; `by_bids` prefers those in which the others
    hold what they have bid.
    *Origin*: flat Monte Carlo with common worlds.
    """
    cards, values = card_values(view, worlds, seed, by_bids)
    return cards[np.argmax(values)]


@player
def pimc(view, *, worlds=64, seed=0, by_bids=True, exact=3):
    """Play as `monte_carlo`, but search the last tricks exactly.

    *Plays*, when `exact` tricks are left, the card with the best mean chance to win over `worlds` worlds in each of
    which all seats play perfectly for themselves, knowing all cards.
    *Origin*: perfect-information Monte Carlo with maxⁿ.
    """
    if view.tricks_left <= exact:
        cards, values = ending_values(view, worlds, seed, by_bids)
    else:
        cards, values = card_values(view, worlds, seed, by_bids)
    return cards[np.argmax(values)]


@bidder
def rollout_bidder(view, *, worlds=64, seed=0, by_bids=True, around=2, nil=True):
    """Play every likely bid on in many worlds, and take the one that wins the most games.

    *Bids* what has the best mean chance to win over `worlds` layouts of the unseen cards, among nil and the bids within
    `around` of what `fitted` counts; later bids are those of `fitted`, and `steady` plays.
    *Origin*: rollouts of each bid over the same resampled hands.
    """
    middle = int(tricks_of(view))
    low, high = max(middle - around, 1), max(middle + around, 1)
    bids, values = bid_values(view, worlds, seed, by_bids, allowed(view, low), allowed(view, high), nil)
    return bids[np.argmax(values)]


bot("quickest_strong", "rollout_bidder:worlds=24+steady")
bot("strongest", "rollout_bidder:worlds=600+monte_carlo:worlds=800")
