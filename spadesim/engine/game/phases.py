"""The order of a deal: what is asked, entered and remembered at each place in the bidding and in a trick.

It is written once, for all that play deals: the league's loop, redeals and rollouts. They differ in who answers (the
kernels they pass) and in what they make of an illegal answer: a phase in which there may be one returns whether there
was. Like the loop, a phase is one Python function, used compiled or as it stands.
"""

from collections.abc import Callable
from types import FunctionType
from typing import NamedTuple

import numpy as np
from numba import njit, types

from spadesim.engine.compile.cache import FLAGS, engine_digest, inline_or_plain, marked, over_records, with_disk_cache
from spadesim.engine.game.blind import answer_blind, close_question, open_question
from spadesim.engine.game.dummy import lay_dummy, show_dummy, take_up_dummy
from spadesim.engine.game.score import score
from spadesim.engine.game.tricks import (
    close_play,
    forbid_total,
    note_high_spades,
    note_voids,
    open_play,
    share_needs,
    take_bids,
    take_cards,
)

# The stages, by what is asked: whether to bid nil blind, a bid, a card. As literals, each would compile `settle` anew.
BLIND, BID, PLAY = np.int64(0), np.int64(1), np.int64(2)


class Steps(NamedTuple):
    """What the deals of a table consist of, by its rules and its strategies; integers, as compiled code takes them."""

    hands: int
    turns: int  # seats that bid
    tricks: int
    n_bidders: int  # distinct bidders and players
    n_players: int
    asks_blind: int  # bit i is set where bidder i is asked whether it bids nil blind
    notes_voids: int
    forbids_total: int
    has_dummy: int
    shares_needs: int
    counts_high_spades: int


@inline_or_plain
def steps_of(r, n_bidders, n_players, asks_blind, notes_voids):
    """Find the steps of deals by the rules in a table's record."""
    return Steps(
        r["hands"], r["players"], r["cards_each"], n_bidders, n_players, asks_blind, notes_voids, r["total_not"],
        r["dummy"], r["paired"], r["high_spade_bonus"],
    )  # fmt: skip


def steps_type() -> types.NamedUniTuple:
    """Make the compiled type of steps."""
    return types.NamedUniTuple(types.int64, len(Steps._fields), Steps)


def phase(function):
    """Copy a phase into the loops that call it: compiled apart, each would be optimized once more with all it calls."""
    return njit(inline="always", **FLAGS)(marked(function))


@phase
def open_bids(t, r, steps, blinds, order):
    """Find what may not be bid at this place, and ask for blind nils where they may be (R2.3)."""
    if steps.forbids_total != 0:
        forbid_total(t, r, order)
    if steps.asks_blind == 0:
        return False
    open_question(t, r, order)
    for i in range(steps.n_bidders):
        if (steps.asks_blind >> i) & 1:
            blinds[i](t, r, i, order, False)
    return close_question(t, r, order)


@phase
def make_bids(t, r, steps, bidders, order):
    """Ask whoever bids at this place, but for blind nils, and enter the bids (R2.1)."""
    for i in range(steps.n_bidders):
        bidders[i](t, r, i, order, steps.n_bidders == 1 and steps.asks_blind == 0)
    if steps.asks_blind != 0:
        answer_blind(t, r, order)
    return take_bids(t, r, order)


@phase
def begin_play(t, r, steps):
    """Go from the bids to the first lead."""
    if steps.has_dummy != 0:
        lay_dummy(t, r)
    open_play(t, r)
    if steps.shares_needs != 0:
        share_needs(t, r)


@phase
def take_turn(t, r, steps, players, trick, position):
    """Ask whoever plays at this position of a trick, and play their cards."""
    for i in range(steps.n_players):
        players[i](t, r, i, position, steps.n_players == 1)
    return play_cards(t, r, steps, trick, position)


@phase
def play_cards(t, r, steps, trick, position):
    """Play the cards answered at this position of a trick, and note what they show."""
    wrong = take_cards(t, r, position)
    if steps.notes_voids != 0:
        note_voids(t)
    if steps.has_dummy != 0 and trick + position == 0:
        show_dummy(t)
    if position == steps.hands - 1:
        if steps.shares_needs != 0:
            share_needs(t, r)
        if steps.counts_high_spades != 0:
            note_high_spades(t, trick)
    return wrong


@phase
def end_play(t, r, steps):
    """Go from the last trick to the score."""
    close_play(t)
    if steps.has_dummy != 0:
        take_up_dummy(t)
    score(t, r)


PHASES = [open_bids, make_bids, begin_play, play_cards, take_turn, end_play]  # what calls another comes after it
KERNELS = [
    forbid_total, open_question, close_question, answer_blind, take_bids, lay_dummy, open_play, share_needs,
    take_cards, note_voids, show_dummy, note_high_spades, close_play, take_up_dummy, score,
]  # fmt: skip
BLIND_KERNELS = [open_question, close_question, answer_blind]
DUMMY_KERNELS = [lay_dummy, show_dummy, take_up_dummy]


def compile_loop(loop: Callable, name: str, signature, asks_blind: bool, has_dummy: bool) -> Callable:
    """Compile a loop that calls phases, or load it; calls then take any strategies' kernels as they are.

    Kernels for a blind nil and for a dummy take seconds to compile, so a loop for rules without does without them.
    """
    left_out = ([] if asks_blind else BLIND_KERNELS) + ([] if has_dummy else DUMMY_KERNELS)
    made = with_phases(loop, {kernel.__name__: never_called for kernel in left_out}, phase)
    name += "-blind" * asks_blind + "-dummy" * has_dummy
    compiled = with_disk_cache(njit(**FLAGS)(marked(made)), name, engine_digest())
    compiled.compile(signature)
    compiled.disable_compile()
    return compiled


def in_plain_python(loop: Callable, kernels: list) -> Callable:
    """Make a loop that calls phases and these kernels as plain Python, over all records of arrays at once."""
    return with_phases(loop, {kernel.__name__: over_records(kernel) for kernel in [*KERNELS, *kernels]}, lambda f: f)


def with_phases(loop: Callable, kernels: dict[str, Callable], make: Callable) -> Callable:
    """Make a loop that calls these kernels, itself and in its phases, each phase made anew by `make`."""
    names = dict(kernels)
    for function in PHASES:
        names[function.__name__] = make(with_kernels(function, names))
    return with_kernels(loop, names)


def with_kernels(function: Callable, kernels: dict[str, Callable]) -> Callable:
    """Make the same function with others for some that it calls."""
    plain = getattr(function, "py_func", function)
    return FunctionType(plain.__code__, plain.__globals__ | kernels)


@njit(**FLAGS)
def never_called(*arguments):
    """Take the place of a kernel that was left out."""
    return False
