"""Load strategy files from source, and find the bytes that a strategy was made from.

A user's file and the modules beside it are never taken from ``.pyc`` files, which would miss an edit of the same size
within the same second. The bytes that ran are remembered, and their hash names the compiled code.
"""

import ast
import hashlib
import importlib.machinery
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spadesim.engine.compile.inspection import codes_of, names_in
from spadesim.errors import StrategyError, UsageError

_source_of: dict[str, bytes] = {}  # by module of a user's folder, the bytes that ran
_folders: list[Path] = []

WITH_HELPERS = {
    "spadesim.strategies",
    "spadesim.bids",
    "spadesim.search",
}  # those of our own modules that may hold helpers
PLAIN = (bool, int, float, complex, str, bytes, type(None))
Function = Callable[..., Any]


class _FromSource(importlib.machinery.SourceFileLoader):
    """Load a module from its source alone, and remember the bytes."""

    def get_code(self, fullname: str) -> types.CodeType:
        data = self.get_data(self.path)
        _source_of[fullname] = data
        code: types.CodeType = self.source_to_code(data, self.path)
        return code


class _UserFolders:
    """Find modules in the folders of loaded files."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] in sys.stdlib_module_names:
            return None
        places = [str(folder) for folder in _folders] if path is None else list(path)
        if path is not None and not any(_is_inside(place) for place in places):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, places, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _FromSource(spec.loader.name, spec.loader.path)
        return spec


class UntellableError(Exception):
    """Report a value that has no bytes by which to compare it."""


def load_file(path: str) -> types.ModuleType:
    """Run a strategy file and return its module; its folder becomes importable.

    Raises
    ------
    UsageError
        When there is no such file.
    StrategyError
        When running it fails; the message has the file and line.
    """
    file = Path(path).resolve()
    if file.is_dir():
        raise UsageError(f"{path!r} is a folder; expected a Python file with strategies")
    if not file.is_file():
        raise UsageError(f"no strategy file {path!r}; expected a Python file (spadesim new {path} writes one)")
    if _UserFolders not in sys.meta_path:
        sys.meta_path.insert(0, _UserFolders)
    if file.parent not in _folders:
        _folders.append(file.parent)
    _forget_edited()
    name = file.stem
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(file):
        return known
    if known is not None or not name.isidentifier() or name in sys.stdlib_module_names:
        name = f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
        if name in sys.modules:
            return sys.modules[name]
    loader = _FromSource(name, str(file))
    module = types.ModuleType(name)
    module.__file__, module.__loader__ = str(file), loader
    module.__spec__ = importlib.machinery.ModuleSpec(name, loader, origin=str(file))
    sys.modules[name] = module
    try:
        exec(loader.get_code(name), module.__dict__)
    except BaseException as error:
        del sys.modules[name]
        _source_of.pop(name, None)
        if isinstance(error, KeyboardInterrupt | UsageError):
            raise
        raise StrategyError(f"{_place_of(error, file)}: {type(error).__name__}: {_one_line(error)}") from error
    return module


def _forget_edited() -> None:
    """Unload users' modules when any was edited since it ran, so that all of them run anew."""
    if all(_bytes_on_disk(name) == data for name, data in _source_of.items() if name in sys.modules):
        return
    for name in _source_of:
        sys.modules.pop(name, None)
    _source_of.clear()


def _bytes_on_disk(name: str) -> bytes | None:
    file = Path(sys.modules[name].__file__ or "")
    return file.read_bytes() if file.is_file() else None


def digest(function: Function) -> str | None:
    """Return a hash of what a strategy's answer depends on: code, defaults, the user's modules, the values it reads.

    Returns
    -------
    str or None
        None where it reads a value that cannot be compared with others, such as an object of the user's own class.
    """
    parts = hashlib.sha256(f"{function.__module__}.{function.__qualname__}".encode())
    for name in sorted(modules_of(function.__module__)):
        parts.update(name.encode() + b"\0" + _bytes_of(name) + b"\0")
    try:
        for reachable in [function, *helpers_of(function)]:
            parts.update(_function_bytes(reachable))
    except UntellableError:
        return None
    return parts.hexdigest()


def modules_of(root: str) -> set[str]:
    """Return the names of a module and of those that its source imports, however deep, if they may hold helpers."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name not in found and _may_help(name, root):
            found.add(name)
            waiting += _imports(name)
    return found


def helpers_of(function: Function) -> list[Function]:
    """Return the plain Python functions that a function reaches by name, however deep, in a fixed order."""
    found: list[Function] = []
    waiting = [function]
    while waiting:
        for value in _globals_read(waiting.pop(0)):
            if not isinstance(value, types.FunctionType) or value is function or value in found:
                continue
            if _may_help(value.__module__, function.__module__):
                found.append(value)
                waiting.append(value)
    return found


def _globals_read(function: Function) -> list[object]:
    """Return the global values that a function's code names, including attributes of modules and closed-over values."""
    names = sorted(names_in(function))
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    seen: list[types.ModuleType] = []
    for value in values:  # which grows meanwhile
        if isinstance(value, types.ModuleType) and value not in seen and _may_help(value.__name__, function.__module__):
            seen.append(value)
            values += [getattr(value, name) for name in names if hasattr(value, name)]
    return values


def _function_bytes(function: Function) -> bytes:
    """Return the bytes of a function's code, its defaults and the values that it reads."""
    parts = [function.__qualname__.encode()]
    for code in codes_of(function.__code__):
        plain = [const for const in code.co_consts if not isinstance(const, types.CodeType)]
        parts += [code.co_code, repr(code.co_names).encode(), repr(plain).encode()]
    defaults = (function.__defaults__, function.__kwdefaults__, _globals_read(function))
    return b"\0".join([*parts, *(_value_bytes(value) for value in defaults)])


def _value_bytes(value: object) -> bytes:
    """Return bytes of a value, different for any two values that compiled code could tell apart."""
    if isinstance(value, np.ndarray | np.generic):
        return repr((value.dtype.str, value.shape)).encode() + value.tobytes()
    if isinstance(value, PLAIN):
        return f"{type(value).__name__} {value!r}".encode()
    if isinstance(value, tuple | list | set | frozenset | dict):
        items: Iterable[Any] = sorted(value.items(), key=repr) if isinstance(value, dict) else value
        items = sorted(items, key=repr) if isinstance(value, set | frozenset) else items
        return type(value).__name__.encode() + b"(" + b",".join(_value_bytes(item) for item in items) + b")"
    if isinstance(value, types.ModuleType):
        return value.__name__.encode()
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | type):
        return f"{value.__module__}.{value.__qualname__}".encode()
    if isinstance(value, np.ufunc):
        return value.__name__.encode()
    raise UntellableError(repr(value))


def _imports(name: str) -> list[str]:
    """Return the names of the loaded modules that a module's source imports anywhere."""
    package = getattr(sys.modules[name], "__package__", None) or ""
    named: list[str] = []
    for node in ast.walk(ast.parse(_bytes_of(name) or b"")):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            named += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return [module for module in named if module in sys.modules]


def _may_help(name: str | None, root: str | None) -> bool:
    """Return whether a module may hold helpers of another: it is in a user's folder, the same package, or bundled."""
    if name is None or root is None or name not in sys.modules:
        return False
    package, built_in = root.split(".")[0], name in WITH_HELPERS or name.startswith("spadesim.strategies.")
    if name == root or name in _source_of or built_in:
        return True
    return package != "spadesim" and name.split(".")[0] == package


def _bytes_of(name: str) -> bytes:
    if name in _source_of:
        return _source_of[name]
    file = getattr(sys.modules[name], "__file__", None)
    return Path(file).read_bytes() if file and file.endswith(".py") else b""


def _is_inside(place: str) -> bool:
    path = Path(place).resolve()
    installed = {"site-packages", "dist-packages"} & set(path.parts)  # an environment may live in a user's folder
    return not installed and any(path.is_relative_to(folder) for folder in _folders)


def _place_of(error: BaseException, file: Path) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{file}:{line}" if line else str(file)


def _one_line(error: BaseException) -> str:
    return (error.msg if isinstance(error, SyntaxError) else str(error)).split("\n")[0]
