"""An answer that takes too long is a fault like a wrong one."""

from pathlib import Path

import pytest
from small_runs import (
    SEED,
    csv,
    plays,
    posix,
)
from whole_proof import whole, whole_but

from spadesim import BotFault, league

DREAMER = """import time

from spadesim import bidder
from spadesim.cards import SPADES, count

@bidder(kind="python")
def dreamer(view):
    if count(view.hand & SPADES) >= 8:
        {dream}
    return 3
"""
SECONDS = 3.0  # which no other answer takes, however slow the machine is
DREAMERS = ["dreamer+lowest", "quick+boss", "honors+boss"]


def dreaming(dream, **options):
    """Play a league with a bidder that does something else in rare hands; one way in each folder."""
    place = Path(dream.partition("(")[0].replace(" ", ""))
    place.mkdir()
    (place / "dreamer.py").write_text(DREAMER.format(dream=dream))
    return league(DREAMERS, games=60, seed=SEED, load=[str(place / "dreamer.py")], **options)


@plays
@posix
@pytest.mark.parametrize("workers", whole_but([0, 2], 0))
def test_answer_that_takes_too_long_is_a_fault(workers, here):
    with pytest.raises(BotFault) as wrong:
        dreaming("return -1", workers=workers)
    with pytest.raises(BotFault) as late:
        dreaming("time.sleep(3600)", decision_timeout=SECONDS, workers=workers)
    assert f"bot 'dreamer+lowest' gave no answer in {SECONDS:g} s when asked for its bid" in str(late.value)
    assert late.value.record["reason"] == f"gave no answer in {SECONDS:g} s"
    for name in ("bot", "game", "deal", "seat", "hand", "table", "asked"):
        assert late.value.record[name] == wrong.value.record[name]


@whole
@plays
@posix
@pytest.mark.parametrize("workers", [0, 2])
def test_answer_that_takes_too_long_is_corrected_like_a_wrong_one(workers, here):
    wrong = dreaming("return -1", on_fault="correct")
    late = dreaming("time.sleep(3600)", on_fault="correct", decision_timeout=SECONDS, workers=workers)
    assert csv(late) == csv(wrong)
    faults = late.standings.set_index("bot")["faults"]
    assert 0 < faults["dreamer+lowest"] < 60
    assert faults.sum() == faults["dreamer+lowest"]
