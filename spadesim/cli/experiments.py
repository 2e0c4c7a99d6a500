"""Commands that play experiments: one a design, and `run` for files; and `table`, which prints what they have left."""

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from spadesim.cli.options import (
    FAULT,
    INTERRUPTED,
    OK,
    format_option,
    output_options,
    run_options,
    shard_options,
    tables_option,
    told_of_compiling,
)
from spadesim.designs import Design, design_named
from spadesim.designs.options import Answer, several
from spadesim.errors import UsageError, nearest
from spadesim.limits import GAMES_MAX, SEED_MAX

if TYPE_CHECKING:
    from spadesim.designs.experiment import Experiment
    from spadesim.designs.result import Result

HOW_TO_RUN = ("workers", "out", "resume", "shard_timeout", "scheduler")
HOW_TO_PRINT = ("tables", "form", "quiet")


class DesignCommand(click.Command):
    """A design's command, with the options besides that say how to play and what to print.

    The function of the command gives a spec, which is played, or an `Answer`; either is printed.
    """

    def __init__(self, design: Design):
        own: click.Command = design.door("command").command
        super().__init__(own.name, params=own.params, help=own.help, callback=self._run)
        self._design, self._own = design, own

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """List its own parameters, then those of all designs; only here, as the design's model takes time to import."""
        sharded = [shard_options] if self._design.spec.has_shards else []
        common = click.command()(several(run_options, *sharded, output_options)(lambda: None))
        return [*self._own.params, *common.params, *super().get_params(ctx)[len(self._own.params) :]]

    def _run(self, **options: Any) -> int:
        how = {name: options.pop(name) for name in (*HOW_TO_RUN, *HOW_TO_PRINT) if name in options}
        make_spec = self._own.callback
        assert make_spec is not None
        with told_of_compiling():
            made = make_spec(**options)
        return _print_answer(made, how["form"]) if isinstance(made, Answer) else run_and_print(made, **how)


@click.command()
@click.argument("file", metavar="FILE", required=False)
@click.option("--list", "lists", is_flag=True, help="List the bundled experiments, and what each asks.")
@click.option("--games", type=click.IntRange(1, GAMES_MAX), help="In place of those of the file.")
@click.option("--seed", type=click.IntRange(0, SEED_MAX), help="In place of that of the file.")
@click.option("--until", type=click.FloatRange(0, 1, max_open=True), metavar="WIDTH", help="As in `spadesim league`.")
@click.option("--log", metavar="deals[:SHARE]", help="As in `spadesim league`.")
@run_options
@shard_options
@output_options
def run(file: str | None, lists: bool, **options: Any) -> int:
    """Run an experiment from a file, of any design: a league, comparison, sweep, search, what-if or other study.

    FILE is a TOML file, or the name of a bundled experiment.

    \b
    spadesim run --list
    spadesim run short_suits --out results/short_suits
    spadesim run experiments/short_suits.toml --games 6000 --seed 2
    spadesim run experiments/nil_success.toml --table all
    """
    from spadesim.designs.files import list_experiments, read_experiment
    from spadesim.report.text import rows_as_text

    how = {name: options.pop(name) for name in (*HOW_TO_RUN, *HOW_TO_PRINT)}
    if lists:
        click.echo(rows_as_text(list_experiments(), how["form"]))
        return OK
    if file is None:
        raise UsageError(
            "no experiment is named; expected a TOML file (spadesim run --list shows the bundled experiments)"
        )
    spec = read_experiment(file, {name: value for name, value in options.items() if value is not None})
    return run_and_print(spec, **how)


def run_and_print(spec: "Experiment", *, tables: Sequence[str], form: str, quiet: bool, **how: Any) -> int:
    """Play an experiment and print its tables; return the exit code."""
    from spadesim.cli.reporter import TerminalReporter
    from spadesim.tournament.run_options import RunOptions

    names = _table_names(tables, form, spec)
    reporter = TerminalReporter(quiet)
    with told_of_compiling(reporter.note):
        result = design_named(spec.design).play(spec, RunOptions(**how, reporter=reporter))
    _print_tables(result, names, form)
    if how["out"]:
        reporter.note(f"tables are in {how['out']}")
    return _report_what_is_missing(result, how["out"])


def _print_tables(result: "Result", names: Sequence[str], form: str) -> None:
    """Print those of the tables that are there: a partial run may not have made all."""
    from spadesim.report.text import frames_as_text

    there = [name for name in names if name in result.tables]
    if there:
        click.echo(frames_as_text(result.tables, there, form))


def _print_answer(answer: Answer, form: str) -> int:
    from spadesim.report.text import frames_as_text

    name = answer.title if form == "table" else answer.name
    frame = answer.shown if form == "table" else answer.table
    click.echo(frames_as_text({name: frame}, [name], form))
    return OK


def _report_what_is_missing(result: "Result", out: str | None) -> int:
    """Report why an experiment is partial, and how to go on; return the exit code."""
    from spadesim.tournament import interrupts

    for failure in result.failures:
        first, end = failure["games"]
        who = f"{failure['strategy']} " if failure["strategy"] else "a strategy "
        click.echo(
            f"spadesim: {who}{failure['reason']} (table {', '.join(failure['table'])}; games {first} … {end - 1});"
            f" the table is left unfinished; replay it with: {failure['command']}",
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


def _table_names(tables: Sequence[str], form: str, spec: "Experiment") -> list[str]:
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
def table(folder: str, tables: Sequence[str], form: str) -> None:
    """Make the tables of a run's folder anew, of what has been played so far; show those that a study has kept.

    \b
    spadesim table results/mine
    spadesim table results/mine --table bids --format csv > bids.csv
    """
    from spadesim.designs.reopen import reopen

    result = reopen(folder)
    _print_tables(result, _table_names(tables, form, result.spec), form)
    if not result.complete:
        much = f": {result.games_played:,} games finished so far" if result.games_played else ""
        click.echo(f"spadesim: the run is partial{much}", err=True)
