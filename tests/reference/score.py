"""Points and bags of a deal, and the end of a game (R4, R5)."""

from dataclasses import dataclass
from typing import Any

from reference.cards import HIGH_SPADES
from reference.rules import CUTTHROAT, Rules
from reference.tricks import winning_place


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
