"""A league's part of a report: sections on standings, pairs, calibration, bids, nils, bags, seats, orders, games."""

from dataclasses import dataclass

import pandas as pd

from spadesim.bots.replay import to_text
from spadesim.designs.league import findings
from spadesim.designs.league.result import League
from spadesim.designs.league.sample_games import SampleGames, sample_games
from spadesim.designs.league.stored import StoredLeague
from spadesim.designs.section import Picture, Section, StoredRun
from spadesim.plots import charts

TEXT_MOST = 60_000  # letters of a game; the rest is left to its command


@dataclass(frozen=True)
class LeagueRun:
    """What the sections are made of: the league, its tables in the order of the standings, and a few of its games."""

    league: League
    tables: dict[str, pd.DataFrame]
    games: SampleGames


def title(run: StoredRun) -> str:
    """Return what was played, in a few words."""
    return f"A league of {len(run.manifest['bots'])} bots"


def opening(run: StoredRun) -> str:
    """Return what was played, how much of it, and what intervals are made from."""
    assert isinstance(run.result, League)
    return findings.played(run.result, run.manifest["tables"])


def sections(run: StoredRun) -> list[Section]:
    """Make all sections."""
    league = run.result
    assert isinstance(league, League)
    games = sample_games(StoredLeague(run.place, run.manifest, league.spec), league.standings)
    made_of = LeagueRun(league, charts.ranked(league.tables), games)
    makers = (standings, head_to_head, calibration, bids, nils, bags, seats, orders, sample)
    return [section for make in makers if (section := make(made_of)) is not None]


def standings(run: LeagueRun) -> Section:
    """Show who won how many games."""
    frame = run.tables["standings"]
    finding = findings.lead(frame, run.tables["head_to_head"]) + findings.faults(frame)
    reading = "A dot is the share of its games that a bot won, the bar its interval, the dotted line an average bot."
    tables = {name: run.tables[name] for name in ("standings", "ratings")}
    return Section.drawn("Standings", finding, Picture(charts.standings(frame), "A row a bot", reading), tables)


def head_to_head(run: LeagueRun) -> Section:
    """Show who ends ahead of whom."""
    frame = run.tables["head_to_head"]
    reading = (
        "A number says in how many of a hundred games the bot of the row ended with more points than that of the"
        " column: blue in more than half of them, orange in fewer."
    )
    figure = charts.head_to_head(frame)
    return Section.drawn(
        "Head to head", findings.pairs(frame), Picture(figure, "A heat map", reading), {"head_to_head": frame}
    )


def calibration(run: LeagueRun) -> Section | None:
    """Show bids against tricks."""
    frame = run.tables["calibration"]
    if frame.empty:  # no deal was played to its end
        return None
    reading = (
        "The stronger the blue of a cell, the more deals had this bid and these tricks. On the dotted line a contract"
        " is made without a bag; the orange line, the mean of the tricks, is above it where a bidder leaves itself"
        " room."
    )
    figure = charts.calibration(frame)
    return Section.drawn(
        "Calibration", findings.calibrated(frame), Picture(figure, "A map a bot", reading), {"calibration": frame}
    )


def bids(run: LeagueRun) -> Section | None:
    """Show how bids and tricks are spread."""
    frame = run.tables["calibration"]
    if frame.empty:
        return None
    reading = "Bars are bids, of which 0 is nil; the line is the tricks that were taken."
    tables = {"bids": run.tables["bids"]}
    return Section.drawn(
        "Bids and tricks", findings.bids(frame), Picture(charts.bids(frame), "Bars and a line a bot", reading), tables
    )


def nils(run: LeagueRun) -> Section:
    """Show how nils fared."""
    frame = run.tables["nils"]
    if not frame["nil_bids"].any():
        return Section("Nils", findings.nils(frame), tables={"nils": frame})
    reading = "A dot is the share of its nils that a bot made, the bar its interval; behind it, how many it made."
    return Section.drawn(
        "Nils", findings.nils(frame), Picture(charts.nils(frame), "A row a bot", reading), {"nils": frame}
    )


def bags(run: LeagueRun) -> Section:
    """Show what bags cost."""
    frame = run.tables["bags"]
    if not frame["penalties"].any():
        return Section("Bags", findings.bags(frame), tables={"bags": frame})
    reading = "What bag penalties take from a bot in a game, with the interval; what bags earn is left out."
    return Section.drawn(
        "Bags", findings.bags(frame), Picture(charts.bags(frame), "A row a bot", reading), {"bags": frame}
    )


def seats(run: LeagueRun) -> Section:
    """Show the seats, a check."""
    frame = run.tables["seats"]
    reading = "Bots share their deals, so chance moves all of them the same way."
    return Section.drawn(
        "Seats", findings.seats(frame), Picture(charts.seats(frame), "A mark a seat", reading), {"seats": frame}
    )


def orders(run: LeagueRun) -> Section | None:
    """Show what the place in the bidding is worth."""
    frame = run.tables["orders"]
    if not frame["deals"].any():
        return None
    reading = "Who bids last knows all other bids."
    figure = charts.orders(frame)
    return Section.drawn(
        "Places in the bidding", findings.orders(frame), Picture(figure, "A mark a place", reading), {"orders": frame}
    )


def sample(run: LeagueRun) -> Section:
    """Show a few games."""
    found = run.games
    if found.missing:
        return Section("Sample games", text=f"No game can be shown: {found.missing}.")
    text = "The first games of the leading table, one of each of the first streams, each in another seating."
    ends = [findings.game(record) for record in found.records]
    figures = [charts.score_path(record, run.league.rules.target) for record in found.records]
    pictures = [Picture(figure, f"A line a seat. {end}", end) for figure, end in zip(figures, ends, strict=True)]
    texts = {
        f"Game {record['game']}, card by card": f"{command}\n\n{_shortened(to_text(record))}"
        for record, command in zip(found.records, found.commands, strict=True)
    }
    return Section("Sample games", text=text, pictures=pictures, texts=texts)


def _shortened(text: str) -> str:
    if len(text) <= TEXT_MOST:
        return text
    return text[:TEXT_MOST].rpartition("\n")[0] + "\n… the rest is left out; the command above shows all"
