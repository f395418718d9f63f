"""The pad of Without a Paddle: bids and tricks in cells, what they add up to, what is barred."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.without_a_paddle.bidding import forbidden
from companion.games.without_a_paddle.deal import Deal, deal_of, rounds_of
from companion.games.without_a_paddle.options import Options
from companion.tui.counting import Wrong

KEYS = ("bids", "tricks")
Act = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of the pad: round from 1, player from 1, bids or tricks."""

    round: int
    player: int
    key: str


def blank(names: Sequence[str], dealer: str) -> dict[str, Any]:
    """A pad with nothing on it."""
    return {"players": list(names), "dealer": dealer, "rounds": []}


def rounds_in(raw: Mapping[str, Any], options: Options) -> int:
    """Rounds of the whole match."""
    return rounds_of(len(raw["players"]), options.direction)


def deal(raw: Mapping[str, Any], number: int, options: Options) -> Deal:
    """Cards, dealer and order of a round."""
    return deal_of(tuple(raw["players"]), raw["dealer"], number, options.direction)


def value(raw: Mapping[str, Any], cell: Cell) -> int | None:
    """What stands in the cell."""
    rounds = raw.get("rounds", [])
    if cell.round > len(rounds):
        return None
    found = rounds[cell.round - 1].get(cell.key, {}).get(raw["players"][cell.player - 1])
    return found if isinstance(found, int) else None


def reneges(raw: Mapping[str, Any], number: int, player: int) -> int:
    """How often the player reneged in the round."""
    rounds = raw.get("rounds", [])
    if number > len(rounds):
        return 0
    return list(rounds[number - 1].get("reneged", [])).count(raw["players"][player - 1])


def with_value(raw: Mapping[str, Any], cell: Cell, new: int | None) -> dict[str, Any]:
    """The pad with a cell filled or emptied; empty rounds at the end are dropped."""
    after = _reaching(raw, cell.round)
    told = after["rounds"][cell.round - 1].setdefault(cell.key, {})
    name = raw["players"][cell.player - 1]
    if new is None:
        told.pop(name, None)
    else:
        told[name] = new
    return _trimmed(after)


def with_reneges(raw: Mapping[str, Any], number: int, player: int, often: int) -> dict[str, Any]:
    """The pad with so many reneges of the player in the round."""
    after = _reaching(raw, number)
    name = raw["players"][player - 1]
    written = after["rounds"][number - 1]
    others = [n for n in written.get("reneged", []) if n != name]
    written["reneged"] = [*others, *[name] * max(0, often)]
    return _trimmed(after)


def _reaching(raw: Mapping[str, Any], number: int) -> dict[str, Any]:
    after = copy.deepcopy(dict(raw))
    rounds = after.setdefault("rounds", [])
    while len(rounds) < number:
        rounds.append({})
    return after


def _trimmed(raw: dict[str, Any]) -> dict[str, Any]:
    for written in raw["rounds"]:
        for key in (*KEYS, "reneged"):
            if not written.get(key):
                written.pop(key, None)
    while raw["rounds"] and not raw["rounds"][-1]:
        raw["rounds"].pop()
    return raw


def typed(now: int | None, digit: int, most: int, fresh: bool) -> int:
    """The number after one more digit: `1` then `0` is 10 where 10 can be; else the digit alone.

    `fresh`: the cursor has just come here, so the old number is written over.
    """
    if fresh or now is None or now == 0:
        return digit
    joined = now * 10 + digit
    return joined if joined <= most else digit


def missing(raw: Mapping[str, Any], number: int) -> list[str]:
    """What a round lacks: `the bid of Ana`, `the tricks of Ben`."""
    texts = []
    for key, noun in (("bids", "bid"), ("tricks", "tricks")):
        for player, name in enumerate(raw["players"], 1):
            if value(raw, Cell(number, player, key)) is None:
                texts.append(f"the {noun} of {name}")
    return texts


def scorable(raw: Mapping[str, Any], options: Options) -> tuple[dict[str, Any], list[Wrong]]:
    """The rounds up to the first that lacks something, and what each that does not count lacks."""
    rounds = list(raw.get("rounds", []))[: rounds_in(raw, options)]
    whole: list[Any] = []
    awaited: list[Wrong] = []
    for number, written in enumerate(rounds, 1):
        lacks = missing(raw, number)
        if lacks:
            few = ", ".join(lacks[:3]) + (" ..." if len(lacks) > 3 else "")
            awaited.append(Wrong((number,), f"round {number} does not count yet: {few} missing"))
        elif awaited:
            text = f"round {number} waits for round {awaited[0].place[0]}"
            awaited.append(Wrong((number,), text))
        else:
            whole.append(written)
    return {**raw, "rounds": copy.deepcopy(whole)}, awaited


@dataclass(frozen=True, slots=True)
class Sums:
    """What a round adds up to."""

    cards: int
    bids: int
    tricks: int
    bids_whole: bool
    tricks_whole: bool

    @property
    def text(self) -> str:
        """`9/10` bid and won; `!` where the tricks do not come to the cards."""
        wrong = self.tricks > self.cards or (self.tricks_whole and self.tricks != self.cards)
        return f"{self.bids}/{self.tricks}{' !' if wrong else ''}"


def sums(raw: Mapping[str, Any], number: int, options: Options) -> Sums:
    """Bids and tricks of a round added up."""
    told: dict[str, list[int | None]] = {
        key: [value(raw, Cell(number, p, key)) for p in range(1, len(raw["players"]) + 1)]
        for key in KEYS
    }
    return Sums(
        deal(raw, number, options).cards,
        sum(n or 0 for n in told["bids"]),
        sum(n or 0 for n in told["tricks"]),
        None not in told["bids"],
        None not in told["tricks"],
    )


def hint(raw: Mapping[str, Any], cell: Cell, options: Options) -> str:
    """What may stand in the cell, in one sentence."""
    this = deal(raw, cell.round, options)
    name = raw["players"][cell.player - 1]
    dealt = "1 card" if this.cards == 1 else f"{this.cards} cards"
    cards = f"round {cell.round} of {this.rounds}, {dealt}, {this.dealer} deals"
    if cell.key == "tricks":
        left = this.cards - sums(raw, cell.round, options).tricks
        return f"{cards}: tricks of {name}; {left} of {this.cards} left"
    bids = {
        other: bid
        for p, other in enumerate(raw["players"], 1)
        if other != name and (bid := value(raw, Cell(cell.round, p, "bids"))) is not None
    }
    barred = forbidden(this, name, bids, options)
    if barred is None:
        return f"{cards}: bid of {name}; which number is barred shows when the others have bid"
    but = f", not {barred[0]}: the bids may not add up to {this.cards}" if barred else ""
    return f"{cards}: bid of {name}, 0 to {this.cards}{but}"


def acts(raw: Mapping[str, Any], options: Options) -> list[Act]:
    """The rounds as acts of a match: bids in their order, reneges, tricks."""
    clean, _ = scorable(raw, options)
    found: list[Act] = []
    for number, written in enumerate(clean["rounds"], 1):
        order = deal(raw, number, options).order
        found += [(name, ("bid", str(written["bids"][name]))) for name in order]
        found += [(name, ("renege",)) for name in written.get("reneged", [])]
        found += [(name, ("tricks", str(written["tricks"][name]))) for name in order]
    return found
