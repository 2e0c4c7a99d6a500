"""What the figures say, in sentences: each of the frames named (docs/TABLES.md has their columns); "" for nothing."""

from typing import Any

import pandas as pd

from spadesim.designs.league.result import League
from spadesim.designs.phrases import difference_in_words, p_in_words, percent, share_in_words
from spadesim.errors import count_of

CHANCE = 0.05  # what is less likely than this by chance alone is outside of chance
ENOUGH_NILS = 100  # to be named as the surest or the least sure


def played(league: League, tables: int) -> str:
    """Return what was played, how much of it, and what intervals are made from."""
    games, bots = league.games_played, count_of(len(league.bots), "bot")
    capped = int(league.tables["standings"]["capped"].sum()) // league.rules.bots
    without = f" {count_of(capped, 'game')} went on for too long and had no winner." if capped else ""
    looks = " Those of win shares hold however often one looks." if league.tally.looked_at else ""
    return (
        f"{bots} met at {count_of(tables, 'table')}, by the rules {league.rules.name}, for"
        f" {count_of(games, 'game')} in all.{without} Intervals are for 95\N{NO-BREAK SPACE}%, from"
        f" {league.tally.blocks:,} streams of deals that all tables and seatings shared.{looks}"
    )


def lead(standings: pd.DataFrame, head_to_head: pd.DataFrame) -> str:
    """Return who leads, and whether the lead over the next is outside of chance."""
    first, second = standings.iloc[0], standings.iloc[1]
    leads = f"{first['bot']} leads: it won {share_in_words(first, 'win_share')} of its games."
    pairs = head_to_head[(head_to_head["bot"] == first["bot"]) & (head_to_head["other"] == second["bot"])]
    if pairs.empty:
        return f"{leads} It met {second['bot']}, the next, at no table, so the two are not compared."
    pair = pairs.iloc[0]
    if pair["win_share_difference"] == 0:
        won = share_in_words(first, "win_share")
        return f"{first['bot']} and {second['bot']} share the lead: each won {won} of its games."
    if pd.isna(pair["p_holm"]):
        return f"{leads} Whether its lead over {second['bot']}, the next, is more than chance cannot be told."
    by = f"Its lead of {difference_in_words(pair, 'win_share_difference')} over {second['bot']}, the next,"
    verdict = "is outside of chance" if pair["p_holm"] < CHANCE else "may be chance"
    return f"{leads} {by} {verdict} (p {p_in_words(pair['p_holm'])}, adjusted for {_pairs(head_to_head)})."


def pairs(head_to_head: pd.DataFrame) -> str:
    """Return which pair is the most one-sided and which the closest, and how many differ outside of chance."""
    clear = head_to_head.iloc[head_to_head["ahead_share"].argmax()]
    text = f"{clear['bot']} ended ahead of {clear['other']} in {share_in_words(clear, 'ahead_share')} of their games"
    if len(head_to_head) == 2:
        return f"{text}."
    close = head_to_head.iloc[head_to_head["win_share_difference"].abs().argmin()]
    told = int((head_to_head["p_holm"] < CHANCE).sum()) // 2
    return (
        f"{text}, the most one-sided pair. In win share {close['bot']} and {close['other']} are the closest. Of"
        f" {_pairs(head_to_head)}, {told} differ in it outside of chance (p < {CHANCE}, adjusted for their number)."
    )


def calibrated(calibration: pd.DataFrame) -> str:
    """Return whose tricks are closest to the bids, and whose furthest, nils left out."""
    away = distances(calibration)
    if away.empty:
        return ""
    (best, least), (worst, most) = _lowest(away), _highest(away)
    text = f"{best} is the closest calibrated: bid by bid, its mean tricks are {least:.2f} from what it bid"
    return f"{text}; those of {worst} are furthest, {most:.2f}." if best != worst else f"{text}."


def distances(calibration: pd.DataFrame) -> pd.Series:
    """Measure for each bot how far the mean of its tricks is from the bid, averaged over its bids of 1 or more."""
    bids = calibration[calibration["bid"] > 0]
    tricks = (bids["taken"] * bids["deals"]).groupby([bids["bot"], bids["bid"]], sort=False).sum()
    deals = bids.groupby(["bot", "bid"], sort=False)["deals"].sum()
    away = (tricks - deals * deals.index.get_level_values("bid")).abs()
    return away.groupby("bot", sort=False).sum() / deals.groupby("bot", sort=False).sum()


def bids(calibration: pd.DataFrame) -> str:
    """Return who bids the most and who the least, beside what they take."""
    deals = calibration.groupby("bot", sort=False)["deals"].sum()
    bid, taken = (
        (calibration[name] * calibration["deals"]).groupby(calibration["bot"], sort=False).sum() / deals
        for name in ("bid", "taken")
    )
    (high, most), (low, least) = _highest(bid), _lowest(bid)
    text = f"{high} bids {most:.2f} tricks a deal and takes {taken[high]:.2f}"
    if high == low:
        return f"{text}."
    return f"{text}, the highest bids; {low} bids {least:.2f} and takes {taken[low]:.2f}, the lowest."


def nils(frame: pd.DataFrame) -> str:
    """Return how nils fared in the whole field, and whose were surest."""
    bid, made = int(frame["nil_bids"].sum()), int(frame["nil_made"].sum())
    if bid == 0:
        return "No bot bid nil."
    text = f"The field made {made:,} of its {count_of(bid, 'nil')}, {percent(made / bid)}."
    known = frame[frame["nil_bids"] >= ENOUGH_NILS]
    if len(known) < 2:
        return text
    sure, unsure = known.iloc[known["nil_success"].argmax()], known.iloc[known["nil_success"].argmin()]
    return (
        f"{text} The surest were those of {sure['bot']}, {share_in_words(sure, 'nil_success')} of {sure['nil_bids']:,},"
        f" the least sure those of {unsure['bot']}, {share_in_words(unsure, 'nil_success')} of {unsure['nil_bids']:,}."
    )


def bags(frame: pd.DataFrame) -> str:
    """Return whom bag penalties cost the most, and whom the least."""
    by_bot = frame.set_index("bot")
    cost = -by_bot["penalty_points_per_game"]
    (worst, most), (best, least) = _highest(cost), _lowest(cost)
    if not most > 0:
        return "Bags cost no bot a point."
    a_deal = by_bot["bags_per_deal"][worst]
    if most == least:
        return f"Bags cost every bot {most:.1f} points a game."
    text = f"Bags cost {worst} the most, {most:.1f} points a game, with {a_deal:.2f} bags a deal"
    return f"{text}; they cost {best} the least, {least:.1f} points."


def seats(frame: pd.DataFrame) -> str:
    """Return how much the seats differ, which are alike but for chance."""
    by_bot = frame.groupby("bot", sort=False)["win_share"]
    bot, most = _highest(by_bot.max() - by_bot.min())
    return (
        "Seats are alike but for chance: the widest difference between two seats of a bot is"
        f" {100 * most:.1f} percentage points, of {bot}."
    )


def orders(frame: pd.DataFrame) -> str:
    """Return what bidding last is worth against bidding first."""
    last = int(frame["order"].max())
    weighed = (frame["points_per_deal"] * frame["deals"]).groupby(frame["order"]).sum()
    mean = weighed / frame.groupby("order")["deals"].sum()
    points = frame.pivot(index="bot", columns="order", values="points_per_deal")
    gains = points[last] - points[0]
    (most_to, most), (least_to, least) = _highest(gains), _lowest(gains)
    return (
        f"Bidding last is worth {mean[last] - mean[0]:+.2f} points a deal against bidding first, over the whole field:"
        f" {most:+.2f} to {most_to}, the most, and {least:+.2f} to {least_to}, the least."
    )


def faults(standings: pd.DataFrame) -> str:
    """Return which bots gave illegal answers."""
    at_fault = standings[standings["faults"] > 0]
    answers = zip(at_fault["bot"], at_fault["faults"].tolist(), strict=True)
    gave = [f"{bot} gave {count_of(number, 'illegal answer')}" for bot, number in answers]
    return f" {', '.join(gave)}." if gave else ""


def game(record: dict[str, Any]) -> str:
    """Return how a game ended."""
    scores = [deal["scores"] for deal in record["deals"] if "scores" in deal]
    last = scores[-1] if scores else [0] * len(record["seats"])
    seats = [side[0] for side in record.get("sides", [])] or list(range(len(record["seats"])))
    ends = ", ".join(f"{record['seats'][seat]} {last[seat]}" for seat in seats)
    won = record["winner"]
    who = f"{record['seats'][won]} in seat {won} won" if won is not None else "nobody won"
    return f"Game {record['game']}: {who} after {count_of(len(record['deals']), 'deal')}; final scores {ends}."


def _pairs(head_to_head: pd.DataFrame) -> str:
    return count_of(len(head_to_head) // 2, "pair")


def _highest(values: "pd.Series[float]") -> tuple[str, float]:
    """Return whose value is the highest, and the value."""
    at = int(values.argmax())
    return str(values.index[at]), float(values.iloc[at])


def _lowest(values: "pd.Series[float]") -> tuple[str, float]:
    bot, value = _highest(-values)
    return bot, -value
