"""Runs and workers that are killed: nothing is lost, and nothing is counted twice."""

import os
import signal
import time
from pathlib import Path

import pytest
from real_processes import finished, in_mid_run, processes_of_group, start, wait_until, workers_of
from small_runs import (
    FIELD,
    SEATINGS,
    SEED,
    csv,
    csv_in,
    manifest_in,
    plays,
    posix,
    shards_in,
    spec,
    state_of,
)
from whole_proof import whole

from spadesim import league
from spadesim.designs.league.play import run
from spadesim.designs.past_runs import PastRun
from spadesim.tournament.progress import Reporter

UNHURRIED = """import os
import time

from spadesim import bidder

@bidder(kind="python")
def unhurried(view):
    if os.path.exists("slow"):
        time.sleep(0.003)
    return 3
"""
SLOW_RUN = {"bots": ["unhurried+lowest", "quick+boss", "honors+boss"], "games": 300, "seed": SEED}
SLOW_RUN |= {"load": ["slow_bots.py"]}
SLOW_WORDS = ["league", *SLOW_RUN["bots"], "--load", "slow_bots.py", "--games", "300", "--seed", str(SEED)]
SLOW_WORDS += ["--workers", "2", "--out", "mine", "--quiet", "--table", "standings", "--format", "csv"]


@pytest.fixture
def slow(here):
    """Have a strategy that takes its time as long as the file "slow" is there."""
    Path("slow_bots.py").write_text(UNHURRIED)
    Path("slow").touch()
    return here


@whole
@plays
@posix
def test_worker_that_is_killed_costs_nothing(slow):
    with start(SLOW_WORDS) as process:
        in_mid_run(process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        os.remove("slow")
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    expected = csv(league(**SLOW_RUN))
    assert csv_in("mine") == expected
    assert out == expected["standings"]
    assert manifest_in("mine")["state"] == "complete"
    assert processes_of_group(process.pid) == []


@plays
@posix
def test_run_that_is_killed_goes_on_to_the_same_bytes(slow):
    with start(SLOW_WORDS) as process:
        in_mid_run(process)
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: processes_of_group(process.pid) == [], seconds=5)
        process.communicate(timeout=5)
    assert process.returncode == -signal.SIGKILL
    os.remove("slow")
    assert manifest_in("mine")["state"] == "running"
    assert csv_in("mine") == {}
    before = state_of("mine/shards")
    part = PastRun("mine").result()
    assert 0 < part.games_played < 300
    assert not part.complete
    assert part.games_played == SEATINGS * sum(shard.blocks for shard, _ in shards_in("mine").values())
    for left in ("mine/.unfinished-1", "mine/shards/.unfinished-2"):
        Path(left).write_bytes(b"half")
    code, out, errors = finished([*SLOW_WORDS, "--resume"])
    assert (code, errors) == (0, "")
    expected = csv(league(**SLOW_RUN))
    assert csv_in("mine") == expected
    assert out == expected["standings"]
    assert list(Path("mine").rglob(".unfinished-*")) == []
    assert before.items() <= state_of("mine/shards").items()
    assert manifest_in("mine")["state"] == "complete"


@whole
@plays
@posix
def test_worker_that_is_killed_between_two_shards_costs_nothing():
    class Kills(Reporter):
        killed = False

        def progress(self, games, seconds_left):
            if games and not self.killed:
                self.killed = True
                os.kill(workers_of(os.getpid())[0], signal.SIGKILL)
                time.sleep(0.5)

    result = run(spec(FIELD[:3], games=6000), workers=2, reporter=Kills())
    assert csv(result) == csv(league(FIELD[:3], games=6000, seed=SEED))
