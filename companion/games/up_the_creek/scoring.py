"""The end score of a table: each completed canoe, line by line."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from card_catalog.model import Card
from companion.core.score import Line
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.table import Board, Canoe, completed

TREASURE = 10
"""Points of a single treasure, a half or a character (`utc:treasure.single`)."""
PAIR = 40
TRIPLE = 90

Place = tuple[int, Card]
"""Index in the canoe, and the card."""


def lines_of(board: Board, options: Options) -> list[Line]:
    """All lines of a player: only completed canoes count (`utc:score.completed-only`)."""
    return [line for canoe in completed(board) for line in canoe_lines(canoe, options)]


def canoe_lines(canoe: Canoe, options: Options) -> list[Line]:
    """The lines of one completed canoe: its length, then its treasure from left to right."""
    where = (("row", canoe.row), ("columns", tuple(canoe.columns)))
    cards = canoe.cards
    lines = [_length(canoe, options, where)]
    for card in cards:
        if card.kind.group == "single":
            lines.append(
                Line(TREASURE, card.kind.name, "utc:score.single", "10", (str(card),), where)
            )
    families = Counter(c.kind.family for c in cards if c.kind.group in ("half", "character"))
    for family in families:
        best = max(
            _assignments(list(enumerate(cards)), family, options, where),
            key=lambda found: sum(line.points for line in found),
        )
        lines += best
    return lines


def _length(canoe: Canoe, options: Options, where: tuple[tuple[str, Any], ...]) -> Line:
    """1 or 2 points a card by the length of the canoe."""
    count = len(canoe.cards)
    each = 2 if count >= options.double_from else 1
    rule = "utc:score.double" if each == 2 else "utc:score.length"
    what = f"canoe of {count} cards, {count} x {each}"
    return Line(count * each, what, rule, f"{count}x{each}", tuple(map(str, canoe.cards)), where)


def _assignments(
    cards: list[Place], family: str, options: Options, where: tuple[tuple[str, Any], ...]
) -> Iterator[list[Line]]:
    """Every way to count the cards of one treasure: at most one pair or triple, the rest singly."""
    halves = [p for p in cards if p[1].kind.group == "half" and p[1].kind.family == family]
    characters = [p for p in cards if p[1].kind.group == "character" and p[1].kind.family == family]
    yield list(_singly(halves, characters, bool(halves), options, where, False))
    for a in halves:
        for b in halves:
            if a[1].kind.half != "a" or b[1].kind.half != "b" or not _is_pair(a, b, options):
                continue
            rest = [p for p in halves if p not in (a, b)]
            pair = (str(a[1]), str(b[1])) if a < b else (str(b[1]), str(a[1]))
            what = f"both halves of {family}"
            yield [
                Line(PAIR, what, "utc:score.pair", "(10+10)x2", pair, where),
                *_singly(rest, characters, bool(rest), options, where),
            ]
            for c in characters:
                if not _touches(c, a, b, options):
                    continue
                others = [p for p in characters if p is not c]
                what = f"{family}, both halves with the {c[1].kind.name}"
                yield [
                    Line(
                        TRIPLE, what, "utc:score.triple", "(10+10+10)x3", (*pair, str(c[1])), where
                    ),
                    *_singly(rest, others, bool(rest), options, where),
                ]


def _is_pair(a: Place, b: Place, options: Options) -> bool:
    if options.half_order == "left-right" and a[0] > b[0]:
        return False
    return abs(a[0] - b[0]) == 1 or not options.pair_adjacent


def _touches(character: Place, a: Place, b: Place, options: Options) -> bool:
    if not options.character_adjacent:
        return True
    return 1 in (abs(character[0] - a[0]), abs(character[0] - b[0]))


def _singly(
    halves: list[Place],
    characters: list[Place],
    with_half: bool,
    options: Options,
    where: tuple[tuple[str, Any], ...],
    surplus: bool = True,
) -> Iterator[Line]:
    """Halves and characters that are in no combination, `surplus` beside one.

    The first character without a loose half beside it in the canoe is worth `lone_character`.
    """
    for _, card in halves:
        rule = "utc:score.surplus" if surplus else "utc:score.half"
        yield Line(TREASURE, card.kind.name, rule, "10", (str(card),), where)
    for i, (_, card) in enumerate(characters):
        lone = i == 0 and not with_half
        points = options.lone_character if lone else TREASURE
        rule = (
            "utc:score.lone-character"
            if lone
            else ("utc:score.character" if with_half else "utc:score.surplus")
        )
        yield Line(points, card.kind.name, rule, str(points), (str(card),), where)
