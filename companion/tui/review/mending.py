"""What can be mended at a card under review, by name, and what comes of it."""

from collections.abc import Callable, Sequence

from companion.intake.review import At, Review, edits, lines_joined, parted
from companion.intake.review.opening import is_joined
from companion.tui.review.rows import shifted_region

GIVE, GIVE_PHOTO = "give ", "give-photo "
"""Before the player that a row, or all of its photo, is given to."""
ROW = "row "
"""Before the number of the row that it is said to be; 0: its cards tell."""
NAMED_ANEW = ("inserted", "split", "joined")
"""After these the program looks at the boxes again."""


def offers(
    review: Review,
    at: At,
    owners: Sequence[tuple[str, str]],
    rows: Sequence[tuple[int, str]] = (),
) -> list[tuple[str, str]]:
    """Everything that can be mended there: its key, and in words; owners and rows as a target has them."""
    found = [
        ("inserted", "A card was missed behind this one   (Ins)"),
        ("split", "These are two cards: split the box"),
        ("joined", "This and the next are one card: join the boxes"),
        ("spread", "A gap before this card   (Ctrl+Right)"),
        ("tightened", "No gap before this card   (Ctrl+Left)"),
        ("left", "One place to the left"),
        ("right", "One place to the right"),
        ("clear", "The columns of this row are right"),
        ("turned", "The row was photographed from the other side: turn it round"),
    ]
    if len(review.lines) > 1:
        found += [
            ("above", "The card belongs into the row above"),
            ("below", "The card belongs into the row below"),
            ("lifted", "The row belongs one row up"),
            ("lowered", "The row belongs one row down"),
            ("joined-lines", "The next row is the rest of this one: join them"),
        ]
    if is_joined(review, review.lines[at[0] - 1].photo):
        found.append(("parted", "These are two rows: take the photos apart again"))
    line = review.lines[at[0] - 1]
    found += [(f"{ROW}{row}", f"This is {words}") for row, words in rows]
    if line.row:
        found.append((f"{ROW}0", "Which row this is: its cards tell"))
    whose = {owner: f"{owner}'s" if owner else words for owner, words in owners}
    found += [
        (f"{GIVE}{o}", f"This row is {words}") for o, words in whose.items() if o != line.player
    ]
    photo = [review.lines[number - 1].player for number in _with_it(review, at)]
    if len(photo) > 1:
        found += [
            (f"{GIVE_PHOTO}{o}", f"The whole photo is {words}")
            for o, words in whose.items()
            if set(photo) != {o}
        ]
    return found


def _with_it(review: Review, at: At) -> list[int]:
    """The lines with a card of the photo that shows the card."""
    box = review.at(at)
    return [
        number
        for number, line in enumerate(review.lines, 1)
        if box is not None and any(other.photo == box.photo for _, other in line.boxes())
    ]


def mended(review: Review, at: At, what: str) -> tuple[Review, At]:
    """The review after it, and the place that the card has then; the same review where it changes nothing."""
    line, column = at
    if what.startswith(ROW):
        return edits.as_row(review, line, int(what.removeprefix(ROW))), at
    if what.startswith(GIVE_PHOTO):
        box = review.at(at)
        photo = review.lines[line - 1].photo if box is None else box.photo
        return edits.photo_given(review, photo, what.removeprefix(GIVE_PHOTO)), at
    if what.startswith(GIVE):
        return edits.given(review, line, what.removeprefix(GIVE)), at
    return _WAYS[what](review, line, column)


def _inserted(review: Review, line: int, column: int) -> tuple[Review, At]:
    """A card more behind this one, its box beside it."""
    box = review.at((line, column))
    to = (line, column + 1)
    if box is None:
        return review, (line, column)
    return edits.inserted(review, to, shifted_region(box.seen.region), box.photo), to


def _moved(by: At) -> Callable[[Review, int, int], tuple[Review, At]]:
    def move(review: Review, line: int, column: int) -> tuple[Review, At]:
        to = (line + by[0], column + by[1])
        after = edits.moved(review, (line, column), to)
        gone = len(after.lines) < len(review.lines)  # the row that it was the last card of
        return after, (to[0] - 1, to[1]) if gone and to[0] > line else to

    return move


def _lifted(by: int) -> Callable[[Review, int, int], tuple[Review, At]]:
    return lambda review, line, column: (edits.lifted(review, line, by), (line + by, column))


_WAYS: dict[str, Callable[[Review, int, int], tuple[Review, At]]] = {
    "inserted": _inserted,
    "split": lambda r, n, c: (edits.split(r, (n, c)), (n, c)),
    "joined": lambda r, n, c: (edits.joined(r, (n, c)), (n, c)),
    "spread": lambda r, n, c: (edits.spread(r, (n, c)), (n, c + 1)),
    "tightened": lambda r, n, c: (edits.tightened(r, (n, c)), (n, max(1, c - 1))),
    "left": _moved((0, -1)),
    "right": _moved((0, 1)),
    "above": _moved((-1, 0)),
    "below": _moved((1, 0)),
    "lifted": _lifted(-1),
    "lowered": _lifted(1),
    "clear": lambda r, n, c: (edits.columns_clear(r, n), (n, c)),
    "turned": lambda r, n, c: (edits.turned(r, n), (n, c)),
    "parted": lambda r, n, c: (parted(r, n), (n, c)),
    "joined-lines": lambda r, n, c: (lines_joined(r, n), (n, c)),
}
