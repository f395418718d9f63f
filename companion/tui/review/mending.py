"""What can be mended at a card under review, by name, and what comes of it."""

from collections.abc import Callable, Sequence

from companion.intake.review import At, Review, edits, lines_joined
from companion.tui.review.rows import shifted_region

GIVE = "give "
"""Before the player that a row is given to."""
NAMED_ANEW = ("inserted", "split", "joined")
"""After these the program looks at the boxes again."""


def offers(review: Review, at: At, owners: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Everything that can be mended there: its key, and in words; `owners` as a target has them."""
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
    whose = review.lines[at[0] - 1].player
    found += [(f"{GIVE}{owner}", f"These are {words}") for owner, words in owners if owner != whose]
    return found


def mended(review: Review, at: At, what: str) -> tuple[Review, At]:
    """The review after it, and the place that the card has then; the same review where it changes nothing."""
    line, column = at
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
        return edits.moved(review, (line, column), to), to

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
    "joined-lines": lambda r, n, c: (lines_joined(r, n), (n, c)),
}
