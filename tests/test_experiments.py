"""The experiments that come with spadesim: each asks a question, and its committed tables follow from its seed."""

import os
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from play_specs import run
from whole_proof import whole_where

from spadesim.bots.registry import find_strategies
from spadesim.designs import LEAGUE, design_of, find_designs
from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.experiment import Experiment, check_spec, check_values
from spadesim.designs.files import read_experiment
from spadesim.engine.compile.cache import uncompiled
from spadesim.errors import UsageError
from spadesim.experiments.write_findings import _figure, finding, kept, with_findings

ROOT = Path(__file__).parent.parent
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))


def searches(path):
    """Return whether a bot of the experiment searches, and it takes minutes."""
    bots = find_strategies().field(SPECS[path].bots)
    parts = [part.strategy.function.__module__ for bot in bots for part in (bot.bidder, bot.player)]
    return "spadesim.strategies.searchers" in parts


ALL = bool(os.environ.get("SPADESIM_ALL_EXPERIMENTS"))
SPECS = {path: read_experiment(str(path)) for path in EXPERIMENTS}
FOUND = [path for path in EXPERIMENTS if path.stem in with_findings()]  # their findings have a page
LEAGUES = [path for path in EXPERIMENTS if path not in FOUND]
SHORT = ["ladder_1_need_or_duck", "ladder_2_boss"]  # of few strategies, which other tests compile too
PLAYED = EXPERIMENTS if ALL else [path for path in LEAGUES if not searches(path)]  # others take up to minutes


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiment_asks_a_question_and_has_results(path):
    assert path.read_text(encoding="utf-8").startswith('question = "')
    assert {file.stem for file in (ROOT / "results" / path.stem).glob("*.csv")} == set(kept(SPECS[path]))


@pytest.mark.parametrize("path", LEAGUES, ids=lambda path: path.stem)
def test_standings_have_the_bots_and_games_of_the_league(path):
    standings = pd.read_csv(ROOT / "results" / path.stem / "standings.csv")
    spec = SPECS[path]
    assert sorted(standings["bot"]) == sorted(bot.name for bot in find_strategies().field(spec.bots))
    assert standings["games"].min() >= spec.games or isinstance(spec, CompareSpec)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_findings_are_two_paragraphs_with_the_figures_of_the_tables(path):
    page = (ROOT / "results" / path.stem / "README.md").read_text(encoding="utf-8")
    assert page == finding(path.stem)
    text = page.partition("## Tables")[0].split("\n\n")
    assert [len(text), text[0][:2], text[-1]] == [4, "# ", ""]
    question = tomllib.loads(path.read_text(encoding="utf-8"))["question"]
    assert f"| [{path.stem}]({path.stem}/README.md) | {question} |" in (ROOT / "results" / "README.md").read_text()


def test_findings_name_only_figures_that_are_there():
    table = pd.DataFrame({"bot": ["a", "b"], "n": [1200, 3], "share": [0.5, -0.25], "share_low": [0.4, -0.3]})
    table["share_high"] = [0.6, -0.2]
    assert _figure(table, "bot=a", "share", True) == ".5000\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}.1000"
    assert _figure(table, "bot=b, n=3", "share", False) == "-.2500"
    assert _figure(table, "bot=a", "n", True) == "1,200"
    with pytest.raises(UsageError, match="0 rows with 'bot=c'"):
        _figure(table, "bot=c", "share", True)


@pytest.mark.skipif(uncompiled(), reason="hundreds of thousands of games")
@pytest.mark.parametrize("path", whole_where(PLAYED, lambda path: path.stem not in SHORT), ids=lambda path: path.stem)
def test_committed_tables_follow_from_the_seed(path):
    result = run(SPECS[path])
    for name in kept(SPECS[path]):
        table, as_kept = result.tables[name], pd.read_csv(ROOT / "results" / path.stem / f"{name}.csv")
        # counts are exact everywhere; the last digit of an interval may depend on the machine's mathematics library
        pd.testing.assert_frame_equal(table, as_kept, check_dtype=False, rtol=1e-12, atol=0)


@pytest.mark.parametrize("name", find_designs())
def test_model_of_every_design_has_the_key_that_names_it(name):
    design, keys = find_designs()[name], {key for key in find_designs() if key != LEAGUE}
    assert issubclass(design.spec, Experiment)
    assert design.spec.design == design.name == name
    assert callable(design.play)
    assert callable(getattr(design.door("play"), name))
    assert all(design.has(door) for door in ("command", "sections"))
    assert keys & {*design.spec.model_fields, *design.spec.only_in_files} == keys & {name}


def test_all_that_has_findings_is_an_experiment():
    assert {path.stem for path in FOUND} == set(with_findings())


def test_design_is_named_by_a_key():
    assert {name: design_of({name, "games"}).name for name in find_designs()} == {name: name for name in find_designs()}
    league = check_spec({"bots": ["quick+boss"] * 3})
    assert type(league) is find_designs()[LEAGUE].spec
    comparison = check_spec({"compare": ["quick+boss", "honors+boss"], "against": ["quick+boss"] * 2})
    assert type(comparison) is CompareSpec
    assert comparison.bots == ("quick+boss", "honors+boss", "quick+boss", "quick+boss")
    assert check_values(CompareSpec, comparison.model_dump(mode="json")) == comparison


BAD_KEYS = {
    "compar": ({"compar": ["quick+boss", "honors+boss"]}, "mine.toml: unknown key 'compar'; did you mean 'compare'?"),
    "againts": ({"compare": ["a", "b"], "againts": []}, "mine.toml: unknown key 'againts'; did you mean 'against'?"),
    "three": ({"compare": ["a", "b", "c"]}, r"mine.toml: compare is \['a', 'b', 'c'\], .* expected a list of two bots"),
    "both": ({"compare": ["a", "b"], "bots": ["c"]}, "mine.toml: bots are next to compare; expected the others in"),
    "out_of_range": ({"compare": ["a", "b"], "alpha": 0.7}, "mine.toml: alpha is 0.7; expected less than 0.5"),
    "missing": ({"tune": "honors+boss"}, "mine.toml: there is no key 'against'; a tune needs it"),
    "misspelt": ({"tune": "honors+boss", "againts": []}, "mine.toml: unknown key 'againts'; did you mean 'against'?"),
    "of_another_design": ({"bots": [], "beta": 0.1}, "mine.toml: unknown key 'beta'"),
}


@pytest.mark.parametrize("case", BAD_KEYS)
def test_key_that_does_not_fit_its_design_is_one_line(case):
    values, line = BAD_KEYS[case]
    with pytest.raises(UsageError, match=line):
        check_spec(values, "mine.toml")


@pytest.mark.parametrize("name", ["nil_success", "experiments/nil_success.toml"])
def test_an_experiment_that_comes_along_is_known_by_name_anywhere(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read_experiment(name) == SPECS[ROOT / "experiments" / "nil_success.toml"]


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("study = 'nil_success'\nsweep = 'a'", {}, "'sweep' is next to 'study', but a file holds one experiment"),
        ("whatif = ['a']\ntune = 'b'", {}, "'whatif' is next to 'tune'"),
        ("whatif = ['a']", {"games": 9}, "--games does not go with .*, for a whatif has none; leave it out"),
        (None, {}, "cannot read the experiment file .*nil_sucess.*; did you mean 'nil_success'"),
    ],
)
def test_what_does_not_go_together_is_told_in_one_line(text, given, expected, tmp_path):
    file = tmp_path / "nil_sucess.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError, match=expected) as raised:
        read_experiment(str(file), given)
    assert "\n" not in str(raised.value)
