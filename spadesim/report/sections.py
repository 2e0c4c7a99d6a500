"""What a report has: its sections, in their order, for each kind of run.

A section is made of the material by a function, which gives None where there is nothing to show. A kind of run brings
its own list; whatever tables no section has shown stand at the end, so a kind without any has a section each.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from spadesim.bots.replay import to_text
from spadesim.designs.league.spec import CompareSpec, SweepSpec
from spadesim.plots import charts
from spadesim.plots.drawing import Plot
from spadesim.report import findings
from spadesim.report.material import LeagueMaterial, Material
from spadesim.storage.manifests import RUN

NOT_SHOWN = {"failures", "focus", "texts"}  # of a manifest: they stand in the notes, in the spec, and in the commands
LONG_HASH = r"\b([0-9a-f]{16})[0-9a-f]{48}\b"
TEXT_MOST = 60_000  # letters of a game; the rest is left to its command


@dataclass(frozen=True)
class Picture:
    """A plot, what is said to those who do not see it, and how to read it."""

    figure: Plot
    description: str
    caption: str

    @property
    def title(self) -> str:
        """What stands above the plot."""
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
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def sections(material: Material) -> list[Section]:
    """Make all sections of a report."""
    made = [section for make in SECTIONS.get(material.kind, []) if (section := make(material)) is not None]
    shown = {name for section in made for name in section.tables}
    rest = {name: frame for name, frame in material.tables.items() if name not in shown}
    if made and rest:
        made.append(Section("More tables", tables=rest))
    elif rest:
        made += [Section(name.replace("_", " ").capitalize(), tables={name: rest[name]}) for name in rest]
    return [*made, played(material)]


def comparison(material: LeagueMaterial) -> Section | None:
    """Answer which of two bots is better."""
    spec = material.league.spec
    if not isinstance(spec, CompareSpec):
        return None
    frame = material.tables["comparison"]
    text = "The bounds hold at every look; a comparison ends at the first look that decides."
    return Section("Comparison", findings.comparison(frame, spec.delta), text, tables={"comparison": frame})


def sweep(material: LeagueMaterial) -> Section | None:
    """Hold settings against the defaults."""
    if not isinstance(material.league.spec, SweepSpec):
        return None
    frame = material.tables["sweep"]
    tables = {name: material.tables[name] for name in ("sweep", "sweep_bids")}
    reading = "All settings play in the same seats, on the same deals; right of the dotted line they win more."
    if frame["default"].all():
        return Section("Settings", findings.sweep(frame), tables=tables)
    return _drawn("Settings", findings.sweep(frame), reading, charts.sweep(frame), tables, "A row a setting")


def tuned(material: Material) -> Section | None:
    """Tell what a search has found, and how it went."""
    if "tuned" not in material.tables:
        return None
    finding = findings.tuned(material.tables["tuned"])
    reading = "Each generation plays on deals of its own. The best of many samples owes much to luck; the middle less."
    tables = {name: material.tables[name] for name in ("tuned", "parameters")}
    figure = charts.search(material.tables["search"])
    return _drawn("The tuned bot", finding, reading, figure, tables, "Two lines over the generations")


def regret(material: Material) -> Section:
    """Show how far each bidder lies below the best bid."""
    frame = material.tables["regret"]
    reading = (
        "Regret is what the best bid of a hand would have brought more than the one made, over redeals of the unseen"
        " cards; behind it, how often the bid was lower and higher than the best."
    )
    tables = {name: material.tables[name] for name in ("regret", "nils", "regret_by")}
    return _drawn("Regret", findings.regret(frame), reading, charts.regret(frame), tables, "A row a bot")


def curves(material: Material) -> Section:
    """Show a few hands."""
    frame = material.tables["curves"]
    reading = "A line a hand, with 95 % intervals; the dot is the bid that was made. Table `curves` has all hands."
    figure = charts.curves(frame)
    return Section("Hands", pictures=[Picture(figure, "A panel a hand: points over the bid.", reading)])


def standings(material: LeagueMaterial) -> Section:
    """Show who won how many games."""
    frame = material.tables["standings"]
    finding = findings.lead(frame, material.tables["head_to_head"]) + findings.faults(frame)
    reading = "A dot is the share of its games that a bot won, the bar its interval, the dotted line an average bot."
    tables = {name: material.tables[name] for name in ("standings", "ratings")}
    return _drawn("Standings", finding, reading, charts.standings(frame), tables, "A row a bot")


def head_to_head(material: LeagueMaterial) -> Section:
    """Show who ends ahead of whom."""
    frame = material.tables["head_to_head"]
    reading = (
        "A number says in how many of a hundred games the bot of the row ended with more points than that of the"
        " column: blue in more than half of them, orange in fewer."
    )
    figure = charts.head_to_head(frame)
    return _drawn("Head to head", findings.pairs(frame), reading, figure, {"head_to_head": frame}, "A heat map")


def calibration(material: LeagueMaterial) -> Section | None:
    """Show bids against tricks."""
    frame = material.tables["calibration"]
    if frame.empty:  # no deal was played to its end
        return None
    reading = (
        "The stronger the blue of a cell, the more deals had this bid and these tricks. On the dotted line a contract"
        " is made without a bag; the orange line, the mean of the tricks, lies above it where a bidder leaves itself"
        " room."
    )
    figure = charts.calibration(frame)
    return _drawn("Calibration", findings.calibrated(frame), reading, figure, {"calibration": frame}, "A map a bot")


def bids(material: LeagueMaterial) -> Section | None:
    """Show how bids and tricks are spread."""
    frame = material.tables["calibration"]
    if frame.empty:
        return None
    reading = "Bars are bids, of which 0 is nil; the line is the tricks that were taken."
    tables = {"bids": material.tables["bids"]}
    return _drawn("Bids and tricks", findings.bids(frame), reading, charts.bids(frame), tables, "Bars and a line a bot")


def nils(material: LeagueMaterial) -> Section:
    """Show how nils fared."""
    frame = material.tables["nils"]
    if not frame["nil_bids"].any():
        return Section("Nils", findings.nils(frame), tables={"nils": frame})
    reading = "A dot is the share of its nils that a bot made, the bar its interval; behind it, how many it made."
    return _drawn("Nils", findings.nils(frame), reading, charts.nils(frame), {"nils": frame}, "A row a bot")


def bags(material: LeagueMaterial) -> Section:
    """Show what bags cost."""
    frame = material.tables["bags"]
    if not frame["penalties"].any():
        return Section("Bags", findings.bags(frame), tables={"bags": frame})
    reading = "What bag penalties take from a bot in a game, with the interval; what bags earn is left out."
    return _drawn("Bags", findings.bags(frame), reading, charts.bags(frame), {"bags": frame}, "A row a bot")


def seats(material: LeagueMaterial) -> Section:
    """Show the seats, a check."""
    frame = material.tables["seats"]
    reading = "Bots share their deals, so chance moves all of them the same way."
    return _drawn("Seats", findings.seats(frame), reading, charts.seats(frame), {"seats": frame}, "A mark a seat")


def orders(material: LeagueMaterial) -> Section | None:
    """Show what the place in the bidding is worth."""
    frame = material.tables["orders"]
    if not frame["deals"].any():
        return None
    reading = "Who bids last knows all other bids."
    figure = charts.orders(frame)
    return _drawn("Places in the bidding", findings.orders(frame), reading, figure, {"orders": frame}, "A mark a place")


def games(material: LeagueMaterial) -> Section:
    """Show a few games."""
    found = material.games
    if found.missing:
        return Section("Sample games", text=f"No game can be shown: {found.missing}.")
    text = "The first games of the leading table, one of each of the first streams, each in another seating."
    ends = [findings.game(each) for each in found.records]
    figures = [charts.score_path(each, material.league.rules.target) for each in found.records]
    pictures = [Picture(figure, f"A line a seat. {end}", end) for figure, end in zip(figures, ends, strict=True)]
    texts = {
        f"Game {record['game']}, card by card": f"{command}\n\n{_shortened(to_text(record))}"
        for record, command in zip(found.records, found.commands, strict=True)
    }
    return Section("Sample games", text=text, pictures=pictures, texts=texts)


def played(material: Material) -> Section:
    """Show what was played, and by which versions."""
    known = {name: value for name, value in material.manifest.items() if name not in NOT_SHOWN}
    parts = {"run": {name: value for name, value in known.items() if not isinstance(value, dict)}}
    parts |= {name: value for name, value in known.items() if isinstance(value, dict)}
    tables = {
        name: pd.DataFrame({"name": list(values), "value": [_plain(each) for each in values.values()]})
        for name, values in parts.items()
        if values
    }
    return Section("What was played", text="The same spec, seed and versions give the same figures.", tables=tables)


SECTIONS: dict[str, list[Callable[[Any], Section | None]]] = {  # each takes what its kind of run is read into
    RUN: [comparison, sweep, standings, head_to_head, calibration, bids, nils, bags, seats, orders, games],
    "tune": [tuned],
    "whatif": [regret, curves],
}


def _drawn(title: str, finding: str, reading: str, figure: Plot, tables: dict[str, pd.DataFrame], form: str) -> Section:
    """Make a section of one plot, whose alternative text is how it looks and what it says."""
    return Section(title, finding, pictures=[Picture(figure, f"{form}. {finding}", reading)], tables=tables)


def _shortened(text: str) -> str:
    if len(text) <= TEXT_MOST:
        return text
    return text[:TEXT_MOST].rpartition("\n")[0] + "\n… the rest is left out; the command above shows all"


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "-"
    if value is None or value == "":
        return "-"
    return re.sub(LONG_HASH, r"\1…", str(value))
