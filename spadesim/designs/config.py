"""Check what a user sets, on the command line or in an experiment file, and say in one line what does not fit."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from spadesim.designs.kinds import KINDS, Experiment, kind_of
from spadesim.errors import UsageError, expected, nearest
from spadesim.rules import read_rules

IN_EVERY_FILE = ("question", "set")


def check_spec(values: Mapping[str, Any], source: str = "") -> Any:
    """Make the spec of an experiment: a league, or of the kind that one of the keys tells (see `kinds`).

    Parameters
    ----------
    source
        Where the values stand, for the message.

    Raises
    ------
    UsageError
        When a key is unknown, of the wrong type or out of range; the message names it, its value and what was expected.
    """
    kind, where = kind_of(values), f"{source}: " if source else ""
    try:
        return kind.check(values)
    except ValidationError as error:
        raise UsageError(where + _one_line(error.errors()[0], kind.spec_type)) from None
    except UsageError as error:
        raise UsageError(f"{where}{error}") from None


def read_experiment(path: str, instead: Mapping[str, Any] | None = None) -> Any:
    """Read an experiment from a TOML file: its fields as keys, with dashes, and `set`, changes of the rules.

    Parameters
    ----------
    instead
        Values that go before those of the file.

    Raises
    ------
    UsageError
        When the file is missing, is no TOML, or says something that `check_spec` refuses.
    """
    path = _place_of(path)
    values = _read_toml(path)
    values.pop("question", None)  # what the experiment asks, for people
    kind = kind_of(values)
    for name in instead or {}:
        if name not in kind.spec_type.model_fields:
            raise UsageError(f"--{name} does not go with {path}, for a {kind.keys[0]} has none; leave it out")
    changes = values.pop("set", [])
    if not isinstance(changes, list) or not all(isinstance(each, str) for each in changes):
        raise UsageError(f"{path}: set is {changes!r}; expected a list of rules, as in ['nil=50']")
    spec = check_spec({key.replace("-", "_"): value for key, value in values.items()} | dict(instead or {}), path)
    spec = spec.beside(Path(path).parent)
    rules = ":".join([spec.rules, *changes])
    try:
        read_rules(rules)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return spec.model_copy(update={"rules": rules})


def _place_of(path: str) -> str:
    """Take the name of an experiment that comes along, or its path there, for its file."""
    if Path(path).exists() or path not in (Path(path).stem, f"experiments/{Path(path).name}"):
        return path
    files = {Path(each["file"]).stem: each["file"] for each in list_experiments()}
    return files.get(Path(path).stem, path)


def _read_toml(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        names = [Path(each["file"]).stem for each in list_experiments()]
        hint = nearest(Path(path).stem, names) or "; spadesim run --list shows those that come along"
        why = f"cannot read the experiment file {path!r}: {error.strerror}"
        raise UsageError(f"{why}; expected a TOML file{hint}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the experiment file {path!r} is not UTF-8 text; expected a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}") from None


def list_experiments() -> list[dict[str, str]]:
    """List the experiments that come along: file and question."""
    folder = resources.files("spadesim.experiments")
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return [
        {"file": str(each), "question": tomllib.loads(each.read_text(encoding="utf-8")).get("question", "")}
        for each in files
    ]


def _one_line(error: Any, model: type[Experiment]) -> str:
    name = ".".join(map(str, error["loc"])).replace("_", "-")
    if error["type"] == "extra_forbidden":
        tells = [key for kind in KINDS for key in kind.keys[:1]]
        if name in tells:
            own = next(key for kind in KINDS if kind.spec_type is model for key in kind.keys)
            return f"{name!r} stands beside {own!r}, but a file holds one experiment; expected one of them"
        fields = [field.replace("_", "-") for field in [*model.model_fields, *model.only_in_files]]
        known = list(dict.fromkeys([*fields, *tells, *IN_EVERY_FILE]))
        return f"unknown key {name!r}{nearest(name, known) or '; expected one of ' + ', '.join(known)}"
    return f"{name} is {error['input']!r}; {expected(error)}"
