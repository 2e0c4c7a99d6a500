"""For authors' own tests: a view made by hand, and one deal from a given lie of the cards."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from spadesim import cards
from spadesim.bots import faults
from spadesim.bots.prepare import make_table, seatings
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import deal_record
from spadesim.engine.game.setup import NEVER, set_up
from spadesim.errors import count_of
from spadesim.rules import Rules, as_rules


def view(
    *, hand: str, bids: Sequence[int] | None = None, taken: Sequence[int] | None = None,
    scores: Sequence[int] | None = None, bags: Sequence[int] | None = None, blind: Sequence[bool] | None = None,
    order: int = 0, random: int = 0, trick: str = "", shown: Sequence[str] | None = None,
    voids: Sequence[str] | None = None, broken: bool = False, dummy: int = -1, opened: Sequence[str] | None = None,
    rules: Rules | str | None = None,
) -> Any:  # fmt: skip
    """Make the view of a seat, as a bidder or player would get it; what is not given follows from the rest.

    Parameters
    ----------
    hand
        The cards still held, as in ``"AS KH 9H"``.
    bids, taken, scores, bags, blind
        By seat, counted from oneself, one entry a hand at the table; a bid of -1 is still to come.
    trick
        The cards in the trick now, in the order played.
    shown
        What each seat has played in earlier tricks.
    voids
        Suits each seat has failed to follow, as in ``"CD"``.
    broken
        Whether spades were broken in earlier tricks.
    dummy
        The seat of the dummy's hand.
    opened
        What lies open of each seat's hand besides one's own: the dummy's cards.
    rules
        A preset or a TOML file, with fields changed behind colons, or a `Rules`; `cutthroat` if not given.

    Returns
    -------
    object
        With every field of docs/STRATEGIES.md.

    Raises
    ------
    ValueError
        When cards stand in two places, a tuple has not one entry a seat, or a trick is already full.

    Examples
    --------
    >>> from spadesim.cards import show
    >>> show(view(hand="AS KH 9H", trick="QH 2H").legal)
    'KH 9H'
    """
    rules = as_rules(rules)
    seats = rules.hands
    given = _by_seat(
        seats, bids=(bids, -1), taken=(taken, 0), scores=(scores, 0), bags=(bags, 0), blind=(blind, False),
        shown=(shown, ""), voids=(voids, ""), opened=(opened, ""),
    )  # fmt: skip
    held = cards.parse(hand)
    in_trick = [cards.parse(card) for card in trick.replace(",", " ").split()]
    position = len(in_trick)
    if position >= seats:
        raise ValueError(f"the trick {trick!r} is full; expected at most {count_of(seats - 1, 'card')}")
    cards.parse(" ".join([hand, trick, *given["shown"], *given["opened"]]))  # refuses cards that stand in two places
    led = cards.suit_of(in_trick[0]) if in_trick else 0
    winner, beats = _winner(in_trick, rules)
    together = sum(in_trick)
    past = [cards.parse(text) for text in given["shown"]]
    in_trick_by_seat = [0] * seats
    for place, card in enumerate(in_trick):
        in_trick_by_seat[place - position] = card
    played = sum(past) | together
    is_broken = broken or _breaks(together, led, rules)
    off_suit = [led if card and not card & led else 0 for card in in_trick_by_seat]
    void_now = [_suits(before) | now for before, now in zip(given["voids"], off_suit, strict=True)]
    lying_open = [held, *(cards.parse(text) for text in given["opened"][1:])]
    legal = held & led or held if in_trick else _leads(held, is_broken, not played and not broken, rules)
    return SimpleNamespace(
        hand=held, bids=given["bids"], taken=given["taken"], scores=given["scores"], bags=given["bags"],
        blind=tuple(map(int, given["blind"])), players=seats, cards_each=rules.cards_each, target=rules.target,
        order=order, random=random, **_values_of(rules, given, order),
        rules=SimpleNamespace(record=set_up(rules, seatings(rules))[0]),
        legal=legal, led=led, trick=together,
        beats=beats, position=position, played=played, unseen=rules.deck & ~sum(lying_open) & ~played,
        voids=tuple(void_now), voids_behind=cards.union(void_now[1 : seats - position]), broken=int(is_broken),
        need=_need(given, rules), others_need=_others_need(given, rules), nils=_nils(given, rules),
        tricks_left=cards.count(held),
        leader=(seats - position) % seats, winning=(winner - position) % seats if in_trick else 0,
        cards=tuple(in_trick_by_seat),
        shown=tuple(before | now for before, now in zip(past, in_trick_by_seat, strict=True)),
        dummy=dummy, open=tuple(lying_open),
    )  # fmt: skip


def _by_seat(seats: int, **given: tuple[Sequence | None, Any]) -> dict[str, tuple]:
    """Fill in what is not given, and refuse what has not one entry a seat."""
    filled = {
        name: tuple(values) if values is not None else (default,) * seats for name, (values, default) in given.items()
    }
    for name, values in filled.items():
        if len(values) != seats:
            raise ValueError(f"{name} has {count_of(len(values), 'value')}; expected one a seat, {seats}")
    return filled


def _values_of(rules: Rules, given: dict[str, tuple], order: int) -> dict[str, int]:
    """Give the fields that say what the rules are."""
    left = rules.cards_each - sum(bid for bid in given["bids"] if bid > 0)
    last = rules.bid_total_not is not None and order == rules.players - 1 and given["bids"][0] < 0
    forbidden = last and rules.min_bid <= left <= rules.cards_each
    sides = rules.partnerships or (rules.dummy and given["bids"][0] >= 0)
    return {
        "nil_value": rules.nil, "blind_nil": rules.blind_nil, "min_bid": rules.min_bid, "overtrick": rules.overtrick,
        "set_points": rules.set_points, "bag_limit": rules.bag_limit or 0, "bag_penalty": rules.bag_penalty,
        "bags_left": (rules.bag_limit or NEVER) - given["bags"][0], "partner": 2 if sides else -1,
        "bid_low": rules.min_bid, "bid_high": rules.cards_each, "bid_not": left if forbidden else -1,
    }  # fmt: skip


def _breaks(together: int, led: int, rules: Rules) -> bool:
    """Tell whether spades are broken by the trick now, or were never whole (R3.4)."""
    if rules.spades_break == "free":
        return True
    breaking = cards.SPADES if rules.spades_break == "played" else cards.SPADES & ~led
    return bool(together & breaking and led)


def _leads(held: int, broken: bool, first: bool, rules: Rules) -> int:
    """Tell what may be led (R3.1, R3.4)."""
    if first and rules.opening_lead == "lowest_club" and held & cards.CLUBS:
        return cards.lowest(held & cards.CLUBS)
    broken = broken and not (first and rules.opening_lead == "left_nonspade")
    return held if broken else held & cards.SIDE_SUITS or held


def _need(given: dict[str, tuple], rules: Rules, seat: int = 0) -> int:
    """Take a seat's tricks from its bid, of both hands where they work together (R7, R8)."""
    bids, taken = given["bids"], given["taken"]
    alone = bids[seat] - taken[seat]
    if rules.bots == rules.hands or _nils(given, rules)[seat]:
        return alone
    opposite = (seat + 2) % rules.hands
    return alone + (bids[opposite] if rules.partnerships else 0) - taken[opposite]


def _others_need(given: dict[str, tuple], rules: Rules) -> int:
    """Count what the others still need: together, or where two work together the one of them that needs more."""
    if rules.bots == rules.hands:
        return sum(max(_need(given, rules, seat), 0) for seat in range(1, rules.hands))
    return max(_need(given, rules, 1), _need(given, rules, 3), 0)


def _nils(given: dict[str, tuple], rules: Rules) -> tuple[int, ...]:
    """Tell of each seat whether its nil is alive (R4.2)."""
    return tuple(
        int(bid == 0 and tricks == 0 and rules.nil != 0)
        for bid, tricks in zip(given["bids"], given["taken"], strict=True)
    )


def play(
    *, hands: Sequence[str], bots: Sequence[str], dealer: int = 0, scores: Sequence[int] | None = None,
    bags: Sequence[int] | None = None, load: Sequence[str] = (), rules: Rules | str | None = None,
) -> dict:  # fmt: skip
    """Play one deal from a given lie of the cards.

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


def _winner(in_trick: list[int], rules: Rules) -> tuple[int, int]:
    winner, beats = 0, rules.deck
    for place, card in enumerate(in_trick):
        if place == 0:
            beats = (cards.suit_of(card) | cards.SPADES) & rules.deck
        if card & beats:
            winner, beats = place, beats & ~(card | (card - 1))
    return winner, beats


def _suits(letters: str) -> int:
    if set(letters.upper()) - set(cards.SUIT_LETTERS):
        raise ValueError(f"voids has {letters!r}; expected suits such as 'CD'")
    return sum(cards.SUITS[cards.SUIT_LETTERS.index(letter)] for letter in set(letters.upper()))
