"""The helpers for authors' tests: views made by hand, and single deals from a given lie of the cards."""

import pytest
import reference

from spadesim import BotFault, cards, testing
from spadesim.engine.views import BID_FIELDS, PLAY_FIELDS
from spadesim.replay import play_game

BOTS = ["quick+need_or_duck", "honors+boss", "spade_count+lowest"]


def test_a_view_has_every_field():
    view = testing.view(hand="AS KH 9H")
    assert set(vars(view)) == BID_FIELDS.keys() | PLAY_FIELDS.keys()


def test_a_view_follows_from_the_trick():
    view = testing.view(hand="AS KH 9H", bids=(3, 2, 4), taken=(1, 0, 2), trick="QH 2S", shown=["3C", "4C", ""])
    assert cards.show(view.legal) == "KH 9H"
    assert (view.position, view.need, view.leader, view.winning, view.broken) == (2, 2, 1, 2, 1)
    assert cards.names(view.beats) == [rank + "S" for rank in "3456789TJQKA"]
    assert [cards.show(card) for card in view.cards] == ["", "QH", "2S"]
    assert [cards.show(mask) for mask in view.shown] == ["3C", "QH 4C", "2S"]
    assert cards.count(view.unseen) == 51 - 3 - 4


def test_leading_before_spades_are_broken():
    assert cards.show(testing.view(hand="AS KH 9H").legal) == "KH 9H"
    assert cards.show(testing.view(hand="AS KH 9H", broken=True).legal) == "AS KH 9H"
    assert cards.show(testing.view(hand="AS KS").legal) == "AS KS"


@pytest.mark.parametrize("game", range(6))
def test_a_given_lie_of_the_cards_is_played_as_in_the_game_it_comes_from(game):
    record = play_game(BOTS, seed=11, game=game)
    seats = [name.split("#")[0] for name in record["seats"]]
    for before, deal in zip([None, *record["deals"]], record["deals"], strict=False):
        scores, bags = (before["scores"], before["bags"]) if before else ((0, 0, 0), (0, 0, 0))
        hands = [" ".join(hand) for hand in deal["hands"]]
        played = testing.play(hands=hands, bots=seats, dealer=deal["dealer"], scores=scores, bags=bags)
        assert played == deal


def test_hands_that_are_no_deal_are_refused():
    with pytest.raises(ValueError, match="no deal"):
        testing.play(hands=["AS", "KS", "QS"], bots=BOTS)


def test_a_fault_is_told():
    hands = [" ".join(hand) for hand in reference.deal_hands(1, 0, 0)]
    with pytest.raises(BotFault, match="fixed:bid=18"):
        testing.play(hands=hands, bots=["fixed:bid=18+lowest", *BOTS[1:]])
