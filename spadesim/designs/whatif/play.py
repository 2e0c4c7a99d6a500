"""What if: hands in their true situation, redealt and played on with every bid, and each bidder's distance to the best.

The hands come from games of the bots themselves; what is redealt, and what the others then do, is the engine's
(`engine.search.redeals`).
"""

import hashlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from spadesim.bots.chances import CHANCES
from spadesim.designs.experiment import ExperimentValues, check_call, takes
from spadesim.designs.league.spec import LeagueSpec
from spadesim.designs.result import Result, Table
from spadesim.designs.whatif.outcomes import add_up, check_seats, play_redeals, redeals_of
from spadesim.designs.whatif.situations import Decision, choose
from spadesim.designs.whatif.spec import WhatIfSpec
from spadesim.engine.search.redeals import Redeals, key_of
from spadesim.errors import UsageError, count_of
from spadesim.rules import Rules, as_rules
from spadesim.storage.run_folder import Arrays, RunFolder
from spadesim.tournament.chunks import work_through
from spadesim.tournament.job import Job
from spadesim.tournament.reporter import Reporter
from spadesim.tournament.run_options import RunOptions

if TYPE_CHECKING:
    from spadesim.plots.drawing import Plot

HANDS_A_CHUNK = 10


class WhatIfJob:
    """A study that is ready: a chunk of hands is a pure function of the spec and of its number.

    Raises
    ------
    UsageError
        When there are not as many bots as the rules seat, or the rules let one play two hands.
    """

    def __init__(self, spec: WhatIfSpec):
        self.spec = spec
        self.rules = as_rules(spec.rules)
        check_seats(spec.whatif, self.rules)
        self.job = Job(LeagueSpec(seed=spec.seed, rules=spec.rules, load=spec.load, bots=spec.whatif, log="deals"))
        self.n_chunks = -(-spec.hands // HANDS_A_CHUNK)

    def __reduce__(self) -> tuple[type["WhatIfJob"], tuple[WhatIfSpec]]:
        return WhatIfJob, (self.spec,)

    @cached_property
    def redeals(self) -> Redeals:
        """The table, compiled."""
        return redeals_of(self.job.bots, self.rules)

    def compile(self) -> None:
        """Compile all strategies, or load them."""
        self.job.compile()
        _ = self.redeals

    def manifest(self) -> dict[str, Any]:
        """Return what is studied, for the folder."""
        return {
            "kind": self.spec.design,
            "spec": self.spec.model_dump(mode="json"),
            "rules": self.rules.as_dict(),
            "bots": self.job.names,
            "sources": self.job.source_digests() | {"chances": hashlib.sha256(CHANCES.tobytes()).hexdigest()},
        }

    def __call__(self, chunk: int) -> Arrays:
        """Look at the hands of a chunk: arrays with a row a hand (see `outcomes.add_up`)."""
        first = chunk * HANDS_A_CHUNK
        n = min(HANDS_A_CHUNK, self.spec.hands - first)
        _, log = self.job.play(self.job.tables[0], first, n)  # as many blocks as hands
        decisions = choose(np.concatenate(log), self.rules, self.spec.seed, n)
        if not decisions:
            raise UsageError("these bots bid nothing but blind nils; what-if expected bids of hands that were seen")
        rows = [self._look_at(decision) for decision in decisions]
        return {name: np.stack([row[name] for row in rows]) for name in rows[0]}

    def _look_at(self, decision: Decision) -> Arrays:
        now = decision.situation
        key = key_of(self.spec.seed, decision.game, now.deal, now.seat)
        where = f"of game {decision.game}, deal {now.deal}, seat {now.seat}"
        outcomes = play_redeals(self.redeals, now, self.spec.redeals, key, where)
        source = {"game": decision.game, "block": decision.game // self.job.n_seatings}
        row = {name: np.array(value, np.int64) for name, value in source.items()}
        return row | add_up(now, decision.bid, outcomes, self.rules)


@dataclass(repr=False)
class WhatIf(Result):
    """A what-if study.

    Attributes
    ----------
    spec, rules
        What was studied, by which rules.
    bots
        The names, in the order of the table.
    hands
        How many were looked at.
    """

    spec: WhatIfSpec
    rules: Rules
    bots: list[str]
    hands: int

    regret = Table("How far each bot's bids fall short of the best, a row a bot.")
    nils = Table("What nils have cost, and those that were missed, a row a bot.")
    regret_by = Table("The same by bid, order, spades and score, a row a bot and value.")
    curves = Table("What each bid would have brought, a row a hand and bid.")

    @property
    def games_played(self) -> int:
        """Games that the hands come from, one each."""
        return self.hands

    def plot_regret(self) -> "Plot":
        """Show how far each bot's bids fall short of the best."""
        from spadesim.plots import charts  # matplotlib takes long to import

        return charts.regret(self.regret)

    def plot_curves(self) -> "Plot":
        """Show what every bid of a few hands would have brought."""
        from spadesim.plots import charts

        return charts.curves(self.curves)


class WhatIfValues(ExperimentValues, total=False):
    """What `whatif` takes by keyword."""

    hands: int
    redeals: int


@takes(WhatIfSpec, hidden=("whatif",))
def whatif(bots: Sequence[str], **options: Unpack[WhatIfValues]) -> WhatIf:
    """Find out what each bid would have brought, hand by hand, and how far each bidder is from the best.

    Parameters
    ----------
    bots
        Those of one table, such as ``["quick+need_or_duck", "honors+boss", "nil_tips+boss"]``.
    hands
        Decisions to bid, chosen from games of these bots.
    redeals
        Layouts of the unseen cards, in each of two sets, that are played with every bid; those that do not fit the bids
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
    return play(*check_call(WhatIfSpec, {"whatif": bots}, options))


def play(spec: WhatIfSpec, options: RunOptions) -> WhatIf:
    """Do a what-if study; there is no limit of time, and it needs no cluster."""
    if options.scheduler:
        raise UsageError(f"scheduler is {options.scheduler!r}, but a what-if study plays on this machine; leave it out")
    job, reporter = WhatIfJob(spec), options.reporter
    opened = RunFolder(options.out, job.manifest(), options.resume) if options.out is not None else nullcontext()
    with opened as folder:
        job.compile()
        found, complete = _look_at_all(job, folder, options)
        rows = {name: np.concatenate([found[chunk][name] for chunk in sorted(found)]) for name in found[min(found)]}
        result = _result(job, rows, complete)
        _report_rare_bids(rows, spec.redeals, reporter)
        if folder is not None:
            folder.finish(result.tables, complete)
    redeals = f"{spec.redeals:,} redeals to choose and as many to measure"
    reporter.note(f"seed {spec.seed}, {result.hands:,} hands, {redeals}")
    return result


def _look_at_all(job: WhatIfJob, folder: RunFolder | None, options: RunOptions) -> tuple[dict[int, Arrays], bool]:
    """Look at what has not been looked at; return the arrays of each chunk, and whether there are all."""
    there = {chunk: folder.read(_name(chunk)) if folder is not None else None for chunk in range(job.n_chunks)}
    found = {chunk: arrays for chunk, arrays in there.items() if arrays is not None}
    for file in folder.damaged if folder is not None else []:
        options.reporter.note(f"the shard {file} is damaged; its hands are looked at again")

    def take(chunk: int, arrays: Arrays) -> None:
        if folder is not None:
            folder.keep(_name(chunk), arrays)
        found[chunk] = arrays

    left = [chunk for chunk in range(job.n_chunks) if chunk not in found]
    options.reporter.start(len(left), f"chunks of {HANDS_A_CHUNK} hands")
    try:
        complete = work_through(job, left, workers=options.processes, take=take, reporter=options.reporter)
    finally:
        options.reporter.stop()
    if not found:
        raise KeyboardInterrupt
    return found, complete


def _name(chunk: int) -> str:
    return f"hands-{chunk * HANDS_A_CHUNK:07}"


def _result(job: WhatIfJob, rows: Arrays, complete: bool) -> WhatIf:
    from spadesim.designs.whatif.tables import make_tables  # pandas takes long to import

    tables = make_tables(rows, job.job.names, job.rules)
    return WhatIf(job.spec, tables, job.rules, job.job.names, len(rows["bid"]), complete=complete)


def _report_rare_bids(rows: Arrays, redeals: int, reporter: Reporter) -> None:
    """Note where the bids made before are so rare that fewer redeals fit them than were asked for."""
    few, none = (int((rows["redeals"] < least).sum()) for least in (redeals, 1))
    if few:
        reporter.note(
            f"the bids before are so rare for {few:,} of {count_of(len(rows['bid']), 'hand')} that fewer redeals were"
            f" found than {redeals:,} twice; {none:,} of these have no regret, as there were less than two"
        )
