"""Forty runs count what they counted before: proof that moving and renaming things changes no game and no figure.

For each run `golden/counts.json` keeps a SHA-256 digest of all whole numbers that came of it: of a league its tally, of
a what-if study the sums of every hand, of a search the wins and games of every candidate, of a study its tables, of a
log its rows, of single games their records. Names of columns, of files and of modules are in no digest, but for the
keys of a record; only places are, so that whatever moves or gets a new name must keep its place in the lists below.
A digest tells that something changed, not what, and not whether it was right: `test_against_reference.py` does that.

`python tests/test_golden_counts.py` writes the digests anew. Do that only when figures are meant to change.
"""

import hashlib
import json
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from against_reference import BOTS_FILE
from play_specs import run
from stopping_reporter import StopsAfter
from whole_proof import whole_but

from spadesim import compare, league, play_game, study, sweep, tune, whatif

# --- All that knows the inside of spadesim ---------------------------------------------------------------------------
from spadesim.designs.experiment import check_spec
from spadesim.rules import PRESETS
from spadesim.storage.run_folder import read_shard

COUNTS = (
    "blocks", "units", "games", "deals", "earned", "seat_games", "met", "ahead", "table_wins", "tables", "looked_at",
)  # fmt: skip
TOTALS = ("wins", "score", "penalties", "bags", "deals", "capped", "faults")
BY_GROUP = (
    "win_share", "mean_score", "penalties_per_game", "points_per_deal", "bags_per_deal", "set_rate", "nil_rate",
    "nil_success",
)  # fmt: skip
RATES = (*BY_GROUP, "seat_win_share", "made_rate", "ahead_share", "mean_margin")
SUMS = ("n", "d", "nn", "nd", "dd", "seen")
WHATIF_ARRAYS = (
    "game", "block", "deal", "seat", "order", "bot", "hand", "bid", "redeals", "attempts", "bids", "scores", "bags",
    "allowed", "points_sum", "points_squares", "points_gains", "chances_sum", "chances_squares", "chances_gains",
)  # fmt: skip
TUNE_ARRAYS = ("wins", "games")
TUNE_POINTS = "points"


def counts_of_league(result):
    """List all that a league, a comparison or a sweep has counted."""
    assert result.complete
    tally = result.tally
    assert (set(tally.totals), set(tally.by_group), set(tally.rates)) == (set(TOTALS), set(BY_GROUP), set(RATES))
    return [
        *(getattr(tally, name) for name in COUNTS),
        *(tally.totals[name] for name in TOTALS),
        *(counts for name in BY_GROUP for counts in tally.by_group[name]),
        *(getattr(tally.rates[name], sums) for name in RATES for sums in SUMS),
    ]


def counts_of_whatif(folder):
    """List the arrays of each chunk of hands, in the order of the chunks."""
    return [shard[name] for shard in shards_in(folder, WHATIF_ARRAYS) for name in WHATIF_ARRAYS]


def counts_of_tune(folder):
    """List what each generation, and the unseen deals, came to, and the points that were tried."""
    shards = shards_in(folder, (*TUNE_ARRAYS, TUNE_POINTS))
    return [
        *(shard[name] for shard in shards for name in TUNE_ARRAYS),
        *(repr([[round(value, 9) for value in point] for point in shard[TUNE_POINTS].tolist()]) for shard in shards),
    ]


def shards_in(folder, names):
    """Read the shards of a search or of a what-if study, in the order in which they were made."""
    shards = [read_shard(path) for path in sorted((folder / "shards").glob("*.npz"))]
    assert shards
    assert all(set(shard) == set(names) for shard in shards)
    return shards


def counts_of_study(result):
    """List the whole numbers in the tables of a study, column by column, and what its leagues have counted."""
    columns = [table.iloc[:, i] for table in result.tables.values() for i in range(table.shape[1])]
    return [
        *(column.to_numpy() for column in columns if column.dtype.kind in "iub"),
        *(counts for part in result.parts for counts in counts_of_league(part.league)),
    ]


def rows_of_log(folder):
    """List the columns of a log, those of names as their places in the field."""
    columns = pq.read_table(folder / "deals").columns
    codes = [column.combine_chunks().indices if pa.types.is_dictionary(column.type) else column for column in columns]
    return [column.to_numpy() for column in codes]


def play_and_resume(values, folder):
    """Stop a league after two shards, then go on with it."""
    spec, out = check_spec(values), str(folder)
    assert not run(spec, out=out, reporter=StopsAfter(2)).complete
    return run(spec, out=out, resume=True)


# --- The runs: each is given a new folder and lists what it has counted ----------------------------------------------

# Six at a table; two sit there twice, for every strategy is compiled anew for each number of hands.
FOUR = ["family_bid+family_play", "honors+need_or_duck", "nil_tips+boss", "wild_bid+tricky_play"]
FIELD = [*FOUR, *FOUR[1:3]]
QUICK = ["quick+need_or_duck", "honors+need_or_duck"]
CARELESS = ["careless_bid+careless_play", "quick+careless_play", "careless_bid+need_or_duck"]
DARING = ["daring_bid+need_or_duck", "daring_bid+family_play", "nil_tips+boss"]
SEARCHERS = ["honors+monte_carlo:worlds=3", "rollout_bidder:worlds=3+need_or_duck", "honors+pimc:worlds=2"]
FORFEITING = ["careless_bid+need_or_duck", "quick+careless_play", *QUICK]
REPLAYED = {
    "cutthroat": FOUR[:3],
    "dummy-hand": FOUR[:3],
    "duel": FOUR[:2],
    "house-blind-nil:blind_behind=0": DARING,
    "pagat-jokers": FOUR[1:],
    "partnership:blind_nil=200:blind_behind=0": DARING[:2],
    "solo-5": FIELD[:5],
}
LIMITS = "target=60:max_deals=4"


def preset(name, folder):
    """Play a league of as many bots as the rules seat."""
    bots = FIELD[: PRESETS[name].bots]
    return counts_of_league(league(bots, games=120, seed=11, rules=name, load=[BOTS_FILE]))


def field(bots, folder, **how):
    """Play a league."""
    return counts_of_league(league(bots, **{"games": 60, "seed": 12, "load": [BOTS_FILE]} | how))


def comparison(folder):
    """Compare two bots."""
    return counts_of_league(compare(*QUICK, ["nil_tips+boss", "quick+lowest"], games=3000, seed=13, delta=0.05))


def swept(bot, sample, folder):
    """Sweep a bot's parameters."""
    return counts_of_league(sweep(bot, QUICK, sample=sample, games=60, seed=14))


def tuned(folder):
    """Search a bidder's parameters."""
    bot = "honors:ace=0.8..1.1:king=0.6..0.9+need_or_duck"
    tune(bot, QUICK, budget=1500, games=60, unseen=120, seed=15, out=str(folder / "run"))
    return counts_of_tune(folder / "run")


def redealt(bots, rules, folder):
    """Do a what-if study, of more than one chunk."""
    whatif(bots, hands=13, redeals=10, seed=16, rules=rules, load=[BOTS_FILE], out=str(folder / "run"))
    return counts_of_whatif(folder / "run")


def studied(name, games, folder):
    """Make a bundled study."""
    return counts_of_study(study(name, games=games, seed=17))


def until(folder):
    """End a league when its win shares are known well enough."""
    result = league([*QUICK, "quick+lowest"], games=30_000, seed=18, until=0.04)
    assert 6 * result.tally.blocks < 30_000
    return counts_of_league(result)


def resumed(folder):
    """Stop a league and go on."""
    bots = (*QUICK, "quick+lowest", "honors+boss")
    return counts_of_league(play_and_resume({"bots": bots, "games": 120, "seed": 19}, folder / "run"))


def logged(folder):
    """Write a log of deals, of one table: files of several are in the order of their names."""
    league([FOUR[0], *DARING[1:]], games=60, seed=20, rules="house-blind-nil", load=[BOTS_FILE], log="deals",
           out=str(folder / "run"))  # fmt: skip
    return rows_of_log(folder / "run")


def replayed(folder):
    """Play single games by several rules, each written down card by card."""
    records = [
        play_game(bots, seed=21, game=game, rules=f"{rules}:max_deals=3", load=[BOTS_FILE])
        for rules, bots in REPLAYED.items()
        for game in (0, 7)
    ]
    return [json.dumps(record, sort_keys=True) for record in records]


RUNS = {f"preset_{name}": partial(preset, name) for name in PRESETS} | {
    "array_strategies": partial(field, ["wild_bid_array+need_or_duck_array", *QUICK]),
    "blind_nils": partial(field, DARING, rules="house-blind-nil:blind_behind=0"),
    "compare": comparison,
    "faults_corrected_bid_fails": partial(field, CARELESS, rules=f"house:{LIMITS}", on_fault="correct"),
    "faults_corrected_three_tricks": partial(field, CARELESS, rules="solo-3:renege=three_tricks", on_fault="correct"),
    "faults_forfeited": partial(field, FORFEITING, rules=f"cutthroat:{LIMITS}", on_fault="forfeit"),
    "interpreted": partial(field, FOUR[:3], games=6, rules=f"cutthroat:{LIMITS}", interpreted=True),
    "league_in_focus": partial(field, [*FOUR, FOUR[1]], focus=FOUR[1:3]),
    "log_of_deals": logged,
    "python_strategies": partial(
        field, ["wild_bid_python+need_or_duck_python", *QUICK], games=12, rules=f"cutthroat:{LIMITS}"
    ),
    "replays": replayed,
    "resumed": resumed,
    "searchers": partial(field, SEARCHERS, games=12),
    "study_last_bid": partial(studied, "last_bid", 30),
    "study_overtrick_price": partial(studied, "overtrick_price", 120),
    "sweep_grid": partial(swept, "honors:ace=0.8..1.1:3:king=0.7,0.9+need_or_duck", 0),
    "sweep_sample": partial(swept, "honors:ace=0.8..1.1:king=0.6..0.9+boss", 5),
    "tune": tuned,
    "two_workers": partial(field, [*QUICK, "quick+lowest", FOUR[0]], workers=2),
    "until": until,
    "whatif": partial(redealt, FOUR[:3], "cutthroat"),
    "whatif_solo_4": partial(redealt, FOUR, "solo-4"),
}

# --- Their digests ---------------------------------------------------------------------------------------------------

FILE = Path(__file__).parent / "golden" / "counts.json"


def digest(counts):
    """Hash whole numbers, each array as its shape and its values, and texts."""
    sha = hashlib.sha256()
    for count in counts:
        for part in [count.encode()] if isinstance(count, str) else as_bytes(np.asarray(count)):
            sha.update(part)
    return sha.hexdigest()


def as_bytes(array):
    """Return the number of axes, the shape and the values as little-endian integers of 64 bits."""
    assert array.dtype.kind in "iub" or all(isinstance(value, int) for value in array.flat), array.dtype
    return [np.array(values, "<i8").tobytes() for values in ([array.ndim, *array.shape], array)]


@pytest.mark.many_games
@pytest.mark.parametrize("name", whole_but(RUNS, "preset_cutthroat", "compare", "resumed", "sweep_grid"))
def test_run_counts_what_it_counted(name, tmp_path):
    assert digest(RUNS[name](tmp_path)) == json.loads(FILE.read_text())[name]


def test_forty_runs_are_kept_by_name():
    kept = json.loads(FILE.read_text())
    assert len(kept) == 40
    assert list(kept) == sorted(RUNS)


def digest_of(name):
    with tempfile.TemporaryDirectory() as folder:
        return digest(RUNS[name](Path(folder)))


if __name__ == "__main__":
    FILE.write_text(json.dumps({name: digest_of(name) for name in sorted(RUNS)}, indent=0) + "\n")
