"""What every bid came to in the redeals of one decision, added up in a row of whole numbers.

Half of the redeals serve to choose a best bid, the other half to measure what it is worth, and the other way round
(`tables`).
"""

from collections.abc import Sequence

import numpy as np

from spadesim.bots.chances import CHANCES
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import Bot
from spadesim.engine.game.setup import as_played
from spadesim.engine.search.redeals import Outcomes, Redeals, Situation
from spadesim.engine.table import CompiledStrategyRaisedError
from spadesim.errors import BotFault, StrategyError, UsageError, count_of
from spadesim.rules import Rules

SETS = 2  # of redeals: one to choose the best bid, a fresh one to measure it


def check_seats(bots: Sequence[str], rules: Rules) -> None:
    """Refuse rules by which a bot plays two hands, and bots that do not fill the table.

    Raises
    ------
    UsageError
    """
    if rules.bots != rules.hands:
        why = "a dummy's hand" if rules.dummy else "partners"
        raise UsageError(f"rules {rules.name!r} have {why}; what-if expected rules by which a bot plays one hand")
    if len(bots) != rules.bots:
        raise UsageError(f"{count_of(len(bots), 'bot')} named; what-if expected {rules.bots}, the table of these rules")


def redeals_of(bots: Sequence[Bot], rules: Rules) -> Redeals:
    """Make a table whose bots play redeals."""
    return Redeals(make_table(bots, as_played(rules, "stop")), CHANCES)


def play_redeals(
    redeals: Redeals, situation: Situation, wanted: int, key: tuple[np.uint64, np.uint64], where: str
) -> Outcomes:
    """Redeal both sets; an answer that the rules do not allow ends the study.

    Raises
    ------
    StrategyError
        When compiled code of a strategy raises an exception.
    BotFault
        When an answer is not legal.
    """
    way_out = "`spadesim check` finds out which"
    try:
        outcomes = redeals.of(situation, SETS * wanted, key)
    except CompiledStrategyRaisedError as error:
        raise StrategyError(f"a strategy raised {error} in a redeal {where}; {way_out}") from None
    if outcomes.faulty:
        message = f"a strategy gave an answer that is not legal in a redeal {where}; {way_out}"
        raise BotFault(message, {"reason": "an answer that is not legal", "where": where})
    return outcomes


def add_up(situation: Situation, bid: int, outcomes: Outcomes, rules: Rules) -> dict[str, np.ndarray]:
    """Add up a hand's outcomes.

    Returns
    -------
    dict of array
        `bids` in the order made, -1 where none; `scores` and `bags` from one's own seat to the left; `redeals` of each
        set; `allowed` (bids,); and for points and chances (in millionths) sums and sums of squares, shape (sets, bids),
        and over both sets the squares of what each bid brings more than the one made, shape (bids,).
    """
    now, players, half = situation, rules.players, len(outcomes.points) // SETS
    around = [(now.seat + i) % players for i in range(players)]
    numbers = {"deal": now.deal, "seat": now.seat, "order": now.order, "bot": now.bots[now.seat], "hand": now.hand}
    numbers |= {"bid": bid, "redeals": half, "attempts": outcomes.attempts}
    row = {name: np.array(value, np.int64) for name, value in numbers.items()}
    row["bids"] = np.array([now.bids[(now.dealer + 1 + i) % players] for i in range(players)], np.int64)
    row["scores"], row["bags"] = (np.array(values, np.int64)[around] for values in (now.scores, now.bags))
    row["allowed"] = np.isin(np.arange(rules.cards_each + 1), outcomes.bids).astype(np.int64)
    for name, values in (("points", outcomes.points), ("chances", outcomes.chances)):
        wide = np.zeros((SETS, half, rules.cards_each + 1), np.int64)
        wide[:, :, outcomes.bids] = values[: SETS * half].reshape(SETS, half, -1)
        row[f"{name}_sum"], row[f"{name}_squares"] = wide.sum(1), (wide**2).sum(1)
        row[f"{name}_gains"] = ((wide - wide[:, :, [bid]]) ** 2).sum((0, 1))
    return row
