"""What bidding last is worth: bids, tricks and points by place in the bidding."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from spadesim.designs.study.play import Part
from spadesim.rules import Rules
from spadesim.studies.kit.estimates import Counts, differences
from spadesim.studies.kit.game_features import by_deal, points_of_bids, won

LEAGUES = 1
TABLES = {
    "by_order": "Deals by place in the bidding.",
    "last_against_first": "What the last bidder has more than the first, bot by bot.",
    "first_deal": "Games by place in the bidding of the first deal.",
}
READ = ("stream", "bot", "deal", "order", "bid", "taken", "points", "penalties", "score_before", "nil")
COLUMNS = ("deals", "bid", "taken", "points", "made", "best")
MEANS = {"mean_bid": ("bid", "deals"), "mean_taken": ("taken", "deals"), "points_per_deal": ("points", "deals")}
SHARES = {"made_rate": ("made", "deals"), "best_rate": ("best", "deals")}


def study(parts: Sequence[Part]) -> dict[str, pd.DataFrame]:
    """Return deals by bot and place, and games by the place in their first deal."""
    (part,) = parts
    rules = part.league.rules
    deals_by, games_by = Counts(["bot", "order"], COLUMNS), Counts(["bot", "order"], ["games", "wins"])
    for deals in part.deals(*READ):
        made = np.where(deals["nil"], deals["taken"] == 0, deals["taken"] >= deals["bid"])
        wins, points = won(deals, rules), points_of_bids(deals, rules)
        deals = deals.assign(deals=1, games=1, made=made, wins=wins, points=points)
        deals_by.add(deals.assign(best=_best(deals, rules)))
        games_by.add(deals[deals["deal"] == 0])
    return {
        "by_order": deals_by.table(SHARES, MEANS),
        "last_against_first": _last_against_first(deals_by, rules.players - 1),
        "first_deal": games_by.table({"win_share": ("wins", "games")}),
    }


def _best(deals: pd.DataFrame, rules: Rules) -> npt.NDArray[np.bool_]:
    """Return for each row whether its seat alone had the most points of the deal."""
    points = by_deal(deals, "points", rules)
    leads = points == points.max(1, keepdims=True)
    return np.ravel(leads & (leads.sum(1, keepdims=True) == 1))


def _last_against_first(counts: Counts, last: int) -> pd.DataFrame:
    keys = counts.keys()
    rows = [np.flatnonzero(keys["order"] == place) for place in (last, 0)]
    table = pd.DataFrame({"bot": keys["bot"].to_numpy()[rows[0]]})
    for name, (n, d) in (MEANS | SHARES).items():
        last_bidders, first_bidders = ((counts.by_unit(n)[:, place], counts.by_unit(d)[:, place]) for place in rows)
        table = table.assign(**differences(last_bidders, first_bidders, name))
    return table
