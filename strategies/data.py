"""The numbers that strategies were fitted to, a TOML file a fit, beside the file that uses them."""

import tomllib
from pathlib import Path


def read(name: str) -> dict:
    """Read what an experiment has fitted; the file says which one, and from which seed."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
