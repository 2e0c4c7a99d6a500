"""Experiments in TOML files, those of the user and those that are bundled."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from spadesim.designs import design_of
from spadesim.designs.experiment import check_values
from spadesim.errors import UsageError, nearest
from spadesim.rules import read_rules


def read_experiment(path: str, instead: Mapping[str, Any] | None = None) -> Any:
    """Read an experiment from a TOML file: its fields as keys, with dashes, and `set`, changes of the rules.

    Parameters
    ----------
    path
        A file, or the name of a bundled experiment.
    instead
        Values that go before those of the file.

    Raises
    ------
    UsageError
        When the file is missing, is no TOML, or has a value that `experiment.check_values` refuses.
    """
    path = _place_of(path)
    values = _read_toml(path)
    values.pop("question", None)  # what the experiment asks, for people
    design = design_of(values)
    for name in instead or {}:
        if name not in design.spec.model_fields:
            raise UsageError(f"--{name} does not go with {path}, for a {design.name} has none; leave it out")
    changes = values.pop("set", [])
    if not isinstance(changes, list) or not all(isinstance(change, str) for change in changes):
        raise UsageError(f"{path}: set is {changes!r}; expected a list of rules, as in ['nil=50']")
    given = {key.replace("-", "_"): value for key, value in values.items()} | dict(instead or {})
    spec = check_values(design.spec, given, path).beside(Path(path).parent)
    rules = ":".join([spec.rules, *changes])
    try:
        read_rules(rules)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return spec.model_copy(update={"rules": rules})


def list_experiments() -> list[dict[str, str]]:
    """List the bundled experiments: file and question."""
    folder = resources.files("spadesim.experiments")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return [
        {"file": str(file), "question": tomllib.loads(file.read_text(encoding="utf-8")).get("question", "")}
        for file in files
    ]


def bundled_experiments() -> dict[str, str]:
    """Return the files of the bundled experiments by name."""
    return {Path(row["file"]).stem: row["file"] for row in list_experiments()}


def _place_of(path: str) -> str:
    """Return the file of a bundled experiment for its name, or for its path among them; any other path as it is."""
    if Path(path).exists() or path not in (Path(path).stem, f"experiments/{Path(path).name}"):
        return path
    return bundled_experiments().get(Path(path).stem, path)


def _read_toml(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        hint = nearest(Path(path).stem, bundled_experiments()) or "; spadesim run --list shows the bundled experiments"
        why = f"cannot read the experiment file {path!r}: {error.strerror}"
        raise UsageError(f"{why}; expected a TOML file{hint}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the experiment file {path!r} is not UTF-8 text; expected a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
