"""A comparison's part of a report: the verdict, then the sections of a league."""

import pandas as pd

from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.league import sections as of_league
from spadesim.designs.league.sections import opening
from spadesim.designs.phrases import difference_in_words, percent
from spadesim.designs.section import Section, StoredRun

__all__ = ["opening", "sections", "title"]


def title(run: StoredRun) -> str:
    """Return what was compared."""
    first, second, *_ = run.manifest["bots"]
    return f"{first} or {second}"


def sections(run: StoredRun) -> list[Section]:
    """Make all sections."""
    spec, frame = run.result.spec, run.result.table("comparison")
    assert isinstance(spec, CompareSpec)
    text = "The bounds hold at every look; a comparison ends at the first look that decides."
    verdict = Section("Comparison", finding(frame, spec.delta), text, tables={"comparison": frame})
    return [verdict, *of_league.sections(run)]


def finding(frame: pd.DataFrame, delta: float) -> str:
    """Return in words which of two bots is better.

    Parameters
    ----------
    delta
        The smallest difference of win shares that matters.
    """
    row = frame.iloc[0]
    first, second, verdict = row["first"], row["second"], row["verdict"]
    if verdict == "level":
        said = f"{first} and {second} are level: neither wins {100 * delta:g} in a hundred games more than the other."
    elif verdict == "undecided":
        said = f"Whether {first} or {second} is better is undecided."
    else:
        said = f"{verdict} is better than {second if verdict == first else first}."
    return (
        f"{said} They won {percent(row['win_share_first'])} and {percent(row['win_share_second'])} of"
        f" {row['games_each']:,} games each, a difference of {difference_in_words(row, 'difference')}."
    )
