"""The three kinds of strategies play the same games and are at fault alike, whatever lanes they share with others."""

import pytest
from whole_proof import whole_but

from spadesim import BotFault, league, play_game
from spadesim.bots import loading
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import play_games
from spadesim.rules import Rules

pytestmark = pytest.mark.many_games

BOTS = '''
import numpy as np
from spadesim import bidder, player
from spadesim.cards import SPADES, count, lowest, highest

TABLE = np.array([1, 2, 3])


@player
def shares(view):
    """Divide by a bid that is never its own nil; others' may be."""
    return lowest(view.legal) if 10 * view.taken[0] // view.bids[0] < 5 else highest(view.legal)


@bidder
def far_index(view):
    return TABLE[7 * count(view.hand & SPADES)]


@bidder(kind="array")
def one_lane_raises(view):
    spades = count(view.hand & SPADES)
    if (spades > 8).any():
        raise ValueError("too many spades")
    return spades


@bidder(kind="python")
def one_game_raises(view):
    spades = count(view.hand & SPADES)
    if spades > 8:
        raise ValueError("too many spades")
    return spades


class Brain:
    def play(self, view):
        return highest(view.legal) if view.voids[1] | view.voids[2] else lowest(view.legal)


brain = Brain()


@player(kind="python")
def by_method(view):
    return brain.play(view)


@player
def inline(view):
    return highest(view.legal) if view.voids[1] | view.voids[2] else lowest(view.legal)
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("kinds") / "kinds_of_bots.py"
    path.write_text(BOTS)
    return str(path)


def texts(result, old="", new=""):
    return {name: table.to_csv(index=False).replace(old, new) for name, table in result.tables.items()}


@pytest.mark.parametrize("rules", whole_but(["cutthroat", "cutthroat:max_deals=5"], "cutthroat:max_deals=5"))
def test_a_strategy_is_not_computed_where_it_does_not_play(rules, file):
    bots = ["quick+shares", "fixed:bid=0+lowest", "quick+highest"]
    usual = league(bots, games=300, rules=rules, load=[file])
    assert texts(usual) == texts(league(bots, games=300, rules=rules, load=[file], interpreted=True))


def test_an_index_out_of_range_is_a_fault(file):
    with pytest.raises(BotFault, match="IndexError"):
        league(["far_index+lowest", "quick+lowest", "quick+highest"], games=60, load=[file])


def test_only_the_lane_at_fault_is_charged(file):
    others = ["quick+lowest", "quick+highest"]
    array, python = (
        league([f"{bidder}+boss", *others], games=600, load=[file], on_fault="forfeit")
        for bidder in ("one_lane_raises", "one_game_raises")
    )
    assert 0 < array.standings["faults"].sum() < 600
    assert texts(array, "one_lane_raises", "x") == texts(python, "one_game_raises", "x")


def test_a_field_read_in_a_method_is_kept_up(file):
    others = ["quick+lowest", "quick+highest"]
    method, inline = (league([f"quick+{name}", *others], games=60, load=[file]) for name in ("by_method", "inline"))
    assert texts(method, "by_method", "x") == texts(inline, "inline", "x")


def test_a_range_that_stops_ends_with_the_fault(file):
    bots = find_strategies([file]).field(["one_game_raises+boss", "quick+lowest", "quick+highest"])
    records = list(play_games(bots, Rules(), 1, 0, 300, load=[file]))
    assert "fault" in records[-1]
    assert not any("fault" in record for record in records[:-1])
    game = records[-1]["game"]
    alone = play_game([bot.spec for bot in bots], seed=1, game=game, load=[file])
    assert alone == records[-1]


def test_what_a_strategy_reads_is_in_its_digest(tmp_path):
    path = tmp_path / "made_bots.py"
    path.write_text(
        "import numpy as np\nfrom pathlib import Path\nfrom spadesim import bidder\n"
        "NUMBER = np.int64(int(Path(__file__).with_name('number.txt').read_text()))\nPAIR = (NUMBER, 2)\n"
        "def make(name, function):\n"
        "    @bidder(name=name)\n    def made(view):\n        return function(view)\n    return made\n"
        "two = make('two', lambda view: 2)\nseven = make('seven', lambda view: 7)\n"
        "@bidder\ndef reads(view):\n    return PAIR[0]\n"
        "def helper(view, n=int(NUMBER)):\n    return n\n@bidder\ndef calls(view):\n    return helper(view)\n"
        "class Odd: pass\nODD = Odd()\n@bidder(kind='python')\ndef odd(view):\n    return id(ODD) % 7\n"
    )
    seen = []
    for number in "34":
        (tmp_path / "number.txt").write_text(number)
        path.write_text(path.read_text() + "\n")  # so that it runs anew
        find_strategies([str(path)])
        path.write_text(path.read_text()[:-1])  # and once more, with the same bytes for either number
        registry = find_strategies([str(path)]).bidder
        seen.append({name: loading.digest(registry[name].function) for name in ("two", "seven", "reads", "calls")})
        assert loading.digest(registry["odd"].function) is None
    three, four = seen
    assert three["two"] == four["two"] != three["seven"]
    assert three["reads"] != four["reads"]
    assert three["calls"] != four["calls"]
