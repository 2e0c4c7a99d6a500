"""The command line: each command once; bad input is one line and exit code 2, a fault exit code 1, Ctrl-C 130."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from real_processes import GUARD, SPADESIM, processes_of_group, start, wait_until
from whole_proof import whole, whole_but

import spadesim
from spadesim import league, play_game
from spadesim.bots.registry import find_strategies, standing_field
from spadesim.cli import app as command_line
from spadesim.designs.league.spec import TABLE_NAMES
from spadesim.rules import PRESETS, from_values

plays = pytest.mark.many_games

BOTS = ["quick+boss", "nil_tips+boss", "honors+need_or_duck"]
FAULTY = ["fixed:bid=18+boss", "quick+boss", "honors+boss"]
HAND = "AS KS 9S 4S AH KH 7H 3H QD 9D 6D 2D KC TC 8C 5C 3C"
HEADER = "from spadesim import bidder, player\nfrom spadesim.cards import lowest\n"


@dataclass
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def errors(self):
        return self.err.splitlines()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run a command in this process."""

    def run(*words):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            command_line.main(list(words))
        captured = capsys.readouterr()
        return Result(stopped.value.code, captured.out, captured.err)

    return run


@pytest.fixture
def done(run):
    """Run a command that must succeed, and return what it printed."""

    def done(*words):
        result = run(*words)
        assert result.code == 0, result.err
        return result.out

    return done


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# --- Each command ----------------------------------------------------------------------------------------------------


@plays
def test_league_prints_seven_tables(done):
    printed = done("league", *BOTS, "--games", "60", "--quiet")
    names = [block.split("\n")[0] for block in printed.split("\n\n")]
    assert names == ["standings", "nils", "bags", "orders", "seats", "head_to_head", "ratings"]
    assert all(bot in printed for bot in BOTS)


@plays
def test_league_prints_the_tables_asked_for(done):
    printed = done("league", *BOTS, "--games", "6", "--table", "bids", "--table", "standings", "--table", "bids")
    assert [block.split("\n")[0] for block in printed.split("\n\n")] == ["bids", "standings"]
    every = done("league", *BOTS, "--games", "6", "--table", "all")
    assert [block.split("\n")[0] for block in every.split("\n\n")] == list(TABLE_NAMES)


@plays
@pytest.mark.parametrize("table", whole_but(TABLE_NAMES, "standings", "calibration", "head_to_head"))
def test_league_is_read_back_from_csv_and_json(table, done):
    expected = league(BOTS, games=60, seed=3).tables[table]
    words = ["league", *BOTS, "--games", "60", "--seed", "3", "--table", table]
    from_csv = pd.read_csv(io.StringIO(done(*words, "--format", "csv")))
    assert_frame_equal(from_csv, expected, check_dtype=False, check_exact=True)
    from_json = pd.read_json(io.StringIO(done(*words, "--format", "json")), precise_float=True)
    assert_frame_equal(from_json, expected, check_dtype=False, rtol=1e-12)


@plays
def test_league_without_a_table_gives_programs_the_standings(done):
    frame = pd.read_csv(io.StringIO(done("league", *BOTS, "--games", "6", "--format", "csv")))
    assert frame.columns[:3].tolist() == ["bot", "games", "wins"]
    assert sorted(frame["bot"]) == sorted(BOTS)


@whole
@plays
def test_league_without_bots_plays_the_standing_field(done):
    frame = pd.read_csv(io.StringIO(done("league", "--games", "6", "--format", "csv")))
    assert sorted(frame["bot"]) == sorted(standing_field())


@plays
def test_league_with_a_focus_plays_its_tables_only(done):
    words = [*BOTS, "fixed+boss", "--focus", "fixed+boss", "--games", "6", "--format", "csv"]
    games = pd.read_csv(io.StringIO(done("league", *words))).set_index("bot")["games"]
    assert games["fixed+boss"] == 18
    assert set(games.drop("fixed+boss")) == {12}


@plays
def test_out_folder_holds_tables_manifest_and_log(done, folder):
    done("league", *BOTS, "--games", "60", "--seed", "3", "--out", "runs/mine", "--log", "deals")
    result = league(BOTS, games=60, seed=3)
    assert {path.name for path in (folder / "runs/mine").iterdir()} == {
        "manifest.json",
        "deals",
        "shards",
        *(f"{name}.csv" for name in result.tables),
    }
    assert os.listdir("runs") == ["mine"]
    for name, table in result.tables.items():
        assert_frame_equal(pd.read_csv(f"runs/mine/{name}.csv"), table, check_dtype=False, check_exact=True)
    manifest = json.loads(Path("runs/mine/manifest.json").read_text())
    assert manifest["spec"]["seed"] == 3
    assert manifest["bots"] == BOTS
    assert len(pd.read_parquet("runs/mine/deals")) == result.standings["deals"].sum()


@plays
def test_out_folder_may_exist_when_it_is_empty(done, folder):
    (folder / "mine").mkdir()
    done("league", *BOTS, "--games", "6", "--out", "mine")
    assert (folder / "mine" / "standings.csv").is_file()


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_table_of_a_partial_search_prints_what_is_there(form, run, folder):
    spec = {"tune": "honors+boss", "against": ["quick+boss"] * 2}
    manifest = {"state": "partial", "kind": "tune", "spec": spec, "rules": {}, "sources": {}, "engine": ""}
    manifest |= {"versions": {}, "failures": [], "seconds": 1.0}
    (folder / "mine").mkdir()
    (folder / "mine" / "manifest.json").write_text(json.dumps(manifest))
    (folder / "mine" / "search.csv").write_text("generation,wins\n0,7\n")
    not_yet, there = run("table", "mine", "--format", form), run("table", "mine", "--table", "search", "--format", form)
    assert (not_yet.code, not_yet.out, not_yet.err) == (0, "", "spadesim: the run is partial\n")
    assert (there.code, "7" in there.out, there.err) == (0, True, "spadesim: the run is partial\n")


@plays
def test_run_plays_the_league_of_a_file(done):
    Path("short.toml").write_text(
        f'question = "Does it run?"\nbots = {BOTS}\ngames = 60\nseed = 3\non-fault = "correct"\n'
    )
    printed = done("run", "short.toml", "--format", "csv", "--table", "bids")
    assert printed == done("league", *BOTS, "--games", "60", "--seed", "3", "--format", "csv", "--table", "bids")


@whole
@plays
def test_run_finds_strategy_files_beside_its_own(done, folder):
    (folder / "sub").mkdir()
    done("new", "sub/beside.py")
    Path("sub/short.toml").write_text(
        'bots = ["my_bid+my_play", "quick+boss", "quick+boss"]\nload = ["beside.py"]\ngames = 6\n'
    )
    assert "my_bid+my_play" in done("run", "sub/short.toml")


@plays
def test_replay_as_text(done):
    printed = done("replay", *BOTS, "--seed", "3", "--game", "4")
    assert printed.startswith("game 4, seed 3, rules cutthroat\n")
    assert "trick 16" in printed
    assert "won by seat" in printed.splitlines()[-1]


@plays
def test_replay_as_json_is_the_record_of_the_game(done):
    record = json.loads(done("replay", *BOTS, "--seed", "3", "--game", "4", "--format", "json"))
    assert record == spadesim.play_game(BOTS, seed=3, game=4)
    interpreted = done("replay", *BOTS, "--seed", "3", "--game", "4", "--format", "json", "--interpreted")
    assert json.loads(interpreted) == record


@plays
def test_replay_of_a_range_prints_a_line_a_game(done):
    lines = done("replay", *BOTS, "--seed", "3", "--game", "4:9", "--format", "json").splitlines()
    assert [json.loads(line)["game"] for line in lines] == [4, 5, 6, 7, 8]
    assert json.loads(lines[0]) == spadesim.play_game(BOTS, seed=3, game=4)


@whole
def test_bid_asks_one_bidder_beside_the_others(done):
    words = ["bid", "honors:base=0.5", "--hand", HAND, "--bids", "4,5", "--scores", "10,20,30", "--bags", "1 2 3"]
    frame = pd.read_csv(io.StringIO(done(*words, "--format", "csv")))
    assert frame["bidder"].tolist()[:2] == ["honors:base=0.5", "fitted"]
    assert {"quick", "spade_count"} <= set(frame["bidder"])
    assert frame.set_index("bidder")["bid"]["spade_count"] == 4
    of_bot = json.loads(done("bid", "quick+boss", "--hand", HAND, "--format", "json"))
    assert of_bot[0] == {"bidder": "quick", "bid": 2 + 1 + 1}


@plays
def test_new_file_passes_its_check_and_plays(done, folder):
    assert "my_bots.py" in done("new", "my_bots.py")
    assert files_in(folder) == ["my_bots.py"]
    rows = json.loads(done("check", "my_bots.py", "--format", "json"))
    assert {row["bot"]: row["passed"] for row in rows} == {"my_bid+need_or_duck": True, "quick+my_play": True}
    assert all(row["legal"] and row["deterministic"] and row["deals"] >= 20_000 for row in rows)
    words = ["my_bid+my_play", "my_bid:luck=0+boss", "quick+boss", "--load", "my_bots.py", "--games", "6"]
    assert "my_bid:luck=0+boss" in done("league", *words)
    assert files_in(folder) == ["my_bots.py"]


def test_strategies_lists_all_and_shows_one(done):
    listed = pd.read_csv(io.StringIO(done("strategies", "--format", "csv")))
    registry = find_strategies()
    assert set(listed["name"]) == {*registry.bidder, *registry.player, *registry.bots}
    assert listed["family"].tolist() == sorted(listed["family"][listed["role"] != "bot"]) + ["bots"] * len(
        registry.bots
    )
    strategies = listed[listed["role"] != "bot"].set_index("name")
    assert strategies["origin"].notna().all()
    assert strategies["microseconds"].notna().all()  # experiments/measure_costs.py knows all that are built in
    assert strategies.loc["honors", "family"] == "honors"
    for_people = done("strategies")
    assert for_people.startswith("adjusted\n  bidder  minus_one")
    assert all(name in for_people for name in listed["name"])
    shown = done("strategies", "honors")
    assert "*Origin*" in shown
    assert "ace=0.95" in shown


def test_rules_lists_presets_and_prints_one_as_toml(done):
    listed = json.loads(done("rules", "--format", "json"))
    assert [row["rules"] for row in listed] == list(PRESETS)
    assert all(name in done("rules") for name in PRESETS)
    for name, rules in PRESETS.items():
        values = tomllib.loads(done("rules", name))
        assert from_values(name, values) == rules


def test_rules_are_printed_with_changes(done):
    values = tomllib.loads(done("rules", "pagat", "--set", "nil=50", "--set", "removed=2C 3C 4C"))
    assert values == tomllib.loads(done("rules", "pagat")) | {"nil": 50, "removed": ["2C", "3C", "4C"]}
    assert pd.read_csv(io.StringIO(done("rules", "pagat", "--format", "csv")))["overtrick"].tolist() == [-10]


@whole
@plays
def test_league_by_other_rules(done, folder):
    text = done("league", "--rules", "partnership", "--games", "20", "--format", "csv", "--quiet")
    standings = pd.read_csv(io.StringIO(text))
    assert standings["games"].tolist() == [140] * 8
    assert standings["wins"].sum() == 28 * 20
    (folder / "my.toml").write_text(done("rules", "cutthroat"))
    words = ["league", *BOTS, "--games", "60", "--format", "csv", "--quiet", "--table", "bids"]
    by_file = done(*words, "--rules", "my.toml", "--set", "nil=50", "--set", "target=500")
    assert by_file == done(*words, "--rules", "cutthroat:nil=50:target=500")
    assert by_file != done(*words)


@plays
def test_run_reads_rules_beside_its_file(done, folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "mine.toml").write_text(done("rules", "solo-3"))
    experiment = folder / "sub" / "experiment.toml"
    experiment.write_text(f'bots = {BOTS}\ngames = 60\nrules = "mine.toml"\nset = ["target=100", "max_deals=9"]\n')
    text = done("run", str(experiment), "--format", "csv", "--quiet")
    words = ["league", *BOTS, "--games", "60", "--format", "csv", "--quiet"]
    assert text == done(*words, "--rules", "solo-3", "--set", "target=100", "--set", "max_deals=9")


@whole
@plays
def test_run_of_a_study_prints_its_first_table_and_those_asked_for(run, folder):
    experiment = folder / "nils.toml"
    experiment.write_text(f'study = "nil_success"\nbots = {BOTS}\ngames = 60\nvariants = ["nil=100", "nil=50"]\n')
    two_leagues = run("run", str(experiment))
    assert (two_leagues.code, two_leagues.out) == (2, "")  # this study is of one
    experiment.write_text(f'study = "nil_success"\nbots = {BOTS}\ngames = 60\n')
    printed = run("run", str(experiment), "--out", "mine")
    assert printed.out.startswith("by_spades\nbot ")
    assert "tables are in mine" in printed.err
    tables = {path.stem: path.read_text() for path in (folder / "mine").glob("*.csv")}
    for name, text in tables.items():
        assert run("run", str(experiment), "--table", name, "--format", "csv").out == text
    assert "did you mean 'by_spades'?" in run("run", str(experiment), "--table", "by_spade").err


@whole
@plays
def test_replay_and_check_by_other_rules(done):
    rules = ["--rules", "dummy-hand", "--set", "max_deals=2"]
    record = json.loads(done("replay", *BOTS, *rules, "--format", "json"))
    assert record == play_game(BOTS, rules="dummy-hand:max_deals=2")
    assert "plays the dummy's hand too" in done("replay", *BOTS, *rules)
    assert "quick+boss" in done("check", "quick+boss", "--rules", "solo-6")


@whole
def test_bid_by_other_rules(done):
    hand = "AS KS QS JS TS AH KH QH JH AD KD QD AC"
    rows = json.loads(done("bid", "fixed:bid=3", "--hand", hand, "--rules", "partnership", "--format", "json"))
    assert all(0 < row["bid"] <= 13 for row in rows)


@plays
def test_bench_measures(done):
    speed = json.loads(done("bench", "--seconds", "0.02", "--format", "json", "--workers", "2"))
    assert list(speed) == [
        "games_per_second", "deals_per_second", "workers", "games_per_second_all", "deals_per_second_all",
    ]  # fmt: skip
    assert speed["workers"] == 2
    assert min(speed.values()) > 0


def test_help_and_version(done):
    assert all(name in done("--help") for name in command_line.cli.commands)
    assert spadesim.__version__ in done("--version")


# --- Notes -----------------------------------------------------------------------------------------------------------


@plays
def test_rounding_of_games_is_told_on_stderr(run):
    result = run("league", *BOTS, "--games", "61", "--format", "csv")
    assert "66 games a table: rounded up to whole blocks" in result.err
    assert pd.read_csv(io.StringIO(result.out))["games"].tolist() == [66, 66, 66]
    assert "rounded" not in run("league", *BOTS, "--games", "66").err


@plays
def test_seed_is_told_on_stderr(run):
    assert "seed 1," in run("league", *BOTS, "--games", "6").err


@plays
def test_quiet_silences_stderr(run):
    result = run("league", *BOTS, "--games", "61", "--out", "mine", "--quiet")
    assert result.code == 0
    assert result.err == ""
    assert result.out


# --- Bad input -------------------------------------------------------------------------------------------------------

LEAGUE = ["league", *BOTS, "--games", "6"]
BAD_INPUT = {
    "command": (["leage"], "did you mean 'league'?"),
    "option": ([*LEAGUE, "--gams", "6"], "--games"),
    "bidder": (["league", "quik+boss", *BOTS], "did you mean 'quick'?"),
    "player": (["league", "quick+bos", *BOTS], "did you mean 'boss'?"),
    "bot_without_plus": (["league", "quick", *BOTS], "bidder+player"),
    "player_as_bidder": (["league", "boss+boss", *BOTS], "'boss' is a player"),
    "parameter": (["league", "honors:aces=1+boss", *BOTS], "did you mean 'ace'?"),
    "parameter_of_none": (["league", "quick:luck=1+boss", *BOTS], "has no parameters"),
    "parameter_without_value": (["league", "honors:ace+boss", *BOTS], "parameter=value"),
    "parameter_twice": (["league", "fixed:bid=1:bid=2+boss", *BOTS], "set twice"),
    "parameter_no_number": (["league", "honors:ace=high+boss", *BOTS], "expected a number"),
    "parameter_not_whole": (["league", "fixed:bid=4.5+boss", *BOTS], "expected a whole number"),
    "parameter_not_finite": (["league", "honors:ace=inf+boss", *BOTS], "expected a number"),
    "two_bots": (["league", *BOTS[:2]], "2 bots in the field; expected at least 3"),
    "preset": ([*LEAGUE, "--rules", "cuttroat"], "did you mean 'cutthroat'?"),
    "table": ([*LEAGUE, "--table", "standing"], "did you mean 'standings'?"),
    "two_tables_as_csv": ([*LEAGUE, "--table", "bids", "--table", "nils", "--format", "csv"], "one table"),
    "format": ([*LEAGUE, "--format", "xml"], "xml"),
    "no_games": (["league", *BOTS, "--games", "0"], "--games"),
    "games_no_number": (["league", *BOTS, "--games", "many"], "many"),
    "seed_below_range": ([*LEAGUE, "--seed", "-1"], "--seed"),
    "seed_above_range": ([*LEAGUE, "--seed", str(2**64)], "--seed"),
    "no_workers": ([*LEAGUE, "--workers", "0"], "--workers"),
    "on_fault": ([*LEAGUE, "--on-fault", "ignore"], "ignore"),
    "log_without_folder": ([*LEAGUE, "--log", "deals"], "--out"),
    "focus_not_in_field": ([*LEAGUE, "--focus", "quick+lowest"], "not in the field"),
    "out_not_empty": ([*LEAGUE, "--out", "full"], "holds something already"),
    "out_is_a_file": ([*LEAGUE, "--out", "full/file"], "holds something already"),
    "out_below_a_file": ([*LEAGUE, "--out", "full/file/mine"], "--out"),
    "file_of_strategies": ([*LEAGUE, "--load", "nowhere.py"], "'nowhere.py'"),
    "experiment": (["run", "nowhere.toml"], "'nowhere.toml'"),
    "share_of_a_log": ([*LEAGUE, "--out", "new", "--log", "deals:2"], "'deals:2'; expected deals, or a share"),
    "resume_from_nowhere": ([*LEAGUE, "--resume"], "--out DIR"),
    "scheduler": ([*LEAGUE, "--scheduler", "here"], "'here'; expected an address"),
    "table_of_no_run": (["table", "full"], "no manifest.json"),
    "compare_against_one": (["compare", *BOTS[:2], "--against", BOTS[2]], "1 bot to play against; expected 2"),
    "no_experiment": (["run"], "a TOML file"),
    "replay_of_two": (["replay", *BOTS[:2]], "2 bots named; expected 3"),
    "game_no_number": (["replay", *BOTS, "--game", "last"], "'last'"),
    "game_below_0": (["replay", *BOTS, "--game", "-1"], "'-1'"),
    "game_range_empty": (["replay", *BOTS, "--game", "5:5"], "'5:5'"),
    "hand_short": (["bid", "honors", "--hand", "AS KS"], "expected 17"),
    "hand_no_card": (["bid", "honors", "--hand", "1S"], "'1S'"),
    "hand_card_twice": (["bid", "honors", "--hand", "AS AS"], "named twice"),
    "hand_not_in_the_pack": (["bid", "honors", "--hand", HAND.replace("3C", "2C")], "2C"),
    "hand_missing": (["bid", "honors"], "--hand"),
    "bids_no_numbers": (["bid", "honors", "--hand", HAND, "--bids", "four"], "'four'"),
    "bids_too_many": (["bid", "honors", "--hand", HAND, "--bids", "4,5,6"], "order"),
    "scores_too_few": (["bid", "honors", "--hand", HAND, "--scores", "1,2"], "expected 3"),
    "bidder_to_ask": (["bid", "honor", "--hand", HAND], "did you mean 'honors'?"),
    "new_file_exists": (["new", "full/file.py"], "exists already"),
    "new_file_no_python": (["new", "bots.txt"], "'bots.py'"),
    "new_file_nowhere": (["new", "nowhere/bots.py"], "cannot write"),
    "strategy": (["strategies", "honer"], "did you mean 'honors'?"),
    "rules_preset": (["rules", "cuttroat"], "did you mean 'cutthroat'?"),
    "rule_unknown": ([*LEAGUE, "--set", "nill=50"], "did you mean 'nil'?"),
    "rule_without_value": ([*LEAGUE, "--set", "nil"], "field=value"),
    "rule_out_of_range": ([*LEAGUE, "--set", "players=9"], "from 2 to 6"),
    "rules_contradict": ([*LEAGUE, "--set", "min_bid=1"], "min_bid = 1 and nil = 100"),
    "rules_of_no_file": ([*LEAGUE, "--rules", "nowhere.toml"], "nowhere.toml"),
    "change_of_no_rules": (["rules", "--set", "nil=50"], "no rules are named"),
    "three_bots_too_few": ([*LEAGUE, "--rules", "solo-4"], "expected at least 4"),
    "replay_of_three_sides": (["replay", *BOTS, "--rules", "partnership"], "expected 2"),
    "bid_too_low": (["bid", "honors", "--hand", HAND, "--rules", "solo-3", "--bids", "0"], "1 … 17"),
    "check_nothing": (["check", "honer"], "honer"),
    "bench_one_bot": (["bench", "quick+boss"], "expected at least 3"),
    "bench_no_time": (["bench", "--seconds", "0"], "--seconds"),
}  # fmt: skip


def assert_one_line(result, fragment, before, folder):
    assert result.code == 2
    assert len(result.errors) == 1, result.err
    assert result.err.startswith("spadesim: ")
    assert fragment in result.err
    assert result.out == ""
    assert files_in(folder) == before


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_line_and_exit_code_2(case, run, folder):
    (folder / "full").mkdir()
    (folder / "full" / "file").touch()
    (folder / "full" / "file.py").touch()
    words, fragment = BAD_INPUT[case]
    assert_one_line(run(*words), fragment, ["full", "full/file", "full/file.py"], folder)


BAD_STRATEGIES = {
    "syntax": ("@bidder\ndef bad(view)\n    return 3\n", "bad_bots.py:4: SyntaxError"),
    "exception_at_import": ("1 / 0\n", "bad_bots.py:3: ZeroDivisionError: division by zero"),
    "long_exception_at_import": ('raise ValueError("one\\ntwo")\n', "bad_bots.py:3: ValueError: one"),
    "exit_at_import": ("raise SystemExit(0)\n", "bad_bots.py:3: SystemExit"),
    "missing_import": ("import no_such_module_anywhere\n", "bad_bots.py:3: ModuleNotFoundError"),
    "no_strategies": ("x = 1\n", "declares no strategy"),
    "name_taken": ("@bidder\ndef quick(view):\n    return 3\n", "already declared"),
    "no_view": ("@bidder\ndef bad():\n    return 3\n", "takes no view"),
    "positional_parameter": ("@bidder\ndef bad(view, luck=1):\n    return luck\n", "(view, *, luck=1)"),
    "parameter_without_default": ("@bidder\ndef bad(view, *, luck):\n    return luck\n", "each with a default"),
    "parameter_of_odd_type": ("@bidder\ndef bad(view, *, luck=None):\n    return 3\n", "expected a default of type"),
    "text_in_compiled_code": ('@bidder\ndef bad(view, *, mood="calm"):\n    return 3\n', "expected a default of type"),
    "odd_kind": ('@bidder(kind="fast")\ndef bad(view):\n    return 3\n', "compiled, array, python"),
}
BAD_CODE = {
    "misspelt_field": (
        "return lowest(view.legl)",
        "bad_bots.py:6: player 'bad' reads view.legl",
        "did you mean 'legal'?",
    ),
    "field_of_nothing": ("return view.xyzzy", "view.xyzzy", "its fields are"),
    "float_answer": ("return 0.5 * view.position", "bad_bots.py", "answers a float64; expected an integer"),
    "true_or_false": ("return view.position == 0", "answers True or False", "expected an integer"),
    "answer_on_some_paths": ("if view.position == 0:\n        return 1", "nothing (None)", "expected an integer"),
    "no_such_helper": ("return heighest(view.legal)", "bad_bots.py", "heighest"),
}


@pytest.mark.parametrize("case", BAD_STRATEGIES)
def test_file_that_does_not_load_is_one_line_with_its_place(case, run, folder):
    source, fragment = BAD_STRATEGIES[case]
    Path("bad_bots.py").write_text(HEADER + source)
    assert_one_line(run(*LEAGUE, "--load", "bad_bots.py"), fragment, ["bad_bots.py"], folder)


@plays
@pytest.mark.parametrize("case", whole_but(BAD_CODE, "misspelt_field", "answer_on_some_paths"))
def test_strategy_that_does_not_compile_is_one_line_with_its_place(case, run, folder):
    code, *fragments = BAD_CODE[case]
    Path("bad_bots.py").write_text(HEADER + f"\n@player\ndef bad(view):\n    {code}\n")
    for words in (
        ["league", "quick+bad", *BOTS, "--load", "bad_bots.py", "--quiet", "--out", "mine"],
        ["check", "bad_bots.py"],
    ):
        for fragment in fragments:
            assert_one_line(run(*words), fragment, ["bad_bots.py"], folder)


def test_bidder_that_reads_a_players_field_is_refused(run, folder):
    Path("bad_bots.py").write_text(HEADER + "\n@bidder\ndef bad(view):\n    return view.need\n")
    result = run("league", "bad+boss", *BOTS, "--load", "bad_bots.py")
    assert_one_line(result, "a bidder's view has no such field", ["bad_bots.py"], folder)


BAD_EXPERIMENTS = {
    "unknown_key": ("gamez = 60", "did you mean 'games'?"),
    "wrong_type": ('games = "many"', "games is 'many'"),
    "not_whole": ("games = 1.5", "games is 1.5"),
    "bots_no_list": ('bots = "quick+boss"', "bots"),
    "bot_no_text": ("bots = [1, 2, 3]", "bots"),
    "out_of_range": ("games = 0", "games is 0"),
    "seed_out_of_range": ("seed = -1", "seed is -1"),
    "on_fault": ('on-fault = "ignore"', "on-fault is 'ignore'"),
    "unknown_bot": ('bots = ["quik+boss", "quick+boss", "quick+boss"]', "did you mean 'quick'?"),
    "no_toml": ("bots = [", "no TOML"),
}


@pytest.mark.parametrize("case", BAD_EXPERIMENTS)
def test_bad_experiment_is_one_line(case, run, folder):
    text, fragment = BAD_EXPERIMENTS[case]
    Path("bad.toml").write_text(text + "\n")
    assert_one_line(run("run", "bad.toml", "--out", "mine"), fragment, ["bad.toml"], folder)


STILL_ACCEPTED = {
    "bid_above_17": (["bid", "honors", "--hand", HAND, "--bids", "99"], "bid"),
    "bid_below_0": (["bid", "honors", "--hand", HAND, "--bids", "-4"], "bid"),
    "bags_below_0": (["bid", "honors", "--hand", HAND, "--bags", "-4,0,0"], "bag"),
    "out_of_no_name": (["league", *BOTS, "--games", "6", "--out", ""], "out"),
    "truth_for_a_number": (["run", "truth.toml"], "games"),
    "text_for_a_number": (["run", "text.toml"], "games"),
}


@plays
@pytest.mark.parametrize("case", STILL_ACCEPTED)
def test_more_bad_input_is_one_line(case, run, folder):
    Path("truth.toml").write_text("games = true\n")
    Path("text.toml").write_text('games = "60"\n')
    words, fragment = STILL_ACCEPTED[case]
    assert_one_line(run(*words), fragment, ["text.toml", "truth.toml"], folder)


@pytest.mark.parametrize("bidder", ["bad", "honors"])
@pytest.mark.parametrize("code", ['raise ValueError("no idea")', 'return "five"'])
def test_bidder_that_breaks_when_it_is_asked_is_one_line(bidder, code, run):
    Path("bad_bots.py").write_text(HEADER + f'\n@bidder(kind="python")\ndef bad(view):\n    {code}\n')
    result = run("bid", bidder, "--hand", HAND, "--load", "bad_bots.py")
    assert len(result.errors) <= 1


def test_check_of_a_file_looks_at_its_named_bots(run):
    Path("named.py").write_text('from spadesim import bot\n\nbot("mine", "quik+boss")\n')
    result = run("check", "named.py")
    assert result.code == 2
    assert "did you mean 'quick'?" in result.err


def test_no_command_shows_the_help(run):
    result = run()
    assert result.out + result.err == run("--help").out


BAD_GAMES = {
    "two_bots": {"bots": BOTS[:2]},
    "four_bots": {"bots": [*BOTS, BOTS[0]]},
    "seed_below_range": {"bots": BOTS, "seed": -1},
    "game_below_0": {"bots": BOTS, "game": -1},
    "on_fault": {"bots": BOTS, "on_fault": "ignore"},
}


@plays
@pytest.mark.parametrize("case", BAD_GAMES)
def test_play_game_refuses_bad_input(case):
    with pytest.raises(spadesim.SpadesimError):
        spadesim.play_game(**BAD_GAMES[case])


# --- Faults ----------------------------------------------------------------------------------------------------------


@plays
def test_fault_is_one_line_with_a_command_that_shows_it(run, folder):
    stopped = run("league", *FAULTY, "--seed", "9", "--quiet", "--out", "mine")
    assert stopped.code == 1
    assert len(stopped.errors) == 1
    assert stopped.out == ""
    assert files_in(folder) == []
    spadesim_itself, *words = shlex.split(stopped.err.partition("replay it with: ")[2])
    assert spadesim_itself == "spadesim"
    replayed = run(*words)
    assert replayed.code == 1
    assert replayed.out.splitlines()[-1].startswith("fault: seat 0 fixed:bid=18+boss answered 18;")
    record = json.loads(run(*words, "--format", "json").out)
    assert record["end_reason"] == "fault"
    assert record["fault"]["bot"] == FAULTY[0]


@plays
def test_fault_of_a_file_with_a_space_in_its_name_is_replayed(run, folder):
    (folder / "my bots").mkdir()
    Path("my bots/bad one.py").write_text(
        HEADER + '\n@player(kind="python")\ndef bad(view):\n    return lowest(view.unseen)\n'
    )
    stopped = run("league", "quick+bad", *BOTS[:2], "--load", "my bots/bad one.py", "--quiet")
    assert stopped.code == 1
    assert len(stopped.errors) == 1
    replayed = run(*shlex.split(stopped.err.partition("replay it with: spadesim ")[2]))
    assert replayed.code == 1
    assert "fault: seat" in replayed.out


@plays
@pytest.mark.parametrize("policy", ["correct", "forfeit"])
def test_league_plays_on_after_faults_when_it_is_told_to(policy, done):
    words = [*FAULTY, "--on-fault", policy, "--games", "6", "--format", "csv"]
    frame = pd.read_csv(io.StringIO(done("league", *words))).set_index("bot")
    assert frame["faults"][FAULTY[0]] >= 6
    assert frame["faults"].sum() == frame["faults"][FAULTY[0]]


@plays
def test_check_of_a_faulty_bidder_fails(run):
    result = run("check", "fixed:bid=18", "--format", "json")
    assert result.code == 1
    assert [(row["passed"], row["legal"]) for row in json.loads(result.out)] == [(False, False)]
    assert len(result.errors) == 1
    assert "replay it with: spadesim replay" in result.err


# --- Processes -------------------------------------------------------------------------------------------------------


def test_exit_code_and_stderr_of_the_process(folder):
    result = subprocess.run([*SPADESIM, "leage"], cwd=folder, capture_output=True, text=True, timeout=GUARD)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("spadesim: no command named 'leage'")
    assert result.stderr.count("\n") == 1


@plays
def test_reader_that_has_had_enough_is_no_error():
    words = [*SPADESIM, "replay", *BOTS, "--game", "0:500", "--format", "json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith('{"rules"')
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, "")


@plays
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process group")
@pytest.mark.parametrize("workers", whole_but([1, 2], 2))
def test_ctrl_c_ends_a_league_in_good_order(workers, folder):
    (folder / "tmp").mkdir()
    words = ["league", *BOTS, "--games", "1000000000", "--workers", str(workers), "--out", "mine"]
    process = start(words, cwd=folder, env=os.environ | {"TMPDIR": str(folder / "tmp")})
    assert "rounded up" in process.stderr.readline()
    wait_until(lambda: list((folder / "mine" / "shards").glob("*.npz")), process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, errors = process.communicate(timeout=GUARD)
    assert process.returncode == 130
    assert out.startswith("standings\n")
    last = errors.splitlines()[-1]
    assert last.startswith("spadesim: stopped: the tables are partial; go on with: spadesim league ")
    assert last.endswith(f"--workers {workers} --out mine --resume")
    wait_until(lambda: processes_of_group(process.pid) == [])
    assert json.loads((folder / "mine" / "manifest.json").read_text())["state"] == "partial"
    assert os.listdir(folder / "tmp") == []


@whole
@plays
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to a process group")
@pytest.mark.parametrize("workers", [1, 2])
def test_second_ctrl_c_ends_a_league_at_once(workers, folder):
    (folder / "forever.py").write_text(FOREVER)
    words = ["league", *["forever+lowest"] * 3, "--load", "forever.py", "--workers", str(workers), "--out", "mine"]
    process = start(words, [sys.executable, "-c", NOTES_SIGNALS], cwd=folder)
    wait_until((folder / "asked").exists, process)
    os.killpg(process.pid, signal.SIGINT)
    wait_until((folder / "heard").exists, process)
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=GUARD)
    assert (process.returncode, out) == (130, "")
    assert errors.splitlines()[-1].startswith("spadesim: stopped at once; what a run with --out has finished is kept")
    wait_until(lambda: processes_of_group(process.pid) == [])
    assert files_in(folder) == ["asked", "forever.py", "heard"]


FOREVER = """
from pathlib import Path
from spadesim import bidder

@bidder(kind="python")
def forever(view):
    Path("asked").touch()
    while True:
        pass
"""
# Two signals that come before the first is handled are one, so that it tells when it is.
NOTES_SIGNALS = """
from pathlib import Path
from spadesim.cli import main
from spadesim.tournament import interrupts

obey = interrupts._interrupt

def note(number, frame):
    Path("heard").touch()
    obey(number, frame)

interrupts._interrupt = note
main()
"""
