"""The documentation and the program name the same things: commands, options, columns, fields, strategies, rules."""

import json
import re
import shlex
import sys
from pathlib import Path

import click
import pandas as pd
import pytest
from click.testing import CliRunner
from whole_proof import whole

from spadesim import cards, features, league, play_game, study
from spadesim.bots.loading import load_file
from spadesim.bots.registry import ENTRY_POINTS, find_strategies
from spadesim.cli.app import cli, main
from spadesim.designs import find_designs
from spadesim.designs.files import read_experiment
from spadesim.designs.league.spec import LeagueSpec
from spadesim.engine.game.views import BID_FIELDS, PLAY_FIELDS
from spadesim.rules import Rules

ROOT = Path(__file__).parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = {path.name: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *DOCS]}
PAGE_NAMES = ("STRATEGIES", "TABLES", "STUDIES", "RULES", "README")
STRATEGIES, TABLES, STUDIES, RULES, README = (PAGES[f"{name}.md"] for name in PAGE_NAMES)
STUDY_FILES = [path.stem for path in sorted((ROOT / "experiments").glob("*.toml")) if "study =" in path.read_text()]
SOURCES = [path for folder in ("spadesim", "strategies") for path in sorted((ROOT / folder).rglob("*.py"))]
BUILT_IN = find_strategies()

plays = pytest.mark.many_games


# --- Reading a page --------------------------------------------------------------------------------------------------


def section(page, heading):
    """Cut out what stands under a heading, up to the next of any level."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", page, re.M | re.S)
    assert found, f"no heading {heading!r}"
    return found[1]


def table(page, first_header):
    """Read the rows of the one table whose first column is headed so, each row a list of cells."""
    blocks = re.findall(r"(?:^\|.*\n?)+", page, re.M)
    (block,) = [block for block in blocks if cells(block.splitlines()[0])[0] == first_header]
    return [cells(line) for line in block.splitlines()[2:]]


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def named(cell):
    """List what stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def first_column(page, first_header):
    return [name for row in table(page, first_header) for name in named(row[0])]


def code_blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def test_the_reader_finds_cells_and_names():
    page = "| field | what |\n|---|---|\n| `a`, `b` | x \\| y |\n\n| other |\n|---|\n| `c` |\n"
    assert table(page, "field") == [["`a`, `b`", "x \\| y"]]
    assert first_column(page, "field") == ["a", "b"]
    assert first_column(page, "other") == ["c"]


# --- The command line ------------------------------------------------------------------------------------------------


def parameters_of(command):
    """List the parameters of a command, those included that all designs have."""
    return cli.commands[command].get_params(click.Context(cli.commands[command]))


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_command_is_documented(command):
    assert any(f"spadesim {command}" in page for page in PAGES.values())


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_help_of_command_shows_every_option_and_says_what_it_does(command):
    shown = CliRunner().invoke(cli, [command, "--help"], prog_name="spadesim").output
    for parameter in parameters_of(command):
        if isinstance(parameter, click.Option):
            assert all(re.search(rf"{option}\b", shown) for option in parameter.opts)
        else:
            assert parameter.make_metavar(click.Context(cli.commands[command])) in shown
    assert f"spadesim {command}" in shown.split("Options:")[0].split("\n", 1)[1]  # an example


def test_every_option_says_what_it_does():
    parameters = [parameter for command in cli.commands for parameter in parameters_of(command)]
    options = [parameter for parameter in parameters if isinstance(parameter, click.Option)]
    assert all(option.help for option in options)


def test_commands_and_options_of_the_pages_exist():
    options = {option for command in cli.commands for parameter in parameters_of(command) for option in parameter.opts}
    for name, page in PAGES.items():
        written = re.findall(r"(?:`|^|\| )spadesim ([a-z]+)", page, re.M)
        assert set(written) <= set(cli.commands), name
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page)) <= options | {"--help"}, name


# --- Strategies ------------------------------------------------------------------------------------------------------


def test_every_view_field_is_documented_with_who_sees_it():
    who = {field: "both" if field in BID_FIELDS else "players" for field in PLAY_FIELDS}
    who |= {field: "bidders" for field in BID_FIELDS if field not in PLAY_FIELDS}
    assert {name: row[1] for row in table(STRATEGIES, "field") for name in named(row[0])} == who


def test_per_seat_fields_are_documented_as_tuples():
    from spadesim.testing import view

    per_seat = {field for field, value in vars(view(hand="AS")).items() if isinstance(value, tuple)}
    assert {named(row[0])[0] for row in table(STRATEGIES, "field") if row[2].startswith("tuple")} == per_seat


def test_every_built_in_strategy_and_parameter_is_documented():
    documented = {(row[1], named(row[0])[0]): named(row[3]) for row in table(STRATEGIES, "name")}
    strategies = [*BUILT_IN.bidder.values(), *BUILT_IN.player.values()]
    assert documented == {
        (strategy.role, strategy.name): [f"{name}={default}" for name, default in strategy.parameters.items()]
        for strategy in strategies
    }


def test_every_helper_of_cards_is_documented():
    text = section(STRATEGIES, "Cards")
    helpers = {name for name, value in vars(cards).items() if callable(value) and value.__module__ == cards.__name__}
    rows = [row for part in text.split("\n\n") if part.startswith("| helper") for row in table(part, "helper")]
    assert {name.split("(")[0] for row in rows for name in named(row[0])} == {
        name for name in helpers if not name.startswith("_")
    }
    for name in first_column(text, "constant"):
        assert isinstance(getattr(cards, name), int | tuple)


def test_entry_point_group_is_documented():
    assert f'[project.entry-points."{ENTRY_POINTS}"]' in STRATEGIES


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Save the Python blocks of docs/STRATEGIES.md under the names in their first lines; return the names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    names = []
    for block in code_blocks(STRATEGIES, "python"):
        names.append(re.match(r"# (\w+\.py)\n", block)[1])
        Path(names[-1]).write_text(block, encoding="utf-8")
    return names


@whole
@plays
def test_code_of_the_strategies_page_runs(files):
    tests = 0
    for file in files:
        module = load_file(file)
        for name, value in vars(module).items():
            if name.startswith("test_"):
                value()
                tests += 1
        play_all_of(file)
    assert tests >= 3


def play_all_of(file):
    """Play a small league of all that a file declares."""
    registry, module = find_strategies(), load_file(file)
    registry.add_module(module)
    bots = [
        f"{name}+lowest" for name in registry.bidder if registry.bidder[name].function.__module__ == module.__name__
    ]
    bots += [
        f"quick+{name}" for name in registry.player if registry.player[name].function.__module__ == module.__name__
    ]
    bots += getattr(module, "__spadesim_bots__", {})
    if bots:
        result = league([*bots, "quick+lowest", "quick+lowest"], games=6, load=[file])
        assert result.standings["faults"].sum() == 0


@whole
@plays
def test_commands_of_the_strategies_page_run(files, capsys):
    lines = [line for block in code_blocks(STRATEGIES, "sh") for line in block.splitlines()]
    assert len(lines) >= 5
    for line in lines:
        with pytest.raises(SystemExit) as stopped:
            main(shlex.split(line)[1:])
        assert not stopped.value.code, (line, capsys.readouterr().err)


@plays
def test_code_of_the_readme_runs(tmp_path, monkeypatch):
    blocks = code_blocks(README, "python")
    if not blocks:
        pytest.skip("README.md has no Python code yet")
    monkeypatch.chdir(tmp_path)
    for i, block in enumerate(blocks):
        file = Path(f"readme_block_{i}.py")
        file.write_text(block, encoding="utf-8")
        load_file(str(file))
        play_all_of(str(file))


# --- Tables and records ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play a tiny league into a folder; return it with its folder."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    bots = ["quick+boss", "nil_tips+boss", "honors+boss"]
    return league(bots, games=12, seed=5, out=str(folder), log="deals"), folder


@plays
def test_every_column_of_every_table_is_documented(played):
    result, _ = played
    for name, frame in result.tables.items():
        assert first_column(section(TABLES, f"`{name}`"), "column") == list(frame.columns), name


@plays
def test_no_other_table_is_documented(played):
    assert re.findall(r"^### `(\w+)`$", TABLES, re.M) == [*played[0].tables, "comparison"]


@plays
def test_every_column_of_the_log_is_documented_with_its_type(played):
    log = pd.read_parquet(played[1] / "deals")
    documented = {named(row[0])[0]: row[1] for row in table(section(TABLES, "The log of deals"), "column")}
    assert documented == {name: str(dtype) for name, dtype in log.dtypes.items()}


@plays
def test_every_figure_of_a_hand_is_documented(played):
    log = pd.read_parquet(played[1] / "deals")
    figures = [name for row in table(section(TABLES, "Figures of hands"), "figure") for name in named(row[0])]
    assert figures == [name for name in features(log) if name not in log]


@pytest.mark.parametrize("name", STUDY_FILES)
def test_every_column_of_every_study_is_documented(name):
    spec = read_experiment(str(ROOT / "experiments" / f"{name}.toml"))
    headings = re.findall(rf"^### (`{spec.study}`: .*)$", STUDIES, re.M)
    assert [table for heading in headings for table in named(heading)[1:]] == list(spec.table_names)
    for heading in headings:
        files = [ROOT / "results" / name / f"{table}.csv" for table in named(heading)[1:]]
        columns = {column for file in files for column in pd.read_csv(file)}
        assert columns == set(first_column(section(STUDIES, heading), "column")), heading


@plays
def test_study_of_the_studies_page_runs(tmp_path):
    (code,) = [block for block in code_blocks(STUDIES, "python") if block.startswith("# tricks.py")]
    (tmp_path / "tricks.py").write_text(code, encoding="utf-8")
    (tmp_path / "tricks.toml").write_text(code_blocks(STUDIES, "toml")[0], encoding="utf-8")
    result = study(str(tmp_path / "tricks.toml"), games=60)
    assert result.by_seat["variant"].tolist() == ["target=200"] * 3 + ["target=500"] * 3


@plays
def test_files_of_a_run_and_keys_of_its_manifest_are_documented(played):
    result, folder = played
    files = {path.name for path in folder.iterdir()}
    assert files == {f"{name}.csv" for name in result.tables} | {"manifest.json", "deals", "shards"}
    text = section(TABLES, "A run's folder")
    assert all(word in text for word in ("`<table>.csv`", "`manifest.json`", "`deals/`", "`shards/`"))
    rows = table(text, "key")
    assert [named(row[0])[0] for row in rows] == list(json.loads((folder / "manifest.json").read_text()))
    (of_spec,) = [row for row in rows if named(row[0]) == ["spec"]]
    assert named(of_spec[1]) == list(LeagueSpec.model_fields)
    (of_kind,) = [row for row in rows if named(row[0]) == ["kind"]]
    assert set(named(of_kind[1])) == set(find_designs())


@plays
def test_lines_of_pandas_read_what_a_league_writes(played, tmp_path, monkeypatch):
    result, folder = played
    monkeypatch.chdir(tmp_path)
    result.bids.to_csv("bids.csv", index=False)
    result.bids.to_json("bids.json", orient="records")
    lines = [line for block in code_blocks(TABLES, "python") for line in block.splitlines()]
    assert len(lines) == 4
    for line in lines:
        assert len(eval(line.replace("DIR", str(folder)), {"pandas": pd})) > 0


@plays
def test_every_key_of_a_record_is_documented():
    record = play_game(["quick+boss", "honors+boss", "quick+lowest"], seed=5)
    text = section(TABLES, "A game as JSON")
    assert first_column(text, "key of a game") == [*record, "fault"]
    assert first_column(text, "key of a deal") == list(record["deals"][0])
    assert first_column(text, "key of a trick") == list(record["deals"][0]["tricks"][0])


@plays
def test_every_key_of_a_fault_is_documented():
    record = play_game(["fixed:bid=18+boss", "quick+boss", "quick+boss"], seed=5)
    text = section(TABLES, "A game as JSON")
    assert first_column(text, "key of a fault") == list(record["fault"])
    (cut_short,) = re.findall(r"^A deal that a fault cuts short has (.*?) alone\.", text, re.M)
    assert named(cut_short) == list(record["deals"][-1])
    assert set(first_column(text, "key of a game")) == set(record)


# --- Rules -----------------------------------------------------------------------------------------------------------

CITED = re.compile(r"\bR\d+(?:\.\d+)?\b")
NUMBERED = set(re.findall(r"\*\*(R\d+\.\d+)\*\*", RULES)) | set(re.findall(r"^## (R\d+) ", RULES, re.M))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_cited_in_code_exist(path):
    assert set(CITED.findall(path.read_text(encoding="utf-8"))) <= NUMBERED


@pytest.mark.parametrize("page", sorted(PAGES))
def test_rules_cited_in_pages_exist(page):
    assert set(CITED.findall(PAGES[page])) <= NUMBERED


def test_every_field_of_rules_is_documented_with_its_value():
    documented = {
        named(row[0])[0]: row[1].strip("`") for row in table(section(RULES, "The fields of `Rules`"), "field")
    }
    values = Rules().as_dict()
    assert list(documented) == list(values)
    for name, value in values.items():
        as_json = json.dumps(list(value) if isinstance(value, tuple) else value)
        assert documented[name].replace("−", "-") == as_json, name


def test_links_between_the_pages_lead_somewhere():
    for name, page in PAGES.items():
        folder = ROOT if name == "README.md" else ROOT / "docs"
        for target, _, anchor in re.findall(r"\]\((?!http)([^)#]*)(#([^)]*))?\)", page):
            path = folder / target if target else folder / name
            assert path.exists(), (name, target)
            if anchor:
                headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
                assert anchor in {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
