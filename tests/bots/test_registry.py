"""How strategies are found and bots are read."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_processes import GUARD

from spadesim.bots.registry import find_strategies
from spadesim.bots.strategy import bidder
from spadesim.errors import StrategyError, UsageError

REGISTRY = find_strategies()


def test_parameters_are_read_as_the_type_of_their_defaults():
    bot = REGISTRY.bot("honors:ace=1:base=-2.5+boss")
    assert bot.bidder.settings["ace"] == 1.0
    assert type(bot.bidder.settings["ace"]) is float
    assert bot.bidder.settings["king"] == 0.82
    assert type(REGISTRY.bot("fixed:bid=3+boss").bidder.settings["bid"]) is int


@given(bid=st.integers(-(2**63) + 1, 2**63 - 1))
def test_a_bots_name_reads_back_as_the_same_bot(bid):
    bot = REGISTRY.bot(f"fixed:bid={bid}+lowest")
    assert REGISTRY.bot(bot.name) == bot


def test_a_bot_that_is_named_again_gets_a_number():
    names = [bot.name for bot in REGISTRY.field(["quick+boss", "honors+boss", "quick+boss", "quick+boss"])]
    assert names == ["quick+boss", "honors+boss", "quick+boss#2", "quick+boss#3"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("honers+boss", ["no bidder named 'honers'", "'honors'"]),
        ("honors+bos", ["no player named 'bos'", "'boss'"]),
        ("honors", ["no bot 'honors'", "bidder+player"]),
        ("boss+honors", ["'boss' is a player, not a bidder"]),
        ("honors:acee=1+boss", ["no parameter", "'acee'", "'ace'"]),
        ("honors:ace=much+boss", ["ace", "'much'", "a number"]),
        ("honors:ace=nan+boss", ["'nan'", "a number"]),
        ("fixed:bid=3.5+boss", ["'3.5'", "a whole number"]),
        ("fixed:bid=99999999999999999999+boss", ["a whole number"]),
        ("fixed:bid+boss", ["parameter=value"]),
        ("fixed:bid=1:bid=2+boss", ["set twice"]),
        ("quick:bid=1+boss", ["'quick' has no parameters"]),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text, words):
    with pytest.raises(UsageError) as error:
        REGISTRY.bot(text)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert "\n" not in str(error.value)


def test_a_whole_bot_can_have_a_name_of_its_own(tmp_path):
    file = tmp_path / "named_bots.py"
    file.write_text('from spadesim import bot\nbot("careful", "honors:base=-2.0+boss")\n')
    careful = find_strategies([str(file)]).bot("careful")
    assert (careful.name, careful.spec) == ("careful", "careful")
    assert careful.bidder.settings["base"] == -2.0


def test_a_name_that_is_taken_is_refused_with_both_places(tmp_path):
    file = tmp_path / "taken.py"
    file.write_text("from spadesim import bidder\n\n@bidder\ndef quick(view):\n    return 1\n")
    with pytest.raises(StrategyError, match=r"taken\.py:3.*'quick'.*basics\.py"):
        find_strategies([str(file)])


@pytest.mark.parametrize(
    ("declare", "words"),
    [
        (lambda: bidder(lambda: 1), "takes no view"),
        (lambda: bidder(lambda view, x: 1), "'x'"),
        (lambda: bidder(lambda view, *, x: 1), "'x'"),
        (lambda: bidder(lambda view, *, x="a": 1), "x='a'"),
        (lambda: bidder(lambda view: 1, kind="fast"), "'fast'"),
    ],
)
def test_a_function_that_cannot_be_a_strategy_is_refused_where_it_is_declared(declare, words):
    with pytest.raises(StrategyError, match=words):
        declare()


def test_strategies_of_installed_packages_are_found(tmp_path):
    (tmp_path / "their_bots.py").write_text("from spadesim import bidder\n\n@bidder\ndef theirs(view):\n    return 2\n")
    info = tmp_path / "their_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[spadesim.strategies]\ntheirs = their_bots\n")
    done = subprocess.run(
        [sys.executable, "-m", "spadesim", "strategies", "theirs"], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)}, timeout=GUARD,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "bidder theirs" in done.stdout
