"""A league's tables made by hand, with figures that can be worked out in the head."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from spadesim.designs.compare.spec import CompareSpec
from spadesim.designs.league import sections
from spadesim.designs.league.sample_games import SampleGames
from spadesim.designs.league.spec import LeagueSpec
from spadesim.designs.section import StoredRun
from spadesim.report.material import material_of
from spadesim.rules import Rules

BOTS = ("ann+x", "bob+x", "cid+x")
DANGEROUS = "<img src=x onerror=alert(1)>"


def between(name, values, reach):
    """Make the three columns of a figure with its interval."""
    low, high = ([value + sign * reach for value in values] for sign in (-1, 1))
    return {name: list(values), f"{name}_low": low, f"{name}_high": high}


def tables(bots=BOTS):
    """Make the tables of 600 games at one table of three."""
    ann, bob, cid = bots
    standings = {"bot": [ann, bob, cid], "games": 600, "wins": [300, 180, 120], "capped": 0, "faults": 0}
    standings |= between("win_share", [0.5, 0.3, 0.2], 0.04) | between("mean_score", [180, 120, 90], 5)
    standings |= between("points_per_deal", [36, 24, 18], 1) | {"deals": 3000, "deals_per_game": 5.0}
    pairs = {"bot": [ann, ann, bob, bob, cid, cid], "other": [bob, cid, ann, cid, ann, bob], "games": 600}
    pairs |= {"ahead": [360, 420, 234, 330, 174, 264], "level": 6, "behind": [234, 174, 360, 264, 420, 330]}
    pairs |= between("ahead_share", [0.6, 0.7, 0.39, 0.55, 0.29, 0.44], 0.04)
    pairs |= between("mean_margin", [60, 90, -60, 30, -90, -30], 8)
    pairs |= between("win_share_difference", [0.2, 0.3, -0.2, 0.1, -0.3, -0.1], 0.06)
    pairs |= {"p_value": [1e-6, 1e-9, 1e-6, 0.06, 1e-9, 0.06], "p_holm": [2e-6, 3e-9, 2e-6, 0.06, 3e-9, 0.06]}
    nils = {"bot": [ann, bob, cid], "deals": 3000, "nil_bids": [400, 100, 0]}
    nils |= between("nil_rate", [400 / 3000, 100 / 3000, 0], 0.01) | {"nil_made": [300, 40, 0]}
    nils |= between("nil_success", [0.75, 0.4, float("nan")], 0.05)
    bags = {"bot": [ann, bob, cid], "deals": 3000, "bags": [1500, 6000, 3000]}
    bags |= between("bags_per_deal", [0.5, 2.0, 1.0], 0.1) | {"games": 600, "penalties": [60, 480, 180]}
    bags |= between("penalties_per_game", [0.1, 0.8, 0.3], 0.02) | {"penalty_points_per_game": [-10.0, -80.0, -30.0]}
    seats = {"bot": [ann] * 3 + [bob] * 3 + [cid] * 3, "seat": [0, 1, 2] * 3, "games": 200}
    seats |= {"wins": [100, 104, 96, 60, 60, 60, 40, 36, 44]}
    seats |= between("win_share", [0.5, 0.52, 0.48, 0.3, 0.3, 0.3, 0.2, 0.18, 0.22], 0.06)
    orders = {"bot": seats["bot"], "order": [0, 1, 2] * 3, "deals": 1000, "mean_bid": 4.0, "mean_taken": 5.0}
    orders |= {"points_per_deal": [30.0, 31, 33, 20, 20, 20, 10, 12, 16]}
    ratings = {"bot": [ann, bob, cid], "games": 600} | between("rating", [90.0, 0, -90], 20) | {"standard_error": 10.0}
    made = {"standings": standings, "nils": nils, "bags": bags, "bids": bids(bots), "calibration": calibration(bots)}
    made |= {"orders": orders, "seats": seats, "head_to_head": pairs, "ratings": ratings}
    return {name: pd.DataFrame(columns) for name, columns in made.items()}


def calibration(bots):
    """Count deals: ann is right at 5 and takes 4 for a bid of 3, bob is always right, cid takes 5 for a bid of 2."""
    ann, bob, cid = bots
    rows = [(ann, 0, 0, 5), (ann, 0, 2, 5), (ann, 3, 3, 10), (ann, 3, 5, 10), (ann, 5, 5, 20)]
    rows += [(bob, 4, 4, 40), (cid, 2, 5, 30), (cid, 2, 6, 0), (cid, 2, 5, 10)]
    return pd.DataFrame([row for row in rows if row[3]], columns=["bot", "bid", "taken", "deals"])


def bids(bots):
    """Count bids, to go with `calibration`."""
    ann, bob, cid = bots
    columns = {"bot": [ann, ann, ann, bob, cid], "bid": [0, 3, 5, 4, 2], "deals": [10, 20, 20, 40, 40]}
    columns |= {"made": [5, 20, 20, 40, 40]} | between("made_rate", [0.5, 1, 1, 1, 1], 0)
    return columns | {"mean_taken": [1.0, 4, 5, 4, 5], "points_per_deal": [0.0, 31, 50, 40, 23]}


def comparison(verdict, first="ann+x", second="bob+x"):
    """Make the table of a comparison."""
    row = {"first": first, "second": second, "verdict": verdict, "win_share_first": 0.5, "win_share_second": 0.3}
    row |= {"difference": 0.2, "difference_low": 0.1, "difference_high": 0.3, "games_each": 1200}
    return pd.DataFrame([row | {"relative_efficiency": 2.0, "games_each_unpaired": 2400, "games_each_fixed": 3600}])


def record():
    """Make the record of a game of two deals, as far as it is drawn and told."""
    scores = ([40, -20, 10], [210, 50, 120])
    deals = [{"dealer": 0, "hands": [[], [], []], "bids": [4, 2, 1], "tricks": [], "scores": after} for after in scores]
    return {
        "rules": "cutthroat", "seed": 1, "game": 7, "seats": list(BOTS), "deals": deals, "winner": 0,
        "end_reason": "target",
    }  # fmt: skip


def league(bots=BOTS, made=None, **spec):
    """Make the result of a league, or of a comparison where there is a `delta`."""
    spec_type = CompareSpec if "delta" in spec else LeagueSpec
    made = made or tables(bots)
    tally = SimpleNamespace(blocks=100, games=pd.Series([600] * 3).to_numpy(), looked_at=False)
    return spec_type(bots=bots).result_type(spec_type(bots=bots, **spec), made, Rules(), tally, list(bots))


def stored(result):
    """Make of a result what is read from a folder."""
    manifest = {"state": "complete", "kind": result.spec.design, "spec": result.spec.model_dump(mode="json")}
    manifest |= {"rules": Rules().as_dict(), "bots": result.bots, "texts": result.bots, "focus": [], "tables": 1}
    manifest |= {"games_a_table": 600, "sources": {}, "engine": "0" * 64, "versions": {}, "failures": []}
    return StoredRun(Path("mine"), manifest | {"seconds": 1.0}, result)


def material(bots=BOTS, notes=(), records=(), made=None, **spec):
    """Make what a report is made of; its sample games are these records."""
    games = SampleGames(list(records), ["spadesim replay"] * len(records))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "sample_games", lambda run, standings: games)
        return replace(material_of(stored(league(bots, made, **spec))), notes=list(notes))
