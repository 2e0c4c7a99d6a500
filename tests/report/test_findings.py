"""The sentences of a report, of figures that can be worked out in the head."""

import example_league
import numpy as np
import pandas as pd
import pytest

from spadesim.designs.compare.sections import finding as comparison_in_words
from spadesim.designs.league import findings

TABLES = example_league.tables()


def plain(sentence):
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def changed(name, **columns):
    """Take a table made by hand with other columns."""
    return TABLES[name].assign(**columns)


def test_lead_outside_of_chance():
    assert plain(findings.lead(TABLES["standings"], TABLES["head_to_head"])) == (
        "ann+x leads: it won 50.0 % (46.0 … 54.0 %) of its games. Its lead of 20.00 percentage points (14.00 … 26.00)"
        " over bob+x, the next, is outside of chance (p < 0.001, adjusted for 3 pairs)."
    )


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"p_holm": 0.05}, "may be chance (p = 0.050, adjusted for 3 pairs)."),
        ({"p_holm": 0.0494}, "is outside of chance (p = 0.049, adjusted for 3 pairs)."),
        ({"p_holm": np.nan}, "Whether its lead over bob+x, the next, is more than chance cannot be told."),
        (
            {"win_share_difference": 0.0},
            "ann+x and bob+x share the lead: each won 50.0 % (46.0 … 54.0 %) of its games.",
        ),
        ({"other": "dan+x"}, "It met bob+x, the next, at no table, so the two are not compared."),
    ],
)
def test_lead_that_is_none(columns, said):
    assert plain(findings.lead(TABLES["standings"], changed("head_to_head", **columns))).endswith(said)


def test_pairs():
    assert plain(findings.pairs(TABLES["head_to_head"])) == (
        "ann+x ended ahead of cid+x in 70.0 % (66.0 … 74.0 %) of their games, the most one-sided pair. In win share"
        " bob+x and cid+x are the closest. Of 3 pairs, 2 differ in it outside of chance (p < 0.05, adjusted for their"
        " number)."
    )
    assert plain(findings.pairs(TABLES["head_to_head"].iloc[[0, 2]])) == (
        "ann+x ended ahead of bob+x in 60.0 % (56.0 … 64.0 %) of their games."
    )


def test_calibration_leaves_out_nils():
    # ann: 20 deals with a bid of 3 and a mean of 4, 20 with a bid of 5 and a mean of 5
    assert findings.distances(TABLES["calibration"]).to_dict() == {"ann+x": 0.5, "bob+x": 0.0, "cid+x": 3.0}
    assert findings.calibrated(TABLES["calibration"]) == (
        "bob+x is the closest calibrated: bid by bid, its mean tricks are 0.00 from what it bid; those of cid+x are"
        " furthest, 3.00."
    )


def test_distances_do_not_cancel_out_between_bids():
    frame = pd.DataFrame({"bot": "ann+x", "bid": [3, 5], "taken": [4, 4], "deals": [10, 30]})
    assert findings.distances(frame).to_dict() == {"ann+x": 1.0}


def test_only_nils_have_no_distance():
    assert findings.calibrated(TABLES["calibration"].query("bid == 0")) == ""


def test_bids():
    # ann: (20 · 3 + 20 · 5) / 50 bid, (5 · 2 + 10 · 3 + 10 · 5 + 20 · 5) / 50 taken
    assert findings.bids(TABLES["calibration"]) == (
        "bob+x bids 4.00 tricks a deal and takes 4.00, the highest bids; cid+x bids 2.00 and takes 5.00, the lowest."
    )
    assert (
        findings.bids(TABLES["calibration"].query("bot == 'ann+x'")) == "ann+x bids 3.20 tricks a deal and takes 3.80."
    )


def test_nils():
    assert plain(findings.nils(TABLES["nils"])) == (
        "The field made 340 of its 500 nils, 68.0 %. The surest were those of ann+x, 75.0 % (70.0 … 80.0 %) of 400, the"
        " least sure those of bob+x, 40.0 % (35.0 … 45.0 %) of 100."
    )
    few = changed("nils", nil_bids=[400, 99, 0], nil_made=[300, 40, 0])
    assert plain(findings.nils(few)) == "The field made 340 of its 499 nils, 68.1 %."
    assert findings.nils(changed("nils", nil_bids=0, nil_made=0)) == "No bot bid nil."


def test_bags():
    assert findings.bags(TABLES["bags"]) == (
        "Bags cost bob+x the most, 80.0 points a game, with 2.00 bags a deal; they cost ann+x the least, 10.0 points."
    )
    assert findings.bags(changed("bags", penalty_points_per_game=0.0)) == "Bags cost no bot a point."
    assert findings.bags(changed("bags", penalty_points_per_game=-7.0)) == "Bags cost every bot 7.0 points a game."


def test_seats():
    assert findings.seats(TABLES["seats"]) == (
        "Seats are alike but for chance: the widest difference between two seats of a bot is 4.0 percentage points, of"
        " ann+x."
    )


def test_orders_weigh_bots_by_their_deals():
    assert findings.orders(TABLES["orders"]) == (
        "Bidding last is worth +3.00 points a deal against bidding first, over the whole field: +6.00 to cid+x, the"
        " most, and +0.00 to bob+x, the least."
    )
    uneven = changed("orders", deals=[2000] * 3 + [1000] * 6)
    assert "worth +3.00 points" in findings.orders(uneven)  # (2 · 3 + 0 + 6) / 4


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("level", "ann+x and bob+x are level: neither wins 1 in a hundred games more than the other."),
        ("bob+x", "bob+x is better than ann+x."),
        ("ann+x", "ann+x is better than bob+x."),
        ("undecided", "Whether ann+x or bob+x is better is undecided."),
    ],
)
def test_comparison(verdict, said):
    assert plain(comparison_in_words(example_league.comparison(verdict), 0.01)) == (
        f"{said} They won 50.0 % and 30.0 % of 1,200 games each, a difference of 20.00 percentage points"
        " (10.00 … 30.00)."
    )


def test_what_was_played():
    result = example_league.league()
    assert plain(findings.played(result, 1)) == (
        "3 bots met at 1 table, by the rules cutthroat, for 600 games in all. Intervals are for 95 %, from 100 streams"
        " of deals that all tables and seatings shared."
    )
    result.tables["standings"]["capped"] = 6
    result.tally.looked_at = True
    said = findings.played(result, 1)
    assert "6 games went on for too long and had no winner." in said
    assert said.endswith("Those of win shares hold however often one looks.")


def test_faults():
    assert findings.faults(TABLES["standings"]) == ""
    assert findings.faults(changed("standings", faults=[0, 2, 1])) == (
        " bob+x gave 2 illegal answers, cid+x gave 1 illegal answer."
    )


def test_game():
    record = example_league.record()
    assert findings.game(record) == (
        "Game 7: ann+x in seat 0 won after 2 deals; final scores ann+x 210, bob+x 50, cid+x 120."
    )
    assert findings.game(record | {"winner": None}).startswith("Game 7: nobody won after 2 deals;")
