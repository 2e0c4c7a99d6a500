"""A study's part of a report: its tables alone, for only its module knows what they tell."""

from spadesim.designs.section import Section, StoredRun


def title(run: StoredRun) -> str:
    """Return which study it was."""
    return f"A study: {run.manifest['spec']['study']}"


def sections(run: StoredRun) -> list[Section]:
    """Make no section besides those that show the tables."""
    return []
