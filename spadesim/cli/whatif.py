"""The command whatif: what each bid would have brought."""

import click

from spadesim import limits
from spadesim.cli.options import (
    OK,
    bots_argument,
    folder_options,
    format_option,
    hand_options,
    load_option,
    numbers,
    quiet_option,
    rules_option,
    rules_text,
    seed_option,
    tables_option,
    told_of_compiling,
    workers_option,
)
from spadesim.cli.runs import run_and_print
from spadesim.errors import UsageError
from spadesim.limits import HANDS_MAX, REDEALS_MAX

BIDS_AROUND = 2
HOW = ("workers", "out", "resume", "tables")
OF_STUDIES, OF_ONE_HAND = ("hands", *HOW), ("bids", "scores", "bags", "order")


@click.command()
@bots_argument
@click.option(
    "--hands",
    type=click.IntRange(1, HANDS_MAX),
    default=limits.WHATIF_HANDS,
    show_default=True,
    help="Decisions to look at.",
)
@click.option(
    "--redeals",
    type=click.IntRange(1, REDEALS_MAX),
    default=limits.WHATIF_REDEALS,
    show_default=True,
    help="Lies of the unseen cards a hand, in each of two sets: one to choose the best bid, one to measure it.",
)
@seed_option
@rules_option
@load_option
@click.option("--hand", default="", help='Look at this hand of the first bot, as in "AS KS 9H ...".')
@hand_options
@workers_option
@folder_options
@tables_option
@format_option
@quiet_option
@click.pass_context
def whatif(context, bots, rules, changes, hand, quiet, form, **options):
    """Find out what each bid would have brought, and how far each bidder lies below the best.

    Hands are taken from games of the bots, with the bids before, scores and bags as they were. The unseen cards are
    dealt anew, so that the others would have bid as they did, and every deal is played with every bid. No bid is
    judged by how the cards really lay.

    With --hand, one hand is looked at: the first BOT holds it, the others sit to its left.

    \b
    spadesim whatif quick+boss honors+boss nil_tips+boss
    spadesim whatif quick+boss honors+boss nil_tips+boss --hands 10000 --out results/whatif
    spadesim whatif quick+boss honors+boss nil_tips+boss --table curves --format csv > curves.csv
    spadesim whatif honors+boss quick+boss quick+boss --bids 4 \\
        --hand "AS KS 9S 4S AH KH 7H 3H QD 9D 6D 2D KC TC 8C 5C 3C"
    """
    given = [name for name in context.params if context.get_parameter_source(name) is not DEFAULT]
    _refuse(given, OF_STUDIES if hand else OF_ONE_HAND, bool(hand))
    shared = {name: options[name] for name in ("redeals", "seed", "load")} | {"rules": rules_text(rules, changes)}
    if hand:
        situation = {name: numbers(name, options[name]) for name in ("bids", "scores", "bags")}
        return _print_one(bots, hand, form, shared | situation | {"order": options["order"]})
    from spadesim.designs.config import check_spec

    spec = check_spec(shared | {"whatif": bots, "hands": options.pop("hands")})
    return run_and_print(spec, form=form, quiet=quiet, **{name: options[name] for name in HOW})


DEFAULT = click.core.ParameterSource.DEFAULT


def _refuse(given, others, one: bool) -> None:
    wrong = [name for name in others if name in given]
    if wrong:
        option = "table" if wrong[0] == "tables" else wrong[0]
        raise UsageError(
            f"--{option} does not go with --hand, which looks at one hand; leave one of them out"
            if one
            else f"--{option} is about one hand; expected --hand beside it"
        )


def _print_one(bots, hand, form, options) -> int:
    from spadesim.designs.whatif.play import one_hand
    from spadesim.report.terminal import frames_as_text

    with told_of_compiling():
        curve = one_hand(bots, hand, **options)
    if form == "table":
        click.echo(_curve_as_text(curve))
    else:
        click.echo(frames_as_text({"curves": curve}, ["curves"], form))
    return OK


def _curve_as_text(curve) -> str:
    """Write a hand, and its bids around the best one and the one made."""
    from spadesim.report.terminal import frames_as_text

    first = curve.iloc[0]
    before = f"after bids of {first['bids_before']}" if first["bids_before"] else "first to bid"
    title = f"{first['cards']}\n{first['bot']}, {before}; scores {first['scores']}; bags {first['bags']}"
    best = curve.loc[curve["points"].idxmax(), "bid"] if curve["points"].notna().any() else 0
    made = curve["bid"][curve["made"]].iloc[0]
    near = sum((curve["bid"] - each).abs() <= BIDS_AROUND for each in (best, made)) > 0
    columns = [name for name in curve if name in ("bid", "made") or name.startswith(("points", "chance"))]
    return frames_as_text({title: curve[near | (curve["bid"] == 0)][columns]}, [title], "table")
