"""How figures look, and what plots are made of: rows, panels, dots with intervals, cells.

Backgrounds are transparent, and all colours stand out from white and from nearly black pages, for the colour-blind
too, so a figure fits any notebook. Figures are made without pyplot: there is nothing to close, and no window opens.
"""

import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

if TYPE_CHECKING:
    import pandas as pd

Numbers = npt.NDArray[Any]

INK = "#757575"  # of all words and lines; a page may replace it by its own colour
BLUE, RED, GREEN, PURPLE, OCHRE, TEAL = COLOURS = ("#3d7fc1", "#d55e00", "#0f9468", "#a860a0", "#a67c00", "#2a8fa3")
MARKERS = "osD^vP"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans"],  # bundled with matplotlib, so a figure has the same layout everywhere
    "font.size": 9.5,
    "axes.titlesize": 9.5,
    "figure.titlesize": 11,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,
    **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], INK),
}
WIDTH = 5.6  # inches; a page 400 pixels wide shows that without scrolling
ROW, AROUND = 0.27, 1.2  # inches for a row, and for what is above and below all rows
PANELS_A_ROW, PANEL_HEIGHT = 3, 1.5
NAME_LENGTH, NAME_END = 24, 8  # letters that a name is cut to, and how many of them are from its end


class Plot(Figure):
    """A figure that a notebook shows as SVG, with or without pyplot."""

    def _repr_svg_(self) -> str:
        return to_svg(self, "notebook")


def to_svg(figure: Figure, salt: str) -> str:
    """Return a figure as SVG, which is the same to the byte each time the figure is made.

    Parameters
    ----------
    salt
        The text from which the names of its parts are made.
    """
    file = io.StringIO()
    with _our_style({"svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # there are other fonts where the drawing is shown
        figure.savefig(file, format="svg", metadata=dict.fromkeys(["Creator", "Date", "Format", "Type"]))
    return file.getvalue()


def styled(plot: Callable[..., Plot]) -> Callable[..., Plot]:
    """Return a plot's function, made to draw in our style whatever a notebook has set."""

    @wraps(plot)
    def in_style(*arguments: Any, **named: Any) -> Plot:
        with _our_style({}):
            return plot(*arguments, **named)

    return in_style


@contextmanager
def _our_style(more: dict[Any, Any]) -> Iterator[None]:
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE | more)
        yield


def rows_of_bots(names: Iterable[str], title: str, unit: str, lines: int = 1) -> tuple[Plot, Axes]:
    """Return a figure with a row for each bot, the first on top, and its axes.

    Parameters
    ----------
    names
        Bots, each as often as in a frame.
    unit
        What the horizontal axis shows, and in which unit.
    lines
        How many dots are below one another in a row.
    """
    bots = list(dict.fromkeys(names))
    height = AROUND + ROW * len(bots) * (1 + 0.4 * (lines - 1)) + 0.2 * (lines > 1)
    figure = Plot(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_yticks(range(len(bots)), numbered(bots))
    axes.set_ylim(len(bots) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=INK, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(unit)
    figure.suptitle(title)
    return figure, axes


def panels_of_bots(names: Iterable[str], title: str, x: str, y: str) -> tuple[Plot, list[Axes]]:
    """Return a figure with a panel for each bot, all with the same axes, and the panels; see `rows_of_bots`."""
    bots = list(dict.fromkeys(names))
    across = min(len(bots), PANELS_A_ROW)
    down = -(-len(bots) // across)
    figure = Plot(figsize=(WIDTH, 0.9 + PANEL_HEIGHT * down), layout="constrained")
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, label in zip(panels, numbered(bots), strict=False):
        axes.set_title(label, fontsize=7.5, loc="left")
        axes.tick_params(labelsize=8, labelbottom=True)
    for axes in panels[len(bots) :]:
        axes.remove()
    figure.suptitle(title)
    figure.supxlabel(x, fontsize=9.5)
    figure.supylabel(y, fontsize=9.5)
    return figure, list(panels[: len(bots)])


def dots(axes: Axes, at: Numbers, values: npt.ArrayLike, reach: Numbers | None, kind: int = 0, label: str = "") -> None:
    """Draw points with their intervals.

    Parameters
    ----------
    at
        Rows, shape (n,); they may be between whole numbers.
    values
        Shape (n,); NaN is left out.
    reach
        How far each interval reaches to the left and to the right, shape (2, n), not below 0.
    kind
        0 … 5, the number of the colour and mark.
    """
    axes.errorbar(
        values, at, xerr=reach, color=COLOURS[kind], marker=MARKERS[kind], markersize=5, linestyle="none",
        elinewidth=1.6, capsize=2.5, label=label,
    )  # fmt: skip


def reach(
    frame: "pd.DataFrame | Mapping[str, pd.Series[float]]", name: str, times: float = 1.0
) -> npt.NDArray[np.float64]:
    """Return how far intervals reach to the left and to the right, shape (2, n); 0 where there is none.

    Parameters
    ----------
    frame
        With columns `name`, ``name_low`` and ``name_high``.
    times
        The factor by which they are multiplied.
    """
    below, above = frame[name] - frame[f"{name}_low"], frame[f"{name}_high"] - frame[name]
    return np.maximum(np.nan_to_num(np.array([below, above]) * times), 0)


def side_by_side(frame: "pd.DataFrame", name: str) -> "Iterator[tuple[int, Numbers, pd.DataFrame]]":
    """Yield each value of a column with the places of its dots, row by row, and its part of the frame."""
    rows = {bot: row for row, bot in enumerate(dict.fromkeys(frame["bot"]))}
    kinds = sorted(frame[name].unique().tolist())
    for i, kind in enumerate(kinds):
        own = frame[frame[name] == kind]
        yield kind, own["bot"].map(rows).to_numpy() + 0.6 * ((i + 0.5) / len(kinds) - 0.5), own


def cells(axes: Axes, columns: Numbers, rows: Numbers, colours: Sequence[Any]) -> None:
    """Draw squares of side 1 around points, each in a colour of its own."""
    squares = [Rectangle((x - 0.5, y - 0.5), 1, 1) for x, y in zip(columns, rows, strict=True)]
    axes.add_collection(PatchCollection(squares, facecolors=colours, edgecolors="none"))


def write_to_the_right(axes: Axes, texts: Sequence[str]) -> None:
    """Write something to the right of each row."""
    right = axes.twinx()
    right.set_ylim(axes.get_ylim())
    right.set_yticks(range(len(texts)), texts)
    right.tick_params(length=0)
    right.spines[:].set_visible(False)


def legend_below(figure: Figure, axes: Axes) -> None:
    """Put a legend of the kinds of dots below a figure."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)


def whole_numbers(*axes: Axis) -> None:
    """Put ticks at whole numbers only."""
    for axis in axes:
        axis.set_major_locator(MaxNLocator(integer=True, nbins=6))


def numbered(bots: Iterable[str]) -> list[str]:
    """Return names of bots with their places from 1 on, so that names that are cut to the same stay different."""
    return [f"{number} {cut(bot)}" for number, bot in enumerate(bots, 1)]


def cut(name: str) -> str:
    """Return a name, cut in its middle if it is long; what no font can show becomes a mark."""
    name = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    if len(name) <= NAME_LENGTH:
        return name
    return f"{name[: NAME_LENGTH - NAME_END - 1]}…{name[-NAME_END:]}"
