"""What must hold of every answer of a bot: it is legal, the same when asked again, and blind to the others' cards."""

from against_reference import BOTS_FILE
from batch import Batch

from spadesim import cards
from spadesim.bots.registry import find_strategies
from spadesim.rules import read_rules

SEED = 101


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
