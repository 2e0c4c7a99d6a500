"""Commands about strategies, rules and single games: replay, bid, new, strategies, rules, check, bench."""

import json
import os
from collections.abc import Sequence
from typing import Any

import click

from spadesim.cli.options import FAULT, OK, format_option, told_of_compiling, workers_option
from spadesim.designs.options import (
    bots_argument,
    complete_bot,
    complete_rules,
    fault_option,
    hand_options,
    interpreted_option,
    load_option,
    numbers,
    rules_option,
    rules_text,
    seed_option,
)
from spadesim.errors import UsageError
from spadesim.limits import GAME_MAX


@click.command()
@bots_argument
@seed_option
@click.option(
    "--game", default="0", show_default=True, help="A game's number in the league of these bots, or a range 0:200."
)
@rules_option
@load_option
@fault_option
@interpreted_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="For people, or one JSON object a line.",
)  # fmt: skip
def replay(bots: Sequence[str], game: str, rules: str, changes: tuple[str, ...], form: str, **options: Any) -> int:
    """Show a game card by card, of the bots named or of a run's folder.

    Exit code 1 where a bot was at fault; the game then ends at the trick in question.

    \b
    spadesim replay quick+boss honors+boss ruff_safe+boss --seed 1 --game 6
    spadesim replay results/mine --game 6                                   where one table was played
    spadesim replay results/mine quick+boss honors+boss fixed+boss --game 6     of several
    spadesim replay quick+boss quick+boss quick+boss --game 0:200 --format json > games.jsonl
    """
    from spadesim.bots.registry import find_strategies
    from spadesim.bots.replay import play_games, to_text
    from spadesim.designs.league.stored import StoredLeague
    from spadesim.rules import read_rules

    if bots and os.path.isdir(bots[0]):
        stored = StoredLeague.at(bots[0])
        bots, spec = stored.table(bots[1:]), stored.spec
        rules, load = spec.rules, (*spec.load, *options["load"])
        options |= {"seed": spec.seed, "load": load, "on_fault": spec.on_fault}
    chosen, seed = read_rules(rules, changes), options.pop("seed")
    first, n_games = _game_range(game)
    field = find_strategies(options["load"]).field(bots)
    code = OK
    for record in play_games(field, chosen, seed, first, n_games, **options):
        click.echo(json.dumps(record, ensure_ascii=False) if form == "json" else to_text(record))
        code = FAULT if record["end_reason"] == "fault" else code
    return code


def _game_range(text: str) -> tuple[int, int]:
    first, colon, end = text.partition(":")
    try:
        numbers = (int(first), int(end) if colon else int(first) + 1)
    except ValueError:
        numbers = (0, 0)
    if not 0 <= numbers[0] < numbers[1] <= GAME_MAX:
        raise UsageError(f"game is {text!r}; expected a number from 0, or a range such as 0:200")
    return numbers[0], numbers[1] - numbers[0]


@click.command()
@click.argument("bidder", metavar="BOT", shell_complete=complete_bot)
@click.option("--hand", required=True, help='All cards, as in "AS KS 9H ...".')
@hand_options
@rules_option
@load_option
@format_option
def bid(
    bidder: str, hand: str, rules: str, changes: tuple[str, ...], load: Sequence[str], form: str, **now: Any
) -> None:
    """Ask what a bidder says to a hand, beside what the others say.

    \b
    spadesim bid honors --hand "AS KS 9S 4S AH KH 7H 3H QD 9D 6D 2D KC TC 8C 5C 3C" --bids 4,5
    """
    from spadesim.bots.bidding import ask
    from spadesim.bots.registry import find_strategies
    from spadesim.report.text import rows_as_text
    from spadesim.rules import read_rules

    situation = {name: numbers(name, now[name]) for name in ("bids", "scores", "bags")}
    chosen = read_rules(rules, changes)
    with told_of_compiling():
        rows = ask(find_strategies(load), bidder, hand, order=now["order"], rules=chosen, **situation)
    click.echo(rows_as_text(rows, form))


@click.command()
@click.argument("file", metavar="FILE.py")
def new(file: str) -> None:
    """Write a strategy file to start from.

    \b
    spadesim new my_bots.py
    """
    from spadesim.bots.scaffold import write_template

    write_template(file)
    click.echo(f"{file} is written; try it: spadesim check {file}")


@click.command()
@click.argument("name", required=False)
@load_option
@format_option
def strategies(name: str | None, load: Sequence[str], form: str) -> None:
    """List bidders, players and named bots, family by family, or show one with its parameters.

    Next to each are what a decision costs, as measured once on one machine, and where it comes from.

    \b
    spadesim strategies
    spadesim strategies honors
    """
    from spadesim.bots.listing import as_groups, describe_one, list_all
    from spadesim.bots.registry import find_strategies
    from spadesim.report.text import rows_as_text

    registry = find_strategies(load)
    if name is None:
        rows = list_all(registry)
        click.echo(as_groups(rows) if form == "table" else rows_as_text(rows, form))
    else:
        rows = describe_one(registry, name)
        click.echo("\n\n".join(row["text"] for row in rows) if form == "table" else rows_as_text(rows, form))


@click.command()
@click.argument("rules", metavar="[PRESET|FILE.toml]", required=False, shell_complete=complete_rules)
@click.option("--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change a rule; may be repeated.")
@format_option
def rules(rules: str | None, changes: tuple[str, ...], form: str) -> None:
    """List the presets of rules, or print one as TOML, ready to edit.

    \b
    spadesim rules
    spadesim rules pagat > my.toml
    spadesim rules cutthroat --set nil=50 --set target=500
    """
    from spadesim.bots.listing import list_rules
    from spadesim.report.text import rows_as_text
    from spadesim.rules import read_rules

    if rules is None:
        if changes:
            raise UsageError("--set changes a rule, but no rules are named; expected a preset, as in cutthroat")
        click.echo(rows_as_text(list_rules(), form))
    else:
        chosen = read_rules(rules, changes)
        text = chosen.to_toml().rstrip("\n")
        click.echo(text if form == "table" else rows_as_text([chosen.as_dict()], form))


@click.command()
@click.argument("file_or_name", metavar="FILE_OR_NAME", shell_complete=complete_bot)
@seed_option
@rules_option
@load_option
@format_option
def check(file_or_name: str, seed: int, rules: str, changes: tuple[str, ...], load: Sequence[str], form: str) -> int:
    """Find out whether a strategy is legal, deterministic, and how fast.

    Plays 20,000 deals or 10 seconds, twice, with the strategy in every seat. Exit code 1 if it fails.

    \b
    spadesim check my_bots.py
    spadesim check honors:ace=0.9+boss
    """
    from spadesim.bots.listing import check_rows
    from spadesim.report.text import rows_as_text
    from spadesim.rules import read_rules

    with told_of_compiling():
        rows, wrong = check_rows(file_or_name, seed=seed, load=load, rules=read_rules(rules, changes))
    click.echo(rows_as_text(rows, form))
    for line in wrong:
        click.echo(f"spadesim: {line}", err=True)
    return OK if all(row["passed"] for row in rows) else FAULT


@click.command()
@bots_argument
@rules_option
@workers_option
@load_option
@click.option(
    "--seconds", type=click.FloatRange(0.01, 600), default=2.0, show_default=True, help="Length of each of ten runs."
)
@format_option
def bench(
    bots: tuple[str, ...], rules: str, changes: tuple[str, ...], load: tuple[str, ...], form: str, **how: Any
) -> None:
    """Measure games and deals a second, on one core and on all; tallies and checks included.

    \b
    spadesim bench
    spadesim bench honors+boss honors+boss honors+boss --format json
    spadesim bench --rules partnership
    """
    from spadesim.designs.league.spec import LeagueSpec
    from spadesim.report.text import rows_as_text
    from spadesim.rules import read_rules
    from spadesim.tournament.bench import DEFAULT_BOT
    from spadesim.tournament.bench import bench as measure
    from spadesim.tournament.run_options import cores

    text = rules_text(rules, changes)
    spec = LeagueSpec(bots=bots or (DEFAULT_BOT,) * read_rules(text).bots, rules=text, load=load)
    with told_of_compiling():
        speed = measure(spec, workers=how["workers"] or cores(), seconds=how["seconds"]).as_dict()
    if form == "json":
        click.echo(json.dumps(speed))
    elif form == "csv":
        click.echo(rows_as_text([speed], form))
    else:
        click.echo(rows_as_text([{"": name, "median": f"{round(value):,}"} for name, value in speed.items()], form))
