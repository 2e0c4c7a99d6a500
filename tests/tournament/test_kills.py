"""Runs and workers that are killed: nothing is lost, and nothing is counted twice."""

import os
import signal
from pathlib import Path

import pytest
from play_specs import run
from real_processes import GUARD, finished, processes_of_group, start, wait_until, workers_of
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
from spadesim.designs.reopen import reopen
from spadesim.tournament.reporter import Reporter

# It takes its time, so that shards are small; when two are finished, each worker halts in the middle of another.
UNHURRIED = """import os
import time
from pathlib import Path

from spadesim import bidder

@bidder(kind="python")
def unhurried(view):
    if os.path.exists("slow"):
        time.sleep(0.003)
        while len(list(Path("mine/shards").glob("*.npz"))) >= 2 and os.path.exists("slow"):
            Path(f"halted-{os.getpid()}").touch()
            time.sleep(0.01)
    return 3
"""
SLOW_RUN = {"bots": ["unhurried+lowest", "quick+boss", "honors+boss"], "games": 300, "seed": SEED}
SLOW_RUN |= {"load": ["slow_bots.py"]}
SLOW_WORDS = ["league", *SLOW_RUN["bots"], "--load", "slow_bots.py", "--games", "300", "--seed", str(SEED)]
SLOW_WORDS += ["--workers", "2", "--out", "mine", "--quiet", "--table", "standings", "--format", "csv"]


@pytest.fixture
def slow(here):
    """Have a strategy that takes its time, and at last halts, as long as the file "slow" is there."""
    Path("slow_bots.py").write_text(UNHURRIED)
    Path("slow").touch()
    return here


def in_mid_run(process):
    """Wait until some shards are finished and both workers in the middle of others; return their numbers."""
    wait_until(lambda: len(list(Path().glob("halted-*"))) == 2, process)
    workers = {int(path.name.removeprefix("halted-")) for path in Path().glob("halted-*")}
    assert workers <= set(workers_of(process.pid))
    return sorted(workers)


@whole
@plays
@posix
def test_worker_that_is_killed_costs_nothing(slow):
    with start(SLOW_WORDS) as process:
        os.kill(in_mid_run(process)[0], signal.SIGKILL)
        os.remove("slow")
        out, errors = process.communicate(timeout=GUARD)
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
        wait_until(lambda: processes_of_group(process.pid) == [])
        process.communicate(timeout=GUARD)
    assert process.returncode == -signal.SIGKILL
    os.remove("slow")
    assert manifest_in("mine")["state"] == "running"
    assert csv_in("mine") == {}
    before = state_of("mine/shards")
    part = reopen("mine")
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
                worker = workers_of(os.getpid())[0]
                os.kill(worker, signal.SIGKILL)
                wait_until(lambda: worker not in workers_of(os.getpid()))

    result = run(spec(FIELD[:3], games=6000), workers=2, reporter=Kills())
    assert csv(result) == csv(league(FIELD[:3], games=6000, seed=SEED))
