"""What bidders say to a chosen hand."""

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from spadesim import cards
from spadesim.bots.prepare import check_fields, seatings
from spadesim.bots.registry import Configured, Registry
from spadesim.bots.strategy import Strategy
from spadesim.engine import seat_view
from spadesim.engine.compile.inspection import keywords_of
from spadesim.engine.game.setup import set_up
from spadesim.engine.game.views import BLIND_FIELDS
from spadesim.engine.kernels.interpret import ask_once
from spadesim.errors import StrategyError, UsageError, count_of
from spadesim.rules import Rules, as_rules

BAGS_MAX = 1_000  # where no number of them brings a penalty
NOT_BIDDERS = {"fixed"}  # says nothing about a hand


def ask(
    registry: Registry, bidder: str, hand: str, *, bids: Sequence[int] = (), scores: Sequence[int] = (),
    bags: Sequence[int] = (), order: int | None = None, rules: Rules | str | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
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
        {"bidder": name, "bid": number}, the one asked first; None for another bidder that raised an exception. By
        rules with a blind nil also "blind": whether the bid is one, which a seat far enough behind is asked first.

    Raises
    ------
    UsageError
        When the hand is none of the rules, or a number is out of range.
    """
    rules = as_rules(rules)
    view = view_of(hand, rules, bids=bids, scores=scores, bags=bags, order=order)
    asked = registry.bot(bidder).bidder if registry.is_bot(bidder) else registry.configured("bidder", bidder)
    others = [registry.configured("bidder", name) for name in sorted(registry.bidder) if name != asked.strategy.name]
    others = [other for other in others if other.strategy.name not in NOT_BIDDERS]
    rows = [{"bidder": asked.text, **_said(asked, view, rules)}]
    for other in others:
        try:
            rows.append({"bidder": other.text, **_said(other, view, rules)})
        except StrategyError:
            rows.append({"bidder": other.text, "bid": None})  # not the one in question: `check` will tell
    return rows


def view_of(
    hand: str, rules: Rules, *, bids: Sequence[int] = (), scores: Sequence[int] = (), bags: Sequence[int] = (),
    order: int | None = None,
) -> SimpleNamespace:  # fmt: skip
    """Make the view of a bidder who holds a chosen hand; what is given, and what is refused, as by `ask`."""
    seats = rules.players
    order = len(bids) if order is None else order
    bags_max = (rules.bag_limit or BAGS_MAX) - 1
    for name, values, low, high in (("bids", bids, rules.min_bid, rules.cards_each), ("bags", bags, 0, bags_max)):
        if any(not low <= value <= high for value in values):
            raise UsageError(f"{name} are {', '.join(map(str, values))}; expected {low} … {high} each")
    if not 0 <= order < seats or len(bids) != order:
        raise UsageError(
            f"order is {order} with {len(bids)} bids before; expected order 0 … {seats - 1} and as many bids"
        )
    numbers = {"scores": _by_seat("scores", scores, seats), "bags": _by_seat("bags", bags, seats)}
    known = {name: [0] * rules.hands for name in numbers} | {"bids": [-1] * rules.hands}
    for place, bid in enumerate(bids):
        known["bids"][(place - order) % rules.hands] = bid
    for name, values in numbers.items():  # an empty seat (R8) stands behind the last bidder
        for i, value in enumerate(values):
            known[name][((order + i) % seats - order) % rules.hands] = value
    none = [0] * rules.hands
    state = seat_view.SeatState(
        hand=_checked(hand, rules), bids=known["bids"], scores=known["scores"], bags=known["bags"], taken=none,
        blind=none, shown=none, voids=none, opened=none, trick=(), order=order,
    )  # fmt: skip
    return seat_view.view_of(state, rules, set_up(rules, seatings(rules)))


def _said(configured: Configured, view: SimpleNamespace, rules: Rules) -> dict[str, Any]:
    """Ask for a blind nil where the seat may bid one (R2.3), else for a bid."""
    if not rules.blind_nil:
        return {"bid": bid_of(configured, view)}
    behind = max(view.scores) - view.scores[0]
    ask_first = configured.strategy.blind_nil if behind >= rules.blind_behind and view.bid_not != 0 else None
    if ask_first is not None:
        unseen = SimpleNamespace(**{name: value for name, value in vars(view).items() if name in BLIND_FIELDS})
        settings = {name: configured.settings[name] for name in keywords_of(ask_first)}
        if _answer(configured.strategy, partial(ask_once, ask_first, configured.strategy.kind, unseen, settings)):
            return {"bid": 0, "blind": True}
    return {"bid": bid_of(configured, view), "blind": False}


def bid_of(configured: Configured, view: SimpleNamespace) -> int:
    """Ask a bidder that has seen its cards; a bad answer is a `StrategyError`."""
    strategy = configured.strategy
    check_fields(strategy)
    bid = _answer(strategy, partial(ask_once, strategy.function, strategy.kind, view, configured.settings))
    if not view.bid_low <= bid <= view.bid_high or bid == view.bid_not:
        but = f" but not {view.bid_not}" if view.bid_not >= 0 else ""
        raise StrategyError(
            f"{strategy.place}: bidder {strategy.name!r} bids {bid}; expected {view.bid_low} … {view.bid_high}{but}"
        )
    return bid


def _answer(strategy: Strategy, ask: Callable[[], int]) -> int:
    try:
        return ask()
    except Exception as error:
        raise StrategyError(
            f"{strategy.place}: bidder {strategy.name!r} raised {type(error).__name__}: {error}; expected a bid"
        ) from error


def _checked(hand: str, rules: Rules) -> int:
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
    return mask


def _by_seat(name: str, values: Sequence[int], seats: int) -> Sequence[int]:
    if values and len(values) != seats:
        raise UsageError(f"{name} has {len(values)} numbers; expected {seats}, your own first")
    return values or [0] * seats
