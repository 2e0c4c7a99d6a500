"""The disk cache: never stale, never in the way; and the interfaces of Numba that it stands on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from real_processes import GUARD

from spadesim.engine.compile.cache import uncompiled

pytestmark = pytest.mark.skipif(uncompiled(), reason="nothing is compiled")

BOTS = """
from spadesim import bidder
from my_helper import tricks

@bidder
def helped(view):
    return tricks(view.hand)
"""
LEAGUE = ["league", *["helped+lowest"] * 3, "--games", "6", "--format", "csv", "--table", "bids", "--workers", "1"]


def spadesim(*arguments: str, cache: Path, cwd: Path) -> subprocess.CompletedProcess:
    environment = os.environ | {"SPADESIM_CACHE": str(cache)}
    command = [sys.executable, "-m", "spadesim", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=GUARD)


def bids_of(done: subprocess.CompletedProcess) -> set[str]:
    assert done.returncode == 0, done.stderr
    return {line.split(",")[1] for line in done.stdout.splitlines()[1:]}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Compile the engine alone, for tests that begin with that done."""
    cache = tmp_path_factory.mktemp("engine") / "cache"
    league = ["league", *["quick+lowest"] * 3, *LEAGUE[4:]]
    assert spadesim(*league, cache=cache, cwd=cache.parent).returncode == 0
    return cache


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "my_bots.py").write_text(BOTS)
    (tmp_path / "my_helper.py").write_text("def tricks(hand):\n    return 3\n")
    return tmp_path


def kernels(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.glob("bidder-helped-*.kernel"))


def test_an_edited_helper_is_played_at_once_and_the_cache_does_not_grow(folder, engine):
    cache = shutil.copytree(engine, folder / "cache")
    run = [*LEAGUE, "--load", "my_bots.py"]
    assert bids_of(spadesim(*run, cache=cache, cwd=folder)) == {"3"}
    first = kernels(cache)
    assert bids_of(spadesim(*run, cache=cache, cwd=folder)) == {"3"}
    assert kernels(cache) == first
    for bid in "4567":  # the same size, and quickly: no time stamp would tell
        (folder / "my_helper.py").write_text(f"def tricks(hand):\n    return {bid}\n")
        assert bids_of(spadesim(*run, cache=cache, cwd=folder)) == {bid}
    assert len(kernels(cache)) <= 3


# A loop keeps the helper apart from the kernel, as a function with a symbol of its own.
LOOPING = """
from spadesim import bidder

@bidder
def {name}_bid(view):
    return chosen(view.hand)

def chosen(hand):
    n = 0
    while n < {bid}:
        n += 1
    return n
"""


def test_machine_code_of_several_runs_is_not_mistaken_in_one(folder, engine):
    # Numba names symbols by numbers that each process counts anew, and links the first of two that are named alike.
    for name, bid in (("one", 2), ("two", 6)):
        (folder / f"{name}.py").write_text(LOOPING.format(name=name, bid=bid))
    cache = shutil.copytree(engine, folder / "cache")

    def bids(*words):
        return bids_of(spadesim("league", *words, *LEAGUE[4:], cache=cache, cwd=folder))

    three_handed = bids(*["one_bid+lowest"] * 3, "--load", "one.py")
    four_handed = bids(*["two_bid+lowest"] * 4, "--load", "two.py", "--rules", "house-4")
    assert (three_handed, four_handed) == ({"2"}, {"6"})
    both = ["one_bid+lowest", "two_bid+lowest", "two_bid+lowest", "--load", "one.py", "--load", "two.py"]
    assert bids(*both) == {"2", "6"}
    play = "from spadesim import league; print([league(['quick+lowest'] * n, games=8, rules=rules).bids.to_csv()"
    play += " for n, rules in {order}])"
    said = []
    for order in ([(3, "cutthroat"), (4, "house-4")], [(4, "house-4"), (3, "cutthroat")]):
        command = [sys.executable, "-c", play.format(order=order)]
        environment = os.environ | {"SPADESIM_CACHE": str(cache)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=GUARD)
        assert done.returncode == 0, done.stderr
        said.append(eval(done.stdout))
    assert said[0] == said[1][::-1]


def test_warm_runs_compile_nothing_and_damaged_files_are_compiled_anew(folder, engine):
    cache = shutil.copytree(engine, folder / "cache")
    run = [*LEAGUE, "--load", "my_bots.py"]
    cold = spadesim(*run, cache=cache, cwd=folder)
    assert "compiling" in cold.stderr
    warm = spadesim(*run, cache=cache, cwd=folder)
    assert "compiling" not in warm.stderr
    assert warm.stdout == cold.stdout
    for number, path in enumerate(sorted(cache.glob("*.kernel"))):
        data = bytearray(path.read_bytes())
        if number % 3 == 0:
            data = data[: len(data) // 2]
        elif number % 3 == 1:
            data[len(data) // 2] ^= 1
        else:
            data = bytearray()
        path.write_bytes(data)
    healed = spadesim(*run, cache=cache, cwd=folder)
    assert "compiling" in healed.stderr
    assert healed.stdout == cold.stdout


def test_a_folder_that_cannot_be_written_is_no_obstacle(folder):
    (folder / "cache").write_text("a file where the folder should be")
    assert bids_of(spadesim(*LEAGUE, "--load", "my_bots.py", cache=folder / "cache", cwd=folder)) == {"3"}


def test_two_runs_may_start_at_once_on_a_cold_cache(folder):
    environment = os.environ | {"SPADESIM_CACHE": str(folder / "cache")}
    command = [sys.executable, "-m", "spadesim", *LEAGUE, "--load", "my_bots.py"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, cwd=folder, env=environment, **pipes) for _ in range(2)]
    outputs = [process.communicate(timeout=GUARD) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert not list((folder / "cache").glob(".writing-*"))


def test_numba_still_has_what_the_cache_and_the_loop_stand_on():
    from numba import from_dtype, njit, types
    from numba.core import itanium_mangler
    from numba.core.caching import _Cache
    from numba.core.compiler import CompileResult

    assert {"load_overload", "save_overload", "cache_path", "enable", "disable", "flush"} <= set(dir(_Cache))
    function_type = types.FunctionType(types.int64(types.int64))

    @njit(types.int64(types.UniTuple(function_type, 2), types.int64))
    def call_both(functions, x):
        return functions[0](x) + functions[1](x)

    # Symbols are named by the types of the arguments, and records by what `compiling` makes of them.
    one, other = (from_dtype(np.dtype([("a", "i8"), (name, "i8")])) for name in "bc")
    names = [itanium_mangler.mangle("f", [each]) for each in (one, other)]
    assert names[0] != names[1]
    assert all(str(each.mangling_args[1][0]) in name for each, name in zip((one, other), names, strict=True))

    twice, square = njit(types.int64(types.int64))(lambda x: 2 * x), njit(types.int64(types.int64))(lambda x: x * x)
    assert call_both((twice, square), 5) == 35
    compiled = next(iter(twice.overloads.values()))
    rebuilt = CompileResult._rebuild(compiled.target_context, *compiled._reduce())
    assert rebuilt.signature == compiled.signature
