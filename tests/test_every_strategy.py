"""Whatever is put into `strategies/` is described, plays by the rules, and sees no cards but its own."""

import numpy as np
import pytest
from batch import Batch
from twins import BOTS_FILE

from spadesim import cards, league
from spadesim.presets import PRESETS, read_rules
from spadesim.registry import find_strategies
from spadesim.strategies import STANDING_FIELD

BUILT_IN = find_strategies()
BIDDERS, PLAYERS = sorted(BUILT_IN.bidder), sorted(BUILT_IN.player)
BOTS = [f"{name}+lowest" for name in BIDDERS] + [f"spade_count+{name}" for name in PLAYERS if name != "lowest"]
SEED = 101
SHORT = "cutthroat:max_deals=12"


def strategies():
    return [*BUILT_IN.bidder.values(), *BUILT_IN.player.values()]


@pytest.mark.parametrize("strategy", strategies(), ids=lambda strategy: strategy.name)
def test_docstring_says_what_it_does_and_where_it_comes_from(strategy):
    assert strategy.summary.endswith(".")
    assert len(strategy.summary) <= 120
    assert ("*Bids*" if strategy.role == "bidder" else "*Plays*") in strategy.doc
    assert "*Origin*: " in strategy.doc


@pytest.mark.many_games
@pytest.mark.parametrize("bot", [*BOTS, "tricky_bid+tricky_play"])
def test_answers_are_legal_repeatable_and_blind_to_the_others_cards(bot):
    check_answers(bot, "cutthroat")


# One for each way to sit and to lead; others differ from these in points alone.
@pytest.mark.many_games
@pytest.mark.parametrize("rules", ["solo-4", "solo-5", "solo-6", "pagat-jokers", "dummy-hand", "partnership"])
@pytest.mark.parametrize("bot", ["honors+boss", "ruff_safe+need_or_duck", "nil_tips+boss", "family_bid+family_play"])
def test_answers_are_as_good_by_other_rules(bot, rules):
    check_answers(bot, rules)


def check_answers(bot, rules):
    batch = Batch(read_rules(rules))
    lanes = range(batch["game"].size)
    batch.deal(SEED)
    asked = 0
    for role, position in batch.decisions(find_strategies([BOTS_FILE]).bot(bot)):
        before = batch["dealt"].copy()
        answers = batch.ask(role, position)
        assert (batch.ask(role, position) == answers).all()
        batch.swap_hidden_cards(role, position)
        seats = batch.seats_to_act(role, position)
        assert (batch["dealt"][seats, lanes] == before[seats, lanes]).all()
        assert (batch.ask(role, position) == answers).all()
        batch["dealt"][:] = before
        if role == "bidder":
            low, high = batch.rules.min_bid, batch.rules.cards_each
            assert ((answers >= low) & (answers <= high) & (answers != batch["bid_not"])).all()  # R2.1
        else:
            assert (cards.count(answers) == 1).all()
            assert (answers & batch["legal"] == answers).all()
        asked += 1
    tricks = batch.rules.cards_each
    assert asked == batch.rules.players + tricks * batch.rules.hands
    assert (batch["taken"].sum(0) == tricks).all()


@pytest.mark.many_games
@pytest.mark.parametrize("bot", BOTS)
def test_compiled_and_interpreted_play_the_same_games(bot):
    field = [bot, "quick+random_legal", bot.replace("spade_count+", "fixed:bid=0+")]
    tables = [
        league(field, games=300, seed=SEED, rules=SHORT, interpreted=interpreted).tables
        for interpreted in (False, True)
    ]
    for name, table in tables[0].items():
        assert table.to_csv() == tables[1][name].to_csv()


@pytest.mark.many_games
@pytest.mark.parametrize("rules", PRESETS)
def test_standing_field_plays_by_the_rules(rules):
    result = league(STANDING_FIELD, games=60, seed=SEED, rules=rules)
    standings = result.standings
    assert standings["faults"].tolist() == [0] * len(STANDING_FIELD)
    assert standings["wins"].sum() + standings["capped"].sum() / PRESETS[rules].bots == result.games_played
    assert standings["capped"].sum() < standings["games"].sum() / 2
    assert len(STANDING_FIELD) == len(set(STANDING_FIELD)) >= 3
    used = {part.partition(":")[0] for bot in STANDING_FIELD for part in bot.split("+")}
    assert used <= {*BIDDERS, *PLAYERS}


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
