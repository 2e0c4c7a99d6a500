"""Shards that were damaged are named and played again."""

from pathlib import Path

import pandas as pd
import pytest
from play_specs import run
from small_runs import (
    FIELD,
    SEED,
    csv,
    csv_in,
    flipped,
    plays,
    spec,
    state_of,
    undisturbed,
)
from stopping_reporter import StopsAfter
from whole_proof import whole_but

from spadesim.designs.reopen import reopen
from spadesim.errors import UsageError
from spadesim.tournament.scheduling import Schedule

DAMAGE = {
    "cut_short": lambda data: data[:-1],
    "half": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "bit_at_the_front": lambda data: flipped(data, 0),
    "bit_in_the_middle": lambda data: flipped(data, 4 * len(data)),
    "bit_at_the_end": lambda data: flipped(data, 8 * len(data) - 1),
}


@plays
@pytest.mark.parametrize("damage", whole_but(DAMAGE, "bit_in_the_middle"))
def test_damaged_shards_are_named_and_played_again(damage, small):
    run(spec(), out="mine")
    spoilt = sorted(Path("mine/shards").iterdir())[3:9:2]
    for path in spoilt:
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
    rest = {path: state for path, state in state_of("mine/shards").items() if path not in spoilt}
    with pytest.raises(UsageError, match=f"{spoilt[0].name} is damaged; .*--resume plays it again"):
        reopen("mine")
    reporter = StopsAfter()
    result = run(spec(), out="mine", resume=True, reporter=reporter)
    *notes, summary = reporter.notes
    assert notes == [f"the shard {path.name} is damaged; it is played again" for path in spoilt]
    assert summary.startswith(f"seed {SEED}, ")
    assert csv(result) == csv_in("mine") == csv(reopen("mine")) == undisturbed()
    assert rest.items() <= state_of("mine/shards").items()


@plays
def test_failed_resume_leaves_what_is_not_its_own(here):
    run(spec(games=6), out="mine", reporter=StopsAfter(1))
    Path("mine/letter.txt").write_text("dear")
    for path in Path("mine/shards").iterdir():
        path.write_bytes(b"")
    with pytest.raises(KeyboardInterrupt):
        run(spec(games=6), out="mine", resume=True, reporter=StopsAfter(0))
    assert Path("mine/letter.txt").exists()


@plays
def test_log_of_a_damaged_shard_holds_no_deal_twice(small, monkeypatch):
    run(spec(FIELD[:3], log="deals"), out="mine")
    rows = len(pd.read_parquet("mine/deals"))
    spoilt = sorted(Path("mine/shards").iterdir())[1]
    spoilt.write_bytes(b"")
    monkeypatch.setattr(Schedule, "_size", lambda self, table, left: 2)
    run(spec(FIELD[:3], log="deals"), out="mine", resume=True)
    assert len(pd.read_parquet("mine/deals")) == rows
