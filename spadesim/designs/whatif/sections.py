"""A what-if study's part of a report."""

import pandas as pd

from spadesim.designs.section import Picture, Section, StoredRun
from spadesim.plots import charts


def title(run: StoredRun) -> str:
    """Return whose bids were looked at."""
    return f"What if: {', '.join(run.manifest['spec']['whatif'])}"


def sections(run: StoredRun) -> list[Section]:
    """Make all sections."""
    return [regret(run), curves(run)]


def regret(run: StoredRun) -> Section:
    """Show how far each bidder falls short of the best bid."""
    frame = run.result.table("regret")
    reading = (
        "Regret is what the best bid of a hand would have brought more than the one made, over redeals of the unseen"
        " cards; behind it, how often the bid was lower and higher than the best."
    )
    tables = {name: run.result.table(name) for name in ("regret", "nils", "regret_by")}
    return Section.drawn("Regret", finding(frame), Picture(charts.regret(frame), "A row a bot", reading), tables)


def curves(run: StoredRun) -> Section:
    """Show a few hands."""
    reading = "A line a hand, with 95 % intervals; the dot is the bid that was made. Table `curves` has all hands."
    figure = charts.curves(run.result.table("curves"))
    return Section("Hands", pictures=[Picture(figure, "A panel a hand: points over the bid.", reading)])


def finding(frame: pd.DataFrame) -> str:
    """Return in words whose bids are closest to the best, and whose furthest."""
    bots = frame[frame["points_naive"].notna() & ~frame["bot"].str.startswith("what-if ")].sort_values("points_regret")
    if bots.empty:
        return ""
    least, most = bots.iloc[0], bots.iloc[-1]
    text = f"A bid of {least['bot']} falls short of the best by {_off(least)} points on average"
    return f"{text}." if len(bots) == 1 else f"{text}, one of {most['bot']} {_off(most)}."


def _off(row: pd.Series) -> str:
    half = (row["points_regret_high"] - row["points_regret_low"]) / 2
    return f"{row['points_regret']:.1f}" + (f" ± {half:.1f}" if half == half else "")
