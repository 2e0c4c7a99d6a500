"""Strategies, written again from their description."""

from reference.cards import FULL_PACK, JOKERS, SUITS, rank_of, suit_of
from reference.play import Bidder
from reference.table import View


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
    """Answer whether to bid nil blind, for no reason, from everything seen at that time."""
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
