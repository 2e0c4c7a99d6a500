"""What a design's part of a report is made of: sections with findings, pictures and tables."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.designs.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.plots.drawing import Plot  # with matplotlib, which takes long to import


@dataclass(frozen=True)
class StoredRun:
    """A run in a folder, read again.

    Attributes
    ----------
    place : Path
    manifest : dict
        See docs/TABLES.md, "A run's folder".
    result : Result
        Its tables, made anew where they can be.
    """

    place: Path
    manifest: dict[str, Any]
    result: Result


@dataclass(frozen=True)
class Picture:
    """A plot, what is said to those who do not see it, and how to read it."""

    figure: "Plot"
    description: str
    caption: str

    @property
    def title(self) -> str:
        """The words above the plot."""
        return self.figure.get_suptitle()


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes
    ----------
    finding
        What the figures say, for the summary.
    text
        What else is to be said.
    pictures, tables, texts
        What is shown; tables by name, texts by title.
    """

    title: str
    finding: str = ""
    text: str = ""
    pictures: list[Picture] = field(default_factory=list)
    tables: "dict[str, pd.DataFrame]" = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def drawn(cls, title: str, finding: str, picture: Picture, tables: "dict[str, pd.DataFrame]") -> "Section":
        """Make a section of one plot, whose alternative text is how it looks and what it says."""
        described = Picture(picture.figure, f"{picture.description}. {finding}", picture.caption)
        return cls(title, finding, pictures=[described], tables=tables)
