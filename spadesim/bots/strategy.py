"""What a strategy is: a function of a view, marked by a decorator; its parameters are keyword-only arguments."""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeVar, overload

from spadesim.engine.compile.inspection import keywords_of
from spadesim.errors import StrategyError, UsageError, nearest, unknown
from spadesim.limits import INT64_MAX, PARAMETERS_MAX

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
Bounds = Mapping[str, tuple[float, float]]

MARK = "__spadesim__"  # the attribute of a function that holds its `Strategy`
KINDS = ("compiled", "array", "python")
PARAMETER_TYPES = {"compiled": (bool, int, float), "array": (bool, int, float, str), "python": (bool, int, float, str)}


@dataclass(frozen=True)
class Strategy:
    """A bidder or a player, as its decorator found it.

    Attributes
    ----------
    name, role, kind
        Its name in bots; "bidder" or "player"; one of KINDS.
    function
        Takes a view, and the parameters by keyword.
    parameters
        Name to default, in the order of declaration.
    blind_nil
        For a bidder, the function that is asked before it sees its cards: does it bid nil blind (R2.3)?
    bounds
        By parameter that may be tuned, the lowest and the highest value that make sense.
    """

    name: str
    role: str
    kind: str
    function: Function
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)
    blind_nil: Function | None = None
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict, hash=False)

    @property
    def place(self) -> str:
        """File and line of the function."""
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    @property
    def is_built_in(self) -> bool:
        """Whether it is bundled with spadesim."""
        return self.function.__module__.startswith("spadesim.strategies.")

    @property
    def doc(self) -> str:
        """The docstring, tidied."""
        return inspect.getdoc(self.function) or ""

    @property
    def origin(self) -> str:
        """What the docstring says after *Origin*, in one line; empty where it does not say."""
        _, _, origin = self.doc.partition("*Origin*:")
        return " ".join(origin.split("\n\n")[0].split())

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.doc.split("\n", 1)[0]


@overload
def bidder(function: F) -> F: ...


@overload
def bidder(
    function: None = None, *, kind: str = "compiled", name: str | None = None, blind_nil: Function | None = None,
    bounds: Bounds | None = None,
) -> Callable[[F], F]: ...  # fmt: skip


def bidder(
    function: F | None = None, *, kind: str = "compiled", name: str | None = None, blind_nil: Function | None = None,
    bounds: Bounds | None = None,
) -> F | Callable[[F], F]:  # fmt: skip
    """Declare a function of a view as a bidder: it answers a number of tricks, `view.bid_low` … `view.bid_high`.

    Parameters
    ----------
    kind
        "compiled" (the function is compiled and sees one seat's view), "array" (it sees the views of many games at
        once, as arrays, and answers an array) or "python" (any Python, one call per decision).
    name
        Its name in bots; the function's own name if not given.
    blind_nil
        A function of the same kind that is asked first, where the rules have a blind nil and the seat trails by
        enough: does it bid nil without looking at its cards? Its view is the bidder's without `hand`, its parameters
        are among the bidder's, and it answers True or False. Without one, the answer is no.
    bounds
        The lowest and the highest value of each parameter that may be tuned, ``{"luck": (0, 3)}``; `spadesim tune`
        searches between them. They forbid no other value.

    Examples
    --------
    >>> from spadesim import bidder
    >>> from spadesim.cards import ACES, count
    >>> @bidder
    ... def aces(view, *, luck=1):
    ...     return count(view.hand & ACES) + luck
    """
    mark = _marker("bidder", kind, name, blind_nil, bounds)
    return mark if function is None else mark(function)


@overload
def player(function: F) -> F: ...


@overload
def player(function: None = None, *, kind: str = "compiled", name: str | None = None) -> Callable[[F], F]: ...


def player(function: F | None = None, *, kind: str = "compiled", name: str | None = None) -> F | Callable[[F], F]:
    """Declare a function of a view as a player: it answers one card of `view.legal`, a mask of one bit."""
    mark = _marker("player", kind, name)
    return mark if function is None else mark(function)


def bot(name: str, spec: str) -> None:
    """Name a whole bot, as in ``bot("careful", "honors:base=-1.2+boss")``."""
    _check_name(name)
    names = sys._getframe(1).f_globals
    names.setdefault("__spadesim_bots__", {})[name] = spec


def read_value(strategy: Strategy, parameter: str, text: str) -> Any:
    """Return a parameter's value, read as the type of its default.

    Raises
    ------
    UsageError
        When there is no such parameter, or the text does not fit its type; the message says what would.
    """
    if parameter not in strategy.parameters:
        if not strategy.parameters:
            raise UsageError(f"{strategy.role} {strategy.name!r} has no parameters, but {parameter!r} is set")
        where = f"`spadesim strategies {strategy.name}` lists them"
        raise unknown(f"parameter of {strategy.role} {strategy.name!r}", parameter, strategy.parameters, where)
    default = strategy.parameters[parameter]
    value = _READERS[type(default)](text)
    if value is None:
        expected = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[type(default)]
        raise UsageError(
            f"parameter {parameter} of {strategy.role} {strategy.name!r} is {text!r};"
            f" expected {expected}, as in {default}"
        )
    return value


def plain_value(text: str) -> Any:
    """Return a parameter's value, read without knowing its type: true, a whole number, a number, or text."""
    words = {"true": True, "false": False}
    for read in (words.get, _read_int, _read_float):
        value = read(text)
        if value is not None:
            return value
    return text


def _read_bool(text: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.lower())


def _read_int(text: str) -> int | None:
    try:
        value = int(text)
    except ValueError:
        return None
    return value if abs(value) <= INT64_MAX else None


def _read_float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


_READERS: dict[type, Callable[[str], Any]] = {bool: _read_bool, int: _read_int, float: _read_float, str: str}


def _marker(
    role: str, kind: str, name: str | None, blind_nil: Function | None = None, bounds: Bounds | None = None
) -> Callable[[F], F]:
    """Return the decorator that declares a function as a strategy."""
    if kind not in KINDS:
        raise StrategyError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")

    if name is not None:
        _check_name(name)

    def mark(function: F) -> F:
        if not isinstance(function, FunctionType):
            raise StrategyError(f"@{role} is above {function!r}; expected a function of a view")
        parameters = _parameters_of(function, role, kind)
        if blind_nil is not None:
            _check_blind_nil(blind_nil, parameters, function.__name__)
        checked = _checked_bounds(bounds or {}, parameters, function)
        strategy = Strategy(name or function.__name__, role, kind, function, parameters, blind_nil, checked)
        setattr(function, MARK, strategy)
        return function

    return mark


def _checked_bounds(
    bounds: Bounds, parameters: dict[str, Any], function: FunctionType
) -> dict[str, tuple[float, float]]:
    here = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}: bidder {function.__name__!r}"
    if not isinstance(bounds, Mapping):
        raise StrategyError(f"{here} has the bounds {bounds!r}; expected a dictionary, as in {{'luck': (0, 3)}}")
    for name, ends in bounds.items():
        if name not in parameters:
            raise StrategyError(f"{here} has bounds of {name!r}, but no such parameter{nearest(name, parameters)}")
        default = parameters[name]
        numbers = isinstance(ends, tuple) and len(ends) == 2 and all(type(end) in (int, float) for end in ends)
        if type(default) not in (int, float) or not numbers or not ends[0] <= default <= ends[1] or ends[0] == ends[1]:
            raise StrategyError(
                f"{here} has {name}={default!r} with the bounds {ends!r}; expected a lowest and a highest number, and"
                f" the default between them, as in (0, 3)"
            )
    return dict(bounds)


def _check_blind_nil(function: Function, parameters: dict[str, Any], bidder_name: str) -> None:
    if not isinstance(function, FunctionType):
        raise StrategyError(f"blind_nil of bidder {bidder_name!r} is {function!r}; expected a function of a view")
    here = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
    if function.__code__.co_argcount != 1:
        raise StrategyError(
            f"{here}: blind_nil of bidder {bidder_name!r} takes {function.__code__.co_argcount} views; expected one"
        )
    for keyword in keywords_of(function):
        default = inspect.signature(function).parameters[keyword].default
        if keyword not in parameters or (default is not inspect.Parameter.empty and default != parameters[keyword]):
            has = f"{keyword}={parameters[keyword]!r}" if keyword in parameters else "no such parameter"
            raise StrategyError(
                f"{here}: blind_nil of bidder {bidder_name!r} takes {keyword!r}, but the bidder has {has};"
                f" declare it the same way in both"
            )


def _check_name(name: str) -> None:
    if not name.isidentifier():
        raise StrategyError(f"the name {name!r} cannot be used in a bot; expected letters, digits and underscores")


def _parameters_of(function: FunctionType, role: str, kind: str) -> dict[str, Any]:
    code = function.__code__
    here = f"{code.co_filename}:{code.co_firstlineno}: {role} {function.__name__!r}"
    arguments = list(inspect.signature(function).parameters.values())
    first, rest = arguments[:1], arguments[1:]
    if not first or first[0].kind not in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
        raise StrategyError(f"{here} takes no view; expected def {function.__name__}(view, *, parameter=default)")
    for parameter in rest:
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY or parameter.default is inspect.Parameter.empty:
            raise StrategyError(
                f"{here} has the argument {parameter.name!r}; expected parameters after a star, each with a default,"
                f" as in (view, *, {parameter.name}=1)"
            )
        if type(parameter.default) not in PARAMETER_TYPES[kind]:
            types = ", ".join(allowed.__name__ for allowed in PARAMETER_TYPES[kind])
            raise StrategyError(
                f"{here} has {parameter.name}={parameter.default!r}; expected a default of type {types}"
            )
        if isinstance(parameter.default, int) and abs(parameter.default) > INT64_MAX:
            raise StrategyError(f"{here} has {parameter.name}={parameter.default}; expected a whole number of 64 bits")
    if len(rest) > PARAMETERS_MAX:
        raise StrategyError(f"{here} has {len(rest)} parameters; expected at most {PARAMETERS_MAX}")
    return {parameter.name: parameter.default for parameter in rest}
