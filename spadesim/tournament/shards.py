"""Shards: one table's counts of some blocks in a row, as arrays to keep."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from spadesim.tournament.tally import TableCounts

COUNTS = [field.name for field in fields(TableCounts)]


@dataclass(frozen=True)
class Shard:
    """What was played: a table, by the texts of its bots in the order of the field, and which blocks.

    The same bots play the same games in any field, so copies of a bot are not told apart.
    """

    table: tuple[str, ...]
    first: int
    blocks: int

    @property
    def end(self) -> int:
        """The block after the last."""
        return self.first + self.blocks

    @property
    def name(self) -> str:
        """A name for its file, by its table and blocks."""
        table = hashlib.sha256("\n".join(self.table).encode()).hexdigest()[:12]
        return f"{table}-{self.first:012}-{self.blocks}"


def to_arrays(shard: Shard, counts: TableCounts) -> dict[str, np.ndarray]:
    """Return what a shard is and its counts, each array in the shortest type that fits."""
    arrays = {name: _narrow(np.asarray(getattr(counts, name))) for name in COUNTS}
    return {"table": np.array(shard.table), "blocks_played": np.array([shard.first, shard.blocks])} | arrays


def from_arrays(arrays: Mapping[str, np.ndarray]) -> tuple[Shard, TableCounts]:
    """Return the shard and its counts.

    Raises
    ------
    ValueError
        When an array is missing.
    """
    try:
        counts: dict[str, Any] = {name: arrays[name].astype(np.int64) for name in COUNTS}
    except KeyError as error:
        raise ValueError(f"a shard has no {error}") from None
    counts["first_group"] = int(counts["first_group"])
    return shard_in(arrays), TableCounts(**counts)


def shard_in(arrays: Mapping[str, np.ndarray]) -> Shard:
    """Return which shard the arrays are of.

    Raises
    ------
    ValueError
        When they do not say.
    """
    try:
        first, blocks = arrays["blocks_played"].tolist()
        return Shard(tuple(arrays["table"].tolist()), first, blocks)
    except KeyError as error:
        raise ValueError(f"a shard has no {error}") from None


def gaps(played: Iterable[Shard], end: int) -> list[tuple[int, int]]:
    """List what is left of one table's blocks 0 … end - 1, as (first, end), beside those played.

    Raises
    ------
    ValueError
        When blocks were played twice.
    """
    left, at = [], 0
    for shard in sorted(played, key=lambda shard: shard.first):
        if shard.first < at:
            raise ValueError(f"blocks {shard.first} … {min(at, shard.end) - 1} were played twice")
        if shard.first > at:
            left.append((at, min(shard.first, end)))
        at = shard.end
    left.append((at, end))
    return [(first, last) for first, last in left if first < last]


def _narrow(values: np.ndarray) -> np.ndarray:
    return values.astype(np.promote_types(*(np.min_scalar_type(end) for end in (values.min(), values.max()))))
