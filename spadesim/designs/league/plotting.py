"""What a result can draw: each plot a matplotlib figure, for notebooks and reports."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.plots.drawing import Plot


class Plotting:
    """The charts of a result that has the tables of a league; matplotlib is imported when the first is asked for.

    In all of them the bots stand in the order of the standings.
    """

    tables: "dict[str, pd.DataFrame]"

    def plot_standings(self) -> "Plot":
        """Show the win share of each bot with its interval."""
        return _draw(self.tables, "standings", "standings")

    def plot_head_to_head(self) -> "Plot":
        """Show for each two bots how often one ended ahead of the other."""
        return _draw(self.tables, "head_to_head", "head_to_head")

    def plot_calibration(self) -> "Plot":
        """Show tricks taken against tricks bid, a map for each bot."""
        return _draw(self.tables, "calibration", "calibration")

    def plot_bids(self) -> "Plot":
        """Show how often each number of tricks is bid and is taken."""
        return _draw(self.tables, "bids", "calibration")

    def plot_nils(self) -> "Plot":
        """Show how many nils succeed, with intervals and counts."""
        return _draw(self.tables, "nils", "nils")

    def plot_bags(self) -> "Plot":
        """Show what bag penalties cost a game."""
        return _draw(self.tables, "bags", "bags")

    def plot_seats(self) -> "Plot":
        """Show the win share of each bot in each seat."""
        return _draw(self.tables, "seats", "seats")

    def plot_orders(self) -> "Plot":
        """Show the points a deal of each bot by its place in the bidding."""
        return _draw(self.tables, "orders", "orders")


def _draw(tables: "dict[str, pd.DataFrame]", plot: str, table: str) -> "Plot":
    from spadesim.plots import charts  # matplotlib takes long to import

    return getattr(charts, plot)(charts.ranked(tables)[table])
