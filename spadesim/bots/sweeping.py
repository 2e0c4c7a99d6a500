"""Settings of a bot's parameters: a grid of them, or a sample spread over their space."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spadesim.bots.registry import Configured, Registry, show_value
from spadesim.bots.strategy import read_value
from spadesim.errors import UsageError, count_of
from spadesim.limits import SETTINGS_MAX

HALVES = ("bidder", "player")
EXAMPLE = "as in ace=0.8..1.1:7 (seven values) or less=0,1"


@dataclass(frozen=True)
class Axis:
    """A parameter that is swept.

    Attributes
    ----------
    half
        0 for the bidder's, 1 for the player's.
    values
        The values of a grid, in the order given; empty for a range whose number of values was not given.
    ends
        The ends of a range, between which a sample may be anywhere; None where only the values are meant.
    """

    half: int
    name: str
    values: tuple[Any, ...]
    ends: tuple[Any, Any] | None

    @property
    def half_name(self) -> str:
        """Whose parameter it is."""
        return HALVES[self.half]

    def at(self, place: float) -> Any:
        """Return the value at a place along the axis, from 0 to below 1."""
        if self.ends is None:
            return self.values[int(place * len(self.values))]
        low, high = self.ends
        return low + int(place * (high - low + 1)) if isinstance(low, int) else rounded(low + place * (high - low))


@dataclass(frozen=True)
class Space:
    """The bidder and the player of a bot with what is fixed, and the axes of what is not."""

    bases: tuple[Configured, Configured]
    axes: tuple[Axis, ...]

    @property
    def defaults(self) -> tuple[Any, ...]:
        """The default of each axis."""
        return tuple(self.bases[axis.half].strategy.parameters[axis.name] for axis in self.axes)

    def bot(self, point: Sequence[Any]) -> str:
        """Return the bot that has these values of the axes."""
        halves = [base.text for base in self.bases]
        for axis, value in zip(self.axes, point, strict=True):
            halves[axis.half] += f":{axis.name}={show_value(value)}"
        return "+".join(halves)


def space_of(text: str, registry: Registry) -> Space:
    """Return the space of a bot whose parameters are swept, as in ``honors:ace=0.8..1.1:7:king=0.7,0.8+steady``.

    Parameters
    ----------
    text
        A bot. After a parameter's equals sign comes one value, several separated by commas, or a range ``low..high``:
        all whole numbers of it or, with a number after another colon, that many values with both ends included.

    Raises
    ------
    UsageError
        When a name does not exist or a value does not fit.
    """
    halves = text.split("+")
    if len(halves) != 2:
        bot = registry.bot(text)  # raises what is wrong with it; else it is a bot with a name of its own
        return Space((bot.bidder, bot.player), ())
    (bidder, first), (player, second) = (
        _read_half(half, role, part, registry) for half, (role, part) in enumerate(zip(HALVES, halves, strict=True))
    )
    return Space((bidder, player), (*first, *second))


def settings_of(text: str, registry: Registry, sample: int = 0, seed: int = 0) -> list[str]:
    """Return the bots of a sweep.

    Parameters
    ----------
    text
        See `space_of`.
    sample
        The number of settings drawn from the whole space, by a scrambled Sobol sequence (Sobol 1967, *USSR
        Computational Mathematics and Mathematical Physics* 7; Owen 1998, *Journal of Complexity* 14); 0 for all of the
        grid.
    seed
        Of the sample.

    Returns
    -------
    list of str
        Bots that name every swept parameter: the defaults first, then the settings, the last parameter changing
        fastest; a setting that comes up twice is listed once.

    Raises
    ------
    UsageError
        When nothing is swept, a value does not fit, or there are more than SETTINGS_MAX settings.
    """
    space = space_of(text, registry)
    if not space.axes:
        raise UsageError(f"nothing is swept in {text!r}; expected parameters with several values, {EXAMPLE}")
    points = _sample(space.axes, sample, seed) if sample else _grid(space.axes, text)
    return [space.bot(point) for point in dict.fromkeys([space.defaults, *points])]


def swept_parameters(text: str) -> list[tuple[int, str]]:
    """Return what is swept in a text that `settings_of` takes: the half, 0 for the bidder's, and the name."""
    return [
        (half, segment.partition("=")[0])
        for half, part in enumerate(text.split("+"))
        for segment in part.split(":")[1:]
        if _is_axis(segment)
    ]


def _is_axis(segment: str) -> bool:
    value = segment.partition("=")[2]
    return ".." in value or "," in value


def _read_half(half: int, role: str, part: str, registry: Registry) -> tuple[Configured, list[Axis]]:
    """Return the bidder or the player with what is fixed, and what is swept."""
    name, *segments = part.split(":")
    fixed: list[str] = [name]
    swept: list[str] = []
    for segment in segments:
        if segment.isdigit() and swept and ".." in swept[-1] and ":" not in swept[-1]:
            swept[-1] += f":{segment}"
        elif _is_axis(segment):
            swept.append(segment)
        else:
            fixed.append(segment)
    base = registry.configured(role, ":".join(fixed))
    axes = [_axis(half, base, segment) for segment in swept]
    names = [axis.name for axis in axes] + [segment.partition("=")[0] for segment in fixed[1:]]
    for twice in {name for name in names if names.count(name) > 1}:
        raise UsageError(f"{twice!r} is set twice in {part!r}; set it once")
    return base, axes


def _axis(half: int, base: Configured, segment: str) -> Axis:
    name, _, values = segment.partition("=")
    if ".." not in values:
        read = tuple(read_value(base.strategy, name, value.strip()) for value in values.split(","))
        return Axis(half, name, tuple(dict.fromkeys(read)), None)
    ends, _, number = values.partition(":")
    low, high = (read_value(base.strategy, name, end.strip()) for end in ends.split("..", 1))
    if isinstance(low, bool | str) or not low < high:
        raise UsageError(f"{name} is swept over {ends!r}; expected a smaller number before a larger one, {EXAMPLE}")
    whole = isinstance(low, int)
    many = int(number) if number else high - low + 1 if whole else 0
    if number and not 2 <= many <= SETTINGS_MAX:
        raise UsageError(f"{name} is swept over {count_of(many, 'value')}; expected 2 … {SETTINGS_MAX:,}")
    steps = np.linspace(low, high, min(many, SETTINGS_MAX + 1)).tolist()
    on_grid = dict.fromkeys(round(value) if whole else rounded(value) for value in steps)
    return Axis(half, name, tuple(on_grid), (low, high))


def _grid(axes: Sequence[Axis], text: str) -> list[tuple[Any, ...]]:
    for axis in axes:
        if not axis.values:
            raise UsageError(
                f"{axis.name} is swept over a range in {text!r}; expected the number of values after a colon,"
                f" {EXAMPLE}, or --sample"
            )
    many = math.prod(len(axis.values) for axis in axes)
    if many > SETTINGS_MAX:
        raise UsageError(
            f"the sweep has {many:,} settings; expected at most {SETTINGS_MAX:,}; list fewer values, or --sample some"
        )
    return list(itertools.product(*(axis.values for axis in axes)))


def _sample(axes: Sequence[Axis], sample: int, seed: int) -> list[tuple[Any, ...]]:
    from scipy.stats import qmc  # takes long to import

    points = qmc.Sobol(len(axes), rng=np.random.default_rng(seed)).random_base2((sample - 1).bit_length())
    return [tuple(axis.at(place) for axis, place in zip(axes, row, strict=True)) for row in points[:sample].tolist()]


def rounded(value: float) -> float:
    """Return a value rounded to six digits: more mean nothing, and make names long."""
    return float(f"{value:.6g}")
