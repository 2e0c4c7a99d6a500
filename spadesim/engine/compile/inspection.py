"""Look into a function's code without running it."""

import dis
import types
from collections.abc import Callable
from typing import Any

RISKY = {"//", "%", "/", "**", "//=", "%=", "/=", "**=", "[]"}  # as the operators of BINARY_OP are shown


def codes_of(code: types.CodeType) -> list[types.CodeType]:
    """List a function's code and that of the functions, comprehensions and lambdas inside it."""
    inner = [part for const in code.co_consts if isinstance(const, types.CodeType) for part in codes_of(const)]
    return [code, *inner]


def names_in(function: Callable[..., Any]) -> set[str]:
    """Collect the names of globals and attributes that a function's code uses."""
    return {name for code in codes_of(function.__code__) for name in code.co_names}


def has_loop(function: Callable[..., Any]) -> bool:
    """Return whether a function's code jumps backwards."""
    return any(
        "JUMP_BACKWARD" in step.opname for code in codes_of(function.__code__) for step in dis.get_instructions(code)
    )


def may_raise(function: Callable[..., Any]) -> bool:
    """Return whether a function's code raises, or divides or indexes by anything but a constant."""
    for code in codes_of(function.__code__):
        before = ""
        for step in dis.get_instructions(code):
            risky = step.opname == "RAISE_VARARGS" or step.opname == "BINARY_SUBSCR" or step.argrepr in RISKY
            if risky and not before.startswith(("LOAD_CONST", "LOAD_SMALL_INT")):
                return True
            before = step.opname
    return False


def keywords_of(function: Callable[..., Any]) -> list[str]:
    """List the keyword-only arguments of a function, in the order of declaration."""
    code = function.__code__
    return list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])


def attributes_of_first_argument(function: Callable[..., Any]) -> dict[str, int]:
    """Map each attribute that a function reads from its first argument to the line where it first does."""
    found: dict[str, int] = {}
    line, argument = function.__code__.co_firstlineno, function.__code__.co_varnames[0]
    before = None
    for step in dis.get_instructions(function):
        line = (
            step.starts_line if isinstance(step.starts_line, int) and not isinstance(step.starts_line, bool) else line
        )
        line = getattr(step, "line_number", None) or line
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and before == argument:
            found.setdefault(step.argval, line)
        pushes = step.opname.startswith("LOAD_FAST")
        before = (step.argval[-1] if isinstance(step.argval, tuple) else step.argval) if pushes else None
    return found
