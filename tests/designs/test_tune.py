"""Searching a bidder's parameters: that it finds what is best, and says truly what that is worth."""

from textwrap import dedent

import numpy as np
import pytest
from play_specs import run
from stopping_reporter import StopsAfter
from whole_proof import whole

from spadesim import league, sweep, tune
from spadesim.bots.registry import find_strategies
from spadesim.designs.experiment import check_spec
from spadesim.designs.files import read_experiment
from spadesim.designs.reopen import reopen
from spadesim.designs.tune.play import tuned_space
from spadesim.designs.tune.search import SAMPLED, Search, seed_of_generation
from spadesim.errors import StrategyError, UsageError

plays = pytest.mark.many_games

AGAINST = ["quick+need_or_duck", "quick+need_or_duck"]
BOT = "off+need_or_duck"
SMALL = {"budget": 50_000, "games": 300, "unseen": 6_000, "seed": 4}

# With the default of `extra` it bids far more than the hand is worth.
OFF = dedent(
    """
    from spadesim import bidder
    from spadesim.bids import allowed
    from spadesim.cards import ACES, KINGS, SPADES, count

    @bidder(bounds={"extra": (-4, 4), "king": (0.0, 1.0)})
    def off(view, *, extra=3, king=0.5, spade=0.5):
        side = view.hand & ~SPADES
        worth = count(side & ACES) + king * count(side & KINGS) + spade * count(view.hand & SPADES)
        return allowed(view, max(int(worth) + extra, 1))
    """
)


@pytest.fixture(scope="module")
def bots_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("bots") / "off.py"
    path.write_text(OFF)
    return str(path)


# --- What is searched ------------------------------------------------------------------------------------------------


def test_declared_bounds_are_searched_but_for_what_is_set(bots_file):
    registry = find_strategies([bots_file])
    assert [(axis.name, axis.ends) for axis in tuned_space(BOT, registry).axes] == [
        ("extra", (-4, 4)),
        ("king", (0.0, 1.0)),
    ]
    assert [axis.name for axis in tuned_space("off:extra=1+boss", registry).axes] == ["king"]
    ranges = tuned_space("off:spade=0.1..0.9:extra=0..2+boss", registry)
    assert [(axis.name, axis.ends) for axis in ranges.axes] == [("spade", (0.1, 0.9)), ("extra", (0, 2))]


@pytest.mark.parametrize("noise", [0, 0.02])
def test_the_search_finds_the_top_of_a_hill(noise):
    # win shares by a formula: a hill, with a little weather
    registry = find_strategies()
    space = tuned_space("honors:ace=0..1:king=0..1:two=0..1+boss", registry)
    search, top, rng = Search(space, seed=3), np.array([0.9, 0.3, 0.6]), np.random.default_rng(7)

    def height(points):
        return 0.5 - 0.3 * ((np.array(points, float) - top) ** 2).sum(1)

    for _ in range(60):
        points = search.ask()
        search.tell(height(points) + noise * rng.standard_normal(len(points)))
    default, centre = height(search.ask()[:2])
    assert default < 0.41
    assert centre > (0.49 if noise else 0.49999)


def test_whole_numbers_are_tried_as_such_and_bounds_are_kept(bots_file):
    search = Search(tuned_space(BOT, find_strategies([bots_file])), seed=1)
    tried = []
    for _ in range(20):
        points = search.ask()
        assert points[0] == (3, 0.5)
        tried += points[SAMPLED:]
        search.tell(np.array([-abs(extra + 4) for extra, _ in points], float))
    assert all(type(extra) is int and -4 <= extra <= 4 and 0 <= king <= 1 for extra, king in tried)
    assert search.ask()[1][0] == -4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("off:extra=1+boss", "1 parameter to tune; expected two or more"),
        ("quick+boss", "0 parameters to tune"),
        ("off:extra=1,2:king=0..1+boss", "extra has a list of values; expected a range to search"),
        ("off:extr=0..2+boss", "did you mean 'extra'"),
        ("strongest", "0 parameters to tune"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_one_line(text, expected, bots_file):
    with pytest.raises(UsageError) as caught:
        tune(text, AGAINST, load=[bots_file])
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ("{'luc': (0, 3)}", "bounds of 'luc', but no such parameter; did you mean 'luck'"),
        ("{'luck': (2, 3)}", "luck=1 with the bounds (2, 3); expected a lowest and a highest number"),
        ("{'luck': (1, 1)}", "expected a lowest and a highest number"),
        ("{'luck': (0,)}", "expected a lowest and a highest number"),
        ("{'bold': (0, 1)}", "bold=True with the bounds (0, 1)"),
    ],
)
def test_bounds_that_are_none_are_refused_in_one_line(bounds, expected, tmp_path):
    path = tmp_path / "bounds.py"
    text = (
        "from spadesim import bidder\n@bidder(bounds=BOUNDS)\ndef lucky(view, *, luck=1, bold=True):\n    return luck\n"
    )
    path.write_text(text.replace("BOUNDS", bounds))
    with pytest.raises(StrategyError) as caught:
        find_strategies([str(path)])
    assert expected in str(caught.value)
    assert f"{path}:" in str(caught.value)
    assert "\n" not in str(caught.value)


# --- What is found ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found(bots_file):
    return tune(BOT, AGAINST, load=[bots_file], **SMALL)


@plays
def test_a_bidder_that_is_tricks_off_is_mended(found, bots_file):
    tuned = found.tuned.set_index("setting").loc["tuned"]
    parameters = found.parameters.set_index("parameter")
    assert parameters["default"].to_dict() == {"extra": 3, "king": 0.5}
    one_by_one = sweep("off:extra=-4..4+need_or_duck", AGAINST, games=3_000, load=[bots_file]).sweep
    best = one_by_one.loc[one_by_one["win_share"].idxmax()]
    assert abs(parameters.loc["extra", "tuned"] - best["bidder_extra"]) <= 1
    assert tuned["difference_low"] > 0.6 * best["win_share_difference"] > 0.05


@plays
def test_the_plot_of_a_search_has_a_line_for_the_middle_and_one_for_the_best(found):
    middle = found.search[found.search["candidate"] == "centre"]["win_share_difference"]
    best, line, _ = found.plot_search().axes[0].lines
    assert line.get_ydata() == pytest.approx(100 * middle)
    assert len(best.get_ydata()) == len(middle)


@whole
@plays
def test_its_worth_is_that_of_leagues_on_deals_of_the_next_seed(found, bots_file):
    for place, setting in enumerate(("default", "tuned", "best_seen")):
        row = found.tuned.iloc[place]
        extra, king = found.parameters[setting]
        bot = f"off:extra={int(extra)}:king={king}+need_or_duck"
        alone = league([bot, *AGAINST], games=6_000, seed=5, load=[bots_file]).standings.set_index("bot").loc[bot]
        assert (row["setting"], row["win_share"], row["win_share_low"]) == (
            setting, alone["win_share"], alone["win_share_low"],
        )  # fmt: skip
        if setting == "tuned":
            assert found.bot == bot


@plays
def test_candidates_have_the_figures_of_leagues_and_optimism_is_what_was_lost(found, bots_file):
    rows = found.search
    assert rows["generation"].tolist() == sorted(rows["generation"])
    assert rows["games"].sum() >= SMALL["budget"]
    row = rows[(rows["generation"] == 2) & (rows["candidate"] == "sample")].iloc[3]
    bot = f"off:extra={row['bidder_extra']}:king={row['bidder_king']}+need_or_duck"
    alone = league([bot, *AGAINST], games=300, seed=seed_of_generation(4, 2), load=[bots_file])
    assert alone.standings.set_index("bot").loc[bot, "wins"] == row["wins"]
    best = rows[rows["candidate"] == "sample"]["win_share_difference"].max()
    last = found.tuned.set_index("setting").loc["best_seen"]
    assert last["seen_difference"] == pytest.approx(best)
    assert last["optimism"] == pytest.approx(best - last["difference"])


# --- Runs ------------------------------------------------------------------------------------------------------------


@whole
@plays
def test_a_search_goes_on_to_the_same_bytes(tmp_path, found, bots_file):
    out = str(tmp_path / "out")
    spec = check_spec({"tune": BOT, "against": AGAINST, "load": [bots_file], **SMALL})
    part = run(spec, out=out, reporter=StopsAfter(300))
    assert not part.complete
    assert 0 < part.search["generation"].max() < found.search["generation"].max()
    assert not (tmp_path / "out" / "tuned.toml").exists()
    whole = run(spec, out=out, resume=True, workers=2)
    assert whole.complete
    for name, table in found.tables.items():
        assert (tmp_path / "out" / f"{name}.csv").read_text() == table.to_csv(index=False)
    with pytest.raises(UsageError, match="its games is 300, not 600"):
        run(spec.model_copy(update={"games": 600}), out=out, resume=True)


@whole
@plays
def test_the_tuned_bot_can_stand_wherever_a_bot_may(tmp_path, found, bots_file):
    file, out = tmp_path / "off.toml", tmp_path / "out"
    file.write_text(f"tune = '{BOT}'\nagainst = {AGAINST}\nload = ['{bots_file}']\n")
    spec = read_experiment(str(file), SMALL)
    run(spec, out=str(out))
    assert reopen(str(out)).tables["tuned"].equals(found.tuned)
    bot = f"@{out}/tuned.toml"
    at_file, by_name = (league([one, *AGAINST], games=600, load=[bots_file]) for one in (bot, found.bot))
    assert at_file.bots[0] == bot
    assert at_file.standings.drop(columns="bot").equals(by_name.standings.drop(columns="bot"))
    experiment = tmp_path / "with_it.toml"
    experiment.write_text(f"bots = ['@out/tuned.toml', {str(AGAINST)[1:-1]}]\n")
    assert read_experiment(str(experiment)).bots[0] == f"@{tmp_path}/out/tuned.toml"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, "cannot read the bot file"),
        ("bot = ", "is not TOML"),
        ("bots = 'quick+boss'", 'holds no bot; expected bot = "bidder+player"'),
        ("bot = 'quik+boss'", "did you mean 'quick'"),
    ],
)
def test_a_file_without_a_bot_is_refused_in_one_line(text, expected, tmp_path):
    path = tmp_path / "bot.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError) as caught:
        find_strategies().bot(f"@{path}")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
