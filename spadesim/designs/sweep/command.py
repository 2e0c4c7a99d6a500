"""The command `sweep`."""

from typing import Any

import click

from spadesim import limits
from spadesim.designs.options import (
    against_option,
    complete_bot,
    fault_option,
    games_option,
    interpreted_option,
    load_option,
    rules_option,
    rules_text,
    seed_option,
)


@click.command("sweep")
@click.argument("bot", metavar="BOT", shell_complete=complete_bot)
@against_option
@click.option(
    "--sample", type=click.IntRange(0, limits.SETTINGS_MAX), default=0, metavar="N",
    help="Draw N settings, spread over all between the ends of the ranges (Sobol), in place of the grid.",
)  # fmt: skip
@games_option(limits.GAMES, "Games of each setting, in whole blocks.")
@seed_option
@rules_option
@load_option
@fault_option
@interpreted_option
def command(bot: str, against: tuple[str, ...], rules: str, changes: tuple[str, ...], **options: Any) -> Any:
    """Try settings of a bot's parameters, all in the same seats, on the same deals.

    In BOT, several values of a parameter follow its equals sign, with commas between; or a range, low..high, and after
    a colon the number of values (whole numbers need none). Every setting is compared with the defaults.

    \b
    spadesim sweep honors:ace=0.80..1.10:7+steady --against quick+steady --against honors+steady
    spadesim sweep 'honors:ace=0.8..1.1:7:lead=0,-0.4+steady' --against quick+steady --against honors+steady
    spadesim sweep honors:ace=0.8..1.1:king=0.6..0.9+steady --sample 64 --against quick+boss --against quick+boss
    """
    from spadesim.designs.experiment import check_values
    from spadesim.designs.sweep.spec import SweepSpec

    return check_values(SweepSpec, options | {"sweep": bot, "bots": against, "rules": rules_text(rules, changes)})
