"""For authors' own tests: a view made by hand, and one deal from a given lie of the cards."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from spadesim import cards, faults
from spadesim.errors import count_of
from spadesim.prepare import make_table
from spadesim.registry import find_strategies
from spadesim.replay import deal_record
from spadesim.rules import Rules

NOBODY = (0, 0, 0)


def view(
    *, hand: str, bids: Sequence[int] = (-1, -1, -1), taken: Sequence[int] = NOBODY, scores: Sequence[int] = NOBODY,
    bags: Sequence[int] = NOBODY, order: int = 0, random: int = 0, trick: str = "", shown: Sequence[str] = ("", "", ""),
    voids: Sequence[str] = ("", "", ""), broken: bool = False, rules: Rules | None = None,
) -> Any:  # fmt: skip
    """Make the view of a seat, as a bidder or player would get it; what is not given follows from the rest.

    Parameters
    ----------
    hand
        The cards still held, as in ``"AS KH 9H"``.
    bids, taken, scores, bags
        By seat, counted from oneself; a bid of -1 is still to come.
    trick
        The cards in the trick now, in the order played.
    shown
        What each seat has played in earlier tricks.
    voids
        Suits each seat has failed to follow, as in ``"CD"``.
    broken
        Whether spades were broken in earlier tricks.

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
    rules = rules or Rules()
    held = cards.parse(hand)
    in_trick = [cards.parse(card) for card in trick.replace(",", " ").split()]
    position, seats = len(in_trick), rules.players
    per_seat = {"bids": bids, "taken": taken, "scores": scores, "bags": bags, "shown": shown, "voids": voids}
    for name, values in per_seat.items():
        if len(values) != seats:
            raise ValueError(f"{name} has {count_of(len(values), 'value')}; expected one a seat, {seats}")
    if position >= seats:
        raise ValueError(f"the trick {trick!r} is full; expected at most {count_of(seats - 1, 'card')}")
    cards.parse(" ".join([hand, trick, *shown]))  # refuses cards that stand in two places
    led = cards.suit_of(in_trick[0]) if in_trick else 0
    winner, beats = _winner(in_trick, rules)
    together = sum(in_trick)
    past = [cards.parse(text) for text in shown]
    in_trick_by_seat = [0] * seats
    for place, card in enumerate(in_trick):
        in_trick_by_seat[place - position] = card
    played = sum(past) | together
    is_broken = broken or bool(together & cards.SPADES & ~led and led)
    follow = held & led
    lead = held & cards.SIDE_SUITS if not is_broken and held & cards.SIDE_SUITS else held
    off_suit = [led if card and not card & led else 0 for card in in_trick_by_seat]
    void_now = [_suits(before) | now for before, now in zip(voids, off_suit, strict=True)]
    return SimpleNamespace(
        hand=held, bids=tuple(bids), taken=tuple(taken), scores=tuple(scores), bags=tuple(bags), players=seats,
        cards_each=rules.cards_each, target=rules.target, order=order, random=random,
        legal=(follow or held) if in_trick else lead, led=led, trick=together, beats=beats, position=position,
        played=played, unseen=rules.deck & ~held & ~played, voids=tuple(void_now), broken=int(is_broken),
        need=bids[0] - taken[0], tricks_left=cards.count(held), leader=(seats - position) % seats,
        winning=(winner - position) % seats if in_trick else 0, cards=tuple(in_trick_by_seat),
        shown=tuple(before | now for before, now in zip(past, in_trick_by_seat, strict=True)),
    )  # fmt: skip


def play(
    *, hands: Sequence[str], bots: Sequence[str], dealer: int = 0, scores: Sequence[int] = NOBODY,
    bags: Sequence[int] = NOBODY, load: Sequence[str] = (), rules: Rules | None = None,
) -> dict:  # fmt: skip
    """Play one deal from a given lie of the cards.

    Parameters
    ----------
    hands
        Each seat's cards; together the whole pack.
    bots
        The bot in each seat.
    dealer
        The seat that dealt; its left bids and leads first.
    scores, bags
        Each seat's before the deal.

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
    rules = rules or Rules()
    masks = [cards.parse(hand) for hand in hands]
    if sum(masks) != rules.deck or any(cards.count(mask) != rules.cards_each for mask in masks):
        raise ValueError(
            f"hands are no deal; expected {rules.players} × {rules.cards_each} cards that make up the pack"
        )
    field = find_strategies(load).field(bots)
    if len(field) != rules.players:
        raise ValueError(f"bots names {count_of(len(field), 'bot')}; expected one a seat, {rules.players}")
    if dealer not in range(rules.players):
        raise ValueError(f"dealer is {dealer!r}; expected a seat, 0 … {rules.players - 1}")
    for name, values in (("scores", scores), ("bags", bags)):
        if len(values) != rules.players or not all(isinstance(value, int) for value in values):
            raise ValueError(f"{name} is {values!r}; expected a whole number a seat")
    table = make_table(field, rules, interpreted=True)
    run = table.play_given(masks, dealer, scores, bags)
    counts = run.counts([])
    if counts.has_fault:
        raise faults.to_error(faults.describe(counts.fault, counts.reason, field, range(rules.players), 0, rules, load))
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
