"""Options of every command that plays or prints, exit codes, and a word about compiling."""

import contextlib
import sys
from collections.abc import Callable, Iterator

import click

from spadesim.designs.options import several
from spadesim.limits import SHARD_TIMEOUT, WORKERS_MAX

COMPILING = "compiling strategies for this machine (once; it may take a minute) ..."
OK, FAULT, WRONG_USE, INTERRUPTED = 0, 1, 2, 130

quiet_option = click.option("--quiet", is_flag=True, help="No progress and no notes.")
format_option = click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
    help="For people, or for programs.",
)  # fmt: skip
workers_option = click.option("--workers", type=click.IntRange(1, WORKERS_MAX), help="Processes.  [default: all cores]")
tables_option = click.option(
    "--table", "tables", multiple=True, metavar="NAME", help="Print this table; may be repeated, `all` for all of them."
)
run_options = several(
    workers_option,
    click.option("--out", metavar="DIR", help="A new folder for tables as CSV, and for what a run needs to go on."),
    click.option("--resume", is_flag=True, help="Go on with the run in --out, if there is one."),
)
shard_options = several(
    click.option(
        "--shard-timeout", type=click.FloatRange(0), default=SHARD_TIMEOUT, show_default=True, metavar="SECONDS",
        help="Give up on a table when a few of its games take so long; 0 never.",
    ),
    click.option("--scheduler", default="", metavar="tcp://HOST:PORT", help="Play on the workers of a Dask cluster."),
)  # fmt: skip
output_options = several(tables_option, format_option, quiet_option)


@contextlib.contextmanager
def told_of_compiling(note: Callable[[str], None] | None = None) -> Iterator[None]:
    """Say once why it takes so long; where no way is named, on a terminal alone."""
    from spadesim.engine.compile import cache

    compiled: list[str] = []

    def tell(name: str) -> None:
        if not compiled and note is not None:
            note(COMPILING)
        elif not compiled and sys.stderr.isatty():
            click.echo(COMPILING, err=True)
        compiled.append(name)

    cache.listeners.append(tell)
    try:
        yield
    finally:
        cache.listeners.remove(tell)
