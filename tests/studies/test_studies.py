"""Studies: what they count against plain loops, and that they give the same bytes however they are played."""

import json
import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from play_specs import run
from scipy import stats as scipy_stats
from whole_proof import whole, whole_but

from spadesim import cards, league, play_game, study
from spadesim.designs.files import list_experiments, read_experiment
from spadesim.designs.reopen import reopen
from spadesim.designs.study.play import Part
from spadesim.designs.study.spec import StudySpec, list_studies
from spadesim.errors import UsageError
from spadesim.rules import Rules, read_rules
from spadesim.studies import overtrick_price
from spadesim.studies.kit.estimates import Counts, differences
from spadesim.studies.kit.game_features import bags_before, bids_before, points_of_bids, won
from spadesim.tournament.reporter import Reporter

plays = pytest.mark.many_games

BOTS = ["quick+boss", "nil_veto+steady", "honors+need_or_duck"]
STUDIES = sorted(
    Path(listed["file"]).stem for listed in list_experiments() if isinstance(read_experiment(listed["file"]), StudySpec)
)


def csv_in(folder):
    return {path.stem: path.read_bytes() for path in Path(folder).glob("*.csv")}


# --- Sums and intervals ----------------------------------------------------------------------------------------------

rows = st.lists(st.tuples(st.integers(0, 5), st.sampled_from("ab"), st.integers(1, 3), st.integers(0, 3)), min_size=1)


@given(rows, st.lists(st.integers(1, 40), max_size=3))
def test_counts_are_those_of_a_loop_however_the_rows_are_cut(rows, cuts):
    frame = pd.DataFrame(rows, columns=["stream", "key", "n", "made"])
    counts, ends = Counts(["key"], ["n", "made"]), sorted({min(cut, len(frame)) for cut in cuts} | {0, len(frame)})
    for start, end in zip(ends, ends[1:], strict=False):
        counts.add(frame[start:end])
    table = counts.table(means={"rate": ("made", "n")}).set_index("key")
    blocks = sorted({stream for stream, *_ in rows})
    for key in {key for _, key, *_ in rows}:
        n, made = Counter(), Counter()
        for stream, bot, number, wins in rows:
            if bot == key:
                n[stream] += number
                made[stream] += wins
        rate = sum(made.values()) / sum(n.values())
        assert (table["n"][key], table["made"][key]) == (sum(n.values()), sum(made.values()))
        assert table["rate"][key] == pytest.approx(rate)
        if len(blocks) > 1:
            spread = sum((made[block] - rate * n[block]) ** 2 for block in blocks) * len(blocks) / (len(blocks) - 1)
            half = scipy_stats.t.ppf(0.975, len(blocks) - 1) * math.sqrt(spread) / sum(n.values())
            assert table["rate_high"][key] - rate == pytest.approx(half, abs=1e-9)
            assert rate - table["rate_low"][key] == pytest.approx(half, abs=1e-9)


def test_differences_over_the_same_blocks_forget_what_both_share():
    luck = np.array([[5], [1], [9], [3]])
    games = np.full((4, 1), 10)
    found = differences((luck + 1, games), (luck, games), "more")
    assert {name: values.tolist() for name, values in found.items()} == {
        name: [pytest.approx(0.1)] for name in ("more", "more_low", "more_high")
    }


# --- What rows say only together -------------------------------------------------------------------------------------


RULES = ["cutthroat:max_deals=5", "partnership:max_deals=6", "house:fixed_deals=3:max_deals=3", "solo-4:floor=-30"]


@plays
@pytest.mark.parametrize("text", whole_but(RULES))
def test_bids_and_bags_before_and_the_winner_are_those_of_the_replays(text, tmp_path):
    rules = read_rules(text)
    bots = (BOTS * 2)[: rules.bots]
    league(bots, games=60, seed=4, rules=text, out=str(tmp_path / "run"), log="deals")
    log = pd.read_parquet(tmp_path / "run" / "deals")
    log = log.assign(bids_before=bids_before(log, rules), bags_before=bags_before(log, rules), won=won(log, rules))
    for game, rows in log.groupby("game"):
        record = play_game(bots, seed=4, game=game, rules=text)
        for row in rows.itertuples():
            deal = record["deals"][row.deal]
            first, seats = deal["dealer"] + 1, rules.players
            bids = [deal["bids"][(first + turn) % seats] for turn in range(seats)]
            assert row.bids_before == sum(bids[: (row.seat - first) % seats])
            assert row.bags_before == (
                record["deals"][row.deal - 1]["bags"][row.seat % len(deal["bags"])] if row.deal else 0
            )
            assert row.won == (record["winner"] == row.seat % rules.bots)


@whole
@plays
def test_log_is_read_in_whole_games_however_its_rows_are_stored(tmp_path):
    result = league(BOTS, games=30, seed=4, out=str(tmp_path / "run"), log="deals")
    whole = pd.read_parquet(tmp_path / "run" / "deals")
    for file in (tmp_path / "run" / "deals").iterdir():
        pq.write_table(pq.read_table(file), file, row_group_size=50)
    frames = list(Part("", result, tmp_path / "run").deals("game", "bot", "hand"))
    assert len(frames) > 3
    assert_frame_equal(pd.concat(frames, ignore_index=True), whole[["game", "bot", "hand"]])
    games = [set(frame["game"]) for frame in frames]
    assert sum(map(len, games)) == len(set().union(*games)) == 30


def test_points_without_penalties_are_exact_where_there_are_several():
    deals = pd.DataFrame({"points": [-300, -48, 52], "penalties": [2, 1, 0]}).astype(
        {"points": "int16", "penalties": "int8"}
    )
    assert points_of_bids(deals, Rules()).tolist() == [-100, 52, 52]  # R4.2 and R4.3, as in the worked examples
    assert points_of_bids(deals, Rules(bag_penalty=1000)).tolist() == [1700, 952, 52]


# --- Each study ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play each study once, with few games, into a folder of its own; return it with the folder."""
    found = {}

    def play(name):
        if name not in found:
            folder = tmp_path_factory.mktemp("studies") / name
            found[name] = study(name, games=60, seed=6, out=str(folder)), folder
        return found[name]

    return play


def rows_of(folder, variant="league"):
    """Read the whole log of a study."""
    return list(pd.read_parquet(folder / variant / "deals").astype({"bot": str, "table": str}).itertuples())


@whole
@plays
@pytest.mark.parametrize("name", STUDIES)
def test_study_gives_the_same_bytes_with_two_workers(name, played, tmp_path):
    result, folder = played(name)
    assert list(result.tables) == list(result.spec.table_names)
    assert set(csv_in(folder)) == set(result.tables)
    assert all(len(table) > 0 for table in result.tables.values())
    study(name, games=60, seed=6, workers=2, out=str(tmp_path / "two"))
    assert csv_in(tmp_path / "two") == csv_in(folder)


@plays
def test_every_module_of_studies_has_an_experiment():
    files = [listed["file"] for listed in list_experiments() if Path(listed["file"]).stem in STUDIES]
    asked = {read_experiment(file).study for file in files}
    assert asked == set(list_studies())


@whole
@plays
def test_nil_success_counts_nils_by_what_their_hands_show(played):
    result, folder = played("nil_success")
    nils, made = defaultdict(Counter), defaultdict(Counter)
    for row in rows_of(folder):
        if row.bid == 0:
            hand = cards.names(row.hand)
            spades = [card for card in hand if card[1] == "S"]
            lowest = [min((ranks_of(hand, suit)), default=0) for suit in "CDH"]
            keys = {
                "by_spades": (row.bot, len(spades)),
                "by_top_spade": (row.bot, max(ranks_of(hand, "S"), default=0)),
                "by_test": (row.bot, "lowest card of every side suit up to the five", max(lowest) <= 5),
            }
            for table, key in keys.items():
                nils[table][key] += 1
                made[table][key] += row.taken == 0
    for table, counted in nils.items():
        frame = result.tables[table]
        keys = [tuple(row) for row in frame.iloc[:, : frame.columns.get_loc("nils")].to_numpy().tolist()]
        found = {key: (nils, made) for key, nils, made in zip(keys, frame["nils"], frame["made"], strict=True)}
        assert {key: found[key] for key in counted} == {key: (counted[key], made[table][key]) for key in counted}


def ranks_of(hand, suit):
    return [2 + "23456789TJQKA".index(card[0]) for card in hand if card[1] == suit]


@whole
@plays
def test_bidder_calibration_counts_bids_by_what_was_bid_before(played):
    result, folder = played("bidder_calibration")
    deals = defaultdict(dict)
    for row in rows_of(folder):
        deals[row.table, row.game, row.deal][row.order] = row
    counted = defaultdict(Counter)
    for seats in deals.values():
        for order, row in seats.items():
            if row.bid > 0:
                key = (row.bot, order, sum(seats[earlier].bid for earlier in range(order)))
                counted[key].update(deals=1, over=row.taken - row.bid, made=row.taken >= row.bid)
    frame = result.by_bids_before.set_index(["bot", "order", "bids_before"])
    assert {key: (count["deals"], count["made"]) for key, count in counted.items()} == {
        key: (row.deals, row.made) for key, row in zip(frame.index, frame.itertuples(), strict=True)
    }
    for key, count in counted.items():
        assert frame["mean_over"][key] == pytest.approx(count["over"] / count["deals"])


@whole
@plays
def test_last_bid_counts_places_and_the_best_of_each_deal(played):
    result, folder = played("last_bid")
    deals = defaultdict(list)
    for row in rows_of(folder):
        deals[row.table, row.game, row.deal].append((row.points + 100 * row.penalties, row.bot, row.order))
    number, points, best = Counter(), Counter(), Counter()
    for seats in deals.values():
        top = max(seats)[0]
        for earned, bot, order in seats:
            number[bot, order] += 1
            points[bot, order] += earned
            best[bot, order] += earned == top and [seat[0] for seat in seats].count(top) == 1
    frame = result.by_order.set_index(["bot", "order"])
    assert frame["deals"].to_dict() == dict(number)
    assert frame["points"].to_dict() == dict(points)
    assert frame["best"].to_dict() == {key: best[key] for key in number}
    for row in result.last_against_first.itertuples():
        means = [points[row.bot, order] / number[row.bot, order] for order in (2, 0)]
        assert row.points_per_deal == pytest.approx(means[0] - means[1])


@whole
@plays
@pytest.mark.parametrize(("name", "column"), [("long_game", "target"), ("nil_value", "nil")])
def test_two_leagues_side_by_side_are_the_leagues_alone(name, column, played):
    result, _ = played(name)
    values = [int(variant.partition("=")[2]) for variant in result.spec.variants]
    spec = result.spec
    leagues = [
        league(spec.bots, games=60, seed=6, rules=f"cutthroat:{column}={value}").standings.set_index("bot")
        for value in values
    ]
    for value, alone in zip(values, leagues, strict=True):
        table = result.tables[result.spec.table_names[0]]
        table = table[table[column] == value].set_index("bot")
        assert_frame_equal(
            table[["games", "wins", "win_share"]], alone.loc[table.index, ["games", "wins", "win_share"]]
        )
    differences = result.differences.set_index("bot")["difference"]
    gained = leagues[1]["win_share"] - leagues[0]["win_share"]
    assert differences.to_dict() == pytest.approx(gained.to_dict())


@whole
@plays
def test_nil_value_compares_with_the_same_hand_in_the_same_seat(played):
    result, folder = played("nil_value")
    first = [row for row in rows_of(folder, "nil=100") if row.deal == 0]
    bots = {(row.table, row.game, row.seat): row.bot for row in first}

    def place(row):
        return row.stream, row.seat, *(bots[row.table, row.game, (row.seat + by) % 3] for by in (1, 2))

    without = {place(row): row for row in first if row.bot == "fitted+steady"}
    number, points = Counter(), Counter()
    for row in first:
        if row.nil and place(row) in without:
            assert without[place(row)].hand == row.hand
            number[row.bot] += 1
            points[row.bot] += without[place(row)].points
    table = result.break_even[result.break_even["nil"] == 100].set_index("bot")
    assert table["nils"].to_dict() == dict(number)
    assert table["points_without"].to_dict() == dict(points)
    for bot in number:
        assert table["break_even"][bot] == pytest.approx((points[bot] / number[bot] + 100) / 200)


def test_overtrick_price_finds_what_was_put_in():
    random = np.random.default_rng(1)
    contract, others, bags = np.arange(30)[:, None, None], random.random(7)[None, :, None] / 4, np.arange(10)
    worth = np.array([0, 1, 1, 3, 5, 6, 9, 9, 14, 20]) / 1000
    states = random.integers(0, 40, (30, 7, 10)) * (random.random((30, 7, 10)) < 0.8)
    wins = states * (0.004 * contract + others - worth[bags])
    change, a_point, points = overtrick_price._figures(np.stack([states, wins]), -9)
    expected = [*-np.diff(worth), worth[9] - 9 * 0.004]
    assert change == pytest.approx(expected)
    assert a_point == pytest.approx([0.0004] * 10)
    assert points == pytest.approx([price / 0.0004 for price in expected])
    free, *_ = overtrick_price._figures(np.stack([states, wins]), 1)
    assert free[-1] == pytest.approx(worth[9] + 0.004)


@whole
@plays
def test_overtrick_price_counts_the_states_before_each_deal(played):
    result, folder = played("overtrick_price")
    games = defaultdict(dict)
    for row in rows_of(folder, "target=200"):
        games[row.game].setdefault(row.deal, {})[row.seat] = row
    states, wins = Counter(), Counter()
    for deals in games.values():
        last = deals[max(deals)]
        totals = {seat: row.score_before + row.points for seat, row in last.items()}
        for number, seats in deals.items():
            if max(row.score_before for row in seats.values()) < 200:
                for seat in seats:
                    bags = deals[number - 1][seat].bags if number else 0
                    states[bags] += 1
                    wins[bags] += totals[seat] == max(totals.values())
    table = result.by_bags[(result.by_bags["target"] == 200) & (result.by_bags["bag_penalty"] == 100)]
    assert dict(zip(table["bags"], table["states"], strict=True)) == dict(states)
    assert dict(zip(table["bags"], table["wins"], strict=True)) == {bags: wins[bags] for bags in states}


# --- The design of studies -------------------------------------------------------------------------------------------

OWN_STUDY = """
from spadesim.studies.kit.estimates import Counts

TABLES = {"by_seat": "Tricks by seat."}


def study(parts):
    counts = Counts(["seat"], ["deals", "taken"])
    for deals in parts[0].deals("stream", "seat", "taken"):
        counts.add(deals.assign(deals=1))
    return {"by_seat": counts.table(means={"mean_taken": ("taken", "deals")})}
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write a study of a user's own, with its file; work elsewhere."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "tricks.py").write_text(OWN_STUDY)
    file = tmp_path / "own" / "tricks.toml"
    file.write_text(f'study = "tricks.py"\nbots = {BOTS}\ngames = 60\n')
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return file


@plays
def test_study_of_a_users_own_file(own):
    result = study(str(own))  # its log goes to a temporary folder
    assert list(Path().iterdir()) == []
    assert_frame_equal(study(str(own), out="mine").by_seat, result.by_seat)
    assert result.by_seat["deals"].sum() * 17 == result.by_seat["taken"].sum() * 3
    assert list(result.by_seat) == ["seat", "deals", "taken", "mean_taken", "mean_taken_low", "mean_taken_high"]
    assert result.games_played == 60
    assert repr(result) == "<Study: 60 games; tables by_seat>"
    with pytest.raises(AttributeError, match="its tables are by_seat"):
        result.by_bot  # noqa: B018


class EndsIn(Reporter):
    """End a study in one of its leagues, as soon as some of it has been played."""

    def __init__(self, league):
        self.leagues_left, self.played = league, False

    def start(self, games):
        self.leagues_left, self.played = self.leagues_left - 1, False

    def progress(self, games, seconds_left):
        self.played = games > 0

    def ends(self):
        return self.leagues_left == 0 and self.played


@plays
@pytest.mark.parametrize("number", whole_but([1, 2], 1))
def test_study_that_was_stopped_goes_on_to_the_same_bytes(own, number):
    own.write_text(own.read_text() + 'variants = ["target=200", "target=300"]\n')
    spec = read_experiment(str(own), {"games": 3000})
    part = run(spec, out="mine", reporter=EndsIn(number))
    assert (part.complete, part.tables, part.games_played, len(part.parts)) == (False, {}, 0, number)
    assert csv_in("mine") == {}
    with pytest.raises(UsageError, match="there are no tables in 'mine' yet; .* --resume goes on"):
        reopen("mine")
    run(spec, out="mine", resume=True)
    whole = run(spec, out="whole")
    assert csv_in("mine") == csv_in("whole") != {}
    assert reopen("mine").tables.keys() == whole.tables.keys()
    with pytest.raises(UsageError, match="its seed is 1, not 2"):
        run(spec.model_copy(update={"seed": 2}), out="mine", resume=True)


BAD_STUDIES = {
    "name": ({"study": "nil_sucess"}, "no study named 'nil_sucess'; did you mean 'nil_success'"),
    "key": ({"studdy": "nil_success"}, "unknown key 'studdy'; did you mean 'study'"),
    "key_of_a_study": (
        {"study": "nil_success", "variant": ["nil=50"]},
        "unknown key 'variant'; did you mean 'variants'",
    ),
    "variants": ({"study": "nil_success", "variants": "nil=50"}, "variants is 'nil=50'; expected a list"),
    "leagues": ({"study": "long_game"}, "the variants make 1 league; the study long_game takes 2"),
    "field": ({"study": "overtrick_price", "games": 6}, "an overtrick's price is found among three copies of one bot"),
    "rules": ({"study": "nil_success", "variants": ["nill=50"]}, "did you mean 'nil'"),
    "file": ({"study": "nowhere.py"}, "nowhere.py"),
    "module": ({"study": "conftest.py"}, "is no study; expected a function study"),
}


@plays
@pytest.mark.parametrize("case", BAD_STUDIES)
def test_study_that_does_not_fit_is_one_line(case, tmp_path):
    values, line = BAD_STUDIES[case]
    (tmp_path / "conftest.py").write_text("TABLES = {}\n")
    lines = [f"{key} = {value!r}" for key, value in ({"bots": BOTS} | values).items()]
    (tmp_path / "bad.toml").write_text("\n".join(lines) + "\n")
    with pytest.raises(UsageError, match=line) as raised:
        study(str(tmp_path / "bad.toml"), out=str(tmp_path / "mine"))
    assert "\n" not in str(raised.value)
    assert not list((tmp_path / "mine").glob("*.csv"))


@plays
def test_study_that_reads_a_log_which_is_not_written(own):
    own.write_text(own.read_text() + 'log = ""\n')
    with pytest.raises(UsageError, match="the study reads a log of deals but there is none; expected log = 'deals'"):
        study(str(own))


def test_study_by_a_name_that_is_none():
    with pytest.raises(UsageError, match="no study named 'long_gam'; did you mean 'long_game'"):
        study("long_gam")
    with pytest.raises(UsageError, match="noise is no study"):
        study("noise")


@plays
def test_folder_of_a_study_must_be_free(own):
    Path("full").mkdir()
    Path("full/notes.txt").touch()
    with pytest.raises(UsageError, match="holds something already"):
        study(str(own), out="full")
    with pytest.raises(UsageError, match="holds no study run"):
        study(str(own), out="full", resume=True)
    with pytest.raises(UsageError, match="no folder to resume from"):
        study(str(own), resume=True)
    assert [path.name for path in Path("full").iterdir()] == ["notes.txt"]


BAD_ANSWERS = {
    "1 / 0": r"raised ZeroDivisionError: division by zero \(.*tricks.py:6\); with --out finished games are kept",
    "exit(3)": r"raised SystemExit: 3 \(",
    "list(parts[0].deals('nothing'))": r"raised KeyError: .*nothing",
    "None": "answered None; expected a dictionary of by_seat",
    "{'by_set': pd.DataFrame({'a': [1]})}": "answered by_set; expected a dictionary of by_seat",
    "{'by_seat': 3}": "the table by_seat of the study .* is int; expected a frame with columns",
    "{'by_seat': pd.DataFrame()}": "the table by_seat of the study .* is empty; expected a frame with columns",
}


@plays
@pytest.mark.parametrize("answer", BAD_ANSWERS)
def test_what_is_wrong_with_a_study_is_one_line_and_loses_nothing(answer, own):
    lines = ["import pandas as pd", "", 'TABLES = {"by_seat": ""}', "", "def study(parts):", f"    return {answer}", ""]
    own.with_name("tricks.py").write_text("\n".join(lines))
    with pytest.raises(UsageError, match=BAD_ANSWERS[answer]) as raised:
        study(str(own), out="mine")
    assert "\n" not in str(raised.value)
    assert json.loads(Path("mine/manifest.json").read_text())["state"] == "partial"
    assert reopen("mine/league").complete
