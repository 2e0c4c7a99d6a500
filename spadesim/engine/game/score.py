"""Points, bags, and whether the game is over (R4, R5, R7, R8).

What a bid is worth depends on its `contract` and on the tricks that count towards it, its `contract_tricks`: a seat's
own, or those of both hands of a side.
"""

import numpy as np

from spadesim.engine.compile.cache import inline, inline_or_plain, kernel
from spadesim.engine.compile.operations import never_inline, own
from spadesim.engine.game.dummy import DUMMY, SEATS, empty_seat
from spadesim.engine.game.lanes import BY_DEAL_CAP, BY_FAULT, BY_FIXED_DEALS, BY_FLOOR, BY_TARGET, GOES_ON, LANES
from spadesim.engine.game.seats import n_scores
from spadesim.engine.game.setup import BID_FAILS, THREE_TRICKS
from spadesim.rules import Rules

I = np.int64  # noqa: E741 - short, for it stands in every line
MISSED = -1  # tricks above a contract that has failed whatever was taken
BOLD, MODEST = 7, 2  # bids from the one up and from the other down can earn a bonus when made exactly (R4.4)


@inline_or_plain
def is_nil(bid, nil):
    """Return whether a bid is a nil (R2.2); where nil is worth nothing, 0 is a bid like any other."""
    return (bid == 0) & (nil != 0)


@kernel
def score(t, r):
    """Score the deal just played in every lane and decide which games are over."""
    never_inline()
    hands = t.dealt.shape[0]
    if r.partnership + r.dummy + r.renege + r.blind_nil + r.exact_bonus == 0:
        for s in range(hands):
            earn(t, s, r, t.bids, t.taken, False)
    else:
        find_contracts(t, r)
        for s in range(hands):
            earn(t, s, r, t.contract, t.contract_tricks, True)
    if r.points_vary != 0:
        for s in range(hands):
            for lane in range(LANES):
                t.earned[s, lane] = t.points[s, lane]
    if r.partnership != 0:
        share_points(t, r.nil)
    if r.high_spade_bonus != 0:
        add_high_spade_bonus(t, r)
    for s in range(hands):
        pay_for_bags(t, s, r)
    judge(t, r)
    if r.dummy != 0:
        for lane in range(LANES):
            empty_seat(t, lane)


@inline
def find_contracts(t, r):
    """Find what each seat's points hang on where it is not its own bid and tricks alone."""
    if r.partnership != 0:
        count_tricks_of_sides(t)
    else:
        count_own_tricks(t)
    if r.dummy != 0:
        count_tricks_with_dummy(t, r.nil)
    if r.renege != 0:
        charge_reneges(t, r)


@inline
def count_own_tricks(t):
    """Let each seat work for its own bid (R4.1)."""
    for s in range(t.dealt.shape[0]):
        for lane in range(LANES):
            t.contract[s, lane] = t.bids[s, lane]
            t.contract_tricks[s, lane] = t.taken[s, lane]


@inline
def count_tricks_of_sides(t):
    """Add up both bids and both hands' tricks; a nil adds 0, and whether it is made is another matter (R7)."""
    for s in range(t.dealt.shape[0]):
        partner = s ^ 2
        for lane in range(LANES):
            t.contract[s, lane] = t.bids[s, lane] + t.bids[partner, lane]
            t.contract_tricks[s, lane] = t.taken[s, lane] + t.taken[partner, lane]


@inline
def count_tricks_with_dummy(t, nil):
    """Count the tricks of both hands of a side to each one's own bid; a nil is for the bidder's own hand (R8)."""
    for s in range(SEATS):
        for lane in range(LANES):
            declarer = t.declarer[lane]
            partner = DUMMY if s == declarer else SEATS - s - declarer  # 0 + 1 + 2 less these is the other defender
            tricks = t.taken[s, lane] + own(t.taken, partner, lane)
            t.contract_tricks[s, lane] = t.taken[s, lane] if is_nil(t.bids[s, lane], nil) else tricks


@inline
def charge_reneges(t, r):
    """Let corrected cards fail a contract or raise it; a nil fails in `earn` (R9)."""
    hands = t.dealt.shape[0]
    price = 3 * I(r.renege == THREE_TRICKS)
    fails = r.renege == BID_FAILS
    for s in range(hands):
        partner = s ^ 2 if r.partnership != 0 else s
        for lane in range(LANES):
            mine = 0 if is_nil(t.bids[s, lane], r.nil) else t.reneges[s, lane]
            partners = 0 if is_nil(t.bids[partner, lane], r.nil) else t.reneges[partner, lane]
            charged = mine + partners if partner != s else mine
            t.contract[s, lane] += price * charged
            t.forfeited[s, lane] = I(fails & (charged > 0))


@inline
def earn(t, s, r, contracts, tricks, special):
    """Find what a seat's contract or nil brings, and its bags (R4.1, R4.2); `special` where more than these matters."""
    nil, blind_nil, nil_bags, bonus = r.nil, r.blind_nil, r.failed_nil_bags, r.exact_bonus if special else 0
    overtrick, set_points = r.overtrick, r.set_points
    partner = s ^ 2 if r.partnership != 0 else s
    for lane in range(LANES):
        contract = contracts[s, lane]
        over = MISSED if special and t.forfeited[s, lane] != 0 else tricks[s, lane] - contract
        clean = (t.taken[s, lane] | (t.reneges[s, lane] if special else 0)) == 0
        worth = blind_nil if special and t.blind[s, lane] != 0 else nil
        bids_nil = is_nil(t.bids[s, lane], nil)
        points = (
            nil_points(clean, worth, bonus)
            if bids_nil
            else contract_points(contract, over, overtrick, set_points, bonus)
        )
        scored = -I(t.fault_seat[lane] == 0)  # a deal cut short by a fault is not scored (R9)
        t.points[s, lane] = points & scored
        t.made[s, lane] = I(clean if bids_nil else over >= 0)
        no_contract = bids_nil & is_nil(t.bids[partner, lane], nil) if special else bids_nil
        bags = (max(over, 0) if (nil_bags != 0) | (not no_contract) else 0) & scored
        t.bags[s, lane] += bags
        t.game_bags[s, lane] += bags


@inline_or_plain
def contract_points(contract, over, overtrick, set_points, bonus):
    """Score a contract by the tricks above it (R4.1), with a reward for a very high or low one made exactly (R4.4)."""
    exact = (over == 0) & ((contract >= BOLD) | (contract <= MODEST))
    return 10 * contract + overtrick * over + bonus * exact if over >= 0 else set_points * contract


@inline_or_plain
def nil_points(clean, worth, bonus):
    """Score a nil (R4.2, R4.4)."""
    return worth + bonus if clean else -worth


def points_by_bid(rules: Rules) -> np.ndarray:
    """Tabulate points by bid and tricks, where nothing else matters (`setup.points_vary`), without bag penalties."""

    def points(bid: int, taken: int) -> int:
        if is_nil(bid, rules.nil):
            return nil_points(taken == 0, rules.nil, rules.exact_bonus)
        return contract_points(bid, taken - bid, rules.overtrick, rules.set_points, rules.exact_bonus)

    numbers = range(rules.cards_each + 1)
    return np.array([[points(bid, taken) for taken in numbers] for bid in numbers])


@inline
def share_points(t, nil):
    """Return what the contract and the nils of a side bring together, for both its seats (R7)."""
    for s in range(t.dealt.shape[0]):
        partner = s ^ 2
        for lane in range(LANES):
            apart = is_nil(t.bids[s, lane], nil) | is_nil(t.bids[partner, lane], nil)  # else both have the contract
            t.points[s, lane] += t.earned[partner, lane] & -I(apart)


@inline
def add_high_spade_bonus(t, r):
    """Reward whoever won the last tricks with high spades; the dummy's are its declarer's (R4.4)."""
    for lane in range(LANES):
        winner = t.winner[lane]
        winner = t.declarer[lane] if (r.dummy != 0) & (winner == DUMMY) else winner
        bonus = r.high_spade_bonus * t.high_spades[lane] & -I(t.fault_seat[lane] == 0)
        for s in range(t.dealt.shape[0]):
            mine = (winner == s) | ((r.partnership != 0) & (winner == s ^ 2))
            t.points[s, lane] += bonus & -I(mine)


@inline
def pay_for_bags(t, s, r):
    """Charge a seat for its bags, and add up its score (R4.3)."""
    limit, most = r.bag_limit, r.penalties_max
    if most <= 2:  # as in nearly all rules; without a division in each lane
        second = -I(most == 2)
        for lane in range(LANES):
            bags = t.bags[s, lane]
            charge(t, s, lane, r, I(bags >= limit) + (I(bags >= 2 * limit) & second))
    else:
        for lane in range(LANES):
            t.deal_penalties[s, lane] = 0
        for i in range(1, most + 1):
            for lane in range(LANES):
                t.deal_penalties[s, lane] += I(t.bags[s, lane] >= i * limit)
        for lane in range(LANES):
            charge(t, s, lane, r, t.deal_penalties[s, lane])


@inline
def charge(t, s, lane, r, penalties):
    """Take penalties off a seat's bags and points, and add the points to its score."""
    left = t.bags[s, lane] - r.bag_limit * penalties
    t.bags[s, lane] = left & (r.bags_kept | -I(penalties == 0))
    t.deal_penalties[s, lane] = penalties
    t.penalties[s, lane] += penalties
    points = t.points[s, lane] - r.bag_penalty * penalties
    t.points[s, lane] = points
    t.scores[s, lane] += points


@inline
def judge(t, r):
    """Decide in every lane whether the game is over (R5)."""
    target, floor, fixed, cap, bots = r.target, r.floor, r.fixed_deals, r.max_deals, n_scores(t, r)
    for lane in range(LANES):
        best = worst = t.scores[0, lane]
        for s in range(1, t.dealt.shape[0]):
            score = t.scores[s, lane] if s < bots else best  # the other rows have no score of their own
            best, worst = max(best, score), min(worst, score)
        leaders = 0
        for s in range(t.dealt.shape[0]):
            leaders += I(t.scores[s, lane] == best) & I(s < bots)
        played = t.deal[lane] + 1
        end = BY_FIXED_DEALS if played >= fixed else GOES_ON
        end = BY_FLOOR if worst <= floor else end
        end = BY_TARGET if best >= target else end  # R5.1
        tie = t.tie[lane]
        end = tie if tie != GOES_ON else end  # after a tie the totals no longer matter (R5.2)
        t.tie[lane] = end
        cap_or_on = BY_DEAL_CAP if played >= cap else GOES_ON  # R5.3
        done = end if (end != GOES_ON) & (leaders == 1) else cap_or_on
        t.done[lane] = BY_FAULT if t.fault_seat[lane] != 0 else done
