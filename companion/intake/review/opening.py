"""From photos to a review; two photos of one long row become one row."""

from dataclasses import replace

from companion.intake.eyes import ScannedPhoto
from companion.intake.review.model import Box, Line, Photo, Review

_GAP = ("columns-unclear", "gap-unclear")
"""Codes of the warnings that a card may lie in another column."""
_SHARED = 2
"""Cards that two photos must share, in the same places, to be taken for photos of one table."""


def opened(deck: str, players: tuple[str, ...] = ()) -> Review:
    """A review without a photo yet."""
    return Review(deck, players=players)


def added(review: Review, photo: ScannedPhoto, player: str, joining: bool = True) -> Review:
    """The review with a photo more.

    Where it goes on with what an earlier photo of the same player shows, the two are joined; not
    without `joining`, for decks of which many cards look the same.
    """
    index = len(review.photos)
    doubts = {w.row: w.text for w in photo.reading.warnings if w.code in _GAP and w.row}
    lines = []
    for number, row in enumerate(photo.reading.rows, 1):
        line = Line(player, gap=doubts.get(number, ""), photo=index)
        for placed in row:
            line = line.having(placed.column, Box(index, placed.sighting))
        lines.append(line)
    players = review.players if player in review.players else (*review.players, player)
    review = replace(
        review,
        photos=(*review.photos, Photo(photo.name, photo.sha256, photo.reading)),
        players=players,
    )
    mine = review.lines_of(player)
    shift = overlap([line for _, line in mine], lines) if joining else None
    if shift is None:
        return replace(review, lines=(*review.lines, *lines))
    return joined_at(review, [n for n, _ in mine], lines, shift)


def overlap(before: list[Line], after: list[Line]) -> int | None:
    """By how many columns the later photo lies to the right of the earlier; None: not one table.

    Two photos show one table when as many rows share two cards or more at the same places and no
    place holds different ones.
    """
    if not before or len(before) != len(after):
        return None
    width = max(len(line.cells) for line in before)
    reach = max((len(line.cells) for line in after), default=0)
    best: tuple[int, int] | None = None
    for shift in range(1 - reach, width):
        shared = _shared(before, after, shift)
        if shared is not None and shared >= _SHARED and (best is None or shared > best[0]):
            best = shared, shift
    return None if best is None else best[1]


def _shared(before: list[Line], after: list[Line], shift: int) -> int | None:
    """Cards that both show with that shift; None where they contradict each other.

    A card that both show at different places is one too: no row holds a card twice.
    """
    shared = 0
    for left, right in zip(before, after, strict=True):
        where = {box.card: column for column, box in left.boxes()}
        for column, box in right.boxes():
            if box.card is not None and where.get(box.card, column + shift) != column + shift:
                return None
            other = left.at(column + shift)
            if other is None:
                if _first(left) < column + shift < len(left.cells):
                    return None  # where the earlier photo shows a gap
                continue
            if not _may_be_one(other, box):
                return None
            shared += box.card is not None and box.card == other.card
    return shared


def _first(line: Line) -> int:
    return next((column for column, _ in line.boxes()), 1)


def _may_be_one(one: Box, other: Box) -> bool:
    """Whether two boxes may show the same card."""
    if one.card is None or other.card is None or one.card == other.card:
        return True
    names = [{box.card, *(c.face for c in box.sighting.candidates)} for box in (one, other)]
    return one.card in names[1] or other.card in names[0]


def joined_at(review: Review, numbers: list[int], after: list[Line], shift: int) -> Review:
    """The lines of these numbers go on with those of a later photo, which lies `shift` to the right."""
    lines = list(review.lines)
    room = max(0, 1 - shift - min(_first(right) for right in after))
    for number, right in zip(numbers, after, strict=True):
        line = replace(lines[number - 1], cells=(*(None,) * room, *lines[number - 1].cells))
        for column, box in right.boxes():
            there = line.at(column + shift + room)
            if there is None or _clearer(box, there):
                line = line.having(column + shift + room, box)
        lines[number - 1] = replace(line, gap=line.gap or right.gap)
    return replace(review, lines=tuple(lines))


def _clearer(one: Box, other: Box) -> bool:
    """Whether the first box tells more of the card that both show."""
    return _weight(one) > _weight(other)


def _weight(box: Box) -> tuple[bool, bool, float]:
    candidates = box.sighting.candidates
    return box.told is not None, box.settled, candidates[0].confidence if candidates else 0.0


def lines_joined(review: Review, number: int) -> Review:
    """The line goes on with the next one: laid over it where both show the same cards, else behind it."""
    if not 0 < number < len(review.lines):
        return review
    line, after = review.lines[number - 1], review.lines[number]
    shift = overlap([line], [after])
    if shift is None:
        shift = len(line.cells) + 1 - _first(after)
    rest = (*review.lines[:number], *review.lines[number + 1 :])
    return joined_at(replace(review, lines=rest), [number], [after], shift)
