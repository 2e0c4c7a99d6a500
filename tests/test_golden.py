"""Whole games as they are written down, kept in `golden/`: the JSON comes from the reference, the text from the record.

`python tests/test_golden.py` writes the files anew; read the difference before you commit it.
"""

import json
from pathlib import Path

import pytest
from twins import BOTS_FILE, reference_games

from spadesim import play_game
from spadesim.replay import to_text
from spadesim.rules import Rules

FOLDER = Path(__file__).parent / "golden"
GAMES = {  # the bots, the rules, the seed and the game
    "target": (["quick+need_or_duck", "spade_count+random_legal", "fixed:bid=0+lowest"], Rules(), 1, 350),
    "deal_cap": (["wild_bid+tricky_play", "tricky_bid+random_legal", "wild_bid+lowest"], Rules(max_deals=2), 1, 7),
}


def reference_record(name):
    bots, rules, seed, game = GAMES[name]
    return reference_games(bots, rules, seed, game, 1)[0]


@pytest.mark.many_games
@pytest.mark.parametrize("name", GAMES)
def test_record_is_the_stored_one(name):
    bots, rules, seed, game = GAMES[name]
    stored = json.loads((FOLDER / f"{name}.json").read_text())
    assert play_game(bots, seed=seed, game=game, rules=rules, load=[BOTS_FILE]) == stored
    assert list(stored) == ["rules", "seed", "game", "seats", "deals", "winner", "end_reason"]


@pytest.mark.parametrize("name", GAMES)
def test_stored_record_is_that_of_the_reference(name):
    stored = json.loads((FOLDER / f"{name}.json").read_text())
    assert stored == reference_record(name)
    assert stored["end_reason"] == name


@pytest.mark.parametrize("name", GAMES)
def test_text_is_the_stored_one(name):
    assert to_text(reference_record(name)) + "\n" == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", GAMES)
def test_text_shows_every_card_bid_and_score(name):
    text, record = (FOLDER / f"{name}.txt").read_text(), reference_record(name)
    for number, deal in enumerate(record["deals"]):
        part = text.split(f"deal {number}, dealt by seat {deal['dealer']}\n")[1].split("\n\ndeal ")[0]
        lines = part.splitlines()
        for seat, bid in enumerate(deal["bids"]):
            assert lines[seat].endswith(f"bids {bid or 'nil'}")
            for suit, sign in zip("SHDC", "♠♥♦♣", strict=True):
                ranks = "".join(card[0] for card in reversed(deal["hands"][seat]) if card[1] == suit)
                assert f"{sign} {ranks or '-'} " in lines[seat]
        for trick, line in zip(deal["tricks"], lines[3:20], strict=True):
            played = [f"seat {(trick['leader'] + i) % 3}: {card}" for i, card in enumerate(trick["cards"])]
            assert line.split("  ")[-4:] == [*played, f"won by seat {trick['winner']}"]
        columns = ["bids", "taken", "points", "penalties", "bags", "scores"]
        for seat, line in enumerate(lines[22:25]):
            assert list(map(int, line.split()[-6:])) == [deal[column][seat] for column in columns]


if __name__ == "__main__":
    for name in GAMES:
        record = reference_record(name)
        (FOLDER / f"{name}.json").write_text(json.dumps(record) + "\n")
        (FOLDER / f"{name}.txt").write_text(to_text(record) + "\n")
