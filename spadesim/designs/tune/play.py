"""Tune a bidder: search its parameters for those that win most, and tell what they are worth on deals never seen.

All candidates of a generation play on the same deals, and each generation on other ones.
"""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from spadesim.bots.registry import Registry, find_strategies
from spadesim.bots.sweeping import Axis, Space, space_of
from spadesim.designs.experiment import ShardedValues, check_call, listed, takes
from spadesim.designs.result import Result, Table
from spadesim.designs.tune.search import CENTRE, Generation, Point, Search, seed_of_generation
from spadesim.designs.tune.spec import CandidatesSpec, TuneSpec
from spadesim.designs.tune.tables import CHOSEN, choose, in_words, parameters_table, search_table, tuned_table
from spadesim.errors import UsageError
from spadesim.limits import SEED_MAX
from spadesim.storage.run_folder import RunFolder
from spadesim.tournament.job import Job
from spadesim.tournament.progress import play_job
from spadesim.tournament.reporter import PartReporter
from spadesim.tournament.run_options import RunOptions

if TYPE_CHECKING:
    from spadesim.plots.drawing import Plot

BOT_FILE = "tuned.toml"


@dataclass(repr=False)
class Tuned(Result):
    """What a search has found.

    Attributes
    ----------
    bot : str
        The tuned bot.
    games : int
        Of the search and of its test.
    """

    spec: TuneSpec
    bot: str
    games: int

    tuned = Table("What the tuned bot wins on unseen deals, beside the defaults and the best sample, a row each.")
    parameters = Table("The parameters of these, with their bounds, a row a parameter.")
    search = Table("All that was tried, a row a setting and generation.")

    @property
    def games_played(self) -> int:
        """Games of the search and of its test."""
        return self.games

    @property
    def conclusion(self) -> str:
        """What the tuned bot is worth."""
        return in_words(self.tuned) if self.complete else "the search is not finished"

    def plot_search(self) -> "Plot":
        """Show how far ahead of the defaults each generation was."""
        from spadesim.plots import charts  # matplotlib takes long to import

        return charts.search(self.search)


class TuneValues(ShardedValues, total=False):
    """What `tune` takes by keyword."""

    budget: int
    games: int
    unseen: int


@takes(TuneSpec)
def tune(bot: str, against: Sequence[str], **options: Unpack[TuneValues]) -> Tuned:
    """Search the parameters of a bidder for those that win most.

    Parameters
    ----------
    bot
        The bot; all parameters for which its bidder declares bounds are searched, or those alone that have a range
        after the equals sign: ``"honors:ace=0.8..1.1:king=0.6..0.9+steady"``.
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
    rules, load, workers, out, resume, shard_timeout, scheduler
        As in `league`. The folder also receives `tuned.toml`, which can be named as the bot: ``@DIR/tuned.toml``.

    Returns
    -------
    Tuned
        With the frames `tuned`, `parameters` and `search`, and the bot's text as `bot`.

    Raises
    ------
    UsageError, BotFault
        See `league`.
    """
    return play(*check_call(TuneSpec, {"tune": bot, "against": listed(against)}, options))


def play(spec: TuneSpec, options: RunOptions) -> Tuned:
    """Search, then test."""
    under_way = _SearchUnderWay(spec, options)
    with under_way.folder() as folder:
        options.reporter.start(under_way.games)
        try:
            result = under_way.run(folder)
        finally:
            options.reporter.stop()
        if folder is not None:
            if result.complete:
                folder.write_file(BOT_FILE, _bot_file(result).encode())
            folder.finish(result.tables, result.complete, result.failures)
    options.reporter.note(result.conclusion)
    return result


class _SearchUnderWay:
    """A search under way."""

    def __init__(self, spec: TuneSpec, options: RunOptions):
        self.spec, self._options = spec, options
        self._space = tuned_space(spec.tune, find_strategies(spec.load))
        self._search = Search(self._space, spec.seed)
        self._job = self._job_for([self._space.defaults], spec.seed, spec.games)
        a_generation = self._search.size * self._job.games_a_table
        self._generations = -(-spec.budget // a_generation)
        self.games = self._generations * a_generation + len(CHOSEN) * spec.unseen
        self._finished = 0
        self._failures: list[dict[str, Any]] = []

    def folder(self) -> AbstractContextManager[RunFolder | None]:
        """Open the folder; a context that gives None where there is none."""
        options, job = self._options, self._job
        if options.out is None:
            return nullcontext()
        run = {
            "kind": self.spec.design, "spec": self.spec.model_dump(mode="json"), "rules": job.rules.as_dict(),
            "sources": job.source_digests(), "texts": [bot.spec for bot in job.bots],
        }  # fmt: skip
        return RunFolder(options.out, run, options.resume)

    def run(self, folder: RunFolder | None) -> Tuned:
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
        points = [chosen.point for chosen in choose(found)]
        unseen = (self.spec.seed + 1) & SEED_MAX
        return self._result(found, self._played(folder, "unseen", points, unseen, self.spec.unseen))

    def _played(
        self, folder: RunFolder | None, name: str, points: list[Point], seed: int, games: int
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

    def _count(self, points: list[Point], seed: int, games: int) -> Generation | None:
        whole = self._options.reporter
        options = replace(self._options, reporter=PartReporter(whole, self.games, self._finished))
        try:
            counted = play_job(self._job_for(points, seed, games), options)
        except KeyboardInterrupt:
            if not whole.ends():
                raise
            return None  # stopped in good order, before anything of this generation was counted
        self._failures = counted.failures
        if not counted.complete:
            return None
        wins, played = (counts[:, : len(points)] for counts in counted.tally.by_group["win_share"])
        return Generation(points, wins, played)

    def _job_for(self, points: list[Point], seed: int, games: int) -> Job:
        spec, bots = self.spec, [self._space.bot(point) for point in points]
        generation = CandidatesSpec(
            bots=(*bots, *spec.against), candidates=len(bots), games=games, seed=seed, rules=spec.rules, load=spec.load
        )
        return Job(generation)

    def _result(self, found: list[Generation], unseen: Generation | None) -> Tuned:
        tables, bot = {"search": search_table(found, self._space)}, ""
        if unseen is not None:
            tested = choose(found)
            tables |= {
                "tuned": tuned_table(tested, unseen.wins, unseen.games),
                "parameters": parameters_table(tested, self._space),
            }
            bot = self._space.bot(unseen.points[CENTRE])
        complete = unseen is not None
        return Tuned(self.spec, tables, bot, self._finished, complete=complete, failures=self._failures)


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
