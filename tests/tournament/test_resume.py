"""Runs that were stopped, grow or are joined by bots go on to the same bytes."""

import os
from itertools import combinations
from pathlib import Path

import pytest
from play_specs import run
from small_runs import (
    FIELD,
    GAMES,
    SEATINGS,
    SHARD_BLOCKS,
    SHARD_SIZES,
    csv,
    csv_in,
    manifest_in,
    plays,
    shards_in,
    spec,
    state_of,
    undisturbed,
)
from stopping_reporter import StopsAfter
from whole_proof import whole, whole_but

from spadesim.designs.reopen import reopen
from spadesim.tournament import scheduling


@plays
@pytest.mark.parametrize("shards", whole_but([1, 2, 4, 5, 13, 19, 20], 13))
def test_run_that_was_stopped_goes_on_to_the_same_bytes(shards, small):
    part = run(spec(), out="mine", reporter=StopsAfter(shards))
    assert part.complete == (shards == 20)
    assert part.games_played == SEATINGS * sum(SHARD_SIZES[:shards])
    assert manifest_in("mine")["state"] == ("complete" if part.complete else "partial")
    assert csv(part) == csv_in("mine") == csv(reopen("mine"))
    assert reopen("mine").complete == part.complete
    before = state_of("mine/shards")
    assert len(before) == shards
    (small / "mine/.unfinished-1").touch()
    (small / "mine/shards/.unfinished-2").touch()
    result = run(spec(), out="mine", resume=True)
    assert result.complete
    assert csv(result) == csv_in("mine") == csv(reopen("mine")) == undisturbed()
    assert manifest_in("mine")["state"] == "complete"
    assert before.items() <= state_of("mine/shards").items()
    assert list(Path("mine").rglob(".unfinished-*")) == []


@plays
def test_run_that_was_stopped_before_its_first_shard_left_nothing(small):
    with pytest.raises(KeyboardInterrupt):
        run(spec(), out="mine", reporter=StopsAfter(0))
    assert os.listdir() == []


@whole
@plays
def test_run_that_is_stopped_again_and_again_comes_to_the_same_bytes(small):
    goes = 0
    while not run(spec(), out="mine", resume=True, reporter=StopsAfter(3)).complete:
        goes += 1
    assert goes == 6
    assert csv_in("mine") == undisturbed()
    assert sum(shard.blocks for shard, _ in shards_in("mine").values()) == 4 * 23


@plays
@pytest.mark.parametrize("games", whole_but([6, 60, GAMES - 1, GAMES], 60))
def test_run_grows(games, small):
    run(spec(games=games), out="mine")
    before = state_of("mine/shards")
    assert csv(run(spec(), out="mine", resume=True)) == csv_in("mine") == undisturbed()
    assert before.items() <= state_of("mine/shards").items()
    blocks = -(-games // SEATINGS)
    new = [shard for path, (shard, _) in shards_in("mine").items() if path not in before]
    assert sorted({block for shard in new for block in range(shard.first, shard.end)}) == list(range(blocks, 23))


@plays
def test_run_that_is_stopped_in_its_first_round_counts_what_was_there_of_later_ones(small, monkeypatch):
    monkeypatch.setattr(scheduling, "FIRST_ROUND", 10)
    run(spec(FIELD[:3]), out="mine")
    part = run(spec(), out="mine", resume=True, reporter=StopsAfter(2))
    assert not part.complete
    assert part.games_played == GAMES + 2 * SHARD_BLOCKS * SEATINGS
    assert csv(part) == csv_in("mine") == csv(reopen("mine"))


NEW = "nil_tips+need_or_duck"
LARGER = {
    "at_the_end": [*FIELD, NEW],
    "at_the_front": [NEW, *FIELD],
    "in_the_middle": [*FIELD[:2], NEW, *FIELD[2:]],
    "two": [FIELD[0], NEW, *FIELD[1:], "honors+need_or_duck"],
    "a_copy": [FIELD[0], *FIELD],
}


@plays
@pytest.mark.parametrize(
    ("case", "games"),
    whole_but([*((case, 60) for case in LARGER), ("in_the_middle", GAMES)], ("in_the_middle", 60), several=True),
)
def test_bots_join_a_run(case, games, small):
    field = LARGER[case]
    run(spec(games=games), out="mine")
    before = state_of("mine/shards")
    result = run(spec(field), out="mine", resume=True)
    assert csv(result) == csv_in("mine") == csv(reopen("mine")) == undisturbed(tuple(field))
    assert before.items() <= state_of("mine/shards").items()
    old = set(combinations(FIELD, 3))
    new = [shard for path, (shard, _) in shards_in("mine").items() if path not in before]
    assert {shard.table for shard in new} - old == set(combinations(field, 3)) - old
    assert all(shard.first * SEATINGS >= games for shard in new if shard.table in old)


@plays
def test_resume_of_nothing_is_a_new_run(small):
    Path("empty").mkdir()
    for out in ("empty", "new/below"):
        assert csv(run(spec(), out=out, resume=True)) == csv_in(out) == undisturbed()


@plays
def test_run_that_was_killed_before_its_first_word_starts(here):
    Path("mine/shards").mkdir(parents=True)
    Path("mine/.unfinished-0123").write_bytes(b"half a manif")
    assert run(spec(games=6), out="mine", resume=True).complete
    assert not list(Path("mine").glob(".unfinished-*"))
