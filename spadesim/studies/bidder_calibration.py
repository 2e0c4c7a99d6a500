"""How well each bidder's bids fit its tricks: by bid, by order, and by what the others had bid before."""

from collections.abc import Sequence

import pandas as pd

from spadesim.designs.study.play import Part
from spadesim.studies.kit.estimates import Counts
from spadesim.studies.kit.game_features import bids_before

LEAGUES = 1
TABLES = {
    "by_bid": "Bids other than nil, and the tricks taken with them.",
    "by_order": "The same by place in the bidding.",
    "by_bids_before": "The same by place and by the sum of the bids before.",
}
COLUMNS = ("deals", "bid_sum", "taken", "over", "made", "two_over")
MEANS = {"mean_bid": ("bid_sum", "deals"), "mean_taken": ("taken", "deals"), "mean_over": ("over", "deals")}
SHARES = {"made_rate": ("made", "deals"), "two_over_rate": ("two_over", "deals")}


def study(parts: Sequence[Part]) -> dict[str, pd.DataFrame]:
    """Return bids and tricks at all tables, nils left out."""
    (part,) = parts
    keys = {"by_bid": ["bot", "bid"], "by_order": ["bot", "order"], "by_bids_before": ["bot", "order", "bids_before"]}
    counts = {name: Counts(by, COLUMNS) for name, by in keys.items()}
    for deals in part.deals("stream", "bot", "order", "bid", "taken", "nil"):
        deals = deals.assign(bids_before=bids_before(deals, part.league.rules))
        bids = deals[~deals["nil"]]
        over = bids["taken"].astype(int) - bids["bid"]
        bids = bids.assign(deals=1, bid_sum=bids["bid"], over=over, made=over >= 0, two_over=over >= 2)
        for counted in counts.values():
            counted.add(bids)
    return {name: counted.table(SHARES, MEANS) for name, counted in counts.items()}
