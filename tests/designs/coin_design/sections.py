"""The part of coins in a report."""

from spadesim.designs.section import Section, StoredRun


def title(run: StoredRun) -> str:
    """Return what was tossed."""
    return f"{run.manifest['spec']['coins']:,} coins"


def opening(run: StoredRun) -> str:
    """Return how they were tossed."""
    return "Every coin was tossed once."


def sections(run: StoredRun) -> list[Section]:
    """Show how they fell."""
    frame = run.result.table("sides")
    finding = f"{frame['coins'][0]:,} coins fell heads up."
    return [Section("Heads and tails", finding, tables={"sides": frame})]
