"""The command line: a command is its options, its help with an example, and one call into the library."""

import json
import os
import sys
from collections.abc import Callable

import click

from spadesim import __version__, defaults, interrupts
from spadesim.errors import BotFault, SpadesimError, UsageError, nearest
from spadesim.limits import GAME_MAX, GAMES_MAX, SEED_MAX, WORKERS_MAX

TABLE_NAMES = ("standings", "nils", "bags", "bids", "calibration", "orders", "seats", "head_to_head")
OK, FAULT, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


class ReaderLeftError(Exception):
    """Report that whoever read the output has had enough, such as ``head``."""


class Commands(click.Group):
    """Commands in the order of this file; a misspelt one gets the nearest name."""

    def list_commands(self, ctx):
        """List the commands as they stand here."""
        return list(self.commands)

    def resolve_command(self, ctx, args):
        """Find a command."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            hint = nearest(args[0], self.commands) or f"; expected one of {', '.join(self.commands)}"
            raise UsageError(f"no command named {args[0]!r}{hint} (spadesim --help lists all)")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx):
        """Run a command; Ctrl-C is told in one line by `main`."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None
        except BrokenPipeError:
            raise ReaderLeftError from None  # click would take it for a failure


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 a bot's fault, 2 bad input, 130 interrupted."""
    interrupts.listen()
    try:
        code = cli.main(arguments, prog_name="spadesim", standalone_mode=False) or OK
        sys.stdout.flush()
    except BotFault as error:
        code = _fail(error, FAULT)
    except SpadesimError as error:
        code = _fail(error, WRONG_USE)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        code = WRONG_USE
    except click.ClickException as error:
        code = _fail(error.format_message().replace("\n", " "), WRONG_USE)
    except (click.Abort, KeyboardInterrupt):
        click.echo(nl=sys.stderr.isatty(), err=True)  # ends the line with the ^C
        _fail("stopped; nothing was written", INTERRUPTED)
        os._exit(INTERRUPTED)  # all is cleaned up, but for threads that wait for the workers just killed
    except (ReaderLeftError, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the last flush would fail again
        code = OK
    except OSError as error:
        code = _fail(f"cannot write the output: {error.strerror}", WRONG_USE)
    sys.exit(code)


def _fail(error: object, code: int) -> int:
    click.echo(f"spadesim: {error}", err=True)
    return code


def _several(*options: Callable) -> Callable:
    """Put several options under one name."""

    def put(command: Callable) -> Callable:
        for option in reversed(options):
            command = option(command)
        return command

    return put


def _complete_bot(ctx, param, incomplete: str) -> list[str]:
    from spadesim.registry import find_strategies

    registry = find_strategies()
    bidder, plus, _ = incomplete.rpartition("+")
    names = [bidder + plus + name for name in registry.player] if plus else [name + "+" for name in registry.bidder]
    return [name for name in [*names, *registry.bots] if name.startswith(incomplete)]


def _complete_rules(ctx, param, incomplete: str) -> list[str]:
    from spadesim.presets import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def _rules_text(rules: str, changes: tuple[str, ...]) -> str:
    """Put the rules and what is changed in them into one text."""
    return ":".join([rules, *changes])


bots_argument = click.argument("bots", nargs=-1, metavar="[BOT]...", shell_complete=_complete_bot)
load_option = click.option(
    "--load", multiple=True, metavar="FILE", help="A Python file with strategies; may be repeated."
)
rules_option = _several(
    click.option(
        "--rules", default="cutthroat", show_default=True, metavar="PRESET|FILE.toml", shell_complete=_complete_rules,
        help="A preset of `spadesim rules`, or a file.",
    ),
    click.option(
        "--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change a rule, as in nil=50; may be repeated."
    ),
)  # fmt: skip
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, SEED_MAX),
    default=defaults.SEED,
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
output_options = _several(
    click.option("--out", metavar="DIR", help="A new folder for the tables as CSV and a manifest."),
    click.option(
        "--table",
        "tables",
        multiple=True,
        metavar="NAME",
        help="Print this table; may be repeated, `all` for all eight.",
    ),
    format_option,
    quiet_option,
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="spadesim")
def cli():
    """Play tournaments of bots at Spades, first of all three-handed Cutthroat Spades, and count.

    \b
    spadesim league                                         the standing field
    spadesim league quick+boss honors+boss fixed:bid=4+boss --games 60000
    spadesim new my_bots.py && spadesim check my_bots.py    a bot of your own
    """


@cli.command()
@bots_argument
@click.option(
    "--games",
    type=click.IntRange(1, GAMES_MAX),
    default=defaults.GAMES,
    show_default=True,
    help="Games a table, in whole blocks of all its seatings.",
)
@seed_option
@rules_option
@workers_option
@load_option
@click.option("--focus", multiple=True, metavar="BOT", help="Only tables with this bot; may be repeated.")
@fault_option
@click.option(
    "--log", type=click.Choice(["deals"]), default=None, help="Write every deal, a row a seat, as Parquet under --out."
)
@interpreted_option
@output_options
def league(bots, rules, changes, workers, out, tables, form, quiet, **options):
    """Let every three of the bots meet, each in all six seatings of the same deals.

    A BOT is bidder+player; parameters follow a colon. No bot named: the standing field. Other rules seat two to six
    bots, or two that each play both hands of a side.

    \b
    spadesim league
    spadesim league quick+need_or_duck honors:ace=0.9+boss my_bid+boss --load my_bots.py
    spadesim league --games 600000 --out results/mine --format csv > standings.csv
    spadesim league --rules partnership
    spadesim league --rules cutthroat --set nil=50 --set target=500
    """
    from spadesim.config import check_spec

    options |= {"bots": bots, "rules": _rules_text(rules, changes), "log": options["log"] or ""}
    spec = check_spec(options)
    _run_and_print(spec, workers, out, tables, form, quiet)


@cli.command()
@click.argument("file", metavar="FILE.toml")
@workers_option
@output_options
def run(file, workers, out, tables, form, quiet):
    """Run a league that is written down in a file.

    \b
    spadesim run experiments/short_suits.toml --out results/short_suits
    """
    from spadesim.config import read_experiment

    _run_and_print(read_experiment(file), workers, out, tables, form, quiet)


def _run_and_print(spec, workers, out, tables, form, quiet) -> None:
    from spadesim.engine import compiling
    from spadesim.runs import cores
    from spadesim.runs import run as run_league
    from spadesim.terminal import TerminalReporter, frames_as_text

    names = _table_names(tables, form)
    reporter = TerminalReporter(quiet, interrupted=interrupts.happened)
    told: list[str] = []

    def tell(name: str) -> None:
        if not told:
            reporter.note("compiling strategies for this machine (once; it may take a minute) ...")
        told.append(name)

    compiling.listeners.append(tell)
    try:
        workers = workers or (1 if spec.interpreted else cores())
        result = run_league(spec, workers=workers, out=out, reporter=reporter)
    finally:
        compiling.listeners.remove(tell)
    reporter.note(f"seed {spec.seed}, {result.tally.blocks:,} blocks of deals, {result.games_played:,} games")
    click.echo(frames_as_text(result.tables, names, form))
    if out:
        reporter.note(f"tables are in {out}")


def _table_names(tables, form) -> list[str]:
    from spadesim.terminal import SHORT_TABLES

    for name in tables:
        if name not in (*TABLE_NAMES, "all"):
            hint = nearest(name, TABLE_NAMES) or f"; expected one of {', '.join(TABLE_NAMES)}"
            raise UsageError(f"no table named {name!r}{hint}")
    names = list(TABLE_NAMES) if "all" in tables else list(dict.fromkeys(tables))
    if form != "table" and len(names) > 1:
        raise UsageError(f"--format {form} prints one table; name one with --table, or write all with --out DIR")
    return names or (list(SHORT_TABLES) if form == "table" else ["standings"])


@cli.command()
@bots_argument
@seed_option
@click.option(
    "--game", default="0", show_default=True, help="A game's number in the league of these bots, or a range 0:200."
)
@rules_option
@load_option
@fault_option
@interpreted_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="For people, or one JSON object a line.",
)  # fmt: skip
def replay(bots, seed, game, rules, changes, load, on_fault, interpreted, form):
    """Show a game card by card.

    Exit code 1 where a bot was at fault; the game then ends at the trick in question.

    \b
    spadesim replay quick+boss honors+boss ruff_safe+boss --seed 1 --game 6
    spadesim replay quick+boss quick+boss quick+boss --game 0:200 --format json > games.jsonl
    """
    from spadesim.presets import read_rules
    from spadesim.registry import find_strategies
    from spadesim.replay import play_games, to_text

    chosen = read_rules(rules, changes)
    first, n_games = _game_range(game)
    field = find_strategies(load).field(bots)
    code = OK
    for record in play_games(
        field, chosen, seed, first, n_games, on_fault=on_fault, load=load, interpreted=interpreted
    ):
        click.echo(json.dumps(record, ensure_ascii=False) if form == "json" else to_text(record))
        code = FAULT if record["end_reason"] == "fault" else code
    return code


def _game_range(text: str) -> tuple[int, int]:
    first, colon, end = text.partition(":")
    try:
        numbers = (int(first), int(end) if colon else int(first) + 1)
    except ValueError:
        numbers = (0, 0)
    if not 0 <= numbers[0] < numbers[1] <= GAME_MAX:
        raise UsageError(f"game is {text!r}; expected a number from 0, or a range such as 0:200")
    return numbers[0], numbers[1] - numbers[0]


@cli.command()
@click.argument("bidder", metavar="BOT", shell_complete=_complete_bot)
@click.option("--hand", required=True, help='All cards, as in "AS KS 9H ...".')
@click.option("--bids", default="", help="Bids made before, in their order, as in 4,5.")
@click.option("--scores", default="", help="Scores, your own first, then your left.")
@click.option("--bags", default="", help="Bags, your own first, then your left.")
@click.option("--order", type=int, help="Your place in the bidding, 0 first.  [default: after the bids given]")
@rules_option
@load_option
@format_option
def bid(bidder, hand, bids, scores, bags, order, rules, changes, load, form):
    """Ask what a bidder says to a hand, beside what the others say.

    \b
    spadesim bid honors --hand "AS KS 9S 4S AH KH 7H 3H QD 9D 6D 2D KC TC 8C 5C 3C" --bids 4,5
    """
    from spadesim.bidding import ask
    from spadesim.presets import read_rules
    from spadesim.registry import find_strategies
    from spadesim.terminal import rows_as_text

    numbers = {name: _numbers(name, text) for name, text in (("bids", bids), ("scores", scores), ("bags", bags))}
    chosen = read_rules(rules, changes)
    rows = ask(find_strategies(load), bidder, hand, order=order, rules=chosen, **numbers)
    click.echo(rows_as_text(rows, form))


def _numbers(name: str, text: str) -> list[int]:
    try:
        return [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise UsageError(f"{name} is {text!r}; expected whole numbers, as in 4,5") from None


@cli.command()
@click.argument("file", metavar="FILE.py")
def new(file):
    """Write a strategy file to start from.

    \b
    spadesim new my_bots.py
    """
    from spadesim.scaffold import write_template

    write_template(file)
    click.echo(f"{file} is written; try it: spadesim check {file}")


@cli.command()
@click.argument("name", required=False)
@load_option
@format_option
def strategies(name, load, form):
    """List bidders, players and named bots, family by family, or show one with its parameters.

    Beside each stand what a decision costs, as measured once on one machine, and where it comes from.

    \b
    spadesim strategies
    spadesim strategies honors
    """
    from spadesim.listing import as_groups, describe_one, list_all
    from spadesim.registry import find_strategies
    from spadesim.terminal import rows_as_text

    registry = find_strategies(load)
    if name is None:
        rows = list_all(registry)
        click.echo(as_groups(rows) if form == "table" else rows_as_text(rows, form))
    else:
        rows = describe_one(registry, name)
        click.echo("\n\n".join(each["text"] for each in rows) if form == "table" else rows_as_text(rows, form))


@cli.command()
@click.argument("rules", metavar="[PRESET|FILE.toml]", required=False, shell_complete=_complete_rules)
@click.option("--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change a rule; may be repeated.")
@format_option
def rules(rules, changes, form):
    """List the presets of rules, or print one as TOML, ready to edit.

    \b
    spadesim rules
    spadesim rules pagat > my.toml
    spadesim rules cutthroat --set nil=50 --set target=500
    """
    from spadesim.listing import list_rules
    from spadesim.presets import read_rules
    from spadesim.terminal import rows_as_text

    if rules is None:
        if changes:
            raise UsageError("--set changes a rule, but no rules are named; expected a preset, as in cutthroat")
        click.echo(rows_as_text(list_rules(), form))
    else:
        chosen = read_rules(rules, changes)
        text = chosen.to_toml().rstrip("\n")
        click.echo(text if form == "table" else rows_as_text([chosen.as_dict()], form))


@cli.command()
@click.argument("file_or_name", metavar="FILE_OR_NAME", shell_complete=_complete_bot)
@seed_option
@rules_option
@load_option
@format_option
def check(file_or_name, seed, rules, changes, load, form):
    """Find out whether a strategy is legal, deterministic, and how fast.

    Plays 20,000 deals or 10 seconds, twice, with the strategy in every seat. Exit code 1 if it fails.

    \b
    spadesim check my_bots.py
    spadesim check honors:ace=0.9+boss
    """
    from spadesim.listing import check_rows
    from spadesim.presets import read_rules
    from spadesim.terminal import rows_as_text

    rows, wrong = check_rows(file_or_name, seed=seed, load=load, rules=read_rules(rules, changes))
    click.echo(rows_as_text(rows, form))
    for line in wrong:
        click.echo(f"spadesim: {line}", err=True)
    return OK if all(row["passed"] for row in rows) else FAULT


@cli.command()
@bots_argument
@rules_option
@workers_option
@load_option
@click.option(
    "--seconds", type=click.FloatRange(0.01, 600), default=2.0, show_default=True, help="Length of each of ten runs."
)
@format_option
def bench(bots, rules, changes, workers, load, seconds, form):
    """Measure games and deals a second, on one core and on all; tallies and checks included.

    \b
    spadesim bench
    spadesim bench honors+boss honors+boss honors+boss --format json
    spadesim bench --rules partnership
    """
    from spadesim.bench import bench as measure
    from spadesim.runs import cores
    from spadesim.terminal import rows_as_text

    text = _rules_text(rules, changes)
    speed = measure(bots, rules=text, workers=workers or cores(), load=load, seconds=seconds).as_dict()
    if form == "json":
        click.echo(json.dumps(speed))
    elif form == "csv":
        click.echo(rows_as_text([speed], form))
    else:
        click.echo(rows_as_text([{"": name, "median": f"{round(value):,}"} for name, value in speed.items()], form))


if __name__ == "__main__":
    main()
