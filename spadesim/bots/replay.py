"""Play single games and record them card by card, as plain values or as text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spadesim import cards, limits
from spadesim.bots.faults import Record, correction, describe
from spadesim.bots.prepare import make_table, seatings
from spadesim.bots.registry import Bot, find_strategies
from spadesim.engine.game.dummy import DUMMY, seat_at
from spadesim.engine.game.faults import POLICIES
from spadesim.engine.game.lanes import END_REASONS, GOES_ON, WON
from spadesim.engine.table import CompiledStrategyRaisedError, Table
from spadesim.errors import UsageError, count_of
from spadesim.limits import GAME_MAX, SEED_MAX
from spadesim.rules import Rules, as_rules

GAMES_TOGETHER = 1_200  # played side by side
SUIT_NAMES = dict(zip("SHDC", "♠♥♦♣", strict=True))


def play_game(
    bots: Sequence[str], *, seed: int = limits.SEED, game: int = 0, rules: Rules | str | None = None,
    load: Sequence[str] = (), on_fault: str = "stop",
) -> Record:  # fmt: skip
    """Play one game of a league of these bots, and return its record.

    Parameters
    ----------
    bots
        As many as the rules seat, such as ``"quick+need_or_duck"``.
    seed, game
        Which game: stream × seatings + seating, as in the league.
    rules
        A preset or a TOML file, with changed fields after colons, or a `Rules`; `cutthroat` if not given.
    load
        Strategy files.
    on_fault
        "stop", "correct" or "forfeit" (R9); a fault raises nothing here but is noted in the record.

    Returns
    -------
    dict
        The record of the game (docs/TABLES.md, "A game as JSON"); its first fault, if any, under the key "fault".

    Raises
    ------
    UsageError
        When something is named that does not exist, or a number is out of range.
    """
    rules = as_rules(rules)
    return next(play_games(find_strategies(load).field(bots), rules, seed, game, 1, on_fault=on_fault, load=load))


def play_games(
    bots: Sequence[Bot], rules: Rules, seed: int, game: int, n_games: int, *, on_fault: str = "stop",
    load: Sequence[str] = (), interpreted: bool = False,
) -> Iterator[Record]:  # fmt: skip
    """Play games number `game`, `game + 1` … of these bots; yield their records in this order (see `play_game`)."""
    if len(bots) != rules.bots:
        both = ", each for both hands of a side" if rules.partnerships else ""
        raise UsageError(
            f"{count_of(len(bots), 'bot')} named; expected {rules.bots}, in the order of their table{both}"
        )
    check_number("seed", seed, SEED_MAX)
    check_number("game", game, GAME_MAX)
    if on_fault not in POLICIES:
        raise UsageError(f"on_fault is {on_fault!r}; expected one of {', '.join(POLICIES)}")
    table = make_table(bots, rules, interpreted)
    # the engine reports one fault, that of the lowest game; where others may follow, each game is played alone
    end, together = game + n_games, GAMES_TOGETHER if on_fault == "stop" else 1
    replay = _Replay(bots, rules, seed, on_fault, load)
    for first in range(game, end, together):
        for record in _play_safely(table, replay, first, min(together, end - first)):
            yield record
            if on_fault == "stop" and "fault" in record:
                return


@dataclass(frozen=True)
class _Replay:
    """What all games that are replayed together have in common."""

    bots: Sequence[Bot]
    rules: Rules
    seed: int
    on_fault: str
    load: Sequence[str]

    def new_record(self, game: int) -> Record:
        """Return the record of a game without deals."""
        order = seatings(self.rules)[game % len(seatings(self.rules))]
        seats = [self.bots[i].name for i in order]
        record: Record = {"rules": self.rules.name, "seed": self.seed, "game": game, "seats": seats}
        if self.rules.partnerships:
            record["sides"] = [[0, 2], [1, 3]]
        return record | {"deals": [], "winner": None, "end_reason": None}

    def describe(self, fault: np.void, reason: str | None) -> Record:
        """Return a fault as plain values."""
        return describe(fault, reason, self.bots, self.seed, self.rules, self.load)


def _play_safely(table: Table, replay: _Replay, game: int, n_games: int) -> Iterator[Record]:
    """Yield the records of games; go on in plain Python where compiled code raises, so that it is known where."""
    due = game
    try:
        for record in _play(table, replay, game, n_games):
            yield record
            due += 1
    except CompiledStrategyRaisedError:
        yield from _play(table.as_python(), replay, due, game + n_games - due)


def _play(table: Table, replay: _Replay, game: int, n_games: int) -> Iterator[Record]:
    """Yield the records of games in their order, while lanes finish them in any order."""
    under_way: dict[int, Record] = {}
    finished: dict[int, Record] = {}
    due = game
    for run in table.steps(replay.seed, game, n_games, replay.on_fault):
        for b, lane in zip(*np.nonzero(run.lanes["game"] >= 0), strict=True):
            number = int(run.lanes["game"][b, lane])
            record = under_way.setdefault(number, replay.new_record(number))
            fault = run.fault[0]
            if int(fault["game"]) == number and "fault" not in record:
                record["fault"] = replay.describe(fault, table.reason_for(fault))
            record["deals"].append(deal_record(run, b, lane, record.get("fault")))
            if run.lanes["done"][b, lane] != GOES_ON:
                _finish(record, run, b, lane)
                finished[number] = under_way.pop(number)
        while due in finished:
            record = finished.pop(due)
            yield record
            if replay.on_fault == "stop" and "fault" in record:
                return
            due += 1


def check_number(name: str, value: object, most: int) -> None:
    """Refuse a value that is not a whole number from 0 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise UsageError(f"{name} is {value!r}; expected a whole number, 0 … {most}")


def deal_record(run: Any, b: int = 0, lane: int = 0, fault: Record | None = None) -> Record:
    """Return the deal just played in a lane; one cut short by a fault has the tricks before it and no points."""
    lanes, rules = run.lanes, run.table.rules

    def values(name: str, n: int) -> list[int]:
        numbers: list[int] = lanes[name][b, :n, lane].tolist()
        return numbers

    record: Record = {"dealer": int(lanes["dealer"][b, lane])}
    if rules.dummy:
        record |= {"declarer": int(lanes["declarer"][b, lane]), "dummy": DUMMY}
    record |= {
        "hands": [cards.names(hand) for hand in values("dealt", rules.hands)],
        "bids": values("bids", rules.players),
    }
    if rules.blind_nil:
        record["blind"] = [blind != 0 for blind in values("blind", rules.players)]
    record["tricks"] = _tricks(run.history[b, :, :, lane], int(lanes["winner"][b, lane]), record.get("declarer"))
    corrections = _corrections(run, int(lanes["game"][b, lane]))
    if corrections:
        record["corrections"] = corrections
    if lanes["fault_seat"][b, lane]:
        return _cut_short(record, fault)
    names = {"points": "points", "deal_penalties": "penalties", "scores": "scores", "bags": "bags"}
    of_seats = {key: values(name, rules.players) for name, key in names.items()}
    return record | {"taken": values("taken", rules.hands)} | of_seats


def _tricks(history: np.ndarray, last_winner: int, declarer: int | None) -> list[Record]:
    """Return the tricks of a deal; with a dummy the engine counts places in the order of the turns (R8)."""
    leaders = history[:, 0].tolist()
    if declarer is not None:
        leaders = [seat_at(place, declarer) for place in leaders]
    leaders.append(last_winner)
    return [
        {"leader": leaders[i], "cards": [cards.names(card)[0] for card in trick[1:].tolist()], "winner": leaders[i + 1]}
        for i, trick in enumerate(history)
    ]


def _corrections(run: Any, game: int) -> list[Record]:
    """Return what was corrected in the deal just played, in the order of the questions."""
    if run.fault[0]["policy"] != POLICIES["correct"]:
        return []
    corrected = [fault for fault in run.corrections if int(fault["game"]) == game]
    return [correction(fault, run.table.reason_for(fault)) for fault in corrected]


def turns(deal: Record) -> list[int]:
    """Return the seats of a deal's record in the order of the turns, 3 being the dummy's."""
    if "declarer" in deal:
        return [seat_at(place, deal["declarer"]) for place in range(DUMMY + 1)]
    return list(range(len(deal["hands"])))


def players_of(trick: Record, deal: Record) -> list[int]:
    """Return the seats that played the cards of a trick, in that order."""
    order = turns(deal)
    first = order.index(trick["leader"])
    return (order[first:] + order[:first])[: len(trick["cards"])]


def _cut_short(record: Record, fault: Record | None) -> Record:
    """Return the record of a deal with only what was bid and played before the fault."""
    if fault is None or fault["trick"] is None:
        seats = len(record["bids"])
        order = [(record["dealer"] + 1 + i) % seats for i in range(seats)]
        before = order.index(fault["seat"]) if fault else 0
        bids = [bid if order.index(seat) < before else None for seat, bid in enumerate(record["bids"])]
        known = {key: value for key, value in record.items() if key not in ("declarer", "dummy")}
        return known | {"bids": bids, "tricks": []}
    trick = record["tricks"][fault["trick"]]
    before = players_of(trick, record).index(fault["seat"])
    begun = {"leader": trick["leader"], "cards": trick["cards"][:before], "winner": None}
    return record | {"tricks": [*record["tricks"][: fault["trick"]], begun]}


def _finish(record: Record, run: Any, b: int, lane: int) -> None:
    end = int(run.lanes["done"][b, lane])
    record["end_reason"] = END_REASONS[end]
    if end <= WON:
        record["winner"] = int(run.lanes["scores"][b, : run.table.rules.bots, lane].argmax())


def to_text(record: Record) -> str:
    """Return the record of a game as text: hands by suit, bids, every trick with its winner, the score sheet."""
    seats = [f"seat {seat} {name}" for seat, name in enumerate(record["seats"])]
    lines = [f"game {record['game']}, seed {record['seed']}, rules {record['rules']}"]
    if "sides" in record:
        lines.append("sides: " + " against ".join(" + ".join(map(str, side)) for side in record["sides"]))
    for number, deal in enumerate(record["deals"]):
        lines += ["", f"deal {number}, dealt by seat {deal['dealer']}", *_hands(deal, seats)]
        lines += [f"  trick {i:2}  {_trick_text(trick, deal)}" for i, trick in enumerate(deal["tricks"])]
        lines += [f"  corrected: {_correction_text(corrected)}" for corrected in deal.get("corrections", [])]
        if "points" in deal:
            lines += ["", *_score_sheet(deal, seats, "sides" in record)]
    return "\n".join([*lines, "", _outcome(record)])


def _hands(deal: Record, seats: Sequence[str]) -> list[str]:
    names = [*seats, "the dummy"] if len(deal["hands"]) > len(seats) else seats
    width = max(map(len, names))
    lines = []
    for seat, (name, hand) in enumerate(zip(names, deal["hands"], strict=True)):
        line = f"  {name:{width}}  {_by_suit(hand)}"
        if seat < len(seats):
            bid = deal["bids"][seat]
            blind = " blind" if deal.get("blind", ())[seat : seat + 1] == [True] else ""
            line += f"  bids {'nil' if bid == 0 else '-' if bid is None else bid}{blind}"
        if seat == deal.get("declarer"):
            line += ", plays the dummy's hand too"
        lines.append(line.rstrip())
    return lines


def _by_suit(hand: Sequence[str]) -> str:
    suits = ["".join(card[0] for card in reversed(hand) if card[1] == suit) or "-" for suit in SUIT_NAMES]
    return "  ".join(f"{sign} {ranks:{13}}" for sign, ranks in zip(SUIT_NAMES.values(), suits, strict=True))


def _trick_text(trick: Record, deal: Record) -> str:
    who = [_seat_name(seat, deal) for seat in players_of(trick, deal)]
    played = "  ".join(f"{name}: {card}" for name, card in zip(who, trick["cards"], strict=True))
    return played + (f"  won by {_seat_name(trick['winner'], deal)}" if trick["winner"] is not None else "")


def _seat_name(seat: int, deal: Record) -> str:
    return "dummy" if "dummy" in deal and seat == deal["dummy"] else f"seat {seat}"


def _correction_text(corrected: Record) -> str:
    seat = f"seat {corrected['seat']}"
    if "asked" in corrected:
        return f"{seat} {corrected.get('reason') or corrected['answer']}; asked for a blind nil, it said no"
    what = "bid" if corrected["trick"] is None else f"card to trick {corrected['trick']}"
    said = corrected.get("reason") or f"answered {corrected['answer']}"
    return f"{seat} {said}; its {what} became {corrected['instead']}"


def _score_sheet(deal: Record, seats: Sequence[str], partnership: bool) -> list[str]:
    width = max(map(len, seats))
    sides = partnership or "dummy" in deal
    rows = [f"  {'':{width}}  bid  taken{'  side' if sides else ''}  points  penalties  bags  score"]
    for seat, name in enumerate(seats):
        row = f"  {name:{width}}  {deal['bids'][seat]:3}  {deal['taken'][seat]:5}"
        row += f"  {deal['taken'][seat] + deal['taken'][opposite(seat, deal)]:4}" if sides else ""
        numbers = (deal[key][seat] for key in ("points", "penalties", "bags", "scores"))
        rows.append(row + "  {:+6}  {:9}  {:4}  {:5}".format(*numbers))
    return rows


def opposite(seat: int, deal: Record) -> int:
    """Return the other hand of a seat's side, where two hands play together (R7, R8)."""
    order = turns(deal)
    return order[order.index(seat) - 2]


def _outcome(record: Record) -> str:
    if "fault" in record:
        fault = record["fault"]
        said = fault["reason"] or f"answered {fault['answer']}"
        legal = " ".join(map(str, fault["legal"]))
        what = f"fault: seat {fault['seat']} {fault['bot']} {said}; hand {' '.join(fault['hand'])}; legal: {legal}"
        if record["end_reason"] == "fault":
            return what
        return f"first {what}; corrected\n{_end(record)}"
    return _end(record)


def _end(record: Record) -> str:
    if record["winner"] is None:
        return f"no winner after {len(record['deals'])} deals ({record['end_reason']})"
    side = next((side for side in record.get("sides", []) if record["winner"] in side), [record["winner"]])
    won = " + ".join(map(str, side))
    reason = "" if record["end_reason"] == "target" else f" ({record['end_reason']})"
    return (
        f"won by seat{'s' if len(side) > 1 else ''} {won} {record['seats'][record['winner']]}"
        f" after {len(record['deals'])} deals{reason}"
    )
