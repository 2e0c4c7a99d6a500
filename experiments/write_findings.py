"""Write what experiments found: python -m spadesim.experiments.write_findings writes results/NAME/README.md.

The words are those of experiments/NAME.md. Every ``{table | column=value, … | column}`` in them becomes a figure of
that table, with its interval if it has one; ``~`` after the column leaves the interval out.
"""

import re
from pathlib import Path
from textwrap import fill

import click
import pandas as pd

from spadesim.designs.experiment import Experiment
from spadesim.designs.files import read_experiment
from spadesim.errors import UsageError
from spadesim.report.text import DECIMALS, DECIMALS_ELSE

HERE = Path(__file__).parent
WIDTH = 120
TOGETHER = "\N{NO-BREAK SPACE}"  # a space that stays until the lines are broken
RESULTS = HERE.parent / "results"
FIGURE = re.compile(r"\{(\w+) \| (.*?) \| (\w+)(~?)\}", re.S)


def finding(name: str) -> str:
    """Return the page of an experiment.

    Raises
    ------
    UsageError
        When a figure is named that is not in the tables.
    """
    spec = read_experiment(str(HERE / f"{name}.toml"))
    tables = {table: pd.read_csv(RESULTS / name / f"{table}.csv") for table in kept(spec)}
    text = (HERE / f"{name}.md").read_text(encoding="utf-8").rstrip()
    text = FIGURE.sub(lambda match: _figure(tables[match[1]], match[2], match[3], not match[4]), text)
    paragraphs = [
        fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False) for paragraph in text.split("\n\n")
    ]
    page = f"[{spec.page}](../../docs/{spec.page})"
    made_by = f"Made by `spadesim run experiments/{name}.toml`; {page} has every column."
    listed = "\n".join(f"- `{table}.csv`" + (f": {about}" if (about := spec.about(table)) else "") for table in tables)
    return "\n\n".join([*paragraphs, "## Tables", made_by, listed]).replace(TOGETHER, " ") + "\n"


def _figure(table: pd.DataFrame, conditions: str, column: str, with_interval: bool) -> str:
    """Return one figure of a table, with half the width of its interval if asked for."""
    rows = table
    for condition in re.split(r",\s+", conditions):
        name, _, value = condition.partition("=")
        rows = rows[rows[name].astype(str) == value]
    if len(rows) != 1:
        raise UsageError(f"the table has {len(rows)} rows with {conditions!r}; expected one")
    value = rows[column].iloc[0]
    if table[column].dtype.kind in "iu":
        return f"{value:,}"
    text = _number(value, column)
    if with_interval and f"{column}_low" in table:
        width = (rows[f"{column}_high"] - rows[f"{column}_low"]).iloc[0]
        text += f"{TOGETHER}± {_number(width / 2, column)}".replace(" ", TOGETHER)
    return text


def _number(value: float, column: str) -> str:
    """Return a number as text the way the results have it: no zero before the point."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{DECIMALS.get(column, DECIMALS_ELSE)}f}")


def kept(spec: Experiment) -> list[str]:
    """Return the names of the tables of an experiment that are in results/."""
    return list(spec.committed or spec.table_names)


def with_findings() -> list[str]:
    """Return the names of the experiments whose findings have a page: those with words beside them."""
    return sorted(path.stem for path in HERE.glob("*.md"))


def main() -> None:
    """Write all pages."""
    for name in with_findings():
        (RESULTS / name / "README.md").write_text(finding(name), encoding="utf-8")


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
