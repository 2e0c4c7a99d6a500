"""Play a league, and reopen one; what is a league of a kind is played by the same function."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Unpack

from spadesim.designs.experiment import ShardedValues, check_call, takes
from spadesim.designs.league.result import League, make_result
from spadesim.designs.league.spec import LeagueSpec
from spadesim.designs.league.stored import LeagueManifest, StoredLeague
from spadesim.errors import UsageError
from spadesim.storage.run_folder import RunFolder
from spadesim.tournament.job import Job
from spadesim.tournament.progress import play_job
from spadesim.tournament.run_options import RunOptions

MAY_GROW = ("games", "bots")  # what of a spec may be more than before when a run goes on


class LeagueValues(ShardedValues, total=False):
    """What `league` takes by keyword."""

    games: int
    focus: Sequence[str]
    on_fault: str
    log: str
    until: float
    decision_timeout: float
    interpreted: bool


@takes(LeagueSpec)
def league(bots: Sequence[str] = (), **options: Unpack[LeagueValues]) -> League:
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
        A preset or a TOML file, and after colons fields that are changed: ``"cutthroat:nil=50:target=500"``.
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
    return play(*check_call(LeagueSpec, {"bots": bots}, options))


def play(spec: LeagueSpec, options: RunOptions) -> League:
    """Play a league, or what is one of a kind: a comparison, a sweep.

    Returns
    -------
    League
        Incomplete where the reporter ended it, or where tables failed.

    Raises
    ------
    UsageError, BotFault
        See `league`.
    """
    if spec.log and options.out is None:
        raise UsageError("log is 'deals' but there is no folder for it; name one with out (--out DIR)")
    job, reporter = Job(spec), options.reporter
    if job.games_a_table != spec.games:
        reporter.note(
            f"{job.games_a_table:,} games a table: rounded up to whole blocks, of {job.n_seatings} games each"
        )
    with folder_for(job, options) if options.out is not None else nullcontext() as folder:
        counted = play_job(job, options, folder)
        result = make_result(spec, job.rules, job.names, counted)
        if folder is not None:
            folder.finish(result.tables, result.complete, result.failures)
    reporter.note(f"seed {spec.seed}, {result.tally.blocks:,} blocks of deals, {result.games_played:,} games")
    if result.conclusion:
        reporter.note(result.conclusion)
    return result


def reopen(place: Path, manifest: Mapping[str, Any], spec: LeagueSpec) -> League:
    """Make the tables of a stored run anew."""
    return StoredLeague(place, manifest, spec).result()


def folder_for(job: Job, options: RunOptions) -> RunFolder:
    """Open the folder of a run."""
    run = {
        "kind": job.spec.design,
        "spec": job.spec.model_dump(mode="json"),
        "rules": job.rules.as_dict(),
        "bots": job.names,
        "texts": [bot.spec for bot in job.bots],
        "focus": job.focus,
        "tables": len(job.tables),
        "games_a_table": job.games_a_table,
        "sources": job.source_digests(),
    }
    assert options.out is not None
    return RunFolder(
        options.out, run, options.resume, may_grow=MAY_GROW, why_not=_why_not_the_same, model=LeagueManifest
    )


def _why_not_the_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return why a run is not one that is there with more games or more bots; "" where it is."""
    old, new = before["spec"]["games"], now["spec"]["games"]
    if new < old:
        return f"it has {old:,} games a table, not {new:,}; expected as many or more"
    then, today = (list(zip(run["bots"], run["texts"], strict=True)) for run in (before, now))
    if not _in_order(then, today):
        return "its field is another; expected the same bots in the same order, and maybe more"
    return ""


def _in_order(few: list[Any], many: list[Any]) -> bool:
    """Return whether all of `few` are in `many`, in the same order."""
    rest = iter(many)
    return all(item in rest for item in few)
