"""Error bars against textbook cases, other implementations and simulation."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from spadesim.stats import intervals
from spadesim.stats.sums import Sums


def sums(n, d):
    """Sum over the last axis, the blocks."""
    n, d = np.broadcast_arrays(np.asarray(n, np.int64), np.asarray(d, np.int64))
    return Sums(n.sum(-1), d.sum(-1), (n * n).sum(-1), (n * d).sum(-1), (d * d).sum(-1), (d > 0).sum(-1))


def jackknife_error(n, d):
    """Leave each block out in turn."""
    left_out = (n.sum() - n) / (d.sum() - d)
    return np.sqrt((len(n) - 1) / len(n) * ((left_out - left_out.mean()) ** 2).sum())


def correlated_wins(seed, repeats, blocks, trials=6, share=0.4):
    """Draw wins in blocks whose trials hang together, for each block has a chance of its own."""
    rng = np.random.default_rng(seed)
    return rng.binomial(trials, rng.beta(2 * share, 2 * (1 - share), (repeats, blocks)))


# --- Standard errors -------------------------------------------------------------------------------------------------


def test_standard_error_by_hand():
    # Three blocks of two games: 0, 1 and 2 wins. n - rate * d is -1, 0, 1; sqrt(3/2 * 2) / 6.
    assert intervals.rate(sums([0, 1, 2], [2, 2, 2])) == 0.5
    assert intervals.standard_error(sums([0, 1, 2], [2, 2, 2]), 3) == pytest.approx(3**0.5 / 6)
    # Two blocks of 1 and 3 deals with 1 and 1 nils: the rate is 1/2, n - rate * d is 1/2 and -1/2; sqrt(2/1 * 1/2) / 4.
    assert intervals.standard_error(sums([1, 1], [1, 3]), 2) == pytest.approx(0.25)


def test_mean_of_clusters_is_the_ratio_of_their_sums():
    rng = np.random.default_rng(5)
    clusters, values = rng.integers(40, size=300) * 7, rng.integers(-20, 90, 300)
    groups = [values[clusters == number] for number in np.unique(clusters)]
    both = sums([group.sum() for group in groups], [len(group) for group in groups])
    mean, low, high = intervals.clustered_mean(values, clusters)
    assert mean == pytest.approx(values.mean())
    assert (low, high) == pytest.approx(intervals.mean_interval(both, len(groups)))
    # each by itself, it is the usual interval of a mean
    usual = scipy_stats.t.interval(0.95, 299, values.mean(), scipy_stats.sem(values))
    assert intervals.clustered_mean(values, np.arange(300))[1:] == pytest.approx(usual)
    assert np.isnan(intervals.clustered_mean(values[:0], clusters[:0])).all()
    assert np.isnan(intervals.clustered_mean(values[:9], np.zeros(9, int))).tolist() == [False, True, True]


def test_standard_error_of_equal_blocks_is_that_of_a_mean():
    n = np.random.default_rng(1).integers(-50, 50, 40)
    error = intervals.standard_error(sums(n, np.full(40, 6)), 40)
    assert error == pytest.approx(scipy_stats.sem(n / 6))


def test_standard_error_agrees_with_the_jackknife():
    rng = np.random.default_rng(2)
    d = rng.integers(1, 30, 800)
    n = rng.binomial(d, rng.beta(2, 3, 800))
    assert intervals.standard_error(sums(n, d), 800) == pytest.approx(jackknife_error(n, d), rel=0.01)


def test_standard_error_of_a_row_is_its_own():
    rng = np.random.default_rng(3)
    n, d = rng.integers(0, 7, (4, 5, 30)), np.full((4, 5, 30), 6)
    errors = intervals.standard_error(sums(n, d), 30)
    assert errors.shape == (4, 5)
    assert errors[2, 3] == intervals.standard_error(sums(n[2, 3], d[2, 3]), 30)


# --- Intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wins", [30, 800, 1990])
def test_share_of_independent_trials_is_wilsons_interval(wins):
    n = np.repeat([1, 0], [wins, 2000 - wins])
    low, high = intervals.share_interval(sums(n, np.ones(2000, int)), 2000)
    wilson = scipy_stats.binomtest(wins, 2000).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((wilson.low, wilson.high), rel=2e-3)


@pytest.mark.parametrize("wins", [0, 300])
def test_share_of_0_or_1_is_wilsons_interval_of_the_blocks(wins):
    low, high = intervals.share_interval(sums(np.full(300, wins // 50), np.full(300, 6)), 300)
    wilson = scipy_stats.binomtest(wins, 300).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((wilson.low, wilson.high), abs=3e-4)
    assert 0.01 < high - low < 0.02


def test_mean_interval_is_students():
    n = np.random.default_rng(5).integers(-300, 300, 12)
    low, high = intervals.mean_interval(sums(n, np.full(12, 6)), 12)
    expected = scipy_stats.t.interval(0.95, 11, loc=(n / 6).mean(), scale=scipy_stats.sem(n / 6))
    assert (low, high) == pytest.approx(expected)


@pytest.mark.parametrize(("blocks", "share"), [(200, 0.4), (60, 0.4), (200, 0.08)])
def test_share_intervals_hold_the_truth_95_times_of_100(blocks, share):
    wins = correlated_wins(6, 4000, blocks, share=share)
    low, high = intervals.share_interval(sums(wins, np.full(wins.shape, 6)), blocks)
    assert 0.935 < ((low <= share) & (share <= high)).mean() < 0.965


def test_mean_intervals_hold_the_truth_95_times_of_100():
    rng = np.random.default_rng(7)
    deals = rng.integers(6, 60, (4000, 200))  # blocks of games that last differently long
    points = rng.normal(20 * deals, 60 * np.sqrt(deals)).astype(int)
    low, high = intervals.mean_interval(sums(points, deals), 200)
    truth = 20 - 0.5 / 33  # cut to whole points, half a point a block is lost
    assert 0.935 < ((low <= truth) & (truth <= high)).mean() < 0.965


def test_trials_that_hang_together_widen_the_interval():
    wins = correlated_wins(8, 1, 500)[0]
    low, high = intervals.share_interval(sums(wins, np.full(500, 6)), 500)
    wilson = scipy_stats.binomtest(int(wins.sum()), 3000).proportion_ci(method="wilson")
    assert high - low > 1.3 * (wilson.high - wilson.low)


def test_the_same_in_every_block_leaves_nothing_to_estimate():
    constant = sums(np.full(90, 2), np.full(90, 6))  # equal bots: two wins of six in every block
    assert intervals.standard_error(constant, 90) == 0
    assert intervals.share_interval(constant, 90) == (1 / 3, 1 / 3)
    assert intervals.mean_interval(constant, 90) == (1 / 3, 1 / 3)
    d = np.random.default_rng(9).integers(1, 10**6, 90) * 7
    assert intervals.standard_error(sums(d // 7 * 3, d), 90) == 0


@pytest.mark.parametrize("wins", [0, 6])
def test_share_of_0_or_1_is_no_certainty(wins):
    low, high = intervals.share_interval(sums(np.full(90, wins), np.full(90, 6)), 90)
    assert 0 <= low < high <= 1
    assert (low if wins == 0 else 1 - high) == pytest.approx(0, abs=1e-12)


def test_nothing_counted_gives_no_figure():
    nothing = sums(np.zeros(10), np.zeros(10))
    assert np.isnan(intervals.rate(nothing))
    assert np.isnan(intervals.standard_error(nothing, 10))
    assert np.isnan(intervals.share_interval(nothing, 10)).all()
    assert np.isnan(intervals.mean_interval(nothing, 10)).all()


def test_one_block_gives_no_interval():
    one = sums([2], [6])
    assert intervals.rate(one) == 2 / 6
    assert np.isnan(intervals.share_interval(one, 1)).all()
    assert np.isnan(intervals.mean_interval(one, 1)).all()
