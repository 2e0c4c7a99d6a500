"""From a strategy, a scalar function of a view, to a kernel over all lanes.

The kernel computes the view fields that the strategy's code names, calls the function copied inline, and keeps the
answer where this strategy is to move. A strategy without loops is computed in every lane, as vector code; one that
loops runs lane by lane, and only where it is its turn.
"""

import hashlib
import inspect
import linecache
import os
import re
import types as python_types
from collections import namedtuple
from collections.abc import Callable, Iterable
from functools import cache

from numba import from_dtype, njit, types
from numba.extending import overload, register_jitable

from spadesim.engine.compile.cache import FLAGS, engine_digest, marked, uncompiled, with_disk_cache
from spadesim.engine.compile.inspection import has_loop, keywords_of, may_raise, names_in
from spadesim.engine.compile.operations import as_answer, as_yes_or_no, own
from spadesim.engine.game import views
from spadesim.engine.game.lanes import LANES, lanes_dtype
from spadesim.engine.game.seats import n_turns
from spadesim.engine.game.setup import TABLE_DTYPE
from spadesim.engine.game.tricks import seat_to_act
from spadesim.errors import StrategyError

# What is asked: of which of a table's strategies, in how many seats, what it sees, and what makes an answer a number.
ROLES = {
    "bidder": ("bidder", "n_turns(t, r)", views.BID_FIELDS, as_answer),
    "blind": ("bidder", "n_turns(t, r)", views.BLIND_FIELDS, as_yes_or_no),
    "player": ("player", "t.dealt.shape[0]", views.PLAY_FIELDS, as_answer),
}
SHORT = 9  # view fields that a short strategy reads, at most
PARAMETERS = {int: "ints", bool: "ints", float: "floats"}  # which array of the table a parameter comes in

BOILERPLATE = re.compile(
    r"(TypingError: )?no integer|Failed in nopython|No implementation of function|There are \d+ candidate"
    r"|During:|Invalid use of|- (Of|Resolution)"
    r"|Overload|\* \(|Rejected|raised from|with argument|File |<source|- argument|^[-=~^ ]+$|Enable logging|This error"
)

# a division by zero or an index out of range is a fault, as in Python
STRATEGY_FLAGS = FLAGS | {"error_model": "python", "boundscheck": True}

# A strategy that becomes vector code is computed in every lane. Leading and following get loops of their own, in which
# the compiler knows the position to be 0 or not; so do, for short strategies, tables where it is the only one.
EVERY_LANE = """
def {name}(t, r, me, position, alone):
{parameters}
{when_alone}
    if position == 0:
        for lane in range(LANES):
            seat = seat_to_act(t, lane, 0, {seats})
            answer = {lead}
            t.answer[lane] = answer if own(t.{strategy}s, seat, lane) == me else t.answer[lane]
    else:
        for lane in range(LANES):
            seat = seat_to_act(t, lane, position, {seats})
            answer = {follow}
            t.answer[lane] = answer if own(t.{strategy}s, seat, lane) == me else t.answer[lane]
"""
WHEN_ALONE = """
    if alone:
        if position == 0:
            for lane in range(LANES):
                seat = seat_to_act(t, lane, 0, {seats})
                t.answer[lane] = {lead}
        else:
            for lane in range(LANES):
                seat = seat_to_act(t, lane, position, {seats})
                t.answer[lane] = {follow}
        return
"""
# One that loops or may raise is called only where it is its turn.
LANE_BY_LANE = """
def {name}(t, r, me, position, alone):
{parameters}
    for lane in range(LANES):
        seat = seat_to_act(t, lane, position, {seats})
        if own(t.{strategy}s, seat, lane) == me and t.asked[lane] != 0 and t.game[lane] >= 0:
            t.answer[lane] = {follow}
"""


def state_types(hands: int) -> list:
    """Return the compiled types of a batch and a table."""
    return [from_dtype(lanes_dtype(hands)), from_dtype(TABLE_DTYPE)]


def kernel_signature(hands: int):
    """Return the compiled type of every strategy's kernel."""
    return types.void(*state_types(hands), types.int64, types.int64, types.boolean)


def lift(
    function: Callable, role: str, defaults: dict, helpers: list[Callable], digest: str | None, name: str, hands: int
):
    """Compile the kernel of a strategy, or load it.

    Parameters
    ----------
    function
        Takes a view, and parameters by keyword.
    role
        "bidder", "player", or "blind" for what a bidder says before it sees its cards.
    defaults
        The strategy's parameters with their defaults, int, float or bool; the function takes all or some of them. What
        is not named here keeps its default, and is not read from the table.
    helpers
        The plain Python functions that the strategy calls, however deep.
    digest
        Hash of everything that the strategy's code is made from; None to keep no machine code.
    name
        The strategy's name.
    hands
        Hands at the table.

    Raises
    ------
    StrategyError
        When it does not compile or does not answer an integer; the message has the file and line.
    """
    name = f"{role}-{function.__module__.rpartition('.')[2]}-{name}"
    places = repr({parameter: type(default) for parameter, default in defaults.items()})
    unique = hashlib.sha256((engine_digest() + (digest or f"{name} {id(function)}") + places).encode()).hexdigest()
    kernel = njit(**STRATEGY_FLAGS)(kernel_function(function, role, defaults, helpers, unique))
    if digest is not None:
        with_disk_cache(kernel, name, unique)
    if uncompiled():
        return kernel
    try:
        kernel.compile(kernel_signature(hands))
    except Exception as error:
        raise compile_error(function, role, error) from error
    kernel.disable_compile()
    return kernel


def kernel_function(function: Callable, role: str, defaults: dict, helpers: list[Callable], digest: str) -> Callable:
    """Write the kernel of a strategy as a Python function, under a name that is its own."""
    for helper in helpers:
        make_callable(helper)
    loops = any(has_loop(called) for called in [function, *helpers])
    # what may raise must not be computed in lanes that belong to others
    lane_by_lane = loops or any(may_raise(called) for called in [function, *helpers])
    fields = fields_named([function, *helpers], role)
    inner = njit(**STRATEGY_FLAGS | {"forceinline": not loops})(marked(positional(function)))
    name = f"{role}_{digest[:16]}"
    names = {"LANES": LANES, "own": own, "n_turns": n_turns, "seat_to_act": seat_to_act, "__name__": __name__}
    names["as_answer"] = ROLES[role][3]
    names |= {"View": namedtuple("View", fields), "strategy": inner}
    as_read = compiled_apart if len(fields) > SHORT else lambda field: field
    names |= {f"field_{field}": as_read(role_fields(role)[field]) for field in fields}
    source = kernel_source(name, role, fields, defaults, keywords_of(function), lane_by_lane)
    path = f"<spadesim kernel {name}>"
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    exec(compile(source, path, "exec"), names)
    return marked(names[name])


@cache
def make_callable(helper: Callable) -> None:
    """Let compiled code call a plain function, another strategy with its parameters' defaults included."""
    implementation = marked(positional(helper))
    arguments = ", ".join(
        name + ("" if parameter.default is parameter.empty else f"=defaults[{name!r}]")
        for name, parameter in inspect.signature(implementation).parameters.items()
    )
    defaults = {name: parameter.default for name, parameter in inspect.signature(implementation).parameters.items()}
    names = {"defaults": defaults, "implementation": implementation}
    exec(f"def choose({arguments}):\n    return implementation", names)
    options = {**STRATEGY_FLAGS, "forceinline": not has_loop(helper)}
    overload(helper, jit_options=options, inline="never")(names["choose"])


@cache
def compiled_apart(field: Callable) -> Callable:
    """Make a view field that compiles once for all strategies which read it; LLVM inlines it, at a small loss."""
    apart = python_types.FunctionType(field.__code__, field.__globals__, field.__name__)
    return register_jitable(**FLAGS | {"forceinline": True})(marked(apart))


def compile_error(function: Callable, role: str, error: Exception) -> StrategyError:
    """Return why a strategy does not compile, in one line with the place in the author's file."""
    code = function.__code__
    lines = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines()
    line, reason = code.co_firstlineno, _first_reason(lines)
    for i, text in enumerate(lines):
        place = re.match(r'\s*File "([^"]+)", line (\d+):', text)
        if place and os.path.basename(place[1]) == os.path.basename(code.co_filename):
            line, reason = int(place[2]), _first_reason(reversed(lines[:i])) or reason
            break
    what = "blind_nil function" if role == "blind" else role
    here = f"{code.co_filename}:{line}: {what} {function.__name__!r}"
    answer = re.search(r">>> (as_answer|as_yes_or_no)\((.*)\)", reason)
    if answer:
        wanted = "an integer on every path, as int(...) gives" if answer[1] == "as_answer" else "True or False"
        return StrategyError(f"{here} answers {_in_words(answer[2])}; expected {wanted}")
    reason = re.sub(r"View\(.*?\)(?=[,)]|$)", "view", reason).replace(">>> ", "compiled code has no ")
    return StrategyError(f'{here} does not compile: {reason or type(error).__name__}; kind="python" allows any Python')


def _first_reason(lines: Iterable[str]) -> str:
    return next((text.strip() for text in lines if text.strip() and not BOILERPLATE.match(text.strip())), "")


def _in_words(kind: str) -> str:
    optional = re.fullmatch(r"OptionalType\((.*)\)", kind)
    words = {"none": "nothing (None)", "bool": "True or False"}
    return (
        f"{_in_words(optional[1])} or nothing (None)"
        if optional
        else words.get(kind, f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}")
    )


def kernel_source(
    name: str, role: str, fields: list[str], defaults: dict, keywords: list[str], lane_by_lane: bool
) -> str:
    """Write the kernel around a strategy, which takes these of the parameters."""
    strategy, seats, _, _ = ROLES[role]
    places = {"ints": 0, "floats": 0}
    reads = []
    for parameter, default in defaults.items():
        array = PARAMETERS[type(default)]
        test = " != 0" if isinstance(default, bool) else ""
        reads.append(f"    p_{parameter} = r.{strategy}_{array}[me, {places[array]}]{test}")
        places[array] += 1
    keywords = [keyword for keyword in keywords if keyword in defaults]  # others keep their defaults
    lead, follow = (call_of_strategy(fields, keywords, position) for position in ("0", "position"))
    parts = {"lead": lead, "follow": follow, "seats": seats, "strategy": strategy, "parameters": "\n".join(reads)}
    short = len(fields) <= SHORT  # a longer one gains nothing, and each loop more takes seconds to compile
    when_alone = WHEN_ALONE.format(**parts) if short else ""
    return (LANE_BY_LANE if lane_by_lane else EVERY_LANE).format(name=name, when_alone=when_alone, **parts)


def call_of_strategy(fields: list[str], parameters: list[str], position: str) -> str:
    """Write the call of a strategy with its view and parameters."""
    view = "View(" + ", ".join(f"field_{field}(t, r, seat, lane, {position})" for field in fields) + ")"
    return f"as_answer(strategy({', '.join([view, *(f'p_{parameter}' for parameter in parameters)])}))"


def role_fields(role: str) -> dict[str, Callable]:
    """Return the view fields that may be read in a role."""
    return ROLES[role][2]


def fields_named(functions: list[Callable], role: str) -> list[str]:
    """List the view fields that the functions' code names, in a fixed order."""
    named = set().union(*map(names_in, functions))
    return [field for field in role_fields(role) if field in named]


def reads_voids(fields: list[str]) -> bool:
    """Return whether who failed to follow must be noted for these fields."""
    return not {"voids", "voids_behind"}.isdisjoint(fields)


def positional(function: Callable) -> Callable:
    """Rebuild a function with its keyword-only arguments as positional ones, which can be copied inline."""
    code = function.__code__
    arguments = code.co_argcount + code.co_kwonlyargcount
    rebuilt = python_types.FunctionType(
        code.replace(co_argcount=arguments, co_kwonlyargcount=0),
        function.__globals__, function.__name__, None, function.__closure__,
    )  # fmt: skip
    defaults = [
        parameter.default
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is not parameter.empty
    ]
    rebuilt.__defaults__ = tuple(defaults) or None
    rebuilt.__module__ = function.__module__
    return rebuilt
