"""The errors that a user can cause; the message of each is one line, with what was expected and the way out."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

# pydantic's kinds of error, as they read in a sentence.
EXPECTED = {
    "tuple_type": "expected a list of names",
    "string_type": "expected text",
    "int_type": "expected a whole number",
    "bool_type": "expected true or false",
    "string_pattern_mismatch": "expected deals, or a share of them, as in deals:0.01",
}


class SpadesimError(Exception):
    """Base of all errors that spadesim raises on purpose; `str(error)` is one line for the user."""


class UsageError(SpadesimError):
    """Report bad input: an unknown name, a number out of range, a file that cannot be read. Exit code 2."""


class StrategyError(UsageError):
    """Report a strategy that cannot be loaded or compiled; the message names its file and line. Exit code 2."""


class BotFault(SpadesimError):
    """Report a bot that broke the rules of play (R9), with the command that replays it. Exit code 1.

    Attributes
    ----------
    record : dict
        The fault as plain values: bot, table, game, deal, seat, hand, answer, legal, reason, command.
    """

    def __init__(self, message: str, record: dict[str, Any]):
        super().__init__(message)
        self.record = record

    def __reduce__(self) -> tuple[type["BotFault"], tuple[str, dict[str, Any]]]:
        return BotFault, (str(self), self.record)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a suggestion for a misspelt name, ``"; did you mean 'honors'?"``, or nothing where no name is like it."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def count_of(n: int, thing: str) -> str:
    """Return a number with its noun: ``"1 card"``, ``"17 cards"``."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def unknown(kind: str, name: str, known: Iterable[str], where: str) -> UsageError:
    """Return the error for a name that does not exist, with the nearest one that does."""
    known = list(known)
    hint = nearest(name, known)
    listing = f" ({where})" if where else ""
    return UsageError(f"no {kind} named {name!r}{hint or '; expected one of ' + ', '.join(sorted(known))}{listing}")


def expected(error: Mapping[str, Any]) -> str:
    """Return what one of pydantic's errors expected."""
    return EXPECTED.get(error["type"]) or error["msg"].replace("Input should be", "expected")
