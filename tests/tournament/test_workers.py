"""Bots that take their worker with them cost their own tables, and workers share the memory."""

import os
import shlex
import sys
from functools import cache, reduce
from itertools import combinations
from operator import add
from pathlib import Path

import pytest
from play_specs import run
from real_processes import GUARD, SPADESIM, finished
from small_runs import (
    BAD,
    FIELD,
    SEATINGS,
    SEED,
    csv,
    csv_in,
    manifest_in,
    plays,
    posix,
    same_counts,
    shards_in,
)
from whole_proof import whole

from spadesim import BotFault, league
from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.experiment import check_spec, check_values
from spadesim.designs.reopen import reopen
from spadesim.tournament import processes, shards
from spadesim.tournament.job import Job

LOW_LIMIT = (
    "from spadesim.cli import main; from spadesim.tournament import processes;"
    " processes.memory_of_a_worker = lambda n: 8 * 10**8; main()"
)
SECONDS = 10  # for a shard of a bot that never answers, which others do not take, however slow the machine is
REASONS = {
    "ends": "ended the process, with exit code 3",
    "eats": "ran out of memory, of which a worker has 0.8 GB",
    "sticks": f"gave no answer in {SECONDS} s",
}


@whole
@plays
@posix
@pytest.mark.parametrize("bad", REASONS)
def test_bot_that_takes_its_worker_with_it_costs_its_own_tables(bad, here):
    Path("bad_bots.py").write_text(BAD)
    # copies of a bot are not told apart, so that of the four tables two are played, which saves waiting
    good = FIELD[:3] if bad == "ends" else [FIELD[0]] * 3
    bot = f"{bad}+lowest"
    league(good, games=6, seed=SEED, interpreted=True)  # compiles what is played to find the game at fault
    words = ["league", *good, bot, "--load", "bad_bots.py", "--games", "60", "--seed", str(SEED)]
    words += [
        "--workers",
        "1" if bad == "sticks" else "2",
        "--shard-timeout",
        str(SECONDS if bad == "sticks" else GUARD),
        "--out",
        "mine",
        "--quiet",
    ]
    code, out, errors = finished(words, [sys.executable, "-c", LOW_LIMIT] if bad == "eats" else SPADESIM)
    assert code == 1, errors
    assert out.startswith("standings\n"), errors
    manifest = manifest_in("mine")
    assert manifest["state"] == "partial"
    failures, lines = manifest["failures"], errors.splitlines()
    assert len(lines) == len(failures)
    named = [manifest["bots"].index(name) for failure in failures for name in failure["table"]]
    texts = {(*two, bot) for two in combinations(good, 2)}
    tables = [tuple(manifest["texts"][i] for i in named[at : at + 3]) for at in range(0, len(named), 3)]
    assert set(tables) == texts
    for failure, line, text in zip(failures, lines, tables, strict=True):
        game = first_game_in_which_it_owns_up(text)
        block = [game - game % SEATINGS, game - game % SEATINGS + SEATINGS]
        if bad == "sticks":  # one worker plays the blocks in their order
            assert failure["games"] == block
        first, end = failure["games"]
        assert [first, end] == [game - game % SEATINGS, game - game % SEATINGS + SEATINGS]
        command = f"spadesim replay {shlex.join(text)} --seed {SEED} --game {first} --load bad_bots.py"
        assert (failure["strategy"], failure["reason"], failure["command"]) == (
            f"bidder '{bad}'",
            REASONS[bad],
            command,
        )
        assert line == (
            f"spadesim: bidder '{bad}' {REASONS[bad]} (table {', '.join(failure['table'])}; games {first} … {end - 1});"
            f" the table is left unfinished; replay it with: {command}"
        )
    whole = {text: [] for text in [tuple(good), *texts]}
    for shard, counts in shards_in("mine").values():
        whole[shard.table].append((shard, counts))
    played = sorted(whole[tuple(good)], key=lambda part: part[0].first)
    assert shards.gaps([shard for shard, _ in played], 10) == []
    alone = Job(check_spec({"bots": good, "games": 60, "seed": SEED})).play((0, 1, 2), 0, 10)[0]
    assert same_counts(reduce(add, (counts for _, counts in played)), alone)
    assert all(shards.gaps([shard for shard, _ in whole[text]], 10) for text in texts)
    assert csv(reopen("mine")) == csv_in("mine")
    if bad == "ends":
        assert finished(shlex.split(failures[0]["command"])[1:])[0] == 3


@cache
def first_game_in_which_it_owns_up(table):
    bots = [*table[:2], "owns_up+lowest"]
    with pytest.raises(BotFault) as wrong:
        league(bots, games=60, seed=SEED, load=["bad_bots.py"])
    return wrong.value.record["game"]


@whole
@plays
@posix
def test_comparison_with_a_bot_that_ends_its_process_is_undecided(here):
    Path("bad_bots.py").write_text(BAD)
    others = ["quick+boss", "honors+boss"]
    bots = ("ends+lowest", "quick+need_or_duck", *others)
    values = {"bots": bots, "games": 600, "seed": SEED, "delta": 0.05, "load": ["bad_bots.py"]}
    result = run(check_values(CompareSpec, values), workers=2)
    assert not result.complete
    assert {tuple(failure["table"]) for failure in result.failures} == {(bots[0], *others)}
    assert result.comparison["verdict"].tolist() == ["undecided"]


@pytest.mark.parametrize("total", [8_000_000_000, None])
def test_workers_share_the_memory_that_a_container_leaves(total, tmp_path, monkeypatch):
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = tmp_path / "memory.max"
    limit.write_text("max\n" if total is None else f"{min(total, machine // 2)}\n")
    monkeypatch.setattr(processes, "CGROUP_LIMIT", str(limit))
    known = machine if total is None else min(total, machine // 2)
    assert processes.memory_of_a_worker(1) == int(known * 0.9)
    assert processes.memory_of_a_worker(4) == int(known * 0.9) // 4
