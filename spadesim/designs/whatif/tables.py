"""From what every bid brought to tables: curves, and how far each bidder falls short of the best (docs/WHATIF.md).

The best of several estimates looks better than it is. So the best bid is chosen on one set of redeals and its advantage
measured on the other, and the other way round. The true regret lies between this figure, for the bid chosen need not be
the very best, and the naive one, which takes the highest mean of the set that it measures by.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from spadesim import cards
from spadesim.rules import Rules
from spadesim.stats import intervals
from spadesim.stats.columns import clustered_mean_columns, clustered_share_columns, plus_or_minus

MILLION = 1e6
CLOSE = 50  # points: a lead of more is a large one
UNITS = {"points": 1.0, "chances": MILLION}
COLUMN_OF = {"points": "points", "chances": "chance"}
Rows = Mapping[str, np.ndarray]


def make_tables(rows: Rows, bots: Sequence[str], rules: Rules) -> dict[str, pd.DataFrame]:
    """Make all tables of a study, by name.

    Parameters
    ----------
    rows
        The arrays of `what_if`, a row a hand.
    """
    enough = rows["redeals"] > 0
    usable = {name: values[enough] for name, values in rows.items()}
    return {
        "regret": regret(usable, bots, rules),
        "nils": nils(usable, bots, rules),
        "regret_by": regret_by(usable, bots, rules),
        "curves": curves(rows, bots, rules),
    }


# --- Regret ----------------------------------------------------------------------------------------------------------


@dataclass
class Means:
    """What the bids are worth in each set of redeals, in points or chances.

    Attributes
    ----------
    of : (sets, hands, bids) float64
        Mean by set; minus infinity for a bid that is not allowed.
    best : (sets, hands) int64
        The bid with the highest mean of the set, of several the lowest.
    """

    of: np.ndarray
    best: np.ndarray

    @classmethod
    def from_rows(cls, rows: Rows, unit: str) -> "Means":
        sums = rows[f"{unit}_sum"].swapaxes(0, 1)
        means = sums / (rows["redeals"][:, None] * UNITS[unit])
        means = np.where(rows["allowed"] != 0, means, -np.inf)
        return cls(means, means.argmax(2))

    def at(self, bids: np.ndarray) -> np.ndarray:
        """Read the means of one bid a set and hand, shape (sets, hands)."""
        return np.take_along_axis(self.of, bids[:, :, None], 2)[:, :, 0]

    def chosen_on_other(self) -> np.ndarray:
        """Return for each set the best bids of the other one, shape (sets, hands)."""
        return self.best[::-1]

    def regret(self, bids: np.ndarray) -> np.ndarray:
        """Return by how much bids fall short of the best, chosen on the other set; shape (sets, hands)."""
        lost: np.ndarray = self.at(self.chosen_on_other()) - self.at(bids)
        return lost

    def naive(self, bids: np.ndarray) -> np.ndarray:
        """Return the same, chosen on the set that it is measured on."""
        lost: np.ndarray = self.at(self.best) - self.at(bids)
        return lost


def regret(rows: Rows, bots: Sequence[str], rules: Rules) -> pd.DataFrame:
    """Show how far each bidder's bids fall short of the best."""
    means = _means(rows)
    lines = []
    for bot, mine, bids in _bidders(rows, bots, means):
        line: dict[str, object] = {"bot": bot, "hands": int(mine.sum())}
        for unit, column in COLUMN_OF.items():
            fresh, naive = means[unit].regret(bids).mean(0)[mine], means[unit].naive(bids).mean(0)[mine]
            line |= clustered_mean_columns(f"{column}_regret", fresh, rows["block"][mine])
            line |= {f"{column}_naive": naive.mean() if len(naive) else np.nan}
            line |= clustered_mean_columns(f"{column}_bias", naive - fresh, rows["block"][mine])
        lines.append(line | _shares_off(bids, means["points"], rules, mine, rows["block"]))
    return pd.DataFrame(lines)


def nils(rows: Rows, bots: Sequence[str], rules: Rules) -> pd.DataFrame:
    """Show what each bidder's nils have cost, and those that it has missed, in points."""
    means = _means(rows)
    best = means["points"].chosen_on_other()
    lines = []
    for bot, mine, bids in _bidders(rows, bots, means):
        lost, blocks = means["points"].regret(bids), np.broadcast_to(rows["block"], bids.shape)
        line: dict[str, object] = {"bot": bot, "hands": int(mine.sum())}
        for name, those in (("nil", bids == 0), ("missed", (best == 0) & (bids != 0))):
            those = those & mine & (rules.nil != 0)
            line |= clustered_share_columns(f"{name}_share", those.mean(0)[mine], rows["block"][mine])
            line |= clustered_mean_columns(f"{name}_regret", lost[those], blocks[those])
        lines.append(line)
    return pd.DataFrame(lines)


def _means(rows: Rows) -> dict[str, Means]:
    return {unit: Means.from_rows(rows, unit) for unit in UNITS}


def _bidders(
    rows: Rows, bots: Sequence[str], means: Mapping[str, Means]
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """List who bids: name, which hands, bids (sets, hands); behind the bots, who takes the best of the other set."""
    made = np.broadcast_to(rows["bid"], (2, len(rows["bid"])))
    for i, bot in enumerate(bots):
        yield bot, rows["bot"] == i, made
    for unit, column in COLUMN_OF.items():
        yield f"what-if by {column}", np.ones(len(rows["bid"]), bool), means[unit].chosen_on_other()


def _shares_off(
    bids: np.ndarray, means: Means, rules: Rules, mine: np.ndarray, blocks: np.ndarray
) -> dict[str, float]:  # fmt: skip
    """Return how often bids are above and below the best, where neither is a nil."""
    best = means.chosen_on_other()
    tricks = (bids > 0) & (best > 0) if rules.nil else np.ones(bids.shape, bool)
    over, under = (bids > best) & tricks, (bids < best) & tricks
    return clustered_share_columns("overbids", over.mean(0)[mine], blocks[mine]) | clustered_share_columns(
        "underbids", under.mean(0)[mine], blocks[mine]
    )


def regret_by(rows: Rows, bots: Sequence[str], rules: Rules) -> pd.DataFrame:
    """Show the same by bid, order, spades held and score, a line a bot and value."""
    means, lines = _means(rows), []
    for bot, whole, bids in list(_bidders(rows, bots, means))[: len(bots)]:
        lost = {column: means[unit].regret(bids).mean(0) for unit, column in COLUMN_OF.items()}
        for by, (values, labels) in _groups(rows).items():
            for value in np.unique(values[whole]).tolist():
                mine = whole & (values == value)
                line: dict[str, object] = {"bot": bot, "by": by, "value": labels[value], "hands": int(mine.sum())}
                for column, values in lost.items():
                    line |= clustered_mean_columns(f"{column}_regret", values[mine], rows["block"][mine])
                lines.append(line | _shares_off(bids, means["points"], rules, mine, rows["block"]))
    return pd.DataFrame(lines)


def _groups(rows: Rows) -> dict[str, tuple[np.ndarray, list[str]]]:
    """Return by name the numbers of the groups that the hands fall into, and the words for them."""
    spades = np.array([cards.count(hand & cards.SPADES) for hand in rows["hand"].tolist()])
    numbers = [str(number) for number in range(64)]
    lead = rows["scores"][:, 0] - rows["scores"][:, 1:].max(1)
    words = [f"more than {CLOSE} behind", "behind", "level", "ahead", f"more than {CLOSE} ahead"]
    state = np.select([lead < -CLOSE, lead < 0, lead == 0, lead <= CLOSE], [0, 1, 2, 3], 4)
    return {
        "bid": (rows["bid"], numbers),
        "order": (rows["order"], numbers),
        "spades": (spades, numbers),
        "score": (state, words),
    }


# --- Curves ----------------------------------------------------------------------------------------------------------


def curves(rows: Rows, bots: Sequence[str], rules: Rules) -> pd.DataFrame:
    """Show what each bid would have brought, a line a hand and bid, of both sets of redeals."""
    hand, bid = np.nonzero(rows["allowed"])
    n = 2 * rows["redeals"]
    frame: dict[str, np.ndarray] = {"hand": hand} | {name: rows[name][hand] for name in ("game", "deal", "seat")}
    frame["bot"] = np.array(bots, object)[rows["bot"]][hand]
    frame["order"] = rows["order"][hand]
    frame["cards"] = np.array([cards.show(hand_held) for hand_held in rows["hand"].tolist()], object)[hand]
    for column, name in (("bids_before", "bids"), ("scores", "scores"), ("bags", "bags")):
        frame[column] = np.array([_listed(numbers, name) for numbers in rows[name].tolist()], object)[hand]
    frame |= {"redeals": n[hand], "attempts": rows["attempts"][hand], "bid": bid, "made": bid == rows["bid"][hand]}
    t = np.array([intervals.t_quantile(redeals) if redeals > 1 else np.nan for redeals in n.tolist()])
    for unit, column in COLUMN_OF.items():
        sums, squares = rows[f"{unit}_sum"].sum(1), rows[f"{unit}_squares"].sum(1)
        of_made = np.take_along_axis(sums, rows["bid"][:, None], 1)
        for name, total, square in (("", sums, squares), ("_gain", sums - of_made, rows[f"{unit}_gains"])):
            mean, half = _mean_of_redeals(total / UNITS[unit], square / UNITS[unit] ** 2, n[:, None], t[:, None])
            columns = plus_or_minus(f"{column}{name}", mean, half)
            for named, values in columns.items():
                frame[named] = values[hand, bid]
    return pd.DataFrame(frame)


def _mean_of_redeals(
    sums: np.ndarray, squares: np.ndarray, n: np.ndarray, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return means over redeals, and half the width of their intervals of 95 %; NaN where there are too few."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums / n
        spread = np.maximum(squares - sums * mean, 0) / (n - 1)
        return mean, t * np.sqrt(spread / n)


def _listed(values: Sequence[int], name: str) -> str:
    """Write the numbers of a situation as the command line takes them; bids that are still to come are left out."""
    return ",".join(str(value) for value in values if name != "bids" or value >= 0)
