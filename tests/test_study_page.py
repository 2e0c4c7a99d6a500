"""docs/STUDY.md from beginning to end: its files, its commands as they stand, and what it says of their figures."""

import re
import runpy
import shlex
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from whole_proof import whole

from spadesim.cli.app import cli

PAGE = (Path(__file__).parent.parent / "docs" / "STUDY.md").read_text(encoding="utf-8")

pytestmark = [pytest.mark.many_games, whole]


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """Do all that the page says, in a folder of its own; return that, and what each command printed."""
    folder, printed = tmp_path_factory.mktemp("study"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for kind, block in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S):
            named = re.match(r"# ([\w.]+)\n", block)
            if named:
                Path(named[1]).write_text(block, encoding="utf-8")
            if kind == "python" and "@bidder" not in block:
                runpy.run_path(named[1])
            for line in re.sub(r"\\\n\s*", "", block).splitlines() if kind == "sh" else []:
                printed[line] = run(line)
    return folder, printed


def run(line):
    result = CliRunner().invoke(cli, shlex.split(line)[1:], standalone_mode=False)
    assert result.exception is None, (line, result.output)
    assert not result.return_value, (line, result.output)
    return result.stdout


def test_every_command_runs(followed):
    folder, printed = followed
    assert len(printed) == 11
    assert (folder / "second" / "report.html").exists()
    assert (folder / "better" / "comparison.csv").exists()


def test_the_bids_are_those_of_the_page(followed):
    (said,) = [text for line, text in followed[1].items() if " bid " in line]
    bids = dict(line.split() for line in said.splitlines()[1:])
    assert bids.pop("plain") == "4"
    assert pd.Series(bids).mode().tolist() == ["6"]


def test_the_league_says_what_the_page_says(followed):
    standings, bags = (pd.read_csv(followed[0] / "first" / f"{name}.csv") for name in ("standings", "bags"))
    assert standings["bot"].iloc[-1] == "plain+steady"
    plain = bags.set_index("bot").loc["plain+steady"]
    assert plain["bags_per_deal"] > 2
    assert plain["penalties_per_game"] == pytest.approx(0.75, abs=0.02)


def test_regret_is_what_the_page_says(followed):
    regret = pd.read_csv(followed[0] / "regret" / "regret.csv").set_index("bot")
    assert regret.loc["plain+steady", "points_regret"] == pytest.approx(
        2 * regret.loc["honors+steady", "points_regret"], rel=0.2
    )
    assert regret.loc["plain+steady", "underbids"] > 0.75
    assert regret.loc["plain+steady", "overbids"] < 0.03


def test_the_sweep_rises_to_its_end(followed):
    (said,) = [text for line, text in followed[1].items() if " sweep " in line]
    rows = [line.split() for line in said.split("\n\n")[0].splitlines()[2:]]
    by_margin = sorted((float(row[1]), float(row[4])) for row in rows)
    shares = [share for _, share in by_margin]
    assert by_margin[0][0] == -1.5
    assert shares == sorted(shares, reverse=True)
