"""The report: its page, and what it says of a bad folder."""

import base64
import hashlib
import html
import io
import json
import os
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from itertools import product

import example_league
import numpy as np
import pandas as pd
import pytest
from example_league import DANGEROUS
from whole_proof import whole

from spadesim import league
from spadesim.cli import main
from spadesim.designs.league import findings
from spadesim.designs.league.sample_games import sample_games
from spadesim.designs.league.stored import StoredLeague
from spadesim.report import write_report
from spadesim.report.pages import to_html, to_markdown
from spadesim.report.svg import inline

plays = pytest.mark.many_games

FIELD = ["quick+boss", "honors+boss", "nil_tips+boss", "quick+need_or_duck"]
NAMES = [DANGEROUS, "a|b_+*c*", "cid+x"]
TABLES = example_league.tables()


def plain(sentence):
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


# --- The page --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Read a page: its elements in a row, each with the words right inside it."""

    VOID = ("meta", "link", "wbr", "br", "img", "path", "use")

    def __init__(self, text):
        super().__init__()
        self.elements, self._open = [], []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "text": "", "inside": [outer["tag"] for outer in self._open]} | dict(attributes)
        self.elements.append(element)
        if tag not in self.VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.elements.append({"tag": tag, "text": "", "inside": []} | dict(attributes))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self._open.pop()["tag"] == tag

    def handle_data(self, data):
        if self._open:
            self._open[-1]["text"] += data

    def all(self, *tags):
        return [element for element in self.elements if element["tag"] in tags]


def page_of(**changes):
    return to_html(example_league.material(**changes))


@pytest.fixture(scope="module")
def page():
    return Page(page_of(notes=["the run is partial: 600 games finished so far"], records=[example_league.record()]))


def test_page_has_a_section_for_all_that_a_report_tells(page):
    headings = [heading["text"] for heading in page.all("h2")]
    assert headings == [
        "Summary", "Standings", "Head to head", "Calibration", "Bids and tricks", "Nils", "Bags", "Seats",
        "Places in the bidding", "Sample games", "What was played",
    ]  # fmt: skip


def test_page_shows_every_table_and_the_spec(page):
    shown = {box["aria-label"].removeprefix("Table ") for box in page.all("div") if "aria-label" in box}
    assert set(TABLES) | {"spec", "run"} <= shown


def test_summary_has_the_sentences(page):
    said = [plain(item["text"]) for item in page.all("dd")]
    assert said[0] == plain(findings.lead(TABLES["standings"], TABLES["head_to_head"]))
    assert findings.bags(TABLES["bags"]) in said
    assert len(said) == 8


def test_page_says_that_the_run_is_partial(page):
    (note,) = [paragraph for paragraph in page.all("p") if paragraph.get("role") == "note"]
    assert note["text"] == "The run is partial: 600 games finished so far."


def test_every_picture_has_alternative_text_with_its_finding(page):
    drawings = page.all("svg")
    assert len(drawings) == 9
    by_id = {element["id"]: element["text"] for element in page.elements if "id" in element}
    texts = [" ".join(by_id[name] for name in drawing["aria-labelledby"].split()) for drawing in drawings]
    assert all(drawing["role"] == "img" for drawing in drawings)
    assert "ann+x leads: it won 50.0" in texts[0]
    assert "300" not in texts[0]
    assert all(len(text) > 60 for text in texts)
    assert len(page.all("figcaption")) == len(drawings)


def test_names_of_parts_are_unique_and_links_lead_somewhere(page):
    names = [element["id"] for element in page.elements if "id" in element]
    assert len(names) == len(set(names))
    links = [element[key] for element in page.elements for key in ("href", "xlink:href") if key in element]
    assert {link for link in links if link != "data:,"} <= {f"#{name}" for name in names}


@whole
def test_page_asks_for_nothing_from_elsewhere():
    text = page_of()
    assert not re.search(r"url\((?!#)|@import|\bsrc=", text)
    assert set(re.findall(r"\w+://[^\s\"'<]*", text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_what_scrolls_can_be_reached_with_the_keyboard(page):
    boxes = [element for element in page.elements if "scroll" in element.get("class", "").split()]
    assert len(boxes) > 10
    assert all(box["tabindex"] == "0" and box["role"] == "region" and box["aria-label"] for box in boxes)


def test_the_script_is_the_one_that_the_policy_allows():
    text = page_of()
    script = re.search(r"<script>(.*?)</script>", text, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text


def test_names_show_as_text():
    text = page_of(bots=NAMES, records=[example_league.record() | {"seats": NAMES}])
    assert DANGEROUS not in text
    assert html.escape(DANGEROUS) in text
    assert {element["tag"] for element in Page(text).elements} <= {
        *"html head meta link title style script body header nav main section a h1 h2 p ul li dl dt dd pre".split(),
        *"figure figcaption details summary div table thead tbody tr th td code wbr".split(),
        *"svg desc defs g path use text clippath rect tspan".split(),
    }


def test_names_show_as_text_in_markdown():
    material = example_league.material(bots=NAMES)
    text = to_markdown(material)
    assert r"\<img src=x onerror=alert(1)\>" in text
    assert DANGEROUS not in text
    assert r"a\|b\_+\*c\*" in text


def test_markdown_has_sentences_and_tables():
    material = example_league.material(notes=["the run is partial: 600 games finished so far"])
    lines = to_markdown(material).splitlines()
    assert lines[:3] == ["# A league of 3 bots", "", "**The run is partial: 600 games finished so far.**"]
    assert findings.bags(TABLES["bags"]) in lines
    at = next(i for i, line in enumerate(lines) if line.startswith("| bot | games | wins"))
    assert lines[at + 1].startswith("|---|---:|---:|")
    assert lines[at + 2].startswith("| ann+x | 600 | 300 | 0 | 0 | 0.5000 | 0.0400 | 180.0 | 5.0 |")
    assert lines[at + 5] == ""
    assert not re.search(r"\n{3}", "\n".join(lines))


def test_comparison_has_its_section_first():
    made = {"comparison": example_league.comparison("ann+x")} | example_league.tables()
    first = example_league.material(bots=(*example_league.BOTS, "dan+x"), made=made, delta=0.01).sections[0]
    assert first.title == "Comparison"
    assert first.finding.startswith("ann+x is better than bob+x.")
    assert list(first.tables) == ["comparison"]


@whole
def test_a_large_field_stays_small_enough():
    bots = [f"bidder_{i}+player" for i in range(20)]
    cells = pd.DataFrame(
        [(bot, bid, taken, 1000) for bot, bid, taken in product(bots, range(18), range(18))],
        columns=["bot", "bid", "taken", "deals"],
    )
    text = page_of(made=example_league.tables() | {"calibration": cells})
    assert len(text.encode()) < 3_000_000
    assert ", the first 2,000 of 6,480 rows</summary>" in text


def test_names_of_any_letters_are_drawn(recwarn):
    bots = ["日本+x", "a\x1b[0m\n$b$+x", "🂡&amp;<b>+x"]
    material = example_league.material(bots=bots)
    page = Page(to_html(material))
    assert {"1 日本+x", "2 a\ufffd[0m\ufffd$b$+x", "3 🂡&amp;<b>+x"} <= {element["text"] for element in page.all("text")}
    assert not recwarn.list


def test_drawings_keep_their_parts_apart():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9pt" height="9pt">'
    svg += '<g id="unused"><path id="dot" d="M0.123456 1.5"/><use xlink:href="#dot" clip-path="url(#clip)"/></g>'
    svg += '<clipPath id="clip" fill="#757575"/></svg>'
    drawn = inline(svg, "mine", "A <title>", 'says "more"', "#757575")
    assert re.findall(r' id="([^"]*)"', drawn) == ["mine-title", "mine-description", "mine-dot", "mine-clip"]
    assert 'href="#mine-dot"' in drawn
    assert 'd="M0.12 1.5"' in drawn
    assert 'clip-path="url(#mine-clip)"' in drawn
    assert 'fill="currentColor"' in drawn
    assert "A &lt;title&gt;" in drawn


# --- A run's folder --------------------------------------------------------------------------------------------------


@pytest.fixture
def report(capsys):
    """Run the command; return its exit code, output and errors."""

    def report(*words):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main(["report", *map(str, words)])
        captured = capsys.readouterr()
        return stopped.value.code or 0, captured.out, captured.err

    return report


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Keep the folder of a small league."""
    place = tmp_path_factory.mktemp("runs") / "mine"
    league(FIELD, games=18, seed=5, out=str(place))
    return place


@pytest.fixture
def mine(kept, tmp_path):
    """Take a copy of it."""
    place = tmp_path / "mine"
    for file in kept.rglob("*"):
        if file.is_file() and not file.name.startswith("report."):
            copy = place / file.relative_to(kept)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    return place


def change_manifest(place, **changes):
    file = place / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@whole
@plays
def test_report_is_written_the_same_to_the_byte(mine, report):
    assert report(mine) == (0, f"{mine / 'report.html'}\n", "")
    assert report(mine, "--format", "md") == (0, f"{mine / 'report.md'}\n", "")
    first = [(mine / f"report.{form}").read_bytes() for form in ("html", "md")]
    code = f"from spadesim.report import write_report\nfor form in ('html', 'md'): write_report({str(mine)!r}, form)"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONHASHSEED": "7"})
    assert [(mine / f"report.{form}").read_bytes() for form in ("html", "md")] == first
    assert not list(mine.glob(".unfinished-*"))


@plays
def test_report_of_a_run_agrees_with_its_tables(mine):
    write_report(str(mine))
    page = Page((mine / "report.html").read_text())
    leader = pd.read_csv(mine / "standings.csv").iloc[0]
    assert page.all("dd")[0]["text"].startswith(f"{leader['bot']} leads: it won {100 * leader['win_share']:.1f}")
    assert "4 bots met at 4 tables, by the rules cutthroat, for 72 games in all." in page.all("p")[0]["text"]


@plays
def test_sample_games_are_the_run_s_own(mine, capsys):
    run = StoredLeague.at(str(mine))
    games = sample_games(run, run.result().standings)
    assert [record["game"] for record in games.records] == [0, 7, 14]
    write_report(str(mine))
    texts = [element["text"] for element in Page((mine / "report.html").read_text()).all("pre")]
    for text in texts:
        command, _, shown = text.partition("\n\n")
        capsys.readouterr()
        with pytest.raises(SystemExit):
            main(shlex.split(command)[1:])
        assert capsys.readouterr().out == f"{shown}\n"
    places = {bot: place for place, bot in enumerate(run.result().standings["bot"])}
    assert sorted(places[bot] for bot in games.records[0]["seats"]) == [0, 1, 2]


@plays
def test_partial_run_says_so(mine, report):
    change_manifest(mine, state="partial")
    for form in ("html", "md"):
        code, _, errors = report(mine, "--format", form)
        assert (code, errors) == (0, "spadesim: the run is partial: 72 games finished so far\n")
        assert "The run is partial: 72 games finished so far" in (mine / f"report.{form}").read_text()


@whole
@plays
def test_run_stopped_in_its_first_table_has_a_report(mine, report):
    change_manifest(mine, state="running")
    for path in sorted((mine / "shards").glob("*.npz"))[1:]:
        path.unlink()
    code, _, errors = report(mine)
    assert (code, len(errors.splitlines())) == (0, 1)
    assert "nan" not in re.sub(r"<[^>]*>", "", (mine / "report.html").read_text().split("<main")[1])


@whole
@plays
def test_run_in_which_every_game_is_forfeited_has_a_report(tmp_path, report):
    place = tmp_path / "mine"
    bots = ["fixed:bid=18+boss", "quick+boss", "honors+boss"]
    league(bots, games=12, on_fault="forfeit", out=str(place))
    assert report(place)[::2] == (0, "")
    page = Page((place / "report.html").read_text())
    assert "fixed:bid=18+boss gave 12 illegal answers." in page.all("dd")[0]["text"]
    assert "Calibration" not in [heading["text"] for heading in page.all("h2")]
    assert page.all("pre")[0]["text"].splitlines()[-1].startswith("fault: seat 0 fixed:bid=18+boss answered 18;")


@whole
@plays
def test_name_that_a_parameter_makes_shows_as_text(tmp_path):
    file = tmp_path / "own.py"
    source = "from spadesim import bidder\n@bidder(kind='python')\ndef own(view, *, label='x'):\n    return 4\n"
    file.write_text(source)
    bot = f"own:label={DANGEROUS}+boss"
    league([bot, "quick+boss", "honors+boss"], games=6, out=str(tmp_path / "mine"), load=[str(file)])
    text = write_report(str(tmp_path / "mine"))[0].read_text()
    assert DANGEROUS not in text
    assert any(heading["text"] == bot for heading in Page(text).all("th"))


@whole
@plays
def test_table_that_was_not_finished_is_named_and_shows_no_game(mine, report):
    ranked = pd.read_csv(mine / "standings.csv")["bot"].tolist()
    leading = [bot for bot in FIELD if bot in ranked[:3]]  # tables have their bots in the order of the field
    change_manifest(mine, state="partial", failures=[{"table": leading, "reason": "it never came back"}])
    errors = report(mine, "--format", "md")[2].splitlines()
    assert errors[1:] == [f"spadesim: the table {', '.join(leading)} could not be finished: it never came back"]
    run = StoredLeague.at(str(mine))
    at_table = set(sample_games(run, run.result().standings).records[0]["seats"])
    assert at_table == {ranked[0], ranked[1], ranked[3]}


@plays
def test_strategy_that_is_gone_or_changed_costs_only_the_games(tmp_path, report):
    file = tmp_path / "own.py"
    source = "from spadesim import bidder\n@bidder\ndef own(view):\n    return 4\n"
    file.write_text(source)
    place = tmp_path / "mine"
    league(["own+boss", "quick+boss", "honors+boss"], games=6, out=str(place), load=[str(file)])
    file.write_text(source.replace("4", "3"))
    assert report(place)[0] == 0
    assert "No game can be shown: bidder own has changed since the run." in (place / "report.html").read_text()
    file.unlink()
    assert report(place)[0] == 0
    assert re.search("No game can be shown: .*own.py", (place / "report.html").read_text())


def without_array(data):
    """Take one of its arrays out of a shard."""
    with np.load(io.BytesIO(data)) as file:
        arrays = {name: file[name] for name in file.files if name != "bid_made"}
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def with_longer_array(data):
    """Add a column to a shard."""
    with np.load(io.BytesIO(data)) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["bid_deals"] = np.concatenate([arrays["bid_deals"]] * 2, axis=-1)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def rewrite_shards(change):
    """Change what is in each shard, and name it rightly."""

    def rewrite(place):
        change_manifest(place, versions={"spadesim": "0.0.9"})
        for path in (place / "shards").glob("*.npz"):
            data = change(path.read_bytes())
            path.unlink()
            name = path.stem.rpartition("-")[0]
            path.with_name(f"{name}-{hashlib.sha256(data).hexdigest()[:32]}.npz").write_bytes(data)

    return rewrite


def damage(place):
    path = next((place / "shards").glob("*.npz"))
    path.write_bytes(path.read_bytes()[:-9])


def empty(place):
    for path in (place / "shards").glob("*.npz"):
        path.unlink()


def without_key(place):
    manifest = json.loads((place / "manifest.json").read_text())
    del manifest["texts"]
    (place / "manifest.json").write_text(json.dumps(manifest))


def of_another_spec(place):
    spec = json.loads((place / "manifest.json").read_text())["spec"]
    change_manifest(place, spec=spec | {"moon": "full"}, versions={"spadesim": "9.9.9"})


def text_in(text):
    return lambda place: (place / "manifest.json").write_text(text)


BROKEN = {
    "no_json": (text_in("{"), "cannot be read; it was changed or is damaged"),
    "a_list": (text_in("[]"), "cannot be read; it was changed or is damaged"),
    "empty_object": (text_in("{}"), "is of an older version of spadesim; play it again in a new folder"),
    "a_key_less": (without_key, "is of an older version of spadesim; play it again in a new folder"),
    "a_wrong_type": (
        lambda place: change_manifest(place, games_a_table="many"), "cannot be read; it was changed or is damaged",
    ),
    "another_failure": (
        lambda place: change_manifest(place, failures=[{"table": 1}]), "cannot be read; it was changed or is damaged",
    ),
    "no_bots": (lambda place: change_manifest(place, bots=[]), "cannot be read: it was changed"),
    "less_than_no_games": (lambda place: change_manifest(place, games_a_table=-1), "cannot be read: it was changed"),
    "another_spec": (of_another_spec, "was played by spadesim 9.9.9, and this is .* play it again in a new folder"),
    "other_arrays": (rewrite_shards(without_array), "was played by spadesim 0.0.9, and this is .* in a new folder"),
    "other_shapes": (rewrite_shards(with_longer_array), "was played by spadesim 0.0.9, and this is .* in a new folder"),
    "damaged_shard": (damage, r"\.npz is damaged; the run's own command with --resume plays it again"),
    "no_shards": (empty, "nothing has been played yet in .*; its own command with --resume goes on"),
}  # fmt: skip


@plays
@pytest.mark.parametrize("name", BROKEN)
def test_folder_that_cannot_be_read_is_told_in_one_line(name, mine, report):
    breaks, said = BROKEN[name]
    breaks(mine)
    before = {path: path.read_bytes() for path in mine.rglob("*") if path.is_file()}
    code, out, errors = report(mine)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"spadesim: .*{said}.*\n", errors), errors
    assert {path: path.read_bytes() for path in mine.rglob("*") if path.is_file()} == before


def test_no_folder_is_told_in_one_line(tmp_path, report):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    for name, said in {
        "none": "the folder '.*none' holds no run: it is not there; expected one that --out named",
        "empty": "the folder '.*empty' holds no run: it has no manifest.json",
        "file": "'.*file' cannot be read: it is a file; expected the folder of a run",
    }.items():
        code, out, errors = report(tmp_path / name)
        assert (code, out) == (2, "")
        assert re.fullmatch(f"spadesim: {said}\n", errors)
    assert {path.name for path in tmp_path.rglob("*")} == {"empty", "file"}


def test_format_that_does_not_exist_is_told_in_one_line(tmp_path, report):
    code, _, errors = report(tmp_path, "--format", "pdf")
    assert code == 2
    assert len(errors.splitlines()) == 1


# --- Designs without sections of their own ---------------------------------------------------------------------------


@pytest.fixture
def study(tmp_path):
    """Make the folder of a study, of which only its tables are known."""
    manifest = {"state": "complete", "kind": "study", "spec": {"study": "nil_success", "games": 60}, "rules": {}}
    manifest |= {"sources": {}, "engine": "", "versions": {"spadesim": "0.1.0"}, "failures": [], "seconds": 1.0}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    frame = pd.DataFrame({"setting": [DANGEROUS, "b"], "points": [1.25, np.nan], "points_low": 1.0, "points_high": 1.5})
    frame.to_csv(tmp_path / "settings.csv", index=False)
    for name in ("best_one", "summary"):
        pd.DataFrame({"setting": ["b"], "games": [60]}).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_tables_without_a_section_have_one_each(study, report):
    assert report(study) == (0, f"{study / 'report.html'}\n", "")
    page = Page((study / "report.html").read_text())
    assert [heading["text"] for heading in page.all("h2")] == ["Best one", "Settings", "Summary", "What was played"]
    cells = [cell["text"] for cell in page.all("th", "td")]
    assert {DANGEROUS, "1.25", "0.25", "-"} <= set(cells)
    names = [element["id"] for element in page.elements if "id" in element]
    assert len(names) == len(set(names))


def test_open_shows_the_file_in_a_browser(study, report, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    report(study, "--open")
    assert opened == [(study / "report.html").as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    assert report(study, "--open")[2] == "spadesim: no browser was found; open the file in one of your own\n"


def test_long_tables_are_cut(study, report):
    pd.DataFrame({"hand": np.arange(300_000)}).to_csv(study / "hands.csv", index=False)
    report(study)
    assert "the first 2,000 of 300,000 rows" in (study / "report.html").read_text()
    assert (study / "report.html").stat().st_size < 300_000
    report(study, "--format", "md")
    assert "Table `hands` has 300,000 rows: see `hands.csv`." in (study / "report.md").read_text()


def test_studies_are_told_in_one_line_too(study, report):
    change_manifest(study, state="partial")
    assert report(study)[2] == "spadesim: the run is partial: its tables show what is finished\n"
    (study / "settings.csv").write_text("")
    code, _, errors = report(study)
    assert (code, len(errors.splitlines())) == (2, 1)
    for path in study.glob("*.csv"):
        path.unlink()
    code, _, errors = report(study)
    assert code == 2
    assert re.fullmatch("spadesim: there are no tables in .* yet; .*\n", errors)
