"""Spades again, in slow and obvious Python: the specification that the fast engine is compared with.

It shares no code with the engine. A card is a string of rank and suit ("AS", "TH", "2C"; the jokers are "LJ" and "BJ"),
a hand is a list of cards in ascending pack order, and seats are numbered clockwise from 0, so the seat on the left of s
is s + 1. Hands have the numbers of their seats, and number 3 is the dummy's (R8). The numbers in the comments (R4.2)
are those of the rules.
"""

# ruff: noqa: F401 (what the tests call)

from reference.bots import (
    careless_bid,
    careless_play,
    daring,
    daring_bid,
    family_bid,
    family_play,
    fixed,
    highest,
    legal_bid,
    lowest,
    need_or_duck,
    quick,
    random_legal,
    spade_count,
    spades_in,
    tricky_bid,
    tricky_play,
    wild_bid,
)
from reference.cards import FULL_PACK, RANKS, suit_of
from reference.deal import deal_hands, deal_key, draw, first_dealer, game_key, seat_for_card
from reference.play import (
    Bot,
    nearest_bid,
    open_play,
    play_deal,
    play_game,
    play_trick,
    score_all,
    seat_bots,
    seatings,
    take_bid,
    take_card,
)
from reference.rules import CUTTHROAT, DUMMY, Rules
from reference.score import Promise, judge_totals, last_high_spades, reason_to_end, score_deal, score_together
from reference.table import Deal, View, bid_view, need, play_view
from reference.tricks import breaks_spades, legal_cards, trick_winner, winning_place
