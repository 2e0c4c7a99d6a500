"""A design is a folder: one that tosses coins, a package outside spadesim, is run, resumed and reported like any."""

import io
import json
import os
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest
from real_processes import finished
from whole_proof import whole

import spadesim

COINS = 730  # seven whole shards, and one of thirty coins
FILE = f'question = "Are coins fair?"\ncoins = {COINS}\nseed = 7\n'
CODE = f"""
import inspect
import sys
import spadesim
found = spadesim.coins({COINS}, seed=7)
print(found.sides.to_csv(index=False), end="")
print(repr(found), *inspect.signature(spadesim.coins).parameters, "coins" in dir(spadesim), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Install the toy into a folder of its own; return the environment in which it is found."""
    place = tmp_path_factory.mktemp("installed")
    shutil.copytree(Path(__file__).parent / "coin_design", place / "coin_design")
    info = place / "coin_design-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coin-design\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[spadesim.designs]\ncoins = coin_design\n")
    return os.environ | {"PYTHONPATH": str(place)}


@pytest.fixture
def run(installed, tmp_path):
    """Run a command in a process that has the toy; return its exit code and what it wrote."""
    (tmp_path / "toy.toml").write_text(FILE)
    return lambda *words: finished(words, cwd=tmp_path, env=installed)


@pytest.fixture
def done(run):
    """Run a command that must succeed, and return what it printed."""

    def done(*words):
        code, out, errors = run(*words)
        assert code == 0, errors
        return out

    return done


def test_it_is_among_the_commands_with_the_options_of_all(done):
    assert "\n  coins " in done("--help")
    shown = done("coins", "--help")
    assert all(option in shown for option in ("--seed", "--workers", "--out", "--resume", "--table", "--format"))
    assert "--scheduler" not in shown  # it is not played in shards of tables


def test_its_file_its_command_and_its_function_give_the_same_bytes(done, installed, tmp_path):
    words = ("--table", "sides", "--format", "csv", "--quiet")
    text = done("run", "toy.toml", *words)
    table = pd.read_csv(io.StringIO(text))
    assert table["side"].tolist() == ["heads", "tails"]
    assert table["coins"].sum() == COINS
    assert table["coins"].min() > COINS / 3
    assert done("coins", str(COINS), "--seed", "7", *words, "--workers", "2") == text
    assert done("coins", str(COINS), "--seed", "8", *words) != text
    code, out, said = finished(["-c", CODE], [sys.executable], cwd=tmp_path, env=installed)
    assert (code, out) == (0, text), said
    assert said == "<Coins: tables sides> number seed workers out resume True\n"


def test_its_folder_has_a_table_and_a_report(done, tmp_path):
    printed = done("run", "toy.toml", "--out", "mine")
    manifest = json.loads((tmp_path / "mine" / "manifest.json").read_text())
    assert (manifest["kind"], manifest["state"], manifest["spec"]["coins"]) == ("coins", "complete", COINS)
    assert len(list((tmp_path / "mine" / "shards").glob("*.npz"))) == 8
    assert done("table", "mine") == printed
    assert done("table", "mine", "--format", "csv") == (tmp_path / "mine" / "sides.csv").read_text()
    done("report", "mine")
    page = (tmp_path / "mine" / "report.html").read_text()
    assert "<h1>730 coins</h1>" in page
    assert "Every coin was tossed once." in page
    assert "coins fell heads up." in page
    done("report", "mine", "--format", "md")
    assert "## Heads and tails" in (tmp_path / "mine" / "report.md").read_text()


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_it_goes_on_after_an_interruption_to_the_same_bytes(done, run, tmp_path):
    (tmp_path / "ctrl-c").touch()
    words = ("run", "toy.toml", "--workers", "1", "--out", "mine")
    code, _, errors = run(*words)
    assert code == 130
    assert errors.endswith(f"the tables are partial; go on with: spadesim {' '.join(words)} --resume\n")
    before = {path: path.read_bytes() for path in (tmp_path / "mine" / "shards").iterdir()}
    assert 0 < len(before) < 8
    code, out, errors = run("table", "mine")
    assert (code, errors) == (0, "spadesim: the run is partial\n")
    assert "the run is partial" in run("report", "mine")[2]
    (tmp_path / "ctrl-c").unlink()
    assert "holds something already" in run(*words)[2]
    assert "its coins is 730, not 731" in run("coins", "731", "--seed", "7", "--out", "mine", "--resume")[2]
    done(*words, "--resume")
    done("run", "toy.toml", "--out", "whole")
    assert (tmp_path / "mine" / "sides.csv").read_bytes() == (tmp_path / "whole" / "sides.csv").read_bytes()
    assert before.items() <= {path: path.read_bytes() for path in (tmp_path / "mine" / "shards").iterdir()}.items()


@whole
def test_what_is_wrong_with_it_is_one_line(run, tmp_path):
    (tmp_path / "toy.toml").write_text("coinz = 3\n")
    assert run("run", "toy.toml")[::2] == (2, "spadesim: toy.toml: unknown key 'coinz'; did you mean 'coins'?\n")
    (tmp_path / "toy.toml").write_text("coins = 3\nsweep = 'a'\n")
    assert "'sweep' is next to 'coins', but a file holds one experiment" in run("run", "toy.toml")[2]
    assert run("coins", "0")[::2] == (2, "spadesim: coins is 0; expected greater than or equal to 1\n")


@whole
def test_without_the_package_its_folder_says_what_is_missing(done, tmp_path):
    done("coins", "30", "--out", "mine")
    code, out, errors = finished(["table", "mine"], cwd=tmp_path)
    assert (code, out) == (2, "")
    assert errors.startswith("spadesim: no design named 'coins'")
    assert errors.endswith("(it may belong to a package that is not installed here)\n")
    assert not hasattr(spadesim, "coins")


@whole
def test_package_that_is_gone_costs_only_its_own_commands(installed, tmp_path):
    info = tmp_path / "lost-1.0.dist-info"
    shutil.copytree(next(Path(installed["PYTHONPATH"]).glob("*.dist-info")), info)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lost\nVersion: 1.0\n")
    (tmp_path / "toy.toml").write_text(FILE)
    there = installed | {"PYTHONPATH": str(tmp_path)}
    code, out, _ = finished(["--help"], cwd=tmp_path, env=there)
    assert code == 0
    assert "coins" not in out
    code, out, errors = finished(["run", "toy.toml"], cwd=tmp_path, env=there)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("spadesim: the design 'coins', which the package coin_design has, cannot be loaded: No ")
