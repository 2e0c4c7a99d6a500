"""spadesim: tournaments of bots that play Spades.

Strategies need ``bidder``, ``player`` and ``bot``; experiments ``league``, ``compare``, ``sweep``, ``tune``,
``whatif``, ``study``, and what installed packages add to them; ``features`` and ``play_game`` are here too. Everything
else is in the folders, each with a subject.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spadesim.bots.strategy import bidder, bot, player
from spadesim.errors import BotFault, SpadesimError

if TYPE_CHECKING:
    from spadesim.bots.replay import play_game
    from spadesim.designs.compare.play import compare
    from spadesim.designs.league.play import league
    from spadesim.designs.study.play import study
    from spadesim.designs.sweep.play import sweep
    from spadesim.designs.tune.play import tune
    from spadesim.designs.whatif.play import whatif
    from spadesim.studies.kit.hand_features import features

__all__ = [
    "BotFault", "SpadesimError", "bidder", "bot", "compare", "features", "league", "play_game", "player", "study",
    "sweep", "tune", "whatif",
]  # fmt: skip

_LATER = {"features": "spadesim.studies.kit.hand_features", "play_game": "spadesim.bots.replay"}


def __dir__() -> list[str]:
    from spadesim.designs import find_designs

    return sorted({*__all__, *find_designs()})


def __getattr__(name: str) -> Any:
    """Import the compiled and the tabular half only when it is asked for, so that strategy files load at once."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("spadesim")
    if not name.startswith("_"):
        from spadesim.designs import find_designs

        if name in find_designs():
            return getattr(find_designs()[name].door("play"), name)
    raise AttributeError(f"module 'spadesim' has no attribute {name!r}")
