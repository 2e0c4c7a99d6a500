"""Runs that end as soon as their figures are sure enough, and comparisons as soon as there is a verdict."""

from functools import cache

import pytest
from play_specs import run
from small_runs import (
    FIELD,
    SEATINGS,
    SEED,
    csv,
    csv_in,
    plays,
)
from stopping_reporter import StopsAfter
from whole_proof import whole, whole_but

from spadesim import league
from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.experiment import check_spec, check_values
from spadesim.designs.reopen import reopen
from spadesim.tournament.scheduling import Schedule

WIDTH = 0.02


def half_widths(result):
    return ((result.standings["win_share_high"] - result.standings["win_share_low"]) / 2).to_numpy()


@cache
def until_known(bots=tuple(FIELD[:3]), games=60_000):
    return league(bots, games=games, seed=SEED, until=WIDTH)


@plays
def test_run_ends_at_the_first_look_that_is_good_enough():
    result = until_known()
    looks = [512]
    while looks[-1] < 10_000:
        looks.append(looks[-1] + looks[-1] // 5)
    at = looks.index(result.tally.blocks)
    assert at > 0
    assert result.complete
    assert (half_widths(result) < WIDTH).all()
    before = until_known(games=looks[at - 1] * SEATINGS)
    assert before.tally.blocks == looks[at - 1]
    assert half_widths(before).max() >= WIDTH


@plays
def test_games_are_the_cap():
    result = league(FIELD[:3], games=600 * SEATINGS, seed=SEED, until=1e-6)
    assert (result.complete, result.tally.blocks) == (True, 600)
    assert half_widths(result).max() > 1e-6


@plays
@pytest.mark.parametrize("workers", whole_but([0, 2], 0))
def test_run_ends_at_the_same_look_with_any_workers_and_when_it_was_stopped(workers, here):
    values = {"bots": FIELD[:3], "games": 60_000, "seed": SEED, "until": WIDTH}
    part = run(check_spec(values), workers=workers, out="mine", reporter=StopsAfter(3))
    assert not part.complete
    assert csv(reopen("mine")) == csv(part)
    result = run(check_spec(values), workers=workers, out="mine", resume=True)
    assert result.complete
    assert csv(result) == csv_in("mine") == csv(reopen("mine")) == csv(until_known())


@plays
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_run_of_one_block_ends_with_its_games():
    result = league(FIELD[:3], games=6, seed=SEED, until=0.1)
    assert (result.tally.blocks, result.complete) == (1, True)


@whole
@plays
def test_run_that_ends_earlier_with_more_bots_is_read_as_it_was(here):
    values = {"games": 60_000, "seed": SEED, "until": WIDTH}
    run(check_spec(values | {"bots": FIELD[:3]}), out="mine")
    larger = run(check_spec(values | {"bots": FIELD}), out="mine", resume=True)
    assert larger.tally.blocks < until_known().tally.blocks
    assert csv(larger) == csv_in("mine") == csv(until_known(tuple(FIELD)))
    assert csv(reopen("mine")) == csv(larger)


COMPARED = {
    "bots": ["honors+boss", "honors:jack=0.4+boss", "quick+boss", "nil_tips+need_or_duck"],
    "seed": SEED, "delta": 0.01, "games": 60_000,
}  # fmt: skip


@cache
def compared():
    return run(check_values(CompareSpec, COMPARED))


def shards_of_comparison():
    """Count its shards, of 100 blocks at most: at each look, those of two tables."""
    looks = [256]
    while looks[-1] < compared().tally.blocks:
        looks.append(looks[-1] + looks[-1] // 50)
    assert looks[-1] == compared().tally.blocks
    return 2 * 3 + 2 * (len(looks) - 1)


@whole
@plays
@pytest.mark.parametrize("left_out", [40, 13, 2])
def test_comparison_that_was_stopped_comes_to_the_same_verdict(left_out, here, monkeypatch):
    monkeypatch.setattr(Schedule, "_size", lambda self, table, left: 100)
    part = run(check_values(CompareSpec, COMPARED), out="mine", reporter=StopsAfter(shards_of_comparison() - left_out))
    assert not part.complete
    assert part.comparison["verdict"].tolist() == ["undecided"]
    assert csv(reopen("mine")) == csv_in("mine") == csv(part)
    result = run(check_values(CompareSpec, COMPARED), out="mine", resume=True)
    assert result.comparison["verdict"].tolist() == ["level"]
    assert csv(result) == csv_in("mine") == csv(reopen("mine")) == csv(compared())
