"""The rules of a game as one checked value, the presets, and their TOML (docs/RULES.md has the numbers)."""

import dataclasses
from dataclasses import dataclass, field

from spadesim import cards
from spadesim.errors import UsageError, unknown


@dataclass(frozen=True)
class Rules:
    """What a game is played by; every field is a number of docs/RULES.md.

    Raises
    ------
    UsageError
        When a field is out of its range, or two fields contradict each other (both are named).
    """

    name: str = "cutthroat"
    players: int = field(default=3, metadata={"range": (3, 3)})  # R1.1
    removed: tuple[str, ...] = ("2C",)  # R1.1
    nil: int = field(default=100, metadata={"range": (0, 1000)})  # R4.2
    failed_nil_bags: bool = True  # R4.2
    overtrick: int = field(default=1, metadata={"range": (-100, 100)})  # R4.1
    set_points: int = field(default=-10, metadata={"range": (-100, 0)})  # R4.1
    bag_limit: int = field(default=10, metadata={"range": (1, 100)})  # R4.3
    bag_penalty: int = field(default=100, metadata={"range": (0, 1000)})  # R4.3
    target: int = field(default=200, metadata={"range": (1, 10_000)})  # R5.1
    max_deals: int = field(default=200, metadata={"range": (1, 5_000)})  # R5.3; `counting.MADE` leaves room for no more

    def __post_init__(self):
        for each in dataclasses.fields(self):
            _check_range(each, getattr(self, each.name))
        left = cards.count(self.deck)
        if left % self.players:
            raise UsageError(
                f"players = {self.players} and removed = {list(self.removed)} leave {left} cards,"
                f" which do not go round evenly; remove other cards"
            )

    @property
    def deck(self) -> cards.Mask:
        """The mask of the cards in play."""
        return cards.PACK & ~cards.parse(" ".join(self.removed))

    @property
    def cards_each(self) -> int:
        """The cards of a hand, and so the tricks of a deal."""
        return cards.count(self.deck) // self.players

    def to_toml(self) -> str:
        """Write the rules as TOML, a line a field, ready to edit."""
        return "".join(f"{each.name} = {_toml_value(getattr(self, each.name))}\n" for each in dataclasses.fields(self))


def _check_range(each: dataclasses.Field, value: object) -> None:
    if "range" not in each.metadata:
        return
    low, high = each.metadata["range"]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise UsageError(f"rule {each.name} is {value!r}; expected a whole number from {low} to {high}")


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


PRESETS = {rules.name: rules for rules in [Rules()]}


def preset(name: str) -> Rules:
    """Find a preset by its name.

    Raises
    ------
    UsageError
        When there is none; the message has the nearest name.
    """
    if name not in PRESETS:
        raise unknown("rules preset", name, PRESETS, "spadesim rules lists all")
    return PRESETS[name]
