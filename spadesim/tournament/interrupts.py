"""Stop on Ctrl-C, once, even where it falls into a place from which nothing can be raised."""

import signal
import sys
import time

SECONDS_TO_STOP = 2.0

_times: list[float] = []
_deferring = False


def listen() -> None:
    """Take Ctrl-C and termination as a KeyboardInterrupt from now on."""
    _times.clear()
    sys.unraisablehook = _leave_out_interrupts
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)


def defer(yes: bool) -> None:
    """Only note the first Ctrl-C from now on, for what looks at `happened`; a second one stops at once all the same."""
    global _deferring
    _deferring = yes


def happened() -> bool:
    """Return whether there was one."""
    return bool(_times)


def _interrupt(number: int, frame: object) -> None:
    """Stop; a second Ctrl-C while the first is being obeyed would only spoil the clean-up."""
    _times.append(time.monotonic())
    if _deferring:
        if len(_times) == 2:
            raise KeyboardInterrupt
    elif len(_times) == 1 or _times[-1] - _times[-2] > SECONDS_TO_STOP:
        raise KeyboardInterrupt


def _leave_out_interrupts(unraisable: "sys.UnraisableHookArgs") -> None:
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
