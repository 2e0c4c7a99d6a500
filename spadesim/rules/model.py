"""The rules of a game as one checked value, and its TOML; docs/RULES.md says what each field does, and why."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError

from spadesim import cards
from spadesim.errors import UsageError, expected, nearest

# the counts of a block (`engine.game.count.MADE`) have no room for more deals of a bot
DEALS_MAX = 2_500

Points = Annotated[int, Field(ge=0, le=1_000)]
Deals = Annotated[int, Field(ge=1, le=DEALS_MAX)]


@dataclass(frozen=True)
class Rules:
    """The rules of a game; the defaults are those of `cutthroat`.

    Every field is described in docs/RULES.md, with its unit and range. None is what TOML and the command line call
    ``none``.

    Raises
    ------
    UsageError
        When a field is out of range, or two fields contradict each other (both are named).
    """

    name: str = "cutthroat"  # what to type for these rules
    players: Annotated[int, Field(ge=2, le=6)] = 3  # R1.1
    removed: tuple[str, ...] = ("2C",)  # R1.1
    jokers: Literal[0, 2] = 0  # R1.1
    set_aside: Annotated[int, Field(ge=0, le=50)] = 0  # R1.2
    min_bid: Annotated[int, Field(ge=0, le=1)] = 0  # R2.1
    bid_total_not: Literal["cards_each"] | None = None  # R2.1
    nil: Points = 100  # R4.2
    failed_nil_bags: bool = True  # R4.2
    blind_nil: Points = 0  # R2.3
    blind_behind: Annotated[int, Field(ge=0, le=10_000)] = 100  # R2.3
    opening_lead: Literal["left_nonspade", "left", "lowest_club"] = "left_nonspade"  # R3.1
    spades_break: Literal["ruff", "played", "won", "free"] = "ruff"  # R3.4
    overtrick: Annotated[int, Field(ge=-100, le=100)] = 1  # R4.1
    set_points: Annotated[int, Field(ge=-100, le=0)] = -10  # R4.1
    bag_limit: Annotated[int, Field(ge=1, le=100)] | None = 10  # R4.3
    bag_penalty: Points = 100  # R4.3
    bag_reset: Literal["carry", "zero"] = "carry"  # R4.3
    exact_bonus: Points = 0  # R4.4
    high_spade_bonus: Annotated[int, Field(ge=0, le=100)] = 0  # R4.4
    target: Annotated[int, Field(ge=1, le=10_000)] = 200  # R5.1
    floor: Annotated[int, Field(ge=-10_000, le=-1)] | None = None  # R5.1
    fixed_deals: Deals | None = None  # R5.1
    max_deals: Deals = 200  # R5.3
    renege: Literal["nothing", "bid_fails", "three_tricks"] = "nothing"  # R9
    partnerships: Literal["opposite"] | None = None  # R7
    dummy: bool = False  # R8

    def __post_init__(self) -> None:
        if isinstance(self.removed, list):
            object.__setattr__(self, "removed", tuple(self.removed))
        for field, adapter in _adapters().items():
            try:
                adapter.validate_python(getattr(self, field), strict=True)
            except ValidationError as error:
                cards_wanted = "expected a list of cards, as in ['2C']" if field == "removed" else ""
                wanted = cards_wanted or _range_of(adapter) or expected(error.errors()[0])
                or_none = " or none" if _may_be_none(field) else ""
                raise UsageError(f"rule {field} is {getattr(self, field)!r}; {wanted}{or_none}") from None
        _check_pack(self)
        for wrong, fields, why in _contradictions(self):
            if wrong:
                said = " and ".join(f"{field} = {_toml_value(getattr(self, field))}" for field in fields)
                raise UsageError(f"rules {said} contradict each other: {why}")

    @property
    def deck(self) -> cards.Mask:
        """The mask of the cards in play, including those that are set aside in each deal."""
        return cards.PACK & ~cards.parse(" ".join(self.removed)) | (cards.JOKERS if self.jokers else 0)

    @property
    def hands(self) -> int:
        """The hands that are dealt: one per player, and the dummy's (R8)."""
        return self.players + self.dummy

    @property
    def bots(self) -> int:
        """The bots at a table: one per player, or one for both hands of a side (R7). Each has a score of its own."""
        return self.players // 2 if self.partnerships else self.players

    @property
    def cards_each(self) -> int:
        """The cards of a hand, and so the tricks of a deal."""
        return (cards.count(self.deck) - self.set_aside) // self.hands

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, as TOML has them."""
        values = ((field, getattr(self, field)) for field in FIELDS)
        return {field: "none" if value is None else value for field, value in values}

    def to_toml(self) -> str:
        """Return the rules as TOML, a line per field, ready to edit."""
        return "".join(f"{field} = {_toml_value(value)}\n" for field, value in self.as_dict().items())


FIELDS = tuple(field.name for field in dataclasses.fields(Rules) if field.name != "name")


def from_values(name: str, values: dict[str, Any], base: Rules | None = None) -> Rules:
    """Return the rules that the values of a TOML file or of the command line make.

    Parameters
    ----------
    name
        What the rules are called.
    values
        By field; "none" means None; several cards are a list, or text with spaces or commas between them.
    base
        Where the other fields come from; `cutthroat` if not given.

    Raises
    ------
    UsageError
        When there is no such field, its value does not fit, or two of them contradict each other.
    """
    for field in values:
        if field not in FIELDS:
            hint = nearest(field.lower(), FIELDS) or f"; expected one of {', '.join(FIELDS)}"
            raise UsageError(f"no rule named {field!r}{hint}")
    tidy = {field: _tidy(field, value) for field, value in values.items()}
    return dataclasses.replace(base or Rules(), name=name, **tidy)


def _tidy(field: str, value: Any) -> Any:
    if field == "removed" and isinstance(value, str):
        return () if value == "none" else tuple(value.replace(",", " ").split())
    return None if value == "none" and _may_be_none(field) else value


@cache
def _adapters() -> dict[str, TypeAdapter[Any]]:
    return {field: TypeAdapter(kind) for field, kind in get_type_hints(Rules, include_extras=True).items()}


def _range_of(adapter: TypeAdapter[Any]) -> str:
    """Return the bounds of a number as they read in a sentence; nothing where the field is no number."""
    schema = adapter.json_schema()
    for part in [schema, *schema.get("anyOf", [])]:
        if "minimum" in part:
            return f"expected a whole number from {part['minimum']} to {part['maximum']}"
    return ""


def _may_be_none(field: str) -> bool:
    return field in {"bid_total_not", "bag_limit", "floor", "fixed_deals", "partnerships"}


def _check_pack(rules: Rules) -> None:
    """Refuse a pack that cannot be dealt evenly, or cards that do not exist."""
    try:
        removed = cards.parse(" ".join(rules.removed))
    except ValueError as error:
        raise UsageError(f"rule removed is {list(rules.removed)}: {error}") from None
    if removed & cards.JOKERS:
        raise UsageError(
            f"rules removed = {list(rules.removed)} and jokers = {rules.jokers}: set jokers to 0 or 2 instead"
        )
    left = cards.count(rules.deck) - rules.set_aside
    if left < rules.hands or left % rules.hands:
        names = ("players", "dummy", "removed", "jokers", "set_aside")
        said = ", ".join(f"{field} = {_toml_value(getattr(rules, field))}" for field in names)
        raise UsageError(
            f"rules {said} leave {left} cards for {rules.hands} hands, which cannot be dealt evenly;"
            f" remove other cards or set some aside"
        )


def _contradictions(rules: Rules) -> Iterable[tuple[bool, tuple[str, ...], str]]:
    """Return what cannot be true together: whether it is, the fields, and why it cannot."""
    clubs = cards.count(rules.deck & cards.CLUBS)
    return [
        (bool(rules.partnerships) and rules.players != 4, ("partnerships", "players"), "two sides of two are four"),
        (rules.dummy and rules.players != 3, ("dummy", "players"), "the dummy is a fourth hand for three"),
        (
            rules.min_bid > 0 and rules.nil > 0, ("min_bid", "nil"),
            "no bid of 0 is allowed; with nil = 0 nothing is paid for one",
        ),
        (rules.min_bid > 0 and rules.blind_nil > 0, ("min_bid", "blind_nil"), "no bid of 0 is allowed"),
        (
            rules.blind_nil > 0 and rules.nil == 0, ("blind_nil", "nil"),
            "a nil that is worth nothing cannot be worth more when it is blind",
        ),
        (
            rules.bag_limit is None and rules.bag_penalty > 0, ("bag_limit", "bag_penalty"),
            "no number of bags brings the penalty; set bag_penalty = 0",
        ),
        (
            rules.opening_lead == "lowest_club" and clubs == 0, ("opening_lead", "removed"), "no club is left to lead",
        ),
        (
            rules.opening_lead == "lowest_club" and clubs <= rules.set_aside, ("opening_lead", "set_aside"),
            f"all {clubs} clubs could be set aside, and nobody would lead",
        ),
        (
            rules.fixed_deals is not None and rules.fixed_deals > rules.max_deals, ("fixed_deals", "max_deals"),
            "games stop before that many deals are played",
        ),
    ]  # fmt: skip


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    if value is None:
        return '"none"'
    return f'"{value}"' if isinstance(value, str) else str(value)
