"""Runs in processes of their own, to be killed, and the processes that belong to them."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

SPADESIM = [sys.executable, "-m", "spadesim"]


def start(words, command=SPADESIM):
    return subprocess.Popen(
        [*command, *words], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finished(words, command=SPADESIM):
    result = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60)
    return result.returncode, result.stdout, result.stderr


def processes():
    """List all that run: number, parent's number, group."""
    columns = ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="]
    lines = subprocess.run(columns, capture_output=True, text=True, check=True).stdout.splitlines()
    return [tuple(map(int, line.split()[:3])) for line in lines if "Z" not in line.split()[3]]


def workers_of(parent):
    return [number for number, its_parent, _ in processes() if its_parent == parent]


def processes_of_group(group):
    return [number for number, _, its_group in processes() if its_group == group]


def wait_until(condition, seconds=20):
    for _ in range(seconds * 20):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"this did not come about in {seconds} seconds")


def in_mid_run(process):
    """Wait until some shards are finished and others well under way."""
    wait_until(lambda: len(list(Path("mine/shards").glob("*.npz"))) >= 2 and len(workers_of(process.pid)) == 2)
    time.sleep(0.3)
    assert process.poll() is None
