"""The end score of a table: each completed canoe, line by line."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from card_catalog.model import Card
from companion.core.score import Line
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.table import Canoe

TREASURE = 10
"""Points of a single treasure, a half or a character (`utc:treasure.single`)."""
PAIR = 40
TRIPLE = 90

Place = tuple[int, Card]
"""Index in the canoe, and the card."""


class Count(NamedTuple):
    """Some cards of one treasure counted together; cheap, since most are compared and dropped."""

    points: int
    rule: str
    places: tuple[Place, ...]
    formula: str


def canoe_lines(canoe: Canoe, options: Options) -> list[Line]:
    """The lines of one completed canoe: its length, single treasures, then each combination.

    Only completed canoes count (`utc:score.completed-only`).
    """
    where = (("row", canoe.row), ("columns", (canoe.first, canoe.last)))
    cards = canoe.cards
    lines = [_length(canoe, options, where)]
    for card in cards:
        if card.kind.group == "single":
            lines.append(
                Line(TREASURE, card.kind.name, "utc:score.single", "10", (str(card),), where)
            )
    for treasure in treasures_in(cards):
        lines += [_line(count, where) for count in _best(treasure, options)]
    return lines


Treasure = tuple[list[Place], list[Place]]
"""The halves and the characters of one composite treasure in a canoe."""


def treasures_in(cards: list[Card]) -> list[Treasure]:
    """The composite treasures of which some half or character lies in the canoe."""
    families: dict[str, Treasure] = {}
    for place in enumerate(cards):
        kind = place[1].kind
        if kind.group == "half":
            families.setdefault(kind.family, ([], []))[0].append(place)
        elif kind.group == "character":
            families.setdefault(kind.family, ([], []))[1].append(place)
    return list(families.values())


def combination_points(treasures: list[Treasure], options: Options) -> int:
    """Points of the halves and characters of a completed canoe, alone and together."""
    return sum(_points(_best(treasure, options)) for treasure in treasures)


def _length(canoe: Canoe, options: Options, where: tuple[tuple[str, Any], ...]) -> Line:
    """1 or 2 points a card by the length of the canoe."""
    count = len(canoe.cells)
    each = 2 if count >= options.double_from else 1
    rule = "utc:score.double" if each == 2 else "utc:score.length"
    what = f"canoe of {count} cards, {count} x {each}"
    return Line(count * each, what, rule, f"{count}x{each}", tuple(map(str, canoe.cells)), where)


def _line(count: Count, where: tuple[tuple[str, Any], ...]) -> Line:
    cards = [card for _, card in sorted(count.places[:2], key=lambda place: place[0])]
    cards += [card for _, card in count.places[2:]]
    what = cards[-1].kind.name
    if count.rule == "utc:score.pair":
        what = f"both halves of {cards[0].kind.family}"
    elif count.rule == "utc:score.triple":
        what = f"{cards[0].kind.family}, both halves with the {what}"
    return Line(count.points, what, count.rule, count.formula, tuple(map(str, cards)), where)


def _best(treasure: Treasure, options: Options) -> list[Count]:
    """The best way to count the halves and characters of one treasure."""
    halves, characters = treasure
    if len(halves) < 2:
        return _singly(halves, characters, options, "utc:score.half")
    best: list[Count] = max(_assignments(halves, characters, options), key=_points)
    return best


def _points(counts: list[Count]) -> int:
    return sum(count.points for count in counts)


def _assignments(
    halves: list[Place], characters: list[Place], options: Options
) -> Iterator[list[Count]]:
    """Every way to count the cards of one treasure: at most one pair or triple, the rest singly."""
    yield _singly(halves, characters, options, "utc:score.half")
    pairs = [
        (a, b)
        for a in halves
        for b in halves
        if a[1].kind.half == "a" and b[1].kind.half == "b" and _is_pair(a, b, options)
    ]
    if not pairs:
        return
    # Every pair is worth the same, and so is every triple: the first of each stands for all.
    yield [
        Count(PAIR, "utc:score.pair", pairs[0], "(10+10)x2"),
        *_singly(_but(halves, pairs[0]), characters, options, "utc:score.surplus"),
    ]
    for a, b in pairs:
        for c in characters:
            if _touches(c, a, b, options):
                yield [
                    Count(TRIPLE, "utc:score.triple", (a, b, c), "(10+10+10)x3"),
                    *_singly(
                        _but(halves, (a, b)), _but(characters, (c,)), options, "utc:score.surplus"
                    ),
                ]
                return


def _but(places: list[Place], used: tuple[Place, ...]) -> list[Place]:
    """The places without the used ones."""
    return [place for place in places if all(place is not other for other in used)]


def _is_pair(a: Place, b: Place, options: Options) -> bool:
    if options.half_order == "left-right" and a[0] > b[0]:
        return False
    return abs(a[0] - b[0]) == 1 or not options.pair_adjacent


def _touches(character: Place, a: Place, b: Place, options: Options) -> bool:
    if not options.character_adjacent:
        return True
    return 1 in (abs(character[0] - a[0]), abs(character[0] - b[0]))


def _singly(
    halves: list[Place], characters: list[Place], options: Options, half_rule: str
) -> list[Count]:
    """Halves and characters that are in no combination.

    The first character without a loose half beside it in the canoe is worth `lone_character`.
    """
    counts = [Count(TREASURE, half_rule, (half,), "10") for half in halves]
    for i, character in enumerate(characters):
        if halves:
            counts.append(Count(TREASURE, "utc:score.character", (character,), "10"))
        elif i:
            counts.append(Count(TREASURE, "utc:score.surplus", (character,), "10"))
        else:
            points = options.lone_character
            counts.append(Count(points, "utc:score.lone-character", (character,), str(points)))
    return counts
