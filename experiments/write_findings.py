"""Write what the studies found: python -m spadesim.experiments.write_findings writes results/NAME/README.md.

The words are those of experiments/NAME.md; every figure in them is read from the study's tables, where it stands as
``{table | column=value, … | column}``: with its interval if it has one, or with ``~`` behind the column without.
"""

import re
from pathlib import Path
from textwrap import fill

import click
import pandas as pd

from spadesim.config import read_experiment
from spadesim.errors import UsageError
from spadesim.studying import StudySpec
from spadesim.terminal import DECIMALS, DECIMALS_ELSE

HERE = Path(__file__).parent
WIDTH = 130
TOGETHER = "\N{NO-BREAK SPACE}"  # until the lines are broken
RESULTS = HERE.parent / "results"
FIGURE = re.compile(r"\{(\w+) \| (.*?) \| (\w+)(~?)\}", re.S)


def finding(name: str) -> str:
    """Write the page of a study.

    Raises
    ------
    UsageError
        When a figure is named that is not in the tables.
    """
    spec = read_experiment(str(HERE / f"{name}.toml"))
    tables = {table: pd.read_csv(RESULTS / name / f"{table}.csv") for table in spec.table_names}
    text = (HERE / f"{name}.md").read_text(encoding="utf-8").rstrip()
    text = FIGURE.sub(lambda match: _figure(tables[match[1]], match[2], match[3], not match[4]), text)
    paragraphs = [fill(each, WIDTH, break_long_words=False, break_on_hyphens=False) for each in text.split("\n\n")]
    made_by = f"Made by `spadesim run experiments/{name}.toml`; [STUDIES.md](../../docs/STUDIES.md) has every column."
    listed = "\n".join(f"- `{table}.csv`: {what}" for table, what in spec.module.TABLES.items())
    return "\n\n".join([*paragraphs, "## Tables", made_by, listed]).replace(TOGETHER, " ") + "\n"


def _figure(table: pd.DataFrame, conditions: str, column: str, with_interval: bool) -> str:
    """Read one figure, and half the width of its interval."""
    rows = table
    for condition in re.split(r",\s+", conditions):
        name, _, value = condition.partition("=")
        rows = rows[rows[name].astype(str) == value]
    if len(rows) != 1:
        raise UsageError(f"{len(rows)} rows with {conditions!r}; expected one")
    value = rows[column].iloc[0]
    if table[column].dtype.kind in "iu":
        return f"{value:,}"
    text = _number(value, column)
    if with_interval and f"{column}_low" in table:
        width = (rows[f"{column}_high"] - rows[f"{column}_low"]).iloc[0]
        text += f"{TOGETHER}± {_number(width / 2, column)}".replace(" ", TOGETHER)
    return text


def _number(value: float, column: str) -> str:
    """Write a number as the results do: no nought before the point."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{DECIMALS.get(column, DECIMALS_ELSE)}f}")


def studies() -> list[str]:
    """Name the experiments that are studies."""
    names = sorted(path.stem for path in HERE.glob("*.toml"))
    return [name for name in names if isinstance(read_experiment(str(HERE / f"{name}.toml")), StudySpec)]


def main() -> None:
    """Write all pages."""
    for name in studies():
        (RESULTS / name / "README.md").write_text(finding(name), encoding="utf-8")


if __name__ == "__main__":
    click.command(help=__doc__)(main)()
