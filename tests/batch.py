"""A batch of lanes made by hand, for the engine's kernels."""

from collections.abc import Iterator, Sequence

import numpy as np
import reference as ref
from against_reference import twin_rules

from spadesim.bots.prepare import kernel, seatings
from spadesim.bots.registry import Bot
from spadesim.engine.game.deal import deal
from spadesim.engine.game.dummy import lay_dummy, show_dummy
from spadesim.engine.game.lanes import new_lanes
from spadesim.engine.game.setup import set_strategies, set_up
from spadesim.engine.game.tricks import close_play, forbid_total, note_voids, open_play, take_bids, take_cards
from spadesim.rules import Rules


class Batch:
    """One batch of idle lanes and a table: `batch["bids"][seat, lane]`, `kernel(batch.t, batch.r, …)`."""

    def __init__(self, rules: Rules | None = None):
        self.rules = rules or Rules()
        self._lanes = new_lanes(self.rules, 1)
        self._table = set_up(self.rules, seatings(self.rules))

    @property
    def t(self):
        """The lanes as kernels take them."""
        return self._lanes[0]

    @property
    def r(self):
        """The table as kernels take it."""
        return self._table[0]

    def __getitem__(self, name: str) -> np.ndarray:
        return self._lanes[name][0]

    def deal(self, seed: int, first_stream: int = 0, number: int = 0) -> None:
        """Deal each lane the deal of this number from a stream of its own."""
        streams = range(first_stream, first_stream + self["game"].size)
        keys = np.array([ref.game_key(seed, stream) for stream in streams], np.uint64)
        self["game_key0"][:], self["game_key1"][:] = keys.T
        self["dealer"][:] = [self._dealer_before(seed, stream, number) for stream in streams]
        self["game"][:] = streams
        self["deal"][:] = number - 1
        self.deal_next()

    def _dealer_before(self, seed: int, stream: int, number: int) -> int:
        dealer = ref.first_dealer(seed, stream, twin_rules(self.rules))
        return (dealer + number - 1) % self.rules.players

    def deal_next(self) -> None:
        """Deal each lane its next deal."""
        with np.errstate(over="ignore"):  # the hash wraps around on purpose
            deal(self.t, self.r)

    def decisions(self, bot: Bot) -> Iterator[tuple[str, int]]:
        """Let a bot in all seats play the deal; before each answer yield (role, position) for `ask`."""
        self._kernels = {}
        for role in ("bidder", "player"):
            configured = getattr(bot, role)
            self._kernels[role] = kernel(configured, self.rules.hands, False)
            set_strategies(self._table, role, [0] * self.rules.bots, [_numbers(configured.values)])
        for order in range(self.rules.players):
            if self.rules.bid_total_not:
                forbid_total(self.t, self.r, order)
            yield "bidder", order
            self.ask("bidder", order)
            take_bids(self.t, self.r, order)
        if self.rules.dummy:
            lay_dummy(self.t, self.r)
        open_play(self.t, self.r)
        for trick in range(self.rules.cards_each):
            for position in range(self.rules.hands):
                yield "player", position
                self.ask("player", position)
                take_cards(self.t, self.r, position)
                note_voids(self.t)
                if self.rules.dummy and trick + position == 0:
                    show_dummy(self.t)
        close_play(self.t)

    def ask(self, role: str, position: int) -> np.ndarray:
        """Ask the bot for its answers in all lanes, as they are now."""
        self._kernels[role](self.t, self.r, 0, position, True)
        return self["answer"].copy()

    def seats_to_act(self, role: str, position: int) -> np.ndarray:
        """Return whose turn it is in each lane."""
        first = self["winner"] if position == 0 and role == "player" else self["leader"]
        return (first + position) % (self.rules.hands if role == "player" else self.rules.players)

    def swap_hidden_cards(self, role: str, position: int) -> None:
        """Let two hands that the seat to act does not see exchange the cards that they still hold."""
        gone = np.zeros_like(self["played"])
        if role == "player":
            gone = self["played"] | (self["trick"] if position > 0 else 0)
        for lane, seat in enumerate(self.seats_to_act(role, position).tolist()):
            one, other = self._unseen_by(seat, lane)[:2]
            of_one, of_other, left = self["dealt"][one, lane], self["dealt"][other, lane], ~gone[lane]
            self["dealt"][one, lane] = (of_one & ~left) | (of_other & left)
            self["dealt"][other, lane] = (of_other & ~left) | (of_one & left)

    def _unseen_by(self, seat: int, lane: int) -> list[int]:
        """List the hands that a seat does not see, its left first."""
        dummy = int(self["dummy"][lane])
        seen = {seat} | ({dummy} if self["face_up"][lane] else set()) | ({(dummy + 2) % 4} if seat == dummy else set())
        around = [(seat + i) % self.rules.hands for i in range(self.rules.hands)]
        return [other for other in around if other not in seen]


def _numbers(values: Sequence[tuple]) -> list:
    return [value for _, value in values]
