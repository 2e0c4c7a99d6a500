"""Move the count of `fitted`: by one, by chance, by what the others bid, by what the score needs."""

from math import exp

from spadesim import bidder
from spadesim.bids import allowed
from spadesim.cards import total
from spadesim.search import ACROSS, CHANCES
from spadesim.strategies.fitted import fitted, tricks_of


@bidder
def minus_one(view, *, less=1):
    """Bid less than `fitted` thinks.

    *Bids* `fitted` less `less`, at least 1.
    *Origin*: the oldest advice against being set.
    """
    return allowed(view, max(fitted(view) - less, 1))


@bidder
def noisy(view, *, share=0.5):
    """Bid as `fitted`, but now and then one more or one less.

    *Bids* one off in `share` of all hands, as often up as down, at least 1.
    *Origin*: how public programs make weaker levels of play.
    """
    drawn = (view.random >> 31) / 4294967296.0
    move = (drawn < share / 2) * 1 - (drawn >= 1.0 - share / 2) * 1
    return allowed(view, max(fitted(view) + move, 1))


@bidder
def table_total(view, *, many=17, few=12):
    """Bid as `fitted`, but when bidding last consider the table's total.

    *Bids* one less where the total would be `many` or more, so that somebody else is the one to be set, and one more
    where it would be `few` or less and there are tricks for all.
    *Origin*: the total of the bids shows the table's mood, and the last bidder decides on it.
    """
    bid = fitted(view)
    bids_last = view.order == view.players - 1 - (view.dummy >= 0)
    sum_ = total(view.bids) + view.players - view.order + bid
    return allowed(view, max(bid - (bids_last & (sum_ >= many)) + (bids_last & (sum_ <= few)), 1))


@bidder
def score_aware(view, *, bold=0.1, slope=2.0, rival_bid=0.7, rival_points=30.0):
    """Bid what makes winning the game most likely, by everybody's scores and bags.

    *Bids* the number whose two outcomes, made and missed, weighed by the chance to make it, give the best chance to
    win; rivals are taken to score `rival_bid` of what they bid, or `rival_points` where they have not bid yet. `bold`
    is added to what `fitted` counts, and `slope` is how fast the log odds of making a bid fall with it.
    *Origin*: our own; strengths by score and bags from experiments/fit_chances.py.
    """
    tricks = tricks_of(view) + bold
    rivals = 0.0
    for i in range(1, view.players):
        expected = rival_bid * 10 * view.bids[i] if view.bids[i] >= 0 else rival_points
        rivals += strength(view, view.scores[i] + int(expected), view.bags[i]) * (i != view.partner)
    best, most = 1, -1.0
    for bid in range(1, min(max(int(tricks) + 3, 1), view.bid_high) + 1):
        made = 1.0 / (1.0 + exp(-slope * (tricks - bid)))
        over = int(0.6 * max(tricks - bid - 0.5, 0.0))
        win = strength(view, view.scores[0] + 10 * bid + over * view.overtrick, view.bags[0] + over)
        lose = strength(view, view.scores[0] + view.set_points * bid, view.bags[0])
        chance = made * win / (win + rivals) + (1.0 - made) * lose / (lose + rivals)
        best, most = (bid, chance) if chance > most else (best, most)
    return allowed(view, best)


def strength(view, score, bags):
    """Return a bot's strength, at and beyond the target that of the table's first column and more."""
    tenths = bags * 10 // view.bag_limit if view.bag_limit > 0 else 0
    to_go = view.target - score
    column = min(max(to_go // ACROSS, 0), CHANCES.shape[1] - 1)
    return CHANCES[min(max(tenths, 0), 9), column] * exp(0.03 * max(-to_go, 0))
