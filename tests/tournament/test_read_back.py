"""A run is read from its folder as it was."""

import math

import pytest
from play_specs import run
from small_runs import (
    FIELD,
    csv,
    csv_in,
    plays,
    spec,
)
from stopping_reporter import StopsAfter
from whole_proof import whole_but

from spadesim.designs.reopen import reopen
from spadesim.errors import UsageError

READ = {
    "other_rules": {"rules": "cutthroat:nil=50:max_deals=9"},
    "focus": {"focus": [FIELD[1]]},
    "copies": {"bots": [FIELD[0], FIELD[0], FIELD[1], FIELD[1]]},
    "until": {"until": 0.4},
}


@plays
@pytest.mark.parametrize("shards", whole_but([3, math.inf], 3))
@pytest.mark.parametrize("case", whole_but(READ, "copies"))
def test_run_is_read_from_its_folder(case, shards, small):
    result = run(spec(**READ[case]), out="mine", reporter=StopsAfter(shards))
    again = reopen("mine")
    assert csv(again) == csv(result) == csv_in("mine")
    assert again.complete == result.complete == (shards == math.inf)
    assert (again.spec, again.rules, again.bots) == (result.spec, result.rules, result.bots)
    assert again.games_played == result.games_played > 0


def test_no_run_is_read_from_a_folder_without_one(here):
    for name in ("nowhere", "."):
        with pytest.raises(UsageError, match="holds no run"):
            reopen(name)
