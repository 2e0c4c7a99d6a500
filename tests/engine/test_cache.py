"""The disk cache: never stale, never in the way; and the interfaces of Numba that it stands on.

Toy kernels try it, and one run from a cold cache, which takes a minute, proves it with all that a league compiles.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import toy_kernels
from real_processes import GUARD
from whole_proof import whole

from spadesim.engine.compile import cache
from spadesim.engine.compile.cache import uncompiled

pytestmark = pytest.mark.skipif(uncompiled(), reason="nothing is compiled")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Keep machine code in a folder of the test's own."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch):
    """Note the name of each kernel that has to be compiled."""
    names = []
    monkeypatch.setattr(cache, "listeners", [names.append])
    return names


def files_of(folder, name="toy"):
    return sorted(path.name for path in folder.glob(f"{name}-*.kernel"))


# --- Toy kernels -----------------------------------------------------------------------------------------------------


def test_kernel_is_compiled_once_and_loaded_from_then_on(folder, compiled):
    assert toy_kernels.counting("toy", 3)(4) == 12
    assert compiled == ["toy"]
    kept = files_of(folder)
    assert len(kept) == 1
    assert toy_kernels.counting("toy", 3)(5) == 15
    assert compiled == ["toy"]
    assert files_of(folder) == kept


def test_kernel_of_other_sources_is_compiled_and_the_cache_does_not_grow(folder, compiled):
    for step in range(1, 7):
        assert toy_kernels.counting("toy", step)(2) == 2 * step
    assert compiled == ["toy"] * 6
    assert len(files_of(folder)) == cache.VERSIONS_KEPT
    assert toy_kernels.counting("toy", 6)(2) == 12
    assert len(compiled) == 6


def test_other_types_of_arguments_are_other_files(folder, compiled):
    kernel = toy_kernels.counting("toy", 2)
    assert (kernel(3), kernel(np.int32(3))) == (6, 6)
    assert compiled == ["toy", "toy"]
    assert len(files_of(folder)) == 2


DAMAGE = {
    "cut_short": lambda data: data[: len(data) // 2],
    "a_bit_flipped": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "a_bit_of_the_checksum_flipped": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "emptied": lambda data: b"",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_file_is_compiled_anew_and_healed(damage, folder, compiled):
    toy_kernels.counting("toy", 3)(4)
    (file,) = folder.glob("toy-*.kernel")
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    for _ in range(2):
        assert toy_kernels.counting("toy", 3)(4) == 12
    assert compiled == ["toy", "toy"]


def test_folder_that_cannot_be_written_is_no_obstacle(folder, compiled):
    folder.write_text("a file where the folder should be")
    assert toy_kernels.counting("toy", 3)(4) == 12
    assert toy_kernels.counting("toy", 3)(4) == 12
    assert compiled == ["toy", "toy"]


# --- Toy kernels of several processes --------------------------------------------------------------------------------


def start(code, folder):
    """Run a program in a process of its own that keeps machine code in this folder."""
    places = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"SPADESIM_CACHE": str(folder), "PYTHONPATH": places}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, **pipes)


def answer_of(process):
    out, errors = process.communicate(timeout=GUARD)
    assert process.returncode == 0, errors
    return out.split()


def test_machine_code_of_several_processes_is_not_mistaken_in_one(folder, compiled):
    # Numba names symbols by numbers that each process counts anew, and links the first of two that are named alike.
    code = "import toy_kernels; print(toy_kernels.counting('{name}', {step})(10))"
    processes = [start(code.format(name=name, step=step), folder) for name, step in (("one", 2), ("two", 6))]
    assert [answer_of(process) for process in processes] == [["20"], ["60"]]
    assert (toy_kernels.counting("one", 2)(10), toy_kernels.counting("two", 6)(10)) == (20, 60)
    assert compiled == []


def test_records_of_several_processes_are_not_mistaken_in_one(folder, compiled):
    # Each process counts its types of records anew too.
    code = "import toy_kernels; kernel, records = toy_kernels.adding('{fields}', '{fields}'); print(kernel(records))"
    for fields in ("ab", "bca"):
        assert answer_of(start(code.format(fields=fields), folder)) == ["6"]
    for fields in ("bca", "ab"):
        kernel, records = toy_kernels.adding(fields, fields)
        assert kernel(records) == 6
    assert compiled == []


def test_two_processes_may_start_at_once_on_a_cold_cache(folder):
    code = "import toy_kernels; print(*(toy_kernels.counting('toy', step)(10) for step in (1, 2, 3)))"
    for process in [start(code, folder) for _ in range(2)]:
        assert answer_of(process) == ["10", "20", "30"]
    assert len(files_of(folder)) == 3
    assert not list(folder.glob(".writing-*"))


# --- A league --------------------------------------------------------------------------------------------------------

BOTS = """
from spadesim import bidder
from my_helper import tricks

@bidder
def helped(view):
    return tricks(view.hand)
"""
LEAGUE = ["league", *["helped+lowest"] * 3, "--games", "6", "--format", "csv", "--table", "bids", "--workers", "1"]
LEAGUE += ["--load", "my_bots.py"]


def play(*words, folder):
    environment = os.environ | {"SPADESIM_CACHE": str(folder / "cache")}
    command = [sys.executable, "-m", "spadesim", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=GUARD)
    assert done.returncode == 0, done.stderr
    return done


def bids_of(done):
    return {line.split(",")[1] for line in done.stdout.splitlines()[1:]}


@whole
def test_league_from_a_cold_cache_a_warm_one_a_damaged_one_and_after_an_edit(tmp_path):
    (tmp_path / "my_bots.py").write_text(BOTS)
    helper = tmp_path / "my_helper.py"
    helper.write_text("def tricks(hand):\n    return 3\n")
    cold = play(*LEAGUE, folder=tmp_path)
    assert bids_of(cold) == {"3"}
    assert "compiling" in cold.stderr
    warm = play(*LEAGUE, folder=tmp_path)
    assert "compiling" not in warm.stderr
    assert warm.stdout == cold.stdout
    for bid in "4567":  # the same size, and quickly: no time stamp would tell
        helper.write_text(f"def tricks(hand):\n    return {bid}\n")
        assert bids_of(play(*LEAGUE, folder=tmp_path)) == {bid}
    assert len(files_of(tmp_path / "cache", "bidder-helped")) <= cache.VERSIONS_KEPT
    for number, path in enumerate(sorted((tmp_path / "cache").glob("*.kernel"))):
        path.write_bytes(list(DAMAGE.values())[number % len(DAMAGE)](path.read_bytes()))
    helper.write_text("def tricks(hand):\n    return 3\n")
    healed = play(*LEAGUE, folder=tmp_path)
    assert "compiling" in healed.stderr
    assert healed.stdout == cold.stdout


ORDERS = """
from spadesim import league

order = {order}
print([league(["quick+lowest"] * n, games=8, rules=rules).bids.to_csv() for n, rules in order])
"""


@whole
def test_leagues_of_other_numbers_of_hands_are_the_same_in_any_order():
    tables = []
    for order in ([(3, "cutthroat"), (4, "house-4")], [(4, "house-4"), (3, "cutthroat")]):
        command = [sys.executable, "-c", ORDERS.format(order=order)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD)
        assert done.returncode == 0, done.stderr
        tables.append(eval(done.stdout))
    assert tables[0] == tables[1][::-1]


# --- What it stands on -----------------------------------------------------------------------------------------------


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
    names = [itanium_mangler.mangle("f", [record]) for record in (one, other)]
    assert names[0] != names[1]
    assert all(str(record.mangling_args[1][0]) in name for record, name in zip((one, other), names, strict=True))

    twice, square = njit(types.int64(types.int64))(lambda x: 2 * x), njit(types.int64(types.int64))(lambda x: x * x)
    assert call_both((twice, square), 5) == 35
    compiled = next(iter(twice.overloads.values()))
    rebuilt = CompileResult._rebuild(compiled.target_context, *compiled._reduce())
    assert rebuilt.signature == compiled.signature
