"""The rows under review as text: a cell a card, what is unsure marked by a sign and by colour."""

from rich.text import Text

from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Deck
from companion.intake.review import At, Box, Review
from companion.intake.review.counting import Standing
from companion.tui.widgets.canoes import SYMBOLS, card_text
from companion.vision.sighting import Region

CELL = 6
"""Columns of the screen a card takes: four for its code, one for its sign, one between."""


def row_text(
    review: Review, deck: Deck, standing: Standing, at: At | None, width: int, most: int
) -> Text:
    """As many lines as there is room for, the line of the card in hand among them.

    Signs: `?` can change the score, `·` unsure but no points hang on it, `!` as a person said.
    """
    label = min(14, max((len(f"{line.player} 1 ") for line in review.lines), default=4))
    here = at[0] if at is not None else 1
    first = max(1, min(here - most // 2, len(review.lines) - most + 1))
    text = Text(no_wrap=True, overflow="crop")
    for number in range(first, min(first + most, len(review.lines) + 1)):
        line = review.lines[number - 1]
        row = review.row_of(number)
        if number > first:
            text.append("\n")
        name = line.player[: label - 3] or "trick"
        text.append(f"{name} {row}".ljust(label), "bold" if number == here else "")
        text.append_text(
            _cells(review, deck, standing, number, at, max(1, (width - label) // CELL))
        )
        if line.gap:
            text.append(" gap?", "bold yellow")
    return text


def _cells(
    review: Review, deck: Deck, standing: Standing, number: int, at: At | None, most: int
) -> Text:
    line = review.lines[number - 1]
    here = at[1] if at is not None and at[0] == number else 1
    first = max(0, min(here - 1 - most // 2, len(line.cells) - most))
    text = Text("‹" if first else "")
    for column in range(first + 1, min(first + most, len(line.cells)) + 1):
        box = line.at(column)
        if box is None:
            text.append("·".center(CELL), "dim")
            continue
        word = f"{code(box, deck)[:4]}{_sign(box, (number, column), standing)}"
        style = _style(box, (number, column), standing)
        text.append(word.center(CELL - 1), f"reverse {style}" if (number, column) == at else style)
        text.append(" ")
    if first + most < len(line.cells):
        text.append("›")
    return text


def code(box: Box, deck: Deck) -> str:
    """A few letters for a card; `??` for one without a name."""
    if box.card is None:
        return "??"
    try:
        card = lookup_in(deck).card(box.card)
    except UnknownCard:
        return box.card[:4]
    if card.kind.group in SYMBOLS:
        return card_text(card, 4).plain.strip()
    first, dash, rest = card.kind.id.partition("-")
    return card.kind.code or (f"{first[0].upper()}{rest[:3]}" if dash else first[:4])


def _sign(box: Box, at: At, standing: Standing) -> str:
    if box.card is None:
        return ""
    if box.told is not None:
        return "!"
    if box.settled:
        return ""
    return "?" if at in standing.deciding else "·"


def _style(box: Box, at: At, standing: Standing) -> str:
    if box.card is None:
        return "bold red"
    if box.settled:
        return "green"
    return "bold yellow" if at in standing.deciding else "yellow"


def shifted_region(region: Region) -> Region:
    """A box beside the given one, to its right as the card stands."""
    (ax, ay), (bx, by), *_ = region
    dx, dy = 1.05 * (bx - ax), 1.05 * (by - ay)
    a, b, c, d = ((x + dx, y + dy) for x, y in region)
    return a, b, c, d


def grown(region: Region, across: float, down: float | None = None) -> Region:
    """The box so many times as wide and as high, about its middle."""
    xs, ys = zip(*region, strict=True)
    cx, cy = sum(xs) / 4, sum(ys) / 4
    high = across if down is None else down
    a, b, c, d = ((cx + (x - cx) * across, cy + (y - cy) * high) for x, y in region)
    return a, b, c, d
