"""Tables as text, for people and for programs."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

DECIMALS = {"mean_score": 1, "points_per_deal": 2, "deals_per_game": 2, "points_per_nil": 1, "mean_margin": 1}
DECIMALS |= {"points_per_deal_difference": 2, "relative_efficiency": 2, "rating": 1, "standard_error": 2}
DECIMALS |= {"penalty_points_per_game": 1, "mean_bid": 3, "mean_taken": 3}
DECIMALS |= dict.fromkeys(
    "points points_gain points_regret points_naive points_bias nil_regret missed_regret".split(), 2
)
DECIMALS |= {"points_without_nil": 1, "mean_over": 3}
DECIMALS_ELSE = 4
WORDS = ("bot", "other", "setting", "parameter", "of")  # columns set to the left


def frames_as_text(tables: "dict[str, pd.DataFrame]", names: Sequence[str], form: str) -> str:
    """Write tables for a person, or one as CSV or JSON for a program."""
    if form == "table":
        return "\n\n".join(f"{name}\n{_as_text(tables[name])}" for name in names)
    frame = tables[names[0]]
    if form == "csv":
        return frame.to_csv(index=False).rstrip("\n")
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return json.dumps(rows, ensure_ascii=False, default=lambda number: number.item())


def rows_as_text(rows: Sequence[dict[str, Any]], form: str) -> str:
    """Write rows of plain values in one of the three formats."""
    import pandas as pd

    if form == "json":
        return json.dumps(list(rows), ensure_ascii=False)
    frame = pd.DataFrame(rows, dtype=object)  # so that whole numbers stay whole beside a gap
    if form == "table":
        frame = frame.where(frame.notna(), "-")
    return frame.to_csv(index=False).rstrip("\n") if form == "csv" else _align(frame, left=frame.columns)


def for_people(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Round, and put each interval behind its value as half its width, in a column named ``± value``.

    Returns
    -------
    DataFrame
        Of words, "-" where there is nothing.
    """
    import pandas as pd

    shown = {}
    for name in frame.columns:
        if str(name).endswith(("_low", "_high")):
            continue
        decimals = DECIMALS.get(name, DECIMALS_ELSE)
        if f"{name}_low" in frame:
            half = (frame[f"{name}_high"] - frame[f"{name}_low"]) / 2
            shown[name] = [_number(value, decimals) for value in frame[name]]
            shown[f"± {name}"] = [_number(value, decimals) for value in half]
        elif frame[name].dtype.kind == "f":
            shown[name] = [_number(value, decimals) for value in frame[name]]
        elif frame[name].dtype.kind in "iu":
            shown[name] = [f"{value:,}" for value in frame[name]]
        else:
            shown[name] = list(frame[name].astype(object).where(frame[name].notna(), "-").map(str))
    return pd.DataFrame(shown)


def _as_text(frame: "pd.DataFrame") -> str:
    out = for_people(frame)
    return _align(out.rename(columns=lambda name: "±" if name.startswith("± ") else name), left=WORDS)


def _number(value: float, decimals: int) -> str:
    return "-" if value != value else f"{value:.{decimals}f}"


def _align(frame: "pd.DataFrame", left: Iterable[str]) -> str:
    """Set columns in a row, words to the left and numbers to the right."""
    columns = [[str(name), *map(str, frame.iloc[:, i])] for i, name in enumerate(frame.columns)]
    widths = [max(map(len, column)) for column in columns]
    sides = ["<" if name in set(left) else ">" for name in frame.columns]
    lines = zip(*columns, strict=True)
    return "\n".join(
        "  ".join(f"{text:{side}{width}}" for text, side, width in zip(line, sides, widths, strict=True)).rstrip()
        for line in lines
    )
