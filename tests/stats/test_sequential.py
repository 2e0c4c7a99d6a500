"""Error rates of what is looked at again and again, by simulation; formulas by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats as scipy_stats

from spadesim.stats import sequential
from spadesim.stats.sequential import WaldTest, anytime_half_width, fixed_blocks, looks
from spadesim.tournament.stopping import FIRST_LOOK_OF_TEST

RUNS = 2000
DELTA = 0.02

# Wins in a block of six games, in shares: 0 to 6 of 6, mostly few, 2 on average.
WIN_SHARES = np.arange(7) / 6
WIN_CHANCES = scipy_stats.betabinom(6, 0.5, 1).pmf(np.arange(7))

# What one bot wins in a block more than another, -6 to 6 of 6 games.
DIFFERENCES = np.arange(-6, 7) / 6
OFTEN_DIFFERENT = np.exp(-np.abs(DIFFERENCES) * 5)
OFTEN_DIFFERENT /= OFTEN_DIFFERENT.sum()
SELDOM_DIFFERENT = np.where(DIFFERENCES == 0, 0.9, np.where(np.abs(DIFFERENCES) < 0.2, 0.05, 0))


def draw(seed, values, chances, at, runs=RUNS):
    """Draw blocks one by one, in effect; return means, variances and blocks that are not 0, arrays [look, run]."""
    rng = np.random.default_rng(seed)
    more = np.diff(at, prepend=0)
    counts = np.cumsum([rng.multinomial(n, chances, runs) for n in more], axis=0)
    blocks = np.array(at)[:, None]
    means = counts @ values / blocks
    variances = np.maximum(counts @ values**2 / blocks - means**2, 0) * blocks / (blocks - 1)
    return means, variances, counts @ (values != 0)


def tilted(chances, mean):
    """Shift these chances of the differences to a mean, as exponential families do."""
    factor = 0.0
    for _ in range(50):  # Newton's method: the derivative of the mean by the factor is the variance
        new = chances * np.exp(factor * DIFFERENCES)
        new /= new.sum()
        factor += (mean - new @ DIFFERENCES) / (new @ DIFFERENCES**2 - (new @ DIFFERENCES) ** 2)
    assert new @ DIFFERENCES == pytest.approx(mean)
    return new


def play(seed, chances, delta):
    """Play to the verdict: those of all runs, and the blocks that they took."""
    at = looks(6 * fixed_blocks(chances @ DIFFERENCES**2, delta), FIRST_LOOK_OF_TEST)
    seen = np.stack(draw(seed, DIFFERENCES, chances, at), axis=-1)
    ends = [verdict_and_look(at, seen[:, run], delta) for run in range(RUNS)]
    return np.array([verdict for verdict, _ in ends]), np.array([blocks for _, blocks in ends])


def verdict_and_look(at, seen, delta):
    test = WaldTest(delta)
    for blocks, (mean, variance, different) in zip(at, seen.tolist(), strict=True):
        if verdict := test.look(mean, variance, blocks, different):
            return verdict, blocks
    return "none", at[-1]


def most_of(runs, chance):
    """Bound how many of the runs have what happens with this chance: more in one of a thousand samples."""
    return scipy_stats.binom.ppf(0.999, runs, chance)


# --- The interval that holds at every look ---------------------------------------------------------------------------


def test_half_width_by_hand():
    # alpha = 0.05: -2 log alpha = 5.99146 and log(6.99146) = 1.94469, so 100 rho² = 7.93616. With log(sqrt(8.93616) /
    # 0.05) = 4.09079, sqrt(2 * 8.93616 / (100 * 7.93616) * 4.09079) = 0.303520; the standard deviation is 0.2.
    assert anytime_half_width(0.04, 100, confidence=0.95, tuned_for=100) == pytest.approx(0.060704, rel=1e-5)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_half_width_is_least_where_it_is_tuned_for(confidence):
    tuned = anytime_half_width(1, 500, confidence, tuned_for=500)
    others = [anytime_half_width(1, 500, confidence, tuned_for) for tuned_for in np.geomspace(50, 5000, 400)]
    assert tuned <= min(others) * 1.0001
    assert tuned < min(others[0], others[-1]) * 0.97


def test_half_width_of_an_array_is_that_of_each():
    variances, blocks = np.array([0, 0.04, np.nan]), np.array([[1], [2], [5000]])
    widths = anytime_half_width(variances, blocks)
    assert widths.shape == (3, 3)
    assert np.isnan(widths[0]).all()
    assert np.isnan(widths[:, 2]).all()
    assert widths[1:, 0].tolist() == [0, 0]
    assert widths[2, 1] == anytime_half_width(0.04, 5000)


@pytest.mark.parametrize("tuned_for", [256, 10_000])
def test_the_true_mean_is_inside_at_all_of_fifty_looks(tuned_for):
    at = np.geomspace(sequential.EARLIEST_LOOK, 10_000, 50).astype(int)
    means, variances, _ = draw(11, WIN_SHARES, WIN_CHANCES, at)
    errors, blocks = np.abs(means - 1 / 3), at[:, None]
    always = (errors <= anytime_half_width(variances, blocks, tuned_for=tuned_for)).all(0).mean()
    once = (errors <= scipy_stats.t.ppf(0.975, blocks - 1) * np.sqrt(variances / blocks)).all(0).mean()
    assert always >= 0.945
    assert once < 0.7  # an interval made for one look misses at some look, and this test sees it


# --- Looks -----------------------------------------------------------------------------------------------------------


def test_looks_by_hand():
    assert looks(160, first=128, growth=0.1) == [128, 140, 154, 160]
    assert looks(8, first=4, growth=0.1) == [4, 5, 6, 7, 8]
    assert looks(128, first=128) == [128]
    assert looks(5, first=128) == [5]


@given(some.integers(1, 10**9), some.integers(1, 10**9), some.integers(2, 1000), some.floats(0.005, 2))
def test_a_longer_run_looks_where_a_shorter_one_does(one, other, first, growth):
    shorter, longer = looks(min(one, other), first, growth), looks(max(one, other), first, growth)
    *before_its_end, end = shorter
    assert longer[: len(before_its_end)] == before_its_end
    assert end == min(one, other)
    assert all(a < b for a, b in zip(longer, longer[1:], strict=False))


# --- The sequential test ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chances", "delta"), [(OFTEN_DIFFERENT, DELTA), (SELDOM_DIFFERENT, 0.005)])
def test_equal_bots_are_called_unequal_about_as_often_as_allowed(chances, delta):
    verdicts, _ = play(21, chances, delta)
    wrong = (verdicts != "level").sum()
    assert RUNS - most_of(RUNS, 0.95) <= wrong <= most_of(RUNS, 0.05)  # neither more nor fewer
    assert (verdicts == "first").sum() <= most_of(RUNS, 0.025)
    assert (verdicts == "second").sum() <= most_of(RUNS, 0.025)


@pytest.mark.parametrize(("chances", "delta"), [(OFTEN_DIFFERENT, DELTA), (SELDOM_DIFFERENT, 0.005)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_of_delta_is_found_as_often_as_promised_in_far_fewer_blocks(chances, delta, sign):
    chances = tilted(chances, sign * delta)
    verdicts, blocks = play(22, chances, delta)
    assert (verdicts != ("first" if sign > 0 else "second")).sum() <= most_of(RUNS, 0.05)
    variance = chances @ DIFFERENCES**2 - delta**2
    assert blocks.mean() <= 0.6 * fixed_blocks(variance, delta)
    # Wald's approximation (1945) for the mean, at errors of 2.5 % and 5 %; see test_bounds_by_hand
    wald = 2 * (0.95 * 3.63759 - 0.05 * 2.97041) * variance / delta**2
    assert blocks.mean() == pytest.approx(wald, rel=0.15)


def test_a_side_that_was_ruled_out_stays_so():
    # delta 0.1, variance 1: the evidence of 300 blocks with mean -0.05 is -3, below log(0.05 / 0.975) = -2.97, against
    # the first bot, and 0 for the second. That of 400 with mean 0.2 is 6, above log(0.95 / 0.025) = 3.64, and -10.
    test = WaldTest(0.1)
    assert test.look(-0.05, 1, 300, 300) is None
    assert (test.not_first, test.not_second) == (True, False)
    assert test.look(0.2, 1, 400, 400) == "level"
    assert WaldTest(0.1).look(0.2, 1, 400, 400) == "first"


def test_bounds_by_hand():
    # log(0.95 / 0.025) = 3.63759 is the evidence of 400 blocks with a mean of 0.05 + 3.63759 / 40 = 0.1409397.
    assert WaldTest(0.1).look(0.140939, 1, 400, 400) is None
    assert WaldTest(0.1).look(0.140940, 1, 400, 400) == "first"
    # log(0.05 / 0.975) = -2.97041 is that of 298 with a mean of 0.05 - 2.97041 / 29.8 = -0.0496782.
    for mean, ruled_out in [(-0.049678, False), (-0.049679, True)]:
        test = WaldTest(0.1)
        test.look(mean, 1, 298, 298)
        assert test.not_first is ruled_out


def test_bounds_move_in_by_the_blocks_since_the_last_look():
    # From 300 blocks to 400 it is 0.583 * 0.1 * sqrt(100) = 0.583: 0.05 + (3.63759 - 0.583) / 40 =
    # 0.12636467 is the mean.
    for mean, verdict in [(0.126364, None), (0.126365, "first")]:
        test = WaldTest(0.1)
        assert test.look(0.05, 1, 300, 300) is None
        assert test.look(mean, 1, 400, 400) == verdict


def test_a_verdict_stays():
    test = WaldTest(0.1)
    assert test.look(0.2, 1, 400, 400) == "first"
    assert test.look(-0.2, 1, 4000, 4000) == "first"
    assert test.verdict == "first"


@given(
    some.lists(
        some.tuples(some.floats(-1, 1), some.floats(0, 1), some.integers(1, 100_000), some.integers(0, 99)), max_size=8
    )
)
def test_bots_swapped_swap_the_verdict(seen):
    test, swapped = WaldTest(0.03), WaldTest(0.03)
    other = {"first": "second", "second": "first"}
    for mean, variance, blocks, different in sorted(seen, key=lambda look: look[2]):
        verdict = test.look(mean, variance, blocks, different)
        assert swapped.look(-mean, variance, blocks, different) == other.get(verdict, verdict)


@pytest.mark.parametrize(("mean", "verdict"), [(1 / 6, "first"), (-0.001, "second")])
def test_many_blocks_that_all_say_the_same_are_believed_at_once(mean, verdict):
    assert WaldTest(DELTA).look(mean, 0, 32, 32) == verdict
    assert WaldTest(DELTA).look(mean, 0, 31, 31) is None


def test_bots_that_never_differ_are_level_once_one_great_difference_would_not_matter():
    # With a variance of 1 / n the evidence against either is -n² delta² / 2: -2.97041 at n = 121.87, delta 0.02.
    assert WaldTest(0.02).look(0, 0, 121, 0) is None
    assert WaldTest(0.02).look(0, 0, 122, 0) == "level"


def test_one_block_shows_nothing():
    test = WaldTest(DELTA)
    assert test.look(0.5, float("nan"), 1, 1) is None
    assert test == WaldTest(DELTA)


# --- Blocks needed ---------------------------------------------------------------------------------------------------


def test_blocks_needed_by_hand():
    # (1.95996 + 1.64485)² = 12.9947, by 0.07 / 0.01² = 700.
    assert fixed_blocks(0.07, 0.01) == 9097
    # The textbook case of half a standard deviation at 5 % with power 80 %: (1.95996 + 0.84162)² * 4 = 31.4.
    assert fixed_blocks(1, 0.5, alpha=0.05, beta=0.2) == 32


# --- Errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: WaldTest(0), "delta is 0; expected a win share above 0 and below 1"),
        (lambda: WaldTest(float("nan")), "delta is nan; expected a win share above 0 and below 1"),
        (lambda: fixed_blocks(1, 1.5), "delta is 1.5; expected a win share above 0 and below 1"),
        (lambda: WaldTest(0.1, alpha=5), "alpha is 5; expected a probability above 0 and below 0.5"),
        (lambda: fixed_blocks(1, 0.1, beta=0), "beta is 0; expected a probability above 0 and below 0.5"),
        (lambda: fixed_blocks(-1, 0.1), "variance is -1; expected 0 or more"),
        (lambda: fixed_blocks(float("inf"), 0.1), "variance is inf; expected 0 or more"),
        (lambda: WaldTest(0.1).look(0, -0.5, 9, 9), "variance is -0.5; expected 0 or more"),
        (lambda: WaldTest(0.1).look(0, float("nan"), 9, 9), "variance is nan; expected 0 or more"),
        (lambda: WaldTest(0.1).look(float("nan"), 1, 9, 9), "mean is nan; expected a difference of win shares"),
        (lambda: anytime_half_width([1, -2], 9), "variance is -2.0; expected 0 or more"),
        (lambda: anytime_half_width(1, 9, 95), "confidence is 95; expected a probability above 0 and below 1"),
        (lambda: anytime_half_width(1, 9, tuned_for=0), "tuned_for is 0; expected a number of blocks above 0"),
        (lambda: looks(0), "most is 0; expected 1 block or more"),
        (lambda: looks(9, first=1), "first is 1; expected 2 blocks or more, for one shows no variance"),
        (lambda: looks(9, growth=0), "growth is 0; expected a share above 0"),
    ],
)
def test_a_number_out_of_range_is_named(call, message):
    with pytest.raises(ValueError, match=r"expected") as caught:
        call()
    assert str(caught.value) == message
