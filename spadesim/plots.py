"""Figures of a league, by matplotlib: one function a plot, of the frame that it shows (docs/TABLES.md has the columns).

Bots stand in the order of the frame, each with its number there, and long names are cut in the middle. Backgrounds are
transparent and all colours can be told from a white and from a nearly black page, by the colour-blind too, so a figure
fits any notebook. Figures are made without pyplot: there is nothing to close, and no window opens.
"""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

if TYPE_CHECKING:
    import pandas as pd

INK = "#757575"  # of all words and lines; a page may put its own colour in its place
BLUE, RED, GREEN, PURPLE, OCHRE, TEAL = COLOURS = ("#3d7fc1", "#d55e00", "#0f9468", "#a860a0", "#a67c00", "#2a8fa3")
EVEN, ON_CELLS = "#f0f0f0", "#111111"  # a cell that leans to neither side, and words on cells
MARKERS = "osD^vP"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so a figure is laid out alike everywhere
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
WIDTH = 5.6  # inches; a page of 400 pixels shows that without scrolling
ROW, AROUND = 0.27, 1.2  # inches that a row takes, and what stands above and below all rows
NAME_LENGTH, NAME_END = 24, 8  # letters of a name that is cut, and how many of them are its end
PANELS_A_ROW, PANEL_HEIGHT = 3, 1.5
FAINTEST = 0.01  # of the darkest cell; what is fainter is left out
SETTINGS_SHOWN, HANDS_SHOWN = 30, 6
WORTH_A_MEAN = 0.005  # of a bot's deals must have a bid for its mean to be drawn


class Plot(Figure):
    """A figure that a notebook shows as SVG, with or without pyplot."""

    def _repr_svg_(self) -> str:
        return to_svg(self, "notebook")


def to_svg(figure: Figure, salt: str) -> str:
    """Draw a figure as SVG; of one made anew, the same to the byte each time.

    Parameters
    ----------
    salt
        What the names of its parts are made from.
    """
    file = io.StringIO()
    with mpl.rc_context(STYLE | {"svg.hashsalt": salt}):
        figure.savefig(file, format="svg", metadata=dict.fromkeys(["Creator", "Date", "Format", "Type"]))
    return file.getvalue()


def ranked(tables: "Mapping[str, pd.DataFrame]") -> "dict[str, pd.DataFrame]":
    """Put the rows of all tables into the order of the standings."""
    places = {bot: place for place, bot in enumerate(tables["standings"]["bot"])}

    def by_place(frame: "pd.DataFrame") -> "pd.DataFrame":
        names = [name for name in ("bot", "other") if name in frame]
        order = np.lexsort([frame[name].map(places).to_numpy() for name in reversed(names)]) if names else slice(None)
        return frame.iloc[order].reset_index(drop=True)

    return {name: frame if name == "ratings" else by_place(frame) for name, frame in tables.items()}


def _styled(plot: Callable[..., Figure]) -> Callable[..., Figure]:
    """Let a plot be made in our style, whatever a notebook has set."""

    @wraps(plot)
    def in_style(*arguments, **named) -> Figure:
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            return plot(*arguments, **named)

    return in_style


@_styled
def standings(frame: "pd.DataFrame") -> Figure:
    """Show the win share of each bot with its interval, of `standings`."""
    figure, axes = _rows(frame["bot"], "Games won by each bot, with 95 % intervals", "games won, %")
    half = (frame["win_share_high"] - frame["win_share_low"]) * 50
    _dots(axes, np.arange(len(frame)), 100 * frame["win_share"], _reach(frame, "win_share", 100))
    _to_the_right(axes, [_plus_minus(100 * x, d) for x, d in zip(frame["win_share"], half, strict=True)])
    axes.axvline(100 * frame["wins"].sum() / frame["games"].sum(), color=INK, linestyle=":", linewidth=1)
    return figure


@_styled
def head_to_head(frame: "pd.DataFrame") -> Figure:
    """Show how often the bot of the row ended ahead of that of the column, in %, of `head_to_head`."""
    bots = list(dict.fromkeys(frame["bot"]))
    place = {bot: i for i, bot in enumerate(bots)}
    rows, columns = (frame[name].map(place).to_numpy() for name in ("bot", "other"))
    share = frame["ahead_share"].to_numpy()
    side = max(0.3, min(0.4, 3.4 / len(bots)))
    figure = Plot(figsize=(max(WIDTH, 2.2 + side * len(bots)), 1.0 + side * len(bots)), layout="constrained")
    axes = figure.add_subplot()
    _cells(axes, columns, rows, [_leaning(each) for each in share])
    for row, column, each in zip(rows, columns, share, strict=True):
        axes.text(column, row, f"{100 * each:.0f}", ha="center", va="center", fontsize=8, color=ON_CELLS)
    axes.set(xlim=(-0.5, len(bots) - 0.5), ylim=(len(bots) - 0.5, -0.5))
    axes.set_xticks(range(len(bots)), [str(1 + i) for i in range(len(bots))])
    axes.set_yticks(range(len(bots)), _labels(bots))
    axes.set_xlabel("against the bot of this number")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.suptitle("Games ended ahead of the other, %")
    return figure


@_styled
def calibration(frame: "pd.DataFrame") -> Figure:
    """Show tricks taken against tricks bid, a map for each bot, of `calibration`.

    A cell is the darker the more of the bot's deals had this bid and these tricks. The line is the mean of the tricks
    for each bid that stood in half a per cent of the deals or more.
    """
    figure, panels = _panels(frame["bot"], "Tricks taken against tricks bid", "bid, tricks", "taken, tricks")
    top = int(frame[["bid", "taken"]].to_numpy().max())
    for axes, (_, own) in zip(panels, frame.groupby("bot", sort=False), strict=True):
        bid, taken, deals = (own[name].to_numpy() for name in ("bid", "taken", "deals"))
        strength = deals / deals.max()
        seen = strength >= FAINTEST
        _cells(axes, bid[seen], taken[seen], [to_rgba(BLUE, 0.9 * each) for each in strength[seen]])
        axes.axline((0, 0), slope=1, color=INK, linestyle=":", linewidth=1)
        of_bid = np.bincount(bid, deals, top + 1)
        means = np.bincount(bid, deals * taken, top + 1) / np.where(of_bid > 0, of_bid, np.nan)
        often = np.flatnonzero(of_bid >= WORTH_A_MEAN * deals.sum())
        axes.plot(often, means[often], color=RED, linewidth=1.2, marker="o", markersize=2.5)
        axes.set(xlim=(-0.6, _last(frame, "bid") + 0.6), ylim=(-0.6, _last(frame, "taken") + 0.6))
        _whole_numbers(axes.xaxis, axes.yaxis)
    return figure


@_styled
def bids(frame: "pd.DataFrame") -> Figure:
    """Show how often each number of tricks is bid and is taken, a panel a bot, of `calibration`."""
    figure, panels = _panels(frame["bot"], "Tricks bid and tricks taken", "tricks", "deals, %")
    top = max(_last(frame, "bid"), _last(frame, "taken"))
    for axes, (_, own) in zip(panels, frame.groupby("bot", sort=False), strict=True):
        bid, taken = (100 * np.bincount(own[name], own["deals"], top + 1)[: top + 1] for name in ("bid", "taken"))
        axes.bar(np.arange(top + 1), bid / own["deals"].sum(), 0.8, color=BLUE, alpha=0.75, label="bid")
        edges = np.arange(top + 2) - 0.5
        axes.stairs(taken / own["deals"].sum(), edges, color=RED, linewidth=1.3, label="taken")
        axes.set_xlim(-0.6, top + 0.6)
        _whole_numbers(axes.xaxis, axes.yaxis)
    panels[0].legend(fontsize=7.5, loc="upper right", handlelength=1)
    return figure


@_styled
def nils(frame: "pd.DataFrame") -> Figure:
    """Show how many nils of each bot succeed, with intervals and how many it bid, of `nils`."""
    figure, axes = _rows(frame["bot"], "Nils made by each bot, with 95 % intervals", "nils made, %")
    _dots(axes, np.arange(len(frame)), 100 * frame["nil_success"], _reach(frame, "nil_success", 100))
    counts = zip(frame["nil_made"], frame["nil_bids"], strict=True)
    _to_the_right(axes, [f"{made:,} of {bid:,}" if bid else "none bid" for made, bid in counts])
    axes.set_xlim(-2, 102)
    return figure


@_styled
def bags(frame: "pd.DataFrame") -> Figure:
    """Show what bag penalties cost each bot a game, with intervals, of `bags`."""
    title, unit = "What bag penalties cost each bot, with 95 % intervals", "bag penalties, points a game"
    figure, axes = _rows(frame["bot"], title, unit)
    some = frame["penalties_per_game"] > 0
    price = (frame["penalty_points_per_game"] / frame["penalties_per_game"].where(some)).fillna(0)
    costs = {f"cost{end}": -price * frame[f"penalties_per_game{end}"] for end in ("", "_low", "_high")}
    _dots(axes, np.arange(len(frame)), costs["cost"], _reach(costs, "cost"))
    _to_the_right(axes, [f"{each:.2f} bags a deal" if each == each else "" for each in frame["bags_per_deal"]])
    axes.set_xlim(left=min(0, axes.get_xlim()[0]))
    return figure


@_styled
def seats(frame: "pd.DataFrame") -> Figure:
    """Show the win share of each bot in each seat, with intervals, of `seats`."""
    title = "Games won in each seat, with 95 % intervals"
    figure, axes = _rows(frame["bot"], title, "games won, %", frame["seat"].nunique())
    for seat, at, own in _side_by_side(frame, "seat"):
        _dots(axes, at, 100 * own["win_share"], _reach(own, "win_share", 100), seat, f"seat {seat}")
    _legend(figure, axes)
    return figure


@_styled
def orders(frame: "pd.DataFrame") -> Figure:
    """Show the points a deal of each bot by its place in the bidding, of `orders`."""
    title, unit = "Points by the place in the bidding", "points a deal, bag penalties left out"
    figure, axes = _rows(frame["bot"], title, unit, frame["order"].nunique())
    last = int(frame["order"].max())
    for order, at, own in _side_by_side(frame, "order"):
        name = "bids first" if order == 0 else "bids last" if order == last else f"bids number {order + 1}"
        _dots(axes, at, own["points_per_deal"], None, order, name)
    _legend(figure, axes)
    return figure


@_styled
def score_path(record: Mapping, target: int | None = None) -> Figure:
    """Show the scores of a game after each deal, of its record (docs/TABLES.md, "A game as JSON").

    Parameters
    ----------
    target
        Points to play for, drawn as a line.
    """
    figure = Plot(figsize=(WIDTH, 2.9), layout="constrained")
    axes = figure.add_subplot()
    sides = [side[0] for side in record.get("sides", [])] or range(len(record["seats"]))
    for i, seat in enumerate(sides):
        scores = [0, *(deal["scores"][seat] for deal in record["deals"] if "scores" in deal)]
        name = _cut(record["seats"][seat])
        axes.plot(scores, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=f"seat {seat} {name}")
    if target is not None:
        axes.axhline(target, color=INK, linestyle=":", linewidth=1)
    axes.set(xlabel="deals played", ylabel="score, points")
    _whole_numbers(axes.xaxis, axes.yaxis)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower left")
    figure.suptitle(f"Scores of game {record['game']}")
    return figure


@_styled
def sweep(frame: "pd.DataFrame") -> Figure:
    """Show what each setting wins more or less than the defaults, with intervals, of `sweep`; the best where many."""
    best = frame[~frame["default"]].nlargest(SETTINGS_SHOWN, "win_share_difference").reset_index(drop=True)
    title = "Games won more than by the defaults, with 95 % intervals"
    figure, axes = _rows(best["setting"], title, "difference of games won, percentage points")
    reach = _reach(best, "win_share_difference", 100)
    _dots(axes, np.arange(len(best)), 100 * best["win_share_difference"], reach)
    axes.axvline(0, color=INK, linestyle=":", linewidth=1)
    return figure


@_styled
def search(frame: "pd.DataFrame") -> Figure:
    """Show how far ahead of the defaults each generation is: its middle, and the best of its samples, of `search`."""
    figure = Plot(figsize=(WIDTH, 2.9), layout="constrained")
    axes = figure.add_subplot()
    for i, (kind, name) in enumerate({"sample": "best of its samples", "centre": "middle"}.items()):
        found = 100 * frame[frame["candidate"] == kind].groupby("generation")["win_share_difference"].max()
        axes.plot(found.index, found, color=COLOURS[i], marker=MARKERS[i], markersize=3, linewidth=1, label=name)
    axes.axhline(0, color=INK, linestyle=":", linewidth=1)
    axes.set(xlabel="generation", ylabel="percentage points")
    _whole_numbers(axes.xaxis)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.suptitle("Games won more than by the defaults, in the search")
    return figure


@_styled
def regret(frame: "pd.DataFrame") -> Figure:
    """Show how many points a bid of each bot lies below the best, with intervals, of `regret`."""
    figure, axes = _rows(frame["bot"], "What each bot's bids give up, with 95 % intervals", "regret, points a bid")
    _dots(axes, np.arange(len(frame)), frame["points_regret"], _reach(frame, "points_regret"))
    _to_the_right(axes, [f"{100 * low:.0f} % low, {100 * high:.0f} % high" for low, high in _off(frame)])
    return figure


@_styled
def curves(frame: "pd.DataFrame") -> Figure:
    """Show what each bid of a few hands would have brought, with the one made, of `curves`."""
    hands = frame[frame["hand"].isin(frame["hand"].unique()[:HANDS_SHOWN])]
    names = [f"hand {hand}, {own['bot'].iloc[0]}" for hand, own in hands.groupby("hand", sort=False)]
    figure, panels = _panels(names, "What every bid would have brought", "bid, tricks", "points of the deal")
    for axes, (_, own) in zip(panels, hands.groupby("hand", sort=False), strict=True):
        axes.errorbar(own["bid"], own["points"], yerr=_reach(own, "points"), color=BLUE, linewidth=1, elinewidth=0.8)
        made = own[own["made"]]
        axes.plot(made["bid"], made["points"], color=RED, marker="o", markersize=4, linestyle="none")
        _whole_numbers(axes.xaxis, axes.yaxis)
    return figure


def _off(frame: "pd.DataFrame"):
    return zip(frame["underbids"], frame["overbids"], strict=True)


def _labels(bots: Iterable[str]) -> list[str]:
    return [f"{number} {_cut(bot)}" for number, bot in enumerate(bots, 1)]


def _cut(name: str) -> str:
    """Cut a long name in its middle, for both ends tell something."""
    if len(name) <= NAME_LENGTH:
        return name
    return f"{name[: NAME_LENGTH - NAME_END - 1]}…{name[-NAME_END:]}"


def _rows(names: Iterable[str], title: str, unit: str, lines: int = 1) -> tuple[Figure, Axes]:
    """Make a figure with a row for each bot, the first on top, of so many lines."""
    bots = list(dict.fromkeys(names))
    height = AROUND + ROW * len(bots) * (1 + 0.4 * (lines - 1)) + 0.2 * (lines > 1)
    figure = Plot(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_yticks(range(len(bots)), _labels(bots))
    axes.set_ylim(len(bots) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=INK, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(unit)
    figure.suptitle(title)
    return figure, axes


def _panels(names: Iterable[str], title: str, x: str, y: str) -> tuple[Figure, list[Axes]]:
    """Make a figure with a panel for each bot."""
    bots = list(dict.fromkeys(names))
    across = min(len(bots), PANELS_A_ROW)
    down = -(-len(bots) // across)
    figure = Plot(figsize=(WIDTH, 0.9 + PANEL_HEIGHT * down), layout="constrained")
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, label in zip(panels, _labels(bots), strict=False):
        axes.set_title(label, fontsize=7.5, loc="left")
        axes.tick_params(labelsize=8, labelbottom=True)
    for axes in panels[len(bots) :]:
        axes.remove()
    figure.suptitle(title)
    figure.supxlabel(x, fontsize=9.5)
    figure.supylabel(y, fontsize=9.5)
    return figure, list(panels[: len(bots)])


def _dots(axes: Axes, at: np.ndarray, values, reach, kind: int = 0, label: str = "") -> None:
    look: dict[str, Any] = {
        "color": COLOURS[kind],
        "marker": MARKERS[kind],
        "markersize": 5,
        "linestyle": "none",
        "label": label,
    }
    axes.errorbar(values, at, xerr=reach, elinewidth=1.6, capsize=2.5, **look)


def _reach(frame, name: str, times: float = 1.0) -> np.ndarray:
    """Give how far an interval reaches to the left and to the right; 0 where there is none."""
    below, above = frame[name] - frame[f"{name}_low"], frame[f"{name}_high"] - frame[name]
    return np.maximum(np.nan_to_num(np.array([below, above]) * times), 0)


def _side_by_side(frame: "pd.DataFrame", name: str):
    """Yield each seat or place with its lines in all rows, and its part of the frame."""
    rows = {bot: row for row, bot in enumerate(dict.fromkeys(frame["bot"]))}
    kinds = sorted(frame[name].unique().tolist())
    for i, kind in enumerate(kinds):
        own = frame[frame[name] == kind]
        yield kind, own["bot"].map(rows).to_numpy() + 0.6 * ((i + 0.5) / len(kinds) - 0.5), own


def _cells(axes: Axes, columns: np.ndarray, rows: np.ndarray, colours: Sequence) -> None:
    squares = [Rectangle((x - 0.5, y - 0.5), 1, 1) for x, y in zip(columns, rows, strict=True)]
    axes.add_collection(PatchCollection(squares, facecolors=colours, edgecolors="none"))


def _leaning(share: float) -> np.ndarray:
    """Give the colour of a share: the further from one half, the stronger; never too dark for dark words."""
    strength = min(abs(share - 0.5) * 1.8, 0.8)
    return (1 - strength) * np.array(to_rgba(EVEN)) + strength * np.array(to_rgba(BLUE if share > 0.5 else RED))


def _to_the_right(axes: Axes, texts: Sequence[str]) -> None:
    """Write a word behind each row."""
    right = axes.twinx()
    right.set_ylim(axes.get_ylim())
    right.set_yticks(range(len(texts)), texts)
    right.tick_params(length=0)
    right.spines[:].set_visible(False)


def _legend(figure: Figure, axes: Axes) -> None:
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)


def _last(frame: "pd.DataFrame", name: str) -> int:
    """Find the highest number that is more than a rarity."""
    deals = frame.groupby(name)["deals"].sum()
    return int(deals.index[deals >= deals.max() * FAINTEST].max())


def _whole_numbers(*axes) -> None:
    for axis in axes:
        axis.set_major_locator(MaxNLocator(integer=True, nbins=6))


def _plus_minus(value: float, half: float) -> str:
    if value != value:
        return ""
    return f"{value:.1f} ± {half:.1f}" if half == half else f"{value:.1f}"
