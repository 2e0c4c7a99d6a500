"""The fitted numbers of strategies: a TOML file per fit, beside the file that uses it."""

import tomllib
from pathlib import Path


def read(name: str) -> dict:
    """Return the numbers that an experiment has fitted; the file says which experiment, and from which seed."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
