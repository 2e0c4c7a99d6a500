"""Arguments and options of commands, as designs use them: a design's command takes what its spec needs, and gives it.

How to play (workers, the folder, ...) and what to print are options of every design's command; `cli` adds them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spadesim.errors import UsageError
from spadesim.limits import GAMES_MAX, SEED, SEED_MAX

if TYPE_CHECKING:
    import pandas as pd

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Answer:
    """What a command gives that needs no experiment: a table for programs, and a title and a table for people."""

    name: str
    table: "pd.DataFrame"
    title: str
    shown: "pd.DataFrame"


def several(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Put several options under one name."""

    def put(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return put


def complete_bot(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete a bot's name in a shell: bidder, plus, player."""
    from spadesim.bots.registry import find_strategies

    registry = find_strategies()
    bidder, plus, _ = incomplete.rpartition("+")
    names = [bidder + plus + name for name in registry.player] if plus else [name + "+" for name in registry.bidder]
    return [name for name in [*names, *registry.bots] if name.startswith(incomplete)]


def complete_rules(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a preset in a shell."""
    from spadesim.rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def rules_text(rules: str, changes: tuple[str, ...]) -> str:
    """Put the rules and what is changed in them into one text."""
    return ":".join([rules, *changes])


def numbers(name: str, text: str) -> list[int]:
    """Read whole numbers, with commas or spaces between them.

    Raises
    ------
    UsageError
        When something else is among them.
    """
    try:
        return [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise UsageError(f"{name} is {text!r}; expected whole numbers, as in 4,5") from None


def games_option(default: int, text: str, name: str = "--games") -> Callable[[F], F]:
    """Make an option that takes a number of games."""
    return click.option(name, type=click.IntRange(1, GAMES_MAX), default=default, show_default=True, help=text)


def share_option(name: str, default: float, most: float, text: str) -> Callable[[F], F]:
    """Make an option that takes a share, above 0 and below the most."""
    between = click.FloatRange(0, most, min_open=True, max_open=True)
    return click.option(name, type=between, default=default, show_default=True, help=text)


bots_argument = click.argument("bots", nargs=-1, metavar="[BOT]...", shell_complete=complete_bot)
against_option = click.option(
    "--against", multiple=True, required=True, metavar="BOT", shell_complete=complete_bot,
    help="Another bot at the table; repeated until the table is full.",
)  # fmt: skip
load_option = click.option(
    "--load", multiple=True, metavar="FILE", help="A Python file with strategies; may be repeated."
)
rules_option = several(
    click.option(
        "--rules", default="cutthroat", show_default=True, metavar="PRESET|FILE.toml", shell_complete=complete_rules,
        help="A preset of `spadesim rules`, or a file.",
    ),
    click.option(
        "--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change a rule, as in nil=50; may be repeated."
    ),
)  # fmt: skip
seed_option = click.option(
    "--seed", type=click.IntRange(0, SEED_MAX), default=SEED, show_default=True, help="The same seed, the same bytes."
)
interpreted_option = click.option(
    "--interpreted", is_flag=True,
    help="Play compiled strategies as plain Python, where print and pdb work (with one worker).",
)  # fmt: skip
fault_option = click.option(
    "--on-fault", type=click.Choice(["stop", "correct", "forfeit"]), default="stop", show_default=True,
    help="What an illegal bid or card costs: the run, nothing but the count, or the game.",
)  # fmt: skip
hand_options = several(
    click.option("--bids", default="", help="Bids made before, in their order, as in 4,5."),
    click.option("--scores", default="", help="Scores, your own first, then your left."),
    click.option("--bags", default="", help="Bags, your own first, then your left."),
    click.option("--order", type=int, help="Your place in the bidding, 0 first.  [default: after the bids given]"),
)
