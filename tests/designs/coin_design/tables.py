"""The figures of coins."""

import pandas as pd


def sides(heads: int, coins: int) -> pd.DataFrame:
    """Make the table of a row a side."""
    fell = [heads, coins - heads]
    return pd.DataFrame({"side": ["heads", "tails"], "coins": fell, "share": [number / coins for number in fell]})
