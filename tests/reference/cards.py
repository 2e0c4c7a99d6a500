"""Cards as strings: suits, ranks and the pack."""

SUITS = "CDHS"
RANKS = "23456789TJQKA"
FULL_PACK = [rank + suit for suit in SUITS for rank in RANKS]
JOKERS = ["LJ", "BJ"]  # spades above the ace, the big one on top
HIGH_SPADES = ["JS", "QS", "KS", "AS", "LJ", "BJ"]


def suit_of(card: str) -> str:
    return "S" if card in JOKERS else card[1]


def rank_of(card: str) -> int:
    return len(RANKS) + JOKERS.index(card) if card in JOKERS else RANKS.index(card[0])
