"""Charts against figures that can be worked out in the head."""

import re
import subprocess
import sys
from pathlib import Path

import example_league
import numpy as np
import pytest
from whole_proof import whole

from spadesim.plots import charts, drawing

TABLES = example_league.tables()
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


@whole
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
