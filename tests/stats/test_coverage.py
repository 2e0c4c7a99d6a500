"""How often error bars and verdicts are right, in many small leagues of bots whose true figures are known well enough.

Eighty leagues by default; SPADESIM_REPEATS=2000 for figures worth quoting.
"""

import os

import numpy as np
import pytest
from against_reference import BOTS_FILE
from whole_proof import whole

from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.designs.compare.spec import CompareSpec
from spadesim.rules import Rules
from spadesim.stats import intervals, sequential
from spadesim.tournament.job import Job
from spadesim.tournament.progress import Progress
from spadesim.tournament.stopping import SequentialTest
from spadesim.tournament.tally import Pool, TableCounts
from spadesim.tournament.workers import InProcess

pytestmark = pytest.mark.many_games

REPEATS = int(os.environ.get("SPADESIM_REPEATS", "80"))
MARGIN = 4 * (0.05 * 0.95 / REPEATS) ** 0.5 if REPEATS < 2000 else 0.01  # four standard errors of so few repeats
BOTS = ["honors+boss", "quick+boss", "nil_tips+need_or_duck"]
ALL = (0, 1, 2)
BLOCKS = 200
RULES = Rules()


@pytest.fixture(scope="module")
def table():
    return make_table(find_strategies().field(BOTS), RULES)


def tally_of(table, seed, blocks):
    pool = Pool(3, [ALL], blocks, RULES, table.n_seatings)
    pool.add(ALL, TableCounts.of(table.play(seed, 0, blocks), 0))
    return pool.tally()


@pytest.fixture(scope="module")
def truth(table):
    """Play a league so long that its own error is a small part of that of those to be judged."""
    return tally_of(table, 1, 100_000)


@pytest.fixture(scope="module")
def leagues(table):
    return [tally_of(table, 1000 + i, BLOCKS) for i in range(REPEATS)]


@whole
@pytest.mark.parametrize("rate", ["win_share", "nil_success"])
def test_share_intervals_hold_the_truth(rate, truth, leagues):
    true = intervals.rate(truth.rates[rate])
    bounds = np.array([intervals.share_interval(tally.rates[rate], tally.units) for tally in leagues])
    held = ((bounds[:, 0] <= true) & (true <= bounds[:, 1])).mean(0)
    judged = [0, 1, 2] if rate == "win_share" else [2]  # the others bid no nil
    print(rate, held[judged])
    assert (np.abs(held[judged] - 0.95) < MARGIN).all()


@whole
def test_intervals_of_paired_differences_hold_the_truth(truth, leagues):
    held = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        true, _ = intervals.differences(*truth.by_group["win_share"], [i], [j])
        found = [intervals.differences(*tally.by_group["win_share"], [i], [j]) for tally in leagues]
        held.append(np.mean([abs(mean - true) <= intervals.t_quantile(BLOCKS) * error for mean, error in found]))
    print("paired difference", held)
    assert all(abs(share - 0.95) < MARGIN for share in held)


@whole
def test_intervals_that_hold_at_every_look_do(table, truth):
    true, most = intervals.rate(truth.rates["win_share"])[1], 2_000
    looks = np.unique(np.geomspace(sequential.EARLIEST_LOOK, most, 50).astype(int))
    missed, missed_by_t = 0, 0
    for i in range(REPEATS):
        tally = tally_of(table, 50_000 + i, most)  # each block is a group by itself
        shares = tally.by_group["win_share"][0][:, 1] / table.n_seatings
        means = shares.cumsum()[looks - 1] / looks
        variances = ((shares**2).cumsum()[looks - 1] / looks - means**2) * looks / (looks - 1)
        missed += (np.abs(means - true) > sequential.anytime_half_width(variances, looks)).any()
        missed_by_t += (np.abs(means - true) > 1.96 * np.sqrt(variances / looks)).any()
    print("always valid", 1 - missed / REPEATS, "once valid", 1 - missed_by_t / REPEATS)
    assert 1 - missed / REPEATS >= 0.945
    assert missed_by_t / REPEATS > 0.2  # so the looks do tempt


def verdicts_of(first, second, delta, repeats):
    found, games = [], []
    for i in range(repeats):
        spec = CompareSpec(
            bots=(first, second, "quick+boss", "honors+boss"), seed=i, delta=delta, games=2_000_000, load=(BOTS_FILE,)
        )
        job = Job(spec)
        progress = Progress(job)
        with InProcess(job) as workers:
            tally, _ = progress.play(workers)
        assert isinstance(progress.stopping, SequentialTest)
        found.append(progress.stopping.verdict)
        games.append(int(tally.games[0]))
    return found, np.array(games)


@whole
def test_verdicts_on_equal_bots_are_wrong_as_often_as_stated():
    # They toss different coins, and are equally good.
    repeats = REPEATS if REPEATS >= 2000 else REPEATS // 4
    found, games = verdicts_of("tossing:salt=1+boss", "tossing:salt=2+boss", 0.02, repeats)
    wrong = sum(verdict in ("first", "second") for verdict in found)
    print("wrong", wrong / repeats, "games", games.mean())
    assert wrong <= 0.05 * repeats + 4 * (0.05 * 0.95 * repeats) ** 0.5
    assert sum(verdict == "level" for verdict in found) >= repeats * 0.9
