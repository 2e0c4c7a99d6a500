"""What a bidder needs besides the cards."""

from typing import Any


def allowed(view: Any, bid: int) -> int:
    """Return the nearest bid that the rules allow; of two equally near, the lower.

    Parameters
    ----------
    view
        The bidder's view; `bid_low`, `bid_high` and `bid_not` are read.
    bid
        Any whole number.

    Examples
    --------
    >>> from spadesim.testing import view
    >>> allowed(view(hand="AS KH"), 30)
    17
    """
    within: int = min(max(bid, view.bid_low), view.bid_high)
    beside: int = view.bid_not - 1 if view.bid_not > view.bid_low else view.bid_not + 1
    return beside if within == view.bid_not else within
