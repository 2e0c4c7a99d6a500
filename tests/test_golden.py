"""Whole games as they are written down, kept in `golden/`: the JSON comes from the reference, the text from the record.

`python tests/test_golden.py` writes the files anew; read the difference before you commit it.
"""

import json
from pathlib import Path

import pytest
from against_reference import BOTS_FILE, reference_games
from whole_proof import whole_but

from spadesim import play_game
from spadesim.bots.replay import to_text
from spadesim.rules import Rules, read_rules

FOLDER = Path(__file__).parent / "golden"
GAMES = {  # the bots, the rules, the seed and the game
    "target": (["quick+need_or_duck", "spade_count+random_legal", "fixed:bid=0+lowest"], Rules(), 1, 350),
    "deal_cap": (["wild_bid+tricky_play", "tricky_bid+random_legal", "wild_bid+lowest"], Rules(max_deals=2), 1, 7),
    "partnership": (
        ["quick+need_or_duck", "daring_bid+random_legal"],
        read_rules("partnership:blind_nil=200:blind_behind=0"),
        1,
        2,
    ),
    "dummy-hand": (
        ["quick+need_or_duck", "spade_count+lowest", "quick+highest"],
        read_rules("dummy-hand:max_deals=2"),
        1,
        2,
    ),
}


def reference_record(name):
    bots, rules, seed, game = GAMES[name]
    return reference_games(bots, rules, seed, game, 1)[0]


@pytest.mark.many_games
@pytest.mark.parametrize("name", whole_but(GAMES, "target"))
def test_record_is_the_stored_one(name):
    bots, rules, seed, game = GAMES[name]
    stored = json.loads((FOLDER / f"{name}.json").read_text())
    assert play_game(bots, seed=seed, game=game, rules=rules, load=[BOTS_FILE]) == stored
    sides = ["sides"] if rules.partnerships else []
    assert list(stored) == ["rules", "seed", "game", "seats", *sides, "deals", "winner", "end_reason"]


@pytest.mark.parametrize("name", GAMES)
def test_stored_record_is_that_of_the_reference(name):
    stored = json.loads((FOLDER / f"{name}.json").read_text())
    assert stored == reference_record(name)
    assert stored["end_reason"] == {"partnership": "floor", "dummy-hand": "deal_cap"}.get(name, name)


@pytest.mark.parametrize("name", GAMES)
def test_text_is_the_stored_one(name):
    assert to_text(reference_record(name)) + "\n" == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", GAMES)
def test_text_shows_every_card_bid_and_score(name):
    text, record = (FOLDER / f"{name}.txt").read_text(), reference_record(name)
    for number, deal in enumerate(record["deals"]):
        part = text.split(f"deal {number}, dealt by seat {deal['dealer']}\n")[1].split("\n\ndeal ")[0]
        lines = part.splitlines()
        hands, tricks = len(deal["hands"]), len(deal["tricks"])
        for hand, line in zip(deal["hands"], lines, strict=False):
            for suit, sign in zip("SHDC", "♠♥♦♣", strict=True):
                ranks = "".join(card[0] for card in reversed(hand) if card[1] == suit)
                assert f"{sign} {ranks or '-'} " in line + " "
        for seat, bid in enumerate(deal["bids"]):
            blind = " blind" if deal.get("blind", [False] * hands)[seat] else ""
            assert lines[seat].partition(", plays")[0].endswith(f"bids {bid or 'nil'}{blind}")
            assert lines[seat].endswith(", plays the dummy's hand too") == (seat == deal.get("declarer"))
        for trick, line in zip(deal["tricks"], lines[hands : hands + tricks], strict=True):
            order = turns(deal)
            first = order.index(trick["leader"])
            played = [
                f"{name_of(seat, deal)}: {card}"
                for seat, card in zip(order[first:] + order[:first], trick["cards"], strict=True)
            ]
            assert line.split("  ")[-hands - 1 :] == [*played, f"won by {name_of(trick['winner'], deal)}"]
        sheet = lines[hands + tricks + 2 :][: len(deal["bids"])]
        for seat, line in enumerate(sheet):
            order = turns(deal)
            side = [deal["taken"][seat] + deal["taken"][order[order.index(seat) - 2]]] if hands == 4 else []
            numbers = [deal["bids"][seat], deal["taken"][seat], *side]
            numbers += [deal[column][seat] for column in ("points", "penalties", "bags", "scores")]
            assert list(map(int, line.split()[-len(numbers) :])) == numbers


def turns(deal):
    """List the seats in the order of their turns: the dummy's hand comes between the defenders (R8.3)."""
    places = {0: [0, 1, 3, 2], 1: [0, 1, 2, 3], 2: [0, 3, 1, 2]}
    return places[deal["declarer"]] if "declarer" in deal else list(range(len(deal["hands"])))


def name_of(seat, deal):
    return "dummy" if seat == deal.get("dummy") else f"seat {seat}"


if __name__ == "__main__":
    for name in GAMES:
        record = reference_record(name)
        (FOLDER / f"{name}.json").write_text(json.dumps(record) + "\n")
        (FOLDER / f"{name}.txt").write_text(to_text(record) + "\n")
