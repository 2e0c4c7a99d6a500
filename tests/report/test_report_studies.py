"""Reports of sweeps, searches and what-if studies: their sentences and sections, of figures made by hand."""

import json
import re

import pandas as pd
import pytest

from spadesim import sweep
from spadesim.designs.sweep.sections import finding as sweep_in_words
from spadesim.designs.tune.sections import finding as search_in_words
from spadesim.designs.whatif.sections import finding as regret_in_words
from spadesim.report import write_report

plays = pytest.mark.many_games


def with_interval(name, value, half):
    return {name: value, f"{name}_low": value - half, f"{name}_high": value + half}


def settings(*differences):
    """Make a table `sweep`: the defaults win a quarter of their games."""
    return pd.DataFrame(
        {"setting": f"a={i}+b", "default": i == 0, "p_holm": 0.02 if i else None}
        | with_interval("win_share", 0.25 + difference, 0.01)
        | with_interval("win_share_difference", difference, 0.005)
        for i, difference in enumerate((0.0, *differences))
    )


TUNED = pd.DataFrame(
    {"setting": name, "games": 600, "optimism": seen - unseen}
    | with_interval("win_share", 0.3 + unseen, 0.01)
    | with_interval("difference", unseen, 0.002)
    | with_interval("seen_difference", seen, 0.02)
    for name, unseen, seen in (("default", 0.0, 0.0), ("tuned", 0.05, 0.06), ("best_seen", 0.04, 0.09))
)
PARAMETERS = pd.DataFrame({"parameter": ["ace", "king"], "default": [0.9, 0.7], "tuned": [1.0, 0.6]})
SEARCH = pd.DataFrame(
    {"generation": generation, "candidate": kind, "win_share_difference": 0.01 * generation}
    for generation in range(3)
    for kind in ("default", "centre", "sample", "sample")
)
REGRET = pd.DataFrame(
    {"bot": bot, "hands": 9, "points_naive": points, "underbids": 0.5, "overbids": 0.25}
    | with_interval("points_regret", points, 1.0)
    for bot, points in (("x+y", 12.0), ("z+y", 4.5), ("what-if by points", 0.0))
)
CURVES = pd.DataFrame(
    {"hand": hand, "bot": "x+y", "cards": "AS 2C", "bid": bid, "made": bid == 1}
    | with_interval("points", 10.0 * bid, 3)
    for hand in range(300)
    for bid in range(3)
)


def test_a_sweep_in_words():
    said = sweep_in_words(settings(-0.01, 0.03, 0.02))
    assert said.startswith("a=2+b won most: 3.00 percentage points (2.50 … 3.50) more than the defaults (p = 0.02")
    assert "chosen out of 4 settings" in said
    assert sweep_in_words(settings(-0.01)).startswith("No setting won more than the defaults, 25.0")


def test_a_search_in_words():
    said = search_in_words(TUNED).replace("\N{NO-BREAK SPACE}", " ")
    assert "wins 35.0 % (34.0 … 36.0 %) of its games on deals that the search has not seen" in said
    assert "5.00 percentage points (4.80 … 5.20) more than the defaults" in said
    assert said.endswith("The best of all samples looked like +9.00 in the search and comes to +4.00.")


def test_regret_in_words():
    assert regret_in_words(REGRET) == (
        "A bid of z+y falls short of the best by 4.5 ± 1.0 points on average, one of x+y 12.0 ± 1.0."
    )
    assert regret_in_words(REGRET[:1]) == "A bid of x+y falls short of the best by 12.0 ± 1.0 points on average."


def page_of(folder, kind, tables, **spec):
    manifest = {"state": "complete", "kind": kind, "spec": spec | {"seed": 1}, "rules": {}, "sources": {}, "engine": ""}
    manifest |= {"versions": {"spadesim": "0.1.0"}, "failures": [], "seconds": 1.0}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for name, frame in tables.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return write_report(str(folder))[0].read_text(encoding="utf-8")


def headings(page):
    return re.findall(r"<h2[^>]*>(?:<[^>]+>)*([^<]+)", page)


def test_a_search_has_a_section_of_its_own(tmp_path):
    tables = {"tuned": TUNED, "parameters": PARAMETERS, "search": SEARCH}
    page = page_of(tmp_path, "tune", tables, tune="x+y", against=["z+y", "z+y"])
    assert "<h1>A search for better parameters: x+y</h1>" in page
    assert headings(page) == ["The tuned bot", "More tables", "What was played"]
    assert page.count('role="img"') == 1


def test_what_if_shows_regret_and_hands_and_leaves_most_rows_to_the_file(tmp_path):
    many = pd.concat([CURVES.assign(hand=CURVES["hand"] + 300 * i) for i in range(3)], ignore_index=True)
    tables = {"regret": REGRET, "nils": REGRET[["bot", "hands"]], "regret_by": REGRET[["bot"]], "curves": many}
    page = page_of(tmp_path, "whatif", tables, whatif=["x+y", "z+y", "z+y"])
    assert "<h1>What if: x+y, z+y, z+y</h1>" in page
    assert headings(page) == ["Regret", "Hands", "More tables", "What was played"]
    assert page.count('role="img"') == 2
    assert "2,700 rows" in page
    assert page.count("<tr>") < 2_050


@plays
def test_a_sweep_holds_its_settings_against_the_defaults(tmp_path):
    others = ["quick+need_or_duck"] * 2
    sweep("honors:ace=0.8,0.9+need_or_duck", others, games=60, out=str(tmp_path / "out"))
    page = write_report(str(tmp_path / "out"))[0].read_text(encoding="utf-8")
    assert "<h1>A sweep of honors:ace=0.8,0.9+need_or_duck</h1>" in page
    assert headings(page)[:3] == ["Summary", "Settings", "Standings"]


def test_markdown_has_no_heading_without_words_and_names_no_file_that_is_not_there(tmp_path):
    tables = {"regret": REGRET, "nils": REGRET[["bot", "hands"]], "regret_by": REGRET[["bot"]], "curves": CURVES}
    page_of(tmp_path, "whatif", tables, whatif=["x+y", "z+y", "z+y"])
    text = write_report(str(tmp_path), "md")[0].read_text(encoding="utf-8")
    assert re.findall("^## (.*)", text, re.M) == ["Regret", "More tables", "What was played"]
    assert re.findall(r"see `(\w+)\.csv`", text) == ["curves"]
