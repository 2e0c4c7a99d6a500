"""Points, bags, and whether the game is over (R4, R5)."""

import numpy as np

from spadesim.engine.bits import stay_whole
from spadesim.engine.compiling import inline, inline_or_plain, kernel
from spadesim.engine.lanes import BY_DEAL_CAP, BY_FAULT, BY_TARGET, GOES_ON, LANES

I = np.int64  # noqa: E741 - short, for it stands in every line


@inline_or_plain
def contract_points(bid, taken, nil, overtrick, set_points):
    """Score a bid without its bag penalties: a made contract, a set, or nil (R4.1, R4.2)."""
    over = taken - bid
    positive = 10 * bid + overtrick * over if over >= 0 else set_points * bid
    nil_points = nil if taken == 0 else -nil
    return nil_points if is_nil(bid, nil) else positive


@inline_or_plain
def is_nil(bid, nil):
    """Tell a nil from a bid of tricks (R2.2); where nil is worth nothing, 0 is a bid like any other."""
    return (bid == 0) & (nil != 0)


@inline
def bags_won(bid, taken, nil, failed_nil_bags):
    """Count the bags of a deal: overtricks, and the tricks of a failed nil where the rules say so (R4.1, R4.2)."""
    over = max(taken - bid, 0)
    return over if (failed_nil_bags != 0) | (not is_nil(bid, nil)) else 0


@kernel
def score(t, r):
    """Score the deal just played in every lane and decide which games are over."""
    stay_whole()
    for s in range(t.dealt.shape[0]):
        score_seat(t, s, r)
    judge(t, r)


@inline
def score_seat(t, s, r):
    """Score one seat in every lane (R4); a deal cut short by a fault is not scored (R9)."""
    nil, nil_bags, overtrick, set_points = r.nil, r.failed_nil_bags, r.overtrick, r.set_points
    limit, price, n_limits = r.bag_limit, r.bag_penalty, (r.bag_limit - 1 + r.cards_each) // r.bag_limit
    for lane in range(LANES):
        scored = -I(t.fault_seat[lane] == 0)
        won = bags_won(t.bids[s, lane], t.taken[s, lane], nil, nil_bags) & scored
        points = contract_points(t.bids[s, lane], t.taken[s, lane], nil, overtrick, set_points)
        t.points[s, lane] = points & scored
        t.bags[s, lane] += won
        t.game_bags[s, lane] += won
        t.deal_penalties[s, lane] = 0
    for i in range(1, n_limits + 1):  # R4.3, without a division in each lane
        for lane in range(LANES):
            t.deal_penalties[s, lane] += I(t.bags[s, lane] >= i * limit)
    for lane in range(LANES):
        penalties = t.deal_penalties[s, lane]
        t.bags[s, lane] -= limit * penalties
        t.penalties[s, lane] += penalties
        t.points[s, lane] -= price * penalties
        t.scores[s, lane] += t.points[s, lane]


@inline
def judge(t, r):
    """Decide in every lane whether the game is over (R5)."""
    hands = t.dealt.shape[0]
    target, cap = r.target, r.max_deals
    for lane in range(LANES):
        best = t.scores[0, lane]
        for s in range(1, hands):
            best = max(best, t.scores[s, lane])
        leaders = 0
        for s in range(hands):
            leaders += I(t.scores[s, lane] == best)
        decided = (best >= target) | (t.playoff[lane] != 0)  # R5.1; after a tie the totals no longer matter (R5.2)
        end = BY_DEAL_CAP if t.deal[lane] + 1 >= cap else GOES_ON  # R5.3
        end = BY_TARGET if decided & (leaders == 1) else end
        t.done[lane] = BY_FAULT if t.fault_seat[lane] != 0 else end
        t.playoff[lane] = I(decided)
