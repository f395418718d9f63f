"""Counts what a reader made of a photo, by place: a right name somewhere else is not right.

Found: a card is listed at that place. Right: named as it is, sure or not. Silent: sure and wrong, or sure
where no card lies. Flagged: right but unsure. Ghost: listed where no card lies.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.sight.align import in_rows, in_sequence

Floats = NDArray[np.float64]
HARDLY = 0.35
"""A card of which less shows is not missed."""
_OVERLAP, _NEAR = 0.4, 0.5


@dataclass(slots=True)
class Counts:
    """Sums over photos; `+` adds."""

    cards: int = 0
    found: int = 0
    right: int = 0
    silent: int = 0
    flagged: int = 0
    ghosts: int = 0
    doubted: int = 0
    """Named wrongly, but unsure."""
    unnamed: int = 0
    """Listed without a name."""
    twins: int = 0
    """Silent, with only its colour wrong."""
    in_place: int = 0
    """Found cards whose row and column are right too."""
    numbers: int = 0
    """Numbers that were read, of those known."""
    numbers_right: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Said:
    """A card of the document."""

    name: str | None
    sure: bool
    box: Floats | None
    row: int
    column: int | None
    number: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong at a place; `place` is for a person."""

    kind: str
    place: str
    truth: str | None
    said: str | None
    sure: bool
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one photo and its faults."""

    counts: Counts
    faults: tuple[Fault, ...]


def bare(card: str) -> str:
    """A card as written, without its number."""
    return card.partition("=")[0]


def said_in(document: Mapping[str, Any]) -> list[Said]:
    """The cards of a `companion scan` document, row by row."""
    result = []
    for r, row in enumerate(document["rows"], 1):
        for card in row["cards"]:
            written = card["card"]
            number = card.get("number")
            if number is None and written and "=" in written:
                number = int(written.partition("=")[2])
            box = np.array(card["box"], np.float64) if card.get("box") else None
            name = bare(written) if written else None
            sure, confidence = bool(card["sure"]), float(card.get("confidence") or 0)
            result.append(Said(name, sure, box, r, card.get("column"), number, confidence))
    return result


def _area(box: Floats) -> float:
    return float(cv2.contourArea(box.astype(np.float32)))


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quadrilaterals."""
    hulls = [cv2.convexHull(b.astype(np.float32)) for b in (one, other)]
    common, _ = cv2.intersectConvexConvex(hulls[0], hulls[1])
    joined = float(cv2.contourArea(hulls[0])) + float(cv2.contourArea(hulls[1])) - common
    return common / joined if joined > 0 else 0.0


def _width(box: Floats) -> float:
    sides = np.linalg.norm(np.roll(box, -1, 0) - box, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def _pairs(truth: Sequence[Mapping[str, Any]], said: Sequence[Said]) -> dict[int, int]:
    """Index of the truth to index of what was said there, closest first."""
    near: list[tuple[float, int, int]] = []
    for t, card in enumerate(truth):
        corners = np.array(card["corners"], np.float64)
        for s, other in enumerate(said):
            if other.box is None:
                continue
            apart = float(np.linalg.norm(corners.mean(0) - other.box.mean(0)))
            if apart < _NEAR * _width(corners):
                share = overlap(corners, other.box)
                if share > _OVERLAP:
                    near.append((share, t, s))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, t, s in sorted(near, reverse=True):
        if t not in pairs and s not in taken:
            pairs[t] = s
            taken.add(s)
    return pairs


def _corners(box: Floats | None) -> tuple[tuple[float, float], ...]:
    return () if box is None else tuple((float(x), float(y)) for x, y in box)


class _Tally:
    """Counts and faults of one photo while they are gathered."""

    def __init__(self) -> None:
        self.counts = Counts()
        self.faults: list[Fault] = []

    def at(self, place: str, truth: str, card: Said, counts: bool = True) -> None:
        """A card was listed at a place where one lies; without `counts` only a silent error matters."""
        right = card.name == truth
        kind = ""
        if card.name is None:
            kind = "unnamed"
        elif not right:
            kind = "silent" if card.sure else "doubted"
        elif not card.sure:
            kind = "flagged"
        if counts:
            self.counts.found += 1
            self.counts.right += right
        elif kind != "silent":
            return
        if kind == "silent" and str(card.name).partition(":")[0] == truth.partition(":")[0]:
            self.counts.twins += 1
        if kind:
            setattr(self.counts, kind, getattr(self.counts, kind) + 1)
            self.faults.append(Fault(kind, place, truth, card.name, card.sure, _corners(card.box)))

    def missed(self, place: str, truth: str, corners: tuple[tuple[float, float], ...] = ()) -> None:
        self.faults.append(Fault("missed", place, truth, None, False, corners))

    def ghost(self, card: Said) -> None:
        self.counts.ghosts += 1
        self.counts.silent += card.sure and card.name is not None
        at = "nowhere" if card.box is None else "x {:.0f}, y {:.0f}".format(*card.box.mean(0))
        self.faults.append(Fault("ghost", at, None, card.name, card.sure, _corners(card.box)))

    def score(self) -> Score:
        return Score(self.counts, tuple(self.faults))


def composed(truth: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Score:
    """A composed photo: truth as dictionaries of `Placed` (name, corners, row, column, visible, number)."""
    said = said_in(document)
    pairs = _pairs(truth, said)
    tally = _Tally()
    for t, card in enumerate(truth):
        counts = card["visible"] >= HARDLY
        tally.counts.cards += counts
        place, name = f"row {card['row']}, column {card['column']}", bare(card["name"])
        if t not in pairs:
            if counts:
                tally.missed(place, name, tuple(map(tuple, card["corners"])))
            continue
        found = said[pairs[t]]
        tally.at(place, name, found, counts)
        if counts and card.get("number") is not None and found.number is not None:
            tally.counts.numbers += 1
            tally.counts.numbers_right += found.number == card["number"]
    tally.counts.in_place = _in_place(truth, said, pairs)
    for s, other in enumerate(said):
        if s not in pairs.values():
            tally.ghost(other)
    return tally.score()


def _in_place(
    truth: Sequence[Mapping[str, Any]], said: Sequence[Said], pairs: Mapping[int, int]
) -> int:
    """How many places are right; where the first column begins is free, for nothing shows it."""
    moves: Counter[tuple[int, int]] = Counter()
    for t, s in pairs.items():
        if truth[t]["visible"] >= HARDLY and said[s].column is not None:
            row, column = (
                truth[t]["row"] - said[s].row,
                truth[t]["column"] - int(said[s].column or 0),
            )
            moves[row, column] += 1
    return max(moves.values(), default=0)


def listed(names: Sequence[str], order: str, document: Mapping[str, Any]) -> Score:
    """A real photo whose truth is a list of names in some order, without boxes."""
    said = said_in(document)
    tally = _Tally()
    tally.counts.cards = len(names)
    arrange: Callable[[Sequence[str], Sequence[Said]], list[tuple[int | None, int | None]]]
    if order.startswith(("x-centre", "-")):
        arrange = in_sequence
    elif order.startswith("rows"):
        arrange = in_rows
    else:
        arrange = _as_sets
    for t, s in arrange(names, said):
        if t is None and s is not None:
            tally.ghost(said[s])
        elif s is None and t is not None:
            tally.missed(f"place {t + 1}", names[t])
        elif t is not None and s is not None:
            tally.at(f"place {t + 1}", names[t], said[s])
    return tally.score()


def _as_sets(names: Sequence[str], said: Sequence[Said]) -> list[tuple[int | None, int | None]]:
    """Equal names paired first, then what is left in order of confidence: places are unknown."""
    left = sorted(range(len(said)), key=lambda s: -said[s].confidence)
    result: list[tuple[int | None, int | None]] = []
    missing = []
    for t, name in enumerate(names):
        same = next((s for s in left if said[s].name == name), None)
        if same is None:
            missing.append(t)
        else:
            left.remove(same)
            result.append((t, same))
    for t in missing:
        result.append((t, left.pop(0) if left else None))
    return result + [(None, s) for s in left]


def fan(names: Sequence[str], document: Mapping[str, Any]) -> Score:
    """A fan, of which only corners show: distinct cards; a card may be listed at both its corners."""
    tally = _Tally()
    tally.counts.cards = len(set(names))
    seen: set[str] = set()
    for card in sorted(said_in(document), key=lambda c: not c.sure):
        if card.name is None or card.name in seen:
            continue
        if card.name in names:
            seen.add(card.name)
            tally.at("fan", card.name, card)
        elif card.sure:
            tally.ghost(card)
    for name in sorted(set(names) - seen):
        tally.missed("fan", name)
    return tally.score()


def nothing(document: Mapping[str, Any]) -> Score:
    """A picture on which no card lies."""
    tally = _Tally()
    for card in said_in(document):
        tally.ghost(card)
    return tally.score()
