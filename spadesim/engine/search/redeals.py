"""What if: one decision to bid, in many lies of the cards that its seat does not see, with every bid that is allowed.

The unseen cards are dealt anew, each lie as likely as any other, and those lies are kept in which the seats that have
bid would have bid as they did: just so are the true cards distributed, given what the seat knows. Each is then bid and
played to the end by the table's own bots, once for every bid, with the same cards and the same random numbers. The
lanes of a batch, which in a league are games, are here pairs of a redeal and a bid.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import from_dtype, njit, types

from spadesim.engine.compile.cache import FLAGS, engine_digest, inline, kernel, marked, over_records, with_disk_cache
from spadesim.engine.compile.operations import never_inline
from spadesim.engine.game.blind import answer_blind, close_question, open_question
from spadesim.engine.game.deal import draw, seed_keys
from spadesim.engine.game.lanes import GOES_ON, LANES, as_records, new_lanes
from spadesim.engine.game.score import score
from spadesim.engine.game.setup import HANDS_MAX
from spadesim.engine.game.tricks import (
    close_play,
    forbid_total,
    note_high_spades,
    note_voids,
    open_play,
    take_bids,
    take_cards,
)
from spadesim.engine.kernels.lift import kernel_signature, state_types
from spadesim.engine.loop import CURSOR_DTYPE, with_kernels
from spadesim.engine.search.rollouts import chance_of
from spadesim.engine.search.worlds import deal_worlds, key_worlds
from spadesim.engine.table import RECORDS_INTERPRETED, CompiledStrategyRaisedError, Table
from spadesim.rules import Rules

I, U = np.int64, np.uint64  # noqa: E741 - short, for they stand in every line
REDEALS_WORD = 0x5B8E2F91  # keys redeals apart from the deals of a league
MILLION = 1_000_000
ATTEMPTS_A_REDEAL = 1_000  # lies dealt in search of each that is wanted, before the search ends

# fmt: off
PER_SEAT = "bots bids blind scores bags".split()
NUMBERS = "hand seat order dealer deal tie".split()
SITUATION_DTYPE = np.dtype(
    [(name, "i8", (HANDS_MAX,)) for name in PER_SEAT] + [(name, "i8") for name in NUMBERS]
    + [("key0", "u8"), ("key1", "u8")]  # of its redeals
    + [("together", "i8")]  # pairs that are played at a time
    + [(name, "i8") for name in "wanted found attempts attempts_max".split()],  # how far the search for lies got
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
        Lies dealt to find these.
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
        self._find, self._play = interpreted_redeals() if table.interpreted else compiled_redeals(table.rules.hands)
        self._cursor = as_records(np.zeros(1, CURSOR_DTYPE))
        for name, value in table.to_do.items():
            self._cursor[name] = value

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
        lies, keys = np.zeros((redeals, rules.hands), np.int64), np.zeros((redeals, 2), np.uint64)
        blinds, bidders, players = self._table.strategies()
        state = (*self._table.state(self._lanes), self._cursor, now)
        try:
            with np.errstate(over="ignore"):  # the hash wraps around on purpose
                faulty = self._find(*state, blinds, bidders, lies, keys)
                found = int(now["found"][0])
                points, chances = np.zeros((2, found * len(bids)), np.int64)
                results = (self._strengths, bids, lies, keys, points, chances)
                faulty = self._play(*state, blinds, bidders, players, *results) or faulty
        except Exception as error:
            if self._table.interpreted:
                raise
            raise CompiledStrategyRaisedError(f"{type(error).__name__}: {error}") from error
        shape = (found, len(bids))
        attempts = int(now["attempts"][0])
        return Outcomes(
            bids, points.reshape(shape), chances.reshape(shape), lies[:found], keys[:found], attempts, faulty
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


def find_redeals(t, r, cursor, now, blinds, bidders, lies, keys):
    """Deal until enough lies have been found in which the others bid as they did; return whether one bid illegally.

    Parameters
    ----------
    t, r, cursor, blinds, bidders
        As `loop.play` takes them.
    now
        The situation, an array of one SITUATION_DTYPE; `found` and `attempts` are changed in place.
    lies, keys
        Receive the hands, shape (wanted, hands), and the keys, shape (wanted, 2).
    """
    faulty = False
    while now[0]["found"] < now[0]["wanted"] and now[0]["attempts"] < now[0]["attempts_max"]:
        redeal(t, r, now)
        for order in range(now[0]["order"]):
            if ask_for_bids(t, r, cursor, blinds, bidders, order):
                faulty = True
        keep_agreeing(t, r, now, lies, keys)
    return faulty


def play_redeals(
    t, r, cursor, now, blinds, bidders, players, strengths, answers, lies, keys, points, chances
):  # fmt: skip
    """Play each redeal with each bid; return whether an answer was illegal.

    Parameters
    ----------
    strengths
        See `rollouts.chance_of`.
    answers
        The bids.
    points, chances
        Receive what they came to, shape (redeals * bids,).
    """
    faulty = False
    n_players, mine = cursor[0]["n_players"], now[0]["order"]
    for first in range(0, points.size, now[0]["together"]):
        open_pairs(t, r, now, answers, lies, keys, first)
        take_bids(t, r, mine)
        for order in range(mine + 1, cursor[0]["turns"]):
            if ask_for_bids(t, r, cursor, blinds, bidders, order):
                faulty = True
        open_play(t, r)
        for trick in range(cursor[0]["tricks"]):
            for position in range(cursor[0]["hands"]):
                for i in range(n_players):
                    players[i](t, r, i, position, n_players == 1)
                if take_cards(t, r, position):
                    faulty = True
                if cursor[0]["reads_voids"]:
                    note_voids(t)
            if cursor[0]["counts_high_spades"]:
                note_high_spades(t, trick)
        close_play(t)
        score(t, r)
        note_outcomes(t, r, now, strengths, first, points, chances)
    return faulty


def ask_for_bids(t, r, cursor, blinds, bidders, order):
    """Ask whoever bids at this place; return whether one answered illegally."""
    n_bidders, asks_blind = cursor[0]["n_bidders"], cursor[0]["asks_blind"]
    faulty = False
    if cursor[0]["forbids_total"]:
        forbid_total(t, r, order)
    if asks_blind != 0:
        open_question(t, r, order)
        for i in range(n_bidders):
            if (asks_blind >> i) & 1:
                blinds[i](t, r, i, order, False)
        if close_question(t, r, order):
            faulty = True
    for i in range(n_bidders):
        bidders[i](t, r, i, order, n_bidders == 1 and asks_blind == 0)
    if asks_blind != 0:
        answer_blind(t, r, order)
    if take_bids(t, r, order):
        faulty = True
    return faulty


@cache
def compiled_redeals(hands: int) -> tuple[Callable, Callable]:
    """Compile both loops for this many hands, or load them; calls then take any strategies' kernels."""
    asked = types.UniTuple(types.FunctionType(kernel_signature(hands)), hands)
    records = [types.Array(from_dtype(each), 1, "C") for each in (CURSOR_DTYPE, SITUATION_DTYPE)]
    state = [*state_types(hands), *records]
    lies, keys = types.Array(types.int64, 2, "C"), types.Array(types.uint64, 2, "C")
    strengths, numbers = types.Array(types.float64, 2, "C"), types.Array(types.int64, 1, "C")
    find = types.boolean(*state, asked, asked, lies, keys)
    play = types.boolean(*state, asked, asked, asked, strengths, numbers, lies, keys, numbers, numbers)
    ask = njit(**FLAGS)(marked(with_kernels(ask_for_bids, {})))
    both = []
    for loop, signature in ((find_redeals, find), (play_redeals, play)):
        function = marked(with_kernels(loop, {"ask_for_bids": ask}))
        compiled = with_disk_cache(njit(**FLAGS)(function), f"{loop.__name__}{hands}", engine_digest())
        compiled.compile(signature)
        compiled.disable_compile()
        both.append(compiled)
    return both[0], both[1]


@cache
def interpreted_redeals() -> tuple[Callable, Callable]:
    """Make both loops as plain Python, with kernels that go over all records of an array at once."""
    used = [forbid_total, open_question, close_question, answer_blind, take_bids, open_play, take_cards, note_voids]
    used += [note_high_spades, close_play, score, redeal, keep_agreeing, open_pairs, note_outcomes]
    kernels = {each.__name__: over_records(each) for each in used}
    kernels["ask_for_bids"] = with_kernels(ask_for_bids, kernels)
    return with_kernels(find_redeals, kernels), with_kernels(play_redeals, kernels)


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
def keep_agreeing(t, r, now, lies, keys):
    """Keep the lies, in their order, in which all have bid as they did."""
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
                lies[n.found, s] = t.dealt[s, lane]
            keys[n.found, 0], keys[n.found, 1] = t.deal_key0[lane], t.deal_key1[lane]
            n.found += 1


@kernel
def open_pairs(t, r, now, answers, lies, keys, first):
    """Set up lanes at the decision, the bid answered: pair number first + lane of redeals and bids in every lane."""
    never_inline()
    n, last = now[0], now[0].found * answers.size - 1
    for lane in range(LANES):
        pair = min(first + t.record * LANES + lane, last)
        lie = pair // answers.size
        t.answer[lane] = answers[pair % answers.size]
        t.deal_key0[lane], t.deal_key1[lane] = keys[lie, 0], keys[lie, 1]
        for s in range(t.dealt.shape[0]):
            t.dealt[s, lane] = lies[lie, s]
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
