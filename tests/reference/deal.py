"""Dealing: a hash of (seed, stream, deal, number of the draw) and nothing else."""

from reference.rules import CUTTHROAT, Rules

Key = tuple[int, int]


def draw(k0: int, k1: int, n: int) -> int:
    """Return the 64-bit random number n of the key (k0, k1)."""
    z = (k0 + n * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = z ^ k1
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def game_key(seed: int, stream: int) -> Key:
    s0, s1 = (draw(seed, 0xD1342543DE82EF95, n) for n in (0, 1))
    return draw(s0, s1, 2 * stream), draw(s0, s1, 2 * stream + 1)


def deal_key(seed: int, stream: int, deal: int) -> Key:
    g0, g1 = game_key(seed, stream)
    return draw(g0, g1, 2 * deal + 2), draw(g0, g1, 2 * deal + 3)


def first_dealer(seed: int, stream: int, rules: Rules = CUTTHROAT) -> int:
    """Draw the first dealer's seat by lot (R1.2); it is the same in all seatings of a stream."""
    return (draw(*game_key(seed, stream), 0) >> 32) * rules.players >> 32


BLIND_DECISION = 63


def decision_random(key: Key, place: int, decision: int) -> int:
    """Return 63 fresh bits for a decision: 0 is the bid, 1 + t the card for trick t (0 first), 63 the blind nil."""
    return draw(*key, 64 + 64 * place + decision) >> 1


def seat_for_card(u: int, left: int, places: list[int]) -> int:
    """Return the pile that gets a card: each with the chance (its empty places) / (cards left), by the 32 bits u."""
    for seat in range(len(places)):
        if u * left < 2**32 * sum(places[: seat + 1]):
            return seat
    raise ValueError(f"{left} cards are left for the places {places}")


def deal_hands(seed: int, stream: int, deal: int, rules: Rules = CUTTHROAT) -> list[list[str]]:
    """Deal all the hands (R1.2), the dummy's last (R8); each comes out in ascending pack order."""
    key = deal_key(seed, stream, deal)
    sizes = [rules.cards_each] * rules.hands + [rules.set_aside]  # what is set aside is one more pile
    piles: list[list[str]] = [[] for _ in sizes]
    for j, card in enumerate(rules.pack):
        both_halves = draw(*key, j // 2)
        u = both_halves % 2**32 if j % 2 == 0 else both_halves >> 32
        places = [size - len(pile) for size, pile in zip(sizes, piles, strict=True)]
        piles[seat_for_card(u, len(rules.pack) - j, places)].append(card)
    return piles[: rules.hands]
