"""What each bid would bring with one hand that somebody has chosen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from spadesim import limits
from spadesim.bots.bidding import bid_of, view_of
from spadesim.bots.registry import find_strategies
from spadesim.designs.experiment import check_values
from spadesim.designs.whatif.outcomes import SETS, add_up, check_seats, play_redeals, redeals_of
from spadesim.designs.whatif.situations import tie_after
from spadesim.designs.whatif.spec import WhatIfSpec
from spadesim.engine.search.redeals import Situation, key_of
from spadesim.errors import UsageError
from spadesim.rules import Rules, as_rules

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Before:
    """What has happened when a hand is bid.

    Attributes
    ----------
    bids
        Made before, in their order.
    scores, bags
        One's own first, then one's left; none for 0.
    order
        One's place in the bidding, 0 first; None for the one after the bids given.
    """

    bids: Sequence[int] = field(default_factory=tuple)
    scores: Sequence[int] = field(default_factory=tuple)
    bags: Sequence[int] = field(default_factory=tuple)
    order: int | None = None


def one_hand(
    bots: Sequence[str], hand: str, before: Before | None = None, *, redeals: int = limits.WHATIF_REDEALS,
    seed: int = limits.SEED, rules: Rules | str | None = None, load: Sequence[str] = (),
) -> "pd.DataFrame":  # fmt: skip
    """Find out what each bid would bring with a chosen hand.

    Parameters
    ----------
    bots
        Who holds the hand, then the others to the left.
    hand
        All cards, as in ``"AS KS 9H …"``.
    before
        What has happened before.
    redeals, seed, rules, load
        As in `whatif`.

    Returns
    -------
    DataFrame
        As `curves` of a study.

    Raises
    ------
    UsageError
        As in `whatif` and `bidding.ask`; also when no redeal is found in which the others would bid as they did.
    """
    rules, before = as_rules(rules), before or Before()
    spec = check_values(WhatIfSpec, {"whatif": tuple(bots), "redeals": redeals, "seed": seed})
    check_seats(bots, rules)
    seated = find_strategies(load).field(bots)
    view = view_of(hand, rules, bids=before.bids, scores=before.scores, bags=before.bags, order=before.order)
    now = Situation(
        hand=view.hand, seat=0, dealer=(-view.order - 1) % rules.players, bots=tuple(range(rules.players)),
        bids=view.bids, blind=(0,) * rules.players, scores=view.scores, bags=view.bags,
        tie=tie_after(np.array([view.scores]), rules),
    )  # fmt: skip
    bid = bid_of(seated[0].bidder, view)
    outcomes = play_redeals(redeals_of(seated, rules), now, spec.redeals, key_of(seed, 0), "of this hand")
    if len(outcomes.points) < SETS:
        bids = ", ".join(map(str, before.bids))
        raise UsageError(
            f"bids are {bids}, which the others bid in {len(outcomes.points)} of {outcomes.attempts:,} redeals;"
            f" expected bids that they make more often"
        )
    row = add_up(now, bid, outcomes, rules) | {name: np.array(0) for name in ("game", "block")}
    from spadesim.designs.whatif.tables import curves

    frame = curves({name: value[None] for name, value in row.items()}, [bot.name for bot in seated], rules)
    return frame.drop(columns=["hand", "game", "deal", "seat"])
