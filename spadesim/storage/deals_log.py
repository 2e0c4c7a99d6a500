"""The log of deals: a row a seat and deal, a Parquet file a shard."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from spadesim.engine.loop import LOG_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

# Column of the file: column of the engine's log, type.
COLUMNS = {
    "game": ("game", pa.int64()),
    "deal": ("deal", pa.int16()),
    "seat": ("seat", pa.int8()),
    "order": ("order", pa.int8()),
    "hand": ("hand", pa.int64()),
    "bid": ("bid", pa.int8()),
    "taken": ("taken", pa.int8()),
    "points": ("points", pa.int16()),
    "penalties": ("penalties", pa.int8()),
    "bags": ("bags", pa.int8()),
    "score_before": ("score_before", pa.int32()),
}


def to_parquet(bots: tuple[int, ...], logs: Sequence[np.ndarray], names: Sequence[str], n_seatings: int) -> bytes:
    """Write a shard of one table, sorted by game, deal and seat."""
    rows = np.concatenate(logs)
    rows = rows[np.lexsort([rows[:, LOG_COLUMNS.index(name)] for name in ("seat", "deal", "game")])]
    file = io.BytesIO()
    pq.write_table(_arrow(rows, bots, pa.array(names), n_seatings), file, compression="zstd")
    return file.getvalue()


def _arrow(rows: np.ndarray, bots: tuple[int, ...], dictionary: pa.Array, n_seatings: int) -> pa.Table:
    def column(name: str) -> np.ndarray:
        return rows[:, LOG_COLUMNS.index(name)]

    at_table = np.array(bots)
    table = " | ".join(dictionary[i].as_py() for i in bots)
    columns = {
        "table": pa.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), pa.array([table])),
        "stream": pa.array(column("game") // n_seatings),
        "bot": pa.DictionaryArray.from_arrays(at_table[column("bot")].astype(np.int32), dictionary),
    }
    columns |= {name: pa.array(column(source)).cast(kind) for name, (source, kind) in COLUMNS.items()}
    nil, blind = column("bid") == 0, column("blind") == 1
    return pa.table(columns | {"nil": pa.array(nil), "blind": pa.array(blind)}).unify_dictionaries()


def whole_games(file: Path, columns: list[str]) -> "Iterator[pd.DataFrame]":
    """Read a file of a log, some million rows at a time, each time of whole games."""
    import pandas as pd

    with pq.ParquetFile(file) as reader:
        rest = None  # of a game whose end is in the next group of rows
        for group in range(reader.num_row_groups):
            rows = reader.read_row_group(group, columns=list(dict.fromkeys([*columns, "game"]))).to_pandas()
            rows = rows if rest is None else pd.concat([rest, rows], ignore_index=True)
            is_last = rows["game"] == rows["game"].iloc[-1]
            rest = rows[is_last]
            yield rows.loc[~is_last, columns]
    if rest is not None:
        yield rest[columns]
