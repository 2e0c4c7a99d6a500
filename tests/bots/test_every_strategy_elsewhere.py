"""The strategies by other rules: other numbers of hands, jokers, partners, a dummy."""

import os

import pytest
from answer_checks import SEED, check_answers
from whole_proof import whole

from spadesim import league
from spadesim.bots.registry import find_strategies
from spadesim.rules import PRESETS
from spadesim.strategies import STANDING_FIELD

# One for each way to sit and to lead; others differ from these in points alone.
OTHER_RULES = ["solo-4", "solo-5", "solo-6", "pagat-jokers", "dummy-hand", "partnership"]
OTHER_BOTS = ["honors+boss", "ruff_safe+need_or_duck", "nil_tips+plain_boss", "family_bid+family_play"]
# These take long to compile, anew for each number of hands.
SLOW_BOTS = ["nil_fitted+steady", "score_aware+steady", "stretched_chart+steady"]
SEARCHERS = ["rollout_bidder:worlds=4+pimc:worlds=4"]
ALL_RULES = "SPADESIM_TEST_DEALS" in os.environ
FEW_TO_COMPILE = [
    "honors+boss",
    "quick+need_or_duck",
    "quick+boss",
    "honors+need_or_duck",
    "quick+lowest",
    "honors+lowest",
]
SLOW_RULES = {"pagat-jokers"} if not ALL_RULES else set(OTHER_RULES)
SEARCHED_RULES = set(OTHER_RULES) if ALL_RULES else set()  # else in `test_search`, which has compiled what it takes
AT_OTHER_RULES = [
    (bot, rules)
    for bots, some in ((OTHER_BOTS, OTHER_RULES), (SLOW_BOTS, SLOW_RULES), (SEARCHERS, SEARCHED_RULES))
    for bot in bots
    for rules in OTHER_RULES
    if rules in some
]


@whole
@pytest.mark.many_games
@pytest.mark.parametrize(("bot", "rules"), AT_OTHER_RULES)
def test_answers_are_as_good_by_other_rules(bot, rules):
    check_answers(bot, rules)


@whole
@pytest.mark.many_games
@pytest.mark.parametrize("rules", PRESETS)
def test_standing_field_plays_by_the_rules(rules):
    # those who play as `steady` take half a minute to compile for each number of hands
    field = STANDING_FIELD if PRESETS[rules].hands in (3, 4) or ALL_RULES else FEW_TO_COMPILE
    result = league(field, games=60, seed=SEED, rules=rules)
    standings = result.standings
    assert standings["faults"].tolist() == [0] * len(field)
    assert standings["wins"].sum() + standings["capped"].sum() / PRESETS[rules].bots == result.games_played
    assert standings["capped"].sum() < standings["games"].sum() / 2
    assert len(STANDING_FIELD) == len(set(STANDING_FIELD)) >= 3
    used = {part.partition(":")[0] for bot in STANDING_FIELD for part in bot.split("+")}
    built_in = find_strategies()
    assert used <= {*built_in.bidder, *built_in.player}
