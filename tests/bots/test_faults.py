"""Bots at fault (R6.1, R9): the report names everything, and each policy costs what it says."""

import itertools
import shlex
from functools import cache

import pytest
import reference as ref
from whole_proof import whole, whole_but, whole_where

from spadesim import BotFault, cards, league, play_game
from spadesim.bots.registry import find_strategies
from spadesim.bots.replay import play_games
from spadesim.errors import StrategyError
from spadesim.rules import read_rules
from spadesim.tournament import scheduling

pytestmark = pytest.mark.many_games

KINDS = ["compiled", "array", "python"]
SEED, GAMES = 13, 300
SHORT = read_rules("cutthroat:max_deals=15")

# Answers that no rule allows, as expressions that mean the same for a number and for an array.
BAD_CARDS = {
    "others_card": "lowest(view.unseen)",
    "no_card": "0 * view.hand",
    "two_cards": "lowest(view.hand) | highest(view.hand)",
    "minus_one": "0 * view.hand - 1",
}
BAD_BIDS = {"bids_18": "18 + 0 * view.hand", "bids_minus_1": "0 * view.hand - 1"}
BREAKING_CODE = {
    "raises": "int('boom')",
    "float": "1.5 * (view.random > 0)",
    "none": "None",
    "wrong_length": "lowest(view.hand)[:-1]",
}
HEADER = "from spadesim import bidder, player\nfrom spadesim.cards import ACES, count, highest, lowest\n"
PLAYER = '''
@player(kind={kind!r})
def {name}_{kind}(view):
    """Play the lowest card, but at times, third to the sixth trick, what no rule allows."""
    bad = (view.tricks_left == 12) & (view.position == 2) & (view.scores[0] >= 60) & (view.random % 4 == 0)
    return bad * ({answer}) + (1 - bad) * lowest(view.legal)
'''
BIDDER = '''
@bidder(kind={kind!r})
def {name}_{kind}(view):
    """Bid 3, but at times, as the second, what no rule allows."""
    bad = (view.order == 1) & (view.scores[0] >= 60) & (view.random % 4 == 0)
    return bad * ({answer}) + (1 - bad) * 3
'''
BREAKING_PLAYER = '''
@player(kind={kind!r})
def {name}_{kind}(view):
    """Break at the sixth trick."""
    if view.position == 2 and (view.tricks_left == 12){all}:
        return {answer}
    return lowest(view.legal)
'''
RAISING = '''
@player
def raises_compiled(view):
    """Break at the sixth trick."""
    if view.tricks_left == 12:
        raise ValueError("boom")
    return lowest(view.legal)
'''
BREAKING_BIDDER = '''
@bidder(kind={kind!r})
def {name}_bid_{kind}(view):
    """Break at every bid."""
    return {answer}
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Write the bad bots."""
    parts = [HEADER, RAISING]
    for kind in KINDS:
        parts += [PLAYER.format(kind=kind, name=name, answer=answer) for name, answer in BAD_CARDS.items()]
        parts += [BIDDER.format(kind=kind, name=name, answer=answer) for name, answer in BAD_BIDS.items()]
    for kind, name in itertools.product(["array", "python"], BREAKING_CODE):
        if (kind, name) != ("python", "wrong_length"):
            words = {"kind": kind, "name": name, "answer": BREAKING_CODE[name], "all": ".all()" * (kind == "array")}
            parts += [BREAKING_PLAYER.format(**words), BREAKING_BIDDER.format(**words)]
    path = tmp_path_factory.mktemp("bots") / "bad_bots.py"
    path.write_text("".join(parts))
    return str(path)


# --- The same bots in the reference ----------------------------------------------------------------------------------


class AtFault(Exception):
    """Carries what the bot at fault saw."""

    def __init__(self, view):
        super().__init__()
        self.view = view


def breaking_play(view):
    if view.tricks_left == 12 and view.position == 2:
        raise AtFault(view)
    return ref.lowest(view)


def bad_play(view):
    if view.tricks_left == 12 and view.position == 2 and view.scores[0] >= 60 and view.random % 4 == 0:
        raise AtFault(view)
    return ref.lowest(view)


def bad_bid(view):
    if view.order == 1 and view.scores[0] >= 60 and view.random % 4 == 0:
        raise AtFault(view)
    return 3


def field(bad, role):
    """Name three bots, one of them bad; the reference's twins beside them."""
    good = "fixed:bid=3+need_or_duck"
    specs = [good, f"quick+{bad}" if role == "player" else f"{bad}+need_or_duck", "spade_count+lowest"]
    twins = [
        (specs[0], ref.fixed(3), ref.need_or_duck),
        (specs[1], ref.quick, bad_play) if role == "player" else (specs[1], bad_bid, ref.need_or_duck),
        (specs[2], ref.spade_count, ref.lowest),
    ]
    return specs, twins


@cache
def reference_game(role, game):
    """Play a game in the reference until its end or its first fault; return the record or the fault."""
    try:
        return ref.play_game(field("bad", role)[1], SEED, game, ref.Rules(max_deals=SHORT.max_deals))
    except AtFault as fault:
        return fault


def first_fault(role):
    """Find the lowest game with a fault: its number, the deal, the seat and what the bot saw."""
    outcomes = ((game, reference_game(role, game)) for game in range(GAMES))
    game, fault = next((game, outcome) for game, outcome in outcomes if isinstance(outcome, AtFault))
    return game, *place_of(game, fault.view.hand), fault.view


def place_of(game, hand):
    """Find the deal of a game, and the seat, to which a hand was dealt."""
    hands = [(deal, ref.deal_hands(SEED, game // 6, deal)) for deal in range(SHORT.max_deals)]
    return next((deal, seat) for deal, dealt in hands for seat in range(3) if set(hand) <= set(dealt[seat]))


def run(specs, file, games=GAMES, **options):
    return league(specs, games=games, seed=SEED, rules=SHORT.name, load=[file], **options)


def fault_of(specs, file, **options):
    with pytest.raises(BotFault) as caught:
        run(specs, file, **options)
    return caught.value


# --- The report ------------------------------------------------------------------------------------------------------

BAD_BOTS = [(f"{name}_{kind}", "player", name) for name in BAD_CARDS for kind in KINDS]
BAD_BOTS += [(f"{name}_{kind}", "bidder", name) for name in BAD_BIDS for kind in KINDS]
ONE_OF_A_KIND = ["others_card_compiled", "two_cards_array", "no_card_python", "bids_minus_1_array"]


def expected_answer(name, view):
    if name == "others_card":
        return f"{view.unseen[0]} ({cards.parse(view.unseen[0])})"
    if name == "two_cards":
        both = [view.hand[0], view.hand[-1]]
        return f"{' '.join(both)} ({cards.parse(' '.join(both))})"
    return {"no_card": "no card (0)", "minus_one": "-1", "bids_18": "18", "bids_minus_1": "-1"}[name]


@pytest.mark.parametrize(
    ("bad", "role", "name"), whole_where(BAD_BOTS, lambda bad: bad[0] not in ONE_OF_A_KIND, several=True)
)
def test_r9_report_names_bot_game_deal_seat_hand_and_answer(bad, role, name, file):
    specs, _ = field(bad, role)
    game, deal, seat, view = first_fault(role)
    assert deal > 0
    error = fault_of(specs, file)
    legal = view.legal if role == "player" else list(range(18))
    assert {key: value for key, value in error.record.items() if key != "command"} == {
        "bot": specs[1],
        "table": specs,
        "game": game,
        "deal": deal,
        "seat": seat,
        "asked": "card" if role == "player" else "bid",
        "trick": 5 if role == "player" else None,
        "hand": view.hand,
        "answer": expected_answer(name, view),
        "reason": None,
        "legal": legal,
    }
    for word in (f"bot {specs[1]!r}", error.record["answer"], f"game {game}, deal {deal}, seat {seat}"):
        assert word in str(error)
    assert f"hand {' '.join(view.hand)}; legal: {' '.join(legal) if role == 'player' else '0 … 17'}" in str(error)
    assert str(error).endswith(f"replay it with: {error.record['command']}")


@pytest.mark.parametrize("bad", whole_but(["others_card_compiled", "no_card_python"], "others_card_compiled"))
def test_r9_command_replays_the_game(bad, file):
    specs, _ = field(bad, "player")
    record = fault_of(specs, file).record
    words = shlex.split(record["command"])
    assert words[:5] == ["spadesim", "replay", *specs]
    options = dict(zip(words[5::2], words[6::2], strict=True))
    expected = {"--seed": str(SEED), "--game": str(record["game"]), "--rules": SHORT.name, "--load": file}
    assert options == expected


@pytest.mark.parametrize(
    "bad", whole_but(["others_card_compiled", "two_cards_array", "no_card_python"], "others_card_compiled")
)
def test_r9_replay_ends_with_the_same_fault(bad, file):
    specs, _ = field(bad, "player")
    record = fault_of(specs, file).record
    replay = play_game(specs, seed=SEED, game=record["game"], rules=SHORT, load=[file])
    assert replay["fault"] == record
    assert (replay["winner"], replay["end_reason"]) == (None, "fault")
    last = replay["deals"][-1]
    assert len(replay["deals"]) == record["deal"] + 1
    assert len(last["tricks"]) == record["trick"] + 1
    begun = last["tricks"][-1]
    assert (begun["winner"], len(begun["cards"])) == (None, 2)
    assert (begun["leader"] + 2) % 3 == record["seat"]
    view = first_fault("player")[-1]
    assert begun["cards"] == view.trick
    assert [card for trick in last["tricks"] for card in trick["cards"]] == view.played
    assert "points" not in last


def test_r9_replay_of_an_illegal_bid_has_the_bids_before_it(file):
    specs, _ = field("bids_18_compiled", "bidder")
    record = fault_of(specs, file).record
    replay = play_game(specs, seed=SEED, game=record["game"], rules=SHORT, load=[file])
    assert replay["fault"] == record
    _, _, seat, view = first_fault("bidder")
    last = replay["deals"][-1]
    assert [last["bids"][(seat + i) % 3] for i in range(3)] == [None if bid < 0 else bid for bid in view.bids]
    assert last["tricks"] == []


@pytest.mark.parametrize(
    ("bad", "role"),
    whole_but(
        [("others_card_compiled", "player"), ("bids_18_array", "bidder")], ("bids_18_array", "bidder"), several=True
    ),
)
def test_r9_same_fault_however_it_is_played(bad, role, file, monkeypatch):
    specs, _ = field(bad, role)
    specs = [*specs, "quick+lowest"]  # four tables
    usual = fault_of(specs, file)
    monkeypatch.setattr(scheduling, "SECONDS_A_SHARD", 0.0)  # a block each
    for options in ({"workers": 1}, {"workers": 2}, {"interpreted": True}):
        error = fault_of(specs, file, **options)
        assert (str(error), error.record) == (str(usual), usual.record)


def test_a_fault_can_be_sent_between_processes(file):
    specs, _ = field("others_card_compiled", "player")
    error = fault_of(specs, file, games=96)
    kind, arguments = error.__reduce__()
    assert (str(kind(*arguments)), kind(*arguments).record) == (str(error), error.record)


# --- Answers that are no numbers -------------------------------------------------------------------------------------

REASONS = {
    ("raises", "array"): "raised ValueError: invalid literal for int() with base 10: 'boom'",
    ("raises", "python"): "raised ValueError: invalid literal for int() with base 10: 'boom'",
    ("float", "array"): "answered an array of float64; expected one integer a lane",
    ("float", "python"): "answered 1.5 of type float; expected an integer",
    ("none", "array"): "answered None; expected one integer a lane",
    ("none", "python"): "answered None of type NoneType; expected an integer",
    ("wrong_length", "array"): "answered an array of the wrong shape; expected one integer a lane",
}


@cache
def first_breaking_fault():
    """Find where the bot that breaks at the sixth trick does so first: game, deal, seat, hand."""
    bad, good = ("bad", ref.quick, breaking_play), ("good", ref.quick, ref.lowest)
    for game in range(GAMES):
        try:
            ref.play_game([bad, good, good], SEED, game, ref.Rules(max_deals=SHORT.max_deals))
        except AtFault as fault:
            return game, *place_of(game, fault.view.hand), fault.view.hand
    raise AssertionError("no fault")


@pytest.mark.parametrize("role", ["bidder", "player"])
@pytest.mark.parametrize(("name", "kind"), whole_but(REASONS, ("raises", "python"), ("float", "array"), several=True))
def test_r9_what_is_no_integer_is_a_fault(name, kind, role, file):
    bad = f"{name}_bid_{kind}+lowest" if role == "bidder" else f"quick+{name}_{kind}"
    others = ["quick+lowest", "quick+lowest"]
    error = fault_of([bad, *others], file)
    assert error.record["bot"] == bad
    assert error.record["reason"].startswith(REASONS[name, kind])
    assert error.record["answer"] is None
    assert error.record["reason"] in str(error)
    if name == "raises":
        assert f"({file}:" in error.record["reason"]
    fault = first_breaking_fault() if role == "player" else (0, 0, 0, ref.deal_hands(SEED, 0, 0)[0])
    assert [error.record[key] for key in ("game", "deal", "seat", "hand")] == list(fault)
    assert error.record["trick"] == (5 if role == "player" else None)
    replay = play_game([bad, *others], seed=SEED, game=error.record["game"], rules=SHORT, load=[file])
    parts = ("game", "deal", "seat", "trick", "hand", "legal")
    assert [replay["fault"][key] for key in parts] == [error.record[key] for key in parts]


def test_r9_compiled_strategy_that_raises_is_at_fault(file):
    error = fault_of(["quick+raises_compiled", "quick+lowest", "quick+lowest"], file)
    assert error.record["bot"] == "quick+raises_compiled"


# --- Policies --------------------------------------------------------------------------------------------------------


def column(result, name):
    """Read a column of the standings by bot."""
    return dict(zip(result.standings["bot"], result.standings[name], strict=True))


@pytest.mark.parametrize(
    ("bad", "role", "correction"),
    [
        ("others_card_compiled", "player", "quick+lowest"),
        pytest.param("two_cards_array", "player", "quick+lowest", marks=whole),
        pytest.param("no_card_python", "player", "quick+lowest", marks=whole),
    ],
)
def test_r9_corrected_card_is_the_lowest_legal_one(bad, role, correction, file):
    specs, _ = field(bad, role)
    corrected = run(specs, file, on_fault="correct")
    good = run([specs[0], correction, specs[2]], file)
    assert column(corrected, "faults")[specs[1]] > 10
    assert [column(corrected, "faults")[bot] for bot in (specs[0], specs[2])] == [0, 0]
    for name, table in good.tables.items():
        renamed = corrected.tables[name].replace(specs[1], correction)
        drop = ["faults"] if name == "standings" else []
        assert renamed.drop(columns=drop).to_csv() == table.drop(columns=drop).to_csv()


@pytest.mark.parametrize(("bid", "nearest"), [(18, 17), (1000, 17), (-1, 0), (-(10**12), 0)])
def test_r9_corrected_bid_is_the_nearest_legal_one(bid, nearest, file):
    others = ["quick+need_or_duck", "spade_count+lowest"]
    corrected = run([f"fixed:bid={bid}+lowest", *others], file, games=60, on_fault="correct")
    good = run([f"fixed:bid={nearest}+lowest", *others], file, games=60)
    renamed = corrected.bids.replace(f"fixed:bid={bid}+lowest", f"fixed:bid={nearest}+lowest")
    assert renamed.to_csv() == good.bids.to_csv()
    faults, deals = column(corrected, "faults"), column(corrected, "deals")
    assert faults[f"fixed:bid={bid}+lowest"] == deals[f"fixed:bid={bid}+lowest"]


@whole
@pytest.mark.parametrize(
    ("bad", "role"),
    [
        ("others_card_compiled", "player"),
        ("minus_one_array", "player"),
        ("no_card_python", "player"),
        ("bids_18_compiled", "bidder"),
        ("bids_minus_1_python", "bidder"),
    ],
)
def test_r9_forfeited_games_are_lost_by_the_bot_at_fault_and_won_by_nobody(bad, role, file):
    specs, twins = field(bad, role)
    games = 90
    result = run(specs, file, games=games, on_fault="forfeit")
    wins, ahead, scores = dict.fromkeys(specs, 0), {}, dict.fromkeys(specs, 0)
    faults = 0
    for game in range(games):
        outcome = reference_game(role, game)
        seats = [name for name, _, _ in ref.seat_bots(twins, game % 6)]
        totals, bad_seat = None, None
        if isinstance(outcome, AtFault):
            faults += 1
            bad_seat = seats.index(specs[1])
            totals = [outcome.view.scores[(seat - bad_seat) % 3] for seat in range(3)]
        else:
            totals = outcome["deals"][-1]["scores"]
            if outcome["winner"] is not None:
                wins[seats[outcome["winner"]]] += 1
        for one, other in itertools.permutations(range(3), 2):
            is_ahead = totals[one] > totals[other] if bad_seat not in (one, other) else bad_seat == other
            pair = seats[one], seats[other]
            ahead[pair] = ahead.get(pair, 0) + is_ahead
        for seat, name in enumerate(seats):
            scores[name] += totals[seat]
    assert faults > 5
    assert column(result, "faults") == {specs[0]: 0, specs[1]: faults, specs[2]: 0}
    assert column(result, "wins") == wins
    assert {name: round(mean * games) for name, mean in column(result, "mean_score").items()} == scores
    pairs = {(row["bot"], row["other"]): row["ahead"] for row in result.head_to_head.to_dict("records")}
    assert pairs == ahead


@pytest.mark.parametrize("options", whole_but([{"workers": 2}, {"interpreted": True}], {"workers": 2}))
def test_r9_forfeit_is_the_same_with_two_workers_and_interpreted(options, file, monkeypatch):
    monkeypatch.setattr(scheduling, "SECONDS_A_SHARD", 0.0)
    specs, _ = field("others_card_compiled", "player")
    usual = run(specs, file, games=300, on_fault="forfeit").tables
    again = run(specs, file, games=300, on_fault="forfeit", **options).tables
    assert {name: table.to_csv() for name, table in again.items()} == {
        name: table.to_csv() for name, table in usual.items()
    }


def test_r9_replay_of_a_forfeited_game(file):
    specs, _ = field("others_card_compiled", "player")
    game, deal, seat, _ = first_fault("player")
    replay = play_game(specs, seed=SEED, game=game, rules=SHORT, load=[file], on_fault="forfeit")
    assert (replay["winner"], replay["end_reason"], len(replay["deals"])) == (None, "fault", deal + 1)
    assert (replay["fault"]["seat"], replay["fault"]["deal"]) == (seat, deal)


def test_r6_1_replay_of_a_corrected_game_goes_on(file):
    specs, _ = field("others_card_compiled", "player")
    game = first_fault("player")[0]
    replay = play_game(specs, seed=SEED, game=game, rules=SHORT, load=[file], on_fault="correct")
    good = play_game([specs[0], "quick+lowest", specs[2]], seed=SEED, game=game, rules=SHORT)
    corrected = [correction for deal in replay["deals"] for correction in deal.pop("corrections", [])]
    assert replay["deals"] == good["deals"]
    assert replay["end_reason"] == good["end_reason"]
    assert replay["fault"]["bot"] == specs[1]  # the first that was corrected
    assert all(correction["instead"] != correction.get("answer") for correction in corrected)
    assert (corrected[0]["seat"], corrected[0]["trick"]) == (replay["fault"]["seat"], replay["fault"]["trick"])


@pytest.mark.parametrize("bad", whole_but(["others_card_compiled", "raises_python"], "others_card_compiled"))
@pytest.mark.parametrize("policy", whole_but(["forfeit", "correct"], "correct"))
def test_r9_replay_of_a_range_is_that_of_each_game_alone(policy, bad, file):
    bots = find_strategies([file]).field(field(bad, "player")[0])

    def replay(game, n_games):
        return list(play_games(bots, SHORT, SEED, game, n_games, on_fault=policy, load=[file]))

    together = replay(0, 60)
    assert together == [record for game in range(60) for record in replay(game, 1)]
    assert sum("fault" in record for record in together) > 3


# --- The question about a blind nil ----------------------------------------------------------------------------------

BLIND = """
import numpy as np

from spadesim import bidder


def asked(view):
    {answer}


@bidder(blind_nil=asked, kind={kind!r})
def dared(view):
    return {bid}
"""
BLIND_ANSWERS = {
    "raises": "raise ValueError('no idea')",
    "float": "return view.scores[0] + 0.5",
    "none": "return None",
}
BLIND_RULES = "house-blind-nil:blind_behind=0:max_deals=3"


def blind_league(tmp_path, answer, kind, policy="stop"):
    file = tmp_path / "blind_bots.py"
    bid = "np.full(len(view.order), 3)" if kind == "array" else 3
    file.write_text(BLIND.format(answer=answer, kind=kind, bid=bid))
    bots = ["dared+lowest", "quick+lowest", "quick+highest"]
    options = {"seed": SEED, "rules": BLIND_RULES, "load": [str(file)], "on_fault": policy}
    return bots, options


@pytest.mark.parametrize("kind", ["array", "python"])
@pytest.mark.parametrize("answer", BLIND_ANSWERS)
def test_r9_no_answer_to_the_blind_question_stops_a_run(tmp_path, answer, kind):
    bots, options = blind_league(tmp_path, BLIND_ANSWERS[answer], kind)
    with pytest.raises(BotFault, match="when asked for whether it bids nil blind") as fault:
        league(bots, games=6, **options)
    record = fault.value.record
    assert (record["bot"], record["asked"], record["trick"], record["legal"]) == (
        bots[0],
        "blind nil",
        None,
        [False, True],
    )
    shown = play_game(bots, game=record["game"], **options)
    assert shown["fault"] == record
    assert shown["deals"][-1]["bids"][record["seat"]] is None


@pytest.mark.parametrize("kind", ["array", "python"])
@pytest.mark.parametrize("answer", BLIND_ANSWERS)
def test_r9_no_answer_to_the_blind_question_is_corrected_to_a_no(tmp_path, answer, kind):
    bots, options = blind_league(tmp_path, BLIND_ANSWERS[answer], kind, "correct")
    result = league(bots, games=6, **options)
    faults = result.standings.set_index("bot")["faults"]
    assert faults[bots[0]] == result.tally.deals[0].sum() > 0
    assert result.bids[result.bids["bot"] == bots[0]]["bid"].tolist() == [3]  # it is asked for its bid all the same
    deal = play_game(bots, **options)["deals"][0]
    assert [correction["asked"] for correction in deal["corrections"]] == ["blind nil"]
    assert deal["blind"] == [False] * 3


@pytest.mark.parametrize("kind", ["compiled", "array", "python"])
def test_r2_3_who_says_yes_bids_nil_blind_and_is_not_asked_for_a_bid(tmp_path, kind):
    bots, options = blind_league(tmp_path, "return view.scores[0] > -1000", kind)
    deals = play_game(bots, **options)["deals"]
    seat = play_game(bots, **options)["seats"].index(bots[0])
    assert [(deal["bids"][seat], deal["blind"][seat]) for deal in deals] == [(0, True)] * len(deals)


@pytest.mark.parametrize("answer", ["float", "none"])
def test_compiled_answer_to_the_blind_question_that_is_none_is_refused(tmp_path, answer):
    bots, options = blind_league(tmp_path, BLIND_ANSWERS[answer], "compiled")
    with pytest.raises(
        StrategyError, match=r"blind_bots.py:\d+: blind_nil function 'asked' answers .* expected True or False"
    ):
        league(bots, games=6, **options)


def test_blind_question_is_asked_without_the_cards(tmp_path):
    bots, options = blind_league(tmp_path, "return view.hand == 0", "compiled")
    with pytest.raises(
        StrategyError, match="reads view.hand, but a bidder's view has no such field before it sees its cards$"
    ):
        league(bots, games=6, **options)


def test_blind_question_shares_the_parameters_of_its_bidder(tmp_path):
    file = tmp_path / "blind_bots.py"
    for head, has in {"view, *, gap=1": "gap=5", "view, *, other=1": "no such parameter"}.items():
        text = BLIND.format(answer="return True", kind="compiled", bid=3)
        file.write_text(text.replace("asked(view)", f"asked({head})").replace("dared(view)", "dared(view, *, gap=5)"))
        with pytest.raises(StrategyError, match=f"the bidder has {has}"):
            find_strategies([str(file)])
