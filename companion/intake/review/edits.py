"""Corrections of a review; each makes a new one. A place where no card lies changes nothing."""

from collections.abc import Callable
from dataclasses import replace

from companion.intake.review.model import At, Box, Line, Review
from companion.vision.sighting import Point, Region, Sighting

# ---------------------------------------------------------------- names


def told(review: Review, at: At, card: str) -> Review:
    """A person says which card it is."""
    return _box(review, at, lambda box: replace(box, told=card))


def confirmed(review: Review, *places: At) -> Review:
    """These cards are what they were read as; one without a name keeps asking."""
    for at in places:
        review = _box(review, at, lambda box: replace(box, told=box.card))
    return review


def all_confirmed(review: Review) -> Review:
    """Everything is as it was read, gaps too; only cards without a name keep asking."""
    review = confirmed(review, *review.unsettled())
    return replace(review, lines=tuple(replace(line, gap="") for line in review.lines))


def seen_anew(review: Review, at: At, sighting: Sighting) -> Review:
    """What the program makes of a box that a person has drawn; a name that was told stays."""
    return _box(review, at, lambda box: replace(box, seen=sighting))


# ---------------------------------------------------------------- boxes


def without(review: Review, photo: int) -> Review:
    """Nothing of that photo, counted from 0, counts any longer."""
    for at in review.places():
        box = review.at(at)
        if box is not None and box.photo == photo:
            review = _line(review, at[0], lambda one, at=at: one.having(at[1], None))  # type: ignore[misc]
    return _tidy(review)


def removed(review: Review, at: At) -> Review:
    """No card lies there; a line without cards goes too."""
    line, column = at
    if review.at(at) is None:
        return review
    return _tidy(_line(review, line, lambda one: one.having(column, None)))


def inserted(review: Review, at: At, region: Region, photo: int) -> Review:
    """A card more, still without a name; what lies there and behind it moves to the right."""
    line, column = at
    box = Box(photo, Sighting(region, doubts=("a box drawn by hand",)))
    if line > len(review.lines):
        player = review.lines[-1].player if review.lines else review.players[0]
        new = Line(player, photo=photo).having(column, box)
        return replace(review, lines=(*review.lines, new))
    return _line(review, line, lambda one: _with(one, column, box))


def placed(review: Review, at: At, region: Region) -> Review:
    """The card's box lies elsewhere in the photo."""
    return _box(review, at, lambda box: replace(box, seen=replace(box.seen, region=region)))


def moved(review: Review, at: At, to: At) -> Review:
    """The card lies elsewhere on the table; with another there, the two change places."""
    box, other = review.at(at), review.at(to)
    if box is None or not 0 < to[0] <= len(review.lines) or to[1] < 1:
        return review
    review = _line(review, at[0], lambda one: one.having(at[1], other))
    return _tidy(_line(review, to[0], lambda one: one.having(to[1], box)))


def split(review: Review, at: At) -> Review:
    """Two cards side by side were taken for one: two boxes without a name."""
    box = review.at(at)
    if box is None:
        return review
    a, b, c, d = box.seen.region
    top, bottom = _middle(a, b), _middle(d, c)
    left, right = (a, top, bottom, d), (top, b, c, bottom)
    line, column = at
    doubts = ("half of a box that was split",)
    review = _box(review, at, lambda one: Box(one.photo, Sighting(left, doubts=doubts)))
    new = Box(box.photo, Sighting(right, doubts=doubts))
    return _line(review, line, lambda one: _with(one, column + 1, new, shift=True))


def joined(review: Review, at: At) -> Review:
    """One card was taken for two: this box and the next become one without a name."""
    line, column = at
    box, other = review.at(at), review.at((line, column + 1))
    if box is None or other is None or box.photo != other.photo:
        return review
    (a, _, _, d), (_, b, c, _) = box.seen.region, other.seen.region
    whole = Sighting((a, b, c, d), doubts=("a box joined by hand",))
    review = _box(review, at, lambda one: Box(one.photo, whole))
    return _line(review, line, lambda one: _closed(one, column + 1))


# ---------------------------------------------------------------- columns and lines


def spread(review: Review, at: At) -> Review:
    """A gap before the card: it and what lies behind it move one column to the right."""
    line, column = at
    if review.at(at) is None:
        return review
    return _line(review, line, lambda one: _opened(replace(one, gap=""), column))


def tightened(review: Review, at: At) -> Review:
    """One column less before the card, where there is a gap."""
    line, column = at
    if column < 2 or review.at(at) is None or review.at((line, column - 1)) is not None:
        return review
    return _line(review, line, lambda one: _closed(replace(one, gap=""), column - 1))


def columns_clear(review: Review, line: int) -> Review:
    """The gaps of the line are as they were read."""
    return _line(review, line, lambda one: replace(one, gap=""))


def turned(review: Review, line: int) -> Review:
    """The line was photographed from the other side: right becomes left, every card upside down."""
    one = review.lines[line - 1]
    first = next((c for c, _ in one.boxes()), 1)
    cells = [None if box is None else _upside_down(box) for box in reversed(one.cells[first - 1 :])]
    new = replace(one, cells=(*(None,) * (first - 1), *cells))
    return _line(review, line, lambda _: new)


def given(review: Review, line: int, player: str) -> Review:
    """The line lies before another player; which of their rows it is has to be found anew."""
    return _known(_line(review, line, lambda one: replace(one, player=player, row=0)), player)


def photo_given(review: Review, photo: int, player: str) -> Review:
    """The whole photo, counted from 0, shows another player's cards.

    Photos that one row of it goes on with go with it: a row lies before one player.
    """
    moving = {photo}
    while True:
        rows = [line for line in review.lines if moving & _photos(line)]
        more = moving.union(*map(_photos, rows))
        if more == moving:
            break
        moving = more
    for number, line in enumerate(review.lines, 1):
        if moving & _photos(line) and line.player != player:
            review = given(review, number, player)
    return review


def as_row(review: Review, line: int, row: int) -> Review:
    """A person says which row of its player's table the line is, from 1; 0: found by its cards.

    Another line that was said to be that row is found by its cards again.
    """
    player = review.lines[line - 1].player
    lines = (
        replace(one, row=row)
        if number == line
        else replace(one, row=0)
        if row and (one.player, one.row) == (player, row)
        else one
        for number, one in enumerate(review.lines, 1)
    )
    return replace(review, lines=tuple(lines))


def lifted(review: Review, line: int, by: int) -> Review:
    """The line changes places with the one above (-1) or below (1)."""
    other = line + by
    if not (0 < line <= len(review.lines) and 0 < other <= len(review.lines)):
        return review
    lines = list(review.lines)
    lines[line - 1], lines[other - 1] = lines[other - 1], lines[line - 1]
    return replace(review, lines=tuple(lines))


# ---------------------------------------------------------------- how


def _known(review: Review, player: str) -> Review:
    """The review with the player among those whose photos these are; a photo is whose all its rows are."""
    photos = []
    for index, photo in enumerate(review.photos):
        whose = {line.player for line in review.lines if index in _photos(line)}
        photos.append(replace(photo, player=player) if whose == {player} else photo)
    known = player in review.players
    players = review.players if known else (*review.players, player)
    return replace(review, photos=tuple(photos), players=players)


def _photos(line: Line) -> set[int]:
    """The photos that a line's cards were seen in."""
    return {box.photo for _, box in line.boxes()}


def _line(review: Review, number: int, change: Callable[[Line], Line]) -> Review:
    lines = list(review.lines)
    lines[number - 1] = change(lines[number - 1])
    return replace(review, lines=tuple(lines))


def _box(review: Review, at: At, change: Callable[[Box], Box]) -> Review:
    box = review.at(at)
    if box is None:
        return review
    return _line(review, at[0], lambda one: one.having(at[1], change(box)))


def _tidy(review: Review) -> Review:
    """Without lines on which nothing lies."""
    return replace(review, lines=tuple(line for line in review.lines if any(line.cells)))


def _with(line: Line, column: int, box: Box, shift: bool = False) -> Line:
    """The line with a box more; a gap takes it unless everything behind is to be shifted."""
    if not shift and line.at(column) is None:
        return line.having(column, box)
    return _opened(line, column).having(column, box)


def _opened(line: Line, column: int) -> Line:
    cells = line.cells
    return replace(line, cells=(*cells[: column - 1], None, *cells[column - 1 :]))


def _closed(line: Line, column: int) -> Line:
    cells = line.cells
    return replace(line, cells=(*cells[: column - 1], *cells[column:]))


def _upside_down(box: Box) -> Box:
    a, b, c, d = box.seen.region
    return replace(box, seen=replace(box.seen, region=(c, d, a, b)))


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
