"""What single strategies do in positions made for them; that they play by the rules is in `test_every_strategy`."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spadesim import cards, testing
from spadesim.rules import Rules
from spadesim.strategies import adjusted, charts, nils, spade_counts
from spadesim.strategies.boss import boss, plain_boss
from spadesim.strategies.choices import highest_rank, lowest_rank
from spadesim.strategies.fitted import fitted, tricks_of
from spadesim.strategies.nil_play import hunts, nil_hunter, nil_safe
from spadesim.strategies.setting import bag_shy, breaks, setter
from spadesim.strategies.steady import steady

GOOD = "AS KS 9S 4S AH KH 7H 3H QD 9D 6D 2D KC TC 8C 5C 3C"
HARMLESS = "3S 2S 7C 6C 5C 4C 3C 6D 5D 4D 3D 2D 6H 5H 4H 3H 2H"


def card(strategy, hand, **given):
    parameters = {name: given.pop(name) for name in ("bags_left", "under") if name in given}
    return cards.show(int(strategy(testing.view(hand=hand, **given), **parameters)))


def bid(strategy, hand, rules=None, **given):
    seen = {name: given.pop(name) for name in ("bids", "order", "scores", "bags", "random") if name in given}
    return int(strategy(testing.view(hand=hand, rules=rules, **seen), **given))


# --- Cards -----------------------------------------------------------------------------------------------------------

RANKS = "23456789TJQKA"
hands = st.sets(st.sampled_from([rank + suit for suit in "CDHS" for rank in RANKS]), min_size=1, max_size=9)


@given(hands)
@example({"8H", "2H"})
@example({"AC", "2D", "3S"})
def test_lowest_and_highest_rank_of_any_suits(hand):
    held = cards.parse(" ".join(hand))
    by_rank = sorted(hand, key=lambda name: (RANKS.index(name[0]), "CDHS".index(name[1])))
    assert cards.show(lowest_rank(held)) == by_rank[0]
    assert cards.show(highest_rank(held)) == by_rank[-1]


# --- Playing for tricks ----------------------------------------------------------------------------------------------

WANTS = {"bids": (3, 4, 5), "taken": (1, 1, 1)}
HAS = {"bids": (3, 4, 5), "taken": (3, 1, 1)}


@pytest.mark.parametrize("player", [boss, plain_boss, setter, steady])
def test_boss_cashes_what_nothing_beats(player):
    assert card(player, "AH 5H 7D 8C", **WANTS) == "AH"
    gone = ["AH KH", "", ""]
    assert card(player, "QH 5H 7D 8C", shown=gone, **WANTS) == "QH"
    assert card(player, "AH 5H 7D 8C", voids=["", "H", ""], **WANTS) != "AH"
    spades = cards.show(cards.SPADES & cards.PACK)
    assert card(player, "AH 5H 7D 8C", voids=["", "H", ""], shown=["", spades, ""], **WANTS) == "AH"


def test_boss_draws_spades_with_three():
    assert card(boss, "AS 9S 2S AH 5H", broken=True, **WANTS) == "AS"
    assert card(boss, "AS 9S AH 5H", broken=True, **WANTS) == "AH"
    assert card(plain_boss, "AS 9S 2S AH 5H", broken=True, **WANTS) == "AH"


def test_boss_ruffs_low_where_nobody_behind_is_void():
    assert card(boss, "9S 2S 3H", trick="5D", **WANTS) == "2S"
    assert card(boss, "9S 2S 3H", trick="5D", voids=["", "", "D"], **WANTS) == "2S"  # that seat has played
    assert card(boss, "9S 2S 3H", trick="5D", voids=["", "D", ""], **WANTS) == "3H"
    assert card(boss, "AS 2S 3H", trick="5D", voids=["", "D", ""], **WANTS) == "AS"  # which nothing beats
    assert card(boss, "9S 2S 3H", trick="5D 4S", **WANTS) == "9S"
    assert card(plain_boss, "9S 2S 3H", trick="5D", **WANTS) == "3H"


def test_boss_takes_a_side_trick_before_the_last_place_only_with_the_highest():
    assert card(boss, "AH KH 3H", trick="5H", **WANTS) == "KH"
    assert card(boss, "KH 3H", trick="5H", **WANTS) == "3H"
    assert card(boss, "KH 9H 3H", trick="5H 2H", **WANTS) == "9H"


def test_boss_leaves_the_trick_to_a_partner():
    four = {"bids": (3, 4, 3, 4), "taken": (0, 0, 0, 0), "rules": "partnership"}
    assert card(boss, "KH 3H", trick="5H QH 4H", **four) == "3H"
    assert card(boss, "KH 3H", trick="QH 5H 4H", **four) == "KH"


def test_boss_takes_no_trick_too_many():
    done = {"bids": (3, 4, 5), "taken": (3, 4, 5)}
    assert card(boss, "AH QH 3H", trick="KH 2H", **done) == "QH"
    assert card(boss, "AH 3D", **done) == "3D"


# --- Setting ---------------------------------------------------------------------------------------------------------


def test_setter_takes_from_those_who_need():
    last = {"hand": "AH 3H", "trick": "KH QH"}
    assert card(boss, **last, **HAS) == "3H"
    assert card(setter, **last, **HAS) == "AH"
    assert card(steady, **last, **HAS) == "AH"
    assert card(setter, **last, bids=(3, 4, 5), taken=(3, 4, 5)) == "3H"
    assert card(setter, **last, **HAS, bags=(9, 0, 0)) == "3H"
    assert card(steady, **last, **HAS, bags=(9, 0, 0)) == "AH"
    assert card(setter, **last, **HAS, bags=(8, 0, 0)) == "AH"


def test_breaks_only_when_it_can_pay_and_has_no_nil():
    def breaking(bags_left=1, **given):
        return bool(breaks(testing.view(hand="AH 3H", **given), bags_left))

    assert breaking(**HAS)
    assert not breaking(**WANTS)
    assert not breaking(bids=(0, 4, 5), taken=(0, 1, 1))
    assert breaking(bids=(0, 4, 5), taken=(1, 1, 1))  # the nil has failed
    assert not breaking(bids=(3, 0, 0), taken=(3, 0, 0))
    assert breaking(bids=(3, 4, 5), taken=(6, 1, 1), bags=(5, 0, 0))
    assert not breaking(bids=(3, 4, 5), taken=(6, 1, 1), bags=(6, 0, 0))


def test_bag_shy_takes_spare_tricks_while_the_penalty_is_far():
    done = {"hand": "AH 3H", "trick": "KH QH", "bids": (3, 4, 5), "taken": (3, 4, 5)}
    assert card(bag_shy, **done) == "AH"
    assert card(bag_shy, **done, bags=(6, 0, 0)) == "3H"
    assert card(bag_shy, **done, bags=(6, 0, 0), bags_left=3) == "AH"
    assert card(bag_shy, **done, rules=Rules(overtrick=-10)) == "3H"


# --- Nils ------------------------------------------------------------------------------------------------------------

MY_NIL = {"bids": (0, 4, 5), "taken": (0, 1, 1)}
LEFT_NIL = {"bids": (4, 0, 5), "taken": (1, 0, 1)}


@pytest.mark.parametrize("player", [nil_safe, steady])
def test_an_own_nil_stays_under(player):
    assert card(player, "QH 9H 3H", trick="JH 2H", **MY_NIL) == "9H"
    assert card(player, "QH KH", trick="JH 2H", **MY_NIL) == "QH"  # lost anyway, but the higher may lose yet
    assert card(player, "5S KD 2C", trick="JH 7S", **MY_NIL) == "5S"
    assert card(player, "9S KD 2C", trick="JH 7S", **MY_NIL) == "KD"
    assert card(player, "KD 2D 9C", trick="JH 7H", **MY_NIL) == "9C"  # the diamonds have a two
    assert card(player, "2D AD 9C 8C QH", **MY_NIL) == "2D"


def test_a_nil_that_has_failed_is_played_as_any_bid():
    failed = {"bids": (0, 4, 5), "taken": (2, 1, 1)}
    assert card(nil_safe, "QH 9H 3H", trick="JH 2H", **failed) == card(boss, "QH 9H 3H", trick="JH 2H", **failed)
    assert card(steady, "QH 9H 3H", trick="JH 2H", **failed) == "QH"  # to set the others


@pytest.mark.parametrize("player", [nil_hunter, steady])
def test_a_hunter_leads_low_and_stays_under_a_nil(player):
    assert card(player, "3H KD AC QC", **LEFT_NIL) == "3H"
    assert card(player, "3H KD AC QC", bids=(4, 1, 5), taken=(1, 0, 1)) == "AC"  # nothing to hunt
    assert card(player, "KH 8H 2H", trick="9H 4H", **LEFT_NIL) == "8H"
    assert card(player, "KH 8H 2H", trick="4H 9H", **LEFT_NIL) == "KH"  # the other one wins
    assert card(player, "KH TH", trick="9H 4H", **LEFT_NIL) == "TH"
    assert card(player, "3H KD AC QC", voids=["", "H", ""], **LEFT_NIL) != "3H"


def test_a_hunter_leads_no_card_that_many_are_under():
    assert card(nil_hunter, "9H AC KC", **LEFT_NIL) == "9H"
    assert card(nil_hunter, "9H AC KC", **LEFT_NIL, under=6) == "KC"  # of the bosses the lower


def test_nobody_hunts_a_partner_or_beside_an_own_nil():
    def hunting(**given):
        return bool(hunts(testing.view(hand="AH 3H", **given)))

    assert hunting(**LEFT_NIL)
    assert not hunting(bids=(0, 0, 5), taken=(0, 0, 1))
    assert not hunting(bids=(3, 0, 5), taken=(0, 1, 1))
    assert not hunting(bids=(3, 4, 0, 4), rules="partnership")
    assert hunting(bids=(3, 0, 0, 4), rules="partnership")


# --- Bids beside `fitted` --------------------------------------------------------------------------------------------


def test_minus_one_bids_less_but_at_least_one():
    assert bid(adjusted.minus_one, GOOD) == bid(fitted, GOOD) - 1 == 5
    assert bid(adjusted.minus_one, GOOD, less=3) == 3
    assert bid(adjusted.minus_one, HARMLESS) == 1
    assert bid(adjusted.minus_one, GOOD, less=100) == 1


def test_noisy_is_one_off_in_its_share_of_hands():
    low, middle, high = 0, 1 << 62, (1 << 63) - 1
    assert [bid(adjusted.noisy, GOOD, random=number) for number in (low, middle, high)] == [7, 6, 5]
    quarter = int(0.25 * 2**63)
    assert [bid(adjusted.noisy, GOOD, random=quarter + by) for by in (-(1 << 40), 1 << 40)] == [7, 6]
    assert [bid(adjusted.noisy, GOOD, random=number, share=0.0) for number in (low, high)] == [6, 6]


def test_table_total_minds_the_sum_when_it_bids_last():
    assert bid(fitted, GOOD, bids=(-1, 4, 5), order=2) == 6
    for others, wanted in (((4, 5), 6), ((5, 5), 6), ((5, 6), 5), ((7, 7), 5), ((3, 4), 6), ((3, 3), 7), ((0, 2), 7)):
        same = bid(fitted, GOOD, bids=(-1, *others), order=2)
        assert bid(adjusted.table_total, GOOD, bids=(-1, *others), order=2) - same == wanted - 6, others
    assert bid(adjusted.table_total, GOOD, bids=(-1, -1, 1), order=1) == bid(fitted, GOOD, bids=(-1, -1, 1), order=1)
    assert bid(adjusted.table_total, GOOD, bids=(-1, 4, 5), order=2, few=15) == 7


def test_score_aware_bids_no_more_than_it_needs_near_the_target():
    last = {"bids": (-1, 3, 3), "order": 2}
    usual = bid(adjusted.score_aware, GOOD, scores=(0, 0, 0), **last)
    near = bid(adjusted.score_aware, GOOD, scores=(160, -50, -50), **last)
    assert 4 <= near < usual <= tricks_of(testing.view(hand=GOOD, **last))
    desperate = bid(adjusted.score_aware, GOOD, scores=(60, 180, 180), **last)
    assert desperate > usual


# --- Nil or not ------------------------------------------------------------------------------------------------------

GATES = [nils.nil_tips, nils.nil_veto, nils.nil_balance, nils.nil_strict, nils.nil_fitted]


@pytest.mark.parametrize("gate", GATES)
def test_nil_on_a_harmless_hand_and_not_with_the_ace_of_spades(gate):
    assert bid(gate, HARMLESS) == 0
    assert bid(gate, HARMLESS.replace("3S", "AS")) > 0
    assert bid(gate, GOOD) > 0
    assert bid(gate, HARMLESS, rules="solo-3") > 0  # where there is no nil


@pytest.mark.parametrize(
    ("gate", "out", "in_", "is_nil"),
    [
        (nils.nil_tips, "6H", "AH", False),
        (nils.nil_tips, "6H", "KH", True),
        (nils.nil_tips, "3S", "JS", False),
        (nils.nil_tips, "3S", "TS", True),
        (nils.nil_tips, "6H 5H", "4S 5S", False),  # four spades
        (nils.nil_veto, "3S", "KS", False),
        (nils.nil_veto, "3S", "QS", True),
        (nils.nil_veto, "6H 5H", "4S 5S", False),
        (nils.nil_veto, "6H 5H 4H 3H 2H", "AH 8D 7D 8C 9C", False),  # a bare ace
        (nils.nil_veto, "6H 5H 4H 3H 2H", "AH 7H 7D 8D 8C", True),
        (nils.nil_veto, "6H 5H 4H 6D 5D 4D", "AH KH QH AD KD QD", False),  # six high cards
        (nils.nil_veto, "6H 5H 4H 6D 5D", "AH KH QH AD KD", True),
        (nils.nil_balance, "6H 5H 4H", "9H TH JH", False),
        (nils.nil_balance, "6H 5H", "9H TH", True),
        (nils.nil_balance, "3S", "KS", False),
        (nils.nil_strict, "5H 4H 3H 2H", "7H 8H 9H TH", False),  # the lowest is a six
        (nils.nil_strict, "4H 3H 2H", "7H 8H 9H", True),
        (nils.nil_strict, "6H 5H 4H 3H", "9H TH JH QH", False),  # the second is a nine
        (nils.nil_strict, "3S", "8S", True),
        (nils.nil_strict, "3S", "9S", False),  # of spades too
        (nils.nil_fitted, "2H 3H 4H 5H", "AH KH QH JH", False),
        (nils.nil_fitted, "6H", "TH", True),
    ],
)  # fmt: skip
def test_nil_gates_at_their_limits(gate, out, in_, is_nil):
    hand = cards.show(cards.parse(HARMLESS) & ~cards.parse(out) | cards.parse(in_))
    assert len(hand.split()) == 17
    assert (bid(gate, hand) == 0) == is_nil


def test_nil_fitted_needs_its_chance_and_a_poor_hand():
    assert bid(nils.nil_fitted, HARMLESS, chance=0.999999) > 0
    assert bid(nils.nil_fitted, HARMLESS, up_to=-5.0) > 0


def test_whiz_and_mirror_bid_the_spades():
    assert bid(spade_counts.mirror, GOOD) == bid(spade_counts.whiz, GOOD) == 4
    assert bid(spade_counts.whiz, HARMLESS) == 0
    assert bid(spade_counts.mirror, HARMLESS) == 2


# --- Charts ----------------------------------------------------------------------------------------------------------


def test_quarters_by_hand():
    # spades 4 + 4 for ace and king, 3 for the fourth; hearts 4 + 3; diamonds 2 for the queen of four; clubs 2 for the
    # king of five
    assert charts.quarters(cards.parse(GOOD), 13) == 11 + 7 + 2 + 2
    # of 17 cards four are read as three, and five as four: only the king of clubs gains one
    assert charts.quarters(cards.parse(GOOD), 17) == 11 + 7 + 2 + 3
    # nine spades: 4 + 4 + 3 + 2 and 3 for each from the fourth; hearts void 4; ace alone 4 + 3; bare queen of two 1 + 2
    assert charts.quarters(cards.parse("AS KS QS JS TS 9S 8S 7S 6S AD QC 2C"), 13) == 31 + 4 + 7 + 3
    # king and queen of spades too short to count; no ruffs without a third spade
    assert charts.quarters(cards.parse("KS AD"), 13) == 4
    assert charts.quarters(cards.parse("QS JS AD"), 13) == 4


def test_charts_bid_whole_tricks_and_keep_the_total_down():
    assert bid(charts.quarter_chart, GOOD) == 22 // 4
    assert bid(charts.stretched_chart, GOOD) == 23 // 4
    assert bid(charts.stretched_chart, GOOD, order=2, bids=(-1, 6, 6)) == 4
    assert bid(charts.stretched_chart, GOOD, order=1, bids=(-1, -1, 9)) == 5
    assert bid(charts.stretched_chart, GOOD, order=2, bids=(-1, 9, 8)) == 1
    assert bid(charts.stretched_chart, GOOD, order=2, bids=(-1, 6, 6), most=17) == 5
    assert bid(charts.quarter_chart, HARMLESS) == 1
