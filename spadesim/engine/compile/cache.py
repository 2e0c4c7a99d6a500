"""How kernels are compiled and kept on disk between runs.

Numba's own disk cache looks only at the file that a function stands in, so it plays yesterday's cards after an edit
elsewhere. Here a compiled kernel is one file, named by a hash of everything that it was made from and carrying a
checksum: an edit changes the name, a damaged file is compiled again, and as files only ever appear whole, any number
of runs may share the folder. What one of them is compiling, the others wait for.
"""

import ast
import contextlib
import hashlib
import inspect
import os
import pickle
import platform
import secrets
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import njit, types
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaExperimentalFeatureWarning, NumbaIRAssumptionWarning
from numba.extending import register_jitable

try:
    import fcntl
except ImportError:  # no such locks here, so what two runs need is compiled twice
    fcntl = None  # type: ignore[assignment]

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)
warnings.filterwarnings("ignore", category=NumbaIRAssumptionWarning)  # raised and handled inside its own passes

# without the last, what a helper of a strategy calls would be forced inline with it
FLAGS = {"nogil": True, "error_model": "numpy", "boundscheck": False, "forceinline": False}
CHECKSUM = hashlib.sha256().digest_size
DAYS_KEPT = 30
VERSIONS_KEPT = 3  # of a kernel whose sources change, so that two variants tried in turn stay warm

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

# Numba tells symbols apart by numbers that it gives out anew in each process, and takes the first of two that are named
# alike. Machine code of several runs meets in one process here, so what each run compiles bears a mark of its own.
MARK = secrets.token_hex(6)

listeners: list[Callable[[str], None]] = []  # told the name of each kernel that has to be compiled


def kernel(function):
    """Compile an engine function on first use, and keep the machine code."""
    return with_disk_cache(njit(**FLAGS)(marked(function)), function.__name__, engine_digest())


def inline(function):
    """Make a function that is copied into the kernels which call it, and is of no use elsewhere."""
    return njit(inline="always", **FLAGS)(marked(function))


def inline_or_plain(function):
    """Let kernels copy a function into themselves while it stays a plain one, which takes arrays too."""
    return register_jitable(inline="always")(marked(function))


def marked(function):
    """Give a function a qualified name that no other process uses for its machine code."""
    function.__qualname__ = f"{function.__name__}_{MARK}"
    return function


@cache
def over_records(kernel):
    """Make a kernel that takes arrays of records, to be called from Python, of one that takes a record of each."""
    function = getattr(kernel, "py_func", kernel)
    first, *rest = inspect.signature(function).parameters
    table = rest[0] if rest[:1] == ["r"] else None
    arguments = ", ".join([f"{first}[b]", *([f"{table}[0]"] if table else []), *rest[1 if table else 0 :]])
    total = "total += " if "return" in function.__annotations__ else ""
    source = OVER_RECORDS.format(names=", ".join([first, *rest]), first=first, total=total, arguments=arguments)
    names = {"kernel": kernel, "__name__": __name__}
    exec(source, names)
    wrapper = njit(**FLAGS)(marked(names["over_records"]))
    kept = getattr(kernel, "_cache", None)  # none where nothing is compiled, or nothing may be kept
    return with_disk_cache(wrapper, f"all-{kept.name}", kept.digest) if isinstance(kept, KernelCache) else wrapper


def with_disk_cache(dispatcher, name: str, digest: str):
    """Let a Numba dispatcher keep its machine code under a name and the digest of what it is made from."""
    if not config.DISABLE_JIT:
        dispatcher._cache = KernelCache(name, digest)
        dispatcher.compile = dispatcher._cache.unlocking(dispatcher.compile)
    return dispatcher


OVER_RECORDS = """
def over_records({names}):
    total = 0
    for b in range({first}.size):
        {total}kernel({arguments})
    return total
"""


class KernelCache(_Cache):
    """One file a compiled signature: a checksum, then what Numba needs to load it."""

    def __init__(self, name: str, digest: str):
        self.name = name
        self.digest = digest
        self._locks: list[Lock] = []  # held while a signature is compiled, and one more for each it calls itself with

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(cache_folder())

    def load_overload(self, signature, target_context):
        """Load the machine code for a signature; None where there is none or it is damaged, and it will be compiled."""
        target_context.refresh()
        path = self._path(signature, target_context)
        payload = _read_whole(path)
        if payload is None:
            self._locks.append(Lock(path))
            payload = _read_whole(path)  # perhaps another process has made it, while this one waited
        if payload is None:
            for listener in listeners:
                listener(self.name)
            return None
        _mark_used(path)
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature, compiled):
        """Keep the machine code for a signature; a folder that cannot be written is no error."""
        if compiled.library.has_dynamic_globals or compiled.lifted:
            return  # holds addresses of this process
        payload = pickle.dumps(compiled._reduce())
        path = self._path(signature, compiled.target_context)
        try:
            _write_whole(path, payload)
            _prune(path)
        except OSError:
            pass

    def unlocking(self, compile: Callable) -> Callable:
        """Let others have what a call of `compile` has locked, whether or not it succeeds."""

        def compile_and_unlock(signature):
            before = len(self._locks)
            try:
                return compile(signature)
            finally:
                while len(self._locks) > before:
                    self._locks.pop().release()

        return compile_and_unlock

    def _path(self, signature, target_context) -> Path:
        machine = str(target_context.codegen().magic_tuple())
        key = hashlib.sha256("\n".join([self.digest, machine, str(signature)]).encode()).hexdigest()
        kind = hashlib.sha256("\n".join([machine, str(signature)]).encode()).hexdigest()[:8]
        return cache_folder() / f"{self.name}-{kind}-{key[:24]}.kernel"

    def enable(self):
        """Do nothing: it is always on."""

    def disable(self):
        """Do nothing: it is always on."""

    def flush(self):
        """Do nothing: files are never out of date."""


class Lock:
    """The right to compile one kernel; made when no other process has it, and given up when this one ends.

    It is a lock on a file beside the kernel. Where the system or the folder has none, everybody has the right.
    """

    held: set[Path] = set()  # by this process, which must not wait for itself

    def __init__(self, kernel: Path):
        self._path = kernel.with_suffix(".lock")
        self._handle = -1
        if fcntl is None or self._path in Lock.held:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._handle, fcntl.LOCK_EX)
        except OSError:
            self.release()
        else:
            Lock.held.add(self._path)

    def release(self) -> None:
        """Let others have it."""
        if self._handle < 0:
            return
        # Whoever still waits for the file that goes here compiles beside a newcomer with a new one; no harm in that.
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
            fcntl.flock(self._handle, fcntl.LOCK_UN)  # closing would leave it to processes forked meanwhile
        os.close(self._handle)
        self._handle = -1
        Lock.held.discard(self._path)


def _mangling_args(record: types.Record) -> tuple[str, tuple[int]]:
    """Name a record's type by what it is made of, where Numba would take the number that it has in this process."""
    return "Record", (int(hashlib.sha256(str(record).encode()).hexdigest()[:12], 16),)


types.Record.mangling_args = property(_mangling_args)


def uncompiled() -> bool:
    """Return whether Numba is switched off (NUMBA_DISABLE_JIT=1), and kernels run as plain Python."""
    return bool(config.DISABLE_JIT)


@cache
def cache_folder() -> Path:
    """Choose the folder: $SPADESIM_CACHE, else the user's cache folder."""
    named = os.environ.get("SPADESIM_CACHE")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "spadesim"


@cache
def engine_digest() -> str:
    """Hash what every kernel depends on: the code of the engine and the versions of what compiles it."""
    package = Path(__file__).parents[2]
    paths = [package / "cards.py", *sorted((package / "engine").rglob("*.py"))]
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in paths}
    versions = repr((platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__, config.OPT))
    return code_digest(files, versions)


def code_digest(files: dict[str, bytes], versions: str) -> str:
    """Hash the code in files; what hash goes with which bytes is kept, for reading code takes a tenth of a second."""
    kept_under = hashlib.sha256(repr((files, versions)).encode()).hexdigest()
    path = cache_folder() / f"{kept_under[:24]}.digest"
    kept = _read_whole(path)
    if kept is not None:
        _mark_used(path)
        return kept.decode()
    code = {name: code_in(source) for name, source in files.items()}
    digest = hashlib.sha256(repr((code, versions)).encode()).hexdigest()
    if path.parent.is_dir():  # an import alone makes no folder
        with contextlib.suppress(OSError):
            _write_whole(path, digest.encode())
    return digest


def code_in(source: bytes) -> str:
    """Write down a module's code without comments, docstrings and layout, of which nothing is compiled."""
    return "\n".join(_parts(ast.parse(source)))


def _parts(node: ast.AST) -> Iterator[str]:
    """Go through a syntax tree, as `ast.dump` does, which takes thrice as long."""
    yield type(node).__name__
    for name in node._fields:
        value: Any = getattr(node, name, None)
        if name == "body" and isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            value = value[1:]
        yield name
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _parts(part)
            else:
                yield repr(part)
    yield "end"


def _read_whole(path: Path) -> bytes | None:
    """Read what `_write_whole` wrote; None where there is nothing or it is not whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checksum, payload = data[:CHECKSUM], data[CHECKSUM:]
    return payload if hashlib.sha256(payload).digest() == checksum else None


def _write_whole(path: Path, payload: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".kernel")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(payload).digest() + payload)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mark_used(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(path)


def _prune(path: Path) -> None:
    """Drop older versions of this kernel, and whatever nobody has used for a month."""
    versions = sorted(path.parent.glob(path.name.rsplit("-", 1)[0] + "-*.kernel"), key=_age)
    all_files = [file for kind in ("kernel", "lock", "digest") for file in path.parent.glob(f"*.{kind}")]
    long_unused = [other for other in all_files if _age(other) > DAYS_KEPT * 86400]
    for old in {*versions[VERSIONS_KEPT:], *long_unused} - {path}:
        old.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
