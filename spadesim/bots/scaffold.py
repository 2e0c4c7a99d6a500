"""A strategy file to start from."""

from pathlib import Path

from spadesim.errors import UsageError

TEMPLATE = '''"""My strategies."""

from spadesim import bidder, player
from spadesim.cards import ACES, SPADES, count, highest, lowest


@bidder
def my_bid(view, *, luck=1):
    """Count aces and half the spades.

    *Bids* 1 or more; `luck` is added to every hand.
    *Origin*: a first try.
    """
    return count(view.hand & ACES) + count(view.hand & SPADES & ~ACES) // 2 + luck


@player
def my_play(view):
    """Win while tricks are needed, then duck.

    *Plays* the highest legal card while the bid is not made, the lowest afterwards.
    *Origin*: a first try.
    """
    return highest(view.legal) if view.need > 0 else lowest(view.legal)
'''


def write_template(path: str) -> None:
    """Write a strategy file that works as it stands.

    Raises
    ------
    UsageError
        When the file exists or cannot be written.
    """
    file = Path(path)
    if file.suffix != ".py":
        raise UsageError(f"the strategy file {path!r} does not end in .py; name it {file.stem + '.py'!r}")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(TEMPLATE)
    except FileExistsError:
        raise UsageError(f"the file {path!r} exists already; name a new one") from None
    except OSError as error:
        raise UsageError(f"cannot write {path!r}: {error.strerror}; name another file") from None
