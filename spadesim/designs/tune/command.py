"""The command `tune`."""

from typing import Any

import click

from spadesim import limits
from spadesim.designs.options import (
    against_option,
    complete_bot,
    games_option,
    load_option,
    rules_option,
    rules_text,
    seed_option,
)
from spadesim.errors import UsageError


@click.command("tune")
@click.argument("bidder", metavar="BIDDER", shell_complete=complete_bot)
@click.option(
    "--with", "player", default="", metavar="PLAYER", help="Who plays its cards, where BIDDER is no whole bot."
)
@against_option
@games_option(limits.TUNE_BUDGET, "Games of the search, at the least.", "--budget")
@games_option(limits.TUNE_GAMES, "Games of each candidate in a generation.")
@games_option(
    limits.TUNE_UNSEEN,
    "Games of the tuned bot, and of the defaults, on deals that the search has not seen.",
    "--unseen",
)
@seed_option
@rules_option
@load_option
def command(bidder: str, player: str, rules: str, changes: tuple[str, ...], **options: Any) -> Any:
    """Search a bidder's parameters for those that win most, and test them on other deals.

    All parameters that the bidder declares bounds for are searched, or those alone that have a range after the equals
    sign. With --out DIR the tuned bot is kept in DIR/tuned.toml, and is named as @DIR/tuned.toml wherever a bot may be.

    \b
    spadesim tune honors --with steady --against honors+steady --against honors+steady --out results/tuned
    spadesim tune honors:ace=0.7..1.1:king=0.6..1.0 --with boss --against quick+boss --against quick+boss
    spadesim league @results/tuned/tuned.toml honors+steady quick+steady
    """
    from spadesim.designs.experiment import check_values
    from spadesim.designs.tune.spec import TuneSpec

    if player and "+" in bidder:
        raise UsageError(f"{bidder!r} is a whole bot already; leave out --with")
    if not player and "+" not in bidder:
        raise UsageError(f"{bidder!r} is half of a bot; expected --with PLAYER beside it")
    bot = f"{bidder}+{player}" if player else bidder
    return check_values(TuneSpec, options | {"tune": bot, "rules": rules_text(rules, changes)})
