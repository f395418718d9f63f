"""From photos to a review; two photos of one long row become one row."""

from collections.abc import Callable
from dataclasses import replace

from companion.intake.eyes import ScannedPhoto
from companion.intake.review import edits
from companion.intake.review.model import Box, Line, Photo, Review

_GAP = ("columns-unclear", "gap-unclear")
"""Codes of the warnings that a card may lie in another column."""
_SHARED = 2
"""Cards that two photos must share, in the same places, to be taken for photos of one table."""


Single = Callable[[str], bool]
"""Whether the box holds a card once."""


def _never(_: str) -> bool:
    return False


def opened(deck: str, players: tuple[str, ...] = ()) -> Review:
    """A review without a photo yet."""
    return Review(deck, players=players)


def added(review: Review, photo: ScannedPhoto, player: str, single: Single = _never) -> Review:
    """The review with a photo more.

    Where it goes on with what an earlier photo of the same player shows, the two are joined. `single`
    tells of a card whether the box holds it once: without such a card nothing is joined.
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
        photos=(*review.photos, Photo(photo.name, photo.sha256, photo.reading, player)),
        players=players,
    )
    mine = review.lines_of(player)
    shift = overlap([line for _, line in mine], lines, single)
    if shift is None:
        return replace(review, lines=(*review.lines, *lines))
    return joined_at(review, [n for n, _ in mine], lines, shift)


def overlap(before: list[Line], after: list[Line], single: Single = _never) -> int | None:
    """By how many columns the later photo lies to the right of the earlier; None: not one table.

    Two photos show one table when as many rows share two cards or more at the same places, one of which
    the box holds once, and no place holds different ones.
    """
    if not before or len(before) != len(after):
        return None
    width = max(len(line.cells) for line in before)
    reach = max((len(line.cells) for line in after), default=0)
    best: tuple[int, int] | None = None
    for shift in range(1 - reach, width):
        shared = _shared(before, after, shift, single)
        if shared is None or len(shared) < _SHARED or not any(map(single, shared)):
            continue
        if best is None or len(shared) > best[0]:
            best = len(shared), shift
    return None if best is None else best[1]


def _shared(before: list[Line], after: list[Line], shift: int, single: Single) -> list[str] | None:
    """Cards that both show with that shift; None where they contradict each other.

    A card of which there is one, seen at two places, is a contradiction too.
    """
    shared = []
    where = {
        box.card: (row, column)
        for row, line in enumerate(before)
        for column, box in line.boxes()
        if box.card is not None and single(box.card)
    }
    for row, (left, right) in enumerate(zip(before, after, strict=True)):
        for column, box in right.boxes():
            here = row, column + shift
            if box.card is not None and where.get(box.card, here) != here:
                return None
            other = left.at(column + shift)
            if other is None:
                if _first(left) < column + shift < len(left.cells):
                    return None  # where the earlier photo shows a gap
                continue
            if not _may_be_one(other, box):
                return None
            if box.card is not None and box.card == other.card:
                shared.append(box.card)
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
        lines[number - 1] = replace(line, gap=line.gap or right.gap, row=line.row or right.row)
    return replace(review, lines=tuple(lines))


def _clearer(one: Box, other: Box) -> bool:
    """Whether the first box tells more of the card that both show."""
    return _weight(one) > _weight(other)


def _weight(box: Box) -> tuple[bool, bool, float]:
    candidates = box.sighting.candidates
    return box.told is not None, box.settled, candidates[0].confidence if candidates else 0.0


def lines_joined(review: Review, number: int) -> Review:
    """The line goes on with the next one: laid over it where most cards agree, else put behind it."""
    if not 0 < number < len(review.lines):
        return review
    line, after = review.lines[number - 1], review.lines[number]
    best, at = 0, len(line.cells) + 1 - _first(after)
    for shift in range(1 - len(after.cells), len(line.cells)):
        shared = _shared([line], [after], shift, _never)
        if shared is not None and len(shared) > best:
            best, at = len(shared), shift
    rest = (*review.lines[:number], *review.lines[number + 1 :])
    return joined_at(replace(review, lines=rest), [number], [after], at)


def parted(review: Review, number: int) -> Review:
    """A line that was joined of several photos becomes a line a photo again, as each was read.

    Names that were told stay.
    """
    line = review.lines[number - 1]
    boxes = [box for _, box in line.boxes()]
    known = {(box.photo, box.seen.region): box for box in boxes}
    lines = []
    for photo in dict.fromkeys(box.photo for box in boxes):
        for row in review.photos[photo].reading.rows:
            if any((photo, placed.sighting.region) in known for placed in row):
                new = Line(line.player, photo=photo)
                for placed in row:
                    box = Box(photo, placed.sighting)
                    new = new.having(placed.column, known.get((photo, box.seen.region), box))
                lines.append(new)
    if len(lines) < 2:
        return review
    return replace(review, lines=(*review.lines[: number - 1], *lines, *review.lines[number:]))


def rebuilt(review: Review, leaving: int, single: Single = _never) -> Review:
    """The review as if a photo, counted from 0, had not been given.

    Names that were told stay, and whose a row is and which. The photo's place among the photos stays, so
    that the others keep theirs.
    """
    said = {
        (box.photo, box.seen.region): (line.player, line.row)
        for line in review.lines
        for _, box in line.boxes()
    }
    told = {
        (box.photo, box.seen.region): box.told
        for line in review.lines
        for _, box in line.boxes()
        if box.told is not None
    }
    made = replace(review, photos=(), lines=())
    for index, photo in enumerate(review.photos):
        if index == leaving or not any(
            box.photo == index for line in review.lines for _, box in line.boxes()
        ):
            made = replace(made, photos=(*made.photos, photo))
            continue
        scanned = ScannedPhoto(photo.name, review.deck, photo.reading, 0.0, photo.sha256)
        made = added(made, scanned, photo.player, single)
    for at in made.places():
        box = made.at(at)
        if box is not None and (card := told.get((box.photo, box.seen.region))) is not None:
            made = edits.told(made, at, card)
    for number, line in enumerate(made.lines, 1):
        was = {said.get((box.photo, box.seen.region)) for _, box in line.boxes()} - {None}
        if len(was) == 1 and (told_of := was.pop()) is not None:
            player, row = told_of
            made = made if player == line.player else edits.given(made, number, player)
            made = edits.as_row(made, number, row) if row else made
    return made


def is_joined(review: Review, photo: int) -> bool:
    """Whether some line has cards of this photo and of another."""
    return any(
        len(photos) > 1 and photo in photos
        for line in review.lines
        if (photos := {box.photo for _, box in line.boxes()})
    )


def sound(review: Review, knows: Callable[[str], bool]) -> Review:
    """The review with cards that its deck does not know any more as cards without a name."""

    def box(one: Box) -> Box:
        seen = one.seen
        kept = tuple(c for c in seen.candidates if knows(c.face))
        if kept != seen.candidates:
            doubts = (*seen.doubts, "the deck does not know that card any more")
            seen = replace(seen, candidates=kept, sure=False, doubts=doubts)
        told = one.told if one.told is None or knows(one.told) else None
        return replace(one, seen=seen, told=told)

    lines = tuple(
        replace(line, cells=tuple(None if b is None else box(b) for b in line.cells))
        for line in review.lines
    )
    return replace(review, lines=lines)
