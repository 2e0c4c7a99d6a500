"""Cutthroat Spades again, in slow and obvious Python: the specification that the fast engine is compared with.

It shares no code with the engine. A card is a string of rank and suit ("AS", "TH", "2C"), a hand is a list of cards in
ascending pack order, and seats are numbered clockwise from 0, so the seat on the left of s is s + 1. The numbers in the
comments (R4.2) are those of the rules.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from types import SimpleNamespace
from typing import Any

SUITS = "CDHS"
RANKS = "23456789TJQKA"
FULL_PACK = [rank + suit for suit in SUITS for rank in RANKS]


@dataclass(frozen=True)
class Rules:
    """The numbers of the game; the defaults are the profile `cutthroat`."""

    players: int = 3  # R1.1
    cards_each: int = 17  # R1.2
    removed: tuple[str, ...] = ("2C",)  # R1.1
    nil: int = 100  # R4.2; 0: a bid of 0 is a bid like any other
    failed_nil_bags: bool = True  # R4.2
    overtrick: int = 1  # R4.1, points for each
    set_points: int = -10  # R4.1, points for each trick bid
    bag_limit: int | None = 10  # R4.3; None or 0: bags cost nothing
    bag_penalty: int = 100  # R4.3
    target: int = 200  # R5.1
    max_deals: int = 200  # R5.3

    def __post_init__(self) -> None:
        if self.players * self.cards_each != len(self.pack):
            raise ValueError(f"{self.players} hands of {self.cards_each} do not use up {len(self.pack)} cards")

    @property
    def pack(self) -> list[str]:
        """The cards in play, in ascending order: clubs, diamonds, hearts, spades."""
        return [card for card in FULL_PACK if card not in self.removed]


CUTTHROAT = Rules()


class View(SimpleNamespace):
    """What a seat may know. Seats, also as places in lists, are counted from itself: 0 = me, 1 = my left."""

    hand: list[str]
    bids: list[int]  # -1: not yet
    taken: list[int]
    scores: list[int]
    bags: list[int]
    players: int
    cards_each: int
    target: int
    order: int  # 0 bids first
    random: int  # 63 bits

    # Only for a player:
    pack: list[str]
    legal: list[str]
    led: str | None  # suit of the card led; None: I lead
    trick: list[str]  # in the order played
    beats: list[str]  # every card of the pack that would lead the trick now; when leading, all of them
    position: int  # 0 leads
    played: list[str]  # this deal, with this trick
    unseen: list[str]  # neither in my hand nor played
    voids: list[set[str]]  # suits that a seat did not follow
    broken: bool
    need: int  # own bid less own taken
    tricks_left: int  # with this one
    leader: int
    winning: int  # seat that leads the trick now; 0 when leading
    cards: list[str | None]  # each seat's card in this trick
    shown: list[list[str]]  # all that each seat has played this deal


Bidder = Callable[[View], int]
Player = Callable[[View], str]
Bot = tuple[str, Bidder, Player]
Key = tuple[int, int]


# --- Cards and tricks ------------------------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    return card[1]


def rank_of(card: str) -> int:
    return RANKS.index(card[0])


def beats(card: str, best: str) -> bool:
    """Say whether `card` takes over a trick in which `best` leads so far (R3.3)."""
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
    """Return the seat that wins a complete trick; `cards` in the order played (R3.3)."""
    return (leader + winning_place(cards)) % len(cards)


def breaks_spades(card: str, led: str | None) -> bool:
    """Say whether this card breaks spades: a spade in a trick led in another suit (R3.4). A lead breaks nothing."""
    return suit_of(card) == "S" and led not in (None, "S")


def legal_cards(hand: list[str], led: str | None, broken: bool) -> list[str]:
    """Return the legal cards in the order of the hand; `led` is the suit to follow, None for the leader."""
    if led is not None:
        following = [card for card in hand if suit_of(card) == led]
        return following or list(hand)  # R3.2: void, any card
    if broken:
        return list(hand)
    others = [card for card in hand if suit_of(card) != "S"]
    return others or list(hand)  # R3.1, R3.4: a hand of nothing but spades may lead one


# --- Scoring ---------------------------------------------------------------------------------------------------------


def score_contract(bid: int, taken: int, rules: Rules) -> tuple[int, int]:
    """Return the points and the new bags of one seat's deal, before any bag penalty."""
    if bid == 0 and rules.nil != 0:  # R2.2
        if taken == 0:
            return rules.nil, 0  # R4.2
        return -rules.nil, taken if rules.failed_nil_bags else 0  # R4.2: no trick points
    if taken >= bid:
        return 10 * bid + rules.overtrick * (taken - bid), taken - bid  # R4.1
    return rules.set_points * bid, 0  # R4.1


def score_deal(bid: int, taken: int, bags_before: int, rules: Rules = CUTTHROAT) -> tuple[int, int, int]:
    """Return (points, penalties, bags_after): points include the bag penalties, penalties is how many (R4.3)."""
    points, new_bags = score_contract(bid, taken, rules)
    bags = bags_before + new_bags
    penalties = 0
    while rules.bag_limit and bags >= rules.bag_limit:
        bags -= rules.bag_limit
        penalties += 1
    return points - penalties * rules.bag_penalty, penalties, bags


def sole_leader(scores: list[int]) -> int | None:
    """Return the seat with the highest total, None where several share it."""
    leaders = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return leaders[0] if len(leaders) == 1 else None


def judge_totals(scores: list[int], playing_off: bool, rules: Rules = CUTTHROAT) -> tuple[int | None, bool]:
    """Return (winner or None, whether a tie is being played off from here on) after a whole deal."""
    if not playing_off and max(scores) < rules.target:
        return None, False
    winner = sole_leader(scores)  # R5.1: the highest, even where it was not the first to reach the target
    return winner, winner is None  # R5.2: once tied, the first sole leader wins whatever the totals are


# --- Randomness: a hash of (seed, stream, deal, number of the draw) and nothing else ---------------------------------


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


def decision_random(key: Key, seat: int, decision: int) -> int:
    """Return 63 fresh bits for a decision: 0 is the bid, 1 + t the card for trick t (0 first)."""
    return draw(*key, 64 + 64 * seat + decision) >> 1


def seat_for_card(u: int, left: int, places: list[int]) -> int:
    """Return the seat that gets a card: each with the chance (its empty places) / (cards left), by the 32 bits u."""
    for seat in range(len(places)):
        if u * left < 2**32 * sum(places[: seat + 1]):
            return seat
    raise ValueError(f"{left} cards are left for the places {places}")


def deal_hands(seed: int, stream: int, deal: int, rules: Rules = CUTTHROAT) -> list[list[str]]:
    """Deal all the cards (R1.2); each hand comes out in ascending pack order."""
    key = deal_key(seed, stream, deal)
    hands: list[list[str]] = [[] for _ in range(rules.players)]
    for j, card in enumerate(rules.pack):
        both_halves = draw(*key, j // 2)
        u = both_halves % 2**32 if j % 2 == 0 else both_halves >> 32
        places = [rules.cards_each - len(hand) for hand in hands]
        hands[seat_for_card(u, len(rules.pack) - j, places)].append(card)
    return hands


# --- One deal --------------------------------------------------------------------------------------------------------


@dataclass
class Deal:
    """A deal in progress. Lists are by seat; `trick` and `played` are in the order played."""

    rules: Rules
    key: Key
    dealer: int
    hands: list[list[str]]
    scores: list[int]  # before this deal
    bags: list[int]  # before this deal
    bids: list[int] = field(init=False)  # -1: not yet
    taken: list[int] = field(init=False)
    shown: list[list[str]] = field(init=False)  # all that a seat has played
    voids: list[set[str]] = field(init=False)  # suits that a seat did not follow
    leader: int = field(init=False)
    trick: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    broken: bool = False

    def __post_init__(self) -> None:
        seats = range(self.rules.players)
        self.bids = [-1 for _ in seats]
        self.taken = [0 for _ in seats]
        self.shown = [[] for _ in seats]
        self.voids = [set() for _ in seats]
        self.leader = self.clockwise_from(self.dealer + 1)[0]  # R3.1: the dealer's left

    def clockwise_from(self, seat: int) -> list[int]:
        """Return all the seats in turn, beginning with this one."""
        return [(seat + i) % self.rules.players for i in range(self.rules.players)]

    @property
    def led(self) -> str | None:
        return suit_of(self.trick[0]) if self.trick else None


def bid_view(deal: Deal, seat: int) -> View:
    """Return what a seat knows when it bids."""
    from_me = deal.clockwise_from(seat)
    return View(
        hand=list(deal.hands[seat]),
        bids=[deal.bids[s] for s in from_me],
        taken=[deal.taken[s] for s in from_me],
        scores=[deal.scores[s] for s in from_me],
        bags=[deal.bags[s] for s in from_me],
        players=deal.rules.players,
        cards_each=deal.rules.cards_each,
        target=deal.rules.target,
        order=deal.clockwise_from(deal.dealer + 1).index(seat),
        random=decision_random(deal.key, seat, 0),
    )


def play_view(deal: Deal, seat: int) -> View:
    """Return what a seat knows when it plays a card: all that a bidder sees, and the play so far."""
    view = bid_view(deal, seat)
    tricks_done = sum(deal.taken)
    view.random = decision_random(deal.key, seat, 1 + tricks_done)
    view.need = deal.bids[seat] - deal.taken[seat]
    view.tricks_left = deal.rules.cards_each - tricks_done
    view.legal = legal_cards(deal.hands[seat], deal.led, deal.broken)
    view.broken = deal.broken  # R3.4: already true if a spade was played to this very trick
    add_memory(view, deal, seat)
    add_trick(view, deal, seat)
    return view


def add_memory(view: View, deal: Deal, seat: int) -> None:
    """Add what the cards played so far tell."""
    from_me = deal.clockwise_from(seat)
    known = set(deal.hands[seat]) | set(deal.played)
    view.pack = deal.rules.pack
    view.played = list(deal.played)
    view.unseen = [card for card in view.pack if card not in known]
    view.shown = [list(deal.shown[s]) for s in from_me]
    view.voids = [set(deal.voids[s]) for s in from_me]


def add_trick(view: View, deal: Deal, seat: int) -> None:
    """Add the trick as it lies on the table."""
    from_me = deal.clockwise_from(seat)
    card_of = dict(zip(deal.clockwise_from(deal.leader), deal.trick))  # noqa: B905 (the trick may be incomplete)
    view.trick = list(deal.trick)
    view.led = deal.led
    view.position = len(deal.trick)
    view.cards = [card_of.get(s) for s in from_me]
    view.leader = from_me.index(deal.leader)
    if not deal.trick:
        view.winning = 0
        view.beats = list(view.pack)
        return
    best = winning_place(deal.trick)
    view.winning = from_me.index(deal.clockwise_from(deal.leader)[best])
    view.beats = [card for card in view.pack if beats(card, deal.trick[best])]


def take_bid(deal: Deal, seat: int, bidder: Bidder) -> None:
    bid = bidder(bid_view(deal, seat))
    if not 0 <= bid <= deal.rules.cards_each:  # R2.1
        raise ValueError(f"illegal bid {bid!r} at seat {seat}")
    deal.bids[seat] = bid


def take_card(deal: Deal, seat: int, player: Player) -> None:
    view = play_view(deal, seat)
    legal = list(view.legal)
    card = player(view)
    if card not in legal:
        raise ValueError(f"illegal card {card!r} at seat {seat}, legal are {legal}")
    if deal.led is not None and suit_of(card) != deal.led:
        deal.voids[seat].add(deal.led)
    if breaks_spades(card, deal.led):
        deal.broken = True
    deal.hands[seat].remove(card)
    for pile in (deal.trick, deal.played, deal.shown[seat]):
        pile.append(card)


def play_trick(deal: Deal, bots: list[Bot]) -> dict[str, Any]:
    """Play one trick and return its record; the winner leads next (R3.3)."""
    for seat in deal.clockwise_from(deal.leader):
        take_card(deal, seat, bots[seat][2])
    winner = trick_winner(deal.trick, deal.leader)
    record = {"leader": deal.leader, "cards": deal.trick, "winner": winner}
    deal.taken[winner] += 1
    deal.leader = winner
    deal.trick = []
    return record


def play_deal(deal: Deal, bots: list[Bot]) -> dict[str, Any]:
    """Bid, play and score one deal and return its record; `bots` are by seat."""
    hands = [list(hand) for hand in deal.hands]  # as dealt: the play empties them
    for seat in deal.clockwise_from(deal.dealer + 1):  # R2.1
        take_bid(deal, seat, bots[seat][1])
    tricks = [play_trick(deal, bots) for _ in range(deal.rules.cards_each)]  # R3.5
    results = [score_deal(*seat, deal.rules) for seat in zip(deal.bids, deal.taken, deal.bags, strict=True)]
    points = [result[0] for result in results]
    return {
        "dealer": deal.dealer,
        "hands": hands,
        "bids": deal.bids,
        "tricks": tricks,
        "taken": deal.taken,
        "points": points,
        "penalties": [result[1] for result in results],
        "scores": [before + new for before, new in zip(deal.scores, points, strict=True)],
        "bags": [result[2] for result in results],
    }


# --- One game --------------------------------------------------------------------------------------------------------


def seat_bots(bots: list[Bot], seating: int) -> list[Bot]:
    """Return the bots by seat in the seating-th order of `itertools.permutations`."""
    return [bots[i] for i in list(permutations(range(len(bots))))[seating]]


def play_game(bots: list[Bot], seed: int, game: int, rules: Rules = CUTTHROAT) -> dict[str, Any]:
    """Play a whole game and return its replay record.

    `bots` are (name, bidder, player) in table order; game number = deal stream * number of seatings + seating.
    """
    stream, seating = divmod(game, len(list(permutations(bots))))
    seated = seat_bots(bots, seating)
    dealer = first_dealer(seed, stream, rules)
    scores, bags = [0] * rules.players, [0] * rules.players
    deals: list[dict[str, Any]] = []
    winner, playing_off = None, False
    while winner is None and len(deals) < rules.max_deals:  # R5.3
        number = len(deals)
        hands = deal_hands(seed, stream, number, rules)
        deal = Deal(rules, deal_key(seed, stream, number), dealer, hands, scores, bags)
        record = play_deal(deal, seated)
        deals.append(record)
        scores, bags = record["scores"], record["bags"]
        winner, playing_off = judge_totals(scores, playing_off, rules)
        dealer = (dealer + 1) % rules.players  # R1.2
    return {
        "rules": "cutthroat",
        "seed": seed,
        "game": game,
        "seats": [name for name, _, _ in seated],
        "deals": deals,
        "winner": winner,
        "end_reason": "deal_cap" if winner is None else "target",
    }


# --- Strategies, written again from their description ----------------------------------------------------------------


def quick(view: View) -> int:
    """Half the spades rounded down, every side ace, and one for luck."""
    side_aces = [card for card in view.hand if card in ("AC", "AD", "AH")]
    return spades_in(view.hand) // 2 + len(side_aces) + 1


def spades_in(hand: list[str]) -> int:
    return len([card for card in hand if suit_of(card) == "S"])


def fixed(n: int) -> Bidder:
    """Make a bidder that always bids n."""
    return lambda view: n


def wild_bid(view: View) -> int:
    """Any bid from 0 to 17."""
    return view.random % 18


def spade_count(view: View) -> int:
    """The number of spades, at least 1."""
    return max(1, spades_in(view.hand))


def tricky_bid(view: View) -> int:
    """A bid of no sense that depends on everything a bidder sees."""
    bids_made = [bid for bid in view.bids if bid >= 0]
    total = len([card for card in view.hand if card[0] in "JQKA"])
    total += 3 * len(bids_made) + sum(bids_made)
    total += view.order
    total += view.scores[0] - view.scores[1]
    total += 2 * view.bags[0] + view.bags[2]
    total += view.random % 3
    return total % 7


def lowest(view: View) -> str:
    """The lowest legal card in pack order."""
    return view.legal[0]


def highest(view: View) -> str:
    """The highest legal card in pack order."""
    return view.legal[-1]


def need_or_duck(view: View) -> str:
    """Win as cheaply as possible while tricks are needed, then stay under."""
    if view.led is None:
        return highest(view) if view.need > 0 else lowest(view)
    winners = [card for card in view.legal if card in view.beats]
    losers = [card for card in view.legal if card not in view.beats]
    if view.need > 0 and winners:
        return winners[0]
    return losers[-1] if losers else highest(view)


def random_legal(view: View) -> str:
    """Any legal card, each as likely as the next."""
    return view.legal[((view.random >> 31) * len(view.legal)) >> 32]


def tricky_play(view: View) -> str:
    """A legal card of no sense that depends on everything a player sees."""
    total = 7 * view.position + 3 * len(view.played) + 5 * len(view.unseen) + 2 * len(view.trick) + len(view.beats)
    total += view.broken + view.need + view.tricks_left + view.leader + 2 * view.winning
    for i in range(view.players):
        total += (i + 1) * len(view.voids[i])
        total += (i + 1) * len(view.shown[i])
        card = view.cards[i]
        total += (i + 2) * (view.pack.index(card) + 1) if card is not None else 0
        total += (i + 1) * view.bids[i]
        total += (i + 3) * view.taken[i]
    total += view.scores[1] + view.bags[1]
    return view.legal[total % len(view.legal)]
