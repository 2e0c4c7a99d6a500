"""The named rule sets, and how rules are read: a preset or a TOML file, with changes of single fields."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from spadesim.errors import UsageError, unknown
from spadesim.rules.model import FIELDS, Rules, from_values
from spadesim.rules.settings import split_settings

CUTTHROAT = Rules()

# By the number of players, the cards that are taken out of the pack so that it can be dealt evenly.
SOLO_REMOVED = {3: ("2C",), 4: (), 5: ("2C", "2D"), 6: ("2C", "3C", "2D", "3D")}
SOLO = replace(CUTTHROAT, min_bid=1, nil=0, opening_lead="left", spades_break="played", set_points=0)
PAGAT = replace(
    CUTTHROAT, removed=(), set_aside=1, nil=0, opening_lead="lowest_club", spades_break="won", overtrick=-10,
    bag_limit=None, bag_penalty=0, target=300,
)  # fmt: skip
HOUSE = replace(CUTTHROAT, failed_nil_bags=False, bag_reset="zero", renege="bid_fails")

PRESET_RULES = {
    "cutthroat": CUTTHROAT,
    **{f"solo-{n}": replace(SOLO, players=n, removed=removed) for n, removed in SOLO_REMOVED.items()},
    "pagat": PAGAT,
    "pagat-bags": replace(PAGAT, overtrick=1, bag_limit=10, bag_penalty=100),
    "pagat-jokers": replace(PAGAT, jokers=2, set_aside=0),
    "dummy-hand": replace(CUTTHROAT, dummy=True, removed=(), opening_lead="left", target=500),
    "partnership": replace(
        CUTTHROAT, partnerships="opposite", players=4, removed=(), opening_lead="left", target=500, floor=-200
    ),
    "house": HOUSE,
    "house-500": replace(HOUSE, target=500),
    "house-nil-50": replace(HOUSE, nil=50),
    "house-no-bags": replace(HOUSE, bag_limit=None, bag_penalty=0),
    "house-min-1": replace(HOUSE, min_bid=1, nil=0),
    "house-blind-nil": replace(HOUSE, blind_nil=200),
    "house-4": replace(HOUSE, players=4, removed=()),
    "duel": replace(CUTTHROAT, players=2, set_aside=17),
}
PRESETS = {name: replace(rules, name=name) for name, rules in PRESET_RULES.items()}


def read_rules(text: str, changes: Sequence[str] = ()) -> Rules:
    """Return the rules that a text names.

    Parameters
    ----------
    text
        A preset or the path of a TOML file, and after colons fields that are changed: ``"cutthroat:nil=50"``.
    changes
        More such fields: ``["target=500"]``.

    Returns
    -------
    Rules
        Their `name` is the whole text, and so gives the same rules again.

    Raises
    ------
    UsageError
        When there is no such preset, file or field, a value does not fit, or fields contradict one another.
    """
    base, *inside = text.split(":")
    settings = [*inside, *changes]
    if base.endswith(".toml"):
        rules = _read_file(base)
    elif base in PRESETS:
        rules = PRESETS[base]
    else:
        raise unknown("rules preset", base, PRESETS, "spadesim rules lists all; a file's name ends in .toml")
    if not settings:
        return rules
    whole = ":".join([base, *settings])
    values = split_settings(settings, whole, "field=value, as in 'cutthroat:nil=50'")
    return from_values(whole, {field: _read_value(value) for field, value in values.items()}, rules)


def as_rules(rules: Rules | str | None) -> Rules:
    """Return rules as they are, those that a text names (see `read_rules`), or `cutthroat` if none are given."""
    return read_rules(rules) if isinstance(rules, str) else rules or CUTTHROAT


def _read_file(path: str) -> Rules:
    """Return the rules of a TOML file; fields that it does not have are as in `cutthroat`."""
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            f"cannot read the rules file {path!r}: {error.strerror}; `spadesim rules cutthroat > {path}` writes one"
        ) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"the rules file {path!r} is not TOML: {error}") from None
    try:
        return from_values(path, values)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _read_value(text: str) -> Any:
    """Return a value as TOML reads it, or as plain text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def differences(rules: Rules) -> str:
    """Return the fields in which rules differ from `cutthroat`, as they would be set."""
    changed = [field for field in FIELDS if getattr(rules, field) != getattr(CUTTHROAT, field)]
    return " ".join(f"{field}={_show(getattr(rules, field))}" for field in changed)


def _show(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
