"""The command line: a command is its options, its help with an example, and one call into the library."""

import contextlib
import json
import os
import shlex
import sys
from collections.abc import Callable

import click

from spadesim import __version__, defaults, interrupts
from spadesim.errors import BotFault, SpadesimError, UsageError, nearest
from spadesim.limits import GAME_MAX, GAMES_MAX, SEED_MAX, WORKERS_MAX

TABLE_NAMES = ("standings", "nils", "bags", "bids", "calibration", "orders", "seats", "head_to_head", "ratings")
COMPARISON = "comparison"  # of a comparison, before the others
COMPILING = "compiling strategies for this machine (once; it may take a minute) ..."
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
tables_option = click.option(
    "--table", "tables", multiple=True, metavar="NAME", help="Print this table; may be repeated, `all` for all of them."
)
run_options = _several(
    workers_option,
    click.option("--out", metavar="DIR", help="A new folder for tables as CSV, and for what a run needs to go on."),
    click.option("--resume", is_flag=True, help="Go on with the run in --out, if there is one."),
    click.option(
        "--shard-timeout", type=click.FloatRange(0), default=defaults.SHARD_TIMEOUT, show_default=True,
        metavar="SECONDS", help="Give up on a table when a few of its games take so long; 0 never.",
    ),
    click.option(
        "--scheduler", default="", metavar="tcp://HOST:PORT", help="Play on the workers of a Dask cluster."
    ),
    tables_option,
    format_option,
    quiet_option,
)  # fmt: skip


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
@load_option
@click.option("--focus", multiple=True, metavar="BOT", help="Only tables with this bot; may be repeated.")
@fault_option
@click.option(
    "--until",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    metavar="WIDTH",
    help="Play until every win share is known to ± this, at most --games.",
)
@click.option(
    "--log",
    default="",
    metavar="deals[:SHARE]",
    help="Write every deal, a row a seat, as Parquet under --out; deals:0.01 of one block in a hundred.",
)
@click.option(
    "--decision-timeout",
    type=click.FloatRange(0),
    default=0.0,
    metavar="SECONDS",
    help="A strategy in Python that takes longer for one answer is at fault; 0 never.",
)
@interpreted_option
@run_options
def league(bots, rules, changes, **options):
    """Let every three of the bots meet, each in all six seatings of the same deals.

    A BOT is bidder+player; parameters follow a colon. No bot named: the standing field. Other rules seat two to six
    bots, or two that each play both hands of a side.

    \b
    spadesim league
    spadesim league quick+need_or_duck honors:ace=0.9+boss my_bid+boss --load my_bots.py
    spadesim league --games 600000 --out results/mine --format csv > standings.csv
    spadesim league --games 600000 --out results/mine --resume      after Ctrl-C or a power cut
    spadesim league quick+boss honors+boss nil_tips+boss --games 100000000 --until 0.001
    spadesim league --rules partnership
    spadesim league --rules cutthroat --set nil=50 --set target=500
    """  # fmt: skip
    from spadesim.config import check_spec

    how = {name: options.pop(name) for name in HOW_TO_RUN}
    spec = check_spec(options | {"bots": bots, "rules": _rules_text(rules, changes)})
    return _run_and_print(spec, **how)


HOW_TO_RUN = ("workers", "out", "resume", "shard_timeout", "scheduler", "tables", "form", "quiet")


@cli.command()
@click.argument("first", metavar="BOT", shell_complete=_complete_bot)
@click.argument("second", metavar="BOT", shell_complete=_complete_bot)
@click.option(
    "--against",
    multiple=True,
    required=True,
    metavar="BOT",
    shell_complete=_complete_bot,
    help="Another bot at both tables; repeated until the table is full.",
)
@click.option(
    "--delta",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="The smallest difference of win shares that matters.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="How often a better one may be named where they are equal.",
)
@click.option(
    "--beta",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="How often one that is better by delta may be missed.",
)
@click.option(
    "--games",
    type=click.IntRange(1, GAMES_MAX),
    default=defaults.COMPARE_GAMES,
    show_default=True,
    help="Games at each of the two tables, at most.",
)
@seed_option
@rules_option
@load_option
@fault_option
@interpreted_option
@run_options
def compare(first, second, against, rules, changes, **options):
    """Find out which of two bots is better, and stop as soon as it is decided.

    Both play against the same others, in the same seats, on the same deals. The verdict is the better one's name,
    level (no difference as large as --delta), or undecided after --games.

    \b
    spadesim compare honors+boss honors:ace=0.9+boss --against quick+boss --against honors+steady
    spadesim compare my_bid+boss quick+boss --against quick+boss --against honors+boss --load my_bots.py --delta 0.005
    """
    from spadesim.config import check_spec

    how = {name: options.pop(name) for name in HOW_TO_RUN}
    spec = check_spec(options | {"bots": (first, second, *against), "rules": _rules_text(rules, changes)})
    return _run_and_print(spec, **how)


@cli.command()
@click.argument("file", metavar="FILE.toml", required=False)
@click.option("--list", "lists", is_flag=True, help="List the experiments that come along, and what each asks.")
@click.option("--games", type=click.IntRange(1, GAMES_MAX), help="In place of those of the file.")
@click.option("--seed", type=click.IntRange(0, SEED_MAX), help="In place of that of the file.")
@click.option("--until", type=click.FloatRange(0, 1, max_open=True), metavar="WIDTH", help="As in `spadesim league`.")
@click.option("--log", metavar="deals[:SHARE]", help="As in `spadesim league`.")
@run_options
def run(file, lists, games, seed, until, log, **how):
    """Run a league or a comparison that is written down in a file.

    \b
    spadesim run --list
    spadesim run experiments/short_suits.toml --out results/short_suits
    spadesim run experiments/short_suits.toml --games 6000 --seed 2
    """
    from spadesim.config import list_experiments, read_experiment
    from spadesim.terminal import rows_as_text

    if lists:
        click.echo(rows_as_text(list_experiments(), how["form"]))
        return OK
    if file is None:
        raise UsageError(
            "no experiment is named; expected a TOML file (spadesim run --list shows those that come along)"
        )
    given = {"games": games, "seed": seed, "until": until, "log": log}
    spec = read_experiment(file, {name: value for name, value in given.items() if value is not None})
    return _run_and_print(spec, **how)


@contextlib.contextmanager
def _told_of_compiling(note: Callable[[str], None] | None = None):
    """Say once why it takes so long; where no way is named, on a terminal alone."""
    from spadesim.engine import compiling

    told: list[str] = []

    def tell(name: str) -> None:
        if not told and note is not None:
            note(COMPILING)
        elif not told and sys.stderr.isatty():
            click.echo(COMPILING, err=True)
        told.append(name)

    compiling.listeners.append(tell)
    try:
        yield
    finally:
        compiling.listeners.remove(tell)


def _run_and_print(spec, *, workers, tables, form, quiet, **how) -> int:
    from spadesim.leagues import CompareSpec
    from spadesim.runs import cores
    from spadesim.runs import run as run_league
    from spadesim.terminal import TerminalReporter, frames_as_text

    compares = isinstance(spec, CompareSpec)
    names = _table_names(tables, form, (COMPARISON, *TABLE_NAMES) if compares else TABLE_NAMES)
    reporter = TerminalReporter(quiet)
    if spec.interpreted and workers in (None, 1):
        workers = 0  # in this process, where print and pdb work
    elif workers is None:
        workers = cores()
    with _told_of_compiling(reporter.note):
        result = run_league(spec, workers=workers, reporter=reporter, **how)
    reporter.note(f"seed {spec.seed}, {result.tally.blocks:,} blocks of deals, {result.games_played:,} games")
    if spec.until:
        known = ((result.standings["win_share_high"] - result.standings["win_share_low"]) / 2).max()
        enough = "" if known <= spec.until else f", not to {spec.until:g}; --games allows no more"
        reporter.note(f"every win share is known to ± {known:.4f}{enough}")
    if result.games_played:
        click.echo(frames_as_text(result.tables, names, form))
    if how["out"]:
        reporter.note(f"tables are in {how['out']}")
    return _tell_what_is_missing(result, how["out"])


def _tell_what_is_missing(result, out: str | None) -> int:
    """Say why a league is partial, and how to go on; return the exit code."""
    for each in result.failures:
        first, end = each["games"]
        who = f"{each['strategy']} " if each["strategy"] else "a strategy "
        click.echo(
            f"spadesim: {who}{each['reason']} (table {', '.join(each['table'])}; games {first} … {end - 1});"
            f" the table is left unfinished; replay it with: {each['command']}",
            err=True,
        )
    if result.complete:
        return OK
    if interrupts.happened():
        resume = f"; go on with: {_resume_command()}" if out else "; with --out DIR a run can go on later"
        _fail(f"stopped: the tables are partial{resume}", INTERRUPTED)
        return INTERRUPTED
    return FAULT


def _resume_command() -> str:
    words = ["spadesim", *sys.argv[1:]]
    return shlex.join(words if "--resume" in words else [*words, "--resume"])


def _table_names(tables, form, known=TABLE_NAMES) -> list[str]:
    """Choose which of the tables to print; where none is named, what is of interest first."""
    from spadesim.terminal import SHORT_TABLES

    for name in tables:
        if name not in (*known, "all"):
            hint = nearest(name, known) or f"; expected one of {', '.join(known)}"
            raise UsageError(f"no table named {name!r}{hint}")
    names = list(known) if "all" in tables else list(dict.fromkeys(tables))
    if form != "table" and len(names) > 1:
        raise UsageError(f"--format {form} prints one table; name one with --table, or write all with --out DIR")
    return names or (list(SHORT_TABLES) if form == "table" and known == TABLE_NAMES else [known[0]])


@cli.command()
@click.argument("folder", metavar="DIR")
@tables_option
@format_option
def table(folder, tables, form):
    """Make the tables of a run's folder anew, of what has been played so far.

    \b
    spadesim table results/mine
    spadesim table results/mine --table bids --format csv > bids.csv
    """
    from spadesim.past_runs import PastRun
    from spadesim.terminal import frames_as_text

    result = PastRun(folder).result()
    names = _table_names(tables, form, (COMPARISON, *TABLE_NAMES) if COMPARISON in result.tables else TABLE_NAMES)
    click.echo(frames_as_text(result.tables, names, form))
    if not result.complete:
        click.echo(f"spadesim: the run is partial: {result.games_played:,} games of it are finished", err=True)


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
    """Show a game card by card, of the bots named or of a run's folder.

    Exit code 1 where a bot was at fault; the game then ends at the trick in question.

    \b
    spadesim replay quick+boss honors+boss ruff_safe+boss --seed 1 --game 6
    spadesim replay results/mine --game 6                                   where one table was played
    spadesim replay results/mine quick+boss honors+boss fixed+boss --game 6     of several
    spadesim replay quick+boss quick+boss quick+boss --game 0:200 --format json > games.jsonl
    """
    from spadesim.past_runs import PastRun
    from spadesim.presets import read_rules
    from spadesim.registry import find_strategies
    from spadesim.replay import play_games, to_text

    if bots and os.path.isdir(bots[0]):
        past = PastRun(bots[0])
        bots, spec = past.table(bots[1:]), past.spec
        seed, rules, load, on_fault = spec.seed, spec.rules, (*spec.load, *load), spec.on_fault
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
    with _told_of_compiling():
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

    with _told_of_compiling():
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
    with _told_of_compiling():
        speed = measure(bots, rules=text, workers=workers or cores(), load=load, seconds=seconds).as_dict()
    if form == "json":
        click.echo(json.dumps(speed))
    elif form == "csv":
        click.echo(rows_as_text([speed], form))
    else:
        click.echo(rows_as_text([{"": name, "median": f"{round(value):,}"} for name, value in speed.items()], form))


if __name__ == "__main__":
    main()
