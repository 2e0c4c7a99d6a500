"""Plots of tables: one function per plot, of the frame that it shows (docs/TABLES.md has the columns).

Bots are in the order of the frame, each with its number there, and long names are cut in the middle.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgba

from spadesim.plots.drawing import (
    BLUE,
    COLOURS,
    INK,
    MARKERS,
    RED,
    WIDTH,
    Plot,
    cells,
    cut,
    dots,
    legend_below,
    numbered,
    panels_of_bots,
    reach,
    rows_of_bots,
    side_by_side,
    styled,
    whole_numbers,
    write_to_the_right,
)

if TYPE_CHECKING:
    import pandas as pd

EVEN, ON_CELLS = "#f0f0f0", "#111111"  # of a cell that leans to neither side, and of words on cells
SETTINGS_SHOWN, HANDS_SHOWN = 30, 6  # where there are more
FAINTEST = 0.01  # as a share of the darkest cell; fainter cells are left out
WORTH_A_MEAN = 0.005  # the share of a bot's deals that must have a bid for its mean to be drawn


def ranked(tables: "Mapping[str, pd.DataFrame]") -> "dict[str, pd.DataFrame]":
    """Return all tables with their rows in the order of the standings."""
    places = {bot: place for place, bot in enumerate(tables["standings"]["bot"])}

    def by_place(frame: "pd.DataFrame") -> "pd.DataFrame":
        names = [name for name in ("bot", "other") if name in frame]
        order = np.lexsort([frame[name].map(places).to_numpy() for name in reversed(names)]) if names else slice(None)
        return frame.iloc[order].reset_index(drop=True)

    return {name: frame if name == "ratings" else by_place(frame) for name, frame in tables.items()}


@styled
def standings(frame: "pd.DataFrame") -> Plot:
    """Show the win share of each bot with its interval, of `standings`."""
    figure, axes = rows_of_bots(frame["bot"], "Games won by each bot, with 95 % intervals", "games won, %")
    half = (frame["win_share_high"] - frame["win_share_low"]) * 50
    dots(axes, np.arange(len(frame)), 100 * frame["win_share"], reach(frame, "win_share", 100))
    write_to_the_right(axes, [_plus_minus(100 * x, d) for x, d in zip(frame["win_share"], half, strict=True)])
    axes.axvline(100 * frame["wins"].sum() / frame["games"].sum(), color=INK, linestyle=":", linewidth=1)
    return figure


@styled
def head_to_head(frame: "pd.DataFrame") -> Plot:
    """Show how often the bot of the row finished ahead of that of the column, in %, of `head_to_head`."""
    bots = list(dict.fromkeys(frame["bot"]))
    place = {bot: i for i, bot in enumerate(bots)}
    rows, columns = (frame[name].map(place).to_numpy() for name in ("bot", "other"))
    share = frame["ahead_share"].to_numpy()
    side = max(0.3, min(0.4, 3.4 / len(bots)))
    figure = Plot(figsize=(max(WIDTH, 2.2 + side * len(bots)), 1.0 + side * len(bots)), layout="constrained")
    axes = figure.add_subplot()
    cells(axes, columns, rows, [_leaning(ahead) for ahead in share])
    for row, column, ahead in zip(rows, columns, share, strict=True):
        axes.text(column, row, f"{100 * ahead:.0f}", ha="center", va="center", fontsize=8, color=ON_CELLS)
    axes.set(xlim=(-0.5, len(bots) - 0.5), ylim=(len(bots) - 0.5, -0.5))
    axes.set_xticks(range(len(bots)), [str(1 + i) for i in range(len(bots))])
    axes.set_yticks(range(len(bots)), numbered(bots))
    axes.set_xlabel("against the bot of this number")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.suptitle("Games ended ahead of the other, %")
    return figure


@styled
def calibration(frame: "pd.DataFrame") -> Plot:
    """Show tricks taken against tricks bid, a map for each bot, of `calibration`.

    The more of the bot's deals had this bid and these tricks, the stronger the cell. The line is the mean number of
    tricks for each bid that was made in at least half a per cent of the deals.
    """
    figure, panels = panels_of_bots(frame["bot"], "Tricks taken against tricks bid", "bid, tricks", "taken, tricks")
    top = int(frame[["bid", "taken"]].to_numpy().max())
    limits = {f"{axis}lim": (-0.6, _last(frame, name) + 0.6) for axis, name in (("x", "bid"), ("y", "taken"))}
    for axes, (_, own) in zip(panels, frame.groupby("bot", sort=False), strict=True):
        bid, taken, deals = (own[name].to_numpy() for name in ("bid", "taken", "deals"))
        strength = deals / deals.max()
        seen = strength >= FAINTEST
        cells(axes, bid[seen], taken[seen], [to_rgba(BLUE, 0.9 * depth) for depth in strength[seen]])
        axes.axline((0, 0), slope=1, color=INK, linestyle=":", linewidth=1)
        of_bid = np.bincount(bid, deals, top + 1)
        means = np.bincount(bid, deals * taken, top + 1) / np.where(of_bid > 0, of_bid, np.nan)
        often = np.flatnonzero(of_bid >= WORTH_A_MEAN * deals.sum())
        axes.plot(often, means[often], color=RED, linewidth=1.2, marker="o", markersize=2.5)
        axes.set(**limits)
        whole_numbers(axes.xaxis, axes.yaxis)
    return figure


@styled
def bids(frame: "pd.DataFrame") -> Plot:
    """Show how often each number of tricks is bid and is taken, a panel per bot, of `calibration`."""
    figure, panels = panels_of_bots(frame["bot"], "Tricks bid and tricks taken", "tricks", "deals, %")
    top = max(_last(frame, "bid"), _last(frame, "taken"))
    for axes, (_, own) in zip(panels, frame.groupby("bot", sort=False), strict=True):
        bid, taken = (100 * np.bincount(own[name], own["deals"], top + 1)[: top + 1] for name in ("bid", "taken"))
        axes.bar(np.arange(top + 1), bid / own["deals"].sum(), 0.8, color=BLUE, alpha=0.75, label="bid")
        edges = np.arange(top + 2) - 0.5
        axes.stairs(taken / own["deals"].sum(), edges, color=RED, linewidth=1.3, label="taken")
        axes.set_xlim(-0.6, top + 0.6)
        whole_numbers(axes.xaxis, axes.yaxis)
    panels[0].legend(fontsize=7.5, loc="upper right", handlelength=1)
    return figure


@styled
def nils(frame: "pd.DataFrame") -> Plot:
    """Show how many nils of each bot succeed, with intervals and how many it bid, of `nils`."""
    figure, axes = rows_of_bots(frame["bot"], "Nils made by each bot, with 95 % intervals", "nils made, %")
    dots(axes, np.arange(len(frame)), 100 * frame["nil_success"], reach(frame, "nil_success", 100))
    counts = zip(frame["nil_made"], frame["nil_bids"], strict=True)
    write_to_the_right(axes, [f"{made:,} of {bid:,}" if bid else "none bid" for made, bid in counts])
    axes.set_xlim(-2, 102)
    return figure


@styled
def bags(frame: "pd.DataFrame") -> Plot:
    """Show what bag penalties cost each bot per game, with intervals, of `bags`."""
    title, unit = "What bag penalties cost each bot, with 95 % intervals", "bag penalties, points a game"
    figure, axes = rows_of_bots(frame["bot"], title, unit)
    some = frame["penalties_per_game"] > 0
    price = (frame["penalty_points_per_game"] / frame["penalties_per_game"].where(some)).fillna(0)
    costs = {f"cost{end}": -price * frame[f"penalties_per_game{end}"] for end in ("", "_low", "_high")}
    dots(axes, np.arange(len(frame)), costs["cost"], reach(costs, "cost"))
    write_to_the_right(axes, [f"{rate:.2f} bags a deal" if rate == rate else "" for rate in frame["bags_per_deal"]])
    axes.set_xlim(left=min(0, axes.get_xlim()[0]))
    return figure


@styled
def seats(frame: "pd.DataFrame") -> Plot:
    """Show the win share of each bot in each seat, with intervals, of `seats`."""
    title = "Games won in each seat, with 95 % intervals"
    figure, axes = rows_of_bots(frame["bot"], title, "games won, %", frame["seat"].nunique())
    for seat, at, own in side_by_side(frame, "seat"):
        dots(axes, at, 100 * own["win_share"], reach(own, "win_share", 100), seat, f"seat {seat}")
    legend_below(figure, axes)
    return figure


@styled
def orders(frame: "pd.DataFrame") -> Plot:
    """Show the points per deal of each bot by its place in the bidding, of `orders`."""
    title, unit = "Points by the place in the bidding", "points a deal, bag penalties left out"
    figure, axes = rows_of_bots(frame["bot"], title, unit, frame["order"].nunique())
    last = int(frame["order"].max())
    for order, at, own in side_by_side(frame, "order"):
        name = "bids first" if order == 0 else "bids last" if order == last else f"bids number {order + 1}"
        dots(axes, at, own["points_per_deal"], None, order, name)
    legend_below(figure, axes)
    return figure


@styled
def score_path(record: Mapping[str, Any], target: int | None = None) -> Plot:
    """Show the scores of a game after each deal, of its record (docs/TABLES.md, "A game as JSON").

    Parameters
    ----------
    target
        The points to play for, drawn as a line.
    """
    sides = [side[0] for side in record.get("sides", [])] or range(len(record["seats"]))
    figure = Plot(figsize=(WIDTH, 2.3 + 0.2 * len(sides)), layout="constrained")
    axes = figure.add_subplot()
    for i, seat in enumerate(sides):
        scores = [0, *(deal["scores"][seat] for deal in record["deals"] if "scores" in deal)]
        name = cut(record["seats"][seat])
        axes.plot(scores, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=f"seat {seat} {name}")
    if target is not None:
        axes.axhline(target, color=INK, linestyle=":", linewidth=1)
    axes.set(xlabel="deals played", ylabel="score, points")
    whole_numbers(axes.xaxis, axes.yaxis)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower left")
    figure.suptitle(f"Scores of game {record['game']}")
    return figure


@styled
def sweep(frame: "pd.DataFrame") -> Plot:
    """Show what each setting wins more or less than the defaults, with intervals, of `sweep`; of many, the best."""
    best = frame[~frame["default"]].nlargest(SETTINGS_SHOWN, "win_share_difference").reset_index(drop=True)
    title = "Games won more than by the defaults, with 95 % intervals"
    figure, axes = rows_of_bots(best["setting"], title, "difference of games won, percentage points")
    dots(axes, np.arange(len(best)), 100 * best["win_share_difference"], reach(best, "win_share_difference", 100))
    axes.axvline(0, color=INK, linestyle=":", linewidth=1)
    return figure


@styled
def search(frame: "pd.DataFrame") -> Plot:
    """Show how far ahead of the defaults each generation is: its middle, and the best of its samples, of `search`."""
    figure = Plot(figsize=(WIDTH, 2.9), layout="constrained")
    axes = figure.add_subplot()
    for i, (kind, name) in enumerate({"sample": "best of its samples", "centre": "middle"}.items()):
        found = 100 * frame[frame["candidate"] == kind].groupby("generation")["win_share_difference"].max()
        axes.plot(found.index, found, color=COLOURS[i], marker=MARKERS[i], markersize=3, linewidth=1, label=name)
    axes.axhline(0, color=INK, linestyle=":", linewidth=1)
    axes.set(xlabel="generation", ylabel="percentage points")
    whole_numbers(axes.xaxis)
    legend_below(figure, axes)
    figure.suptitle("Games won more than by the defaults, in the search")
    return figure


@styled
def regret(frame: "pd.DataFrame") -> Plot:
    """Show by how many points each bot's bids miss the best, with intervals, of `regret`."""
    figure, axes = rows_of_bots(
        frame["bot"], "What each bot's bids give up, with 95 % intervals", "regret, points a bid"
    )
    dots(axes, np.arange(len(frame)), frame["points_regret"], reach(frame, "points_regret"))
    write_to_the_right(axes, [f"{100 * low:.0f} % low, {100 * high:.0f} % high" for low, high in _off(frame)])
    return figure


@styled
def curves(frame: "pd.DataFrame") -> Plot:
    """Show what each bid of a few hands would have brought, with the one made, of `curves`."""
    hands = frame[frame["hand"].isin(frame["hand"].unique()[:HANDS_SHOWN])]
    names = [f"hand {hand}, {own['bot'].iloc[0]}" for hand, own in hands.groupby("hand", sort=False)]
    figure, panels = panels_of_bots(names, "What every bid would have brought", "bid, tricks", "points of the deal")
    for axes, (_, own) in zip(panels, hands.groupby("hand", sort=False), strict=True):
        axes.errorbar(own["bid"], own["points"], yerr=reach(own, "points"), color=BLUE, linewidth=1, elinewidth=0.8)
        made = own[own["made"]]
        axes.plot(made["bid"], made["points"], color=RED, marker="o", markersize=4, linestyle="none")
        whole_numbers(axes.xaxis, axes.yaxis)
    return figure


def _off(frame: "pd.DataFrame") -> Iterator[tuple[float, float]]:
    return zip(frame["underbids"], frame["overbids"], strict=True)


def _leaning(share: float) -> np.ndarray:
    """Return the colour of a share: the further from one half, the stronger, but never too dark for dark words."""
    strength = min(abs(share - 0.5) * 1.8, 0.8)
    return (1 - strength) * np.array(to_rgba(EVEN)) + strength * np.array(to_rgba(BLUE if share > 0.5 else RED))


def _last(frame: "pd.DataFrame", name: str) -> int:
    """Return the highest number that is not a rarity."""
    deals = frame.groupby(name)["deals"].sum()
    return int(deals.index[deals >= deals.max() * FAINTEST].max())


def _plus_minus(value: float, half: float) -> str:
    if value != value:
        return ""
    return f"{value:.1f} ± {half:.1f}" if half == half else f"{value:.1f}"
