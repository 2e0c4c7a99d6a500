"""Which cards are legal, and who wins a trick (R3)."""

from reference.cards import rank_of, suit_of
from reference.rules import CUTTHROAT, Rules


def beats(card: str, best: str) -> bool:
    """Return whether `card` takes over a trick in which `best` leads so far (R3.3)."""
    if suit_of(card) == suit_of(best):
        return rank_of(card) > rank_of(best)
    return suit_of(card) == "S"


def winning_place(cards: list[str]) -> int:
    """Return the place, 0 for the card led, of the card that leads a trick, complete or not (R3.3)."""
    best = 0
    for place in range(1, len(cards)):
        if beats(cards[place], cards[best]):
            best = place
    return best


def trick_winner(cards: list[str], leader: int) -> int:
    """Return the place at the table that wins a complete trick; `cards` in the order played (R3.3)."""
    return (leader + winning_place(cards)) % len(cards)


def breaks_spades(card: str, led: str | None, rules: Rules = CUTTHROAT) -> bool:
    """Return whether this card breaks spades; `led` is None for a lead (R3.4)."""
    if suit_of(card) != "S":
        return False
    if rules.spades_break == "played":
        return True  # a lead too
    # "won" means the same as "ruff": a trick led in another suit is won by a spade as soon as one is in it.
    return led not in (None, "S")


def legal_cards(hand: list[str], led: str | None, broken: bool) -> list[str]:
    """Return the legal cards in the order of the hand; `led` is the suit to follow, None for the leader."""
    if led is not None:
        following = [card for card in hand if suit_of(card) == led]
        return following or list(hand)  # R3.2: void, any card
    if broken:
        return list(hand)
    others = [card for card in hand if suit_of(card) != "S"]
    return others or list(hand)  # R3.1, R3.4: a hand of nothing but spades may lead one
