"""What must hold in every deal of every game, whatever the bots are."""

from functools import cache
from itertools import chain

import numpy as np
import pytest
import reference as ref
from against_reference import BOTS_FILE, engine_games

from spadesim import cards
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.engine.loop import LOG_COLUMNS
from spadesim.rules import Rules

TABLES = {
    "sensible": ["honors+boss", "quick+need_or_duck", "nil_tips+boss"],
    "wild": ["wild_bid+random_legal", "tricky_bid+tricky_play", "wild_bid+tricky_play"],
    "nils": ["fixed:bid=0+lowest", "fixed:bid=0+random_legal", "spade_count+highest"],
}
RULES = Rules(max_deals=12)
SEED, GAMES = 31, 90

pytestmark = pytest.mark.many_games


@cache
def games():
    """Play some games of each table."""
    return [record for bots in TABLES.values() for record in engine_games(bots, RULES, SEED, 0, GAMES)]


def deals():
    return [deal for record in games() for deal in record["deals"]]


@cache
def log():
    """Play more games with the log of deals; each column has shape (deals, seats)."""
    columns = []
    for bots in TABLES.values():
        table = make_table(find_strategies([BOTS_FILE]).field(bots), RULES)
        rows = np.concatenate(table.play(SEED, 0, 400, log=True).log)
        rows = rows[np.lexsort([rows[:, LOG_COLUMNS.index(name)] for name in ("seat", "deal", "game")])]
        columns.append(rows.reshape(-1, 3, len(LOG_COLUMNS)))
    return dict(zip(LOG_COLUMNS, np.moveaxis(np.concatenate(columns), -1, 0), strict=True))


def sure_spades(hand):
    """Count the spades that no play can beat: from the ace down, each spade of the others beats one lower spade."""
    sure = beaters = 0
    for rank in reversed(ref.RANKS):
        if rank + "S" not in hand:
            beaters += 1
        elif beaters:
            beaters -= 1
        else:
            sure += 1
    return sure


# --- Card by card ----------------------------------------------------------------------------------------------------


def test_r1_2_cards_are_conserved():
    for deal in deals():
        assert sorted(chain(*deal["hands"])) == sorted(ref.CUTTHROAT.pack)
        played = [[], [], []]
        for trick in deal["tricks"]:
            for place, card in enumerate(trick["cards"]):
                played[(trick["leader"] + place) % 3].append(card)
        assert [sorted(pile) for pile in played] == [sorted(hand) for hand in deal["hands"]]


def test_r3_1_r3_2_r3_4_every_card_was_legal():
    for deal in deals():
        hands, broken = [list(hand) for hand in deal["hands"]], False
        for trick in deal["tricks"]:
            led = None
            for place, card in enumerate(trick["cards"]):
                hand = hands[(trick["leader"] + place) % 3]
                assert card in ref.legal_cards(hand, led, broken)
                hand.remove(card)
                broken = broken or ref.breaks_spades(card, led)
                led = led or ref.suit_of(card)


def test_r3_3_the_winner_of_each_trick_takes_it_and_leads():
    for deal in deals():
        leader = (deal["dealer"] + 1) % 3
        for trick in deal["tricks"]:
            assert trick["leader"] == leader
            assert trick["winner"] == ref.trick_winner(trick["cards"], leader)
            leader = trick["winner"]
        assert deal["taken"] == [sum(trick["winner"] == seat for trick in deal["tricks"]) for seat in range(3)]


def test_r3_5_a_hand_wins_at_least_its_sure_spades():
    sure_hands = 0
    for deal in deals():
        for hand, taken in zip(deal["hands"], deal["taken"], strict=True):
            sure_hands += sure_spades(hand) > 0
            assert taken >= sure_spades(hand)
    assert sure_hands > 1000


def test_r2_1_bids_are_0_to_17():
    assert {bid for deal in deals() for bid in deal["bids"]} == set(range(18))


def test_r5_1_games_end_at_the_first_deal_that_decides_them():
    for record in games():
        playing_off, winner = False, None
        for deal in record["deals"]:
            assert winner is None
            winner, playing_off = ref.judge_totals(deal["scores"], playing_off)
        assert record["winner"] == winner
        assert record["end_reason"] == ("target" if winner is not None else "deal_cap")
        assert winner is not None or len(record["deals"]) == RULES.max_deals


# --- Deal by deal ----------------------------------------------------------------------------------------------------


def test_r3_5_tricks_add_up_to_17():
    assert log()["taken"].shape[0] > 20_000
    assert (log()["taken"].sum(1) == 17).all()


def test_r4_1_overtricks_less_undertricks_are_17_less_the_bids():
    over = np.maximum(log()["taken"] - log()["bid"], 0).sum(1)
    under = np.maximum(log()["bid"] - log()["taken"], 0).sum(1)
    assert (over - under == 17 - log()["bid"].sum(1)).all()


def test_r4_2_nil_with_the_ace_of_spades_fails():
    nils = (log()["bid"] == 0) & (log()["hand"] & cards.parse("AS") != 0)
    assert nils.sum() > 1000
    assert (log()["taken"][nils] >= 1).all()
    assert (log()["points"][nils] == -100 - 100 * log()["penalties"][nils]).all()


def test_r4_points_and_bags_follow_from_bid_and_tricks():
    scores = {}  # bid, tricks, bags before: points, penalties and bags after
    seats = [log()[name].ravel().tolist() for name in ("game", "deal", "bid", "taken", "points", "penalties", "bags")]
    bags = np.zeros((3, 400 * 6, 3), int)  # table, game, seat
    tables = np.cumsum(np.diff(log()["game"][:, 0], prepend=0) < 0)
    for i, (game, deal, bid, taken, *result) in enumerate(zip(*seats, strict=True)):
        place = tables[i // 3], game, i % 3
        before = 0 if deal == 0 else int(bags[place])
        key = bid, taken, before
        if key not in scores:
            scores[key] = list(ref.score_deal(*key))
        assert result == scores[key], key
        bags[place] = result[2]
    assert len(scores) > 300


def test_r4_3_scores_add_up():
    columns = log()
    same_game = (columns["deal"][1:] > 0).all(1)
    after = columns["score_before"] + columns["points"]
    assert (columns["score_before"][1:][same_game] == after[:-1][same_game]).all()
    assert (columns["score_before"][columns["deal"] == 0] == 0).all()
