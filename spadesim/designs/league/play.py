"""Play leagues and comparisons: what users call."""

import os
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from spadesim import limits
from spadesim.designs.config import check_spec
from spadesim.designs.league.spec import Job, League, LeagueSpec
from spadesim.designs.results import make_result
from spadesim.errors import UsageError
from spadesim.limits import WORKERS_MAX
from spadesim.storage import manifests
from spadesim.tournament.folder import RunFolder
from spadesim.tournament.progress import Progress, Reporter
from spadesim.tournament.stopping import FixedGames
from spadesim.tournament.tally import Tally
from spadesim.tournament.workers import workers_for


def league(
    bots: Sequence[str] = (), *, games: int = limits.GAMES, seed: int = limits.SEED, rules: str = "cutthroat",
    load: Sequence[str] = (), focus: Sequence[str] = (), on_fault: str = "stop", workers: int = 0,
    interpreted: bool = False, out: str | None = None, resume: bool = False, log: str = "", until: float = 0.0,
    decision_timeout: float = 0.0, shard_timeout: float = limits.SHARD_TIMEOUT, scheduler: str = "",
) -> League:  # fmt: skip
    """Play a league and return its tables.

    Parameters
    ----------
    bots
        At least as many as the rules seat, such as ``"quick+need_or_duck"``; none means the standing field.
    games
        Games a table, rounded up to whole blocks of all its seatings.
    seed
        The same seed gives the same tables to the byte, whatever the workers.
    rules
        A preset or a TOML file, and behind colons fields that are changed: ``"cutthroat:nil=50:target=500"``.
    load
        Strategy files.
    focus
        Bots; only tables with one of them are played.
    on_fault
        "stop", "correct" or "forfeit" (R9).
    workers
        Processes to play in; 0 for this one, where nothing guards against strategies that never answer.
    interpreted
        Play compiled strategies as plain Python.
    out
        A new folder for the tables as CSV, and for what is played, shard by shard.
    resume
        Whether to go on with the run in `out`, if there is one.
    log
        "deals" to write every deal under `out`, or "deals:0.01" for those of one block in a hundred.
    until
        If above 0, play until every win share's half-width is below it, at most `games`.
    decision_timeout
        Seconds that a strategy in Python may take for one answer, where there are worker processes; 0 for any.
    shard_timeout
        Seconds that a shard, which usually takes some, may take in a worker process; 0 for any.
    scheduler
        Address of a Dask scheduler, ``"tcp://host:port"``, on whose workers to play.

    Returns
    -------
    League
        With the frames `standings`, `nils`, `bags`, `bids`, `calibration`, `orders`, `seats`, `head_to_head`.

    Raises
    ------
    UsageError
        When something is named that does not exist or a number is out of range.
    BotFault
        When a bot breaks the rules of play.

    Examples
    --------
    >>> from spadesim import league
    >>> league(["quick+need_or_duck"] * 3, games=6).standings["win_share"].round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    names = {"bots": bots, "load": load, "focus": focus}
    values: dict[str, Any] = {name: each if isinstance(each, str) else tuple(each) for name, each in names.items()}
    values |= {"games": games, "seed": seed}
    values |= {"rules": rules, "on_fault": on_fault, "interpreted": interpreted, "log": log}
    values |= {"until": until, "decision_timeout": decision_timeout}
    spec = check_spec(values)
    return run(spec, workers=workers, out=out, resume=resume, shard_timeout=shard_timeout, scheduler=scheduler)


def compare(
    first: str, second: str, against: Sequence[str], *, games: int = limits.COMPARE_GAMES, seed: int = limits.SEED,
    rules: str = "cutthroat", load: Sequence[str] = (), delta: float = 0.01, alpha: float = 0.05, beta: float = 0.05,
    workers: int = 0, out: str | None = None, resume: bool = False,
) -> League:  # fmt: skip
    """Find out which of two bots is better against the same others, in the same seats, on the same deals.

    Parameters
    ----------
    first, second
        The bots.
    against
        The others at each of the two tables.
    games
        At each table, at most.
    delta
        The smallest difference of win shares that matters, above 0 and below 1.
    alpha, beta
        The probability of naming a better bot where they are equal, and of missing one that is better by `delta`.
    seed, rules, load, workers, out, resume
        As in `league`.

    Returns
    -------
    League
        With one more frame, `comparison`, whose `verdict` is the better bot's name, "level" or "undecided".

    Raises
    ------
    UsageError, BotFault
        See `league`.
    """
    values = {"bots": (first, second, *against), "games": games, "seed": seed, "rules": rules, "load": tuple(load)}
    spec = check_spec(values | {"delta": delta, "alpha": alpha, "beta": beta})
    return run(spec, workers=workers, out=out, resume=resume)


def sweep(
    bot: str, against: Sequence[str], *, sample: int = 0, games: int = limits.GAMES, seed: int = limits.SEED,
    rules: str = "cutthroat", load: Sequence[str] = (), workers: int = 0, out: str | None = None, resume: bool = False,
) -> League:  # fmt: skip
    """Try settings of a bot's parameters against the same others, in the same seats, on the same deals.

    Parameters
    ----------
    bot
        The bot, with several values or a range behind parameters: ``"honors:ace=0.8..1.1:7:lead=0,-0.4+steady"``.
    against
        The others at the table.
    sample
        How many settings are drawn, spread over the whole space (Sobol); 0 for all of the grid.
    games
        Of each setting.
    seed, rules, load, workers, out, resume
        As in `league`.

    Returns
    -------
    League
        With two more frames, `sweep` and `sweep_bids`, a row a setting with its paired differences to the defaults.

    Raises
    ------
    UsageError, BotFault
        See `league`.

    Examples
    --------
    >>> from spadesim import sweep
    >>> table = sweep("honors:ace=0.8,0.9+need_or_duck", ["quick+need_or_duck"] * 2, games=60).sweep
    >>> table[["bidder_ace", "default"]].values.tolist()
    [[0.95, True], [0.8, False], [0.9, False]]
    """
    values = {"sweep": bot, "sample": sample, "bots": _listed(against), "games": games, "seed": seed, "rules": rules}
    return run(check_spec(values | {"load": tuple(load)}), workers=workers, out=out, resume=resume)


def run(
    spec: LeagueSpec, *, workers: int | None = 0, out: str | None = None, resume: bool = False,
    shard_timeout: float = limits.SHARD_TIMEOUT, scheduler: str = "", reporter: Reporter | None = None,
) -> League:  # fmt: skip
    """Play a league.

    Parameters
    ----------
    workers
        Processes to play in, 0 for this one, None for as many as there are cores; no figure depends on it.
    out
        A folder for the manifest, the shards, the tables, and the log of deals if the spec asks for it.
    resume, shard_timeout, scheduler
        See `spadesim.league`.
    reporter
        Told what goes on.

    Returns
    -------
    League
        Incomplete where the reporter ended it, or where tables failed.

    Raises
    ------
    UsageError, BotFault
        See `spadesim.league`.
    """
    reporter = reporter or Reporter()
    if spec.interpreted and workers in (None, 1):
        workers = 0  # in this process, where print and pdb work
    workers = processes(workers)
    if spec.log and out is None:
        raise UsageError("log is 'deals' but there is no folder for it; name one with out (--out DIR)")
    manifests.check_out(out, resume)
    job = Job(spec)
    if job.games_a_table != spec.games:
        reporter.note(
            f"{job.games_a_table:,} games a table: rounded up to whole blocks, of {job.n_seatings} games each"
        )
    with RunFolder(out, job, resume) if out is not None else nullcontext() as folder:
        played = count(job, workers, scheduler, shard_timeout, reporter, folder)
        result = make_result(spec, job.rules, [bot.name for bot in job.bots], *played)
        if folder is not None:
            folder.finish(result)
    _sum_up(result, reporter)
    return result


def _listed(names: Sequence[str]) -> Any:
    """Make a tuple of a list; a single text stays one, and is refused as such."""
    return names if isinstance(names, str) else tuple(names)


def count(
    job: Job, workers: int, scheduler: str, shard_timeout: float, reporter: Reporter, folder: RunFolder | None = None
) -> tuple[Tally, FixedGames, bool, list[dict]]:
    """Play what is left of a job: its counts, when it had seen enough, whether all is there, and what failed."""
    job.compile()
    progress = Progress(job, folder, reporter)
    with workers_for(job, workers, scheduler) as where:
        tally, complete = progress.play(where, shard_timeout)
    return tally, progress.stopping, complete and not progress.failures, progress.failures


def _sum_up(result: League, reporter: Reporter) -> None:
    spec = result.spec
    reporter.note(f"seed {spec.seed}, {result.tally.blocks:,} blocks of deals, {result.games_played:,} games")
    if spec.until:
        known = ((result.standings["win_share_high"] - result.standings["win_share_low"]) / 2).max()
        enough = "" if known <= spec.until else f", not to {spec.until:g}; --games allows no more"
        reporter.note(f"every win share is known to ± {known:.4f}{enough}")
    if "sweep" in result.tables and result.complete:
        from spadesim.designs.sweep.tables import best_in_words

        reporter.note(best_in_words(result.tables["sweep"]))


def processes(workers: int | None) -> int:
    """Say in how many processes to play: as many as asked for, one a core where nothing was asked, 0 in this one.

    Raises
    ------
    UsageError
        When that is no number or too large a one.
    """
    if workers is None:
        return cores()
    if not isinstance(workers, int) or not 0 <= workers <= WORKERS_MAX:
        raise UsageError(f"workers is {workers!r}; expected a whole number, 0 … {WORKERS_MAX}")
    return workers


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
