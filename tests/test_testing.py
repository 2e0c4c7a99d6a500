"""The helpers for authors' tests: views made by hand, and single deals from a given layout of the cards."""

import copy

import pytest
import reference
from against_reference import twin_rules, view_by_hand
from whole_proof import whole, whole_but

from spadesim import BotFault, cards, testing
from spadesim.bots.prepare import seatings
from spadesim.bots.replay import play_game
from spadesim.engine.game.views import BID_FIELDS, PLAY_FIELDS
from spadesim.rules import read_rules
from spadesim.strategies.searchers import monte_carlo, pimc, rollout_bidder

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


def test_a_view_tells_of_the_others_needs_and_nils():
    bids, taken = (3, 5, 0), (1, 1, 0)
    view = testing.view(hand="AS KH 9H", bids=bids, taken=taken)
    assert (view.need, view.others_need, view.nils) == (2, 4, (0, 0, 1))
    view = testing.view(hand="AS KH 9H", bids=(0, 2, 0), taken=(1, 3, 0))
    assert (view.need, view.others_need, view.nils) == (-1, 0, (0, 0, 1))
    view = testing.view(hand="AS KH 9H", bids=(0, 2, 0), rules="solo-3")
    assert (view.others_need, view.nils) == (2, (0, 0, 0))
    view = testing.view(hand="AS KH 9H", bids=(2, 4, 3, 0), taken=(1, 1, 1, 0), rules="partnership")
    assert (view.need, view.others_need, view.nils) == (3, 3, (0, 0, 0, 1))
    view = testing.view(hand="AS KH 9H", bids=(2, 4, 3, 4), taken=(1, 2, 1, 1), dummy=3, rules="dummy-hand")
    assert (view.need, view.others_need) == (0, 1)


def test_a_view_tells_who_is_void_behind():
    voids = ["S", "C", "D"]
    assert testing.view(hand="AS KH 9H", voids=voids).voids_behind == cards.CLUBS | cards.DIAMONDS
    assert testing.view(hand="AS KH 9H", voids=voids, trick="QH").voids_behind == cards.CLUBS
    assert testing.view(hand="AS KH 9H", voids=voids, trick="QH 2S").voids_behind == 0
    now = testing.view(hand="AS KH 9H", trick="QH 2S").voids
    assert now == (0, 0, cards.HEARTS)


def test_a_bidder_sees_what_it_does_not_hold():
    view = testing.view(hand="AS KH 9H")
    assert view.unseen == cards.PACK & ~cards.parse("2C AS KH 9H")


@whole
def test_what_is_misspelt_is_refused_with_the_nearest_name():
    with pytest.raises(TypeError, match="'bid'; did you mean 'bids'"):
        testing.view(hand="AS KH 9H", bid=(1, 2, 3))


def test_where_the_dummy_is_must_be_known_to_play():
    assert testing.view(hand="AS KH 9H", order=1, rules="dummy-hand").dummy == 2  # an empty seat, behind seat 2
    assert testing.view(hand="AS KH 9H", order=1, dummy=1, rules="dummy-hand").dummy == 1
    with pytest.raises(ValueError, match="dummy is -1; expected its seat, 0 … 3"):
        testing.view(hand="AS KH 9H", bids=(2, 4, 3, 4), rules="dummy-hand")


@pytest.mark.many_games
def test_searching_strategies_take_views_made_by_hand():
    # The small spade takes this trick, but not the last one.
    gone = cards.PACK & ~cards.parse("2C 2S 3D QH 2H 4D AS")
    for bid, taken, wanted in ((3, 2, "2S"), (0, 0, "3D")):
        view = testing.view(
            hand="2S 3D", trick="QH 2H", bids=(bid, 6, 6), taken=(taken, 7, 8 - taken), shown=[cards.show(gone), "", ""]
        )
        assert cards.show(int(monte_carlo(view, worlds=4))) == wanted
        assert cards.show(int(pimc(view, worlds=4))) == wanted
    view = testing.view(hand="AS KS QS JS TS 9S 8S 7S 6S AH KH QH AD KD QD AC KC")
    assert rollout_bidder(view, worlds=4) >= 13


@pytest.mark.parametrize("game", whole_but(range(6), 0, 1))
def test_a_given_layout_of_the_cards_is_played_as_in_the_game_it_comes_from(game):
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


# --- Other rules -----------------------------------------------------------------------------------------------------

OTHER_RULES = ["cutthroat", "partnership", "dummy-hand", "solo-6", "pagat-jokers:bid_total_not=cards_each"]


@pytest.mark.parametrize("rules", OTHER_RULES)
def test_views_by_any_rules_are_those_of_the_reference(rules):
    rules = read_rules(f"{rules}:max_deals=2")
    seen = []

    def watched(function):
        return lambda view: seen.append(copy.deepcopy(view)) or function(view)

    spies = [("spy", watched(reference.wild_bid), watched(reference.random_legal))] * rules.bots
    reference.play_game(spies, 3, 0, twin_rules(rules))
    assert len(seen) == 2 * (rules.players + rules.hands * rules.cards_each)
    for view in seen:
        expected = in_numbers(view)
        made = {name: value for name, value in vars(view_by_hand(view, rules)).items() if name in expected}
        assert made == expected


def in_numbers(view):
    """Turn the reference's view, in which cards are words, into one with masks."""
    masks = ("hand", "legal", "trick", "beats", "played", "unseen")
    values = {}
    for name, value in vars(view).items():
        if name in masks:
            values[name] = cards.parse(" ".join(value))
        elif name in ("shown", "open"):
            values[name] = tuple(cards.parse(" ".join(part)) for part in value)
        elif name == "cards":
            values[name] = tuple(cards.parse(part or "") for part in value)
        elif name in ("led", "voids_behind"):
            values[name] = suits(value or "")
        elif name == "voids":
            values[name] = tuple(suits(part) for part in value)
        elif name != "pack":
            values[name] = tuple(map(int, value)) if isinstance(value, list) else int(value)
    if "legal" not in values:
        values.pop("dummy", None)  # a bidder's comes from where it sits, which a view made by hand is told
    return values


def suits(letters):
    return sum(cards.SUITS["CDHS".index(letter)] for letter in letters)


@pytest.mark.parametrize("rules", whole_but(["partnership", "dummy-hand", "duel", "house-4"]))
def test_a_given_layout_of_the_cards_by_other_rules(rules):
    bots = BOTS[: read_rules(rules).bots] + ["quick+highest"] * (read_rules(rules).bots - len(BOTS))
    record = play_game(bots, seed=11, rules=rules)
    order = seatings(read_rules(rules))[0]
    for before, deal in zip([None, *record["deals"]], record["deals"][:3], strict=False):
        totals = {}
        for name in ("scores", "bags"):
            by_seat = dict(zip(order, before[name], strict=True)) if before else {}
            totals[name] = [by_seat.get(bot, 0) for bot in range(len(bots))]
        hands = [" ".join(hand) for hand in deal["hands"]]
        assert testing.play(hands=hands, bots=bots, dealer=deal["dealer"], rules=rules, **totals) == deal
