"""Report a bot's fault to its author: what the bot did, in which game, and how to see it again (R9)."""

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from spadesim import cards
from spadesim.bots.registry import Bot
from spadesim.errors import BotFault
from spadesim.rules import Rules

Record = dict[str, Any]  # plain values by name, ready for JSON


def describe(
    fault: np.void, reason: str | None, bots: Sequence[Bot], seed: int, rules: Rules, load: Sequence[str] = (),
) -> Record:  # fmt: skip
    """Return a fault as plain values.

    Parameters
    ----------
    fault
        The engine's record of it.
    reason
        What was wrong with the answer, where it is not an illegal bid or card.
    bots
        The bots of the table, in its order.
    """
    decision, answer = int(fault["decision"]), int(fault["answer"])
    bidding = decision <= 0
    return {
        "bot": bots[int(fault["bot"])].name,
        "table": [bot.name for bot in bots],
        "game": int(fault["game"]),
        "deal": int(fault["deal"]),
        "seat": int(fault["seat"]),  # 3 is the dummy's hand
        "asked": _asked(decision),
        "trick": None if bidding else decision - 1,
        "hand": cards.names(int(fault["hand"])),
        "answer": None if reason else _answer(answer, bidding),
        "reason": reason,
        "legal": _legal(decision, int(fault["legal"]), rules),
        "command": replay_command(bots, seed, int(fault["game"]), rules, load),
    }


def to_error(record: Record) -> BotFault:
    """Return the error that stops a run."""
    asked = {"blind nil": "whether it bids nil blind", "bid": "its bid"}
    question = asked.get(record["asked"]) or f"its card to trick {record['trick']}"
    said = record["reason"] or f"answered {record['answer']}, which is not legal,"
    legal = record["legal"]
    allowed = _bids_in_words(legal) if record["asked"] == "bid" else " ".join(map(str, legal))
    return BotFault(
        f"bot {record['bot']!r} {said} when asked for {question}"
        f" (table {', '.join(record['table'])}; game {record['game']}, deal {record['deal']}, seat {record['seat']};"
        f" hand {' '.join(record['hand'])}; legal: {allowed}); replay it with: {record['command']}",
        record,
    )


def replay_command(bots: Sequence[Bot], seed: int, game: int, rules: Rules, load: Sequence[str] = ()) -> str:
    """Return the command that shows a game card by card."""
    words = ["spadesim", "replay", *(bot.spec for bot in bots), "--seed", str(seed), "--game", str(game)]
    words += ["--rules", rules.name] if rules.name != "cutthroat" else []
    for file in load:
        words += ["--load", file]
    return shlex.join(words)


def correction(fault: np.void, reason: str | None) -> Record:
    """Return as plain values what replaced an answer; the key is "reason" instead of "answer" where there is one."""
    bidding = int(fault["decision"]) <= 0
    said = {"answer": _plain(int(fault["answer"]), bidding)} if reason is None else {"reason": reason}
    where = {"seat": int(fault["seat"]), "trick": None if bidding else int(fault["decision"]) - 1}
    if _asked(int(fault["decision"])) == "blind nil":
        return where | {"asked": "blind nil"} | said | {"instead": False}
    return where | said | {"instead": _plain(int(fault["instead"]), bidding)}


def _plain(answer: int, bidding: bool) -> int | str:
    """Return a bid as its number, a card as its name, and any other number as it is."""
    is_card = answer > 0 and answer & (answer - 1) == 0 and not answer & ~(cards.PACK | cards.JOKERS)
    return cards.names(answer)[0] if is_card and not bidding else answer


def _asked(decision: int) -> str:
    return "blind nil" if decision < 0 else "bid" if decision == 0 else "card"


def _legal(decision: int, legal: int, rules: Rules) -> list[str] | list[bool] | list[int]:
    """Return the legal answers: truth values, bids (then `legal` is the one that is forbidden), or cards."""
    if decision > 0:
        return cards.names(legal)
    return [False, True] if decision < 0 else _legal_bids(legal, rules)


def _legal_bids(forbidden: int, rules: Rules) -> list[int]:
    return [bid for bid in range(rules.min_bid, rules.cards_each + 1) if bid != forbidden]


def _bids_in_words(legal: Sequence[int]) -> str:
    left_out = set(range(legal[0], legal[-1] + 1)) - set(legal)
    return f"{legal[0]} … {legal[-1]}" + "".join(f" but not {bid}" for bid in left_out)


def _answer(answer: int, bidding: bool) -> str:
    """Return an answer as a bid, as cards, or as the number it is where it is neither."""
    if bidding:
        return str(answer)
    if answer == 0:
        return "no card (0)"
    return (
        f"{' '.join(cards.names(answer))} ({answer})"
        if answer > 0 and not answer & ~(cards.PACK | cards.JOKERS)
        else str(answer)
    )
