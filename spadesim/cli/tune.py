"""The command that searches a bidder's parameters."""

import click

from spadesim import limits
from spadesim.cli.options import (
    against_option,
    complete_bot,
    load_option,
    rules_option,
    rules_text,
    run_options,
    seed_option,
)
from spadesim.cli.runs import HOW_TO_RUN, run_and_print
from spadesim.errors import UsageError
from spadesim.limits import GAMES_MAX


@click.command()
@click.argument("bidder", metavar="BIDDER", shell_complete=complete_bot)
@click.option(
    "--with", "player", default="", metavar="PLAYER", help="Who plays its cards, where BIDDER is no whole bot."
)
@against_option
@click.option(
    "--budget",
    type=click.IntRange(1, GAMES_MAX),
    default=limits.TUNE_BUDGET,
    show_default=True,
    help="Games of the search, at the least.",
)
@click.option(
    "--games",
    type=click.IntRange(1, GAMES_MAX),
    default=limits.TUNE_GAMES,
    show_default=True,
    help="Games of each candidate in a generation.",
)
@click.option(
    "--unseen",
    type=click.IntRange(1, GAMES_MAX),
    default=limits.TUNE_UNSEEN,
    show_default=True,
    help="Games of the tuned bot, and of the defaults, on deals that the search has not seen.",
)
@seed_option
@rules_option
@load_option
@run_options
def tune(bidder, player, rules, changes, **options):
    """Search a bidder's parameters for those that win most, and test them on other deals.

    All parameters that the bidder declares bounds for are searched, or those alone that have a range behind the equals
    sign. With --out DIR the tuned bot is kept in DIR/tuned.toml, and stands as @DIR/tuned.toml wherever a bot may.

    \b
    spadesim tune honors --with steady --against honors+steady --against honors+steady --out results/tuned
    spadesim tune honors:ace=0.7..1.1:king=0.6..1.0 --with boss --against quick+boss --against quick+boss
    spadesim league @results/tuned/tuned.toml honors+steady quick+steady
    """
    from spadesim.designs.config import check_spec

    if player and "+" in bidder:
        raise UsageError(f"{bidder!r} is a whole bot already; leave out --with")
    if not player and "+" not in bidder:
        raise UsageError(f"{bidder!r} is half of a bot; expected --with PLAYER beside it")
    how = {name: options.pop(name) for name in HOW_TO_RUN}
    bot = f"{bidder}+{player}" if player else bidder
    return run_and_print(check_spec(options | {"tune": bot, "rules": rules_text(rules, changes)}), **how)
