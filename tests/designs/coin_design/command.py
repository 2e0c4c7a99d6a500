"""The command `coins`."""

from typing import Any

import click

from spadesim.designs.options import seed_option


@click.command("coins")
@click.argument("number", metavar="NUMBER", type=int)
@seed_option
def command(number: int, seed: int) -> Any:
    """Toss coins.

    \b
    spadesim coins 1000 --seed 7
    """
    from coin_design.spec import CoinsSpec
    from spadesim.designs.experiment import check_values

    return check_values(CoinsSpec, {"coins": number, "seed": seed})
