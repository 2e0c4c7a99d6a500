"""Check what a user sets, on the command line or in an experiment file, and say in one line what does not fit."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from spadesim.errors import UsageError, expected, nearest
from spadesim.leagues import LeagueSpec
from spadesim.presets import read_rules


def check_spec(values: Mapping[str, Any], source: str = "") -> LeagueSpec:
    """Make the spec of a league.

    Parameters
    ----------
    source
        Where the values stand, for the message.

    Raises
    ------
    UsageError
        When a key is unknown, of the wrong type or out of range; the message names it, its value and what was expected.
    """
    try:
        return LeagueSpec.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{source + ': ' if source else ''}{_one_line(first)}") from None


def read_experiment(path: str) -> LeagueSpec:
    """Read a league from a TOML file: the names of the command's options as keys, `bots` as a list.

    Raises
    ------
    UsageError
        When the file is missing, is no TOML, or says something that `check_spec` refuses.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read the experiment file {path!r}: {error.strerror}; expected a TOML file") from None
    except UnicodeDecodeError:
        raise UsageError(f"the experiment file {path!r} is not UTF-8 text; expected a TOML file") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
    values.pop("question", None)  # what the experiment asks, for people
    changes = values.pop("set", [])
    if not isinstance(changes, list) or not all(isinstance(each, str) for each in changes):
        raise UsageError(f"{path}: set is {changes!r}; expected a list of rules, as in ['nil=50']")
    spec = check_spec({key.replace("-", "_"): value for key, value in values.items()}, path)
    beside = tuple(str(file.parent / each) for each in spec.load)
    rules = spec.rules
    if rules.partition(":")[0].endswith(".toml"):
        rules = str(file.parent / rules)
    rules = ":".join([rules, *changes])
    try:
        read_rules(rules)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return spec.model_copy(update={"load": beside, "rules": rules})


def _one_line(error: Any) -> str:
    name = ".".join(map(str, error["loc"])).replace("_", "-")
    if error["type"] == "extra_forbidden":
        hint = nearest(name, [field.replace("_", "-") for field in LeagueSpec.model_fields])
        return f"unknown key {name!r}{hint or '; expected one of ' + ', '.join(LeagueSpec.model_fields)}"
    return f"{name} is {error['input']!r}; {expected(error)}"
