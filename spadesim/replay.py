"""Play single games and write them down card by card, as plain values or as text."""

from collections.abc import Iterator, Sequence

import numpy as np

from spadesim import cards, defaults
from spadesim.engine.faults import POLICIES
from spadesim.engine.lanes import BY_TARGET, END_REASONS, GOES_ON
from spadesim.engine.table import CompiledStrategyRaisedError, Table
from spadesim.errors import UsageError, count_of
from spadesim.faults import describe
from spadesim.limits import GAME_MAX, SEED_MAX
from spadesim.prepare import make_table, seatings
from spadesim.registry import Bot, find_strategies
from spadesim.rules import Rules

GAMES_TOGETHER = 1_200  # played side by side
SUIT_NAMES = dict(zip("SHDC", "♠♥♦♣", strict=True))


def play_game(
    bots: Sequence[str], *, seed: int = defaults.SEED, game: int = 0, rules: Rules | None = None,
    load: Sequence[str] = (), on_fault: str = "stop",
) -> dict:  # fmt: skip
    """Play one game of a league of these bots alone.

    Parameters
    ----------
    bots
        As many as the rules seat, such as ``"quick+need_or_duck"``.
    seed, game
        Which game: stream × seatings + seating, as in the league.
    load
        Strategy files.
    on_fault
        "stop", "correct" or "forfeit" (R9); a fault does not raise here but stands in the record.

    Returns
    -------
    dict
        The record of the game (docs/TABLES.md, "A game as JSON"); its first fault, if any, under the key "fault".

    Raises
    ------
    UsageError
        When something is named that does not exist or a number is out of range.
    """
    rules = rules or Rules()
    return next(play_games(find_strategies(load).field(bots), rules, seed, game, 1, on_fault=on_fault, load=load))


def play_games(
    bots: Sequence[Bot], rules: Rules, seed: int, game: int, n_games: int, *, on_fault: str = "stop",
    load: Sequence[str] = (), interpreted: bool = False,
) -> Iterator[dict]:  # fmt: skip
    """Play games number `game`, `game + 1` … of these bots; yield their records in this order (see `play_game`)."""
    if len(bots) != rules.players:
        raise UsageError(f"{count_of(len(bots), 'bot')} named; expected {rules.players}, in the order of their table")
    check_number("seed", seed, SEED_MAX)
    check_number("game", game, GAME_MAX)
    if on_fault not in POLICIES:
        raise UsageError(f"on_fault is {on_fault!r}; expected one of {', '.join(POLICIES)}")
    table = make_table(bots, rules, interpreted)
    # the engine tells of one fault, that of the lowest game; where others may follow, each game is played alone
    end, together = game + n_games, GAMES_TOGETHER if on_fault == "stop" else 1
    for first in range(game, end, together):
        for record in _play_safely(table, bots, rules, seed, first, min(together, end - first), on_fault, load):
            yield record
            if on_fault == "stop" and "fault" in record:
                return


def _play_safely(
    table: Table, bots: Sequence[Bot], rules: Rules, seed: int, game: int, n_games: int, on_fault: str,
    load: Sequence[str],
) -> Iterator[dict]:  # fmt: skip
    """Go on as plain Python where compiled code raises an exception, which tells where."""
    due = game
    try:
        for record in _play(table, bots, rules, seed, game, n_games, on_fault, load):
            yield record
            due += 1
    except CompiledStrategyRaisedError:
        yield from _play(table.as_python(), bots, rules, seed, due, game + n_games - due, on_fault, load)


def _play(
    table: Table,
    bots: Sequence[Bot],
    rules: Rules,
    seed: int,
    game: int,
    n_games: int,
    on_fault: str,
    load: Sequence[str],
) -> Iterator[dict]:
    """Yield the records of games in their order, while lanes finish them in any."""
    under_way: dict[int, dict] = {}
    finished: dict[int, dict] = {}
    due = game
    for run in table.steps(seed, game, n_games, on_fault):
        for b, lane in zip(*np.nonzero(run.lanes["game"] >= 0), strict=True):
            number = int(run.lanes["game"][b, lane])
            record = under_way.setdefault(number, _new_record(bots, rules, seed, number))
            fault = run.fault[0]
            if int(fault["game"]) == number and "fault" not in record:
                seats = seatings(rules)[number % table.n_seatings]
                record["fault"] = describe(fault, table.reason_for(fault), bots, seats, seed, rules, load)
            record["deals"].append(deal_record(run, b, lane, record.get("fault")))
            if run.lanes["done"][b, lane] != GOES_ON:
                _finish(record, run, b, lane)
                finished[number] = under_way.pop(number)
        while due in finished:
            record = finished.pop(due)
            yield record
            if on_fault == "stop" and "fault" in record:
                return
            due += 1


def check_number(name: str, value: object, most: int) -> None:
    """Refuse what is no whole number from 0 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise UsageError(f"{name} is {value!r}; expected a whole number, 0 … {most}")


def _new_record(bots: Sequence[Bot], rules: Rules, seed: int, game: int) -> dict:
    order = seatings(rules)[game % len(seatings(rules))]
    seats = [bots[i].name for i in order]
    return {
        "rules": rules.name,
        "seed": seed,
        "game": game,
        "seats": seats,
        "deals": [],
        "winner": None,
        "end_reason": None,
    }


def deal_record(run, b: int = 0, lane: int = 0, fault: dict | None = None) -> dict:
    """Write down the deal just played in a lane; one cut short by a fault has the tricks before it and no points."""
    lanes = run.lanes

    def seats(name: str) -> list[int]:
        return lanes[name][b, :, lane].tolist()

    record = {
        "dealer": int(lanes["dealer"][b, lane]),
        "hands": [cards.names(hand) for hand in seats("dealt")],
        "bids": seats("bids"),
        "tricks": _tricks(run.history[b, :, :, lane], int(lanes["winner"][b, lane])),
    }
    if lanes["fault_seat"][b, lane]:
        return _cut_short(record, fault)
    names = {"points": "points", "deal_penalties": "penalties", "scores": "scores", "bags": "bags"}
    return record | {"taken": seats("taken")} | {key: seats(name) for name, key in names.items()}


def _tricks(history: np.ndarray, last_winner: int) -> list[dict]:
    leaders = [*history[:, 0].tolist(), last_winner]
    return [
        {"leader": leaders[i], "cards": [cards.names(card)[0] for card in trick[1:].tolist()], "winner": leaders[i + 1]}
        for i, trick in enumerate(history)
    ]


def _cut_short(record: dict, fault: dict | None) -> dict:
    """Keep of a deal what was bid and played before the fault."""
    if fault is None or fault["trick"] is None:
        seats = len(record["bids"])
        order = [(record["dealer"] + 1 + i) % seats for i in range(seats)]
        before = order.index(fault["seat"]) if fault else 0
        bids = [bid if order.index(seat) < before else None for seat, bid in enumerate(record["bids"])]
        return record | {"bids": bids, "tricks": []}
    trick = record["tricks"][fault["trick"]]
    before = (fault["seat"] - trick["leader"]) % len(record["bids"])
    begun = {"leader": trick["leader"], "cards": trick["cards"][:before], "winner": None}
    return record | {"tricks": [*record["tricks"][: fault["trick"]], begun]}


def _finish(record: dict, run, b: int, lane: int) -> None:
    end = int(run.lanes["done"][b, lane])
    record["end_reason"] = END_REASONS[end]
    if end == BY_TARGET:
        record["winner"] = int(run.lanes["scores"][b, :, lane].argmax())


def to_text(record: dict) -> str:
    """Write the record of a game for a person: hands by suit, bids, every trick with its winner, the score sheet."""
    seats = [f"seat {seat} {name}" for seat, name in enumerate(record["seats"])]
    width = max(map(len, seats))
    lines = [f"game {record['game']}, seed {record['seed']}, rules {record['rules']}"]
    for number, deal in enumerate(record["deals"]):
        lines += ["", f"deal {number}, dealt by seat {deal['dealer']}"]
        for seat, hand in enumerate(deal["hands"]):
            bid = deal["bids"][seat]
            lines.append(
                f"  {seats[seat]:{width}}  {_by_suit(hand)}  bids {'nil' if bid == 0 else '-' if bid is None else bid}"
            )
        lines += [f"  trick {i:2}  {_trick_text(trick, len(seats))}" for i, trick in enumerate(deal["tricks"])]
        if "points" in deal:
            lines += ["", *_score_sheet(deal, seats, width)]
    return "\n".join([*lines, "", _outcome(record)])


def _by_suit(hand: Sequence[str]) -> str:
    suits = ["".join(card[0] for card in reversed(hand) if card[1] == suit) or "-" for suit in SUIT_NAMES]
    return "  ".join(f"{sign} {ranks:{13}}" for sign, ranks in zip(SUIT_NAMES.values(), suits, strict=True))


def _trick_text(trick: dict, n_seats: int) -> str:
    played = "  ".join(f"seat {(trick['leader'] + i) % n_seats}: {card}" for i, card in enumerate(trick["cards"]))
    return played + (f"  won by seat {trick['winner']}" if trick["winner"] is not None else "")


def _score_sheet(deal: dict, seats: Sequence[str], width: int) -> list[str]:
    rows = [f"  {'':{width}}  bid  taken  points  penalties  bags  score"]
    for seat, name in enumerate(seats):
        numbers = (deal[key][seat] for key in ("bids", "taken", "points", "penalties", "bags", "scores"))
        rows.append("  {:{}}  {:3}  {:5}  {:+6}  {:9}  {:4}  {:5}".format(name, width, *numbers))
    return rows


def _outcome(record: dict) -> str:
    if "fault" in record:
        fault = record["fault"]
        said = fault["reason"] or f"answered {fault['answer']}"
        legal = " ".join(map(str, fault["legal"]))
        what = f"fault: seat {fault['seat']} {fault['bot']} {said}; hand {' '.join(fault['hand'])}; legal: {legal}"
        if record["end_reason"] == "fault":
            return what
        return f"first {what}; corrected\n{_end(record)}"
    return _end(record)


def _end(record: dict) -> str:
    if record["winner"] is None:
        return f"no winner after {len(record['deals'])} deals ({record['end_reason']})"
    return f"won by seat {record['winner']} {record['seats'][record['winner']]} after {len(record['deals'])} deals"
