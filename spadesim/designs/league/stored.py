"""A stored league: its tables, made anew from its shards, and its games."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from spadesim.bots.prepare import seatings
from spadesim.designs import design_named
from spadesim.designs.experiment import check_values
from spadesim.designs.league.result import League, make_result
from spadesim.designs.league.spec import LeagueSpec
from spadesim.designs.reopen import unreadable
from spadesim.errors import UsageError
from spadesim.rules import from_values
from spadesim.storage import manifests
from spadesim.storage.run_folder import SHARDS, read_shard
from spadesim.tournament.progress import Counted
from spadesim.tournament.shards import Shard, from_arrays
from spadesim.tournament.stopping import FixedGames
from spadesim.tournament.tally import Pool, TableCounts

TABLES_SHOWN = 4  # in an error


class LeagueManifest(manifests.Manifest):
    """What the manifest of a league, or of what is one of a kind, must say."""

    bots: list[str]
    texts: list[str]
    focus: list[int]
    games_a_table: int


class StoredLeague:
    """What the folder of a league, or of what is one of a kind, tells of it.

    Raises
    ------
    UsageError
        When a shard in it is damaged, or this version of spadesim cannot read it.
    """

    def __init__(self, place: Path, manifest: Mapping[str, Any], spec: LeagueSpec):
        self.place, self.manifest, self.spec = place, dict(manifest), spec
        manifests.check(place, manifest, LeagueManifest)
        try:
            self.rules = from_values(spec.rules, manifest["rules"])
            self.names: list[str] = manifest["bots"]
            self.texts: list[str] = manifest["texts"]
            self.tables = spec.meetings(len(self.names), self.rules.bots, manifest["focus"])
            self.seatings = len(seatings(self.rules))
            self.blocks: int = manifest["games_a_table"] // self.seatings
        except UsageError as error:
            raise unreadable(place, self.manifest, error) from None
        self.failures: list[dict[str, Any]] = manifest["failures"]

    @classmethod
    def at(cls, out: str) -> "StoredLeague":
        """Read the folder of a league, or of what is one of a kind.

        Raises
        ------
        UsageError
            When it holds no run, or one of another kind.
        """
        run, place = manifests.read(Path(out)), Path(out)
        spec_type = design_named(run["kind"]).spec
        if not issubclass(spec_type, LeagueSpec) or "games_a_table" not in run:
            raise UsageError(
                f"the folder {out!r} holds a {run['kind']} run; expected a league's, which has games to show"
            )
        try:
            spec = check_values(spec_type, run["spec"])
        except UsageError as error:
            raise unreadable(place, run, error) from None
        return cls(place, run, spec)

    def result(self) -> League:
        """Make all tables of what has been played."""
        stopping = self.spec.stopping()
        try:
            pool = Pool(len(self.names), self.tables, self.blocks, self.rules, self.seatings)
            self._add_shards(pool, stopping)
            blocks = pool.blocks
        except (OSError, ValueError, IndexError) as error:
            raise unreadable(self.place, self.manifest, error) from None
        if blocks == 0:
            raise UsageError(
                f"nothing has been played yet in {str(self.place)!r}; its own command with --resume goes on"
            )
        tally = pool.tally()
        tally.looked_at = self.spec.until > 0
        complete = self.manifest["state"] == "complete"
        return make_result(self.spec, self.rules, self.names, Counted(tally, stopping, complete, self.failures))

    def _add_shards(self, pool: Pool, stopping: FixedGames) -> None:
        """Add all shards, and look where the run has looked: when all tables had played so far that could."""
        by_text = defaultdict(list)
        for table in self.tables:
            by_text[tuple(self.texts[i] for i in table)].append(table)
        failed = {tuple(failure["table"]) for failure in self.failures}
        go_on = [table for table in self.tables if tuple(self.names[i] for i in table) not in failed]
        left = [_read(path) for path in sorted((self.place / SHARDS).glob("*.npz"))]
        for end in stopping.looks(self.blocks):
            _add(pool, by_text, (shard for shard in left if shard[0].end <= end))
            left = [shard for shard in left if shard[0].end > end]
            if pool.blocks_of(go_on) < end:  # the run was stopped before this look
                _add(pool, by_text, left)
                break
            if stopping.enough(pool):
                break

    def table(self, bots: Sequence[str]) -> list[str]:
        """Find a table, as what to type for its bots.

        Raises
        ------
        UsageError
            When there is no such table, or several and none is named.
        """
        tables = [[self.texts[i] for i in table] for table in self.tables]
        if not bots and len(tables) == 1:
            return tables[0]
        if list(bots) in tables:
            return list(bots)
        more = "; …" if len(tables) > TABLES_SHOWN else ""
        shown = "; ".join(" ".join(table) for table in tables[:TABLES_SHOWN]) + more
        which = f"no table {' '.join(bots)!r}" if bots else "several tables"
        raise UsageError(f"{which} in {str(self.place)!r}; expected one of them after the folder: {shown}")


def _read(path: Path) -> tuple[Shard, TableCounts]:
    try:
        arrays = read_shard(path)
    except ValueError:
        raise UsageError(f"{path.name} is damaged; the run's own command with --resume plays it again") from None
    return from_arrays(arrays)


def _add(
    pool: Pool, by_text: Mapping[tuple[str, ...], list[tuple[int, ...]]], shards: Iterable[tuple[Shard, TableCounts]]
) -> None:
    for shard, counts in shards:
        for table in by_text[shard.table]:
            pool.add(table, counts)
