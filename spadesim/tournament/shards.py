"""Shards: one table's counts of some blocks in a row, as a file that tells whether it is whole."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from spadesim.storage.whole_files import named_by_content
from spadesim.tournament.tally import TableCounts

ARRAYS = [field.name for field in fields(TableCounts)]


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
        """The block behind the last."""
        return self.first + self.blocks


def to_bytes(shard: Shard, counts: TableCounts) -> bytes:
    """Write a shard as NPZ, which `np.load` reads: the arrays of `TableCounts`, each in the shortest type that fits."""
    arrays: dict[str, Any] = {name: _narrow(np.asarray(getattr(counts, name))) for name in ARRAYS}
    file = io.BytesIO()
    np.savez_compressed(
        file, table=np.array(shard.table), blocks_played=np.array([shard.first, shard.blocks]), **arrays
    )
    return file.getvalue()


def from_bytes(data: bytes) -> tuple[Shard, TableCounts]:
    """Read a shard.

    Raises
    ------
    ValueError
        When it is damaged.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            first, blocks = file["blocks_played"].tolist()
            shard = Shard(tuple(file["table"].tolist()), first, blocks)
            arrays = {name: file[name].astype(np.int64) for name in ARRAYS}
    except (OSError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"not a whole shard: {error}") from None
    return shard, TableCounts(**arrays | {"first_group": int(arrays["first_group"])})


def file_name(shard: Shard, data: bytes) -> str:
    """Name the file of a shard: by its table and blocks, and by a hash of what is in it."""
    table = hashlib.sha256("\n".join(shard.table).encode()).hexdigest()[:12]
    return named_by_content(f"{table}-{shard.first:012}-{shard.blocks}", data)


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
    return values.astype(np.promote_types(*(np.min_scalar_type(each) for each in (values.min(), values.max()))))
