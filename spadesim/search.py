"""Search for strategies: value what a seat could answer by playing it on in many worlds.

A *world* is a layout of the unseen cards that agrees with what the seat knows; a *rollout* plays one on to the end of
the deal, with a quick player at all seats; its worth is the chance to win the game from there.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from spadesim.bots import loading
from spadesim.bots.chances import CHANCES
from spadesim.bots.strategy import Strategy
from spadesim.cards import SPADES
from spadesim.engine.kernels.lift import fields_named, lift, reads_voids
from spadesim.engine.search.by_hands import by_hands, new_seen
from spadesim.engine.search.ending_values import ending_evaluator
from spadesim.engine.search.endings import max_n, paranoid, steps_for
from spadesim.engine.search.rollouts import ACROSS, bid_evaluator, card_evaluator
from spadesim.errors import StrategyError

__all__ = [
    "ACROSS", "CHANCES", "max_n", "paranoid", "steps_for", "make_bid_evaluator", "make_card_evaluator",
    "make_ending_evaluator",
]  # fmt: skip


def make_card_evaluator(player: Callable[..., Any], chances: np.ndarray) -> Callable[..., Any]:
    """Make a function that values the cards which a seat may play.

    Parameters
    ----------
    player
        A compiled player, which plays all seats of the rollouts, with the defaults of its parameters.
    chances
        Strengths by bags held and points to go, shape (tenths of the bag limit, points / 5): a bot's chance to win the
        game is its own by the sum of all.

    Returns
    -------
    callable
        `card_values(view, worlds, seed, by_bids)`, for players: arrays of the cards that differ, lowest first, and of
        the chances to win with each; where there is but one card, a chance of 0.
    """
    _check_policy(player, "player")
    _check_chances(chances)

    def make(hands: int) -> Any:
        policy, notes_voids = _policy(player, "player", hands)
        return card_evaluator(policy, notes_voids, hands)

    value = by_hands(make, *_named("cards", player))

    def card_values(view: Any, worlds: Any, seed: Any, by_bids: Any) -> Any:
        """Value the legal cards: arrays of the cards that differ, lowest first, and of the chances to win with each."""
        return value(view.rules, observe_play(view), chances, worlds, seed, by_bids)

    return card_values


def make_bid_evaluator(
    bidder: Callable[..., Any], player: Callable[..., Any], chances: np.ndarray
) -> Callable[..., Any]:
    """Make a function that values bids: later bids are made by `bidder`, and all cards played by `player`."""
    _check_policy(bidder, "bidder")
    _check_policy(player, "player")
    _check_chances(chances)

    def make(hands: int) -> Any:
        later_bids, _ = _policy(bidder, "bidder", hands)
        policy, notes_voids = _policy(player, "player", hands)
        return bid_evaluator(later_bids, policy, notes_voids, hands)

    value = by_hands(make, *_named("bids", bidder, player))

    def bid_values(view: Any, worlds: Any, seed: Any, by_bids: Any, low: Any, high: Any, nil: Any) -> Any:
        """Value the bids from low to high, and 0 too if asked: arrays of the bids, and of the chances to win."""
        return value(view.rules, observe_bidding(view), chances, worlds, seed, by_bids, low, high, nil, view.bid_not)

    return bid_values


def make_ending_evaluator(chances: np.ndarray) -> Callable[..., Any]:
    """Make a function that values cards by exact search of all tricks left, in each world every seat for itself."""
    _check_chances(chances)
    value = by_hands(ending_evaluator, "search-endings", "")

    def ending_values(view: Any, worlds: Any, seed: Any, by_bids: Any) -> Any:
        """Value the legal cards: arrays of the cards that differ, lowest first, and of the chances to win with each."""
        return value(view.rules, observe_play(view), chances, worlds, seed, by_bids)

    return ending_values


def _check_policy(function: Callable[..., Any], role: str) -> None:
    strategy = getattr(function, "__spadesim__", None)
    if not isinstance(strategy, Strategy) or (strategy.role, strategy.kind) != (role, "compiled"):
        name = getattr(function, "__name__", function)
        raise StrategyError(f"rollouts cannot be played by {name!r}; expected a compiled {role}, marked with @{role}")


def _check_chances(chances: np.ndarray) -> None:
    if not isinstance(chances, np.ndarray) or chances.ndim != 2 or chances.dtype != np.float64:
        said = f"of shape {chances.shape} and {chances.dtype}" if isinstance(chances, np.ndarray) else type(chances)
        raise StrategyError(f"chances are {said}; expected an array of float64 of shape (bags, points)")
    if chances.size == 0 or not (np.isfinite(chances) & (chances > 0)).all():
        raise StrategyError("chances are empty, or some are not above 0; expected a strength above 0 in every place")


def _policy(function: Callable[..., Any], role: str, hands: int) -> tuple[Any, bool]:
    strategy: Strategy = function.__spadesim__  # type: ignore[attr-defined]
    helpers = loading.helpers_of(function)
    kernel = lift(function, role, {}, helpers, loading.digest(function), f"{strategy.name}-as-policy", hands)
    return kernel, reads_voids(fields_named([function, *helpers], role))


def _named(what: str, *functions: Callable[..., Any]) -> tuple[str, str | None]:
    digests = [loading.digest(function) for function in functions]
    return f"search-{what}-{functions[-1].__name__}", None if None in digests else "".join(map(str, digests))


def observe_play(view: Any) -> Any:
    """Write down what a player sees, by rows of a batch: its own is row 0, or the last when it plays the dummy's hand.

    So the dummy's hand is never in row 0, and the rows are such as the engine makes of the four hands (R8).
    """
    hands = view.players
    me = hands - 1 if view.dummy == 0 else 0
    seen = new_seen(view.bids)
    for i in range(hands):
        row = (me + i) % hands
        observe_seat(view, seen, row, i)
        seen[0]["taken"][row], seen[0]["cards"][row], seen[0]["shown"][row] = (
            view.taken[i],
            view.cards[i],
            view.shown[i],
        )
        seen[0]["open"][row], seen[0]["voids"][row] = view.open[i], view.voids[i]
        seen[0]["excluded"][row] = view.voids[i] if i > 0 else 0
    seen[0]["unseen"], seen[0]["legal"], seen[0]["played"], seen[0]["trick"] = (
        view.unseen,
        view.legal,
        view.played,
        view.trick,
    )
    seen[0]["led"], seen[0]["beats"], seen[0]["broken"] = view.led, view.beats, SPADES * view.broken
    seen[0]["leader"], seen[0]["winner"] = (me + view.leader) % hands, (me + view.winning) % hands
    seen[0]["position"], seen[0]["tricks_left"] = view.position, view.tricks_left
    seen[0]["dummy"] = (me + view.dummy) % hands if view.dummy >= 0 else -1
    seen[0]["declarer"] = (seen[0]["dummy"] + 1) % 3
    seen[0]["mine"] = seen[0]["declarer"] if view.dummy == 0 else 0
    observe_table(view, seen, me, seen[0]["mine"])
    return seen


def observe_bidding(view: Any) -> Any:
    """Write down what a bidder sees, by rows of a batch: its own is row 0, unless a dummy's hand must be the last."""
    hands = view.players
    me = hands - 1 - view.dummy if view.dummy >= 0 else 0
    seen = new_seen(view.bids)
    for i in range(hands):
        observe_seat(view, seen, (me + i) % hands, i)
    seen[0]["open"][me] = view.hand
    seen[0]["unseen"], seen[0]["tricks_left"], seen[0]["mine"] = view.unseen, view.cards_each, me
    observe_table(view, seen, me, me)
    seen[0]["leader"] = (seen[0]["dealer"] + 1) % turns(view)
    return seen


def observe_seat(view: Any, seen: Any, row: Any, i: Any) -> None:
    """Write down what is known of seat i, whatever the stage."""
    seen[0]["bids"][row], seen[0]["blind"][row] = view.bids[i], view.blind[i]
    seen[0]["scores"][row], seen[0]["bags"][row] = view.scores[i], view.bags[i]


def observe_table(view: Any, seen: Any, me: Any, seat: Any) -> None:
    """Write down who sees, from which seat among those that bid, and its random number."""
    seen[0]["me"], seen[0]["order"], seen[0]["random"] = me, view.order, view.random
    seen[0]["dealer"] = (seat - view.order - 1) % turns(view)


def turns(view: Any) -> Any:
    """Count those who bid."""
    return view.players - 1 if view.dummy >= 0 else view.players
