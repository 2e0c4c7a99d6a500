"""A deal in progress, and what each seat knows of it."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from reference.cards import suit_of
from reference.deal import BLIND_DECISION, Key, decision_random
from reference.rules import DUMMY, Rules
from reference.score import is_nil
from reference.tricks import beats, legal_cards, winning_place


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

    # For these two as well: of what neither I hold, nor is open to me, nor is played
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
    table: list[int] = field(init=False)  # the hands clockwise around the table
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
    """Return whether a nil is bid for a hand and not broken by its own tricks."""
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
        seen.add(DUMMY)  # R8: face up as soon as the first card is played
    if deal.rules.dummy and hand == DUMMY:
        seen.add(deal.declarer)  # who plays both
    return sorted(seen)


def add_memory(view: View, deal: Deal, hand: int) -> None:
    """Add what the cards played so far, and those that are open, tell."""
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
    """Add the trick on the table."""
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
