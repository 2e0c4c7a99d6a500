"""The command `study`."""

from typing import Any

import click

from spadesim.limits import GAMES_MAX, SEED_MAX


@click.command("study")
@click.argument("name", metavar="NAME|FILE.toml")
@click.option("--games", type=click.IntRange(1, GAMES_MAX), help="In place of those of the file.")
@click.option("--seed", type=click.IntRange(0, SEED_MAX), help="In place of that of the file.")
def command(name: str, **options: Any) -> Any:
    """Ask a question of leagues and their logs: a bundled study, or one of your own in a file.

    \b
    spadesim study nil_success --games 6000
    spadesim study my_study.toml --out results/my_study
    """
    from spadesim.designs.study.play import read_study

    return read_study(name, options)
