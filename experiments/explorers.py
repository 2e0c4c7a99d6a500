"""Bidders that stray on purpose, so that a fit sees how other bids would have fared."""

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.strategies.fitted import fitted, tricks_of
from spadesim.strategies.honors import honors


@bidder
def straying(view, *, low=-2, high=2):
    """Bid as `honors`, moved by a whole number from `low` to `high`, each equally likely.

    *Bids* at least 1.
    *Origin*: experiments/fit_tricks.py.
    """
    move = low + (((view.random >> 31) * (high - low + 1)) >> 32)
    return allowed(view, max(honors(view) + move, 1))


@bidder
def straying_nil(view, *, up_to=4.2):
    """Bid nil on every other hand that is worth no more than `up_to` tricks, else as `fitted`.

    *Bids* 0, or at least 1.
    *Origin*: experiments/fit_nil.py.
    """
    nil = (tricks_of(view) <= up_to) & ((view.random >> 40) & 1 == 1)
    return allowed(view, 0) if nil else fitted(view)
