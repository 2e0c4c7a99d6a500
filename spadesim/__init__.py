"""spadesim: tournaments of bots that play Spades.

Strategies need ``bidder``, ``player`` and ``bot``; studies ``league``, ``compare``, ``sweep``, ``tune``, ``whatif``,
``study``, ``features`` and more. Everything else is found in the modules, one subject each.
"""

from importlib import import_module

from spadesim.errors import BotFault, SpadesimError
from spadesim.strategy import bidder, bot, player

__version__ = "0.1.0"

__all__ = [
    "BotFault", "SpadesimError", "bidder", "bot", "compare", "features", "league", "play_game", "player", "study",
    "sweep", "tune", "whatif",
]  # fmt: skip

_LATER = {
    "compare": "spadesim.runs",
    "features": "spadesim.hand_features",
    "league": "spadesim.runs",
    "play_game": "spadesim.replay",
    "study": "spadesim.studying",
    "sweep": "spadesim.runs",
    "tune": "spadesim.tuning",
    "whatif": "spadesim.what_if",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str):
    """Import the compiled and the tabular half only when it is asked for, so that strategy files load at once."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'spadesim' has no attribute {name!r}")
