"""spadesim: tournaments of bots that play Spades.

Strategies need ``bidder``, ``player`` and ``bot``; studies ``league``, ``compare``, ``sweep``, ``tune``, ``whatif``,
``study``, ``features`` and more. Everything else is found in the modules, one subject each.
"""

from importlib import import_module

from spadesim.bots.strategy import bidder, bot, player
from spadesim.errors import BotFault, SpadesimError

__version__ = "0.1.0"

__all__ = [
    "BotFault", "SpadesimError", "bidder", "bot", "compare", "features", "league", "play_game", "player", "study",
    "sweep", "tune", "whatif",
]  # fmt: skip

_LATER = {
    "compare": "spadesim.designs.league.play",
    "features": "spadesim.studies.kit.hand_features",
    "league": "spadesim.designs.league.play",
    "play_game": "spadesim.bots.replay",
    "study": "spadesim.designs.study.play",
    "sweep": "spadesim.designs.league.play",
    "tune": "spadesim.designs.tune.play",
    "whatif": "spadesim.designs.whatif.play",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str):
    """Import the compiled and the tabular half only when it is asked for, so that strategy files load at once."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'spadesim' has no attribute {name!r}")
