"""What several commands have in common: arguments, options, completion of names, and a word about cache."""

import contextlib
import sys
from collections.abc import Callable

import click

from spadesim import limits
from spadesim.errors import UsageError
from spadesim.limits import SEED_MAX, WORKERS_MAX

COMPILING = "cache strategies for this machine (once; it may take a minute) ..."
OK, FAULT, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


def several(*options: Callable) -> Callable:
    """Put several options under one name."""

    def put(command: Callable) -> Callable:
        for option in reversed(options):
            command = option(command)
        return command

    return put


def complete_bot(ctx, param, incomplete: str) -> list[str]:
    from spadesim.bots.registry import find_strategies

    registry = find_strategies()
    bidder, plus, _ = incomplete.rpartition("+")
    names = [bidder + plus + name for name in registry.player] if plus else [name + "+" for name in registry.bidder]
    return [name for name in [*names, *registry.bots] if name.startswith(incomplete)]


def complete_rules(ctx, param, incomplete: str) -> list[str]:
    from spadesim.rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def rules_text(rules: str, changes: tuple[str, ...]) -> str:
    """Put the rules and what is changed in them into one text."""
    return ":".join([rules, *changes])


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
    "--seed",
    type=click.IntRange(0, SEED_MAX),
    default=limits.SEED,
    show_default=True,
    help="The same seed, the same bytes.",
)
quiet_option = click.option("--quiet", is_flag=True, help="No progress and no notes.")
format_option = click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
    help="For people, or for programs.",
)  # fmt: skip
interpreted_option = click.option(
    "--interpreted",
    is_flag=True,
    help="Play compiled strategies as plain Python, where print and pdb work (with one worker).",
)
fault_option = click.option(
    "--on-fault", type=click.Choice(["stop", "correct", "forfeit"]), default="stop", show_default=True,
    help="What an illegal bid or card costs: the run, nothing but the count, or the game.",
)  # fmt: skip
workers_option = click.option("--workers", type=click.IntRange(1, WORKERS_MAX), help="Processes.  [default: all cores]")
tables_option = click.option(
    "--table", "tables", multiple=True, metavar="NAME", help="Print this table; may be repeated, `all` for all of them."
)
folder_options = several(
    click.option("--out", metavar="DIR", help="A new folder for tables as CSV, and for what a run needs to go on."),
    click.option("--resume", is_flag=True, help="Go on with the run in --out, if there is one."),
)
hand_options = several(
    click.option("--bids", default="", help="Bids made before, in their order, as in 4,5."),
    click.option("--scores", default="", help="Scores, your own first, then your left."),
    click.option("--bags", default="", help="Bags, your own first, then your left."),
    click.option("--order", type=int, help="Your place in the bidding, 0 first.  [default: after the bids given]"),
)
run_options = several(
    workers_option,
    folder_options,
    click.option(
        "--shard-timeout", type=click.FloatRange(0), default=limits.SHARD_TIMEOUT, show_default=True,
        metavar="SECONDS", help="Give up on a table when a few of its games take so long; 0 never.",
    ),
    click.option(
        "--scheduler", default="", metavar="tcp://HOST:PORT", help="Play on the workers of a Dask cluster."
    ),
    tables_option,
    format_option,
    quiet_option,
)  # fmt: skip


def numbers(name: str, text: str) -> list[int]:
    """Read whole numbers, with commas or spaces between them."""
    try:
        return [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise UsageError(f"{name} is {text!r}; expected whole numbers, as in 4,5") from None


@contextlib.contextmanager
def told_of_compiling(note: Callable[[str], None] | None = None):
    """Say once why it takes so long; where no way is named, on a terminal alone."""
    from spadesim.engine.compile import cache

    told: list[str] = []

    def tell(name: str) -> None:
        if not told and note is not None:
            note(COMPILING)
        elif not told and sys.stderr.isatty():
            click.echo(COMPILING, err=True)
        told.append(name)

    cache.listeners.append(tell)
    try:
        yield
    finally:
        cache.listeners.remove(tell)
