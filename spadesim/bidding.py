"""What bidders say to a chosen hand."""

from collections.abc import Sequence

from spadesim import cards, testing
from spadesim.engine.interpret import ask_once
from spadesim.errors import StrategyError, UsageError, count_of
from spadesim.prepare import check_fields
from spadesim.registry import Configured, Registry
from spadesim.rules import Rules

NOT_BIDDERS = {"fixed"}  # says nothing about a hand


def ask(
    registry: Registry, bidder: str, hand: str, *, bids: Sequence[int] = (), scores: Sequence[int] = (),
    bags: Sequence[int] = (), order: int | None = None, rules: Rules | None = None,
) -> list[dict]:  # fmt: skip
    """Ask one bidder, and all others for comparison, what they bid.

    Parameters
    ----------
    bidder
        A bidder or a bot.
    hand
        All cards of the hand.
    bids
        The bids made before, in the order made; the next to bid is oneself.
    scores, bags
        By seat, counted from oneself.
    order
        One's place in the bidding; follows from `bids` if not given.

    Returns
    -------
    list of dict
        {"bidder": name, "bid": number}, the one asked first; None for another bidder that raised an exception.

    Raises
    ------
    UsageError
        When the hand is none of the rules, or a number is out of range.
    """
    rules = rules or Rules()
    seats = rules.players
    order = len(bids) if order is None else order
    for name, values, low, high in (("bids", bids, 0, rules.cards_each), ("bags", bags, 0, rules.bag_limit - 1)):
        if any(not low <= value <= high for value in values):
            raise UsageError(f"{name} are {', '.join(map(str, values))}; expected {low} … {high} each")
    if not 0 <= order < seats or len(bids) != order:
        raise UsageError(
            f"order is {order} with {len(bids)} bids before; expected order 0 … {seats - 1} and as many bids"
        )
    by_seat = [-1] * seats
    for place, bid in enumerate(bids):
        by_seat[place - order] = bid
    view = testing.view(
        hand=_checked(hand, rules), bids=by_seat, scores=_by_seat("scores", scores, seats),
        bags=_by_seat("bags", bags, seats), order=order, rules=rules,
    )  # fmt: skip
    asked = (
        registry.bot(bidder).bidder
        if "+" in bidder or bidder in registry.bots
        else registry.configured("bidder", bidder)
    )
    others = [registry.configured("bidder", name) for name in sorted(registry.bidder) if name != asked.strategy.name]
    others = [each for each in others if each.strategy.name not in NOT_BIDDERS]
    rows = [{"bidder": asked.text, "bid": _bid(asked, view)}]
    for each in others:
        try:
            rows.append({"bidder": each.text, "bid": _bid(each, view)})
        except StrategyError:
            rows.append({"bidder": each.text, "bid": None})  # not the one in question: `check` will tell
    return rows


def _bid(configured: Configured, view) -> int:
    strategy = configured.strategy
    check_fields(strategy)
    try:
        bid = ask_once(strategy.function, strategy.kind, view, configured.settings)
    except Exception as error:
        raise StrategyError(
            f"{strategy.place}: bidder {strategy.name!r} raised {type(error).__name__}: {error}; expected a bid"
        ) from error
    if not 0 <= bid <= view.cards_each:
        raise StrategyError(f"{strategy.place}: bidder {strategy.name!r} bids {bid}; expected 0 … {view.cards_each}")
    return bid


def _checked(hand: str, rules: Rules) -> str:
    try:
        mask = cards.parse(hand)
    except ValueError as error:
        raise UsageError(f"{error} (in --hand)") from None
    missing = mask & ~rules.deck
    if missing:
        raise UsageError(f"{cards.show(missing)} is not in the pack of these rules; expected cards of {rules.name}")
    if cards.count(mask) != rules.cards_each:
        raise UsageError(
            f"the hand has {count_of(cards.count(mask), 'card')}; expected {rules.cards_each}, as in 'AS KS 9H …'"
        )
    return hand


def _by_seat(name: str, values: Sequence[int], seats: int) -> Sequence[int]:
    if values and len(values) != seats:
        raise UsageError(f"{name} has {len(values)} numbers; expected {seats}, your own first")
    return values or [0] * seats
