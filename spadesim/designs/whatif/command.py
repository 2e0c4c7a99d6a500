"""The command `whatif`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from spadesim import limits
from spadesim.designs.options import (
    Answer,
    bots_argument,
    hand_options,
    load_option,
    numbers,
    rules_option,
    rules_text,
    seed_option,
)
from spadesim.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

BIDS_AROUND = 2
OF_STUDIES, OF_ONE_HAND = ("hands", "workers", "out", "resume", "tables"), ("bids", "scores", "bags", "order")
DEFAULT = click.core.ParameterSource.DEFAULT


@click.command("whatif")
@bots_argument
@click.option(
    "--hands", type=click.IntRange(1, limits.HANDS_MAX), default=limits.WHATIF_HANDS, show_default=True,
    help="Decisions to look at.",
)  # fmt: skip
@click.option(
    "--redeals", type=click.IntRange(1, limits.REDEALS_MAX), default=limits.WHATIF_REDEALS, show_default=True,
    help="Layouts of the unseen cards a hand, in each of two sets: one to choose the best bid, one to measure it.",
)  # fmt: skip
@seed_option
@rules_option
@load_option
@click.option("--hand", default="", help='Look at this hand of the first bot, as in "AS KS 9H ...".')
@hand_options
@click.pass_context
def command(
    context: click.Context, /, bots: tuple[str, ...], hand: str, rules: str, changes: tuple[str, ...], **options: Any
) -> Any:
    """Find out what each bid would have brought, and how far each bidder falls short of the best.

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
    if not hand:
        from spadesim.designs.experiment import check_values
        from spadesim.designs.whatif.spec import WhatIfSpec

        return check_values(WhatIfSpec, shared | {"whatif": bots, "hands": options["hands"]})
    from spadesim.designs.whatif.one_hand import Before, one_hand

    before = {name: numbers(name, options[name]) for name in ("bids", "scores", "bags")}
    curve = one_hand(bots, hand, Before(**before, order=options["order"]), **shared)
    return Answer("curves", curve, *_shown(curve))


def _refuse(given: Sequence[str], others: Sequence[str], one: bool) -> None:
    wrong = [name for name in others if name in given]
    if wrong:
        option = "table" if wrong[0] == "tables" else wrong[0]
        raise UsageError(
            f"--{option} does not go with --hand, which looks at one hand; leave one of them out"
            if one
            else f"--{option} is about one hand; expected --hand beside it"
        )


def _shown(curve: "pd.DataFrame") -> "tuple[str, pd.DataFrame]":
    """Return for people a hand as a title, and its bids around the best one and the one made."""
    first = curve.iloc[0]
    before = f"after bids of {first['bids_before']}" if first["bids_before"] else "first to bid"
    title = f"{first['cards']}\n{first['bot']}, {before}; scores {first['scores']}; bags {first['bags']}"
    best = curve["bid"].iloc[int(curve["points"].argmax())] if curve["points"].notna().any() else 0
    made = curve["bid"][curve["made"]].iloc[0]
    near = sum((curve["bid"] - bid).abs() <= BIDS_AROUND for bid in (best, made)) > 0
    columns = [name for name in map(str, curve) if name in ("bid", "made") or name.startswith(("points", "chance"))]
    return title, curve[near | (curve["bid"] == 0)][columns]
