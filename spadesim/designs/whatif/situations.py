"""Decisions to bid as they came up in a league's games: what the seat held and knew."""

from dataclasses import dataclass

import numpy as np

from spadesim.engine.game.deal import draw
from spadesim.engine.game.lanes import BY_FIXED_DEALS, BY_FLOOR, BY_TARGET, GOES_ON
from spadesim.engine.loop import LOG_COLUMNS
from spadesim.engine.search.redeals import Situation, key_of
from spadesim.rules import DEALS_MAX, Rules

COLUMN = {name: i for i, name in enumerate(LOG_COLUMNS)}
CHOICE_WORD = 0x3C6EF372  # keys the choice of decisions apart from their redeals
SEATS = 8  # numbers that a decision's seat takes up in its own


@dataclass(frozen=True)
class Decision:
    """A decision to bid: where it comes from, what its seat saw, and the bid that was made."""

    game: int
    bid: int
    situation: Situation


def choose(log: np.ndarray, rules: Rules, seed: int, n: int) -> list[Decision]:
    """Choose n of all decisions in a log, each as likely as any other, by the seed and by nothing else.

    Parameters
    ----------
    log
        Rows of `loop.LOG_COLUMNS` of whole games, in any order. A blind nil, which is bid before the cards are seen, is
        no decision here.
    """
    log = log[np.lexsort([log[:, COLUMN[name]] for name in ("seat", "deal", "game")])]
    seen = np.nonzero(log[:, COLUMN["blind"]] == 0)[0]
    game, deal, seat = (log[seen, COLUMN[name]] for name in ("game", "deal", "seat"))
    key0, key1 = key_of(seed, CHOICE_WORD)
    with np.errstate(over="ignore"):  # the hash wraps around on purpose
        drawn = draw(key0, key1, ((game * DEALS_MAX + deal) * SEATS + seat).astype(np.uint64))
    chosen = seen[np.argsort(drawn, kind="stable")[:n]]
    return [_decision(log, row, rules) for row in sorted(chosen.tolist())]


def _decision(log: np.ndarray, row: int, rules: Rules) -> Decision:
    """Read one decision of a sorted log; the rows of its game stand before it."""
    game, deal, seat = (int(log[row, COLUMN[name]]) for name in ("game", "deal", "seat"))
    players = rules.players
    now = log[row - seat : row - seat + players]
    before = log[row - seat - deal * players : row - seat].reshape(deal, players, len(LOG_COLUMNS))
    order = now[:, COLUMN["order"]]
    has_bid = order < order[seat]
    situation = Situation(
        hand=int(log[row, COLUMN["hand"]]),
        seat=seat,
        dealer=int(np.argmax(order)),
        bots=now[:, COLUMN["bot"]].tolist(),
        bids=np.where(has_bid, now[:, COLUMN["bid"]], -1).tolist(),
        blind=np.where(has_bid, now[:, COLUMN["blind"]], 0).tolist(),
        scores=now[:, COLUMN["score_before"]].tolist(),
        bags=before[-1][:, COLUMN["bags"]].tolist() if deal else [0] * players,
        deal=deal,
        tie=tie_after(before[:, :, COLUMN["score_before"]] + before[:, :, COLUMN["points"]], rules),
    )
    return Decision(game, int(log[row, COLUMN["bid"]]), situation)


def tie_after(scores: np.ndarray, rules: Rules) -> int:
    """Return by what reason a game that goes on would have ended but for a tie at the top (R5.2).

    Parameters
    ----------
    scores
        After each deal, shape (deals, seats).

    Returns
    -------
    int
        As in `engine.lanes`; 0 where there was no tie.
    """
    for number, totals in enumerate(scores, start=1):
        if totals.max() >= rules.target:
            return BY_TARGET
        if rules.floor is not None and totals.min() <= rules.floor:
            return BY_FLOOR
        if rules.fixed_deals is not None and number >= rules.fixed_deals:
            return BY_FIXED_DEALS
    return GOES_ON
