"""Ratings against closed forms, written-out likelihoods, another library and simulation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize
from scipy import stats as scipy_stats

from spadesim.stats.ratings import _rounded, rate

pytestmark = pytest.mark.filterwarnings("error")

ELO = 400 / math.log(10)
FIELDS = ("rating", "standard_error", "low", "high")
ROUNDING = 1.01e-6  # two values that are rounded to six decimals


def triples(bots):
    return list(itertools.combinations(range(bots), 3))


def chances(theta, tables):
    strength = np.exp(np.asarray(theta)[np.array(tables)])
    return strength / strength.sum(1, keepdims=True)


def centred(values):
    return np.asarray(values) - np.mean(values)


def independent_wins(rng, theta, tables, groups, games=6):
    return rng.multinomial(games, chances(theta, tables), (groups, len(tables)))


def games_that_hang_together(rng, theta, tables, leagues, groups, games=6):
    """Draw winners, (leagues, groups, games, tables, seats) of 0 or 1.

    In half of the groups one draw of luck decides all games at all tables, in the others each has its own.
    """
    shape = (leagues, groups, games, len(tables))
    shared = rng.random((leagues, groups, 1, 1)) < 0.5
    luck = np.where(shared, rng.random((leagues, groups, 1, 1)), rng.random(shape))
    upto = chances(theta, tables).cumsum(1)
    winner = (luck[..., None] > upto[:, :-1]).sum(-1)
    return (winner[..., None] == np.arange(upto.shape[1])).astype(np.int64)


def most_likely(tables, totals):
    """Maximise the likelihood, written out, without derivatives of it; Elo points with mean zero."""
    bots = 1 + max(max(table) for table in tables)

    def badness(free):
        theta = [*free, 0.0]
        value = 0.0
        for table, won in zip(tables, totals, strict=True):
            for bot, games in zip(table, won, strict=True):
                value -= games * (theta[bot] - math.log(sum(math.exp(theta[other]) for other in table)))
        return value / sum(map(sum, totals))

    found = optimize.minimize(badness, np.zeros(bots - 1), method="BFGS", options={"gtol": 1e-8})
    return ELO * centred([*found.x, 0.0])


def same(one, other, atol=0.0):
    for name in FIELDS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=atol, err_msg=name)


# --- The rating ------------------------------------------------------------------------------------------------------


def test_ten_times_the_wins_are_400_points():
    ratings = rate([(0, 1)], [[[10, 1]]]).rating
    assert ratings.tolist() == [200, -200]


@pytest.mark.parametrize("totals", [[[5, 3, 2]], [[1, 1, 1]], [[999, 1, 50]], [[123456, 7, 89, 1011, 2, 3]]])
def test_at_one_table_the_ratings_are_the_logarithms_of_the_wins(totals):
    ratings = rate([tuple(range(len(totals[0])))], [totals]).rating
    assert ratings == pytest.approx(ELO * centred(np.log(totals[0])), abs=ROUNDING)


@pytest.mark.parametrize(("bots", "seats"), [(5, 3), (4, 2), (4, 4), (6, 5)])
def test_likelihood_written_out_has_the_same_maximum(bots, seats):
    tables = list(itertools.combinations(range(bots), seats))
    totals = np.random.default_rng(1).integers(1, 300, (len(tables), seats))
    assert rate(tables, totals[None]).rating == pytest.approx(most_likely(tables, totals), abs=0.01)


def test_bots_need_not_all_have_met():
    tables = [(0, 1), (1, 2), (2, 3)]  # differences add up along the line
    totals = [[2, 1], [3, 1], [5, 1]]
    expected = ELO * centred(np.log([30, 15, 5, 1]))
    assert rate(tables, [totals]).rating == pytest.approx(expected, abs=ROUNDING)


def test_known_strengths_are_found_again():
    theta = centred([1.2, 0.4, 0.1, -0.2, -0.3, -1.2])
    wins = independent_wins(np.random.default_rng(2), theta, triples(6), 3000)
    ratings = rate(triples(6), wins)
    assert (np.abs(ratings.rating - ELO * theta) < 4 * ratings.standard_error).all()
    assert (ratings.standard_error < 3).all()
    assert ratings.rating.mean() == pytest.approx(0, abs=1e-6)


def test_games_without_a_winner_do_not_count():
    rng = np.random.default_rng(3)
    wins = independent_wins(rng, [0.5, 0, -0.5, 0], triples(4), 40)
    undecided = np.zeros((40, 4, 3), np.int64)  # at the same tables, listed once more
    same(rate(triples(4), wins), rate(triples(4) * 2, np.concatenate([wins, undecided], axis=1)))


def test_statsmodels_finds_the_same_ratings_and_errors():
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(4)
    tables, groups = triples(5), 40
    games = games_that_hang_together(rng, [0.6, 0.2, 0, -0.3, -0.5], tables, 1, groups)[0]
    wins = games.sum(1) - rng.integers(0, 2, (groups, 10, 3)) * (games.sum(1) > 0)  # some without a winner
    # Poisson regression with an effect for each bot and each table: Baker 1994.
    places = np.array(tables).ravel()
    design = np.hstack([np.eye(5)[places][:, 1:], np.repeat(np.eye(10), 3, axis=0)])
    fit = sm.GLM(wins.ravel(), np.tile(design, (groups, 1)), family=sm.families.Poisson()).fit(
        tol=1e-12, cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(groups), 30), "use_correction": False}
    )
    contrast = (np.eye(5) - 1 / 5)[:, 1:]
    covariance = contrast @ fit.cov_params()[:4, :4] @ contrast.T * groups / (groups - 1)
    ratings = rate(tables, wins)
    assert ratings.rating == pytest.approx(ELO * contrast @ fit.params[:4], abs=1e-5)
    assert ratings.standard_error == pytest.approx(ELO * np.sqrt(np.diag(covariance)), rel=1e-6)


# --- Errors ----------------------------------------------------------------------------------------------------------


def test_standard_error_by_hand():
    # Two bots, four groups of two games: 2, 1, 1, 2 wins of the first, so p = 3/4 and the score of a group is its wins
    # less 1.5; the information about the difference is 8 * 3/16 = 1.5. Half the difference is the rating.
    ratings = rate([(0, 1)], [[[2, 0]], [[1, 1]], [[1, 1]], [[2, 0]]])
    error = ELO / 2 * math.sqrt(4 * 0.25 * 4 / 3) / 1.5
    assert ratings.standard_error == pytest.approx([error, error], abs=ROUNDING)
    t = scipy_stats.t.ppf(0.975, 3)
    assert ratings.low == pytest.approx(ratings.rating - t * error, abs=1e-5)
    assert ratings.high == pytest.approx(ratings.rating + t * error, abs=1e-5)


def test_less_confidence_makes_narrower_intervals():
    wins = independent_wins(np.random.default_rng(5), [0.3, 0, 0, -0.3], triples(4), 30)
    narrow, wide = rate(triples(4), wins, confidence=0.5), rate(triples(4), wins, confidence=0.99)
    t = scipy_stats.t.ppf([0.75, 0.995], 29)
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(np.full(4, t[1] / t[0]), rel=1e-5)
    assert ((narrow.low + narrow.high) / 2) == pytest.approx(narrow.rating, abs=ROUNDING)


def test_intervals_hold_the_truth_95_times_of_100_though_games_hang_together():
    theta, tables, leagues = centred([0.8, 0.2, -0.1, -0.6]), triples(4), 800
    games = games_that_hang_together(np.random.default_rng(6), theta, tables, leagues, 60)
    held, held_if_independent, narrower = [], [], []
    for league in games:
        ratings = rate(tables, league.sum(1))
        held.append((ratings.low <= ELO * theta) & (ELO * theta <= ratings.high))
        # as if each game at each table were a group of its own
        alone = league.reshape(-1, 1, 4, 3) * np.eye(4, dtype=np.int64)[:, :, None]
        naive = rate(tables, alone.reshape(-1, 4, 3))
        held_if_independent.append((naive.low <= ELO * theta) & (ELO * theta <= naive.high))
        narrower.append(naive.standard_error / ratings.standard_error)
    assert 0.93 < np.mean(held) < 0.97
    assert ((np.mean(held, axis=0) > 0.93) & (np.mean(held, axis=0) < 0.97)).all()
    assert np.mean(held_if_independent) < 0.75
    assert np.mean(narrower) < 0.5


def test_the_same_in_every_group_leaves_nothing_to_estimate():
    ratings = rate([(0, 1, 2)], np.tile([[3, 2, 1]], (50, 1, 1)))
    assert ratings.standard_error.tolist() == [0, 0, 0]
    assert ratings.low.tolist() == ratings.high.tolist() == ratings.rating.tolist()


# --- Bots that cannot be rated ---------------------------------------------------------------------------------------


def test_a_bot_that_never_won_is_left_out():
    tables = triples(5)
    wins = independent_wins(np.random.default_rng(7), [0.5, 0.1, -0.2, -0.4, 0], tables, 50)
    wins[:, np.array(tables) == 4] = 0
    ratings = rate(tables, wins)
    assert ratings.rating[4] == -np.inf
    assert_no_errors(ratings, [4])
    # at the tables of the last bot it is as if two had played
    totals = [won[: 2 if 4 in table else 3] for table, won in zip(tables, wins.sum(0), strict=True)]
    expected = most_likely([table[: len(won)] for table, won in zip(tables, totals, strict=True)], totals)
    assert ratings.rating[:4] == pytest.approx(expected, abs=0.01)
    assert (ratings.standard_error[:4] > 0).all()


def test_a_bot_that_won_all_tells_nothing_of_the_others():
    tables = triples(5)
    wins = independent_wins(np.random.default_rng(8), [0.5, 0.1, -0.2, -0.4, 0], tables, 50)
    with_it = (np.array(tables) == 4).any(1)
    wins[:, with_it] = [0, 0, 6]
    ratings, without = rate(tables, wins), rate(triples(4), wins[:, ~with_it])
    assert ratings.rating[4] == np.inf
    assert_no_errors(ratings, [4])
    for name in FIELDS:
        assert getattr(ratings, name)[:4] == pytest.approx(getattr(without, name), abs=1e-5)


def test_bots_that_beat_only_each_other_are_below_all():
    tables = list(itertools.combinations(range(5), 2))
    wins = np.array([[[0, 6] if table[0] < 2 <= table[1] else [4, 2] for table in tables]] * 3)
    ratings = rate(tables, wins)
    assert ratings.rating[:2].tolist() == [-np.inf, -np.inf]
    assert ratings.rating[2:] == pytest.approx(most_likely([(0, 1), (0, 2), (1, 2)], [[4, 2]] * 3), abs=0.01)
    assert_no_errors(ratings, [0, 1])


def test_parts_that_never_met_cannot_be_compared():
    alike = rate([(0, 1), (2, 3)], [[[4, 2], [3, 5]]] * 2)
    assert np.isnan(alike.rating).all()
    larger = rate([(0, 1), (1, 2), (3, 4)], [[[4, 2], [1, 1], [3, 5]]] * 2)
    assert larger.rating[:3] == pytest.approx(ELO * centred(np.log([2, 1, 1])), abs=ROUNDING)
    assert np.isnan(larger.rating[3:]).all()
    assert_no_errors(larger, [3, 4])


@pytest.mark.parametrize(
    ("tables", "totals", "expected"),
    [
        ([(0, 1)], [[6, 0]], [np.inf, -np.inf]),
        ([(0, 1, 2)], [[0, 6, 0]], [-np.inf, np.inf, -np.inf]),
        ([(0, 1), (1, 2), (0, 2)], [[6, 0], [6, 0], [6, 0]], [np.inf, np.nan, -np.inf]),
        ([(0, 1), (2, 3), (1, 2)], [[5, 1], [5, 1], [6, 0]], [np.nan] * 4),  # the first two are above the others
    ],
)
def test_wins_that_go_one_way_have_no_finite_maximum(tables, totals, expected):
    ratings = rate(tables, [totals] * 5)
    np.testing.assert_array_equal(ratings.rating, expected)
    assert_no_errors(ratings, slice(None))


@pytest.mark.parametrize("groups", [0, 1, 9])
def test_no_decided_game_tells_nothing(groups):
    ratings = rate(triples(4), np.zeros((groups, 4, 3), np.int64))
    assert np.isnan(ratings.rating).all()
    assert_no_errors(ratings, slice(None))


def test_a_bot_without_a_decided_game_is_not_rated():
    ratings = rate([(0, 1), (1, 2), (0, 4)], [[[4, 2], [0, 0], [3, 3]]] * 2)
    assert np.isnan(ratings.rating).tolist() == [False, False, True, True, False]


def test_one_group_has_a_rating_and_no_error():
    ratings = rate([(0, 1, 2)], [[[5, 3, 2]]])
    assert np.isfinite(ratings.rating).all()
    assert_no_errors(ratings, slice(None))


def assert_no_errors(ratings, bots):
    for name in FIELDS[1:]:
        assert np.isnan(getattr(ratings, name)[bots]).all(), name


@pytest.mark.parametrize(
    ("tables", "wins", "confidence", "message"),
    [
        ([(0, 0, 1)], [[[1, 2, 3]]], 0.95, "twice"),
        ([(0, 1, 2)], [[[1, 2]]], 0.95, "shape"),
        ([(0, 1, 2)], [[1, 2, 3]], 0.95, "shape"),
        ([(0, 1, 2)], [[[1, 2, -3]]], 0.95, "wins are negative or no whole numbers"),
        ([(0, 1, 2)], [[[1, 2, 0.5]]], 0.95, "wins are negative or no whole numbers"),
        ([(0, 1, -1)], [[[1, 2, 3]]], 0.95, "rows of as many bots each, from 0 on"),
        ([(0, 1, 1.5)], [[[1, 2, 3]]], 0.95, "rows of as many bots each, from 0 on"),
        ([], [[]], 0.95, "rows of as many bots each, from 0 on"),
        ([(0, 1, 2)], [[[1, 2, 3]]], 1, "confidence"),
    ],
)
def test_what_makes_no_league_is_refused(tables, wins, confidence, message):
    with pytest.raises(ValueError, match=message):
        rate(tables, wins, confidence)


# --- Exactness -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_bots_that_differ_by_name_alone_are_equal_to_the_byte(seed):
    rng = np.random.default_rng(seed)
    tables = triples(6)
    wins = independent_wins(rng, rng.normal(0, 1, 6), tables, 30)
    swap = [0, 1, 3, 2, 4, 5]
    wins = wins + swapped(tables, wins, swap)
    ratings = rate(tables, wins)
    for name in FIELDS:
        values = getattr(ratings, name)
        assert values[2].tobytes() == values[3].tobytes()
        assert len(set(values.tolist())) == 5


def test_a_field_of_equals_is_zero():
    ratings = rate(triples(7), np.full((30, 35, 3), 2))
    for name in FIELDS:
        assert getattr(ratings, name).tobytes() == np.zeros(7).tobytes()


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64])
def test_order_of_tables_seats_and_groups_does_not_matter(dtype):
    rng = np.random.default_rng(9)
    tables = np.array(triples(8))
    wins = independent_wins(rng, rng.normal(0, 1, 8), tables, 40)
    ratings = rate(tables, wins)
    same(ratings, rate(tables, wins))
    rows, places, groups = rng.permutation(56), rng.permutation(3), rng.permutation(40)
    same(ratings, rate(tables[rows][:, places], wins[groups][:, rows][:, :, places].astype(dtype)))


def test_a_thousand_million_games_are_as_good_as_few():
    wins = independent_wins(np.random.default_rng(10), [0.9, 0.2, -0.3, -0.8], triples(4), 25)
    same(rate(triples(4), wins), rate(triples(4), wins * 10**9), atol=1e-5)


def test_a_win_in_a_thousand_million_is_counted():
    ratings = rate([(0, 1), (1, 2)], [[[10**9, 1], [10**9, 1]]]).rating
    assert ratings == pytest.approx([3600, 0, -3600], abs=1e-4)
    ratings = rate([(0, 1, 2)], [[[1, 10**9, 1]], [[1, 10**9, 3]]])
    assert ratings.rating == pytest.approx(ELO * centred(np.log([2, 2 * 10**9, 4])), abs=1e-4)
    assert np.isfinite(ratings.standard_error).all()


def test_newtons_steps_do_not_lead_astray():
    tables = list(itertools.combinations(range(4), 2))  # whole steps of Newton's diverge here
    totals = np.array([[89209592, 7], [595, 555236940], [145, 115], [0, 139226], [5780, 7], [8754487, 735]])
    ratings = rate(tables, totals[None]).rating
    expected = totals.sum(1, keepdims=True) * chances(ratings / ELO, tables)
    for bot in range(4):
        seat = np.array(tables) == bot
        assert expected[seat].sum() == pytest.approx(totals[seat].sum(), rel=1e-7)


def test_sums_on_either_side_of_a_rounding_come_out_equal():
    half = 1.0000005
    rounded = _rounded(np.array([half + 1e-12, 3, half - 1e-12, -1e-9]))
    assert rounded[0] == rounded[2]
    assert rounded[1:].tolist() == pytest.approx([3, 1, 0], abs=1.1e-6)
    assert math.copysign(1, rounded[3]) == 1


def swapped(tables, wins, names):
    """Return the bots under other names, with the wins at the same tables."""
    index = {table: t for t, table in enumerate(tables)}
    renamed = np.zeros_like(wins)
    for t, table in enumerate(tables):
        now = tuple(sorted(names[bot] for bot in table))
        for place, bot in enumerate(table):
            renamed[:, index[now], now.index(names[bot])] = wins[:, t, place]
    return renamed


@st.composite
def leagues(draw):
    bots = draw(st.integers(2, 5))
    tables = list(itertools.combinations(range(bots), draw(st.integers(2, min(bots, 4)))))
    shape = (draw(st.integers(2, 4)), len(tables), len(tables[0]))
    return bots, tables, draw(arrays(np.int64, shape, elements=st.integers(0, 3)))


@settings(max_examples=100)
@given(leagues(), st.randoms(use_true_random=False))
def test_other_names_are_the_same_ratings(league, random):
    bots, tables, wins = league
    names = random.sample(range(bots), bots)
    ratings, renamed = rate(tables, wins), rate(tables, swapped(tables, wins, names))
    for name in FIELDS:
        np.testing.assert_allclose(getattr(renamed, name)[names], getattr(ratings, name), rtol=0, atol=2e-5)


@settings(max_examples=100)
@given(leagues())
def test_ratings_expect_the_wins_that_were_seen(league):
    bots, tables, wins = league
    ratings = rate(tables, wins).rating
    assume(np.isfinite(ratings).all())
    totals = wins.sum(0)
    expected = totals.sum(1, keepdims=True) * chances(ratings / ELO, tables)
    per_bot = [np.bincount(np.ravel(tables), np.ravel(points), bots) for points in (expected, totals)]
    assert per_bot[0] == pytest.approx(per_bot[1], abs=1e-6)
