"""Kernels on disk, with toys that compile in no time: the digest of code, and who compiles while another waits."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import njit
from numba.core.errors import TypingError

from spadesim.engine.compile import cache

pytestmark = pytest.mark.skipif(cache.uncompiled(), reason="nothing is compiled")

TOY = """
import sys
from numba import njit
from spadesim.engine.compile import cache

def compiling(name):
    print("compiling", flush=True)
    sys.stdin.readline()

lock = cache.fcntl.flock
def asks(handle, what):
    if what == cache.fcntl.LOCK_EX:
        print("asks", flush=True)
    lock(handle, what)

cache.listeners.append(compiling)
cache.fcntl.flock = asks
double = cache.with_disk_cache(njit(lambda x: 2 * x), "double", "toy")
print(double(21), flush=True)
"""


class Toy:
    """A process that compiles a toy kernel, and waits for a word before it does."""

    def __init__(self, cache: Path):
        command, environment = [sys.executable, "-c", TOY], os.environ | {"SPADESIM_CACHE": str(cache)}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def says(self) -> str:
        return self.process.stdout.readline().strip()

    def go_on(self) -> None:
        self.process.stdin.write("\n")
        self.process.stdin.flush()


@pytest.fixture
def toys(tmp_path):
    """Start toy processes, and end them all."""
    started = []

    def start() -> Toy:
        started.append(Toy(tmp_path / "cache"))
        return started[-1]

    yield start
    for toy in started:
        toy.process.kill()
        toy.process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_what_one_process_compiles_another_waits_for(toys, tmp_path):
    first = toys()
    assert [first.says(), first.says()] == ["asks", "compiling"]
    second = toys()
    assert second.says() == "asks"
    first.go_on()
    assert first.says() == "42"
    assert second.says() == "42"  # without a word of compiling
    kept = {path.suffix for path in (tmp_path / "cache").iterdir()}
    assert ".kernel" in kept
    assert ".lock" not in kept


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_what_a_process_leaves_when_it_dies_another_compiles(toys):
    first = toys()
    assert [first.says(), first.says()] == ["asks", "compiling"]
    second = toys()
    assert second.says() == "asks"
    first.process.kill()
    assert second.says() == "compiling"
    second.go_on()
    assert second.says() == "42"


def test_what_does_not_compile_keeps_nobody_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    wrong = cache.with_disk_cache(njit(lambda x: x.nothing), "wrong", "toy")
    for _ in range(2):
        with pytest.raises(TypingError):
            wrong(1)
        assert not cache.Lock.held
        assert list(tmp_path.iterdir()) == []


def test_kernels_are_kept_where_there_are_no_locks(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "fcntl", None)
    double = cache.with_disk_cache(njit(lambda x: 2 * x), "double", "toy")
    assert double(21) == 42
    assert [path.suffix for path in tmp_path.iterdir()] == [".kernel"]


CODE = b'''
"""About the module."""
SUITS = 4  # as ever

def doubled(x):
    """Double."""
    # by two
    if x:
        return 2 * x
    return x
'''


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (b"About the module.", b"On the module.", True),
        (b"as ever", b"always", True),
        (b'"""Double."""', b"", True),
        (b"# by two", b"", True),
        (b"2 * x", b"(2*\n        x)", True),
        (b"2 * x", b"3 * x", False),
        (b"2 * x", b"2.0 * x", False),
        (b"    return x\n", b"    else:\n        return x\n", False),
        (b"SUITS = 4", b'SUITS = "4"', False),
        (b'"""Double."""', b'y = """Double."""', False),
    ],
)
def test_the_digest_of_code_is_that_of_what_is_compiled(before, after, same, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    assert before in CODE
    versions = [CODE, CODE.replace(before, after, 1)]
    digests = [cache.code_digest({"toy.py": code}, "1.0") for code in versions]
    assert (digests[0] == digests[1]) == same
    assert digests == [cache.code_digest({"toy.py": code}, "1.0") for code in versions]  # as they were kept
    assert len(list(tmp_path.iterdir())) == 2
    assert cache.code_digest({"toy.py": CODE}, "1.1") != digests[0]
    assert cache.code_digest({"other.py": CODE}, "1.0") != digests[0]
