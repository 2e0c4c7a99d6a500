"""What if: hands in their true situation, redealt and played on with every bid, and each bidder's distance to the best.

The hands come from games of the bots themselves; what is redealt, and what the others then do, is the engine's
(`engine.redeals`). Half of the redeals serve to choose a best bid, the other half to measure what it is worth, and the
other way round (`regret`).
"""

import hashlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from pydantic import Field

from spadesim import limits
from spadesim.bots.bidding import bid_of, view_of
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import Bot, find_strategies
from spadesim.designs.config import check_spec
from spadesim.designs.kinds import Experiment
from spadesim.designs.league.play import processes
from spadesim.designs.league.spec import Job, LeagueSpec, bot_beside
from spadesim.designs.whatif.situations import Decision, choose, tie_after
from spadesim.designs.with_tables import WithTables
from spadesim.engine.game.setup import as_played
from spadesim.engine.search.redeals import Outcomes, Redeals, Situation, key_of
from spadesim.engine.table import CompiledStrategyRaisedError
from spadesim.errors import BotFault, StrategyError, UsageError, count_of
from spadesim.limits import HANDS_MAX, REDEALS_MAX
from spadesim.rules import Rules, as_rules
from spadesim.storage import manifests
from spadesim.storage.pieces import Pieces
from spadesim.tournament.chunks import work_through
from spadesim.tournament.progress import Reporter

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.plots.drawing import Plot

KIND = "whatif"
HANDS_A_CHUNK = 10
SETS = 2  # of redeals: one to choose the best bid, a fresh one to measure it


class WhatIfSpec(Experiment):
    """What a what-if study is.

    Attributes
    ----------
    whatif
        The bots of one table, as ``bidder+player``.
    hands
        Decisions to bid that are looked at.
    redeals
        In each of the two sets, for every hand.
    rules
        By which each bot plays one hand.
    """

    whatif: tuple[str, ...] = Field(strict=False)
    hands: int = Field(limits.WHATIF_HANDS, ge=1, le=HANDS_MAX)
    redeals: int = Field(limits.WHATIF_REDEALS, ge=1, le=REDEALS_MAX)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return "regret", "nils", "regret_by", "curves"

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return "regret", "nils"

    def beside(self, folder: Path) -> Self:
        """Take the files that it names as lying in a folder, those of bots included."""
        bots = tuple(bot_beside(bot, folder) for bot in self.whatif)
        return super().beside(folder).model_copy(update={"whatif": bots})


class Study:
    """A study that is ready: a chunk of hands is a pure function of the spec and of its number.

    Raises
    ------
    UsageError
        When there are not as many bots as the rules seat, or the rules let one play two hands.
    """

    def __init__(self, spec: WhatIfSpec):
        shared = {name: getattr(spec, name) for name in ("seed", "rules", "load")}
        self.spec = spec
        self.rules = as_rules(spec.rules)
        _check_seats(spec.whatif, self.rules)
        self.job = Job(LeagueSpec(**shared, bots=spec.whatif, log="deals"))
        self.n_chunks = -(-spec.hands // HANDS_A_CHUNK)

    def __reduce__(self):
        return Study, (self.spec,)

    @cached_property
    def redeals(self) -> Redeals:
        """The table, compiled."""
        return _redeals(self.job.bots, self.rules)

    def compile(self) -> None:
        """Compile all strategies, or load them."""
        self.job.compile()
        _ = self.redeals

    def manifest(self) -> dict[str, Any]:
        """Say what is studied, for the folder."""
        strengths = hashlib.sha256(_strengths().tobytes()).hexdigest()
        return {
            "kind": KIND,
            "spec": self.spec.model_dump(mode="json"),
            "rules": self.rules.as_dict(),
            "bots": [bot.name for bot in self.job.bots],
            "sources": self.job.source_digests() | {"chances": strengths},
        }

    def __call__(self, chunk: int) -> dict[str, np.ndarray]:
        """Look at the hands of a chunk: arrays with a row a hand (see `_row`)."""
        first = chunk * HANDS_A_CHUNK
        n = min(HANDS_A_CHUNK, self.spec.hands - first)
        _, rows = self.job.play(self.job.tables[0], first, n)  # as many blocks as hands
        decisions = choose(np.concatenate(rows), self.rules, self.spec.seed, n)
        if not decisions:
            raise UsageError("these bots bid nothing but blind nils; what-if expected bids of hands that were seen")
        looked_at = [self._look_at(decision) for decision in decisions]
        return {name: np.stack([each[name] for each in looked_at]) for name in looked_at[0]}

    def _look_at(self, decision: Decision) -> dict[str, np.ndarray]:
        now = decision.situation
        key = key_of(self.spec.seed, decision.game, now.deal, now.seat)
        where = f"of game {decision.game}, deal {now.deal}, seat {now.seat}"
        outcomes = _play(self.redeals, now, self.spec.redeals, key, where)
        source = {"game": decision.game, "block": decision.game // self.job.n_seatings}
        row = {name: np.array(value, np.int64) for name, value in source.items()}
        return row | _row(now, decision.bid, outcomes, self.rules)


def _check_seats(bots: Sequence[str], rules: Rules) -> None:
    if rules.bots != rules.hands:
        why = "a dummy's hand" if rules.dummy else "partners"
        raise UsageError(f"rules {rules.name!r} have {why}; what-if expected rules by which a bot plays one hand")
    if len(bots) != rules.bots:
        raise UsageError(f"{count_of(len(bots), 'bot')} named; what-if expected {rules.bots}, the table of these rules")


def _strengths() -> np.ndarray:
    from spadesim.bots.chances import CHANCES

    return CHANCES


def _redeals(bots: Sequence[Bot], rules: Rules) -> Redeals:
    return Redeals(make_table(bots, as_played(rules, "stop")), _strengths())


def _play(
    redeals: Redeals, now: Situation, wanted: int, key: tuple[np.uint64, np.uint64], where: str
) -> Outcomes:  # fmt: skip
    """Redeal both sets; an answer that the rules do not allow ends the study."""
    tell = "`spadesim check` finds out which"
    try:
        outcomes = redeals.of(now, SETS * wanted, key)
    except CompiledStrategyRaisedError as error:
        raise StrategyError(f"a strategy raised {error} in a redeal {where}; {tell}") from None
    if outcomes.faulty:
        message = f"a strategy gave an answer that is not legal in a redeal {where}; {tell}"
        raise BotFault(message, {"reason": "an answer that is not legal", "where": where})
    return outcomes


def _row(now: Situation, bid: int, outcomes: Outcomes, rules: Rules) -> dict[str, np.ndarray]:
    """Add up a hand's outcomes.

    Returns
    -------
    dict of array
        `bids` in the order made, -1 where none; `scores` and `bags` from one's own seat to the left; `redeals` of each
        set; `allowed` (bids,); and for points and chances (in millionths) sums and sums of squares, shape (sets, bids),
        and over both sets the squares of what each bid brings more than the one made, shape (bids,).
    """
    players, half = rules.players, len(outcomes.points) // SETS
    around = [(now.seat + i) % players for i in range(players)]
    numbers = {"deal": now.deal, "seat": now.seat, "order": now.order, "bot": now.bots[now.seat], "hand": now.hand}
    numbers |= {"bid": bid, "redeals": half, "attempts": outcomes.attempts}
    row = {name: np.array(value, np.int64) for name, value in numbers.items()}
    row["bids"] = np.array([now.bids[(now.dealer + 1 + i) % players] for i in range(players)], np.int64)
    row["scores"], row["bags"] = (np.array(values, np.int64)[around] for values in (now.scores, now.bags))
    row["allowed"] = np.isin(np.arange(rules.cards_each + 1), outcomes.bids).astype(np.int64)
    for name, values in (("points", outcomes.points), ("chances", outcomes.chances)):
        wide = np.zeros((SETS, half, rules.cards_each + 1), np.int64)
        wide[:, :, outcomes.bids] = values[: SETS * half].reshape(SETS, half, -1)
        row[f"{name}_sum"], row[f"{name}_squares"] = wide.sum(1), (wide**2).sum(1)
        row[f"{name}_gains"] = ((wide - wide[:, :, [bid]]) ** 2).sum((0, 1))
    return row


@dataclass(repr=False)
class WhatIf(WithTables):
    """A what-if study.

    Attributes
    ----------
    spec, rules
        What was studied, by which rules.
    bots
        The names, in the order of the table.
    tables : dict of DataFrame
        `regret`, `nils`, `regret_by` and `curves` (docs/WHATIF.md); each is an attribute too: ``result.regret``.
    hands
        How many were looked at.
    complete
        Whether all were.
    failures
        None: a strategy at fault ends the study.
    """

    kind = "what-if study"

    spec: WhatIfSpec
    rules: Rules
    bots: list[str]
    tables: "dict[str, pd.DataFrame]"
    hands: int
    complete: bool = True
    failures: list[dict] = field(default_factory=list)

    @property
    def games_played(self) -> int:
        """Games that the hands come from, one each."""
        return self.hands

    def __repr__(self) -> str:
        return f"<WhatIf of {', '.join(self.bots)}: {self.hands:,} hands; tables {', '.join(self.tables)}>"

    def plot_regret(self) -> "Plot":
        """Show how far each bot's bids lie below the best."""
        from spadesim.plots import charts  # matplotlib takes long to import

        return charts.regret(self.regret)

    def plot_curves(self) -> "Plot":
        """Show what every bid of a few hands would have brought."""
        from spadesim.plots import charts

        return charts.curves(self.curves)


def whatif(
    bots: Sequence[str], *, hands: int = limits.WHATIF_HANDS, redeals: int = limits.WHATIF_REDEALS,
    seed: int = limits.SEED, rules: str = "cutthroat", load: Sequence[str] = (), workers: int = 0,
    out: str | None = None, resume: bool = False,
) -> WhatIf:  # fmt: skip
    """Find out what each bid would have brought, hand by hand, and how far each bidder is from the best.

    Parameters
    ----------
    bots
        Those of one table, such as ``["quick+need_or_duck", "honors+boss", "nil_tips+boss"]``.
    hands
        Decisions to bid, chosen from games of these bots.
    redeals
        Lies of the unseen cards, in each of two sets, that are played with every bid; those that do not fit the bids
        made before are left out.
    seed
        The same seed gives the same tables to the byte, whatever the workers.
    rules, load
        As in `spadesim.league`; each bot plays one hand.
    workers
        Processes to work in; 0 for this one.
    out
        A new folder for the tables as CSV, and for what has been found, chunk by chunk.
    resume
        Whether to go on with the study in `out`, if there is one.

    Returns
    -------
    WhatIf
        With the frames `regret`, `nils`, `regret_by` and `curves`.

    Raises
    ------
    UsageError
        When something is named that does not exist or a number is out of range.
    BotFault
        When a bot gives an answer that the rules do not allow, in a game or in a redeal.

    Examples
    --------
    >>> from spadesim import whatif
    >>> found = whatif(["quick+need_or_duck"] * 3, hands=3, redeals=10)
    >>> len(found.curves), found.regret["bot"].tolist()[-2:]
    (54, ['what-if by points', 'what-if by chance'])
    """
    names = {"whatif": bots, "load": load}
    values: dict[str, Any] = {name: each if isinstance(each, str) else tuple(each) for name, each in names.items()}
    values |= {"hands": hands, "redeals": redeals, "seed": seed, "rules": rules}
    return run(check_spec(values), workers=workers, out=out, resume=resume)


def run(
    spec: WhatIfSpec, *, workers: int | None = 0, out: str | None = None, resume: bool = False,
    shard_timeout: float = 0.0, scheduler: str = "", reporter: Reporter | None = None,
) -> WhatIf:  # fmt: skip
    """Do a what-if study (see `whatif`), arguments as in `runs.run`; without a limit of time, and on no cluster."""
    reporter, workers = reporter or Reporter(), processes(workers)
    if scheduler:
        raise UsageError(f"scheduler is {scheduler!r}, but a what-if study plays on this machine; leave it out")
    manifests.check_out(out, resume)
    what = Study(spec)
    with Pieces(out, what.manifest(), resume) if out is not None else nullcontext() as pieces:
        what.compile()
        found, complete = _look_at_all(what, pieces, workers, reporter)
        rows = {name: np.concatenate([found[chunk][name] for chunk in sorted(found)]) for name in found[min(found)]}
        names = [bot.name for bot in what.job.bots]
        result = WhatIf(spec, what.rules, names, _tables(rows, names, what.rules), len(rows["bid"]), complete)
        _tell_of_few(rows, spec.redeals, reporter)
        if pieces is not None:
            pieces.finish(result.tables, complete)
    redeals = f"{spec.redeals:,} redeals to choose and as many to measure"
    reporter.note(f"seed {spec.seed}, {result.hands:,} hands, {redeals}")
    return result


def _look_at_all(
    what: Study, pieces: Pieces | None, workers: int, reporter: Reporter
) -> tuple[dict[int, dict[str, np.ndarray]], bool]:
    """Look at what has not been looked at; give the arrays of each chunk, and whether there are all."""
    there = {chunk: pieces.read(_name(chunk)) if pieces is not None else None for chunk in range(what.n_chunks)}
    found = {chunk: arrays for chunk, arrays in there.items() if arrays is not None}
    for name in pieces.damaged if pieces is not None else []:
        reporter.note(f"the piece {name} is damaged; its hands are looked at again")

    def take(chunk: int, arrays: dict[str, np.ndarray]) -> None:
        if pieces is not None:
            pieces.keep(_name(chunk), arrays)
        found[chunk] = arrays

    left = [chunk for chunk in range(what.n_chunks) if chunk not in found]
    reporter.start(len(left), f"chunks of {HANDS_A_CHUNK} hands")
    try:
        complete = work_through(what, left, workers=workers, take=take, reporter=reporter)
    finally:
        reporter.stop()
    if not found:
        raise KeyboardInterrupt
    return found, complete


def _name(chunk: int) -> str:
    return f"hands-{chunk * HANDS_A_CHUNK:07}"


def _tables(rows: dict[str, np.ndarray], names: Sequence[str], rules: Rules) -> "dict[str, pd.DataFrame]":
    from spadesim.designs.whatif.tables import make_tables  # pandas takes long to import

    return make_tables(rows, names, rules)


def _tell_of_few(rows: dict[str, np.ndarray], redeals: int, reporter: Reporter) -> None:
    """Say where the bids made before are so rare that fewer redeals fit them than were asked for."""
    few, none = (int((rows["redeals"] < least).sum()) for least in (redeals, 1))
    if few:
        reporter.note(
            f"the bids before are so rare for {few:,} of {count_of(len(rows['bid']), 'hand')} that fewer redeals were"
            f" found than {redeals:,} twice; {none:,} of these have no regret, as there were less than two"
        )


def one_hand(
    bots: Sequence[str], hand: str, *, bids: Sequence[int] = (), scores: Sequence[int] = (), bags: Sequence[int] = (),
    order: int | None = None, redeals: int = limits.WHATIF_REDEALS, seed: int = limits.SEED,
    rules: Rules | str | None = None, load: Sequence[str] = (),
) -> "pd.DataFrame":  # fmt: skip
    """Find out what each bid would bring with a chosen hand.

    Parameters
    ----------
    bots
        Who holds the hand, then the others to the left.
    hand, bids, scores, bags, order
        As in `bidding.ask`.
    redeals, seed, rules, load
        As in `whatif`.

    Returns
    -------
    DataFrame
        As `curves` of a study.

    Raises
    ------
    UsageError
        As in `whatif` and `bidding.ask`; also when no redeal is found in which the others would bid as they did.
    """
    rules = as_rules(rules)
    spec = check_spec({"whatif": tuple(bots), "redeals": redeals, "seed": seed})
    _check_seats(bots, rules)
    seated = find_strategies(load).field(bots)
    view = view_of(hand, rules, bids=bids, scores=scores, bags=bags, order=order)
    now = Situation(
        hand=view.hand, seat=0, dealer=(-view.order - 1) % rules.players, bots=tuple(range(rules.players)),
        bids=view.bids, blind=(0,) * rules.players, scores=view.scores, bags=view.bags,
        tie=tie_after(np.array([view.scores]), rules),
    )  # fmt: skip
    bid = bid_of(seated[0].bidder, view)
    outcomes = _play(_redeals(seated, rules), now, spec.redeals, key_of(seed, 0), "of this hand")
    if len(outcomes.points) < SETS:
        before = ", ".join(map(str, bids))
        raise UsageError(
            f"bids are {before}, which the others bid in {len(outcomes.points)} of {outcomes.attempts:,} redeals;"
            f" expected bids that they make more often"
        )
    row = _row(now, bid, outcomes, rules) | {name: np.array(0) for name in ("game", "block")}
    from spadesim.designs.whatif.tables import curves

    frame = curves({name: value[None] for name, value in row.items()}, [bot.name for bot in seated], rules)
    return frame.drop(columns=["hand", "game", "deal", "seat"])
