"""What an overtrick costs at each bag count, in winning chance and in points.

All three seats are the same bot, which knows nothing of the past but scores and bags. So what follows a state depends
on the state alone, and seats in states that differ by one overtrick can be compared, however they got there. A state
is the seat's contract points (its score less its bags), its bags, and the others' scores and bags; an overtrick takes
it from b to b + 1 bags at the same contract points, and from 9 to 0 at 90 fewer. States are matched on contract points
exactly, on the others' scores in steps of a tenth of the target, and on the others' bags in three classes. Where bags
cost nothing, the price must be the one point of an overtrick, which shows how much the coarse steps blur.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from spadesim.designs.league.result import League
from spadesim.designs.study.play import Part
from spadesim.errors import UsageError
from spadesim.rules import Rules
from spadesim.stats.columns import difference_columns
from spadesim.stats.intervals import Floats
from spadesim.studies.kit.estimates import Counts, Integers
from spadesim.studies.kit.game_features import bags_before, by_deal, won

TABLES = {
    "price": "What one more overtrick changes, by bags held, on matched states.",
    "by_bags": "States before a deal and how often they end in a win, by bags held, not matched.",
}
FIGURES = ("win_share_change", "win_share_a_point", "points")
WIN_SHARE = {"win_share": ("wins", "states")}
BATCHES = 20  # of blocks, for the jackknife
BAG_LIMIT = 10
STEP = 10  # contract points come in tens where nobody bids nil
FLOOR = -100  # contract points and scores below count as this
BAG_CLASSES, BAG_CLASS_WIDTH = 3, 6  # of the others' bags together, 0 … 5, 6 … 11, 12 … 18


def study(parts: Sequence[Part]) -> dict[str, pd.DataFrame]:
    """Return the comparisons of states, by target and bag penalty."""
    tables: dict[str, list[pd.DataFrame]] = {name: [] for name in TABLES}
    for part in parts:
        rules = part.league.rules
        _check(part.league)
        counts, by_bags = _states(part)
        for name, table in (("price", _prices(counts, rules)), ("by_bags", by_bags.table(WIN_SHARE))):
            table.insert(0, "target", rules.target)
            table.insert(1, "bag_penalty", rules.bag_penalty)
            tables[name].append(table)
    return {name: pd.concat(frames, ignore_index=True) for name, frames in tables.items()}


def _check(league: League) -> None:
    if len(set(league.spec.bots)) > 1 or len(league.bots) != 3 or league.rules.bag_limit != BAG_LIMIT:
        raise UsageError(
            f"the field is {', '.join(league.bots)}, the bag limit {league.rules.bag_limit};"
            f" an overtrick's price is found among three copies of one bot with a limit of {BAG_LIMIT}"
        )


def _states(part: Part) -> tuple[Integers, Counts]:
    """Return states and wins, shape (2, batches, contract points, others, bags), and the same by bags alone."""
    rules, by_bags = part.league.rules, Counts(["bags"], ["states", "wins"])
    shape = (BATCHES, (rules.target - FLOOR) // STEP, _bins(rules) ** 2 * BAG_CLASSES, BAG_LIMIT)
    counts = np.zeros((2, int(np.prod(shape))), np.int64)
    for deals in part.deals("stream", "deal", "bags", "points", "score_before"):
        bags, wins = bags_before(deals, rules), won(deals, rules)
        contract = np.maximum(deals["score_before"].to_numpy(np.int64) - bags - FLOOR, 0) // STEP
        index = (deals["stream"].to_numpy() % BATCHES, contract, _others(deals, bags, rules), bags)
        playing = np.repeat(by_deal(deals, "score_before", rules).max(1) < rules.target, rules.players)  # no tie
        cells = np.ravel_multi_index([coordinate[playing] for coordinate in index], shape)
        for count, of in zip(counts, (cells, cells[wins[playing]]), strict=True):
            count += np.bincount(of, minlength=count.size)
        by_bags.add(deals[["stream"]].assign(bags=bags, states=1, wins=wins)[playing])
    return counts.reshape(2, *shape), by_bags


def _others(deals: pd.DataFrame, bags: Integers, rules: Rules) -> Integers:
    """Return the number of the two others' state: the higher score, the lower one, and their bags together."""
    score = by_deal(deals, "score_before", rules)
    bins = np.maximum(score - FLOOR, 0) // (rules.target // 10)
    neighbours = np.stack([np.roll(bins, -1, axis=1), np.roll(bins, -2, axis=1)])
    held = bags.reshape(score.shape)
    bag_class = (held.sum(1, keepdims=True) - held) // BAG_CLASS_WIDTH
    numbers = (neighbours.max(0) * _bins(rules) + neighbours.min(0)) * BAG_CLASSES + np.minimum(bag_class, 2)
    return np.ravel(numbers)


def _bins(rules: Rules) -> int:
    return -(-(rules.target - FLOOR) // (rules.target // 10))


def _prices(counts: Integers, rules: Rules) -> pd.DataFrame:
    """Return the table: each figure with an interval from the jackknife over batches of blocks."""
    steps = (BAG_LIMIT - rules.bag_penalty) // STEP  # of contract points, when ten bags are full
    together = counts.sum(1)
    whole = _figures(together, steps)
    without = np.array([_figures(together - counts[:, i], steps) for i in range(BATCHES)])
    errors = np.sqrt((BATCHES - 1) * without.var(0))  # Efron and Stein 1981, Annals of Statistics 9
    table = pd.DataFrame({"bags": np.arange(BAG_LIMIT), "states": together[0].sum((0, 1))})
    for name, value, error in zip(FIGURES, whole, errors, strict=True):
        table = table.assign(**difference_columns(name, value, error, BATCHES))
    return table


def _figures(counts: Integers, steps: int) -> Floats:
    """Return FIGURES by bags held, of counts (2, contract points, others, bags)."""
    change = [_matched(counts[..., bags], counts[..., bags + 1]) for bags in range(BAG_LIMIT - 1)]
    before, after = _apart(counts, steps)
    change.append(_matched(before[..., -1], after[..., 0]))
    a_point = _matched(*_apart(counts, 1)) / STEP
    return np.array([change, np.full(BAG_LIMIT, a_point), np.array(change) / (a_point or np.nan)])


def _apart(counts: Integers, steps: int) -> tuple[Integers, Integers]:
    """Return states beside those with this many steps of contract points more."""
    if steps > 0:
        return counts[:, :-steps], counts[:, steps:]
    return counts[:, -steps:], counts[:, :steps]


def _matched(before: Integers, after: Integers) -> float:
    """Return the mean difference of two win shares over cells, each weighted by how well it is known there."""
    both = (before[0] > 0) & (after[0] > 0)
    if not both.any():
        return np.nan
    (n0, wins0), (n1, wins1) = before[:, both], after[:, both]
    weights = n0 * n1 / (n0 + n1)
    return float((weights * (wins1 / n1 - wins0 / n0)).sum() / weights.sum())
