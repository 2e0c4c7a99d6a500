"""Commands that play many games: league, compare, run, and table, which reads what they have left."""

import shlex
import sys

import click

from spadesim import limits
from spadesim.cli.options import (
    FAULT,
    INTERRUPTED,
    OK,
    against_option,
    bots_argument,
    complete_bot,
    fault_option,
    format_option,
    interpreted_option,
    load_option,
    rules_option,
    rules_text,
    run_options,
    seed_option,
    tables_option,
    told_of_compiling,
)
from spadesim.errors import UsageError, nearest
from spadesim.limits import GAMES_MAX, SEED_MAX
from spadesim.tournament import interrupts


@click.command()
@bots_argument
@click.option(
    "--games",
    type=click.IntRange(1, GAMES_MAX),
    default=limits.GAMES,
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
    from spadesim.designs.config import check_spec

    how = {name: options.pop(name) for name in HOW_TO_RUN}
    spec = check_spec(options | {"bots": bots, "rules": rules_text(rules, changes)})
    return run_and_print(spec, **how)


HOW_TO_RUN = ("workers", "out", "resume", "shard_timeout", "scheduler", "tables", "form", "quiet")


@click.command()
@click.argument("first", metavar="BOT", shell_complete=complete_bot)
@click.argument("second", metavar="BOT", shell_complete=complete_bot)
@against_option
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
    default=limits.COMPARE_GAMES,
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
    from spadesim.designs.config import check_spec

    how = {name: options.pop(name) for name in HOW_TO_RUN}
    spec = check_spec(options | {"bots": (first, second, *against), "rules": rules_text(rules, changes)})
    return run_and_print(spec, **how)


@click.command()
@click.argument("file", metavar="FILE", required=False)
@click.option("--list", "lists", is_flag=True, help="List the experiments that come along, and what each asks.")
@click.option("--games", type=click.IntRange(1, GAMES_MAX), help="In place of those of the file.")
@click.option("--seed", type=click.IntRange(0, SEED_MAX), help="In place of that of the file.")
@click.option("--until", type=click.FloatRange(0, 1, max_open=True), metavar="WIDTH", help="As in `spadesim league`.")
@click.option("--log", metavar="deals[:SHARE]", help="As in `spadesim league`.")
@run_options
def run(file, lists, games, seed, until, log, **how):
    """Run an experiment that is written down in a file: a league, comparison, sweep, search, what-if or other study.

    FILE is a TOML file, or the name of one that comes along.

    \b
    spadesim run --list
    spadesim run short_suits --out results/short_suits
    spadesim run experiments/short_suits.toml --games 6000 --seed 2
    spadesim run experiments/nil_success.toml --table all
    """
    from spadesim.designs.config import list_experiments, read_experiment
    from spadesim.report.terminal import rows_as_text

    if lists:
        click.echo(rows_as_text(list_experiments(), how["form"]))
        return OK
    if file is None:
        raise UsageError(
            "no experiment is named; expected a TOML file (spadesim run --list shows those that come along)"
        )
    given = {"games": games, "seed": seed, "until": until, "log": log}
    spec = read_experiment(file, {name: value for name, value in given.items() if value is not None})
    return run_and_print(spec, **how)


def run_and_print(spec, *, tables, form, quiet, **how) -> int:
    from spadesim.designs.kinds import play
    from spadesim.report.terminal import TerminalReporter, frames_as_text

    names = _table_names(tables, form, spec)
    reporter = TerminalReporter(quiet)
    with told_of_compiling(reporter.note):
        result = play(spec, reporter=reporter, **how)
    if result.games_played:
        click.echo(frames_as_text(result.tables, [name for name in names if name in result.tables], form))
    if how["out"]:
        reporter.note(f"tables are in {how['out']}")
    return _tell_what_is_missing(result, how["out"])


def _tell_what_is_missing(result, out: str | None) -> int:
    """Say why an experiment is partial, and how to go on; return the exit code."""
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
        click.echo(f"spadesim: stopped: the tables are partial{resume}", err=True)
        return INTERRUPTED
    return FAULT


def _resume_command() -> str:
    words = ["spadesim", *sys.argv[1:]]
    return shlex.join(words if "--resume" in words else [*words, "--resume"])


def _table_names(tables, form, spec) -> list[str]:
    """Choose which of an experiment's tables to print; where none is named, what is of interest first."""
    known = spec.table_names
    for name in tables:
        if name not in (*known, "all"):
            hint = nearest(name, known) or f"; expected one of {', '.join(known)}"
            raise UsageError(f"no table named {name!r}{hint}")
    names = list(known) if "all" in tables else list(dict.fromkeys(tables))
    if form != "table" and len(names) > 1:
        raise UsageError(f"--format {form} prints one table; name one with --table, or write all with --out DIR")
    return names or list(spec.shown if form == "table" else spec.shown[:1])


@click.command()
@click.argument("folder", metavar="DIR")
@tables_option
@format_option
def table(folder, tables, form):
    """Make the tables of a run's folder anew, of what has been played so far; show those that a study has kept.

    \b
    spadesim table results/mine
    spadesim table results/mine --table bids --format csv > bids.csv
    """
    from spadesim.designs.past_runs import PastStudy, past_result
    from spadesim.report.terminal import frames_as_text

    result = past_result(folder)
    names = _table_names(tables, form, result.spec)
    click.echo(frames_as_text(result.tables, [name for name in names if name in result.tables], form))
    if not result.complete:
        much = "" if isinstance(result, PastStudy) else f": {result.games_played:,} games of it are finished"
        click.echo(f"spadesim: the run is partial{much}", err=True)
