"""Find strategies by name, and read bots: ``bidder+player``, with parameters after colons."""

import importlib
import pkgutil
import tomllib
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from spadesim.bots import loading
from spadesim.bots.strategy import MARK, Strategy, read_value
from spadesim.errors import StrategyError, UsageError, nearest, unknown
from spadesim.rules.settings import split_settings

BUNDLED = "spadesim.strategies"  # the package, imported by its name alone: nothing else depends on it
ENTRY_POINTS = "spadesim.strategies"
FILE = "@"  # before the name of a file that holds a bot
LISTING = "`spadesim strategies` lists them; your own are in files that --load names"


@dataclass(frozen=True)
class Configured:
    """A strategy with its parameters set.

    Attributes
    ----------
    values
        All parameters, in the order of declaration.
    """

    strategy: Strategy
    values: tuple[tuple[str, Any], ...]
    text: str = field(compare=False)  # as it was typed

    @property
    def settings(self) -> dict[str, Any]:
        """Parameter to value."""
        return dict(self.values)


@dataclass(frozen=True)
class Bot:
    """A bidder and a player under one name; `spec` is what to type to get them."""

    name: str
    spec: str
    bidder: Configured
    player: Configured


@dataclass
class Registry:
    """All strategies, by role and name, and the bots that have names of their own."""

    bidder: dict[str, Strategy] = field(default_factory=dict)
    player: dict[str, Strategy] = field(default_factory=dict)
    bots: dict[str, str] = field(default_factory=dict)

    def of_role(self, role: str) -> dict[str, Strategy]:
        """Return the bidders or the players, by name."""
        return self.bidder if role == "bidder" else self.player

    def add_module(self, module: types.ModuleType) -> int:
        """Add what a module declares, and return how much that is.

        Raises
        ------
        StrategyError
            When a name is taken; the message says where.
        """
        declared = strategies_in(module)
        for strategy in declared:
            of_role = self.of_role(strategy.role)
            known = of_role.get(strategy.name)
            if known is not None and known.function is not strategy.function:
                raise StrategyError(
                    f"{strategy.place}: {strategy.role} {strategy.name!r} is already declared in {known.place};"
                    f" rename one"
                )
            of_role[strategy.name] = strategy
        bots = getattr(module, "__spadesim_bots__", {})
        for name, spec in bots.items():
            if self.bots.setdefault(name, spec) != spec:
                raise StrategyError(
                    f"{module.__file__}: bot {name!r} is already declared as {self.bots[name]!r}; rename one"
                )
        return len(declared) + len(bots)

    def bot(self, text: str) -> Bot:
        """Return a bot such as ``honors:ace=0.9+boss``, one with a name, or ``@`` and a TOML file that holds one.

        Raises
        ------
        UsageError
            When a strategy or parameter does not exist or a value does not fit; the message has the nearest name.
        """
        if text in self.bots:
            named = self._pair(self.bots[text])
            return Bot(text, text, named.bidder, named.player)
        if text.startswith(FILE):
            path = text[len(FILE) :]
            try:
                kept = self._pair(_read_bot_file(path))
            except UsageError as error:
                raise UsageError(str(error) if path in str(error) else f"{path}: {error}") from None
            return Bot(text, kept.spec, kept.bidder, kept.player)
        return self._pair(text)

    def is_bot(self, text: str) -> bool:
        """Return whether a text is a bot, and not the name of a bidder or player."""
        return "+" in text or text in self.bots or text.startswith(FILE)

    def _pair(self, text: str) -> Bot:
        parts = text.split("+")
        if len(parts) != 2 or not all(parts):
            name = parts[0].partition(":")[0]
            if len(parts) == 1 and name in self.bots:
                raise UsageError(f"the bot {name!r} takes no parameters; name {self.bots[name]!r} with others instead")
            example = f"quick+{text}" if name in self.player else f"{text}+boss" if name in self.bidder else ""
            half = f"; {text!r} is half of one, as in {example!r}" if example else ""
            hint = half or nearest(text, self.bots) or ", as in 'quick+need_or_duck'"
            raise UsageError(f"no bot {text!r}; expected bidder+player{hint} ({LISTING})")
        bidder, player = (self.configured(role, part) for role, part in zip(("bidder", "player"), parts, strict=True))
        spec = f"{bidder.text}+{player.text}"
        return Bot(spec, spec, bidder, player)

    def configured(self, role: str, text: str) -> Configured:
        """Return one strategy with its parameters: ``honors:ace=0.9:king=0.8``; see `bot`."""
        name, *settings = text.split(":")
        of_role = self.of_role(role)
        if name not in of_role:
            other = "player" if role == "bidder" else "bidder"
            if name in self.of_role(other):
                raise UsageError(f"{name!r} is a {other}, not a {role}; a bot is bidder+player")
            raise unknown(role, name, of_role, LISTING)
        strategy = of_role[name]
        texts = split_settings(settings, text, "parameter=value, as in 'fixed:bid=4'")
        given = {parameter: read_value(strategy, parameter, value) for parameter, value in texts.items()}
        values = tuple((strategy.parameters | given).items())
        return Configured(strategy, values, text)

    def field(self, texts: Iterable[str]) -> list[Bot]:
        """Return several bots; one that is named again becomes ``name#2``."""
        bots: list[Bot] = []
        times: dict[str, int] = {}
        for text in texts:
            one = self.bot(text)
            times[one.name] = times.get(one.name, 0) + 1
            name = one.name if times[one.name] == 1 else f"{one.name}#{times[one.name]}"
            bots.append(Bot(name, one.spec, one.bidder, one.player))
        return bots


def _read_bot_file(path: str) -> str:
    """Return the bot that a file holds, under the key `bot`."""
    try:
        bot = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("bot")
    except OSError as error:
        raise UsageError(f"cannot read the bot file {path!r}: {error.strerror}; expected a TOML file") from None
    except ValueError as error:  # no UTF-8, or no TOML
        raise UsageError(f"the bot file {path!r} is not TOML: {error}") from None
    if not isinstance(bot, str):
        raise UsageError(f'the bot file {path!r} holds no bot; expected bot = "bidder+player"')
    return bot


def strategies_in(module: types.ModuleType) -> list[Strategy]:
    """Return the strategies that a module itself declares."""
    return [
        strategy
        for value in vars(module).values()
        if isinstance(strategy := getattr(value, MARK, None), Strategy) and value.__module__ == module.__name__
    ]


def declared_names(module: types.ModuleType) -> list[str]:
    """Return the names of the strategies and bots that a module declares."""
    return [strategy.name for strategy in strategies_in(module)] + list(getattr(module, "__spadesim_bots__", {}))


def find_strategies(files: Iterable[str] = ()) -> Registry:
    """Return the bundled strategies, those of installed packages, and those of the given files.

    Raises
    ------
    UsageError
        When a file is missing, fails to run or declares no strategy.
    """
    registry = Registry()
    package = importlib.import_module(BUNDLED)
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        registry.add_module(importlib.import_module(f"{BUNDLED}.{module.name}"))
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        registry.add_module(_import_entry_point(point))
    for file in files:
        if not registry.add_module(loading.load_file(file)):
            raise StrategyError(f"{file} declares no strategy; expected functions marked with @bidder or @player")
    return registry


def standing_field() -> tuple[str, ...]:
    """Return the bots of a league that names none."""
    return tuple(importlib.import_module(BUNDLED).STANDING_FIELD)


def _import_entry_point(point: EntryPoint) -> types.ModuleType:
    try:
        return importlib.import_module(point.module)
    except Exception as error:
        raise StrategyError(
            f"the installed strategies {point.value!r} cannot be imported: {type(error).__name__}: {error}"
        ) from error


def show_value(value: Any) -> str:
    """Return a parameter's value as a bot's name has it."""
    return (
        str(value).lower() if isinstance(value, bool) else str(value).replace("e+", "e")
    )  # a plus would end the bidder
