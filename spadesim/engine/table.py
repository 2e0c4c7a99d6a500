"""One table: its strategies as kernels, its games, chunk by chunk of deal streams."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spadesim.engine.compile.cache import over_records, uncompiled
from spadesim.engine.game import setup
from spadesim.engine.game.count import n_result_columns
from spadesim.engine.game.deal import seed_keys
from spadesim.engine.game.faults import FAULT_DTYPE, NO_FAULT, POLICIES
from spadesim.engine.game.lanes import LANES, as_records, new_lanes
from spadesim.engine.game.phases import steps_of, with_kernels
from spadesim.engine.game.score import points_by_bid
from spadesim.engine.kernels.interpret import InterpretedKernel
from spadesim.engine.loop import CURSOR_DTYPE, LOG_COLUMNS, compiled_play, interpreted_play
from spadesim.errors import StrategyError
from spadesim.rules import Rules

BATCHES_MAX = 1 << 20
SECONDS_A_CALL = 0.05  # how long the compiled loop may run before Python gets a say
RECORDS_INTERPRETED = 16
GAMES_A_LANE = 6  # fewer than this a lane and most lanes would only wait for the last
LOG_ROWS = 1 << 18
NO_HISTORY = np.zeros((0, 0, 0, 0), np.int64)
NO_LOG = np.zeros((0, 0), np.int64)


class CompiledStrategyRaisedError(Exception):
    """Report that compiled code of a strategy raised something, which says neither whose it was nor in which game."""


@dataclass
class Counts:
    """What a chunk of games adds up to.

    Attributes
    ----------
    deals : (bots, orders, bids, taken) int64
        How often a bot, bidding in this order, bid and took so many tricks (in the dummy game both hands of a side).
    earned : (bots, orders, bids) int64
        Points of these deals, without bag penalties and last tricks; in a partnership those of the contract or of the
        nil that the bid belongs to.
    bid_counts : (blocks, bots, bids) int32
        Deals, and 65536 times the deals made.
    results : (blocks, bots, columns) int32
        Per game: see `counting`.
    fault : FAULT_DTYPE scalar
        The first fault of the lowest game.
    reason : str or None
        What was wrong with its answer, where the answer alone does not tell.
    """

    deals: np.ndarray
    earned: np.ndarray
    bid_counts: np.ndarray
    results: np.ndarray
    fault: np.void
    reason: str | None = None
    log: list[np.ndarray] = field(default_factory=list)

    @property
    def has_fault(self) -> bool:
        """Whether any bot was at fault."""
        return int(self.fault["game"]) != NO_FAULT


@dataclass(frozen=True)
class Strategies:
    """The distinct strategies of a table, all bidders or all players.

    Attributes
    ----------
    kernels
        Their kernels.
    parameters
        The values of their parameters.
    of_bot
        For each bot, which of them it uses.
    blinds
        Bidders' kernels of the question about a blind nil, None for those that never bid one.
    """

    kernels: Sequence[Any]
    parameters: Sequence[Sequence[float]]
    of_bot: Sequence[int]
    blinds: Sequence[Any] = ()


class Table:
    """The bots that meet, ready to play any deal streams.

    Parameters
    ----------
    rules
        The rules of the game.
    seatings
        `seatings[k][seat]` is the bot that sits there in the k-th game of a stream.
    bidders, players
        The table's distinct strategies.
    reads_voids
        Whether any player reads the field `voids`.
    as_python
        Makes the same table with all strategies as plain Python. It plays a chunk once more in which compiled code
        raised an exception, and so finds out where.
    """

    def __init__(
        self, rules: Rules, seatings: Sequence[Sequence[int]], bidders: Strategies, players: Strategies,
        reads_voids: bool, as_python: Callable[[], "Table"],
    ):  # fmt: skip
        self.rules = rules
        self.n_seatings = len(seatings)
        self.as_python = as_python
        self._table = setup.set_up(rules, seatings)
        setup.set_strategies(self._table, "bidder", bidders.of_bot, bidders.parameters)
        setup.set_strategies(self._table, "player", players.of_bot, players.parameters)
        asked = bidders.blinds if rules.blind_nil else ()
        asks_blind = sum(1 << i for i, blind in enumerate(asked) if blind is not None)
        self.deal_steps = steps_of(
            self._table[0], len(bidders.kernels), len(players.kernels), asks_blind, int(reads_voids)
        )
        self._bidders, self._players = list(bidders.kernels), list(players.kernels)
        self._blinds = list(self._bidders)  # which is never called where there is no question
        for i, blind in enumerate(asked):
            self._blinds[i] = blind or self._bidders[i]
        interpreted = any(isinstance(kernel, InterpretedKernel) for kernel in self._kernels)
        self.interpreted = interpreted or uncompiled()  # whether its loop is plain Python
        if self.interpreted:
            self._blinds, self._bidders, self._players = (
                [_for_all(kernel) for kernel in kernels] for kernels in (self._blinds, self._bidders, self._players)
            )
        self._batches = 1

    @property
    def _kernels(self) -> list[Any]:
        return [*self._blinds, *self._bidders, *self._players]

    def play(self, seed: int, first_block: int, n_blocks: int, policy: str = "stop", log: bool = False) -> Counts:
        """Play all games of some deal streams, and count.

        Parameters
        ----------
        seed
            0 … 2**64 - 1.
        first_block, n_blocks
            Which deal streams.
        policy
            What a fault costs (R9): "stop", "correct" or "forfeit". With "stop", the counts of a chunk with a fault are
            incomplete.
        log
            Whether to keep a row for every seat and deal.
        """
        try:
            return self._play(seed, first_block, n_blocks, policy, log)
        except CompiledStrategyRaisedError as error:
            counts = self.as_python().play(seed, first_block, n_blocks, policy, log)
            if not counts.has_fault:
                raise StrategyError(
                    f"a compiled strategy raised {error}, but played as plain Python none does;"
                    f" declare it with kind='python' to find out why"
                ) from error
            return counts

    def _play(self, seed: int, first_block: int, n_blocks: int, policy: str, log: bool) -> Counts:
        run = _Run(self, seed, first_block * self.n_seatings, (first_block + n_blocks) * self.n_seatings, policy)
        run.log = np.zeros((LOG_ROWS, len(LOG_COLUMNS)), np.int64) if log else NO_LOG
        rows: list[np.ndarray] = []
        going = True
        while going:
            going = self._call(run)
            if log:
                rows.append(run.log[: int(run.cursor["logged"][0])].copy())
                run.cursor["logged"] = 0
        return run.counts(rows)

    def load(self) -> Counts:
        """Compile or load the loop, and give counts of nothing."""
        run = _Run(self, 0, 0, 1, "stop")
        run.cursor["end"] = 0
        self._call(run, batches=1)
        return run.counts([])

    def steps(self, seed: int, game: int, n_games: int, policy: str) -> Iterator["_Run"]:
        """Play some games deal by deal; after each batch the run holds the deals' lanes and their tricks."""
        run = _Run(self, seed, game, game + n_games, policy)
        run.keep_history()
        while self._call(run, batches=1):
            yield run

    def play_given(self, hands: Sequence[int], dealer: int, scores: Sequence[int], bags: Sequence[int]) -> "_Run":
        """Play one deal from a given layout of the cards and state of the game, bot i in seat i; interpreted only."""
        loop = interpreted_play()
        dealt = {"dealt": hands, "scores": scores, "bags": bags}

        def deal_given(t: np.ndarray, r: np.ndarray) -> None:
            loop.__globals__["deal"](t, r)
            for name, values in dealt.items():
                t[name][:, : len(values)] = np.array(values)[:, None]
            t["dealer"] = dealer
            t["leader"] = t["winner"] = (dealer + 1) % self.rules.players

        run = _Run(self, 0, 0, 1, "stop")
        run.keep_history()
        self._call(run, batches=1, loop=with_kernels(loop, {"deal": deal_given}))
        return run

    def _call(self, run: "_Run", batches: int | None = None, loop: Callable[..., bool] | None = None) -> bool:
        """Run the loop for a while; return whether games are still under way."""
        loop = loop or (interpreted_play() if self.interpreted else self._compiled_loop())
        started = time.perf_counter()
        counts = [array.ravel() for array in (run.deals, run.earned, run.bid_counts, run.results)]
        try:
            with np.errstate(over="ignore"):  # the hash wraps around on purpose
                going: bool = loop(
                    *self.state(run.lanes), self.deal_steps, run.cursor, run.fault, *self.strategies(), *counts,
                    run.history, run.log, batches or self._batches,
                )  # fmt: skip
        except MemoryError:
            raise  # to play once more, interpreted, would need memory that is not there
        except Exception as error:
            if uncompiled() or all(isinstance(kernel, InterpretedKernel) for kernel in self._kernels):
                raise
            raise CompiledStrategyRaisedError(f"{type(error).__name__}: {error}") from error
        if batches is None:
            seconds = time.perf_counter() - started
            fitting = int(self._batches * SECONDS_A_CALL / (seconds + 1e-6))
            self._batches = max(1, min(64 * self._batches, fitting, BATCHES_MAX))
        return going

    def _compiled_loop(self) -> Callable[..., bool]:
        return compiled_play(self.rules.hands, self.deal_steps.asks_blind != 0, self.rules.dummy)

    def state(self, lanes: np.ndarray) -> tuple[Any, Any]:
        """Return lanes and the table as the loop takes them."""
        return (lanes, self._table) if self.interpreted else (lanes[0], self._table[0])

    def strategies(self) -> list[tuple[Any, ...]]:
        """Return the kernels of `blinds`, bidders and players, each padded to one a hand, as the loop takes them."""
        hands = self.rules.hands
        return [tuple((kernels * hands)[:hands]) for kernels in (self._blinds, self._bidders, self._players)]

    def forget_bad_answers(self) -> None:
        """Begin a run in which the first bad answer is yet to come."""
        for kernel in self._kernels:
            if isinstance(kernel, InterpretedKernel):
                kernel.bad.clear()
                kernel.keeps_all = False

    def keep_bad_answers(self) -> None:
        """Have all bad answers of this run kept."""
        for kernel in self._kernels:
            if isinstance(kernel, InterpretedKernel):
                kernel.keeps_all = True

    def reason_for(self, fault: np.void) -> str | None:
        """Return what was wrong with the answer at fault, where the answer alone does not tell."""
        key = (int(fault["game"]), int(fault["deal"]), int(fault["decision"]), int(fault["place"]))
        found = (kernel.bad.get(key) for kernel in self._kernels if isinstance(kernel, InterpretedKernel))
        return next((reason for reason in found if reason is not None), None)

    def records_for(self, n_games: int) -> int:
        """Choose how many batches of lanes to play at once; no result depends on it."""
        most = RECORDS_INTERPRETED if self.interpreted else 1
        return max(1, min(most, n_games // (LANES * GAMES_A_LANE)))


def _for_all(kernel: Any) -> Any:
    return kernel if isinstance(kernel, InterpretedKernel) else over_records(kernel)


class _Run:
    """The state of some games under way."""

    def __init__(self, table: Table, seed: int, game: int, end: int, policy: str):
        rules = setup.as_played(table.rules, policy)
        setup.set_rules(table._table, rules)
        table.forget_bad_answers()
        first_block = game // table.n_seatings
        n_blocks = (end - 1) // table.n_seatings - first_block + 1
        self.table = table
        self.rules = rules
        self.lanes = new_lanes(rules, table.records_for(end - game))
        self.cursor = as_records(np.zeros(1, CURSOR_DTYPE))
        self.cursor["next"], self.cursor["end"] = game, end
        self.cursor["first_block"] = first_block
        self.cursor["seed_key0"], self.cursor["seed_key1"] = seed_keys(seed)
        self.cursor["rows_a_batch"] = self.lanes.size * LANES * rules.players
        self.fault = as_records(np.zeros(1, FAULT_DTYPE))
        self.fault["policy"], self.fault["game"] = POLICIES[policy], NO_FAULT
        n, n_bids = rules.bots, rules.cards_each + 1
        self.deals = np.zeros((n, rules.players, n_bids, n_bids), np.int64)
        self.earned = np.zeros((n, rules.players, n_bids), np.int64)
        self.bid_counts = np.zeros((n_blocks, n, n_bids), np.int32)
        self.results = np.zeros((n_blocks, n, n_result_columns(n)), np.int32)
        self.history, self.log = NO_HISTORY, NO_LOG

    def keep_history(self) -> None:
        """Have the loop write down the tricks and the corrections of each batch."""
        rules, records = self.rules, len(self.lanes)
        self.table.keep_bad_answers()
        self.history = np.zeros((records, rules.cards_each, 1 + rules.hands, LANES), np.int64)
        most = records * LANES * (rules.players + rules.hands * rules.cards_each)
        self.fault = as_records(np.concatenate([self.fault, np.zeros(most, FAULT_DTYPE)]))

    @property
    def corrections(self) -> np.ndarray:
        """The faults of the last batch, where history is kept: FAULT_DTYPE."""
        return self.fault[1 : 1 + int(self.cursor["corrections"][0])]

    def counts(self, rows: list[np.ndarray]) -> Counts:
        """Take stock."""
        fault = self.fault[0].copy()
        if not setup.points_vary(self.rules):
            self.earned = (self.deals * points_by_bid(self.rules)).sum(3)
        return Counts(self.deals, self.earned, self.bid_counts, self.results, fault, self.table.reason_for(fault), rows)
