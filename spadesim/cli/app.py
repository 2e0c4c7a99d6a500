"""The command line: the commands, and how they end.

A command is its options, its help with an example, and one call into the library.
"""

import os
import sys
from typing import Any

import click

from spadesim.cli import experiments, report, strategies
from spadesim.cli.options import FAULT, INTERRUPTED, OK, WRONG_USE
from spadesim.designs import find_designs
from spadesim.errors import BotFault, SpadesimError, UsageError, nearest
from spadesim.tournament import interrupts


class ReaderLeftError(Exception):
    """Report that whoever read the output has had enough, such as ``head``."""


class Commands(click.Group):
    """Commands: those of the designs, then the others as here; a misspelt one gets the nearest name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in their order."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            hint = nearest(args[0], self.commands) or f"; expected one of {', '.join(self.commands)}"
            raise UsageError(f"no command named {args[0]!r}{hint} (spadesim --help lists all)")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C is reported in one line by `main`."""
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
        _fail("stopped at once; what a run with --out has finished is kept there, for --resume", INTERRUPTED)
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


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="spadesim", prog_name="spadesim")
def cli() -> None:
    """Play tournaments of bots at Spades, first of all three-handed Cutthroat Spades, and count.

    \b
    spadesim league                                         the standing field
    spadesim league quick+boss honors+boss fixed:bid=4+boss --games 60000
    spadesim new my_bots.py && spadesim check my_bots.py    a bot of your own
    """


for design in find_designs().values():
    if design.has("command"):
        cli.add_command(experiments.DesignCommand(design))
for command in (
    experiments.run, experiments.table, report.report, strategies.replay, strategies.bid, strategies.new,
    strategies.strategies, strategies.rules, strategies.check, strategies.bench,
):  # fmt: skip
    cli.add_command(command)


if __name__ == "__main__":
    main()
