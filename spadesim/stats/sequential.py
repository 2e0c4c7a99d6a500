"""Look at a run while it goes on, and stop it, with error rates that stay true.

An interval made for one look misses far more often when it is looked at again and again. Here are an interval that may
be looked at as often as one likes, and a test that decides which of two bots is better, or that they are level, as soon
as the blocks show it. Both take the mean and the variance of one block's value: blocks are independent and alike, the
games inside one are not.

Both rest on the central limit theorem with an estimated variance. It fails them when few blocks have shown
anything: of bots that answer differently only in rare hands, the first blocks may all agree by chance, and the variance
seen is far too small. `EARLIEST_LOOK` guards the interval for bots that differ in a tenth of the blocks or more; the
test counts the blocks that differ (`DIFFERENT_ENOUGH`).
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Verdict = Literal["first", "second", "level"]

# Fewer blocks estimate the variance too badly: looked at from 64 on, bots that differ in a tenth of their blocks by one
# game of six were called level in 6 % to 7 % of runs where 5 % were allowed; from 128 on, in 5 %.
EARLIEST_LOOK = 128

# Looks that are closer gain little and are many.
LOOK_GROWTH = 0.02

# Fewer blocks in which two bots fared differently say too little about the blocks to come. In simulations of equal
# bots at errors of 5 %, 3 % to 5.7 % of the verdicts were wrong, 6.5 % where one in 25 blocks differed, lopsidedly;
# with 16 blocks here it was up to 8 %.
DIFFERENT_ENOUGH = 32

# How far evidence is past its bound at the first look after crossing it, on average, in standard deviations of what it
# grew by since the look before (Siegmund 1985, *Sequential Analysis*, chapter 10).
OVERSHOOT = 0.583


def anytime_half_width(
    variance: npt.ArrayLike, blocks: npt.ArrayLike, confidence: float = 0.95, tuned_for: float = 10_000
) -> npt.NDArray[np.float64]:
    """Return half-widths for every look at once: mean ∓ half-width holds the true mean at all, this confidently.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024, "Time-uniform central
    limit theory and asymptotic confidence sequences", *Annals of Statistics* 52), two-sided: with t blocks, alpha =
    1 - confidence and s² the variance,

        s * sqrt(2 (t rho² + 1) / (t² rho²) * log(sqrt(t rho² + 1) / alpha)).

    It is Robbins' normal mixture (1970), which holds for Gaussian values of known variance at every t from 1 on. Here
    it is *asymptotic*: values of any distribution with a variance come to behave so as blocks add up, and the chance of
    a miss at any look comes to be at most alpha the later the first look is. So looks start at `EARLIEST_LOOK` blocks,
    not at two.

    Parameters
    ----------
    variance
        The estimated variance of one block's value, 0 or more, in the square of the unit of the mean; any shape.
        NaN gives NaN.
    blocks
        How many blocks it was estimated from; any shape that broadcasts with `variance`.
    confidence
        The probability of never missing, above 0 and below 1.
    tuned_for
        The number of blocks at which the bound is tightest, above 0; it holds at all others too. Set before the run.

    Returns
    -------
    numpy.ndarray
        Half-widths in the unit of the mean, of the shape that `variance` and `blocks` have together; NaN for fewer than
        two blocks, and 0 where the variance is 0: values that have never differed say nothing about those that will.

    Raises
    ------
    ValueError
        When a variance is negative, or `confidence` or `tuned_for` is out of range.
    """
    _require(0 < confidence < 1, "confidence", confidence, "a probability above 0 and below 1")
    _require(0 < tuned_for < math.inf, "tuned_for", tuned_for, "a number of blocks above 0")
    variance, blocks = np.asarray(variance, float), np.asarray(blocks, float)
    if np.any(variance < 0):
        raise ValueError(f"variance is {variance[variance < 0].min()}; expected 0 or more")
    alpha = 1 - confidence
    t = np.where(blocks < 2, np.nan, blocks)
    grown = t * _tightest(alpha, tuned_for)
    return np.asarray(np.sqrt(variance * 2 * (grown + 1) / (t * grown) * np.log(np.sqrt(grown + 1) / alpha)))


def _tightest(alpha: float, blocks: float) -> float:
    """Return the rho² that makes the bound tightest at this many blocks (same paper).

    Where the derivative of the bound is 0, x = log(x + 1) - 2 log alpha for x = blocks * rho². One step towards its
    root is near enough: at a confidence of 0.9 or more the bound is wider by less than one part in ten thousand.
    """
    start = -2 * math.log(alpha)
    return (start + math.log(start + 1)) / blocks


def looks(most: int, first: int = EARLIEST_LOOK, growth: float = LOOK_GROWTH) -> list[int]:
    """Return the numbers of blocks at which a run may look.

    They depend on nothing but these numbers, so a longer run looks where a shorter one does, up to the shorter's end.

    Parameters
    ----------
    most
        The blocks of the whole run, 1 or more.
    first
        The blocks at the first look, 2 or more.
    growth
        By which share of the blocks so far each look follows the one before, above 0; by one block at least.

    Returns
    -------
    list of int
        Increasing; the last is `most`, and the only one if the run is shorter than `first`.

    Raises
    ------
    ValueError
        When a number is out of range.
    """
    _require(most >= 1, "most", most, "1 block or more")
    _require(first >= 2, "first", first, "2 blocks or more, for one shows no variance")
    _require(0 < growth < math.inf, "growth", growth, "a share above 0")
    found, blocks = [], first
    while blocks < most:
        found.append(blocks)
        blocks += max(1, int(blocks * growth))
    return [*found, most]


@dataclass
class WaldTest:
    """Decide which of two bots is better, or that they are level, as soon as the blocks show it.

    The value of a block is the first bot's win share minus the second's. Three hypotheses are compared, that its
    mean is +delta, 0 or -delta, by two sequential probability ratio tests at once, one of 0 against +delta and
    one of 0 against -delta (Sobel and Wald 1949, *Annals of Mathematical Statistics* 20; Armitage 1950, *Journal of the
    Royal Statistical Society* B 12). Each ends at Wald's bounds (1945, *Annals of Mathematical Statistics* 16) for the
    errors alpha / 2 and beta. From the second look on they are moved inwards by how far evidence overshoots them, on
    average, between two looks (Whitehead 1997, *The Design and Analysis of Sequential Clinical Trials*, the
    "Christmas tree" correction). The first to accept its delta names the better bot; once both have accepted 0, the
    bots are level. The likelihood is the normal one, with the variance seen so far, as in tests of chess engines
    (GSPRT).

    A test that has accepted 0 is over, even if its evidence turns afterwards, so looks have a memory, and one object
    serves one pair of bots in one run.

    Between 0 and delta, either answer may come, and late. The stated errors are met approximately: a variance estimated
    from few blocks makes them larger (`DIFFERENT_ENOUGH`), a first look that decides most runs smaller, for there the
    bounds stay where they are.

    Attributes
    ----------
    delta : float
        The smallest difference that matters, in win shares per game, above 0 and below 1.
    alpha : float
        The probability of naming a better bot when they are equal, half of it for each; above 0 and below 0.5.
    beta : float
        The probability of not naming the better bot when the difference is delta; above 0 and below 0.5.
    not_first : bool
        Whether the test of 0 against +delta has accepted 0.
    not_second : bool
        Whether the test of 0 against -delta has accepted 0.
    verdict : {"first", "second", "level"} or None
        The bot that is better, or "level", or None as long as the run must go on. It stays once it is reached.
    blocks : int
        Blocks at the last look.

    Raises
    ------
    ValueError
        When `delta`, `alpha` or `beta` is out of range.
    """

    delta: float
    alpha: float = 0.05
    beta: float = 0.05
    not_first: bool = False
    not_second: bool = False
    verdict: Verdict | None = None
    blocks: int = 0

    def __post_init__(self) -> None:
        _check(self.delta, self.alpha, self.beta)

    def look(self, mean: float, variance: float, blocks: int, different: int) -> Verdict | None:
        """Weigh all blocks played so far, and return the verdict.

        Parameters
        ----------
        mean
            The mean difference per block, in win shares, -1 … 1.
        variance
            The estimated variance of one block's difference, 0 or more. With fewer than `DIFFERENT_ENOUGH` blocks that
            differ it is taken to be larger, as if one more block had been as different as can be.
        blocks
            How many blocks there were; fewer than two show nothing. More at each look than at the one before.
        different
            In how many of them the difference was not 0.

        Returns
        -------
        {"first", "second", "level"} or None
            The verdict, of this look or an earlier one.

        Raises
        ------
        ValueError
            When the variance of two blocks or more is negative, or their mean or variance is NaN.
        """
        if self.verdict is None and blocks >= 2:
            _require(variance >= 0, "variance", variance, "0 or more")
            _require(math.isfinite(mean), "mean", mean, "a difference of win shares")
            mean, blocks = float(mean), int(blocks)
            variance = float(variance) + (1 / blocks if different < DIFFERENT_ENOUGH else 0)
            self.verdict = self._weigh(
                _evidence(mean, variance, blocks, self.delta),
                _evidence(-mean, variance, blocks, self.delta),
                _overshoot(variance, blocks - self.blocks, self.delta) if self.blocks else 0.0,
            )
            self.blocks = blocks
        return self.verdict

    def _weigh(self, for_first: float, for_second: float, overshoot: float) -> Verdict | None:
        """Compare the evidence with the bounds."""
        low, high = _bounds(self.alpha, self.beta)
        low, high = low + overshoot, high - overshoot
        self.not_first = self.not_first or for_first <= low
        self.not_second = self.not_second or for_second <= low
        if for_first >= high and not self.not_first:
            return "first"
        if for_second >= high and not self.not_second:
            return "second"
        return "level" if self.not_first and self.not_second else None


def fixed_blocks(variance: float, delta: float, alpha: float = 0.05, beta: float = 0.05) -> int:
    """Return how many blocks a test that looks once needs for the same errors.

    The two-sided normal test of a mean: variance * (z(1 - alpha / 2) + z(1 - beta))² / delta² (NIST/SEMATECH
    *e-Handbook of Statistical Methods*, section 7.2.2.2).

    Parameters
    ----------
    variance
        The variance of one block's difference, 0 or more.
    delta, alpha, beta
        As in `WaldTest`.

    Returns
    -------
    int
        Blocks, rounded up.

    Raises
    ------
    ValueError
        When a number is out of range.
    """
    _check(delta, alpha, beta)
    _require(0 <= variance < math.inf, "variance", variance, "0 or more")
    return math.ceil(variance * float((ndtri(1 - alpha / 2) + ndtri(1 - beta)) ** 2) / delta**2)


def _evidence(mean: float, variance: float, blocks: int, delta: float) -> float:
    """Return the logarithm of the likelihood ratio of +delta to 0, for normal values."""
    if variance == 0:  # all blocks are equal, so their sign is all there is to know
        return math.inf if mean > 0 else -math.inf
    return blocks * delta * (mean - delta / 2) / variance


def _overshoot(variance: float, more_blocks: int, delta: float) -> float:
    """Return how far evidence overshoots a bound, on average, with this many blocks since the last look."""
    return OVERSHOOT * delta * math.sqrt(more_blocks / variance) if variance > 0 else 0.0


def _bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return Wald's bounds (1945) of the evidence: at the low one 0 is accepted, at the high one delta."""
    return math.log(beta / (1 - alpha / 2)), math.log((1 - beta) / (alpha / 2))


def _check(delta: float, alpha: float, beta: float) -> None:
    """Refuse numbers that make no test."""
    _require(0 < delta < 1, "delta", delta, "a win share above 0 and below 1")
    _require(0 < alpha < 0.5, "alpha", alpha, "a probability above 0 and below 0.5")
    _require(0 < beta < 0.5, "beta", beta, "a probability above 0 and below 0.5")


def _require(holds: bool, name: str, value: float, wanted: str) -> None:
    """Refuse a number out of range."""
    if not holds:
        raise ValueError(f"{name} is {value}; expected {wanted}")
