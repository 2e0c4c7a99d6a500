"""Sweeps: which settings there are, and that their figures are those of leagues of the same games."""

import itertools

import numpy as np
import pytest
from play_specs import run
from whole_proof import whole

from spadesim import league, sweep
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.bots.sweeping import settings_of
from spadesim.designs.experiment import check_spec
from spadesim.designs.files import read_experiment
from spadesim.designs.reopen import reopen
from spadesim.engine.compile import cache
from spadesim.errors import UsageError
from spadesim.rules import Rules

plays = pytest.mark.many_games

SEED = 3
OTHERS = ["quick+need_or_duck", "nil_tips+need_or_duck"]
SWEPT = "honors:ace=0.8,0.9+need_or_duck"


def settings(text, **more):
    return settings_of(text, find_strategies(), **more)


# --- Which settings there are ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("honors:ace=0.8..1.1:4+boss", ["0.95", "0.8", "0.9", "1.0", "1.1"]),
        ("honors:ace=0.95,0.9,0.9+boss", ["0.95", "0.9"]),
        ("honors:ace=0..1:2+boss", ["0.95", "0.0", "1.0"]),
        ("honors:ace=-1..1:3+boss", ["0.95", "-1.0", "0.0", "1.0"]),
        ("honors:ace=1e20,1+boss", ["0.95", "1e20", "1.0"]),  # no plus, which would end the bidder
    ],
)
def test_values_of_one_parameter_stand_behind_the_default(text, expected):
    assert settings(text) == [f"honors:ace={ace}+boss" for ace in expected]


def test_whole_numbers_need_no_count():
    assert settings("fixed:bid=3..5+boss") == [f"fixed:bid={bid}+boss" for bid in (4, 3, 5)]
    assert settings("fixed:bid=1..9:3+boss") == [f"fixed:bid={bid}+boss" for bid in (4, 1, 5, 9)]


def test_the_last_parameter_changes_fastest_and_what_is_set_stays():
    expected = [f"honors:king=0.7:ace={a}:lead={b}+boss" for a, b in itertools.product(("0.8", "0.9"), ("0.0", "-0.4"))]
    assert settings("honors:ace=0.8,0.9:king=0.7:lead=0,-0.4+boss")[1:] == expected


def test_a_player_can_be_swept_too():
    expected = [f"fixed:bid={bid}+monte_carlo:worlds={worlds}" for bid in (2, 3) for worlds in (8, 16)]
    assert settings("fixed:bid=2,3+monte_carlo:worlds=8,16")[1:] == expected


def places(texts):
    return np.array([[float(part.split("=")[1].split("+")[0]) for part in text.split(":")[1:]] for text in texts])


@pytest.mark.parametrize("seed", [1, 2**64 - 1])
def test_a_sample_fills_the_space_evenly(seed):
    # sixteen points of a Sobol sequence in two dimensions are a (0, 4, 2)-net in base 2 (Sobol 1967), scrambled or not:
    # each of the boxes of any of these shapes holds one
    found = places(settings("honors:ace=0..1:king=2..4+boss", sample=16, seed=seed)[1:])
    x, y = found[:, 0], (found[:, 1] - 2) / 2
    for i in range(5):
        boxes = np.floor(x * 2**i) * 100 + np.floor(y * 2 ** (4 - i))
        assert len(set(boxes)) == 16


def test_a_sample_depends_on_its_seed_alone():
    one, again, other = (settings("honors:ace=0..1+boss", sample=5, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert len(one) == 6
    assert set(one) & set(other) == {"honors:ace=0.95+boss"}


def test_whole_numbers_and_lists_are_sampled_to_their_ends():
    found = settings("fixed:bid=0..3+monte_carlo:worlds=8,99", sample=64)
    assert {text.split("+")[0] for text in found[1:]} == {f"fixed:bid={bid}" for bid in range(4)}
    assert {text.rpartition("=")[2] for text in found[1:]} == {"8", "99"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("honors+boss", "nothing is swept in 'honors+boss'; expected parameters with several values"),
        ("strongest", "nothing is swept in 'strongest'"),
        ("honors", "no bot 'honors'; expected bidder+player"),
        ("honrs:ace=1,2+boss", "did you mean 'honors'"),
        ("honors:acee=1,2+boss", "did you mean 'ace'"),
        ("honors:ace=1,x+boss", "parameter ace of bidder 'honors' is 'x'; expected a number"),
        ("honors:ace=0.8..1.1+boss", "ace is swept over a range in 'honors:ace=0.8..1.1+boss'; expected the number of"),
        ("honors:ace=1.1..0.8:4+boss", "ace is swept over '1.1..0.8'; expected a smaller number before a larger one"),
        ("honors:ace=0.8..1.1:1+boss", "ace is swept over 1 value; expected 2 … 1,024"),
        ("honors:ace=0..1:99999+boss", "ace is swept over 99,999 values; expected 2 … 1,024"),
        ("honors:ace=0..1:99:king=0..1:99+boss", "9,801 settings; expected at most 1,024"),
        ("honors:ace=0.8,0.9:ace=1+boss", "'ace' is set twice in 'honors:ace=0.8,0.9:ace=1'; set it once"),
        ("honors:7+boss", "'7' in 'honors:7' sets nothing"),
    ],
)
def test_a_sweep_that_is_none_is_refused_in_one_line(text, expected):
    with pytest.raises(UsageError) as caught:
        settings(text)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


# --- Their figures ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def swept():
    return sweep(SWEPT, OTHERS, games=1_200, seed=SEED)


@plays
def test_each_setting_has_the_figures_of_a_league_of_its_own(swept):
    assert swept.sweep["bidder_ace"].tolist() == [0.95, 0.8, 0.9]
    assert swept.sweep["default"].tolist() == [True, False, False]
    for i, setting in enumerate(swept.sweep["setting"]):
        alone = league([setting, *OTHERS], games=1_200, seed=SEED)
        own = {name: alone.tables[name].set_index("bot").loc[setting] for name in ("standings", "nils", "bags")}
        for name in ("win_share", "win_share_low", "win_share_high", "points_per_deal", "points_per_deal_high"):
            assert swept.sweep.loc[i, name] == own["standings"][name]
        assert swept.sweep_bids.loc[i, "bags_per_deal"] == own["bags"]["bags_per_deal"]
        assert swept.sweep_bids.loc[i, "nil_rate_high"] == own["nils"]["nil_rate_high"]
        bids = alone.bids[(alone.bids["bot"] == setting) & (alone.bids["bid"] > 0)]
        assert swept.sweep_bids.loc[i, "set_rate"] == pytest.approx(1 - bids["made"].sum() / bids["deals"].sum())


@plays
def test_differences_are_those_of_the_same_blocks(swept):
    field = [find_strategies().field([setting, *OTHERS]) for setting in swept.sweep["setting"]]
    wins = np.array([make_table(bots, Rules()).play(SEED, 0, 200).results[:, 0, 0] for bots in field])
    for i in (1, 2):
        differences = (wins[i] - wins[0]) / 6
        row = swept.sweep.loc[i]
        assert row["win_share_difference"] == pytest.approx(differences.mean())
        half = 1.9719565 * differences.std(ddof=1) / np.sqrt(200)  # Student's t at 97.5 % for 199 degrees of freedom
        assert row["win_share_difference_high"] - row["win_share_difference"] == pytest.approx(half)
        alone = (wins[[0, i]] / 6).var(axis=1, ddof=1).sum()
        assert row["relative_efficiency"] == pytest.approx(alone / differences.var(ddof=1))


@whole
@plays
def test_pairing_saves_what_the_table_says():
    # 200 leagues of 30 blocks each: how differences scatter on the same deals, and on different ones
    said = sweep("honors:ace=0.95,0.9+need_or_duck", OTHERS, games=36_000, seed=SEED).sweep["relative_efficiency"][1]
    field = [find_strategies().field([f"honors:ace={ace}+need_or_duck", *OTHERS]) for ace in (0.95, 0.9)]
    default, other = (
        make_table(bots, Rules()).play(SEED, 0, 6_000).results[:, 0, 0].reshape(200, 30).mean(1) for bots in field
    )
    paired, unpaired = np.var(other - default), np.var(other - np.roll(default, 1))
    # the ratio of two such variances, each of 200 values, is known to about 14 %
    assert unpaired / paired == pytest.approx(said, rel=0.4)
    assert said > 3


@plays
def test_other_settings_compile_nothing(swept):
    told = []
    cache.listeners.append(told.append)
    try:
        sweep("honors:ace=0.7:king=0.5,0.6+need_or_duck", OTHERS, games=6)
    finally:
        cache.listeners.remove(told.append)
    assert told == []


# --- Runs ------------------------------------------------------------------------------------------------------------


@plays
def test_a_file_can_hold_a_sweep_that_goes_on(tmp_path, swept):
    file, out = tmp_path / "ace.toml", tmp_path / "out"
    file.write_text(f'sweep = "{SWEPT}"\nagainst = {OTHERS}\ngames = 600\nseed = {SEED}\n')
    spec = read_experiment(str(file))
    assert spec == check_spec({"sweep": SWEPT, "bots": OTHERS, "games": 600, "seed": SEED})
    run(spec, out=str(out), workers=2)
    run(spec.model_copy(update={"games": 1_200}), out=str(out), resume=True)
    for name in ("sweep", "sweep_bids"):
        assert (out / f"{name}.csv").read_text() == swept.tables[name].to_csv(index=False)
        assert reopen(str(out)).tables[name].equals(swept.tables[name])
    with pytest.raises(UsageError, match="its sweep is"):
        run(spec.model_copy(update={"sweep": "honors:ace=0.7,0.8+boss"}), out=str(out), resume=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sweep = 'honors:ace=1,2+boss'\nagainst = ['quick+boss']", "1 bot to play against; expected 2"),
        ("sweep = 'honors:ace=1,2+boss'\nagainst = []\nbots = []", "bots are next to sweep"),
        ("sweep = 'honors:ace=1,2+boss'\nsampel = 3", "did you mean 'sample'"),
        ("sweep = 'honors:ace=1,2+boss'\nsample = 9999", "sample is 9999"),
    ],
)
def test_a_file_that_holds_none_is_refused_in_one_line(text, expected, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=expected) as caught:
        run(read_experiment(str(path)))
    assert "\n" not in str(caught.value)
