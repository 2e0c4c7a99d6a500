"""From counts to the result of a run: its tables."""

from collections.abc import Sequence

from spadesim.designs.league.spec import League, LeagueSpec, SweepSpec
from spadesim.rules import Rules
from spadesim.tournament.stopping import FixedGames, SequentialTest
from spadesim.tournament.tally import Tally


def make_result(
    spec: LeagueSpec, rules: Rules, names: Sequence[str], tally: Tally, stopping: FixedGames | None = None,
    complete: bool = True, failures: Sequence[dict] = (),
) -> League:  # fmt: skip
    """Turn the counts into tables; with a comparison's, that has the verdict, where there was one."""
    from spadesim.designs.league.tables import make_tables  # pandas takes long to import

    tables = make_tables(tally, names, rules)
    result = League(spec, rules, tally, list(names), tables, complete, list(failures))
    if isinstance(stopping, SequentialTest):
        from spadesim.designs.compare.tables import comparison

        result.tables = {"comparison": comparison(result, stopping.verdict)} | tables
    if isinstance(spec, SweepSpec):
        from spadesim.designs.sweep.tables import sweep_tables

        result.tables = sweep_tables(result) | tables
    return result
