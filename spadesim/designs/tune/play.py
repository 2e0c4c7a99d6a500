"""Tune a bidder: search its parameters for those that win most, and tell what they are worth on deals never seen.

All candidates of a generation play on the same deals, and each generation on other ones.
"""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from pydantic import Field

from spadesim import limits
from spadesim.bots.registry import Registry, find_strategies
from spadesim.bots.sweeping import Axis, Space, space_of
from spadesim.designs.config import check_spec
from spadesim.designs.kinds import Experiment
from spadesim.designs.league.play import count, processes
from spadesim.designs.league.spec import Job, SameSeatsSpec, bot_beside
from spadesim.designs.tune.search import CENTRE, Generation, Search, seed_of_generation
from spadesim.designs.tune.tables import CHOSEN, choose, in_words, parameters_table, search_table, tuned_table
from spadesim.designs.with_tables import WithTables
from spadesim.errors import UsageError
from spadesim.limits import GAMES_MAX, SEED_MAX
from spadesim.storage import manifests, whole_files
from spadesim.storage.pieces import Pieces
from spadesim.tournament.progress import Part, Reporter

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.plots.drawing import Plot

BOT_FILE = "tuned.toml"


class TuneSpec(Experiment):
    """What a search for a bidder's best parameters is.

    Attributes
    ----------
    tune
        The bot. Its bidder's parameters are searched between the bounds that it declares, or as in a sweep those that
        have a range behind the equals sign, and no others.
    against
        The others at the table.
    budget
        Games of the whole search, at the least: it ends with the generation in which they are reached.
    games
        Of each candidate in a generation.
    unseen
        Of each bot at the end, on other deals.
    """

    tune: str
    against: tuple[str, ...] = Field(strict=False)
    budget: int = Field(limits.TUNE_BUDGET, ge=1, le=GAMES_MAX)
    games: int = Field(limits.TUNE_GAMES, ge=1, le=GAMES_MAX)
    unseen: int = Field(limits.TUNE_UNSEEN, ge=1, le=GAMES_MAX)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that it makes."""
        return "tuned", "parameters", "search"

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are shown where none is asked for."""
        return "tuned", "parameters"

    def beside(self, folder: Path) -> Self:
        """Take the files that it names as lying in a folder, those of bots included."""
        against = tuple(bot_beside(bot, folder) for bot in self.against)
        return super().beside(folder).model_copy(update={"against": against})


class CandidatesSpec(SameSeatsSpec):
    """A generation: so many candidates, then those that they play against."""

    candidates: int

    @property
    def others(self) -> int:
        """How many the candidates play against."""
        return len(self.bots) - self.candidates


@dataclass
class Tuned(WithTables):
    """What a search has found.

    Attributes
    ----------
    spec
        What was searched.
    bot : str
        The tuned bot.
    tables : dict of DataFrame
        `tuned` and `search`; each is an attribute too.
    complete : bool
        Whether the budget is used up, and the tuned bot was played on unseen deals.
    failures : list of dict
        Tables that could not be finished.
    games_played : int
        Games of the search and of its test.
    """

    kind = "search"

    spec: TuneSpec
    bot: str
    tables: "dict[str, pd.DataFrame]"
    complete: bool
    failures: list[dict]
    games_played: int

    def plot_search(self) -> "Plot":
        """Show how far ahead of the defaults each generation was."""
        from spadesim.plots import charts  # matplotlib takes long to import

        return charts.search(self.search)


def tune(
    bot: str, against: Sequence[str], *, budget: int = limits.TUNE_BUDGET, games: int = limits.TUNE_GAMES,
    unseen: int = limits.TUNE_UNSEEN, seed: int = limits.SEED, rules: str = "cutthroat", load: Sequence[str] = (),
    workers: int = 0, out: str | None = None, resume: bool = False,
) -> Tuned:  # fmt: skip
    """Search the parameters of a bidder for those that win most.

    Parameters
    ----------
    bot
        The bot; all parameters for which its bidder declares bounds are searched, or those alone that have a range
        behind the equals sign: ``"honors:ace=0.8..1.1:king=0.6..0.9+steady"``.
    against
        The others at the table.
    budget
        Games of the whole search, at the least.
    games
        Of each candidate in a generation.
    unseen
        Of the tuned bot and of the defaults at the end, on deals that the search has not seen.
    seed
        Of the search; the unseen deals are those of the next seed.
    rules, load, workers, out, resume
        As in `league`. The folder also receives `tuned.toml`, which stands for the bot as ``@DIR/tuned.toml``.

    Returns
    -------
    Tuned
        With the frames `tuned` and `search`, and the bot's text as `bot`.

    Raises
    ------
    UsageError, BotFault
        See `league`.
    """
    others = against if isinstance(against, str) else tuple(against)
    values = {"tune": bot, "against": others, "budget": budget, "games": games, "unseen": unseen}
    spec = check_spec(values | {"seed": seed, "rules": rules, "load": tuple(load)})
    return run(spec, workers=workers, out=out, resume=resume)


def run(
    spec: TuneSpec, *, workers: int | None = 0, out: str | None = None, resume: bool = False,
    shard_timeout: float = limits.SHARD_TIMEOUT, scheduler: str = "", reporter: Reporter | None = None,
) -> Tuned:  # fmt: skip
    """Search, then test; arguments as in `runs.run`."""
    manifests.check_out(out, resume)
    study = _Study(spec, processes(workers), scheduler, shard_timeout, reporter or Reporter())
    with study.folder(out, resume) as folder:
        study.reporter.start(study.games)
        try:
            result = study.run(folder)
        finally:
            study.reporter.stop()
        if folder is not None:
            folder.finish(result.tables, result.complete)
            if result.complete:
                whole_files.write(folder.place / BOT_FILE, _bot_file(result).encode())
    study.reporter.note(in_words(result.tuned) if result.complete else "the search is not finished")
    return result


class _Study:
    """A search under way."""

    def __init__(self, spec: TuneSpec, workers: int, scheduler: str, shard_timeout: float, reporter: Reporter):
        self.spec, self.reporter, self._how = spec, reporter, (workers, scheduler, shard_timeout)
        self._space = tuned_space(spec.tune, find_strategies(spec.load))
        self._search = Search(self._space, spec.seed)
        self._job = self._job_for([self._space.defaults], spec.seed, spec.games)
        a_generation = self._search.size * self._job.games_a_table
        self._generations = -(-spec.budget // a_generation)
        self.games = self._generations * a_generation + len(CHOSEN) * spec.unseen
        self._finished = 0
        self._failures: list[dict] = []

    def folder(self, out: str | None, resume: bool):
        """Open the folder; a context that gives None where there is none."""
        if out is None:
            return nullcontext()
        job = self._job
        what = {"kind": "tune", "spec": self.spec.model_dump(mode="json"), "rules": job.rules.as_dict()}
        return Pieces(out, what | {"sources": job.source_digests(), "texts": [bot.spec for bot in job.bots]}, resume)

    def run(self, folder: Pieces | None) -> Tuned:
        """Search, then test what was found."""
        found: list[Generation] = []
        for number in range(self._generations):
            points = self._search.ask()
            seed = seed_of_generation(self.spec.seed, number)
            generation = self._played(folder, f"generation-{number:06}", points, seed, self.spec.games)
            if generation is None:
                return self._result(found, None)
            found.append(generation)
            self._search.tell(generation.shares)
        points = [each.point for each in choose(found)]
        unseen = (self.spec.seed + 1) & SEED_MAX
        return self._result(found, self._played(folder, "unseen", points, unseen, self.spec.unseen))

    def _played(
        self, folder: Pieces | None, name: str, points: list[tuple], seed: int, games: int
    ) -> Generation | None:
        """Play some settings on the same deals, or read what is there; None where it was not finished."""
        there = folder.read(name) if folder is not None else None
        if folder is not None and there is not None:
            if not np.array_equal(there["points"], np.array(points, float)):
                raise UsageError(
                    f"{name} in {str(folder.place)!r} tried other settings than this search would: another version of"
                    " NumPy or cmaes, or another processor; start in a new folder"
                )
            found = Generation(points, there["wins"], there["games"])
        else:
            counted = self._count(points, seed, games)
            if counted is None:
                return None
            found = counted
            if folder is not None:
                folder.keep(name, {"points": np.array(points, float), "wins": found.wins, "games": found.games})
        self._finished += int(found.games.sum())
        return found

    def _count(self, points: list[tuple], seed: int, games: int) -> Generation | None:
        part = Part(self.reporter, self.games, self._finished)
        try:
            tally, _, complete, self._failures = count(self._job_for(points, seed, games), *self._how, part)
        except KeyboardInterrupt:
            if not self.reporter.ends():
                raise
            return None  # stopped in good order, before anything of this generation was counted
        if not complete:
            return None
        return Generation(points, *(each[:, : len(points)] for each in tally.by_group["win_share"]))

    def _job_for(self, points: list[tuple], seed: int, games: int) -> Job:
        spec, bots = self.spec, [self._space.bot(point) for point in points]
        return Job(
            CandidatesSpec(
                bots=(*bots, *spec.against),
                candidates=len(bots),
                games=games,
                seed=seed,
                rules=spec.rules,
                load=spec.load,
            )
        )

    def _result(self, found: list[Generation], unseen: Generation | None) -> Tuned:
        tables, bot = {"search": search_table(found, self._space)}, ""
        if unseen is not None:
            tested = choose(found)
            tables |= {
                "tuned": tuned_table(tested, unseen.wins, unseen.games),
                "parameters": parameters_table(tested, self._space),
            }
            bot = self._space.bot(unseen.points[CENTRE])
        return Tuned(self.spec, bot, tables, unseen is not None, self._failures, self._finished)


def tuned_space(text: str, registry: Registry) -> Space:
    """Read which parameters of a bot are tuned: those with a range, or all that the bidder declares bounds for."""
    space = space_of(text, registry)
    if space.axes:
        return space
    bidder, player = space.bases
    fixed = [setting.partition("=")[0] for setting in bidder.text.split(":")[1:]]
    axes = [Axis(0, name, (), ends) for name, ends in bidder.strategy.bounds.items() if name not in fixed]
    return Space((bidder, player), tuple(axes))


def _bot_file(result: Tuned) -> str:
    spec, row = result.spec, result.tuned.to_dict("records")[1]
    against = " and ".join(spec.against)
    return (
        f"# {spec.tune}, tuned against {against} by {spec.rules}; wins {row['win_share']:.4f} there, where the defaults"
        f" win {result.tuned['win_share'][0]:.4f}\nbot = {json.dumps(result.bot)}\n"
    )
