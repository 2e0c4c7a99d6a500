"""What if: one decision to bid, in many layouts of the cards that its seat does not see, with every bid allowed.

The unseen cards are dealt anew, each layout as likely as any other, and those are kept in which the seats that have bid
would have bid as they did: just so are the true cards distributed, given what the seat knows. Each is then bid and
played to the end by the table's own bots, once for every bid, with the same cards and the same random numbers. The
lanes of a batch, which in a league are games, are here pairs of a redeal and a bid.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import from_dtype, types

from spadesim.engine.compile.cache import inline, kernel
from spadesim.engine.compile.operations import never_inline
from spadesim.engine.game.deal import draw, seed_keys
from spadesim.engine.game.lanes import GOES_ON, LANES, as_records, new_lanes
from spadesim.engine.game.phases import (
    begin_play,
    compile_loop,
    end_play,
    in_plain_python,
    make_bids,
    open_bids,
    steps_type,
    take_turn,
)
from spadesim.engine.game.setup import HANDS_MAX
from spadesim.engine.game.tricks import take_bids
from spadesim.engine.kernels.lift import kernel_signature, state_types
from spadesim.engine.search.rollouts import chance_of
from spadesim.engine.search.worlds import deal_worlds, key_worlds
from spadesim.engine.table import RECORDS_INTERPRETED, CompiledStrategyRaisedError, Table
from spadesim.rules import Rules

I, U = np.int64, np.uint64  # noqa: E741 - short, for they stand in every line
REDEALS_WORD = 0x5B8E2F91  # keys redeals apart from the deals of a league
MILLION = 1_000_000
ATTEMPTS_A_REDEAL = 1_000  # layouts dealt in search of each that is wanted, before the search ends

# fmt: off
PER_SEAT = "bots bids blind scores bags".split()
NUMBERS = "hand seat order dealer deal tie".split()
SITUATION_DTYPE = np.dtype(
    [(name, "i8", (HANDS_MAX,)) for name in PER_SEAT] + [(name, "i8") for name in NUMBERS]
    + [("key0", "u8"), ("key1", "u8")]  # of its redeals
    + [("together", "i8")]  # pairs that are played at a time
    + [(name, "i8") for name in "wanted found attempts attempts_max faulty".split()],  # how far the search got
    align=True,
)
# fmt: on


@dataclass(frozen=True)
class Situation:
    """A decision to bid, as its seat sees it.

    Attributes
    ----------
    hand
        The seat's cards, as a mask.
    seat, dealer
        Numbers of seats.
    bots
        By seat, which of the table's bots sits there.
    bids
        By seat, -1 where it has not bid.
    blind
        By seat, whether its bid is a blind nil.
    scores, bags
        By seat, before this deal.
    deal
        The deal's number in its game, 0 first.
    tie
        How the game would have ended but for a tie at the top (a reason of `lanes`), 0 where there was none.
    """

    hand: int
    seat: int
    dealer: int
    bots: Sequence[int]
    bids: Sequence[int]
    scores: Sequence[int]
    bags: Sequence[int]
    blind: Sequence[int] = ()
    deal: int = 0
    tie: int = GOES_ON

    @property
    def order(self) -> int:
        """The seat's place in the bidding, 0 first."""
        return (self.seat - self.dealer - 1) % len(self.bots)


@dataclass
class Outcomes:
    """What the bids came to in each redeal.

    Attributes
    ----------
    bids : (bids,) int64
        The bids that are allowed.
    points : (redeals, bids) int64
        Points of the deal, bag penalties included.
    chances : (redeals, bids) int64
        The chance to win the game from where the deal left it, in millionths.
    hands : (redeals, hands) int64
        The cards, as masks.
    keys : (redeals, 2) uint64
        What the random numbers of each redeal hang on, as those of a deal.
    attempts : int
        Layouts dealt to find these.
    faulty : bool
        Whether a bot gave an answer that the rules do not allow.
    """

    bids: np.ndarray
    points: np.ndarray
    chances: np.ndarray
    hands: np.ndarray
    keys: np.ndarray
    attempts: int
    faulty: bool


class Redeals:
    """Redeal and play on at a table.

    Parameters
    ----------
    table
        Of bots that each play one hand.
    strengths
        A table of chances, as `rollouts.chance_of` takes it.
    """

    def __init__(self, table: Table, strengths: np.ndarray):
        self._table, self._strengths = table, np.ascontiguousarray(strengths, np.float64)
        self._lanes = new_lanes(table.rules, RECORDS_INTERPRETED if table.interpreted else 1)
        compiled = (table.rules.hands, table.deal_steps.asks_blind != 0)
        self._find, self._play = interpreted_redeals() if table.interpreted else compiled_redeals(*compiled)

    def of(self, situation: Situation, redeals: int, key: tuple[np.uint64, np.uint64]) -> Outcomes:
        """Redeal a situation and play it on with every bid.

        Parameters
        ----------
        redeals
            How many; fewer are found where the others' bids are so rare that `ATTEMPTS_A_REDEAL` do not suffice.
        key
            See `key_of`.

        Raises
        ------
        CompiledStrategyRaisedError
            When compiled code of a strategy raises an exception.
        """
        rules, now = self._table.rules, self._write_down(situation, redeals, key)
        bids = allowed_bids(rules, situation)
        layouts, keys = np.zeros((redeals, rules.hands), np.int64), np.zeros((redeals, 2), np.uint64)
        blinds, bidders, players = self._table.strategies()
        state = (*self._table.state(self._lanes), self._table.deal_steps, now)
        try:
            with np.errstate(over="ignore"):  # the hash wraps around on purpose
                self._find(*state, blinds, bidders, layouts, keys)
                found = int(now["found"][0])
                points, chances = np.zeros((2, found * len(bids)), np.int64)
                results = (self._strengths, bids, layouts, keys, points, chances)
                self._play(*state, blinds, bidders, players, *results)
        except Exception as error:
            if self._table.interpreted:
                raise
            raise CompiledStrategyRaisedError(f"{type(error).__name__}: {error}") from error
        shape = (found, len(bids))
        attempts, faulty = int(now["attempts"][0]), bool(now["faulty"][0])
        return Outcomes(
            bids, points.reshape(shape), chances.reshape(shape), layouts[:found], keys[:found], attempts, faulty
        )

    def _write_down(self, situation: Situation, redeals: int, key: tuple[np.uint64, np.uint64]) -> np.ndarray:
        now = np.zeros(1, SITUATION_DTYPE)
        for name in PER_SEAT:
            values = getattr(situation, name)
            now[name][0, : len(values)] = values
        for name in NUMBERS:
            now[name] = getattr(situation, name)
        now["key0"], now["key1"] = key
        now["together"] = self._lanes.size * LANES
        now["wanted"], now["attempts_max"] = redeals, redeals * ATTEMPTS_A_REDEAL
        return as_records(now)


def allowed_bids(rules: Rules, situation: Situation) -> np.ndarray:
    """List the bids that a seat may make (R2.1)."""
    bids = np.arange(rules.min_bid, rules.cards_each + 1)
    if rules.bid_total_not is None or situation.order < rules.players - 1:
        return bids
    others = sum(bid for bid in situation.bids if bid >= 0)
    return bids[bids != rules.cards_each - others]


def key_of(seed: int, *numbers: int) -> tuple[np.uint64, np.uint64]:
    """Key the redeals of a situation by whatever numbers name it."""
    key0, key1 = seed_keys(seed)
    with np.errstate(over="ignore"):
        for number in (REDEALS_WORD, *numbers):
            key0, key1 = draw(key0, key1, U(2 * number)), draw(key0, key1, U(2 * number + 1))
    return key0, key1


# --- The loops: compiled, or as they stand ---------------------------------------------------------------------------


def find_redeals(t, r, steps, now, blinds, bidders, layouts, keys):
    """Deal until enough layouts have been found in which the others bid as they did.

    Parameters
    ----------
    t, r, steps, blinds, bidders
        As `loop.play` takes them.
    now
        The situation, an array of one SITUATION_DTYPE; `found`, `attempts` and `faulty` are changed in place.
    layouts, keys
        Receive the hands, shape (wanted, hands), and the keys, shape (wanted, 2).
    """
    while now[0]["found"] < now[0]["wanted"] and now[0]["attempts"] < now[0]["attempts_max"]:
        redeal(t, r, now)
        for order in range(now[0]["order"]):
            if open_bids(t, r, steps, blinds, order) | make_bids(t, r, steps, bidders, order):
                now[0]["faulty"] = 1
        keep_agreeing(t, r, now, layouts, keys)


def play_redeals(
    t, r, steps, now, blinds, bidders, players, strengths, answers, layouts, keys, points, chances
):  # fmt: skip
    """Play each redeal with each bid.

    Parameters
    ----------
    strengths
        See `rollouts.chance_of`.
    answers
        The bids.
    points, chances
        Receive what they came to, shape (redeals * bids,).
    """
    for first in range(0, points.size, now[0]["together"]):
        open_pairs(t, r, now, answers, layouts, keys, first)
        take_bids(t, r, now[0]["order"])
        for order in range(now[0]["order"] + 1, steps.turns):
            if open_bids(t, r, steps, blinds, order) | make_bids(t, r, steps, bidders, order):
                now[0]["faulty"] = 1
        begin_play(t, r, steps)
        for trick in range(steps.tricks):
            for position in range(steps.hands):
                if take_turn(t, r, steps, players, trick, position):
                    now[0]["faulty"] = 1
        end_play(t, r, steps)
        note_outcomes(t, r, now, strengths, first, points, chances)


@cache
def compiled_redeals(hands: int, asks_blind: bool) -> tuple[Callable, Callable]:
    """Compile both loops for this many hands, or load them."""
    asked = types.UniTuple(types.FunctionType(kernel_signature(hands)), hands)
    state = [*state_types(hands), steps_type(), types.Array(from_dtype(SITUATION_DTYPE), 1, "C")]
    layouts, keys = types.Array(types.int64, 2, "C"), types.Array(types.uint64, 2, "C")
    strengths, numbers = types.Array(types.float64, 2, "C"), types.Array(types.int64, 1, "C")
    find = types.void(*state, asked, asked, layouts, keys)
    play = types.void(*state, asked, asked, asked, strengths, numbers, layouts, keys, numbers, numbers)
    return (
        compile_loop(find_redeals, f"find_redeals{hands}", find, asks_blind, has_dummy=False),
        compile_loop(play_redeals, f"play_redeals{hands}", play, asks_blind, has_dummy=False),
    )


@cache
def interpreted_redeals() -> tuple[Callable, Callable]:
    """Make both loops as plain Python, with kernels that go over all records of an array at once."""
    kernels = [redeal, keep_agreeing, open_pairs, note_outcomes]
    return in_plain_python(find_redeals, kernels), in_plain_python(play_redeals, kernels)


# --- Kernels ---------------------------------------------------------------------------------------------------------


@kernel
def redeal(t, r, now):
    """Deal the unseen cards in every lane, and go back to before the first bid."""
    never_inline()
    n, hands = now[0], t.dealt.shape[0]
    places, voids = np.full(hands, r.cards_each), np.zeros(hands, np.int64)
    places[n.seat] = r.set_aside  # what is set aside goes to one's own row, which is filled in behind it
    key_worlds(t, n.key0, n.key1, n.attempts + t.record * LANES)
    deal_worlds(t, r.deck & ~n.hand, places, voids)
    for lane in range(LANES):
        t.dealt[n.seat, lane] = n.hand
    for s in range(hands):
        for lane in range(LANES):
            t.bids[s, lane] = -1
            t.blind[s, lane] = 0
    lay_out(t, r, n)


@kernel
def keep_agreeing(t, r, now, layouts, keys):
    """Keep the layouts, in their order, in which all have bid as they did."""
    never_inline()
    n = now[0]
    for lane in range(LANES):
        if n.found == n.wanted or n.attempts == n.attempts_max:
            return
        n.attempts += 1
        differ = I(0)
        for s in range(t.dealt.shape[0]):
            differ |= (t.bids[s, lane] ^ n.bids[s]) | (t.blind[s, lane] ^ n.blind[s])
        if differ == 0:
            for s in range(t.dealt.shape[0]):
                layouts[n.found, s] = t.dealt[s, lane]
            keys[n.found, 0], keys[n.found, 1] = t.deal_key0[lane], t.deal_key1[lane]
            n.found += 1


@kernel
def open_pairs(t, r, now, answers, layouts, keys, first):
    """Set up lanes at the decision, the bid answered: pair number first + lane of redeals and bids in every lane."""
    never_inline()
    n, last = now[0], now[0].found * answers.size - 1
    for lane in range(LANES):
        pair = min(first + t.record * LANES + lane, last)
        layout = pair // answers.size
        t.answer[lane] = answers[pair % answers.size]
        t.deal_key0[lane], t.deal_key1[lane] = keys[layout, 0], keys[layout, 1]
        for s in range(t.dealt.shape[0]):
            t.dealt[s, lane] = layouts[layout, s]
    for s in range(t.dealt.shape[0]):
        for lane in range(LANES):
            t.bids[s, lane] = n.bids[s]
            t.blind[s, lane] = n.blind[s]
    lay_out(t, r, n)


@inline
def lay_out(t, r, n):
    """Set up what the hands and bids do not matter to."""
    hands = t.dealt.shape[0]
    for s in range(hands):
        bot = n.bots[s]
        for lane in range(LANES):
            t.bots[s, lane] = bot
            t.bidders[s, lane] = r.bidder_of[bot]
            t.players[s, lane] = r.player_of[bot]
            t.scores[s, lane] = n.scores[s]
            t.bags[s, lane] = n.bags[s]
            t.voids[s, lane] = t.taken[s, lane] = t.reneges[s, lane] = 0
    for lane in range(LANES):
        t.game[lane] = t.fault_seat[lane] = t.played[lane] = t.high_spades[lane] = 0
        t.deal[lane] = n.deal
        t.tie[lane] = n.tie
        t.dealer[lane] = n.dealer
        t.leader[lane] = t.winner[lane] = (n.dealer + 1) % hands
        t.broken[lane] = r.broken_at_first
        t.bid_not[lane] = -1
        t.asked[lane] = 1


@kernel
def note_outcomes(t, r, now, strengths, first, points, chances):
    """Write down what each lane's pair came to."""
    never_inline()
    seat, start = now[0].seat, first + t.record * LANES
    for lane in range(min(LANES, points.size - start)):
        points[start + lane] = t.points[seat, lane]
        chances[start + lane] = I(chance_of(t, r, lane, seat, strengths) * MILLION + 0.5)
