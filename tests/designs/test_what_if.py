"""What if: curves equal what the slow reference finds, regret is honest, and a study goes on to the same bytes."""

import math
import pickle
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import reference as ref
from against_reference import BOTS_FILE, reference_games, twin_bots, twin_rules
from play_specs import run
from scipy import stats
from whole_proof import whole, whole_but

from spadesim import cards, whatif
from spadesim.bots.prepare import make_table
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import play_games
from spadesim.cli.app import main
from spadesim.designs.whatif.one_hand import Before, one_hand
from spadesim.designs.whatif.outcomes import SETS
from spadesim.designs.whatif.play import WhatIfJob
from spadesim.designs.whatif.situations import choose
from spadesim.designs.whatif.spec import WhatIfSpec
from spadesim.designs.whatif.tables import make_tables
from spadesim.engine.game.lanes import BY_TARGET
from spadesim.engine.loop import LOG_COLUMNS
from spadesim.engine.search import redeals as engine
from spadesim.engine.search.redeals import MILLION, Redeals, Situation, key_of
from spadesim.errors import BotFault, UsageError
from spadesim.rules import Rules, as_rules
from spadesim.search import CHANCES

pytestmark = pytest.mark.many_games
PAGE = (Path(__file__).parents[2] / "docs" / "WHATIF.md").read_text(encoding="utf-8")
FIELD = ("quick+need_or_duck", "honors+boss", "nil_tips+boss")
HAND = "AS KS 9S 4S AH KH 7H 3H QD 9D 6D 2D KC TC 8C 5C 3C"


def redeals_of(bots, rules, *, interpreted=False):
    field = find_strategies([BOTS_FILE]).field(bots)
    return Redeals(make_table(field, as_rules(rules), interpreted), CHANCES)


def situation(rules, hand, bids=(), scores=None, bags=None):
    """Let seat 0 hold the hand, after these bids in their order."""
    players, order = as_rules(rules).players, len(bids)
    by_seat = [-1] * players
    for i, bid in enumerate(bids):
        by_seat[(i - order) % players] = bid
    return Situation(
        hand=cards.parse(hand), seat=0, dealer=(-order - 1) % players, bots=tuple(range(players)), bids=by_seat,
        blind=(0,) * players, scores=scores or (0,) * players, bags=bags or (0,) * players,
    )  # fmt: skip


# --- The same deals in the slow reference ----------------------------------------------------------------------------


def reference_deal(rules, now, hands, key, bots, bid):
    """Play a deal of this situation in the reference, the seat's bid forced; None where the others bid otherwise."""
    deal = ref.Deal(twin_rules(rules), key, now.dealer, hands, list(now.scores), list(now.bags))
    seated = [(name, ref.fixed(bid) if s == now.seat else said, *rest) for s, (name, said, *rest) in enumerate(bots)]
    seated[now.seat] = seated[now.seat][:3]  # it has declined to bid blind
    record = ref.play_deal(deal, seated)
    blind = record.get("blind", [False] * rules.players)
    before = [s for s in range(rules.players) if now.bids[s] >= 0]
    agrees = all((record["bids"][s], blind[s]) == (now.bids[s], bool(now.blind[s])) for s in before)
    return record if agrees else None


def in_pack_order(mask, rules):
    held = set(cards.show(int(mask)).split())
    return [card for card in twin_rules(rules).pack if card in held]


def chance_after(record, seat, rules, number):
    """Return the chance to win after a deal, as docs/WHATIF.md says."""
    winner, _ = ref.judge_totals(record["scores"], False, twin_rules(rules), number + 1)
    if winner is not None:
        return float(winner == seat)
    limit = rules.bag_limit or 1 << 30
    strengths = [
        CHANCES[bags * 10 // limit, min(max((rules.target - score) // 5, 0), CHANCES.shape[1] - 1)]
        for score, bags in zip(record["scores"], record["bags"], strict=True)
    ]
    return strengths[seat] / sum(strengths)


@cache
def in_a_game(rules, bots, order):
    """Take the decision at this place in the bidding from the last deal of a game of these bots."""
    (record,) = reference_games(bots, rules, 3, 0, 1)
    number, players = len(record["deals"]) - 1, rules.players
    deal = record["deals"][number]
    before = record["deals"][number - 1] if number else {"scores": [0] * players, "bags": [0] * players}
    bidding = [(deal["dealer"] + 1 + i) % players for i in range(players)]
    has_bid = [s in bidding[:order] for s in range(players)]
    blind = deal.get("blind", [False] * players)
    return Situation(
        hand=cards.parse(" ".join(deal["hands"][bidding[order]])), seat=bidding[order], dealer=deal["dealer"],
        bots=tuple(range(players)), bids=[bid if did else -1 for bid, did in zip(deal["bids"], has_bid, strict=True)],
        blind=[int(is_blind and did) for is_blind, did in zip(blind, has_bid, strict=True)],
        scores=before["scores"], bags=before["bags"], deal=number,
    )  # fmt: skip


EXACT = [
    ("cutthroat", ("quick+need_or_duck", "tricky_bid+tricky_play", "wild_bid+random_legal"), 0),
    ("cutthroat:target=120", ("wild_bid+random_legal", "family_bid+family_play", "quick+need_or_duck"), 1),
    ("house-blind-nil:blind_behind=20", ("quick+family_play", "daring_bid+random_legal", "tricky_bid+tricky_play"), 2),
    ("pagat", ("quick+tricky_play", "tricky_bid+need_or_duck", "spade_count+family_play"), 1),
    ("pagat-jokers", ("quick+tricky_play", "tricky_bid+need_or_duck", "spade_count+family_play"), 1),
    ("solo-3:high_spade_bonus=10:exact_bonus=20", ("quick+highest", "spade_count+lowest", "quick+family_play"), 2),
    ("house-4:bid_total_not=cards_each", ("quick+lowest", "wild_bid+highest", "quick+random_legal", "quick+lowest"), 3),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "bots", "order"), whole_but(EXACT, EXACT[0], several=True), ids=[case[0] for case in EXACT]
)
def test_every_redeal_and_bid_ends_as_in_the_reference(text, bots, order):
    rules = as_rules(text)
    now, twins = in_a_game(rules, bots, order), twin_bots(bots)
    outcomes = redeals_of(bots, rules).of(now, 3, key_of(5, 1))
    assert len(outcomes.points) == 3
    assert not outcomes.faulty
    barred = rules.cards_each - sum(bid for bid in now.bids if bid >= 0) if rules.bid_total_not else None
    assert outcomes.bids.tolist() == [bid for bid in range(rules.min_bid, rules.cards_each + 1) if bid != barred]
    for redeal, (masks, key) in enumerate(zip(outcomes.hands, outcomes.keys.tolist(), strict=True)):
        assert masks[now.seat] == now.hand
        for place, bid in enumerate(outcomes.bids.tolist()):
            hands = [in_pack_order(mask, rules) for mask in masks]
            record = reference_deal(rules, now, hands, tuple(key), twins, bid)
            assert record is not None
            assert outcomes.points[redeal, place] == record["points"][now.seat]
            chance = chance_after(record, now.seat, rules, now.deal)
            assert outcomes.chances[redeal, place] == pytest.approx(chance * MILLION, abs=0.51)


# --- Which redeals ---------------------------------------------------------------------------------------------------

FEW_CARDS = [f"{rank}{suit}" for suit in "CHS" for rank in "TJQK"]  # three hands of four


def few_card_rules(**changed):
    every = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    return Rules(name="few cards", removed=tuple(card for card in every if card not in FEW_CARDS), **changed)


def layouts_of(rules, hand):
    """List all layouts of the cards that seat 0 does not see, as hands of the reference."""
    pack = twin_rules(rules).pack
    unseen = [card for card in pack if card not in hand]
    for left in combinations(unseen, rules.cards_each):
        yield [list(hand), list(left), [card for card in unseen if card not in left]]


@pytest.mark.parametrize("bids", whole_but([(), (1,), (2,), (2, 1), (3, 1)], (2, 1)))
def test_redeals_are_all_layouts_that_fit_each_as_likely_and_their_mean_is_exact(bids):
    rules = few_card_rules(target=60)
    bots = ("quick+need_or_duck", "spade_count+highest", "quick+need_or_duck")
    hand = ["TC", "QH", "KH", "JS"]
    now = situation(rules, " ".join(hand), bids, scores=(45, 30, -10), bags=(9, 3, 0))
    twins, fitting, points = twin_bots(bots), [], []
    for hands in layouts_of(rules, hand):
        records = [reference_deal(rules, now, [list(held) for held in hands], (0, 0), twins, bid) for bid in range(5)]
        if records[0] is not None:
            fitting.append(tuple(cards.parse(" ".join(held)) for held in hands))
            points.append([record["points"][0] for record in records])
    outcomes = redeals_of(bots, rules).of(now, 7_000, key_of(2, 0))
    found, counts = np.unique(outcomes.hands, axis=0, return_counts=True)
    assert sorted(map(tuple, found.tolist())) == sorted(fitting)
    assert 1 < len(fitting) <= 70
    assert stats.chisquare(counts).pvalue > 0.001
    assert 7_000 / outcomes.attempts == pytest.approx(len(fitting) / 70, abs=0.03)
    by_layout = dict(zip(fitting, points, strict=True))
    assert all(
        row.tolist() == by_layout[tuple(layout)]
        for row, layout in zip(outcomes.points, outcomes.hands.tolist(), strict=True)
    )
    error = outcomes.points.std(0) / math.sqrt(7_000)
    assert (abs(outcomes.points.mean(0) - np.mean(points, 0)) <= 4 * error).all()


LATE = [((), (0, 0, 0), (0, 0, 0)), ((4,), (150, 120, 160), (7, 9, 2)), ((5, 3), (170, -40, 155), (9, 0, 8))]


@whole
@pytest.mark.parametrize(("bids", "scores", "bags"), LATE)
def test_curve_is_that_of_deals_redealt_for_the_reference(bids, scores, bags):
    rules, bots, tried = Rules(), ("quick+need_or_duck", "quick+random_legal", "spade_count+need_or_duck"), (2, 4, 5, 7)
    now, twins = situation(rules, HAND, bids, scores, bags), twin_bots(bots)
    outcomes = redeals_of(bots, rules).of(now, 4_000, key_of(9, 0))
    points = outcomes.points[:, tried]
    rng, hand, expected = np.random.default_rng(17), in_pack_order(now.hand, rules), []
    unseen = [card for card in twin_rules(rules).pack if card not in hand]
    while len(expected) < 60:
        dealt = rng.permutation(unseen).tolist()
        hands = [hand, *([card for card in unseen if card in dealt[part]] for part in (slice(17), slice(17, 34)))]
        key = tuple(rng.integers(2**63, size=2).tolist())
        records = []
        for bid in tried:
            records.append(reference_deal(rules, now, [list(held) for held in hands], key, twins, bid))
            if records[0] is None:
                break
        else:
            expected.append([record["points"][0] for record in records])
    error = points.std(0) * math.sqrt(1 / len(expected) + 1 / len(points))
    assert (error > 0).any()
    assert (abs(np.mean(expected, 0) - points.mean(0)) <= 4 * error + 1e-9).all()


# --- The same however it is played -----------------------------------------------------------------------------------


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in vars(one))


@pytest.mark.parametrize(
    ("bids", "interpreted"), whole_but([((5, 3), True), ((), True), ((5, 3), False)], ((5, 3), True), several=True)
)
def test_interpreted_and_python_strategies_give_the_same(bids, interpreted):
    names = ("quick+need_or_duck", "wild_bid+need_or_duck", "wild_bid+random_legal")
    now = situation("cutthroat", HAND, bids, (120, 150, 90), (3, 9, 0))
    compiled = redeals_of(names, "cutthroat").of(now, 30, key_of(4, 0))
    assert compiled.attempts > 30 or not bids
    if interpreted:
        again = redeals_of(names, "cutthroat", interpreted=True)
    else:
        again = redeals_of(
            ("quick+need_or_duck", "wild_bid_python+need_or_duck_python", "wild_bid_array+random_legal"), "cutthroat"
        )
    assert same(compiled, again.of(now, 30, key_of(4, 0)))


def test_more_redeals_begin_with_the_same(monkeypatch):
    now = situation("cutthroat", HAND, (5, 3))
    redeals = redeals_of(("quick+need_or_duck", "wild_bid+need_or_duck", "wild_bid+random_legal"), "cutthroat")
    few, many = (redeals.of(now, n, key_of(4, 0)) for n in (25, 150))
    assert np.array_equal(many.hands[:25], few.hands)
    assert np.array_equal(many.points[:25], few.points)
    monkeypatch.setattr(engine, "ATTEMPTS_A_REDEAL", 40)
    capped = redeals.of(now, 150, key_of(4, 0))
    assert capped.attempts == 6_000
    assert 0 < len(capped.points) < 150
    assert np.array_equal(many.hands[: len(capped.hands)], capped.hands)


# --- Situations ------------------------------------------------------------------------------------------------------


def test_decisions_are_those_of_the_games_and_do_not_depend_on_the_order_of_the_log():
    what = WhatIfJob(WhatIfSpec(whatif=FIELD, hands=10, seed=6))
    log = np.concatenate(what.job.play(what.job.tables[0], 0, 10)[1])
    decisions = choose(log, what.rules, 6, 40)
    assert choose(np.random.default_rng(1).permutation(log), what.rules, 6, 40) == decisions
    assert len({(decision.game, decision.situation.deal, decision.situation.seat) for decision in decisions}) == 40
    records = {record["game"]: record for record in play_games(find_strategies().field(FIELD), what.rules, 6, 0, 60)}
    for decision in decisions:
        now, record = decision.situation, records[decision.game]
        deal, before = record["deals"][now.deal], record["deals"][now.deal - 1] if now.deal else None
        assert cards.parse(" ".join(deal["hands"][now.seat])) == now.hand
        assert (deal["dealer"], deal["bids"][now.seat]) == (now.dealer, decision.bid)
        first = [(deal["dealer"] + 1 + i) % 3 for i in range(now.order)]
        assert now.bids == [bid if s in first else -1 for s, bid in enumerate(deal["bids"])]
        assert now.scores == (before["scores"] if before else [0, 0, 0])
        assert now.bags == (before["bags"] if before else [0, 0, 0])
        assert [FIELD[bot] for bot in now.bots] == record["seats"]


def test_tie_at_the_top_is_carried_on():
    def row(deal, seat, before, points):
        values = {
            "game": 4,
            "deal": deal,
            "seat": seat,
            "bot": seat,
            "order": (seat + 2 - deal) % 3,
            "hand": 7,
            "bid": 3,
        }
        values |= {"blind": 0, "taken": 3, "points": points, "bags": 0, "score_before": before, "penalties": 0}
        return [values[name] for name in LOG_COLUMNS]

    log = [row(0, 0, 0, 200), row(0, 1, 0, 200), row(0, 2, 0, 30)]
    log += [row(1, 0, 200, -50), row(1, 1, 200, -50), row(1, 2, 30, 30)]
    log += [row(2, 0, 150, 30), row(2, 1, 150, 40), row(2, 2, 60, 30)]
    decisions = choose(np.array(log), Rules(), 1, 9)
    assert [decision.situation.tie for decision in decisions] == [0] * 3 + [BY_TARGET] * 6


def test_choice_is_uniform():
    rows = np.zeros((300, len(LOG_COLUMNS)), np.int64)
    rows[:, LOG_COLUMNS.index("game")] = np.arange(300) // 3
    rows[:, LOG_COLUMNS.index("seat")] = rows[:, LOG_COLUMNS.index("order")] = np.arange(300) % 3
    choices = [choose(rows, Rules(), seed, 30) for seed in range(200)]
    chosen = [(decision.game, decision.situation.seat) for choice in choices for decision in choice]
    counts = np.unique([3 * game + seat for game, seat in chosen], return_counts=True)[1]
    assert len(counts) == 300
    # drawn without replacement, counts vary by the share not drawn less than Poisson's
    assert stats.chi2(299).sf(((counts - 20) ** 2 / (20 * 0.9)).sum()) > 0.001


# --- Regret ----------------------------------------------------------------------------------------------------------


def rows_of(points, bids, *, chances=None):
    """Make the arrays of a study of values by set, redeal, hand and bid."""
    points = np.asarray(points)
    sets, redeals, hands, n_bids = points.shape
    rows = {"bid": np.array(bids), "bot": np.zeros(hands, np.int64), "redeals": np.full(hands, redeals)}
    rows |= {name: np.arange(hands) for name in ("game", "block")} | {"attempts": np.full(hands, sets * redeals)}
    rows |= {name: np.zeros(hands, np.int64) for name in ("deal", "seat", "order")}
    rows |= {"hand": np.full(hands, cards.parse("AS KS 3D")), "allowed": np.ones((hands, n_bids), np.int64)}
    rows |= {name: np.full((hands, 3), -1 if name == "bids" else 0) for name in ("bids", "scores", "bags")}
    for name, values in (("points", points), ("chances", points if chances is None else np.asarray(chances))):
        made = np.take_along_axis(values, np.array(bids)[None, None, :, None], 3)
        rows |= {f"{name}_sum": values.sum(1).swapaxes(0, 1), f"{name}_squares": (values**2).sum(1).swapaxes(0, 1)}
        rows[f"{name}_gains"] = ((values - made) ** 2).sum((0, 1))
    return rows


def test_regret_of_a_worked_example():
    # two sets of two redeals, two hands, bids 0 … 2; hand 0 bids 1, hand 1 bids 2
    points = np.array([
        [[[0, 10, 40], [5, 1, 0]], [[0, 10, 20], [7, 1, 0]]],  # means 0 10 30; 6 1 0
        [[[0, 24, 20], [0, 9, 2]], [[0, 26, 20], [0, 9, 4]]],  # means 0 25 20; 0 9 3
    ])  # fmt: skip
    tables = make_tables(rows_of(points, [1, 2]), ["a"], Rules())
    first, by_points = tables["regret"].iloc[0], tables["regret"].iloc[1]
    # hand 0: chosen on set 0 bid 2, on set 1 worth 20 - 25; chosen on set 1 bid 1, on set 0 worth 10 - 10
    # hand 1: chosen on set 0 bid 0, on set 1 worth 0 - 3; chosen on set 1 bid 1, on set 0 worth 1 - 0
    assert first["points_regret"] == pytest.approx(((-5 + 0) / 2 + (-3 + 1) / 2) / 2)
    # naive, hand 0: 30 - 10 and 25 - 25; hand 1: 6 - 0 and 9 - 3
    assert first["points_naive"] == pytest.approx(((20 + 0) / 2 + (6 + 6) / 2) / 2)
    assert first["points_bias"] == pytest.approx(first["points_naive"] - first["points_regret"])
    assert by_points["points_regret"] == 0
    assert by_points["points_naive"] == pytest.approx(first["points_bias"])
    # bids 1 and 2 against bests of 2 and 1 in hand 0, of a nil and 1 in hand 1
    assert (first["underbids"], first["overbids"]) == (0.25, 0.25)
    nils = tables["nils"].iloc[0]
    assert (nils["nil_share"], nils["missed_share"], nils["missed_regret"]) == (0, 0.25, -3)
    curve = tables["curves"].query("hand == 0 and bid == 2").iloc[0]
    assert (curve["points"], curve["points_gain"], curve["redeals"], curve["made"]) == (25, 7.5, 4, False)
    gains = np.array([30, 10, -4, -6])
    half = stats.t.ppf(0.975, 3) * gains.std(ddof=1) / 2
    assert (curve["points_gain_low"], curve["points_gain_high"]) == pytest.approx((7.5 - half, 7.5 + half))


def test_true_regret_lies_between_the_two_figures():
    rng = np.random.default_rng(3)
    worth = rng.normal(0, 20, (3_000, 6))
    points = np.rint(rng.normal(worth, 60, (SETS, 8, 3_000, 6))).astype(int)
    bids = rng.integers(6, size=3_000)
    true = (worth.max(1) - worth[np.arange(3_000), bids]).mean()
    found = make_tables(rows_of(points, bids), ["a"], Rules())["regret"].iloc[0]
    assert found["points_regret_high"] < true < found["points_naive"]
    assert found["points_bias_low"] > 0


@whole
def test_best_bidder_has_half_of_quicks_regret_and_the_optimum_less_than_any():
    found = whatif(FIELD, hands=200, redeals=60, seed=2).regret.set_index("bot")
    bots = found.loc[list(FIELD)]
    assert bots["hands"].sum() == 200
    for measure in ("points", "chance"):
        optimum = found.loc[f"what-if by {measure}"]
        assert optimum[f"{measure}_naive"] < bots[f"{measure}_regret"].min()  # at most this, and at least that
        assert optimum[f"{measure}_bias_low"] > 0
        assert (bots[f"{measure}_naive"] > bots[f"{measure}_regret"]).all()
    assert bots["points_regret"].min() < bots.loc[FIELD[0], "points_regret"] / 2


# --- Studies ---------------------------------------------------------------------------------------------------------


def bytes_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.name != "manifest.json"}


def test_workers_and_interruptions_change_no_byte(tmp_path):
    spec = WhatIfSpec(whatif=FIELD, hands=25, redeals=20, seed=8)
    whole, shared, broken = (tmp_path / name for name in ("whole", "shared", "broken"))
    run(spec, out=str(whole))
    run(spec, out=str(shared), workers=2)
    run(spec, out=str(broken))
    shards = sorted((broken / "shards").iterdir())
    assert len(shards) == 3
    shards[0].unlink()
    shards[2].write_bytes(shards[2].read_bytes()[:-5])
    (broken / "regret.csv").unlink()
    run(spec, out=str(broken), resume=True)
    assert bytes_in(whole) == bytes_in(shared) == bytes_in(broken)


def test_study_travels_to_a_worker_as_its_spec():
    what = WhatIfJob(WhatIfSpec(whatif=FIELD, hands=12, redeals=5, seed=8))
    one, other = what(1), pickle.loads(pickle.dumps(what))(1)
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert len(one["bid"]) == 2


def test_study_that_is_stopped_tells_of_what_it_has_and_goes_on(tmp_path):
    from spadesim.tournament.reporter import Reporter

    class Impatient(Reporter):
        done = 0

        def progress(self, done, seconds_left):
            self.done = done

        def ends(self):
            return self.done >= 1

    spec, folder = WhatIfSpec(whatif=FIELD, hands=30, redeals=10, seed=8), tmp_path / "stopped"
    partial = run(spec, out=str(folder), reporter=Impatient())
    assert (partial.hands, partial.complete) == (10, False)
    whole = run(spec, out=str(folder), resume=True)
    assert (whole.hands, whole.complete) == (30, True)
    assert whole.curves.equals(run(spec).curves)
    with pytest.raises(UsageError, match="its redeals is 10, not 11"):
        run(spec.model_copy(update={"redeals": 11}), out=str(folder), resume=True)


def test_every_column_is_documented():
    tables = whatif(FIELD, hands=3, redeals=4).tables
    assert re.findall(r"^### `(\w+)`$", PAGE, re.M) == list(tables)
    for name, frame in tables.items():
        text = re.search(rf"^### `{name}`\n(.*?)(?=^#+ |\Z)", PAGE, re.M | re.S)[1]
        rows = re.findall(r"^\| (`.*?) \|", text, re.M)
        assert re.findall(r"`(\w+)`", " ".join(rows)) == list(frame.columns)


def test_tables_of_a_study_are_attributes():
    found = whatif(FIELD, hands=2, redeals=2)
    assert all(getattr(found, name) is frame for name, frame in found.tables.items())
    assert set(found.tables) <= set(dir(found))
    with pytest.raises(AttributeError, match="a whatif has no table 'standings'; its tables are regret, nils"):
        _ = found.standings


def test_chosen_hand_is_looked_at_as_it_stands():
    before = Before(bids=[4], scores=[10, 20, 30], bags=[1, 2, 3])
    curve = one_hand(["honors+boss", "quick+boss", "quick+boss"], HAND, before, redeals=50)
    assert curve["bid"].tolist() == list(range(18))
    assert curve.loc[curve["made"], "bid"].tolist() == [6]  # as `spadesim bid` says
    first = curve.iloc[0]
    assert (first["order"], first["bids_before"], first["scores"], first["bags"]) == (1, "4", "10,20,30", "1,2,3")
    assert (curve["redeals"] == 100).all()


@pytest.mark.parametrize(
    ("bots", "options", "words"),
    [
        (FIELD[:2], {}, "2 bots named; what-if expected 3"),
        ((*FIELD, "quick+boss"), {}, "4 bots named; what-if expected 3"),
        (("quick+boss",) * 2, {"rules": "partnership"}, "rules 'partnership' have partners"),
        (FIELD, {"rules": "dummy-hand"}, "rules 'dummy-hand' have a dummy's hand"),
        (FIELD, {"hands": 0}, "hands is 0; expected greater than or equal to 1"),
        (FIELD, {"redeals": 1.5}, "redeals is 1.5; expected"),
        (FIELD, {"resume": True}, "there is no folder to resume from"),
        (FIELD, {"workers": -1}, "workers is -1; expected"),
        (("quick+bos", *FIELD[1:]), {}, "did you mean 'boss'"),
    ],
)
def test_bad_input_gets_one_line(bots, options, words):
    with pytest.raises(UsageError, match=words) as caught:
        whatif(bots, **options)
    assert "\n" not in str(caught.value)


def test_illegal_answers_end_the_study_with_a_word():
    bots = ("fixed:bid=3+careless_play", "fixed:bid=4+careless_play", "quick+boss")
    with pytest.raises(BotFault, match="not legal in a redeal of this hand; `spadesim check`"):
        one_hand(bots, HAND, load=[BOTS_FILE], redeals=50)


def test_bids_that_the_others_never_make_are_refused():
    with pytest.raises(UsageError, match="bids are 9, which the others bid in 0 of 20,000 redeals"):
        one_hand(["quick+boss", "quick+boss", "fixed:bid=3+boss"], HAND, Before(bids=[9]), redeals=10)


# --- The command -----------------------------------------------------------------------------------------------------


def command(capsys, *words):
    with pytest.raises(SystemExit) as stopped:
        main(["whatif", *words])
    return stopped.value.code or 0, *capsys.readouterr()


def test_command_prints_tables(capsys, tmp_path):
    code, out, _ = command(
        capsys, *FIELD, "--hands", "12", "--redeals", "10", "--workers", "1", "--out", str(tmp_path / "new")
    )
    assert code == 0
    assert "regret\nbot" in out
    assert "nils\nbot" in out
    assert (tmp_path / "new" / "curves.csv").exists()
    code, out, _ = command(
        capsys, *FIELD, "--hands", "12", "--redeals", "10", "--table", "regret_by", "--format", "csv", "--quiet"
    )
    assert code == 0
    assert out.startswith("bot,by,value,hands,points_regret,")


def test_command_that_is_stopped_says_how_to_go_on(capsys, tmp_path, monkeypatch):
    asked = iter([False, False])  # after the first chunk, Ctrl-C
    monkeypatch.setattr("spadesim.tournament.interrupts.happened", lambda: next(asked, True))
    words = (*FIELD, "--hands", "40", "--redeals", "10", "--workers", "1", "--out", str(tmp_path / "new"))
    monkeypatch.setattr("sys.argv", ["spadesim", "whatif", *words])
    code, out, err = command(capsys, *words)
    assert code == 130
    assert "regret" in out
    assert re.search(r"^spadesim: stopped: the tables are partial; go on with: spadesim whatif .* --resume$", err, re.M)


def test_command_looks_at_one_hand(capsys):
    words = ("honors+boss", "quick+boss", "quick+boss", "--hand", HAND, "--bids", "4", "--redeals", "20")
    code, out, _ = command(capsys, *words)
    assert code == 0
    assert f"{HAND}\nhonors+boss, after bids of 4; scores 0,0,0; bags 0,0,0" in out
    code, out, _ = command(capsys, *words, "--format", "json")
    assert (code, out.count('"bid":')) == (0, 18)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hand", HAND, "--hands", "3"), "--hands does not go with --hand"),
        (("--hand", HAND, "--table", "nils"), "--table does not go with --hand"),
        (("--bids", "4"), "--bids is about one hand; expected --hand beside it"),
        (("--hand", "AS KS"), "the hand has 2 cards; expected 17"),
        (("--hand", HAND, "--bids", "x"), "bids is 'x'; expected whole numbers"),
        (("--table", "nil"), "no table named 'nil'; did you mean 'nils'?"),
    ],
)  # fmt: skip
def test_wrong_options_get_one_line(capsys, words, said):
    code, out, err = command(capsys, *FIELD, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
