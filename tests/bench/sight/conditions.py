"""The named conditions of the goals, how many photographs of each, and the rows that lie in them."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from tests.bench.sight.compose import Condition, Photo, compose
from tests.bench.sight.decks import SECOND, deck_numbers, deck_pictures

CREEK = "up-the-creek"
GOLD = "gold-up"
FACE_HEIGHT = 900
"""Pixels of the cut-outs that are composed."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Photographs of one kind: for each deck so many, with rows of so many cards."""

    condition: Condition
    photos: int
    rows: tuple[tuple[int, int], ...] = ((5, 8),)
    """Least and most cards of each row."""
    gaps: float = 0.0
    """Chance of a gap behind a card."""
    decks: tuple[str, ...] = (CREEK, SECOND)
    copies: bool = False
    """The same face may lie there twice."""


_PLAIN = Condition()
_CLOSE = replace(_PLAIN, jitter=0.012, turn=1.6, bend=(0, 0.6), tilt=(0, 12))

SUITES: dict[str, Suite] = {
    "standard": Suite(_PLAIN, 4, ((5, 8), (3, 7))),
    "touching": Suite(replace(_CLOSE, gap=(0.0, 0.015)), 2, ((6, 9),)),
    "overlap-20": Suite(replace(_CLOSE, gap=(-0.2, -0.15)), 2, ((6, 9),)),
    "white-table": Suite(replace(_PLAIN, tables=("white",)), 2, ((5, 8),)),
    "patterned": Suite(
        replace(_PLAIN, tables=("checks", "flowers", "stripes", "granite")), 3, ((5, 8),)
    ),
    "tilt-25": Suite(
        replace(_PLAIN, tilt=(22, 25), yaw=(-8, 8), roll=(-9, 9)), 2, ((4, 6), (4, 6))
    ),
    "glare": Suite(replace(_PLAIN, glare=4), 2, ((5, 7),)),
    "upside-down": Suite(replace(_PLAIN, any_way=0.5), 2, ((6, 9),)),
    "blurred": Suite(replace(_PLAIN, blur=(4, 6), motion=(4, 9)), 2, ((4, 6),)),
    "overlap-50": Suite(replace(_CLOSE, gap=(-0.5, -0.45)), 2, ((5, 7),)),
    "gaps": Suite(replace(_PLAIN, gap=(0.02, 0.12)), 2, ((7, 9), (7, 9)), gaps=0.3),
    "three-rows": Suite(replace(_PLAIN, gap=(0.04, 0.14), long_side=4000), 2, ((5, 8),) * 3),
    "fourteen": Suite(
        replace(_PLAIN, gap=(0.01, 0.06), turn=2.5, long_side=4000, tilt=(0, 6)), 2, ((14, 14),)
    ),
    "small": Suite(replace(_PLAIN, long_side=1600, quality=(70, 85)), 2, ((6, 9),)),
    "hard-light": Suite(
        replace(
            _PLAIN,
            gradient=(0.35, 0.6),
            patches=2,
            shadow=(0.6, 0.8),
            shadow_length=(2, 5),
            warmth=(0.1, 0.26),
        ),
        2,
        ((5, 7),),
    ),
    "clutter": Suite(
        replace(_PLAIN, items=("hand", "pencil", "coin", "coin", "mug")), 2, ((4, 6), (3, 5))
    ),
    "chests": Suite(_PLAIN, 3, ((4, 7), (4, 7)), decks=(GOLD,), copies=True),
    "chests-hard": Suite(
        replace(_PLAIN, tables=("white", "checks", "flowers"), glare=1, gradient=(0.2, 0.45)),
        3,
        ((4, 7), (4, 7)),
        decks=(GOLD,),
        copies=True,
    ),
}


def rows_of(names: list[str], suite: Suite, rng: Generator) -> list[list[str | None]]:
    """Rows of faces drawn at random, none twice unless the suite allows copies."""
    counts = [int(rng.integers(low, high + 1)) for low, high in suite.rows]
    drawn = rng.choice(len(names), sum(counts), replace=suite.copies)
    faces = [names[int(k)] for k in drawn]
    rows: list[list[str | None]] = []
    for count in counts:
        row: list[str | None] = []
        for place in range(count):
            row.append(faces.pop())
            if place < count - 1 and rng.random() < suite.gaps:
                row.append(None)
        if suite.gaps and rng.random() < 0.5 and rows:
            row.insert(0, None)
        rows.append(row)
    return rows


def seed_of(*words: object) -> int:
    """A seed that stays the same from one machine and run to the next."""
    text = "/".join(map(str, words))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def photo_of(name: str, deck: str, index: int, salt: str = "") -> Photo:
    """One photograph of a suite. Another `salt` gives photographs nobody has tuned on."""
    suite = SUITES[name]
    rng = np.random.default_rng(seed_of(name, deck, index, salt))
    pictures = deck_pictures(deck, FACE_HEIGHT)
    rows = rows_of(sorted(pictures), suite, rng)
    return compose(pictures, rows, suite.condition, rng, deck_numbers(deck))


def wanted(
    names: list[str] | None = None, decks: list[str] | None = None
) -> Iterator[tuple[str, str, int]]:
    """Suite, deck and index of each photograph that is asked for."""
    for name in names or SUITES:
        for deck in SUITES[name].decks:
            if not decks or deck in decks:
                yield from ((name, deck, index) for index in range(SUITES[name].photos))
