"""The figures of a sweep: each setting beside the defaults, on the same deals."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from spadesim.bots.strategy import plain_value
from spadesim.bots.sweeping import HALVES, swept_parameters
from spadesim.designs.league.result import League
from spadesim.designs.sweep.spec import SweepSpec
from spadesim.rules.settings import split_settings
from spadesim.stats import intervals
from spadesim.stats.columns import difference_columns, mean_columns, share_columns
from spadesim.stats.sums import Sums

Writer = Callable[[str, Sums, int], dict[str, np.ndarray]]
RESULTS: dict[str, Writer] = {
    "win_share": share_columns,
    "points_per_deal": mean_columns,
}  # rate: what writes it with its interval
BIDS: dict[str, Writer] = {
    "set_rate": share_columns,
    "bags_per_deal": mean_columns,
    "nil_rate": share_columns,
    "nil_success": share_columns,
}


def sweep_tables(result: League, spec: SweepSpec) -> dict[str, pd.DataFrame]:
    """Make the tables of a row a setting, the defaults first (docs/TABLES.md has their columns)."""
    return {"sweep": _table(result, spec, RESULTS), "sweep_bids": _table(result, spec, BIDS)}


def _table(result: League, spec: SweepSpec, rates: dict[str, Writer]) -> pd.DataFrame:
    tally = result.tally
    n = len(result.bots) - spec.others
    columns = {"setting": result.bots[:n]} | _parameters(spec.sweep, result.bots[:n])
    columns |= {"default": np.arange(n) == 0, "games": tally.games[:n]}
    for name, write in rates.items():
        columns |= {column: values[:n] for column, values in write(name, tally.rates[name], tally.units).items()}
        columns |= _against_default(*tally.by_group[name], name, n, tally.units)
    return pd.DataFrame(columns)


def best_in_words(table: pd.DataFrame) -> str:
    """Return which setting won most, and what that is worth: it was chosen for being the best."""
    best = table.to_dict("records")[int(table["win_share"].to_numpy().argmax())]
    if best["default"]:
        return f"no setting won more than the defaults ({best['win_share']:.4f})"
    half = (best["win_share_difference_high"] - best["win_share_difference_low"]) / 2
    return (
        f"{best['setting']} won most: {best['win_share_difference']:+.4f} ± {half:.4f} to the defaults; it was chosen"
        f" out of {len(table)} for that, so expect less of it on other deals (compare the two with another --seed)"
    )


def _parameters(sweep: str, bots: list[str]) -> dict[str, list[Any]]:
    """Return the value of every swept parameter for each setting."""
    swept = swept_parameters(sweep)
    values = [[split_settings(part.split(":")[1:], bot, "") for part in bot.split("#")[0].split("+")] for bot in bots]
    return {f"{HALVES[half]}_{name}": [plain_value(value[half][name]) for value in values] for half, name in swept}


def _against_default(n: np.ndarray, d: np.ndarray, name: str, settings: int, units: int) -> dict[str, np.ndarray]:
    """Return every setting's rate less the defaults', with its interval over the same blocks."""
    all_settings, default = np.arange(settings), np.zeros(settings, int)
    found, errors = intervals.differences(n, d, all_settings, default)
    columns = difference_columns(f"{name}_difference", found, errors, units)
    if name == "win_share":
        alone = intervals.standard_error(Sums.over(n[:, :settings], d[:, :settings]), units) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            saved = np.where(errors > 0, (alone + alone[0]) / errors**2, np.nan)
        p_values = intervals.p_values(found, errors, units)[1:]
        columns |= {"p_holm": np.append(np.nan, intervals.holm(p_values)), "relative_efficiency": saved}
    return columns
