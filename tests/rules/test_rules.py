"""Rules as people write them: presets, changed fields, files; what contradicts itself is refused in one line."""

import dataclasses
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim import cards
from spadesim.bots.prepare import seatings
from spadesim.errors import UsageError
from spadesim.rules import FIELDS, PRESETS, Rules, differences, from_values, read_rules

# R1.2, R7, R8: hands, bots at a table, cards a hand, cards of the pack.
SHAPES = {
    "cutthroat": (3, 3, 17, 51),
    "solo-3": (3, 3, 17, 51),
    "solo-4": (4, 4, 13, 52),
    "solo-5": (5, 5, 10, 50),
    "solo-6": (6, 6, 8, 48),
    "pagat": (3, 3, 17, 52),
    "pagat-bags": (3, 3, 17, 52),
    "pagat-jokers": (3, 3, 18, 54),
    "dummy-hand": (4, 3, 13, 52),
    "partnership": (4, 2, 13, 52),
    "house": (3, 3, 17, 51),
    "house-500": (3, 3, 17, 51),
    "house-nil-50": (3, 3, 17, 51),
    "house-no-bags": (3, 3, 17, 51),
    "house-min-1": (3, 3, 17, 51),
    "house-blind-nil": (3, 3, 17, 51),
    "house-4": (4, 4, 13, 52),
    "duel": (2, 2, 17, 51),
}


def test_presets_seat_and_deal_as_their_sources_say():
    shapes = {
        name: (rules.hands, rules.bots, rules.cards_each, cards.count(rules.deck)) for name, rules in PRESETS.items()
    }
    assert shapes == SHAPES


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_read_back_from_its_toml(name, tmp_path):
    file = tmp_path / "my.toml"
    file.write_text(PRESETS[name].to_toml())
    assert dataclasses.replace(read_rules(str(file)), name=name) == PRESETS[name]
    assert list(tomllib.loads(file.read_text())) == list(FIELDS)


@pytest.mark.parametrize("name", PRESETS)
def test_differences_make_the_preset_of_cutthroat(name):
    settings = differences(PRESETS[name]).split()
    assert dataclasses.replace(read_rules("cutthroat", settings), name=name) == PRESETS[name]


def test_name_gives_the_same_rules_again():
    rules = read_rules("pagat:nil=50", ["target=500"])
    assert rules.name == "pagat:nil=50:target=500"
    assert (rules.nil, rules.target, rules.overtrick) == (50, 500, -10)
    assert read_rules(rules.name) == rules


@pytest.mark.parametrize("text", ["removed=2C 2D 3C 3D", "removed=2C,2D,3C,3D", "removed=['2C', '2D', '3C', '3D']"])
def test_cards_are_a_list_or_words(text):
    assert read_rules("solo-6:players=4", [text]).removed == ("2C", "2D", "3C", "3D")


def test_file_says_only_what_differs(tmp_path):
    file = tmp_path / "few.toml"
    file.write_text('nil = 50\nbag_limit = "none"\nbag_penalty = 0\n')
    rules = read_rules(str(file))
    assert rules == Rules(name=str(file), nil=50, bag_limit=None, bag_penalty=0)


REFUSED = {
    "cutthroat:players=7": ["players", "7", "2 to 6"],
    "cutthroat:target=0": ["target", "0", "1 to 10000"],
    "cutthroat:floor=3": ["floor", "3", "-10000 to -1", "none"],
    "cutthroat:jokers=1": ["jokers", "1", "0 or 2"],
    "cutthroat:spades_break=fre": ["spades_break", "'fre'", "'free'"],
    "cutthroat:nil=true": ["nil", "True", "whole number"],
    "cutthroat:dummy=3": ["dummy", "3", "true or false"],
    "cutthroat:removed=2X": ["removed", "'2X'"],
    "cutthroat:removed=2C,2C": ["removed", "'2C'", "twice"],
    "cutthroat:opning_lead=left": ["'opning_lead'", "did you mean 'opening_lead'?"],
    "cutthroat:nil": ["'nil'", "field=value"],
    "cutthroat:nil=1:nil=2": ["'nil'", "twice"],
    "cutthroatt": ["'cutthroatt'", "did you mean 'cutthroat'?", "spadesim rules"],
    "no.toml": ["no.toml", "No such file", "spadesim rules cutthroat > no.toml"],
    # contradictions name both fields
    "cutthroat:removed=": ["players = 3", "removed = []", "52 cards", "evenly"],
    "cutthroat:dummy=true:players=4": ["dummy", "players"],
    "house-4:partnerships=opposite:players=2": ['partnerships = "opposite"', "players = 2"],
    "cutthroat:min_bid=1": ["min_bid = 1", "nil = 100"],
    "pagat:blind_nil=200": ["blind_nil = 200", "nil = 0"],
    "cutthroat:bag_limit=none": ['bag_limit = "none"', "bag_penalty = 100"],
    "duel:opening_lead=lowest_club": ['opening_lead = "lowest_club"', "set_aside = 17"],
    "cutthroat:fixed_deals=9:max_deals=8": ["fixed_deals = 9", "max_deals = 8"],
    "pagat-jokers:removed=LJ,2C,2D": ["removed", "jokers = 2"],
}


@pytest.mark.parametrize("text", REFUSED)
def test_bad_rules_are_refused_in_one_line(text):
    with pytest.raises(UsageError) as refused:
        read_rules(text)
    for part in REFUSED[text]:
        assert part in str(refused.value)
    assert "\n" not in str(refused.value)


def test_bad_file_is_named(tmp_path):
    file = tmp_path / "bad.toml"
    for text, part in {"nil = ": "not TOML", "nul = 3": "did you mean 'nil'?", "nil = 2000": "0 to 1000"}.items():
        file.write_text(text)
        with pytest.raises(UsageError, match=f"{re.escape(str(file))}.*{re.escape(part)}"):
            read_rules(str(file))


@given(
    st.dictionaries(st.sampled_from(FIELDS), st.one_of(st.integers(), st.booleans(), st.none(), st.text(), st.floats()))
)
def test_any_values_are_accepted_or_refused_with_words(values):
    try:
        rules = from_values("any", values)
    except UsageError as error:
        message = str(error)
    else:
        message = "fine"
        assert rules.hands * rules.cards_each + rules.set_aside == cards.count(rules.deck)
    assert message
    assert "\n" not in message


# --- Seatings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_each_bot_sits_equally_often_in_each_seat(name):
    rules = PRESETS[name]
    by_seat = list(zip(*seatings(rules), strict=True))
    assert len(by_seat) == rules.players
    for bots in by_seat:
        assert {bots.count(bot) for bot in range(rules.bots)} == {len(bots) // rules.bots}


def test_seatings_of_four_go_round_both_ways():
    there = [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]
    back = [(3, 2, 1, 0), (2, 1, 0, 3), (1, 0, 3, 2), (0, 3, 2, 1)]
    assert seatings(PRESETS["solo-4"]) == there + back
    assert seatings(PRESETS["partnership"]) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert seatings(PRESETS["duel"]) == [(0, 1), (1, 0)]
    assert len(seatings(PRESETS["solo-6"])) == 12
