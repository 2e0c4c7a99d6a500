"""The engine's tricks are those of OpenSpiel's trick-taking games, where `open_spiel` is installed (extra `peers`).

Deals played by our engine with spades free to lead are played again there, card by card: the cards that may be played,
the winner of every trick and the tricks taken must be the same. OpenSpiel's `oh_hell` makes the suit of a card that is
turned up trumps, `bridge` the suit of the contract. Its `spades` has other rules than ours, and is not asked.
"""

import pytest
from against_reference import BOTS_FILE
from whole_proof import whole

from spadesim import cards, player
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import play_games, players_of
from spadesim.rules import read_rules

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.many_games

# as in Oh Hell, the bids must not add up to the tricks; a target that wild bids never reach makes one game long enough
RULES = "cutthroat:spades_break=free:opening_lead=left:bid_total_not=cards_each:target=10000"
# by the number of seats, each with the card that is turned up first
NOT_DEALT = {3: ("2S", "9S", "AS"), 4: ("2S,2C,TD,AH", "9S,8S,7S,6S", "AS,KS,AH,3C")}

WATCHED_SEAT = 0
legal_cards = {}  # of this seat, by its hand and the suit led: nothing else matters where spades are free


@player
def unwatched(view):
    """Play any legal card."""
    return cards.nth(view.legal, view.random % cards.count(view.legal))


@player(kind="python")
def watched(view):
    """Play as `unwatched`, and note which cards were legal."""
    legal_cards[view.hand, view.led] = cards.names(view.legal)
    return cards.nth(view.legal, view.random % cards.count(view.legal))


@whole
def test_the_cards_have_the_numbers_that_the_tests_give_them():
    for name, suits in (("oh_hell", "CDSH"), ("bridge", "CDHS")):
        state = pyspiel.load_game(name).new_initial_state()
        while len(state.legal_actions()) < 52:
            state.apply_action(state.legal_actions()[0])
        names = {cards.parse_card(in_our_order(state.action_to_string(n))): n for n in state.legal_actions()}
        assert names == {cards.parse_card(card): n for card, n in numbered(suits).items()}


@whole
@pytest.mark.parametrize("seats", NOT_DEALT)
def test_tricks_are_those_of_oh_hell(seats):
    for seed, removed in enumerate(NOT_DEALT[seats]):
        for deal in deals_played(f"players={seats}:removed={removed}", seed, 700):
            oh_hell_agrees(deal, turned_up=removed[:2])


@whole
def test_tricks_are_those_of_bridge():
    for deal in deals_played("players=4:removed=none", 4, 2_000):
        bridge_agrees(deal)


def deals_played(table, seed, n_deals):
    """Play one long game in the engine, compiled and then with a seat watched, and return its deals."""
    rules = read_rules(f"{RULES}:{table}:fixed_deals={n_deals}:max_deals={n_deals}")
    others = ["wild_bid+unwatched"] * (rules.players - 1)
    deals = one_game(["wild_bid+unwatched", *others], rules, seed)
    assert deals == one_game(["wild_bid+watched", *others], rules, seed)
    assert len({str(deal["hands"]) for deal in deals}) == n_deals
    return deals


def one_game(specs, rules, seed):
    load = [BOTS_FILE, __file__]
    (record,) = play_games(find_strategies(load).field(specs), rules, seed, 0, 1, load=load)
    return record["deals"]


def oh_hell_agrees(deal, turned_up):
    """Play a deal again as Oh Hell, with our bids."""
    number, seats, tricks = numbered("CDSH"), len(deal["hands"]), len(deal["tricks"])
    game = pyspiel.load_game(f"oh_hell(players={seats},num_tricks_fixed={tricks},points_per_trick=100)")
    state = game.new_initial_state()
    after_the_dealer = [(deal["dealer"] + 1 + i) % seats for i in range(seats)]
    for action in [tricks, deal["dealer"], *dealt(deal, number), number[turned_up]]:
        apply(state, action)
    for seat in after_the_dealer:
        apply(state, len(number) + deal["bids"][seat])
    all_but_the_last_trick_agree(state, deal, number)
    assert [int(points) // 100 for points in state.returns()] == deal["taken"]  # 100 a trick, and 10 for the right bid


def bridge_agrees(deal):
    """Play a deal again as seven spades by our dealer; the declarer's left leads as our dealer's does."""
    number, declarer = numbered("CDHS"), deal["dealer"]
    state = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    for action in dealt(deal, number):
        apply(state, action)
    for call in ["Pass"] * declarer + ["7♠"] + ["Pass"] * 3:
        apply(state, next(n for n in state.legal_actions() if state.action_to_string(n) == call))
    all_but_the_last_trick_agree(state, deal, number)
    score = state.returns()[declarer]  # of the side: minus 50 for each trick short of 13
    assert 13 + min(score, 0) / 50 == deal["taken"][declarer] + deal["taken"][declarer - 2]


def numbered(suits):
    """Number the cards by rank and then by suit, as OpenSpiel does; each game has an order of the suits."""
    return {card: n for n, card in enumerate(rank + suit for rank in cards.RANK_LETTERS for suit in suits)}


def in_our_order(name):
    """Write a card such as ``♣10`` or ``CT`` as ours are."""
    return name[1:] + name[0]


def dealt(deal, number):
    """List the cards one at a time round the table, seat 0 first."""
    return [number[card] for one_each in zip(*deal["hands"], strict=True) for card in one_each]


def apply(state, action):
    assert action in state.legal_actions()
    state.apply_action(action)


def all_but_the_last_trick_agree(state, deal, number):
    """Play the cards of a deal; the winner of a trick holds what may be led next, as a leader may lead any card."""
    holder = {number[card]: seat for seat, hand in enumerate(deal["hands"]) for card in hand}
    held = [cards.parse(" ".join(hand)) for hand in deal["hands"]]
    for trick in deal["tricks"]:
        led = 0
        for seat, card in zip(players_of(trick, deal), trick["cards"], strict=True):
            if seat == WATCHED_SEAT:
                assert set(state.legal_actions()) == {number[name] for name in legal_cards[held[seat], led]}
            apply(state, number[card])
            held[seat] ^= cards.parse_card(card)
            led = led or cards.suit_of(cards.parse_card(card))
        if not state.is_terminal():
            assert holder[state.legal_actions()[0]] == trick["winner"]
    assert state.is_terminal()
    winners = [trick["winner"] for trick in deal["tricks"]]
    assert deal["taken"] == [winners.count(seat) for seat in range(len(held))]  # which tells who won the last trick
