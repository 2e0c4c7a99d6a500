"""For authors' own tests: a view made by hand, and one deal from a given layout of the cards."""

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

from spadesim import cards
from spadesim.bots import faults
from spadesim.bots.prepare import make_table, seatings
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import deal_record
from spadesim.engine.game.setup import set_up
from spadesim.engine.seat_view import SeatState, view_of
from spadesim.errors import count_of, nearest
from spadesim.rules import Rules, as_rules


class Given(TypedDict, total=False):
    """What `view` may be told besides the hand."""

    bids: Sequence[int]
    taken: Sequence[int]
    scores: Sequence[int]
    bags: Sequence[int]
    blind: Sequence[bool]
    shown: Sequence[str]
    voids: Sequence[str]
    opened: Sequence[str]
    trick: str
    order: int
    random: int
    broken: bool
    dummy: int


BY_SEAT: dict[str, Any] = {
    "bids": -1,
    "taken": 0,
    "scores": 0,
    "bags": 0,
    "blind": False,
    "shown": "",
    "voids": "",
    "opened": "",
}
NOT_BY_SEAT: dict[str, Any] = {"trick": "", "order": 0, "random": 0, "broken": False, "dummy": -1}


def view(*, hand: str, rules: Rules | str | None = None, **given: Unpack[Given]) -> Any:
    """Make the view of a seat, as a bidder or player would get it; what is not given follows from the rest.

    Parameters
    ----------
    hand
        The cards still held, as in ``"AS KH 9H"``.
    rules
        A preset or a TOML file, with fields changed behind colons, or a `Rules`; `cutthroat` if not given.
    bids, taken, scores, bags, blind
        By seat, counted from oneself, one entry a hand at the table; a bid of -1 is still to come.
    order
        One's place in the bidding, 0 first; not given it is 0.
    random
        What `view.random` is; not given it is 0.
    trick
        The cards in the trick now, in the order played.
    shown
        What each seat has played in earlier tricks.
    voids
        Suits each seat has failed to follow, as in ``"CD"``.
    broken
        Whether spades were broken in earlier tricks.
    dummy
        The seat of the dummy's hand; needed once the bids are made, where the rules have one.
    opened
        What lies open of each seat's hand besides one's own: the dummy's cards.

    Returns
    -------
    object
        With every field of docs/STRATEGIES.md, read by the engine from a state of its own.

    Raises
    ------
    ValueError
        When cards stand in two places, a tuple has not one entry a seat, a trick is already full, or the dummy's seat
        is none.
    TypeError
        When something else is given.

    Examples
    --------
    >>> from spadesim.cards import show
    >>> show(view(hand="AS KH 9H", trick="QH 2H").legal)
    'KH 9H'
    """
    rules = as_rules(rules)
    for name in given:
        if name not in Given.__annotations__:
            hint = nearest(name, Given.__annotations__) or f"; expected some of {', '.join(Given.__annotations__)}"
            raise TypeError(f"a view is given no {name!r}{hint}")
    state = _state(hand, rules, NOT_BY_SEAT | given)
    if rules.dummy and not state.bidding and state.dummy not in range(rules.hands):
        raise ValueError(f"dummy is {state.dummy}; expected its seat, 0 … {rules.hands - 1} counted from oneself")
    return view_of(state, rules, set_up(rules, seatings(rules)))


def _state(hand: str, rules: Rules, given: dict[str, Any]) -> SeatState:
    """Read cards, and fill in what is not given by seat."""
    by_seat: dict[str, tuple[Any, ...]] = {
        name: tuple(given[name]) if given.get(name) is not None else (default,) * rules.hands
        for name, default in BY_SEAT.items()
    }
    for name, values in by_seat.items():
        if len(values) != rules.hands:
            raise ValueError(f"{name} has {count_of(len(values), 'value')}; expected one a seat, {rules.hands}")
    trick = given["trick"].replace(",", " ").split()
    if len(trick) >= rules.hands:
        most = count_of(rules.hands - 1, "card")
        raise ValueError(f"the trick {given['trick']!r} is full; expected at most {most}")
    # refuses cards that stand in two places
    cards.parse(" ".join([hand, *trick, *by_seat["shown"], *by_seat["opened"]]))
    return SeatState(
        hand=cards.parse(hand),
        trick=[cards.parse(card) for card in trick],
        shown=[cards.parse(text) for text in by_seat["shown"]],
        opened=[cards.parse(text) for text in by_seat["opened"]],
        voids=[_suits(letters) for letters in by_seat["voids"]],
        bids=by_seat["bids"],
        taken=by_seat["taken"],
        scores=by_seat["scores"],
        bags=by_seat["bags"],
        blind=by_seat["blind"],
        order=given["order"],
        random=given["random"],
        broken=given["broken"],
        dummy=given["dummy"],
    )


def play(
    *, hands: Sequence[str], bots: Sequence[str], dealer: int = 0, scores: Sequence[int] | None = None,
    bags: Sequence[int] | None = None, load: Sequence[str] = (), rules: Rules | str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Play one deal from a given layout of the cards.

    Parameters
    ----------
    hands
        Each hand's cards, the dummy's last; together the whole pack but for what the rules set aside.
    bots
        The bot in each seat; in a partnership one a side.
    dealer
        The seat that dealt; its left bids first.
    scores, bags
        Each bot's before the deal.

    Returns
    -------
    dict
        The record of the deal (docs/TABLES.md, "A game as JSON").

    Raises
    ------
    ValueError
        When the hands are no deal.
    BotFault
        When a bot is at fault.
    """
    rules = as_rules(rules)
    masks = [cards.parse(hand) for hand in hands]
    together = cards.parse(" ".join(hands))  # refuses cards that stand in two places
    sizes = [cards.count(mask) for mask in masks]
    if together & ~rules.deck or sizes != [rules.cards_each] * rules.hands:
        raise ValueError(f"hands are no deal; expected {rules.hands} × {rules.cards_each} cards of the pack")
    field = find_strategies(load).field(bots)
    if len(field) != rules.bots:
        raise ValueError(f"bots names {count_of(len(field), 'bot')}; expected {rules.bots}")
    if dealer not in range(rules.players):
        raise ValueError(f"dealer is {dealer!r}; expected a seat, 0 … {rules.players - 1}")
    before = {}
    for name, values in (("scores", scores), ("bags", bags)):
        values = [0] * rules.bots if values is None else values
        if len(values) != rules.bots or not all(isinstance(value, int) for value in values):
            raise ValueError(f"{name} is {values!r}; expected a whole number a bot, {rules.bots}")
        before[name] = [values[bot] for bot in seatings(rules)[0]]
    table = make_table(field, rules, interpreted=True)
    run = table.play_given(masks, dealer, before["scores"], before["bags"])
    counts = run.counts([])
    if counts.has_fault:
        raise faults.to_error(faults.describe(counts.fault, counts.reason, field, 0, rules, load))
    return deal_record(run)


def _suits(letters: str) -> int:
    if set(letters.upper()) - set(cards.SUIT_LETTERS):
        raise ValueError(f"voids has {letters!r}; expected suits such as 'CD'")
    return sum(cards.SUITS[cards.SUIT_LETTERS.index(letter)] for letter in set(letters.upper()))
