"""A sweep's part of a report: the settings, then the sections of a league."""

import pandas as pd

from spadesim.designs.league import sections as of_league
from spadesim.designs.league.sections import opening
from spadesim.designs.phrases import difference_in_words, p_in_words, share_in_words
from spadesim.designs.section import Picture, Section, StoredRun
from spadesim.errors import count_of
from spadesim.plots import charts

__all__ = ["opening", "sections", "title"]


def title(run: StoredRun) -> str:
    """Return what was swept."""
    return f"A sweep of {run.manifest['spec']['sweep']}"


def sections(run: StoredRun) -> list[Section]:
    """Make all sections."""
    return [settings(run), *of_league.sections(run)]


def settings(run: StoredRun) -> Section:
    """Compare the settings with the defaults."""
    frame = run.result.table("sweep")
    tables = {name: run.result.table(name) for name in ("sweep", "sweep_bids")}
    reading = "All settings play in the same seats, on the same deals; right of the dotted line they win more."
    if frame["default"].all():
        return Section("Settings", finding(frame), tables=tables)
    return Section.drawn("Settings", finding(frame), Picture(charts.sweep(frame), "A row a setting", reading), tables)


def finding(frame: pd.DataFrame) -> str:
    """Return in words which setting won most, and that it was chosen for that."""
    best = frame.iloc[frame["win_share"].argmax()]
    if best["default"]:
        return f"No setting won more than the defaults, {share_in_words(best, 'win_share')} of the games."
    return (
        f"{best['setting']} won most: {difference_in_words(best, 'win_share_difference')} more than the defaults"
        f" (p {p_in_words(best['p_holm'])}, adjusted for the number of settings). It was chosen out of"
        f" {count_of(len(frame), 'setting')} for that, so expect less of it on other deals."
    )
