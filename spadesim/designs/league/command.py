"""The command `league`."""

from typing import Any

import click

from spadesim import limits
from spadesim.designs.options import (
    bots_argument,
    fault_option,
    games_option,
    interpreted_option,
    load_option,
    rules_option,
    rules_text,
    seed_option,
)


@click.command("league")
@bots_argument
@games_option(limits.GAMES, "Games a table, in whole blocks of all its seatings.")
@seed_option
@rules_option
@load_option
@click.option("--focus", multiple=True, metavar="BOT", help="Only tables with this bot; may be repeated.")
@fault_option
@click.option(
    "--until", type=click.FloatRange(0, 1, max_open=True), default=0.0, metavar="WIDTH",
    help="Play until every win share is known to ± this, at most --games.",
)  # fmt: skip
@click.option(
    "--log", default="", metavar="deals[:SHARE]",
    help="Write every deal, a row a seat, as Parquet under --out; deals:0.01 of one block in a hundred.",
)  # fmt: skip
@click.option(
    "--decision-timeout", type=click.FloatRange(0), default=0.0, metavar="SECONDS",
    help="A strategy in Python that takes longer for one answer is at fault; 0 never.",
)  # fmt: skip
@interpreted_option
def command(rules: str, changes: tuple[str, ...], **options: Any) -> Any:
    """Play every trio of bots, each in all six seatings of the same deals.

    A BOT is bidder+player; parameters follow a colon. No bot named: the standing field. Other rules seat two to six
    bots, or two that each play both hands of a side.

    \b
    spadesim league
    spadesim league quick+need_or_duck honors:ace=0.9+boss my_bid+boss --load my_bots.py
    spadesim league --games 600000 --out results/mine --format csv > standings.csv
    spadesim league --games 600000 --out results/mine --resume      after Ctrl-C or a power cut
    spadesim league quick+boss honors+boss nil_tips+boss --games 100000000 --until 0.001
    spadesim league --rules partnership
    spadesim league --rules cutthroat --set nil=50 --set target=500
    """  # fmt: skip
    from spadesim.designs.experiment import check_values
    from spadesim.designs.league.spec import LeagueSpec

    return check_values(LeagueSpec, options | {"rules": rules_text(rules, changes)})
