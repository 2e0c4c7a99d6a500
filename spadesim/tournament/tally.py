"""Integer counts of a league, which add: any split of the games over workers gives the same sums.

A *block* is one deal stream: all games of it, in all seatings and at all tables, share their deals, so the block is
the unit of observation. Counts are kept by group of blocks (`groups`), table by table, and pooled over the tables; for
every rate (a ratio of two counts) the error bars come from the sums of squares and products of the groups' counts.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from spadesim.engine.game.count import (
    BAGS,
    CAPPED,
    DEALS,
    FAULTS,
    FIXED_COLUMNS,
    MADE,
    MADE_SHIFT,
    PENALTIES,
    SCORE,
    WINS,
)
from spadesim.engine.table import Counts
from spadesim.rules import Rules
from spadesim.stats.groups import group_of
from spadesim.stats.sums import Sums

TOTALS = {
    "wins": WINS, "score": SCORE, "penalties": PENALTIES, "bags": BAGS, "deals": DEALS, "capped": CAPPED,
    "faults": FAULTS,
}  # fmt: skip


def league_tables(n_bots: int, at_table: int, focus: Iterable[int] = ()) -> list[tuple[int, ...]]:
    """List the tables of a field: every combination of bots, or those with a bot in focus."""
    focus = set(focus)
    return [table for table in itertools.combinations(range(n_bots), at_table) if not focus or focus & set(table)]


@dataclass
class TableCounts:
    """What one table's games of some blocks in a row add up to, by group (g) of blocks, s bots and p that bid.

    Attributes
    ----------
    first_group : int
        Number of the first group.
    blocks : (g,) int64
        Blocks of each group that were played.
    results : (g, s, columns) int64
        See `engine.counting`.
    bid_deals, bid_made : (g, s, bids) int64
        Deals by bid, and those of them in which the bid was made.
    deals : (s, p, bids, taken) int64
        Of all groups together: deals by order in the bidding (0 first), bid and tricks.
    earned : (s, p, bids) int64
        Points of these deals, see `engine.table.Counts`.
    """

    first_group: int
    blocks: np.ndarray
    results: np.ndarray
    bid_deals: np.ndarray
    bid_made: np.ndarray
    deals: np.ndarray
    earned: np.ndarray

    @classmethod
    def of(cls, counts: Counts, first_block: int) -> "TableCounts":
        """Sum the engine's counts of blocks from `first_block` on over groups."""
        numbers = group_of(first_block + np.arange(len(counts.results)))
        starts = np.flatnonzero(np.diff(numbers, prepend=-1))

        def by_group(values: np.ndarray) -> np.ndarray:
            return np.add.reduceat(values, starts, axis=0, dtype=np.int64)

        return cls(
            first_group=int(numbers[0]),
            blocks=np.diff(starts, append=len(numbers)).astype(np.int64),
            results=by_group(counts.results),
            bid_deals=by_group(counts.bid_counts & (MADE - 1)),
            bid_made=by_group(counts.bid_counts >> MADE_SHIFT),
            deals=counts.deals,
            earned=counts.earned,
        )

    def __add__(self, next_blocks: "TableCounts") -> "TableCounts":
        """Add the counts of the blocks that follow."""
        shared = self.first_group + len(self.blocks) > next_blocks.first_group
        sums: dict[str, np.ndarray] = {}
        for name in ("blocks", "results", "bid_deals", "bid_made"):
            before, after = getattr(self, name), getattr(next_blocks, name)
            if shared:  # a group that is on both sides
                before, after = before.copy(), after.copy()
                before[-1] += after[0]
                after = after[1:]
            sums[name] = np.concatenate([before, after])
        deals, earned = self.deals + next_blocks.deals, self.earned + next_blocks.earned
        return TableCounts(self.first_group, **sums, deals=deals, earned=earned)


@dataclass
class Tally:
    """All that is counted in a league of n bots with s bots a table, of whom p bid, in g groups of blocks and T tables.

    In a partnership, where each bot plays both hands of a side, a seat stands for a side.

    Attributes
    ----------
    blocks : int
        Deal streams played, by the table that played most.
    units : int
        Groups in which anything was played.
    games : (n,) int64
        Games of each bot.
    deals : (n, p, bids, taken) int64
        Deals of each bot by its order in the bidding (0 first), its bid and its tricks.
    earned : (n, p, bids) int64
        Points of these deals, see `engine.table.Counts`.
    totals : dict of (n,) int64
        "wins", "score", "penalties", "bags", "deals", "capped", "faults".
    seat_games : (n, s) int64
    met, ahead : (n, n) int64
        Games together, and games in which the row's bot finished ahead of the column's.
    rates : dict of Sums
        For every rate its sums over groups.
    by_group : dict of (numerator, denominator), each (g, n) int64
        The counts behind the rates that have one value a bot.
    table_wins : (g, T, s) int32
        Wins by table and place at it.
    tables : list of tuple
        Who sits at each table.
    looked_at : bool
        Whether the league ended when its figures were good enough, so that intervals must hold at every look.
    """

    blocks: int
    units: int
    games: np.ndarray
    deals: np.ndarray
    earned: np.ndarray
    totals: dict[str, np.ndarray]
    seat_games: np.ndarray
    met: np.ndarray
    ahead: np.ndarray
    rates: dict[str, Sums]
    by_group: dict[str, tuple[np.ndarray, np.ndarray]]
    table_wins: np.ndarray
    tables: list[tuple[int, ...]]
    looked_at: bool = False


class Pool:
    """The counts of a league by group and bot, to which those of its tables are added in any order.

    Parameters
    ----------
    n_bots, tables
        The field's size, and who sits at each table.
    blocks
        As many as any table will have played.
    """

    def __init__(self, n_bots: int, tables: Sequence[tuple[int, ...]], blocks: int, rules: Rules, n_seatings: int):
        groups, seats, n_bids = int(group_of(blocks - 1)) + 1, rules.bots, rules.cards_each + 1
        self._tables = {bots: i for i, bots in enumerate(tables)}
        self._seats, self._n_seatings, self._has_nil = seats, n_seatings, rules.nil > 0
        self._deals = np.zeros((n_bots, rules.players, n_bids, n_bids), np.int64)
        self._earned = np.zeros((n_bots, rules.players, n_bids), np.int64)
        self._results = np.zeros((groups, n_bots, FIXED_COLUMNS + seats), np.int64)
        self._bid_deals, self._bid_made = np.zeros((2, groups, n_bots, n_bids), np.int64)
        self._games = np.zeros((groups, n_bots), np.int64)
        meet = sorted({pair for bots in tables for pair in itertools.permutations(bots, 2)})
        self._pairs = {pair: i for i, pair in enumerate(meet)}  # few of all, where bots meet only some others
        self._met, self._ahead, self._margin = np.zeros((3, groups, len(meet)), np.int64)
        self._table_wins = np.zeros((groups, len(tables), seats), np.int32)
        self._blocks = np.zeros(len(tables), np.int64)

    def add(self, bots: tuple[int, ...], counts: TableCounts) -> None:
        """Add a table's counts of some blocks."""
        table, at = self._tables[bots], slice(counts.first_group, counts.first_group + len(counts.blocks))
        games, own = counts.blocks * self._n_seatings, FIXED_COLUMNS + self._seats
        self._blocks[table] += counts.blocks.sum()
        self._table_wins[at, table] += counts.results[:, :, WINS].astype(np.int32)
        for place, bot in enumerate(bots):
            results = counts.results[:, place]
            self._deals[bot] += counts.deals[place]
            self._earned[bot] += counts.earned[place]
            self._results[at, bot] += results[:, :own]
            self._bid_deals[at, bot] += counts.bid_deals[:, place]
            self._bid_made[at, bot] += counts.bid_made[:, place]
            self._games[at, bot] += games
            for other, others_bot in enumerate(bots):
                if other != place:
                    pair = self._pairs[bot, others_bot]
                    self._met[at, pair] += games
                    self._ahead[at, pair] += results[:, own + other]
                    self._margin[at, pair] += results[:, own + self._seats + other]

    def wins(self) -> tuple[np.ndarray, np.ndarray]:
        """Return wins and games of every bot by group, shape (g, n), for the groups in which anything was played."""
        played = self._games.any(1)
        return self._results[played, :, WINS], self._games[played]

    @property
    def blocks(self) -> int:
        """Deal streams played, by the table that played most."""
        return int(self._blocks.max())

    def blocks_of(self, tables: Iterable[tuple[int, ...]]) -> int:
        """Count the deal streams that all of these tables have played, if they were played in order."""
        return min((int(self._blocks[self._tables[table]]) for table in tables), default=0)

    def tally(self) -> Tally:
        """Sum over the groups in which anything was played."""
        played = self._games.any(1)
        results, games, met, ahead = self._results[played], self._games[played], self._met[played], self._ahead[played]
        seat_games = np.repeat(games[:, :, None] // self._seats, self._seats, axis=2)
        bid_deals, bid_made = self._bid_deals[played], self._bid_made[played]
        by_group = self._by_group(results, games, bid_deals, bid_made)
        return Tally(
            blocks=self.blocks,
            units=len(games),
            games=games.sum(0),
            deals=self._deals,
            earned=self._earned,
            totals={name: results[:, :, column].sum(0) for name, column in TOTALS.items()},
            seat_games=seat_games.sum(0),
            met=self._by_pair(met.sum(0)),
            ahead=self._by_pair(ahead.sum(0)),
            rates={name: Sums.over(*counts) for name, counts in by_group.items()}
            | {
                "seat_win_share": Sums.over(results[:, :, FIXED_COLUMNS:], seat_games),
                "made_rate": Sums.over(bid_made, bid_deals),
                "ahead_share": self._pair_sums(ahead, met),
                "mean_margin": self._pair_sums(self._margin[played], met),
            },
            by_group=by_group,
            table_wins=self._table_wins[played],
            tables=list(self._tables),
        )

    def _by_group(
        self, results: np.ndarray, games: np.ndarray, bid_deals: np.ndarray, bid_made: np.ndarray
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return numerator and denominator, by group, of the rates that have one value a bot."""
        deals, hands = results[:, :, DEALS], bid_deals.sum(2)
        # where the rules have no nil, a bid of 0 is like any other (R2.2)
        nils, nils_made = (
            counts[:, :, 0] if self._has_nil else np.zeros_like(games) for counts in (bid_deals, bid_made)
        )
        contracts = hands - nils
        return {
            "win_share": (results[:, :, WINS], games),
            "mean_score": (results[:, :, SCORE], games),
            "penalties_per_game": (results[:, :, PENALTIES], games),
            "points_per_deal": (results[:, :, SCORE], deals),
            "bags_per_deal": (results[:, :, BAGS], deals),
            "set_rate": (contracts - (bid_made.sum(2) - nils_made), contracts),
            "nil_rate": (nils, hands),
            "nil_success": (nils_made, nils),
        }

    def _by_pair(self, values: np.ndarray) -> np.ndarray:
        """Lay what is counted for those that meet, shape (pairs,), into a square of all bots."""
        square = np.zeros((self._games.shape[1],) * 2, values.dtype)
        square[tuple(np.array(list(self._pairs)).T)] = values
        return square

    def _pair_sums(self, n: np.ndarray, d: np.ndarray) -> Sums:
        sums = Sums.over(n, d)
        return Sums(**{part.name: self._by_pair(getattr(sums, part.name)) for part in fields(sums)})
