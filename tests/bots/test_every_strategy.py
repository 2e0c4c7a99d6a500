"""Whatever is put into `strategies/` is described, plays by the rules, and sees no cards but its own."""

import numpy as np
import pytest
from answer_checks import SEED, check_answers
from batch import Batch
from whole_proof import whole_but

from spadesim import league
from spadesim.bots.registry import find_strategies

BUILT_IN = find_strategies()
BIDDERS, PLAYERS = sorted(BUILT_IN.bidder), sorted(BUILT_IN.player)
SHORT = "cutthroat:max_deals=12"


def searches(strategy):
    """Return whether `test_search` asks it, which takes a minute to compile what it needs."""
    return "worlds" in strategy.parameters


BOTS = [f"{name}+lowest" for name in BIDDERS if not searches(BUILT_IN.bidder[name])]
BOTS += [f"spade_count+{name}" for name in PLAYERS if name != "lowest" and not searches(BUILT_IN.player[name])]


def strategies():
    return [*BUILT_IN.bidder.values(), *BUILT_IN.player.values()]


@pytest.mark.parametrize("strategy", strategies(), ids=lambda strategy: strategy.name)
def test_docstring_says_what_it_does_and_where_it_comes_from(strategy):
    assert strategy.summary.endswith(".")
    assert len(strategy.summary) <= 120
    assert ("*Bids*" if strategy.role == "bidder" else "*Plays*") in strategy.doc
    assert "*Origin*: " in strategy.doc


@pytest.mark.many_games
@pytest.mark.parametrize("bot", whole_but([*BOTS, "tricky_bid+tricky_play"], "honors+lowest", "tricky_bid+tricky_play"))
def test_answers_are_legal_repeatable_and_blind_to_the_others_cards(bot):
    check_answers(bot, "cutthroat")


@pytest.mark.many_games
@pytest.mark.parametrize("bot", whole_but(BOTS, "honors+lowest"))
def test_compiled_and_interpreted_play_the_same_games(bot):
    field = [bot, "quick+random_legal", bot.replace("spade_count+", "fixed:bid=0+")]
    tables = [
        league(field, games=300, seed=SEED, rules=SHORT, interpreted=interpreted).tables
        for interpreted in (False, True)
    ]
    for name, table in tables[0].items():
        assert table.to_csv() == tables[1][name].to_csv()


@pytest.mark.many_games
def test_a_strategy_that_sees_the_others_cards_would_be_found():
    # The swap of the hidden cards must change what the hands hold, or the test above proves nothing.
    batch = Batch()
    batch.deal(SEED)
    left_hands = []
    for role, position in batch.decisions(find_strategies().bot("quick+lowest")):
        left = (batch.seats_to_act(role, position) + 1) % 3, np.arange(batch["game"].size)
        before = batch["dealt"].copy()
        batch.swap_hidden_cards(role, position)
        left_hands.append((batch["dealt"][left] != before[left]).mean())
        batch["dealt"][:] = before
    assert min(left_hands[:48]) == 1
