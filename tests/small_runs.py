"""Leagues of a few blocks, cut into many shards and groups, and what stands in their folders."""

import json
import os
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from play_specs import run

from spadesim.designs.experiment import check_spec
from spadesim.stats import groups
from spadesim.storage.run_folder import read_shard
from spadesim.tournament.shards import from_arrays
from spadesim.tournament.tally import TableCounts

plays = pytest.mark.many_games
posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")

SEED = 77
FIELD = ["quick+boss", "honors+boss", "nil_tips+boss", "quick+need_or_duck"]
SEATINGS = 6
GAMES = 23 * SEATINGS
SHARD_BLOCKS = 5
SHARD_SIZES = [5, 5, 5, 5, 3] * 4  # of 23 blocks at each of four tables, in the order in which they are played


@contextmanager
def small_groups():
    """Let eight blocks be groups by themselves, so that a few dozen reach into the larger ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "SINGLETON_BLOCKS", 8)
        patch.setattr(groups, "GROUPS_PER_DOUBLING", 4)
        yield


def spec(bots=FIELD, **options):
    return check_spec({"bots": bots, "games": GAMES, "seed": SEED} | options)


def csv(result):
    return {name: table.to_csv(index=False) for name, table in result.tables.items()}


def csv_in(place):
    return {path.stem: path.read_text() for path in Path(place).glob("*.csv")}


def shards_in(place):
    """Read all shards of a folder."""
    return {path: from_arrays(read_shard(path)) for path in sorted(Path(place, "shards").glob("*.npz"))}


def state_of(place):
    """Take down every file below a folder: its bytes and when it was written."""
    files = [path for path in Path(place).rglob("*") if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def manifest_in(place):
    return json.loads(Path(place, "manifest.json").read_text())


def same_counts(one, other):
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(TableCounts))


def groups_one_by_one(blocks, alone):
    """Number the groups of the first blocks by making them in turn."""
    sizes, width = [1] * alone, 2
    while sum(sizes) < blocks:
        sizes += [width] * (alone // 2)
        width *= 2
    numbers = [number for number, size in enumerate(sizes) for _ in range(size)]
    return numbers[:blocks]


def flipped(data, bit):
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


@cache
def undisturbed(bots=tuple(FIELD), games=GAMES, **options):
    """Play at one go, without a folder; what is small must be so already."""
    assert groups.SINGLETON_BLOCKS == 8
    return csv(run(spec(bots, games=games, **options)))


def in_manifest(*keys, value=None):
    """Make a change of a manifest: another value, or none at all."""

    def change():
        manifest = manifest_in("mine")
        inner = manifest
        for key in keys[:-1]:
            inner = inner[key]
        if value is None:
            del inner[keys[-1]]
        else:
            inner[keys[-1]] = value
        Path("mine/manifest.json").write_text(json.dumps(manifest))

    return change


BAD = """import os
import time

from spadesim import bidder
from spadesim.cards import SPADES, count

@bidder(kind="python")
def ends(view):
    if count(view.hand & SPADES) >= 8:
        os._exit(3)
    return 3

@bidder(kind="python")
def sticks(view):
    while count(view.hand & SPADES) >= 8:
        time.sleep(0.01)
    return 3

@bidder(kind="python")
def eats(view):
    x = []
    while count(view.hand & SPADES) >= 8:
        x.append(bytearray(10**7))
    return 3

@bidder
def owns_up(view):
    return -1 if count(view.hand & SPADES) >= 8 else 3
"""
