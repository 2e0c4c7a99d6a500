"""Figures in sentences: shares, differences and p-values as words."""

from typing import Any

import pandas as pd


def share_in_words(row: "pd.Series[Any]", name: str) -> str:
    """Write a share in per cent with its interval, if it has one."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    interval = "" if pd.isna(low) else f" ({100 * low:.1f} … {percent(high)})"
    return f"{percent(row[name])}{interval}"


def difference_in_words(row: "pd.Series[Any]", name: str) -> str:
    """Write a difference of shares in percentage points, with its interval, if it has one."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    interval = "" if pd.isna(low) else f" ({100 * low:.2f} … {100 * high:.2f})"
    return f"{100 * row[name]:.2f} percentage points{interval}"


def percent(share: float) -> str:
    """Write a share in per cent."""
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def p_in_words(value: float) -> str:
    """Write a p-value behind its letter."""
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
