"""The designs of experiments: a folder each, all with the same doors.

| file | has |
|---|---|
| `spec.py` | `SPEC`, the checked model (an `Experiment`): its keys in a file, its tables, and what of it differs |
| `play.py` | `play(spec, options)`, which gives a `Result`; and the function of the design's name, for notebooks |
| `tables.py` | frames made from counts |
| `sections.py` | `title(run)` and `sections(run)`, its part of a report of a `StoredRun`; maybe `opening(run)` |
| `command.py` | `command`, its click command, whose function gives the spec |

The name of the folder is the design's, that of its key in a file, and that of its command. What is played goes into a
`storage.run_folder.RunFolder`, from which it can go on; a `reopen(place, manifest, spec)` in `play.py` makes the result
of such a folder anew, and without one the tables are read as they were kept.

Folders here are found, and so are packages that another distribution names in the entry-point group `spadesim.designs`
(`coins = coin_design`: the design's name, and its package); no other list names them. A design that is one's own needs
only `spec.py` and `play.py`. `tests/designs/coin_design` is one.
"""

import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from spadesim.errors import UsageError, unknown

if TYPE_CHECKING:
    from spadesim.designs.experiment import Experiment
    from spadesim.designs.result import Result
    from spadesim.tournament.run_options import RunOptions

ENTRY_POINTS = "spadesim.designs"
LEAGUE = "league"  # what an experiment is whose file names no other design


@dataclass(frozen=True)
class Design:
    """A design: its name, which is also its key in a file and its command, and the package that it is in."""

    name: str
    package: str

    @property
    def spec(self) -> "type[Experiment]":
        """The model that checks its values."""
        spec: type[Experiment] = self.door("spec").SPEC
        return spec

    @property
    def play(self) -> "Callable[[Any, RunOptions], Result]":
        """The function that plays a spec."""
        play: Callable[[Any, RunOptions], Result] = self.door("play").play
        return play

    def has(self, door: str) -> bool:
        """Return whether there is such a file in its folder."""
        try:
            return find_spec(f"{self.package}.{door}") is not None
        except ImportError:  # the package is not there any more
            return False

    def door(self, name: str) -> ModuleType:
        """Import one of its files.

        Raises
        ------
        UsageError
            When that fails.
        """
        try:
            return import_module(f"{self.package}.{name}")
        except ImportError as error:
            why = f"the design {self.name!r}, which the package {self.package} has, cannot be loaded: {error}"
            raise UsageError(f"{why}; install that package anew, or remove it") from error


@cache
def find_designs() -> dict[str, Design]:
    """Find all designs, by name: the folders here, then those of installed packages."""
    own = [(module.name, f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__) if module.ispkg]
    others = [(entry.name, entry.value) for entry in sorted(entry_points(group=ENTRY_POINTS))]
    return {name: Design(name, package) for name, package in [*others, *own]}


def design_named(name: str) -> Design:
    """Return the design of this name.

    Raises
    ------
    UsageError
        When there is none.
    """
    designs = find_designs()
    if name not in designs:
        raise unknown("design", name, designs, "it may belong to a package that is not installed here")
    return designs[name]


def design_of(keys: Iterable[str]) -> Design:
    """Return the design that one of a file's keys names; a league where none does."""
    designs = find_designs()
    return next((designs[key] for key in sorted(keys) if key in designs), designs[LEAGUE])
