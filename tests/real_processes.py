"""Runs in processes of their own, to be killed, and the processes that belong to them.

Nothing here depends on how fast the machine is: what is to come about is waited for, and `GUARD` only ends a test that
would wait for ever.
"""

import subprocess
import sys
import time

import pytest

SPADESIM = [sys.executable, "-m", "spadesim"]
GUARD = 3600  # seconds


def start(words, command=SPADESIM, **options):
    """Start a run in a group of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*command, *words], start_new_session=True, **pipes, **options)


def finished(words, command=SPADESIM, **options):
    """Wait for the end of a run; return its exit code and what it wrote to stdout and stderr."""
    result = subprocess.run([*command, *words], capture_output=True, text=True, timeout=GUARD, **options)
    return result.returncode, result.stdout, result.stderr


def processes():
    """List all that run: number, parent's number, group."""
    columns = ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="]
    lines = subprocess.run(columns, capture_output=True, text=True, check=True).stdout.splitlines()
    return [tuple(map(int, line.split()[:3])) for line in lines if "Z" not in line.split()[3]]


def workers_of(parent):
    """List the children of a process."""
    return [number for number, its_parent, _ in processes() if its_parent == parent]


def processes_of_group(group):
    """List the processes of a group that still run."""
    return [number for number, _, its_group in processes() if its_group == group]


def wait_until(condition, process=None):
    """Wait until something has come about; fail at once when the process that is to bring it about has ended."""
    end = time.monotonic() + GUARD
    while not condition():
        if process is not None and process.poll() is not None and not condition():
            pytest.fail(f"the process ended with exit code {process.returncode}: {process.communicate()}")
        if time.monotonic() > end:
            pytest.fail(f"this did not come about in {GUARD} seconds")
        time.sleep(0.05)
