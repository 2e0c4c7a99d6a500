"""How fast a table plays here: on one core, and on all that there are."""

import statistics
import time
from dataclasses import asdict, dataclass

from spadesim.tournament.job import Job, JobSpec
from spadesim.tournament.progress import Progress
from spadesim.tournament.workers import workers_for

SECONDS_A_RUN = 2.0
RUNS = 5
DEFAULT_BOT = "quick+need_or_duck"
GAMES_AT_FIRST = 1_200


@dataclass
class Speed:
    """Medians of several runs, counting and checking included."""

    games_per_second: float
    deals_per_second: float
    workers: int
    games_per_second_all: float
    deals_per_second_all: float

    def as_dict(self) -> dict[str, float]:
        """Return the figures by name."""
        return asdict(self)


def bench(spec: JobSpec, *, workers: int, seconds: float = SECONDS_A_RUN) -> Speed:
    """Measure how fast tables play, tallies and legality checks included.

    Parameters
    ----------
    spec
        The bots, as many as a table seats or a field, and the rules.
    workers
        Processes for the second pair of figures.
    seconds
        About how long each of the five runs of either kind takes.

    Returns
    -------
    Speed
        Games and deals a second on one core, and with all workers.
    """
    job = Job(spec)
    job.compile()
    rate, _ = _rates(job, GAMES_AT_FIRST, 1)
    rate, _ = _rates(job, rate * seconds / 4, 1)
    one = [_rates(job, rate * seconds, 1) for _ in range(RUNS)]
    every = [_rates(job, rate * seconds * workers, workers) for _ in range(RUNS)] if workers > 1 else one
    medians = [statistics.median(run[i] for run in runs) for runs in (one, every) for i in (0, 1)]
    return Speed(medians[0], medians[1], workers, medians[2], medians[3])


def _rates(job: Job, games: float, workers: int) -> tuple[float, float]:
    """Play about so many games and return games and deals a second."""
    job.blocks = max(1, int(games / len(job.tables) / job.n_seatings))
    started = time.perf_counter()
    with workers_for(job, workers) as where:
        total, _ = Progress(job).play(where)
    seconds = time.perf_counter() - started
    games, hands_bid = int(total.games.sum()) / job.rules.bots, int(total.deals.sum())
    return games / seconds, hands_bid / job.rules.players / seconds
