"""Spades again, in slow and obvious Python: the specification that the fast engine is compared with.

It shares no code with the engine. A card is a string of rank and suit ("AS", "TH", "2C"; the jokers are "LJ" and "BJ"),
a hand is a list of cards in ascending pack order, and seats are numbered clockwise from 0, so the seat on the left of s
is s + 1. Hands have the numbers of their seats, and number 3 is the dummy's (R8). The numbers in the comments (R4.2)
are those of the rules.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from types import SimpleNamespace
from typing import Any

SUITS = "CDHS"
RANKS = "23456789TJQKA"
FULL_PACK = [rank + suit for suit in SUITS for rank in RANKS]
JOKERS = ["LJ", "BJ"]  # spades above the ace, the big one on top
HIGH_SPADES = ["JS", "QS", "KS", "AS", "LJ", "BJ"]
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


class View(SimpleNamespace):
    """What a seat may know. Seats, also as places in lists, are counted from itself: 0 = me, 1 = my left.

    With a dummy its hand has a place too, so that lists have four entries (R8).
    """

    bids: list[int]  # -1: not yet
    taken: list[int]
    scores: list[int]
    bags: list[int]
    blind: list[int]  # 1: that seat's bid is a blind nil
    players: int  # hands at the table
    cards_each: int
    target: int
    order: int  # 0 bids first
    partner: int  # -1: none (yet)
    random: int  # 63 bits
    nil_value: int
    blind_nil: int
    min_bid: int
    bag_limit: int  # 0: none
    bag_penalty: int
    bags_left: int  # to my next penalty
    overtrick: int
    set_points: int

    # For a bidder and a player, but not for the question whether to bid nil blind:
    hand: list[str]

    # For these two as well: of what neither I hold, nor lies open to me, nor is played
    unseen: list[str]

    # Only for a bidder:
    bid_low: int
    bid_high: int
    bid_not: int  # the one bid between them that is not allowed; -1: all are

    # Only for a player:
    pack: list[str]
    legal: list[str]
    led: str | None  # suit of the card led; None: I lead
    trick: list[str]  # in the order played
    beats: list[str]  # every card of the pack that would lead the trick now; when leading, all of them
    position: int  # 0 leads
    played: list[str]  # this deal, with this trick
    open: list[list[str]]  # what each still holds, as far as I see it
    voids: list[set[str]]  # suits that a seat did not follow
    voids_behind: set[str]  # suits that any seat still to play to this trick after me did not follow
    broken: bool
    need: int  # bid less tricks, for my side; 0 while my nil holds
    others_need: int  # the same of the others, none below 0: their sum; of another side, its higher
    nils: list[int]  # 1: that hand's nil holds
    tricks_left: int  # with this one
    leader: int
    winning: int  # seat that leads the trick now; 0 when leading
    cards: list[str | None]  # each seat's card in this trick
    shown: list[list[str]]  # all that each seat has played this deal
    dummy: int  # its place; -1: there is none


Bidder = Callable[[View], int]
Player = Callable[[View], str]
Blind = Callable[[View], bool]  # whether to bid nil before seeing the cards
Bot = tuple[str, Bidder, Player] | tuple[str, Bidder, Player, Blind | None]
Key = tuple[int, int]


# --- Cards and tricks ------------------------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    return "S" if card in JOKERS else card[1]


def rank_of(card: str) -> int:
    return len(RANKS) + JOKERS.index(card) if card in JOKERS else RANKS.index(card[0])


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
    """Return the place at the table that wins a complete trick; `cards` in the order played (R3.3)."""
    return (leader + winning_place(cards)) % len(cards)


def breaks_spades(card: str, led: str | None, rules: Rules = CUTTHROAT) -> bool:
    """Say whether this card breaks spades; `led` is None for a lead (R3.4)."""
    if suit_of(card) != "S":
        return False
    if rules.spades_break == "played":
        return True  # a lead too
    # "won" means the same as "ruff": a trick led in another suit is won by a spade as soon as one lies in it.
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


# --- Scoring ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Promise:
    """A bid, and what its own hand did about it."""

    bid: int
    taken: int  # tricks of the bidder's own hand
    blind: bool = False
    reneges: int = 0  # corrected cards (R9); the dummy's are the declarer's


def is_nil(bid: int, rules: Rules) -> bool:
    return bid == 0 and rules.nil != 0  # R2.2


def score_nil(promise: Promise, rules: Rules) -> int:
    """Return the points of a nil (R4.2); its own hand alone makes it or not (R7, R8)."""
    value = rules.blind_nil if promise.blind else rules.nil
    reneged = promise.reneges > 0 and rules.renege != "nothing"  # R9
    if promise.taken == 0 and not reneged:
        return value + rules.exact_bonus
    return -value


def score_contract(contract: int, taken: int, rules: Rules, reneges: int = 0) -> tuple[int, int]:
    """Return the points and the new bags of a contract."""
    if rules.renege == "three_tricks":
        contract += 3 * reneges  # R9
    fails = rules.renege == "bid_fails" and reneges > 0  # R9
    if taken < contract or fails:
        return rules.set_points * contract, 0  # R4.1
    points = 10 * contract + rules.overtrick * (taken - contract)  # R4.1
    if taken == contract and (contract >= 7 or contract <= 2):
        points += rules.exact_bonus
    return points, taken - contract


def score_promises(promises: list[Promise], taken: int, rules: Rules) -> tuple[int, int]:
    """Return the points and the new bags of those who score together: both partners (R7), else one seat alone.

    `taken` are the tricks that count for their contract.
    """
    nils = [promise for promise in promises if is_nil(promise.bid, rules)]
    others = [promise for promise in promises if not is_nil(promise.bid, rules)]
    nil_points = sum(score_nil(promise, rules) for promise in nils)
    if not others:  # nothing but nil: no contract, no trick points
        return nil_points, taken if rules.failed_nil_bags else 0  # R4.2
    contract = sum(promise.bid for promise in others)
    reneges = sum(promise.reneges for promise in others)  # those of a nil fail the nil and no more
    points, bags = score_contract(contract, taken, rules, reneges)
    return nil_points + points, bags


def charge_bags(bags: int, rules: Rules) -> tuple[int, int]:
    """Return how many penalties so many bags cost, and the bags left (R4.3)."""
    if not rules.bag_limit or bags < rules.bag_limit:
        return 0, bags
    if rules.bag_reset == "zero":
        return 1, 0  # one in a deal, however many there are
    return bags // rules.bag_limit, bags % rules.bag_limit


def score_together(
    promises: list[Promise], taken: int, bags_before: int, rules: Rules, bonus: int = 0
) -> tuple[int, int, int]:
    """Return (points, penalties, bags_after): points include the bag penalties, penalties is how many (R4.3)."""
    points, new_bags = score_promises(promises, taken, rules)
    penalties, bags = charge_bags(bags_before + new_bags, rules)
    return points + bonus - penalties * rules.bag_penalty, penalties, bags


def score_deal(bid: int, taken: int, bags_before: int, rules: Rules = CUTTHROAT) -> tuple[int, int, int]:
    """Return (points, penalties, bags_after) of one seat that plays alone."""
    return score_together([Promise(bid, taken)], taken, bags_before, rules)


def last_high_spades(tricks: list[dict[str, Any]]) -> tuple[int, int]:
    """Return the hand that won the last trick, and how many tricks in a row up to it it won with high spades."""
    hand, number = tricks[-1]["winner"], 0
    for trick in reversed(tricks):
        best = trick["cards"][winning_place(trick["cards"])]
        if trick["winner"] != hand or best not in HIGH_SPADES:
            break
        number += 1
    return hand, number


# --- The end of a game -----------------------------------------------------------------------------------------------


def sole_leader(scores: list[int], rules: Rules = CUTTHROAT) -> int | None:
    """Return the seat with the highest total, None where several share it; of a side, its lower seat (R7)."""
    if rules.partnerships:
        scores = scores[:2]
    leaders = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return leaders[0] if len(leaders) == 1 else None


def reason_to_end(scores: list[int], deals: int, rules: Rules) -> str | None:
    """Return why the game may end after so many deals, None if it may not."""
    if max(scores) >= rules.target:
        return "target"  # R5.1
    if rules.floor is not None and min(scores) <= rules.floor:
        return "floor"
    if rules.fixed_deals is not None and deals >= rules.fixed_deals:
        return "deals"
    return None


def judge_totals(
    scores: list[int], playing_off: bool, rules: Rules = CUTTHROAT, deals: int = 0
) -> tuple[int | None, bool]:
    """Return (winner or None, whether a tie is being played off from here on) after a whole deal."""
    if not playing_off and reason_to_end(scores, deals, rules) is None:
        return None, False
    winner = sole_leader(scores, rules)  # R5.1: the highest, even where it was not the first to reach the target
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


# --- One deal --------------------------------------------------------------------------------------------------------


@dataclass
class Deal:
    """A deal in progress. Lists are by seat or, where said, by hand; `trick` and `played` are in the order played."""

    rules: Rules
    key: Key
    dealer: int
    hands: list[list[str]]
    scores: list[int]  # before this deal
    bags: list[int]  # before this deal
    on_fault: str = "stop"  # R9; or "correct"
    bids: list[int] = field(init=False)  # -1: not yet
    blind: list[bool] = field(init=False)  # whether the bid is a blind nil
    taken: list[int] = field(init=False)  # by hand
    reneges: list[int] = field(init=False)  # by hand: corrected cards
    shown: list[list[str]] = field(init=False)  # by hand: all that it has played
    voids: list[set[str]] = field(init=False)  # by hand: suits that it did not follow
    table: list[int] = field(init=False)  # the hands clockwise as they lie
    declarer: int | None = None  # R8
    leader: int | None = None  # the hand that leads the trick
    trick: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    broken: bool = field(init=False)
    corrections: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        seats, hands = range(self.rules.players), range(self.rules.hands)
        self.bids = [-1 for _ in seats]
        self.blind = [False for _ in seats]
        self.taken = [0 for _ in hands]
        self.reneges = [0 for _ in hands]
        self.shown = [[] for _ in hands]
        self.voids = [set() for _ in hands]
        self.table = list(hands)  # R8: while bidding, the empty seat is between seats 2 and 0
        self.broken = self.rules.spades_break == "free"

    def clockwise_from(self, hand: int) -> list[int]:
        """Return all the hands in turn, beginning with this one."""
        place = self.table.index(hand)
        return self.table[place:] + self.table[:place]

    @property
    def bidding_order(self) -> list[int]:
        """The seats from the dealer's left (R2.1); the dummy does not bid (R8)."""
        return [(self.dealer + 1 + i) % self.rules.players for i in range(self.rules.players)]

    def seat_of(self, hand: int) -> int | None:
        """Return the seat that plays a hand, None for the dummy's as long as there is no declarer."""
        if self.rules.dummy and hand == DUMMY:
            return self.declarer
        return hand

    @property
    def led(self) -> str | None:
        return suit_of(self.trick[0]) if self.trick else None


# --- What a seat knows -----------------------------------------------------------------------------------------------


def table_view(deal: Deal, hand: int) -> View:
    """Return what is known at a hand without looking at any card."""
    rules = deal.rules
    seats = [deal.seat_of(h) for h in deal.clockwise_from(hand)]  # the dummy's entries are its declarer's (R8)
    bags = [0 if s is None else deal.bags[s] for s in seats]
    return View(
        bids=[-1 if s is None else deal.bids[s] for s in seats],
        taken=[deal.taken[h] for h in deal.clockwise_from(hand)],
        scores=[0 if s is None else deal.scores[s] for s in seats],
        bags=bags,
        blind=[0 if s is None else int(deal.blind[s]) for s in seats],
        players=rules.hands,
        cards_each=rules.cards_each,
        target=rules.target,
        order=deal.bidding_order.index(deal.seat_of(hand)),
        partner=2 if rules.partnerships or deal.declarer is not None else -1,  # R7, R8: always opposite
        nil_value=rules.nil,
        blind_nil=rules.blind_nil,
        min_bid=rules.min_bid,
        bag_limit=rules.bag_limit or 0,
        bag_penalty=rules.bag_penalty,
        bags_left=(rules.bag_limit or 2**30) - bags[0],
        overtrick=rules.overtrick,
        set_points=rules.set_points,
    )


def blind_view(deal: Deal, seat: int) -> View:
    """Return what a seat knows when it is asked whether it bids nil blind: what a bidder knows but its cards."""
    view = table_view(deal, seat)
    view.random = decision_random(deal.key, seat, BLIND_DECISION)
    view.bid_low = deal.rules.min_bid
    view.bid_high = deal.rules.cards_each
    view.bid_not = barred_bid(deal, seat)
    return view


def bid_view(deal: Deal, seat: int) -> View:
    """Return what a seat knows when it bids."""
    view = blind_view(deal, seat)
    view.random = decision_random(deal.key, seat, 0)
    view.hand = list(deal.hands[seat])
    view.unseen = [card for card in deal.rules.pack if card not in deal.hands[seat]]
    return view


def barred_bid(deal: Deal, seat: int) -> int:
    """Return the bid that the last bidder may not make, -1 if there is none."""
    rules = deal.rules
    if rules.bid_total_not != "cards_each" or seat != deal.bidding_order[-1]:
        return -1
    others = [deal.bids[s] for s in deal.bidding_order[:-1]]
    barred = rules.cards_each - sum(others)
    return barred if rules.min_bid <= barred <= rules.cards_each else -1


def play_view(deal: Deal, hand: int) -> View:
    """Return what is known when a hand plays a card; the declarer's player sees the dummy's view too (R8)."""
    view = table_view(deal, hand)
    tricks_done = sum(deal.taken)
    view.random = decision_random(deal.key, deal.table.index(hand), 1 + tricks_done)
    view.hand = list(deal.hands[hand])
    view.need = need(deal, hand)
    view.others_need = others_need(deal, hand)
    view.nils = [int(nil_holds(deal, h)) for h in deal.clockwise_from(hand)]
    view.tricks_left = deal.rules.cards_each - tricks_done
    view.legal = legal_now(deal, hand)
    view.broken = deal.broken  # R3.4: already true if a spade was played to this very trick
    view.dummy = deal.clockwise_from(hand).index(DUMMY) if deal.rules.dummy else -1
    add_memory(view, deal, hand)
    add_trick(view, deal, hand)
    return view


def partner_of(deal: Deal, hand: int) -> int | None:
    """Return the hand opposite, with which this one plays together (R7, R8), if there is one."""
    if deal.rules.partnerships or deal.rules.dummy:
        return deal.clockwise_from(hand)[2]
    return None


def side_of(deal: Deal, hand: int) -> list[int]:
    """Return the hands whose tricks count together with this one's, itself included."""
    partner = partner_of(deal, hand)
    return [hand] if partner is None else [hand, partner]


def nil_holds(deal: Deal, hand: int) -> bool:
    """Say whether a nil is bid for a hand and not broken by its own tricks."""
    return is_nil(deal.bids[deal.seat_of(hand)], deal.rules) and deal.taken[hand] == 0


def need(deal: Deal, hand: int) -> int:
    """Return the tricks still wanted, 0 while a nil holds."""
    if nil_holds(deal, hand):
        return 0
    seat = deal.seat_of(hand)
    bid = deal.bids[seat]
    if deal.rules.partnerships:
        bid = sum(deal.bids[s] for s in side_of(deal, seat))  # R7
    return bid - sum(deal.taken[h] for h in side_of(deal, hand))


def others_need(deal: Deal, hand: int) -> int:
    """Return the tricks that the others still want: of all together, but where they are a side only once."""
    others = [h for h in deal.table if h not in side_of(deal, hand)]
    wanted = [max(0, need(deal, h)) for h in others]
    return max(wanted) if partner_of(deal, hand) is not None else sum(wanted)


def legal_now(deal: Deal, hand: int) -> list[str]:
    """Return the cards that a hand may play now."""
    if not deal.played and deal.rules.opening_lead == "lowest_club" and lowest_club(deal) is not None:
        return [lowest_club(deal)]
    if not deal.played and deal.rules.opening_lead == "left_nonspade":
        return legal_cards(deal.hands[hand], None, False)  # R3.1, also where spades need not be broken
    return legal_cards(deal.hands[hand], deal.led, deal.broken)


def lowest_club(deal: Deal) -> str | None:
    """Return the lowest club that was dealt to anyone, before the first card is played."""
    return next((card for card in deal.rules.pack if suit_of(card) == "C" and any(card in h for h in deal.hands)), None)


def hands_seen(deal: Deal, hand: int) -> list[int]:
    """Return the hands whose cards are known at this hand's turn."""
    seen = {hand}
    if deal.rules.dummy and deal.played:
        seen.add(DUMMY)  # R8: face up as soon as the first card lies
    if deal.rules.dummy and hand == DUMMY:
        seen.add(deal.declarer)  # who plays both
    return sorted(seen)


def add_memory(view: View, deal: Deal, hand: int) -> None:
    """Add what the cards played so far, and those that lie open, tell."""
    from_me = deal.clockwise_from(hand)
    seen = hands_seen(deal, hand)
    view.pack = deal.rules.pack
    view.played = list(deal.played)
    view.open = [list(deal.hands[h]) if h in seen else [] for h in from_me]
    known = set(deal.played).union(*view.open)
    view.unseen = [card for card in view.pack if card not in known]  # with the cards set aside
    view.shown = [list(deal.shown[h]) for h in from_me]
    view.voids = [set(deal.voids[h]) for h in from_me]
    have_played = deal.clockwise_from(deal.leader)[: len(deal.trick)]
    to_play = [h for h in from_me if h != hand and h not in have_played]
    view.voids_behind = {suit for h in to_play for suit in deal.voids[h]}


def add_trick(view: View, deal: Deal, hand: int) -> None:
    """Add the trick as it lies on the table."""
    from_me = deal.clockwise_from(hand)
    card_of = dict(zip(deal.clockwise_from(deal.leader), deal.trick))  # noqa: B905 (the trick may be incomplete)
    view.trick = list(deal.trick)
    view.led = deal.led
    view.position = len(deal.trick)
    view.cards = [card_of.get(h) for h in from_me]
    view.leader = from_me.index(deal.leader)
    if not deal.trick:
        view.winning = 0
        view.beats = list(view.pack)
        return
    best = winning_place(deal.trick)
    view.winning = from_me.index(deal.clockwise_from(deal.leader)[best])
    view.beats = [card for card in view.pack if beats(card, deal.trick[best])]


# --- Bids ------------------------------------------------------------------------------------------------------------


def blind_of(bot: Bot) -> Blind | None:
    return bot[3] if len(bot) > 3 else None


def may_bid_blind(deal: Deal, seat: int) -> bool:
    """Say whether a seat is far enough behind for a blind nil; where 0 is no legal bid it is not asked."""
    rules = deal.rules
    if rules.blind_nil == 0 or rules.min_bid > 0 or barred_bid(deal, seat) == 0:
        return False
    return max(deal.scores) - deal.scores[seat] >= rules.blind_behind


def take_bid(deal: Deal, seat: int, bot: Bot) -> None:
    blind = blind_of(bot)
    if blind is not None and may_bid_blind(deal, seat) and blind(blind_view(deal, seat)):
        deal.bids[seat], deal.blind[seat] = 0, True
        return
    view = bid_view(deal, seat)
    legal = [bid for bid in range(view.bid_low, view.bid_high + 1) if bid != view.bid_not]  # R2.1
    bid = bot[1](view)
    if bid not in legal:
        bid = correct(deal, seat, None, bid, nearest_bid(bid, legal), f"illegal bid {bid!r} at seat {seat}")
    deal.bids[seat] = bid


def nearest_bid(answer: int, legal: list[int]) -> int:
    """Return the legal bid that is nearest to an illegal one (R9), of two as near the lower."""
    return min(legal, key=lambda bid: (abs(bid - answer), bid))


def correct(deal: Deal, hand: int, trick: int | None, answer: Any, instead: Any, message: str) -> Any:
    """Put something legal in place of an illegal answer, and note it, or stop (R9)."""
    if deal.on_fault == "stop":
        raise ValueError(message)
    deal.corrections.append({"seat": hand, "trick": trick, "answer": answer, "instead": instead})
    return instead


# --- Play ------------------------------------------------------------------------------------------------------------


def open_play(deal: Deal) -> None:
    """Find out, once all have bid, how the hands lie and who leads."""
    if deal.rules.dummy:
        highest_bid = max(deal.bids)
        deal.declarer = next(seat for seat in deal.bidding_order if deal.bids[seat] == highest_bid)  # R8: the earliest
        declarer, left, right = ((deal.declarer + i) % 3 for i in range(3))
        from_declarer = [declarer, left, DUMMY, right]  # R8: the dummy lies opposite
        deal.table = from_declarer
        deal.table = deal.clockwise_from(0)  # places are counted from seat 0
    deal.leader = deal.bidding_order[0]  # R3.1: the dealer's left
    if deal.rules.opening_lead == "lowest_club" and lowest_club(deal) is not None:
        deal.leader = next(hand for hand in deal.table if lowest_club(deal) in deal.hands[hand])


def take_card(deal: Deal, hand: int, player: Player) -> None:
    view = play_view(deal, hand)
    legal = list(view.legal)
    card = player(view)
    if card not in legal:
        message = f"illegal card {card!r} at seat {hand}, legal are {legal}"
        card = correct(deal, hand, sum(deal.taken), card, legal[0], message)  # R9: the lowest
        deal.reneges[hand] += 1
    if deal.led is not None and suit_of(card) != deal.led:
        deal.voids[hand].add(deal.led)
    if breaks_spades(card, deal.led, deal.rules):
        deal.broken = True
    deal.hands[hand].remove(card)
    for pile in (deal.trick, deal.played, deal.shown[hand]):
        pile.append(card)


def play_trick(deal: Deal, bots: list[Bot]) -> dict[str, Any]:
    """Play one trick, or the rest of one, and return its record; the winner leads next (R3.3)."""
    for hand in deal.clockwise_from(deal.leader)[len(deal.trick) :]:
        take_card(deal, hand, bots[deal.seat_of(hand)][2])  # R8: the declarer's player plays the dummy's hand too
    winner = deal.table[trick_winner(deal.trick, deal.table.index(deal.leader))]
    record = {"leader": deal.leader, "cards": deal.trick, "winner": winner}
    deal.taken[winner] += 1
    deal.leader = winner
    deal.trick = []
    return record


# --- The whole deal --------------------------------------------------------------------------------------------------


def promise_of(deal: Deal, seat: int) -> Promise:
    hands = [hand for hand in deal.table if deal.seat_of(hand) == seat]  # the declarer plays two (R8)
    reneges = sum(deal.reneges[hand] for hand in hands)
    return Promise(deal.bids[seat], deal.taken[seat], deal.blind[seat], reneges)


def score_seat(deal: Deal, seat: int, bonuses: list[int]) -> tuple[int, int, int]:
    """Return (points, penalties, bags_after) of a seat; partners' are the same, those of their side (R7)."""
    hands = side_of(deal, seat)
    partners = hands if deal.rules.partnerships else [seat]  # who score together: with a dummy each for itself (R8)
    promises = [promise_of(deal, each) for each in partners]
    taken = sum(deal.taken[hand] for hand in hands)
    if deal.rules.dummy and is_nil(deal.bids[seat], deal.rules):
        taken = deal.taken[seat]  # R8: a nil is for the bidder's own hand
    bonus = sum(bonuses[each] for each in partners)
    return score_together(promises, taken, deal.bags[seat], deal.rules, bonus)


def score_all(deal: Deal, tricks: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    """Return (points, penalties, bags_after) by seat."""
    hand, number = last_high_spades(tricks)
    bonuses = [0] * deal.rules.players
    bonuses[deal.seat_of(hand)] = number * deal.rules.high_spade_bonus
    return [score_seat(deal, seat, bonuses) for seat in range(deal.rules.players)]


def play_deal(deal: Deal, bots: list[Bot]) -> dict[str, Any]:
    """Bid, play and score one deal and return its record; `bots` are by seat."""
    hands = [list(hand) for hand in deal.hands]  # as dealt: the play empties them
    for seat in deal.bidding_order:  # R2.1
        take_bid(deal, seat, bots[seat])
    open_play(deal)
    tricks = [play_trick(deal, bots) for _ in range(deal.rules.cards_each)]  # R3.5
    results = score_all(deal, tricks)
    points = [result[0] for result in results]
    record = {
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
    if deal.rules.blind_nil != 0:
        record["blind"] = deal.blind
    if deal.rules.dummy:
        record |= {"declarer": deal.declarer, "dummy": DUMMY}
    if deal.corrections:
        record["corrections"] = deal.corrections
    return record


# --- One game --------------------------------------------------------------------------------------------------------


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """List the ways to seat a table's bots: `seatings[k][seat]` is the bot there."""
    if rules.partnerships:
        return [(0, 1, 0, 1), (1, 0, 1, 0)]  # R7: two bots, each both partners of a side
    seats = tuple(range(rules.players))
    if rules.players <= 3:
        return list(permutations(seats))
    mirrored = seats[::-1]
    return [order[i:] + order[:i] for order in (seats, mirrored) for i in range(rules.players)]


def seat_bots(bots: list[Bot], seating: int, rules: Rules = CUTTHROAT) -> list[Bot]:
    """Return the bots by seat in this seating."""
    return [bots[i] for i in seatings(rules)[seating]]


def play_game(
    bots: list[Bot], seed: int, game: int, rules: Rules = CUTTHROAT, on_fault: str = "stop"
) -> dict[str, Any]:
    """Play a whole game and return its replay record.

    `bots` are (name, bidder, player) or (name, bidder, player, blind) in table order; game number = deal stream *
    number of seatings + seating. `on_fault` is "stop", which raises, or "correct" (R9).
    """
    stream, seating = divmod(game, len(seatings(rules)))
    seated = seat_bots(bots, seating, rules)
    dealer = first_dealer(seed, stream, rules)
    scores, bags = [0] * rules.players, [0] * rules.players
    deals: list[dict[str, Any]] = []
    winner, playing_off, reason = None, False, None
    while winner is None and len(deals) < rules.max_deals:  # R5.3
        number = len(deals)
        hands = deal_hands(seed, stream, number, rules)
        deal = Deal(rules, deal_key(seed, stream, number), dealer, hands, scores, bags, on_fault)
        record = play_deal(deal, seated)
        deals.append(record)
        scores, bags = record["scores"], record["bags"]
        reason = reason or reason_to_end(scores, len(deals), rules)  # it stays while a tie is played off
        winner, playing_off = judge_totals(scores, playing_off, rules, len(deals))
        dealer = (dealer + 1) % rules.players  # R1.2
    return {
        "rules": "cutthroat",
        "seed": seed,
        "game": game,
        "seats": [bot[0] for bot in seated],
        **({"sides": [[0, 2], [1, 3]]} if rules.partnerships else {}),
        "deals": deals,
        "winner": winner,
        "end_reason": "deal_cap" if winner is None else reason,
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


def spade_count(view: View) -> int:
    """The number of spades, at least 1."""
    return max(1, spades_in(view.hand))


def legal_bid(view: View, number: int) -> int:
    """Turn any number into a legal bid."""
    bid = view.bid_low + number % (view.bid_high - view.bid_low + 1)
    if bid != view.bid_not:
        return bid
    return bid - 1 if bid - 1 >= view.bid_low else bid + 1


def wild_bid(view: View) -> int:
    """Any legal bid."""
    return legal_bid(view, view.random)


def tricky_bid(view: View) -> int:
    """A bid of no sense, at most 6 above the lowest, that depends on most of what a bidder sees."""
    bids_made = [bid for bid in view.bids if bid >= 0]
    total = len([card for card in view.hand if card[0] in "JQKA"])
    total += 3 * len(bids_made) + sum(bids_made)
    total += view.order
    total += view.scores[0] - view.scores[1]
    total += 2 * view.bags[0] + view.bags[-1]
    total += view.random % 3
    return legal_bid(view, total % 7)


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
    """A legal card of no sense that depends on most of what a player sees."""
    total = 7 * view.position + 3 * len(view.played) + 5 * len(view.unseen) + 2 * len(view.trick) + len(view.beats)
    total += view.broken + view.need + view.tricks_left + view.leader + 2 * view.winning
    for i in range(view.players):
        total += (i + 1) * len(view.voids[i])
        total += (i + 1) * len(view.shown[i])
        card = view.cards[i]
        total += (i + 2) * (FULL_PACK + JOKERS).index(card) if card is not None else 0
        total += (i + 1) * view.bids[i]
        total += (i + 3) * view.taken[i]
    total += view.scores[1] + view.bags[1]
    return view.legal[total % len(view.legal)]


# --- Strategies that depend on every field and every entry of it -----------------------------------------------------


def cards_number(cards: list[str]) -> int:
    """Turn any set of cards into a small number; each card is a power of 2, sixteen a suit, as the engine has them."""
    return sum(2 ** (16 * SUITS.index(suit_of(card)) + rank_of(card)) for card in cards) % 1009


def mixed(total: int) -> int:
    """Stir a number, so that a small modulus of it depends on all that went into it."""
    return total * 37 % 997


def suits_number(suits: set[str]) -> int:
    return sum(2 ** (3 - SUITS.index(suit)) for suit in suits)


def table_number(view: View) -> int:
    """Add up all that a seat knows without looking at a card, each with a factor of its own."""
    total = view.random % 1013
    scalars = [
        *(view.players, view.cards_each, view.target, view.order, view.partner),
        *(view.nil_value, view.blind_nil, view.min_bid, view.bag_limit, view.bag_penalty),
        *(view.overtrick, view.set_points, view.bags_left),
    ]
    for factor, value in enumerate(scalars, start=2):
        total += factor * value
    for i in range(view.players):
        total += (i + 2) * view.bids[i] + (i + 3) * view.taken[i] + (i + 5) * view.scores[i]
        total += (i + 7) * view.bags[i] + (i + 11) * view.blind[i]
    return total


def family_bid(view: View) -> int:
    """A legal bid of no sense that depends on everything a bidder sees."""
    total = table_number(view) + cards_number(view.hand) + 2 * cards_number(view.unseen)
    total += 3 * view.bid_low + 5 * view.bid_high + 7 * view.bid_not
    return legal_bid(view, mixed(total))


def daring(view: View) -> bool:
    """Say yes or no to a blind nil, for no reason, from everything seen at that time."""
    total = table_number(view) + view.bid_low + view.bid_high + view.bid_not
    return mixed(total) % 3 == 0


def daring_bid(view: View) -> int:
    """Any legal bid."""
    return legal_bid(view, view.random // 7)


def family_play(view: View) -> str:
    """A legal card of no sense that depends on everything a player sees."""
    total = table_number(view) + 2 * view.position + 3 * view.need + 5 * view.tricks_left + 7 * view.leader
    total += 11 * view.winning + 13 * view.dummy + 17 * view.broken + 19 * view.others_need
    total += cards_number(view.hand) + 2 * cards_number(view.legal) + 3 * cards_number(view.trick)
    total += 4 * cards_number(view.beats) + 5 * cards_number(view.played) + 6 * cards_number(view.unseen)
    total += 7 * suits_number({view.led} if view.led else set()) + 8 * suits_number(view.voids_behind)
    for i in range(view.players):
        card = view.cards[i]
        total += (i + 2) * cards_number([card] if card is not None else [])
        total += (i + 3) * cards_number(view.shown[i]) + (i + 5) * cards_number(view.open[i])
        total += (i + 7) * suits_number(view.voids[i]) + (i + 13) * view.nils[i]
    return view.legal[mixed(total) % len(view.legal)]


# --- Strategies at fault ---------------------------------------------------------------------------------------------


def careless_bid(view: View) -> int:
    """Any legal bid, but one in five is too high, too low or the very one that is barred."""
    if view.random % 5 != 0:
        return legal_bid(view, view.random // 5)
    return [view.bid_high + 3, view.bid_low - 2, view.bid_not][view.random // 5 % 3]


def careless_play(view: View) -> str:
    """Any legal card, but one in five is the lowest of the hand, if legal or not, or one of somebody else's."""
    if view.random % 5 != 0:
        return view.legal[view.random // 5 % len(view.legal)]
    if view.random // 5 % 2 == 0 and view.unseen:
        return view.unseen[0]
    return view.hand[0]
