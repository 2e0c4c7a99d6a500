"""A disk that is full, or a folder that cannot be written, is one line, and what was finished stays."""

import errno
import os
from pathlib import Path

import pytest
from play_specs import run
from small_runs import (
    csv,
    csv_in,
    manifest_in,
    plays,
    shards_in,
    spec,
    state_of,
    undisturbed,
)
from whole_proof import whole, whole_but

from spadesim.errors import UsageError
from spadesim.storage import run_folder


def fill_disk(patch, after):
    """Let nothing be written after so many files."""
    real, written = os.fsync, []

    def fsync(file):
        if not os.path.isdir(f"/proc/self/fd/{file}"):
            written.append(file)
            if len(written) > after:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    patch.setattr(os, "fsync", fsync)


@plays
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="looks at files by their numbers")
@pytest.mark.parametrize("files", whole_but([1, 2, 9, 20, 21, 25], 9))  # the manifest, 20 shards, and tables
def test_full_disk_is_one_line_and_what_was_finished_stays(files, small, monkeypatch):
    monkeypatch.setattr(run_folder, "SECONDS_WORTH_KEEPING", 0.0)
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, files)
        with pytest.raises(UsageError) as stopped:
            run(spec(), out="mine")
    place = str(small / "mine")
    kept = "what was finished is kept there, for --resume"
    assert str(stopped.value) == f"cannot write the folder {place!r}: No space left on device; {kept}"
    if files == 1:
        assert not Path(place).exists()  # there was nothing to keep
        return
    before = state_of("mine/shards")
    assert len(before) == min(files - 1, 20)
    assert list(Path("mine").rglob(".unfinished-*")) == []
    assert manifest_in("mine")["state"] == "running"
    assert csv(run(spec(), out="mine", resume=True)) == csv_in("mine") == undisturbed()
    assert before.items() <= state_of("mine/shards").items()


@whole
@plays
def test_full_disk_in_the_first_minute_leaves_what_was_finished(small):
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, 9)
        with pytest.raises(UsageError, match="what was finished is kept there"):
            run(spec(), out="mine")
    assert len(shards_in("mine")) == 8


@plays
def test_run_can_be_tried_again_where_it_could_not_begin(here):
    run(spec(games=6), out="mine")
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, 0)
        with pytest.raises(UsageError, match="No space left"):
            run(spec(games=6), out="mine", resume=True)
    assert run(spec(games=6), out="mine", resume=True).complete


@plays
def test_new_run_can_be_tried_again_where_it_could_not_begin(here):
    with pytest.MonkeyPatch.context() as patch:
        fill_disk(patch, 0)
        with pytest.raises(UsageError, match="No space left"):
            run(spec(games=6), out="mine")
    assert run(spec(games=6), out="mine").complete


@plays
@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_folder_that_cannot_be_written_is_one_line(here):
    Path("closed").mkdir(mode=0o555)
    with pytest.raises(UsageError, match="cannot write the folder .*Permission denied; name another with --out"):
        run(spec(games=6), out="closed/mine")
    run(spec(games=6), out="mine")
    Path("mine/shards").chmod(0o555)
    with pytest.raises(UsageError, match="cannot write the folder .*Permission denied; what was finished is kept"):
        run(spec(games=12), out="mine", resume=True)
