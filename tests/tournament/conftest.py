"""Folders to play in."""

import pytest
from small_runs import (
    SHARD_BLOCKS,
    small_groups,
)

from spadesim.tournament.scheduling import Schedule


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small(here, monkeypatch):
    """Cut a league of a few blocks into many shards and groups."""
    monkeypatch.setattr(Schedule, "_size", lambda self, table, left: SHARD_BLOCKS)
    with small_groups():
        yield here
