"""Runs of earlier: their tables, made anew from a folder, and their games."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.bots.prepare import seatings
from spadesim.designs.config import check_spec
from spadesim.designs.kinds import Experiment
from spadesim.designs.league.spec import League, LeagueSpec, tables_of
from spadesim.designs.results import make_result
from spadesim.errors import UsageError
from spadesim.rules import Rules, from_values
from spadesim.storage import manifests, whole_files
from spadesim.tournament import shards
from spadesim.tournament.folder import SHARDS, read_manifest
from spadesim.tournament.shards import Shard
from spadesim.tournament.stopping import FixedGames, stopping_of
from spadesim.tournament.tally import Pool, TableCounts

if TYPE_CHECKING:
    import pandas as pd

TABLES_SHOWN = 4  # in an error


class PastRun:
    """What a run's folder tells of it.

    Raises
    ------
    UsageError
        When the folder holds no run, a shard in it is damaged, or this version of spadesim cannot read it.
    """

    def __init__(self, out: str):
        self.place = Path(out)
        self.manifest = manifest = read_manifest(self.place)
        try:
            self.spec: LeagueSpec = check_spec(manifest["spec"])
            self.rules: Rules = from_values(self.spec.rules, manifest["rules"])
        except UsageError as error:
            raise self._unreadable(error) from None
        self.names: list[str] = manifest["bots"]
        self.texts: list[str] = manifest["texts"]
        self.complete = manifest["state"] == "complete"
        self.failures: list[dict[str, Any]] = manifest["failures"]
        self.tables = tables_of(self.spec, len(self.names), self.rules.bots, manifest["focus"])
        self.seatings = len(seatings(self.rules))
        self.blocks: int = manifest["games_a_table"] // self.seatings

    def result(self) -> League:
        """Make all tables of what has been played."""
        stopping = stopping_of(self.spec)
        try:
            pool = Pool(len(self.names), self.tables, self.blocks, self.rules, self.seatings)
            self._add_shards(pool, stopping)
            blocks = pool.blocks
        except (OSError, ValueError, IndexError) as error:
            raise self._unreadable(error) from None
        if blocks == 0:
            raise UsageError(
                f"nothing has been played yet in {str(self.place)!r}; its own command with --resume goes on"
            )
        tally = pool.tally()
        tally.looked_at = self.spec.until > 0
        return make_result(self.spec, self.rules, self.names, tally, stopping, self.complete, self.failures)

    def _add_shards(self, pool: Pool, stopping: FixedGames) -> None:
        """Add all shards, and look where the run has looked: when all tables had played so far that could."""
        by_text = defaultdict(list)
        for table in self.tables:
            by_text[tuple(self.texts[i] for i in table)].append(table)
        failed = {tuple(each["table"]) for each in self.failures}
        go_on = [table for table in self.tables if tuple(self.names[i] for i in table) not in failed]
        left = [_read(path) for path in sorted((self.place / SHARDS).glob("*.npz"))]
        for end in stopping.looks(self.blocks):
            _add(pool, by_text, (each for each in left if each[0].end <= end))
            left = [each for each in left if each[0].end > end]
            if pool.blocks_of(go_on) < end:  # the run was stopped before this look
                _add(pool, by_text, left)
                break
            if stopping.enough(pool):
                break

    def _unreadable(self, error: Exception) -> UsageError:
        """Tell why the run cannot be read: another version wrote it, or somebody has changed it."""
        by, here = self.manifest["versions"].get("spadesim", "of an unknown version"), version("spadesim")
        who = "it was changed" if by == here else f"it was played by spadesim {by}, and this is {here}"
        return UsageError(
            f"the run in {str(self.place)!r} cannot be read: {who} ({error}); play it again in a new folder"
        )

    def table(self, bots: Sequence[str]) -> list[str]:
        """Find a table, as what to type for its bots.

        Raises
        ------
        UsageError
            When there is no such table, or several and none is named.
        """
        tables = [[self.texts[i] for i in each] for each in self.tables]
        if not bots and len(tables) == 1:
            return tables[0]
        if list(bots) in tables:
            return list(bots)
        more = "; …" if len(tables) > TABLES_SHOWN else ""
        shown = "; ".join(" ".join(each) for each in tables[:TABLES_SHOWN]) + more
        which = f"no table {' '.join(bots)!r}" if bots else "several tables"
        raise UsageError(f"{which} in {str(self.place)!r}; expected one of them behind the folder: {shown}")


@dataclass
class PastStudy:
    """What a study's folder has kept: its tables as they were written."""

    spec: Experiment
    tables: "dict[str, pd.DataFrame]"
    complete: bool


def past_result(out: str) -> League | PastStudy:
    """Give the tables of a folder: a run's made anew, those of a study as they were written.

    Raises
    ------
    UsageError
        See `PastRun`; when a study has written no tables yet, or they cannot be read.
    """
    place = Path(out)
    manifest = manifests.load(place, manifests.RUN)
    if "kind" not in manifest:
        return PastRun(out).result()
    return PastStudy(check_spec(manifest["spec"]), kept_tables(place), manifest["state"] == "complete")


def kept_tables(place: Path) -> "dict[str, pd.DataFrame]":
    """Read the tables that a folder has kept.

    Raises
    ------
    UsageError
        When there are none, or one cannot be read.
    """
    import pandas as pd  # takes long to import

    tables = {}
    for path in sorted(place.glob("*.csv")):
        try:
            tables[path.stem] = pd.read_csv(path)
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read the table {str(path)!r}: {' '.join(str(error).split())}") from None
    if not tables:
        raise UsageError(f"there are no tables in {str(place)!r} yet; the run's own command with --resume goes on")
    return tables


def _read(path: Path) -> tuple[Shard, TableCounts]:
    data = path.read_bytes()
    if not whole_files.is_whole(path.name, data):
        raise UsageError(f"{path.name} is damaged; the run's own command with --resume plays it again")
    return shards.from_bytes(data)


def _add(pool: Pool, by_text: dict, shards: Iterable[tuple[Shard, TableCounts]]) -> None:
    for shard, counts in shards:
        for table in by_text[shard.table]:
            pool.add(table, counts)
