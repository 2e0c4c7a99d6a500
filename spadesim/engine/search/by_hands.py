"""Let compiled strategies search: what a view shows becomes a record, for functions made for each number of hands."""

from collections.abc import Callable

import numpy as np
from numba import njit
from numba.extending import overload

from spadesim.engine.compile.cache import FLAGS, engine_digest, marked, uncompiled, with_disk_cache
from spadesim.engine.game.lanes import as_records


def seen_dtype(hands: int) -> np.dtype:
    """Make the record of what a seat sees, by rows of a batch, with this many hands."""
    per_seat = "bids blind taken scores bags voids excluded cards shown open".split()
    scalars = "unseen legal played trick led beats leader winner position broken tricks_left".split()
    scalars += "dealer declarer dummy random me mine order".split()
    return np.dtype([(name, "i8", (hands,)) for name in per_seat] + [(name, "i8") for name in scalars], align=True)


SEEN_DTYPES = {hands: seen_dtype(hands) for hands in range(2, 7)}


def new_seen(per_seat) -> np.ndarray:
    """Make an array of one empty record of what a seat sees; `per_seat` has a value a hand."""
    return as_records(np.zeros(1, SEEN_DTYPES[len(per_seat)]))


@overload(new_seen)
def _new_seen(per_seat):
    dtype = SEEN_DTYPES[per_seat.count]
    return lambda per_seat: np.zeros(1, dtype)


def by_hands(make: Callable[[int], Callable], name: str, digest: str | None) -> Callable:
    """Offer a function that is made anew for each number of hands, to compiled strategies and to plain Python.

    Parameters
    ----------
    make
        Makes the function, for so many hands; its first arguments are a table's rules and what a seat sees.
    name, digest
        What its machine code is kept under, and a hash of what it is made from; None to keep none.
    """
    made: dict[int, Callable] = {}

    def of(hands: int) -> Callable:
        if hands not in made:
            function = make(hands)
            compiled = function if uncompiled() else njit(**FLAGS)(marked(function))
            kept = digest is not None and not uncompiled()
            made[hands] = (
                with_disk_cache(compiled, f"{name}{hands}", f"{engine_digest()}{digest}") if kept else compiled
            )
        return made[hands]

    def call(r, seen, *arguments):
        with np.errstate(over="ignore"):  # uncompiled, the hash of worlds wraps around on purpose
            return of(seen["bids"].shape[1])(getattr(r, "record", r), seen, *arguments)

    @overload(call, inline="never")
    def _call(r, seen, *arguments):
        function = of(seen.dtype.fields["bids"].type.shape[0])
        return lambda r, seen, *arguments: function(r, seen, *arguments)

    return call
