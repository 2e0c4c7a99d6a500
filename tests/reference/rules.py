"""What a game is played by."""

from dataclasses import dataclass

from reference.cards import FULL_PACK, JOKERS

DUMMY = 3  # R8: the number of the dummy's hand


@dataclass(frozen=True)
class Rules:
    """What a game is played by; the defaults are the profile `cutthroat`."""

    players: int = 3  # R1.1
    removed: tuple[str, ...] = ("2C",)  # R1.1
    jokers: int = 0  # or 2
    set_aside: int = 0  # cards that nobody gets or sees
    min_bid: int = 0  # R2.1
    bid_total_not: str | None = None  # "cards_each": the last bidder may not bring the total to that
    nil: int = 100  # R4.2; 0: a bid of 0 is a bid like any other
    failed_nil_bags: bool = True  # R4.2
    blind_nil: int = 0  # points; 0: there is none
    blind_behind: int = 100  # points behind the leader that allow it
    opening_lead: str = "left_nonspade"  # R3.1; or "left", "lowest_club"
    spades_break: str = "ruff"  # R3.4; or "played", "won", "free"
    overtrick: int = 1  # R4.1, points for each
    set_points: int = -10  # R4.1, points for each trick bid
    bag_limit: int | None = 10  # R4.3; None or 0: bags cost nothing
    bag_penalty: int = 100  # R4.3
    bag_reset: str = "carry"  # R4.3; or "zero"
    target: int = 200  # R5.1
    floor: int | None = None  # a total that ends the game too
    max_deals: int = 200  # R5.3
    fixed_deals: int | None = None  # after so many deals the game ends
    renege: str = "nothing"  # R9, the price of a corrected card; or "bid_fails", "three_tricks"
    exact_bonus: int = 0
    high_spade_bonus: int = 0
    partnerships: str | None = None  # R7: "opposite"
    dummy: bool = False  # R8

    def __post_init__(self) -> None:
        left = len(self.pack) - self.set_aside
        if left <= 0 or left % self.hands != 0:
            raise ValueError(f"{left} cards do not go round {self.hands} hands")

    @property
    def hands(self) -> int:
        """The hands at the table: one a player, and the dummy's."""
        return self.players + 1 if self.dummy else self.players

    @property
    def cards_each(self) -> int:
        """The cards of a hand, which is also the number of tricks (R1.2, R3.5)."""
        return (len(self.pack) - self.set_aside) // self.hands

    @property
    def pack(self) -> list[str]:
        """The cards in play, those set aside included, in ascending order: clubs, diamonds, hearts, spades, jokers."""
        cards = [card for card in FULL_PACK if card not in self.removed]
        return cards + JOKERS if self.jokers else cards


CUTTHROAT = Rules()
