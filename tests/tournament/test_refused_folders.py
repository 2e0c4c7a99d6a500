"""Folders of another run, of no run or in use are refused in one line and left as they are."""

import os
from pathlib import Path

import pytest
from play_specs import run
from small_runs import (
    FIELD,
    in_manifest,
    plays,
    spec,
    state_of,
)
from whole_proof import whole_but

from spadesim.designs.reopen import reopen
from spadesim.errors import UsageError
from spadesim.tournament.reporter import Reporter


def writes(name, text):
    return lambda: Path(name).write_text(text)


SOURCE = """from spadesim import bidder

@bidder(kind="python")
def mine(view):
    return 3
"""
OWN = ["mine+boss", *FIELD[:3]]
LOADED = {"bots": OWN, "load": ["own.py"], "games": 12}
REFUSED = {  # what is changed in the folder, what else is asked for, and what is said
    "other_seed": (None, {"seed": 78}, "its seed is 77, not 78"),
    "other_rules": (None, {"rules": "cutthroat:nil=50"}, "its rules is 'cutthroat', not 'cutthroat:nil=50'"),
    "fewer_games": (None, {"games": 6}, "it has 12 games a table, not 6; expected as many or more"),
    "other_policy": (None, {"on_fault": "correct"}, "its on-fault is 'stop', not 'correct'"),
    "other_focus": (None, {"focus": [OWN[0]]}, "its focus is [], not ['mine+boss']"),
    "other_until": (None, {"until": 0.1}, "its until is 0.0, not 0.1"),
    "other_log": (None, {"log": "deals"}, "its log is '', not 'deals'"),
    "other_timeout": (None, {"decision_timeout": 1.0}, "its decision-timeout is 0.0, not 1.0"),
    "bot_left": (None, {"bots": OWN[:3]}, "its field is another; expected the same bots in the same order"),
    "bots_swapped": (None, {"bots": OWN[::-1]}, "its field is another"),
    "strategy_edited": (writes("own.py", SOURCE.replace("3", "4")), {}, "the source of bidder mine has changed since"),
    "other_engine": (in_manifest("engine", value="0" * 64), {}, "it was played by another engine"),
    "other_version": (in_manifest("versions", "spadesim", value="0.0.1"), {}, "it was played by spadesim 0.0.1, not"),
    **{
        f"older_without_{key}": (in_manifest(key), {}, "is of an older version of spadesim; play it again in a new")
        for key in ("state", "spec", "sources", "engine", "versions", "seconds", "texts", "focus")
    },
    "manifest_no_json": (writes("mine/manifest.json", "{"), {}, "cannot be read; it was changed or is damaged"),
    "manifest_a_list": (writes("mine/manifest.json", "[]"), {}, "cannot be read; it was changed or is damaged"),
    "manifest_gone": (lambda: os.remove("mine/manifest.json"), {}, "holds no league run: it has no manifest.json"),
    "no_resume": (None, {"resume": False}, "holds something already; name a new one, or --resume to go on"),
}
ONE_OF_A_KIND = ["other_seed", "fewer_games", "bots_swapped", "strategy_edited", "older_without_state"]
ONE_OF_A_KIND += ["manifest_no_json", "manifest_gone", "no_resume"]


@plays
@pytest.mark.parametrize("case", whole_but(REFUSED, *ONE_OF_A_KIND))
def test_folder_of_another_run_is_refused_in_one_line(case, here):
    change, others, fragment = REFUSED[case]
    Path("own.py").write_text(SOURCE)
    run(spec(**LOADED), out="mine")
    if change is not None:
        change()
    before = state_of("mine")
    options = LOADED | others
    resume = options.pop("resume", True)
    with pytest.raises(UsageError) as refused:
        run(spec(**options), out="mine", resume=resume)
    assert fragment in str(refused.value)
    assert "\n" not in str(refused.value)
    assert repr(str(here / "mine")) in str(refused.value)
    assert state_of("mine") == before


@plays
@pytest.mark.parametrize("key", whole_but(["bots", "rules", "games_a_table"], "bots"))
def test_manifest_without_a_key_is_refused(key, here):
    run(spec(games=6), out="mine")
    in_manifest(key)()
    with pytest.raises(UsageError):
        reopen("mine")


@plays
def test_run_by_rules_that_were_edited_is_refused(here):
    Path("my.toml").write_text("nil = 50\n")
    run(spec(games=60, rules="my.toml"), out="mine")
    Path("my.toml").write_text("nil = 200\n")
    with pytest.raises(UsageError, match="rules"):
        run(spec(games=120, rules="my.toml"), out="mine", resume=True)


@plays
def test_folder_with_something_else_is_refused(here):
    Path("mine").mkdir()
    Path("mine/letter.txt").write_text("dear")
    Path("file").write_text("dear")
    for out, resume, fragment in [
        ("mine", False, "holds something already"), ("mine", True, "holds no league run: it has no manifest.json"),
        ("file", False, "holds something already"), ("file", True, "cannot be read"), ("", False, "has no name"),
        (None, True, "there is no folder to resume from"),
    ]:  # fmt: skip
        with pytest.raises(UsageError, match=fragment) as refused:
            run(spec(games=6), out=out, resume=resume)
        assert "\n" not in str(refused.value)
    assert {path.name: data for path, (data, _) in state_of(".").items()} == {"letter.txt": b"dear", "file": b"dear"}


@plays
def test_folder_in_use_is_refused(here):
    fcntl = pytest.importorskip("fcntl")
    run(spec(games=6), out="mine")
    before = state_of("mine")
    other = os.open("mine", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(UsageError, match="another run is writing to .*mine'; wait for it, or name a new folder"):
        run(spec(games=6), out="mine", resume=True)
    assert state_of("mine") == before
    os.close(other)
    assert run(spec(games=12), out="mine", resume=True).complete


@plays
def test_run_keeps_others_out_until_it_ends(here):
    seen = []

    class Second(Reporter):
        def start(self, games):
            with pytest.raises(UsageError, match="another run is writing"):
                run(spec(games=6), out="mine", resume=True)
            seen.append(games)

    run(spec(games=6), out="mine", reporter=Second())
    assert seen == [6 * 4]
    assert run(spec(games=6), out="mine", resume=True).complete
