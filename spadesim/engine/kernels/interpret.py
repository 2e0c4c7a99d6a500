"""Array and Python strategies as kernels: the views of all lanes to move, as arrays or one by one.

A bad answer (an exception, no integer, an array of the wrong length) becomes one that no rule allows, so that the
kernels which check answers find it like any other; what was wrong is remembered for the report (R9).
"""

import contextlib
import operator
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np

from spadesim.engine.game.lanes import PER_SEAT, PER_SEAT_OPTIONAL
from spadesim.engine.game.setup import CODED, COPIED
from spadesim.engine.kernels.lift import ROLES, fields_named, role_fields

# the same in all lanes that are asked together
PLAIN_INTS = set(
    "players cards_each target position leader nil_value blind_nil min_bid overtrick set_points bag_limit bag_penalty"
    " partner bid_low bid_high".split()
)
BEFORE_CARDS = {"blind": -1, "bidder": 0}  # the numbers of the decisions, see `faults`
TICKS = 8  # of the clock, in the time that an answer may take
NO_ANSWER = -1  # legal neither as a bid nor as a card

on_ask: Callable[[str], None] | None = None  # told which strategy is about to be asked, where one may never answer

LOOP = """
def ask(view, columns, answer, answers):
    for {targets} in zip(*columns):
        answers.append(answer(view))
"""


class InterpretedKernel:
    """A strategy in Python, called like a compiled kernel.

    Attributes
    ----------
    bad : dict
        What was wrong with a bad answer, by (game, deal, decision, place): the first one, whatever the lanes did, or
        all where `keeps_all` is set.
    """

    def __init__(
        self, name: str, function: Callable, role: str, kind: str, settings: dict, helpers: list[Callable],
        seconds: float = 0.0,
    ):  # fmt: skip
        self._name = name
        self._seconds = seconds  # that an answer may take; 0 for any
        self._strategy = ROLES[role][0] + "s"  # the lanes' field that tells whose answer it is
        self._role = role
        self._bidding = role != "player"
        self.bad: dict[tuple[int, int, int, int], str] = {}
        self.keeps_all = False
        self._function = _yes_or_no(function) if role == "blind" else function
        self._settings = settings
        self._fields = role_fields(role)
        self._ask = _ask_array if kind == "array" else _Asker(fields_named([function, *helpers], role))
        self._state: tuple = ()

    def __call__(self, lanes, table, me, position, alone):
        """Answer for the lanes whose seat to act uses strategy number `me`."""
        t, r = self._views(lanes, table)
        playing = (lanes["game"] >= 0) & (lanes["fault_seat"] == 0) & (lanes["asked"] != 0)
        first = lanes["winner"] if position == 0 else lanes["leader"]
        seats = (first + position) % (r.players if self._bidding else r.hands)
        lane = np.nonzero(playing)
        seat = seats[lane]
        if not alone:
            mine = getattr(t, self._strategy)[(seat, *lane)] == me
            lane, seat = (lane[0][mine], lane[1][mine]), seat[mine]
        if len(seat) == 0:
            return
        if on_ask is not None:
            on_ask(self._name)
        read = _Reader(self._fields, t, r, seat, lane, position)
        answers, bad = self._ask(self._function, self._settings, read, len(seat), self._seconds)
        if len(bad) == len(seat) > 1 and self._ask is _ask_array:
            answers, bad = self._ask_each(t, r, seat, lane, position)
        lanes["answer"][lane] = answers
        for i, reason in bad:
            self._remember(t, r, lane, seat, i, reason)

    def _ask_each(self, t, r, seat, lane, position):
        """Ask an array strategy lane by lane, where asked for all at once it failed: only some may be at fault."""
        answers, bad = np.full(len(seat), NO_ANSWER), []
        for i in range(len(seat)):
            alone = slice(i, i + 1)
            read = _Reader(self._fields, t, r, seat[alone], (lane[0][alone], lane[1][alone]), position)
            answers[alone], wrong = self._ask(self._function, self._settings, read, 1, self._seconds)
            bad += [(i, reason) for _, reason in wrong]
        return answers, bad

    def _views(self, lanes, table):
        if not self._state or self._state[0] is not lanes or self._state[1] is not table:
            self._state = (lanes, table, *readable(lanes, table))
        return self._state[2:]

    def _remember(self, t, r, lane, seat, i, reason):
        here = (lane[0][i], lane[1][i])
        held = int(t.dealt[(seat[i], *here)] & ~t.played[here])
        decision = BEFORE_CARDS[self._role] if self._bidding else 1 + r.cards_each - held.bit_count()
        key = (int(t.game[here]), int(t.deal[here]), decision, int(seat[i]))
        if not self.keeps_all and any(key[:3] >= known[:3] for known in self.bad):  # of the same decision, the first
            return
        self.bad = self.bad | {key: reason} if self.keeps_all else {key: reason}


def readable(lanes, table) -> tuple[SimpleNamespace, SimpleNamespace]:
    """Return all batches of an array, and the rules, with the attributes that view functions read."""
    named = {name: lanes[name] for name in lanes.dtype.names}
    named |= {name: lanes[name].transpose(1, 0, 2) for name in PER_SEAT + PER_SEAT_OPTIONAL}  # the seat first
    numbers = {name: int(table[name][0]) for name in COPIED + CODED}
    return SimpleNamespace(**named), SimpleNamespace(**numbers, record=table[0])


def read_view(fields: dict[str, Callable], lanes, table, seat: int, position: int) -> SimpleNamespace:
    """Read all fields of one seat's view, in the first lane, as plain values."""
    first = np.zeros(1, np.int64)
    read = _Reader(fields, *readable(lanes, table), first + seat, (first, first), position)
    return SimpleNamespace(**{name: _of_lane(getattr(read, name), 0) for name in fields})


class _Reader:
    """The view fields of some lanes, each an array that is gathered when it is first read."""

    def __init__(self, fields, t, r, seat, lane, position):
        self.__dict__["_source"] = (fields, (t, r, seat, lane, position))

    def __getattr__(self, name):
        fields, where = self._source
        if name not in fields:
            raise AttributeError(f"a view has no field {name!r}; its fields are {', '.join(fields)}")
        value = fields[name](*where)
        self.__dict__[name] = value
        return value


def _ask_array(function, settings, read, n, seconds):
    """Ask an array strategy once for all lanes; return the answers and, for each bad one, its index and the reason."""
    try:
        with answered_within(seconds, ()):
            answers = np.asarray(function(read, **settings))
    except MemoryError:
        raise
    except (Exception, NoAnswerInTime) as error:
        return NO_ANSWER, [(i, _raised(error)) for i in range(n)]
    if answers.shape not in ((n,), ()):  # no word of how many: the same game alone has fewer lanes
        return NO_ANSWER, [(i, "answered an array of the wrong shape; expected one integer a lane") for i in range(n)]
    if not np.issubdtype(answers.dtype, np.integer):
        said = f"{answers[()]!r:.80}" if answers.shape == () else f"an array of {answers.dtype}"
        return NO_ANSWER, [(i, f"answered {said}; expected one integer a lane") for i in range(n)]
    return answers, []


class _Asker:
    """Ask a Python strategy lane by lane, with one view that is filled anew in the header of the loop."""

    def __init__(self, named: list[str]):
        self._named = named
        names: dict = {}
        exec(LOOP.format(targets="".join(f"view.{name}, " for name in named) or "_"), names)
        self._loop = names["ask"]
        self._view = type("View", (_LaneView,), {"__slots__": [*named, "_read", "_answers"]})

    def __call__(self, function, settings, read, n, seconds):
        view = self._view()
        view._read = read
        answer = function if not settings else lambda view: function(view, **settings)
        columns = [_column(getattr(read, name), n) for name in self._named] or [range(n)]
        answers: list = []
        bad = []
        view._answers = answers
        while len(answers) < n:
            start = len(answers)
            try:
                with answered_within(seconds, answers):
                    self._loop(view, [column[start:] for column in columns] if start else columns, answer, answers)
            except MemoryError:
                raise  # the process is at its end, whoever brought it there
            except (Exception, NoAnswerInTime) as error:
                bad.append((len(answers), _raised(error)))
                answers.append(NO_ANSWER)
        return _integers(answers, bad), bad


class _LaneView:
    """One lane's view: the fields that the strategy's code names are slots, any other is looked up."""

    __slots__ = ()

    def __getattr__(self, name):
        return _of_lane(getattr(self._read, name), len(self._answers))


def _of_lane(value, lane: int):
    """Take one lane's plain value of a field; what is the same in all lanes as it is."""
    if isinstance(value, tuple):
        return tuple(int(of_seat[lane]) for of_seat in value)
    if isinstance(value, np.ndarray):
        return int(value[lane])
    return value if isinstance(value, SimpleNamespace) else int(value)


def _column(value, n: int) -> list:
    if isinstance(value, tuple):
        return list(zip(*(of_seat.tolist() for of_seat in value), strict=True))
    return value.tolist() if isinstance(value, np.ndarray) else [value] * n


def _integers(answers: list, bad: list) -> list[int]:
    """Turn answers into integers that fit; note the others as bad."""
    if set(map(type, answers)) == {int} and max(answers) < 1 << 63 and min(answers) >= -1 << 63:
        return answers
    for i, answer in enumerate(answers):
        try:
            if isinstance(answer, bool | np.bool_):
                raise TypeError
            answers[i] = operator.index(answer)
            np.int64(answers[i])
        except (TypeError, OverflowError):
            bad.append((i, f"answered {answer!r:.80} of type {type(answer).__name__}; expected an integer of 64 bits"))
            answers[i] = NO_ANSWER
    return answers


def _yes_or_no(function: Callable) -> Callable:
    """Let True and False, alone or in arrays, stand for 1 and 0."""

    def asked(view, **settings):
        answer = function(view, **settings)
        if isinstance(answer, np.ndarray):
            return (answer != 0).astype(np.int64) if answer.dtype.kind in "bi" else answer
        return int(answer != 0) if isinstance(answer, bool | int | np.bool_ | np.integer) else answer

    return asked


class NoAnswerInTime(BaseException):
    """Report that a strategy has taken too long."""


@contextlib.contextmanager
def answered_within(seconds: float, answers: Sequence):
    """Interrupt a strategy that gives none of these answers for so long; works in the main thread of a process.

    A clock that ticks a few times costs nothing a call, where one for each would cost more than most strategies.
    """
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return
    last = [len(answers), time.monotonic()]

    def tick(number, frame):
        now = time.monotonic()
        if len(answers) != last[0]:
            last[:] = [len(answers), now]
        elif now - last[1] >= seconds:
            raise NoAnswerInTime(f"gave no answer in {seconds:g} s")

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, seconds / TICKS, seconds / TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raised(error: BaseException) -> str:
    if isinstance(error, NoAnswerInTime):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    message = (str(error).splitlines() or [""])[0]
    return f"raised {type(error).__name__}: {message} ({last.filename}:{last.lineno})"


def ask_once(function: Callable, kind: str, view, settings: dict) -> int:
    """Ask a strategy of any kind about one view with plain values."""
    if kind != "array":
        return operator.index(function(view, **settings))
    fields = {name: value if name in PLAIN_INTS else _as_arrays(value) for name, value in vars(view).items()}
    return int(np.asarray(function(SimpleNamespace(**fields), **settings)).ravel()[0])


def _as_arrays(value):
    return tuple(np.array([of_seat]) for of_seat in value) if isinstance(value, tuple) else np.array([value])
