"""The report: its sentences and drawings against figures made by hand, its page, and what it says of a bad folder."""

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
from pathlib import Path

import example_league
import numpy as np
import pandas as pd
import pytest
from example_league import DANGEROUS

from spadesim import league
from spadesim.cli import main
from spadesim.designs.compare.sections import finding as comparison_in_words
from spadesim.designs.league import findings
from spadesim.designs.league.sample_games import sample_games
from spadesim.designs.league.stored import StoredLeague
from spadesim.plots import charts, drawing
from spadesim.report import write_report
from spadesim.report.pages import to_html, to_markdown
from spadesim.report.svg import inline

plays = pytest.mark.many_games

FIELD = ["quick+boss", "honors+boss", "nil_tips+boss", "quick+need_or_duck"]
NAMES = [DANGEROUS, "a|b_+*c*", "cid+x"]
TABLES = example_league.tables()


# --- Sentences -------------------------------------------------------------------------------------------------------


def plain(sentence):
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def changed(name, **columns):
    """Take a table made by hand with other columns."""
    return TABLES[name].assign(**columns)


def test_lead_outside_of_chance():
    assert plain(findings.lead(TABLES["standings"], TABLES["head_to_head"])) == (
        "ann+x leads: it won 50.0 % (46.0 … 54.0 %) of its games. Its lead of 20.00 percentage points (14.00 … 26.00)"
        " over bob+x, the next, is outside of chance (p < 0.001, adjusted for 3 pairs)."
    )


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"p_holm": 0.05}, "may be chance (p = 0.050, adjusted for 3 pairs)."),
        ({"p_holm": 0.0494}, "is outside of chance (p = 0.049, adjusted for 3 pairs)."),
        ({"p_holm": np.nan}, "Whether its lead over bob+x, the next, is more than chance cannot be told."),
        (
            {"win_share_difference": 0.0},
            "ann+x and bob+x share the lead: each won 50.0 % (46.0 … 54.0 %) of its games.",
        ),
        ({"other": "dan+x"}, "It met bob+x, the next, at no table, so the two are not compared."),
    ],
)
def test_lead_that_is_none(columns, said):
    assert plain(findings.lead(TABLES["standings"], changed("head_to_head", **columns))).endswith(said)


def test_pairs():
    assert plain(findings.pairs(TABLES["head_to_head"])) == (
        "ann+x ended ahead of cid+x in 70.0 % (66.0 … 74.0 %) of their games, the most one-sided pair. In win share"
        " bob+x and cid+x are the closest. Of 3 pairs, 2 differ in it outside of chance (p < 0.05, adjusted for their"
        " number)."
    )
    assert plain(findings.pairs(TABLES["head_to_head"].iloc[[0, 2]])) == (
        "ann+x ended ahead of bob+x in 60.0 % (56.0 … 64.0 %) of their games."
    )


def test_calibration_leaves_out_nils():
    # ann: 20 deals with a bid of 3 and a mean of 4, 20 with a bid of 5 and a mean of 5
    assert findings.distances(TABLES["calibration"]).to_dict() == {"ann+x": 0.5, "bob+x": 0.0, "cid+x": 3.0}
    assert findings.calibrated(TABLES["calibration"]) == (
        "bob+x is the closest calibrated: bid by bid, its mean tricks are 0.00 from what it bid; those of cid+x are"
        " furthest, 3.00."
    )


def test_distances_do_not_cancel_out_between_bids():
    frame = pd.DataFrame({"bot": "ann+x", "bid": [3, 5], "taken": [4, 4], "deals": [10, 30]})
    assert findings.distances(frame).to_dict() == {"ann+x": 1.0}


def test_only_nils_have_no_distance():
    assert findings.calibrated(TABLES["calibration"].query("bid == 0")) == ""


def test_bids():
    # ann: (20 · 3 + 20 · 5) / 50 bid, (5 · 2 + 10 · 3 + 10 · 5 + 20 · 5) / 50 taken
    assert findings.bids(TABLES["calibration"]) == (
        "bob+x bids 4.00 tricks a deal and takes 4.00, the highest bids; cid+x bids 2.00 and takes 5.00, the lowest."
    )
    assert (
        findings.bids(TABLES["calibration"].query("bot == 'ann+x'")) == "ann+x bids 3.20 tricks a deal and takes 3.80."
    )


def test_nils():
    assert plain(findings.nils(TABLES["nils"])) == (
        "The field made 340 of its 500 nils, 68.0 %. The surest were those of ann+x, 75.0 % (70.0 … 80.0 %) of 400, the"
        " least sure those of bob+x, 40.0 % (35.0 … 45.0 %) of 100."
    )
    few = changed("nils", nil_bids=[400, 99, 0], nil_made=[300, 40, 0])
    assert plain(findings.nils(few)) == "The field made 340 of its 499 nils, 68.1 %."
    assert findings.nils(changed("nils", nil_bids=0, nil_made=0)) == "No bot bid nil."


def test_bags():
    assert findings.bags(TABLES["bags"]) == (
        "Bags cost bob+x the most, 80.0 points a game, with 2.00 bags a deal; they cost ann+x the least, 10.0 points."
    )
    assert findings.bags(changed("bags", penalty_points_per_game=0.0)) == "Bags cost no bot a point."
    assert findings.bags(changed("bags", penalty_points_per_game=-7.0)) == "Bags cost every bot 7.0 points a game."


def test_seats():
    assert findings.seats(TABLES["seats"]) == (
        "Seats are alike but for chance: the widest difference between two seats of a bot is 4.0 percentage points, of"
        " ann+x."
    )


def test_orders_weigh_bots_by_their_deals():
    assert findings.orders(TABLES["orders"]) == (
        "Bidding last is worth +3.00 points a deal against bidding first, over the whole field: +6.00 to cid+x, the"
        " most, and +0.00 to bob+x, the least."
    )
    uneven = changed("orders", deals=[2000] * 3 + [1000] * 6)
    assert "worth +3.00 points" in findings.orders(uneven)  # (2 · 3 + 0 + 6) / 4


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("level", "ann+x and bob+x are level: neither wins 1 in a hundred games more than the other."),
        ("bob+x", "bob+x is better than ann+x."),
        ("ann+x", "ann+x is better than bob+x."),
        ("undecided", "Whether ann+x or bob+x is better is undecided."),
    ],
)
def test_comparison(verdict, said):
    assert plain(comparison_in_words(example_league.comparison(verdict), 0.01)) == (
        f"{said} They won 50.0 % and 30.0 % of 1,200 games each, a difference of 20.00 percentage points"
        " (10.00 … 30.00)."
    )


def test_what_was_played():
    result = example_league.league()
    assert plain(findings.played(result, 1)) == (
        "3 bots met at 1 table, by the rules cutthroat, for 600 games in all. Intervals are for 95 %, from 100 streams"
        " of deals that all tables and seatings shared."
    )
    result.tables["standings"]["capped"] = 6
    result.tally.looked_at = True
    said = findings.played(result, 1)
    assert "6 games went on for too long and had no winner." in said
    assert said.endswith("Those of win shares hold however often one looks.")


def test_faults():
    assert findings.faults(TABLES["standings"]) == ""
    assert findings.faults(changed("standings", faults=[0, 2, 1])) == (
        " bob+x gave 2 illegal answers, cid+x gave 1 illegal answer."
    )


def test_game():
    record = example_league.record()
    assert findings.game(record) == (
        "Game 7: ann+x in seat 0 won after 2 deals; final scores ann+x 210, bob+x 50, cid+x 120."
    )
    assert findings.game(record | {"winner": None}).startswith("Game 7: nobody won after 2 deals;")


# --- Plots -----------------------------------------------------------------------------------------------------------

PLOTS = sorted(name for name in dir(example_league.league()) if name.startswith("plot_"))


@pytest.fixture
def result():
    return example_league.league()


def words(figure):
    """List all that is written in a figure."""
    figure.draw_without_rendering()
    return [text.get_text() for text in figure.findobj(lambda part: hasattr(part, "get_text")) if text.get_text()]


def dots(axes):
    """Read the points of a plot of rows, and how far their intervals reach; those that are not drawn are left out."""
    found = []
    for line, _, (bars,) in axes.containers:
        known = [point for point in line.get_xydata() if not np.isnan(point[0])]
        ends = [segment[:, 0] for segment in bars.get_segments() if len(segment)]
        found += [(*point, *end) for point, end in zip(known, ends, strict=True)]
    return np.array(found)


@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_has_a_title_and_units(name, result):
    figure = getattr(result, name)()
    assert len(figure.get_suptitle().split()) > 2
    axes = figure.axes[0]
    label = figure.get_supxlabel() or axes.get_xlabel()
    assert re.search(r"%|points|tricks|number", label)
    assert figure.patch.get_alpha() == 0 or figure.get_facecolor()[3] == 0


def test_plots_are_documented():
    page = (Path(__file__).parents[2] / "docs" / "REPORT.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(plot_\w+)` \|", page, re.M)) == PLOTS


def test_there_are_plots_for_all_that_a_league_tells():
    subjects = ["bags", "bids", "calibration", "head_to_head", "nils", "orders", "seats", "standings"]
    assert [name.removeprefix("plot_") for name in PLOTS] == subjects


def test_standings_show_shares_and_intervals(result):
    figure = result.plot_standings()
    expected = [(50, 0, 46, 54), (30, 1, 26, 34), (20, 2, 16, 24)]
    assert dots(figure.axes[0]) == pytest.approx(np.array(expected))
    assert {"50.0 ± 4.0", "30.0 ± 4.0", "20.0 ± 4.0"} < set(words(figure))


def test_nils_show_their_counts(result):
    figure = result.plot_nils()
    assert dots(figure.axes[0]) == pytest.approx(np.array([(75, 0, 70, 80), (40, 1, 35, 45)]))
    assert {"300 of 400", "40 of 100", "none bid"} < set(words(figure))


def test_bags_show_costs_with_intervals(result):
    # a penalty costs 100 points, so 0.1 ∓ 0.02 penalties a game are 10 ∓ 2 points
    figure = result.plot_bags()
    expected = [(10, 0, 8, 12), (80, 1, 78, 82), (30, 2, 28, 32)]
    assert dots(figure.axes[0]) == pytest.approx(np.array(expected))


def test_seats_and_orders_stand_side_by_side(result):
    shares = dots(result.plot_seats().axes[0])
    assert shares[:, 0] == pytest.approx(100 * TABLES["seats"].sort_values(["seat"], kind="stable")["win_share"])
    assert np.round(shares[:, 1]).tolist() == [0, 1, 2] * 3
    points = [line.get_xdata() for line in result.plot_orders().axes[0].lines]
    assert [list(heights) for heights in points] == [[30, 20, 10], [31, 20, 12], [33, 20, 16]]


def test_heat_map_shows_the_share_of_the_row(result):
    (axes,) = result.plot_head_to_head().axes
    shown = {text.get_position(): text.get_text() for text in axes.texts}
    assert shown == {(1, 0): "60", (2, 0): "70", (0, 1): "39", (2, 1): "55", (0, 2): "29", (1, 2): "44"}


def test_calibration_shows_cells_and_means(result):
    axes = result.plot_calibration().axes[0]
    (cells,) = axes.collections
    corners = [tuple(path.vertices[:-1].mean(0)) for path in cells.get_paths()]
    assert corners == [(0, 0), (0, 2), (3, 3), (3, 5), (5, 5)]
    strengths = cells.get_facecolor()[:, 3]
    assert strengths / strengths[-1] == pytest.approx([0.25, 0.25, 0.5, 0.5, 1])
    diagonal, means = axes.lines
    assert means.get_xydata().tolist() == [[0, 1], [3, 4], [5, 5]]


def test_bids_show_per_cent_of_deals(result):
    axes = result.plot_bids().axes[0]
    assert [bar.get_height() for bar in axes.patches[:6]] == [20, 0, 0, 40, 0, 40]
    assert axes.patches[-1].get_data().values.tolist() == [10, 0, 10, 20, 0, 60]


def test_score_path_starts_at_nothing():
    (axes,) = charts.score_path(example_league.record(), target=200).axes
    assert [line.get_ydata().tolist() for line in axes.lines[:3]] == [[0, 40, 210], [0, -20, 50], [0, 10, 120]]
    assert axes.lines[3].get_ydata() == [200, 200]


def test_sides_have_one_path_each():
    record = example_league.record() | {"sides": [[0, 2], [1, 3]], "seats": ["ann+x", "bob+x"] * 2}
    (axes,) = charts.score_path(record).axes
    assert [line.get_label() for line in axes.lines] == ["seat 0 ann+x", "seat 1 bob+x"]


def test_all_plots_have_the_bots_in_the_order_of_the_standings(result):
    backwards = {name: frame.sort_values("bot", ascending=False, kind="stable") for name, frame in TABLES.items()}
    backwards["standings"] = TABLES["standings"]
    turned = example_league.league(made=backwards)
    for name in PLOTS:
        assert drawing.to_svg(getattr(turned, name)(), "x") == drawing.to_svg(getattr(result, name)(), "x")


def test_long_names_are_cut_and_stay_apart():
    long = [f"honors:ace=0.9:king=0.{i}:queen=0.25:jack=0.1+need_or_duck" for i in range(3)]
    labels = [label for label in words(example_league.league(long).plot_standings()) if "duck" in label]
    assert len(set(labels)) == 3
    assert max(map(len, labels)) <= 26


def test_names_of_any_letters_are_drawn(recwarn):
    bots = ["日本+x", "a\x1b[0m\n$b$+x", "🂡&amp;<b>+x"]
    material = example_league.material(bots=bots)
    page = Page(to_html(material))
    assert {"1 日本+x", "2 a\ufffd[0m\ufffd$b$+x", "3 🂡&amp;<b>+x"} <= {element["text"] for element in page.all("text")}
    assert not recwarn.list


def luminance(colour):
    """Return the relative luminance of a colour (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", ["#ffffff", "#15171b"])
def test_colours_stand_out_from_light_and_dark_pages(page):
    for colour in (*drawing.COLOURS, drawing.INK):
        assert contrast(colour, page) >= 3, colour


def test_the_contrast_of_black_and_white_is_the_known_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_a_notebook_gets_svg(result):
    svg = result.plot_standings()._repr_svg_()
    assert svg.startswith("<?xml")
    assert "ann+x" in svg


def test_importing_leagues_does_not_import_matplotlib():
    code = "import sys, spadesim.designs.league.play, spadesim.cli"
    code += "; print('matplotlib' in sys.modules, 'jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


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


def test_a_large_field_stays_small_enough():
    bots = [f"bidder_{i}+player" for i in range(20)]
    cells = pd.DataFrame(
        [(bot, bid, taken, 1000) for bot, bid, taken in product(bots, range(18), range(18))],
        columns=["bot", "bid", "taken", "deals"],
    )
    text = page_of(made=example_league.tables() | {"calibration": cells})
    assert len(text.encode()) < 3_000_000
    assert ", the first 2,000 of 6,480 rows</summary>" in text


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


@plays
def test_run_stopped_in_its_first_table_has_a_report(mine, report):
    change_manifest(mine, state="running")
    for path in sorted((mine / "shards").glob("*.npz"))[1:]:
        path.unlink()
    code, _, errors = report(mine)
    assert (code, len(errors.splitlines())) == (0, 1)
    assert "nan" not in re.sub(r"<[^>]*>", "", (mine / "report.html").read_text().split("<main")[1])


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
