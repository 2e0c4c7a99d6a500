"""The log of deals: a row a seat and deal, as a Parquet file a chunk, in an order that no worker changes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from spadesim.engine.loop import LOG_COLUMNS

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


def write_part(
    path: Path, tables: Sequence[tuple[tuple[int, ...], Sequence[np.ndarray]]], names: Sequence[str], n_seatings: int
) -> None:
    """Write one chunk: its tables in the league's order, each sorted by game, deal and seat."""
    dictionary = pa.array(names)
    parts = []
    for bots, logs in tables:
        rows = np.concatenate(logs)
        rows = rows[np.lexsort([rows[:, LOG_COLUMNS.index(name)] for name in ("seat", "deal", "game")])]
        parts.append(_arrow(rows, bots, dictionary, n_seatings))
    pq.write_table(pa.concat_tables(parts), path, compression="zstd")


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
