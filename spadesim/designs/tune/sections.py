"""A search's part of a report."""

import pandas as pd

from spadesim.designs.phrases import difference_in_words, share_in_words
from spadesim.designs.section import Picture, Section, StoredRun
from spadesim.plots import charts


def title(run: StoredRun) -> str:
    """Return what was tuned."""
    return f"A search for better parameters: {run.manifest['spec']['tune']}"


def sections(run: StoredRun) -> list[Section]:
    """Show what a search has found, and how it went."""
    tables = run.result.tables
    if "tuned" not in tables:
        return []
    reading = "Each generation plays on deals of its own. The best of many samples owes much to luck; the middle less."
    picture = Picture(charts.search(tables["search"]), "Two lines over the generations", reading)
    shown = {name: tables[name] for name in ("tuned", "parameters")}
    return [Section.drawn("The tuned bot", finding(tables["tuned"]), picture, shown)]


def finding(frame: pd.DataFrame) -> str:
    """Return in words what the tuned bot is worth on unseen deals, and what the search had promised."""
    _, found, best = (row for _, row in frame.iterrows())
    return (
        f"The tuned bot wins {share_in_words(found, 'win_share')} of its games on deals that the search has not seen,"
        f" {difference_in_words(found, 'difference')} more than the defaults. The best of all samples looked like"
        f" {100 * best['seen_difference']:+.2f} in the search and comes to {100 * best['difference']:+.2f}."
    )
