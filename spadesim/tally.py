"""Integer counts of a league, which add: any split of the games over workers gives the same sums.

A *block* is one deal stream: all games of it, in all seatings and at all tables, share their deals, so the block is
the unit of observation. For every rate (a ratio of two counts) the sums of squares and products of the blocks' counts
are kept, and the error bars come from these.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from spadesim.engine.counting import BAGS, CAPPED, DEALS, FAULTS, FIXED_COLUMNS, MADE_SHIFT, PENALTIES, SCORE, WINS
from spadesim.engine.pooling import POOLED_SHIFT, pool_table, sum_bids, sum_results
from spadesim.engine.table import Counts
from spadesim.rules import Rules


def league_tables(n_bots: int, at_table: int, focus: Iterable[int] = ()) -> list[tuple[int, ...]]:
    """List the tables of a field: every combination of bots, or those with a bot in focus."""
    focus = set(focus)
    return [table for table in itertools.combinations(range(n_bots), at_table) if not focus or focus & set(table)]


@dataclass
class Sums:
    """Sums over blocks of a rate's numerator n and denominator d; each array has one entry a row of a table."""

    n: np.ndarray
    d: np.ndarray
    nn: np.ndarray
    nd: np.ndarray
    dd: np.ndarray
    seen: np.ndarray  # blocks in which d > 0

    @classmethod
    def of_constant(cls, n: np.ndarray, nn: np.ndarray, d: np.ndarray, blocks: int) -> "Sums":
        """Take sums of n and its square where d is the same in every block."""
        d = np.broadcast_to(d, n.shape).astype(np.int64)
        return cls(n, d * blocks, nn, n * d, d * d * blocks, np.where(d > 0, blocks, 0))

    def __iadd__(self, other: "Sums") -> "Sums":
        for name in self.__dataclass_fields__:
            mine, theirs = (np.asarray(getattr(each, name)).astype(object) for each in (self, other))
            setattr(self, name, mine + theirs)  # of any size: squares of long runs would pass 2**63
        return self


@dataclass
class Tally:
    """All that is counted in a league of n bots with s bots a table, of whom p bid.

    In a partnership, where each bot plays both hands of a side, a seat stands for a side.

    Attributes
    ----------
    blocks : int
        Deal streams played.
    games : (n,) int64
        Games of each bot.
    deals : (n, p, bids, taken) int64
        Deals of each bot by its order in the bidding (0 first), its bid and its tricks.
    earned : (n, p, bids) int64
        Points of these deals, see `engine.table.Counts`.
    totals : dict of (n,) int64
        "wins", "score", "penalties", "bags", "deals", "capped", "faults".
    seat_games, seat_wins : (n, s) int64
    ahead, margin, met : (n, n) int64
        Games in which the row's bot finished ahead of the column's, their summed score difference, games together.
    rates : dict of Sums
        For every rate its sums over blocks.
    """

    blocks: int
    games: np.ndarray
    deals: np.ndarray
    earned: np.ndarray
    totals: dict[str, np.ndarray]
    seat_games: np.ndarray
    met: np.ndarray
    ahead: np.ndarray
    margin: np.ndarray
    rates: dict[str, Sums] = field(default_factory=dict)

    def __iadd__(self, other: "Tally") -> "Tally":
        for name in ("blocks", "games", "deals", "earned", "seat_games", "met", "ahead", "margin"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.totals = {name: total + other.totals[name] for name, total in self.totals.items()}
        for name, sums in other.rates.items():
            self.rates[name] += sums
        return self


class BlockCounts:
    """Pool the counts of some blocks over all tables of a league, then sum them up."""

    def __init__(self, n_bots: int, n_blocks: int, rules: Rules, n_seatings: int):
        seats, n_bids = rules.bots, rules.cards_each + 1
        self._seats, self._n_seatings, self._blocks, self._has_nil = seats, n_seatings, n_blocks, rules.nil > 0
        self._deals = np.zeros((n_bots, rules.players, n_bids, n_bids), np.int64)
        self._earned = np.zeros((n_bots, rules.players, n_bids), np.int64)
        self._results = np.zeros((n_blocks, n_bots, FIXED_COLUMNS + seats + 2 * n_bots), np.int64)
        self._bids, self._shift = np.zeros((n_blocks, n_bots, n_bids), np.int64), POOLED_SHIFT
        self._tables = np.zeros(n_bots, np.int64)
        self._met = np.zeros((n_bots, n_bots), np.int64)

    def add(self, bots: Sequence[int], counts: Counts) -> None:
        """Add a table's counts of these blocks."""
        n_bots = len(self._tables)
        for place, bot in enumerate(bots):
            self._tables[bot] += 1
            self._deals[bot] += counts.deals[place]
            self._earned[bot] += counts.earned[place]
            for other in bots:
                self._met[bot, other] += self._n_seatings * self._blocks * (other != bot)
        if n_bots == self._seats:  # the only table there is
            self._results, self._bids, self._shift = counts.results, counts.bid_counts, MADE_SHIFT
        else:
            pool_table(np.array(bots), counts.results, counts.bid_counts, self._results, self._bids)

    def tally(self) -> Tally:
        """Sum over the blocks."""
        n_bots, n_columns = self._results.shape[1:]
        sums, squares, by_deals = np.zeros((3, n_bots, n_columns), np.int64)
        sum_results(self._results, sums, squares, by_deals)
        columns = {
            "wins": WINS, "score": SCORE, "penalties": PENALTIES, "bags": BAGS, "deals": DEALS,
            "capped": CAPPED, "faults": FAULTS,
        }  # fmt: skip
        own = FIXED_COLUMNS + self._seats
        games = self._tables * self._n_seatings  # a block
        return Tally(
            blocks=self._blocks,
            games=games * self._blocks,
            deals=self._deals,
            earned=self._earned,
            totals={name: sums[:, column] for name, column in columns.items()},
            seat_games=np.repeat((games // self._seats * self._blocks)[:, None], self._seats, axis=1),
            met=self._met,
            ahead=sums[:, own : own + n_bots],
            margin=sums[:, own + n_bots :],
            rates=self._rates(sums, squares, by_deals, games) | self._bid_rates(),
        )

    def _rates(self, sums, squares, by_deals, games) -> dict[str, Sums]:
        own, n_bots = FIXED_COLUMNS + self._seats, len(games)

        def a_game(columns, d) -> Sums:
            return Sums.of_constant(sums[:, columns], squares[:, columns], d, self._blocks)

        def a_deal(column) -> Sums:
            d, dd = sums[:, DEALS], squares[:, DEALS]
            return Sums(sums[:, column], d, squares[:, column], by_deals[:, column], dd, np.full(n_bots, self._blocks))

        together = self._met // self._blocks
        return {
            "win_share": a_game(WINS, games),
            "mean_score": a_game(SCORE, games),
            "penalties_per_game": a_game(PENALTIES, games),
            "seat_win_share": a_game(slice(FIXED_COLUMNS, own), (games // self._seats)[:, None]),
            "ahead_share": a_game(slice(own, own + n_bots), together),
            "mean_margin": a_game(slice(own + n_bots, None), together),
            "points_per_deal": a_deal(SCORE),
            "bags_per_deal": a_deal(BAGS),
        }

    def _bid_rates(self) -> dict[str, Sums]:
        n_bots, n_bids = self._bids.shape[1:]
        made, nils = np.zeros((6, n_bots, n_bids), np.int64), np.zeros((6, n_bots), np.int64)
        sum_bids(self._bids, self._shift, made, nils)
        nil_success = made[:, :, 0].copy()
        if not self._has_nil:  # a bid of 0 is then like any other (R2.2)
            nil_success[:] = 0
            nils[[0, 2, 3]] = 0
        return {"nil_rate": Sums(*nils), "nil_success": Sums(*nil_success), "made_rate": Sums(*made)}
