"""Write a report down: as one HTML file that needs nothing beside it, or as Markdown."""

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from spadesim.designs.section import Picture
from spadesim.errors import count_of
from spadesim.plots.drawing import INK, WIDTH, to_svg
from spadesim.report.material import Material
from spadesim.report.svg import inline, natural_width
from spadesim.report.text import for_people

ROWS_OPEN = 20  # longer tables are folded away
ROWS_MOST = 2_000  # of a longer table the first are shown, so that a page stays small
POINTS_AN_INCH = 72
MARKDOWN = r"[\\`*<>\[\]|]|(?<!\w)[_#]|_(?!\w)"  # what means something there


@dataclass(frozen=True)
class Table:
    """A table as it is shown: words in cells, for each column whether it holds numbers, and how many rows there are."""

    name: str
    columns: list[tuple[str, bool]]
    rows: list[list[str]]
    length: int

    @property
    def is_long(self) -> bool:
        """Return whether it is too long to stand open."""
        return self.length > ROWS_OPEN

    @property
    def size(self) -> str:
        """Return how many rows are shown."""
        rows = count_of(self.length, "row")
        return rows if len(self.rows) == self.length else f"the first {len(self.rows):,} of {rows}"


def to_html(material: Material) -> str:
    """Write a report as a page."""
    script = _file("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    words = {"style": Markup(_file("page.css")), "script": Markup(script), "script_digest": digest}
    return _environment().get_template("page.html").render(_words(material) | words)


def to_markdown(material: Material) -> str:
    """Write a report as Markdown: its sentences and short tables."""
    return _environment().get_template("page.md").render(_words(material))


def _words(material: Material) -> dict[str, Any]:
    """Name each section by its title, and by a number, for tables may have any names."""
    names = [re.sub(r"[^a-z]+", "-", section.title.lower()) for section in material.sections]
    named = [
        (f"{name}-{i}", section) for i, (name, section) in enumerate(zip(names, material.sections, strict=True), 1)
    ]
    return {"material": material, "sections": named}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("spadesim.report"), autoescape=select_autoescape(["html"]), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"svg": _svg, "table": _table, "breakable": _breakable, "md": _escape}
    return environment


def _file(name: str) -> str:
    return resources.files("spadesim.report").joinpath("templates", name).read_text(encoding="utf-8")


def _svg(picture: Picture, name: str) -> dict[str, Any]:
    """Draw a picture; tell how wide it is, in points, and whether it is too wide for a small screen."""
    svg = to_svg(picture.figure, name)
    width = natural_width(svg)
    drawing = Markup(inline(svg, name, picture.title, picture.description, INK))
    return {"drawing": drawing, "width": round(width), "is_wide": width > WIDTH * POINTS_AN_INCH + 1}


def _table(frame: pd.DataFrame, name: str) -> Table:
    shown = for_people(frame.head(ROWS_MOST))
    numbers = [column.startswith("± ") or frame[column].dtype.kind in "fiu" for column in shown.columns]
    return Table(name, list(zip(shown.columns, numbers, strict=True)), shown.to_numpy().tolist(), len(frame))


def _breakable(name: str) -> Markup:
    """Let a long name break where its parts meet."""
    return Markup("<wbr>").join(re.split(r"(?<=[_+:])", name))


def _escape(text: str) -> str:
    """Let a text stand in Markdown as it is, on one line."""
    return re.sub(MARKDOWN, r"\\\g<0>", " ".join(str(text).split()))
