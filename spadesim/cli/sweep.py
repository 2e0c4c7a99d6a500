"""The command that tries settings of a bot's parameters."""

import click

from spadesim import limits
from spadesim.cli.options import (
    against_option,
    complete_bot,
    fault_option,
    interpreted_option,
    load_option,
    rules_option,
    rules_text,
    run_options,
    seed_option,
)
from spadesim.cli.runs import HOW_TO_RUN, run_and_print
from spadesim.limits import GAMES_MAX, SETTINGS_MAX


@click.command()
@click.argument("bot", metavar="BOT", shell_complete=complete_bot)
@against_option
@click.option(
    "--sample",
    type=click.IntRange(0, SETTINGS_MAX),
    default=0,
    metavar="N",
    help="Draw N settings, spread over all that lie between (Sobol), in place of the grid.",
)
@click.option(
    "--games",
    type=click.IntRange(1, GAMES_MAX),
    default=limits.GAMES,
    show_default=True,
    help="Games of each setting, in whole blocks.",
)
@seed_option
@rules_option
@load_option
@fault_option
@interpreted_option
@run_options
def sweep(bot, against, rules, changes, **options):
    """Try settings of a bot's parameters, all in the same seats, on the same deals.

    In BOT, several values of a parameter stand behind its equals sign, with commas between; or a range, low..high, with
    the number of values behind a colon (whole numbers need none). Every setting is held against the defaults.

    \b
    spadesim sweep honors:ace=0.80..1.10:7+steady --against quick+steady --against honors+steady
    spadesim sweep 'honors:ace=0.8..1.1:7:lead=0,-0.4+steady' --against quick+steady --against honors+steady
    spadesim sweep honors:ace=0.8..1.1:king=0.6..0.9+steady --sample 64 --against quick+boss --against quick+boss
    """
    from spadesim.designs.config import check_spec

    how = {name: options.pop(name) for name in HOW_TO_RUN}
    return run_and_print(
        check_spec(options | {"sweep": bot, "bots": against, "rules": rules_text(rules, changes)}), **how
    )
