"""Files that are whole or not there, whatever happens, in a folder that one process at a time writes to."""

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from spadesim.errors import UsageError

UNFINISHED = ".unfinished-"
HASH_DIGITS = 32  # of what is in a file, at the end of its name


def write(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or not there: beside its place, flushed to the disk, and renamed."""
    unfinished = path.with_name(UNFINISHED + secrets.token_hex(8))
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def named_by_content(name: str, data: bytes) -> str:
    """Name an NPZ file by what it is, and by a hash of what is in it."""
    return f"{name}-{_hash(data)}.npz"


def is_whole(name: str, data: bytes) -> bool:
    """Return whether what is in a file is what its name says."""
    return name.removesuffix(".npz").rpartition("-")[2] == _hash(data)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:HASH_DIGITS]


def holds_something(place: Path) -> bool:
    """Return whether there is more than empty folders and what a run that was killed at its very start has left."""
    files = (path for path in place.rglob("*") if not path.is_dir())
    return not place.is_dir() or any(not path.name.startswith(UNFINISHED) for path in files)


def remove_unfinished(place: Path) -> None:
    """Remove what a run that was killed has left half written."""
    for left in [*place.glob(f"*/{UNFINISHED}*"), *place.glob(f"{UNFINISHED}*")]:
        left.unlink()


def lock(place: Path) -> int:
    """Keep other runs out until this process ends or closes the file; where there are no locks, do without."""
    folder = os.open(place, os.O_RDONLY)
    with contextlib.suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another run is writing to {str(place)!r}; wait for it, or name a new folder") from None
    return folder


@contextlib.contextmanager
def reported_in_one_line(place: Path, manifest: str) -> Iterator[None]:
    """Report in one line what cannot be written; a folder that has its manifest can go on."""
    try:
        yield
    except OSError as error:
        kept = (place / manifest).exists()
        way_out = "what was finished is kept there, for --resume" if kept else "name another with --out"
        raise UsageError(f"cannot write the folder {str(place)!r}: {error.strerror}; {way_out}") from None
