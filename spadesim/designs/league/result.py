"""What comes of a league: its tables and plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spadesim.designs.league.spec import LeagueSpec
from spadesim.designs.result import Result, Table
from spadesim.rules import Rules
from spadesim.tournament.progress import Counted
from spadesim.tournament.tally import Tally

if TYPE_CHECKING:
    from spadesim.plots.drawing import Plot


@dataclass(repr=False)
class League(Result):
    """A league that has been played; `plot_standings()` and so on draw it, with the bots in the order of the standings.

    Attributes
    ----------
    spec, rules, tally
        What was played, by which rules, and what was counted.
    bots
        The names, in the order of the field.
    """

    spec: LeagueSpec
    rules: Rules
    tally: Tally
    bots: list[str]

    standings = Table("Games won by each bot, a row a bot, best first.")
    nils = Table("How nils fared, a row a bot.")
    bags = Table("What bags cost, a row a bot.")
    bids = Table("What was bid, a row a bot and bid.")
    calibration = Table("Tricks taken by tricks bid, a row a bot, bid and number of tricks.")
    orders = Table("Points by the place in the bidding, a row a bot and place.")
    seats = Table("Games won by seat, a row a bot and seat: a check.")
    head_to_head = Table("Who ended ahead of whom, a row a pair in each direction.")
    ratings = Table("Ratings, a row a bot.")

    @property
    def games_played(self) -> int:
        """Games at all tables."""
        return int(self.tally.games.sum()) // self.rules.bots

    @property
    def conclusion(self) -> str:
        """How far the win shares are known, where the league ended for that."""
        until = self.spec.until
        if not until:
            return ""
        widest = ((self.standings["win_share_high"] - self.standings["win_share_low"]) / 2).max()
        enough = "" if widest <= until else f", not to {until:g}; --games allows no more"
        return f"every win share is known to ± {widest:.4f}{enough}"

    def plot_standings(self) -> "Plot":
        """Show the win share of each bot with its interval."""
        return self._draw("standings", "standings")

    def plot_head_to_head(self) -> "Plot":
        """Show for each two bots how often one ended ahead of the other."""
        return self._draw("head_to_head", "head_to_head")

    def plot_calibration(self) -> "Plot":
        """Show tricks taken against tricks bid, a map for each bot."""
        return self._draw("calibration", "calibration")

    def plot_bids(self) -> "Plot":
        """Show how often each number of tricks is bid and is taken."""
        return self._draw("bids", "calibration")

    def plot_nils(self) -> "Plot":
        """Show how many nils succeed, with intervals and counts."""
        return self._draw("nils", "nils")

    def plot_bags(self) -> "Plot":
        """Show what bag penalties cost a game."""
        return self._draw("bags", "bags")

    def plot_seats(self) -> "Plot":
        """Show the win share of each bot in each seat."""
        return self._draw("seats", "seats")

    def plot_orders(self) -> "Plot":
        """Show the points a deal of each bot by its place in the bidding."""
        return self._draw("orders", "orders")

    def _draw(self, plot: str, table: str) -> "Plot":
        from spadesim.plots import charts  # matplotlib takes long to import

        figure: Plot = getattr(charts, plot)(charts.ranked(self.tables)[table])
        return figure


def make_result(spec: LeagueSpec, rules: Rules, bots: Sequence[str], counted: Counted) -> League:
    """Turn what was counted into tables."""
    from spadesim.designs.league.tables import make_tables  # pandas takes long to import

    values: dict[str, Any] = {"complete": counted.complete, "failures": counted.failures}
    tables = make_tables(counted.tally, bots, rules)
    result = spec.result_type(spec, tables, rules, counted.tally, list(bots), **values)
    result.tables = spec.extra_tables(result, counted.stopping) | tables
    return result
