"""Work in chunks: all of it once, whatever the workers; and what becomes of a worker that is lost."""

import os
import signal

import pytest

from spadesim.errors import UsageError
from spadesim.tournament.chunks import work_through
from spadesim.tournament.reporter import Reporter


class Counting(Reporter):
    """End after so many chunks."""

    def __init__(self, most):
        self.most, self.told = most, []

    def progress(self, done, seconds_left):
        self.told.append(done)

    def ends(self):
        return len(self.told) >= self.most


def square(chunk):
    return chunk * chunk


def square_and_die(chunk):
    if chunk == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return chunk * chunk


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_every_chunk_is_done_once(workers):
    found, reporter = [], Counting(99)
    took = work_through(
        square, [2, 5, 7, 11], workers=workers, take=lambda *result: found.append(result), reporter=reporter
    )
    assert took
    assert sorted(found) == [(2, 4), (5, 25), (7, 49), (11, 121)]
    assert reporter.told == [1, 2, 3, 4]


@pytest.mark.parametrize("workers", [0, 1])
def test_what_is_under_way_is_finished_and_no_more_begun(workers):
    found = []
    took = work_through(
        square, range(50), workers=workers, take=lambda *result: found.append(result), reporter=Counting(2)
    )  # fmt: skip
    assert not took
    assert found == [(0, 0), (1, 1)]


def test_lost_worker_is_told_in_one_line():
    found = []
    with pytest.raises(UsageError, match="a worker process was lost") as caught:
        work_through(
            square_and_die, range(9), workers=2, take=lambda *result: found.append(result), reporter=Reporter()
        )
    assert "\n" not in str(caught.value)
    assert (3, 9) not in found


def test_error_of_the_work_is_passed_on():
    def fail(chunk):
        raise UsageError("no good")

    for workers in (0, 2):
        with pytest.raises(UsageError, match="no good"):
            work_through(fail, [1], workers=workers, take=lambda *result: None, reporter=Reporter())
