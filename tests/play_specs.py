"""Play a spec of any design, as the command line does."""

from spadesim.designs import design_named
from spadesim.tournament.run_options import RunOptions


def run(spec, **options):
    """Play a spec; the options are those of `RunOptions`."""
    return design_named(spec.design).play(spec, RunOptions(**options))
