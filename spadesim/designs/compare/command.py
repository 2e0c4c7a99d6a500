"""The command `compare`."""

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
    share_option,
)


@click.command("compare")
@click.argument("first", metavar="BOT", shell_complete=complete_bot)
@click.argument("second", metavar="BOT", shell_complete=complete_bot)
@against_option
@share_option("--delta", 0.01, 1, "The smallest difference of win shares that matters.")
@share_option("--alpha", 0.05, 0.5, "How often a better one may be named where they are equal.")
@share_option("--beta", 0.05, 0.5, "How often one that is better by delta may be missed.")
@games_option(limits.COMPARE_GAMES, "Games at each of the two tables, at most.")
@seed_option
@rules_option
@load_option
@fault_option
@interpreted_option
def command(
    first: str, second: str, against: tuple[str, ...], rules: str, changes: tuple[str, ...], **options: Any
) -> Any:
    """Find out which of two bots is better, and stop as soon as it is decided.

    Both play against the same others, in the same seats, on the same deals. The verdict is the better one's name,
    level (no difference as large as --delta), or undecided after --games.

    \b
    spadesim compare honors+boss honors:ace=0.9+boss --against quick+boss --against honors+steady
    spadesim compare my_bid+boss quick+boss --against quick+boss --against honors+boss --load my_bots.py --delta 0.005
    """
    from spadesim.designs.compare.spec import CompareSpec
    from spadesim.designs.experiment import check_values

    named = {"bots": (first, second, *against), "rules": rules_text(rules, changes)}
    return check_values(CompareSpec, options | named)
