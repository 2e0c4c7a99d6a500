"""Bids, tricks, whole deals and whole games."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

from reference.cards import suit_of
from reference.deal import deal_hands, deal_key, first_dealer
from reference.rules import CUTTHROAT, DUMMY, Rules
from reference.score import Promise, is_nil, judge_totals, last_high_spades, reason_to_end, score_together
from reference.table import Deal, View, barred_bid, bid_view, blind_view, lowest_club, play_view, side_of
from reference.tricks import breaks_spades, trick_winner

Bidder = Callable[[View], int]
Player = Callable[[View], str]
Blind = Callable[[View], bool]  # whether to bid nil before seeing the cards
Bot = tuple[str, Bidder, Player] | tuple[str, Bidder, Player, Blind | None]


def blind_of(bot: Bot) -> Blind | None:
    return bot[3] if len(bot) > 3 else None


def may_bid_blind(deal: Deal, seat: int) -> bool:
    """Return whether a seat is far enough behind for a blind nil; where 0 is no legal bid it is not asked."""
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


def open_play(deal: Deal) -> None:
    """Find out, once all have bid, how the hands are seated and who leads."""
    if deal.rules.dummy:
        highest_bid = max(deal.bids)
        deal.declarer = next(seat for seat in deal.bidding_order if deal.bids[seat] == highest_bid)  # R8: the earliest
        declarer, left, right = ((deal.declarer + i) % 3 for i in range(3))
        from_declarer = [declarer, left, DUMMY, right]  # R8: the dummy is opposite
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


def promise_of(deal: Deal, seat: int) -> Promise:
    hands = [hand for hand in deal.table if deal.seat_of(hand) == seat]  # the declarer plays two (R8)
    reneges = sum(deal.reneges[hand] for hand in hands)
    return Promise(deal.bids[seat], deal.taken[seat], deal.blind[seat], reneges)


def score_seat(deal: Deal, seat: int, bonuses: list[int]) -> tuple[int, int, int]:
    """Return (points, penalties, bags_after) of a seat; partners' are the same, those of their side (R7)."""
    hands = side_of(deal, seat)
    partners = hands if deal.rules.partnerships else [seat]  # who score together: with a dummy each for itself (R8)
    promises = [promise_of(deal, partner) for partner in partners]
    taken = sum(deal.taken[hand] for hand in hands)
    if deal.rules.dummy and is_nil(deal.bids[seat], deal.rules):
        taken = deal.taken[seat]  # R8: a nil is for the bidder's own hand
    bonus = sum(bonuses[partner] for partner in partners)
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
