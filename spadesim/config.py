"""Check what a user sets, on the command line or in an experiment file, and say in one line what does not fit."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from spadesim.errors import UsageError, expected, nearest
from spadesim.leagues import CompareSpec, LeagueSpec
from spadesim.presets import read_rules

ONLY_IN_FILES = ("question", "set", "compare", "against")
COMPARES = CompareSpec.model_fields.keys() - LeagueSpec.model_fields.keys()


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
    model = CompareSpec if values.keys() & COMPARES else LeagueSpec
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{source + ': ' if source else ''}{_one_line(first)}") from None


def read_experiment(path: str, instead: Mapping[str, Any] | None = None) -> LeagueSpec:
    """Read a league from a TOML file: the names of the command's options as keys, `bots` as a list.

    A comparison has the keys `compare`, a list of two bots, and `against` in place of `bots`.

    Parameters
    ----------
    instead
        Values that go before those of the file.

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
    if "compare" in values:
        values = _comparison(values, path)
    spec = check_spec({key.replace("-", "_"): value for key, value in values.items()} | dict(instead or {}), path)
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


def _comparison(values: dict[str, Any], path: str) -> dict[str, Any]:
    two, against = values.pop("compare"), values.pop("against", [])
    if "bots" in values:
        raise UsageError(f"{path}: bots stand beside compare; expected the others in against")
    if not isinstance(two, list) or len(two) != 2 or not isinstance(against, list):
        raise UsageError(
            f"{path}: compare is {two!r}, against {against!r}; expected a list of two bots and one of others"
        )
    return {"delta": CompareSpec.model_fields["delta"].default} | values | {"bots": [*two, *against]}


def list_experiments() -> list[dict[str, str]]:
    """List the experiments that come along: file and question."""
    folder = resources.files("spadesim.experiments")
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return [
        {"file": str(each), "question": tomllib.loads(each.read_text(encoding="utf-8")).get("question", "")}
        for each in files
    ]


def _one_line(error: Any) -> str:
    name = ".".join(map(str, error["loc"])).replace("_", "-")
    if error["type"] == "extra_forbidden":
        known = [field.replace("_", "-") for field in [*CompareSpec.model_fields, *ONLY_IN_FILES]]
        return f"unknown key {name!r}{nearest(name, known) or '; expected one of ' + ', '.join(known)}"
    return f"{name} is {error['input']!r}; {expected(error)}"
