"""Placing a card: the canoe building rules, and the one exception that moves placed cards."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from card_catalog.model import Card, Colour
from companion.core.verdict import Clarity, Objection, Unknown, Verdict
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.table import (
    ROWS,
    Board,
    Canoe,
    Row,
    canoe_at,
    canoes,
    has_tribe,
    is_empty,
    with_row,
)


def place(board: Board, card: Card, row: int, column: int, options: Options) -> Verdict:
    """Whether a card may go to a place: every objection, and what is missing to tell."""
    line = board[row - 1]
    here = (("row", row), ("column", column))
    objections: list[Objection] = []
    lying = line.at(column)
    if lying is not None:
        text = f"{lying} already lies in row {row}, column {column}"
        objections.append(Objection("utc:build.occupied", text, place=here, impossible=True))
    objections += forbidden_kind(card, options)
    if line.column_of(card.kind.id) is not None:
        text = f"row {row} already holds a {card.kind.id}; colour makes no difference"
        objections.append(Objection("utc:build.duplicate", text, place=here))
    if not _touches(board, row, column):
        text = f"row {row}, column {column} touches none of the player's cards, not even diagonally"
        objections.append(Objection("utc:build.touch", text, place=here))
    if lying is not None:
        return Verdict(tuple(objections))
    after = line.having(column, card)
    objections += too_wide(with_row(board, row, after), row, options, "utc:build.width", here)
    if card.kind.end:
        objections += _bow_stern(line, after, card, row, column, options)
    unknowns: list[Unknown] = []
    if options.tribes:
        clash, missing = _tribes(line, after, row, column, options)
        objections += clash
        unknowns += missing
    first = "utc:build.first-card" if is_empty(board) else "utc:build.touch"
    needs = [first, "utc:build.duplicate", "utc:build.width"]
    if card.kind.end:
        needs.append("utc:build.bow-stern")
    return Verdict(tuple(objections), tuple(unknowns), needs=tuple(needs))


def forbidden_kind(card: Card, options: Options) -> list[Objection]:
    """Cards that may not lie in a row at all."""
    if card.kind.group == "axe":
        return [Objection("utc:axe.never-placed", f"a {card.kind.id} is never placed in a row")]
    if not options.lasso_and_bow and card.kind.id in ("lasso", "bow-and-arrows"):
        text = f"{card.kind.id} is not in this household's game (lasso_and_bow = false)"
        return [Objection("utc:addition.lasso-bow", text)]
    return []


def _touches(board: Board, row: int, column: int) -> bool:
    if is_empty(board):
        return True
    for number in (row - 1, row, row + 1):
        if number in ROWS:
            line = board[number - 1]
            if any(line.at(c) is not None for c in (column - 1, column, column + 1)):
                return True
    return False


def too_wide(
    after: Board, row: int, options: Options, rule: str, place: tuple[Any, ...] = ()
) -> list[Objection]:
    """Objections to the width of a row, or of all three with a shared area.

    A row with more cards than columns is too wide in every reading; that gaps count is one.
    """
    line = after[row - 1]
    wide = len(line.cells)
    count = len(line.cards())
    if wide > options.width:
        if count > options.width:
            text = f"row {row} would hold {count} cards; a row has at most {options.width}"
            return [Objection(rule, text, place=place)]
        text = (
            f"row {row} would reach over {wide} columns, gaps counted; "
            f"a row is at most {options.width} wide"
        )
        gaps = "utc:build.width-gaps" if rule == "utc:build.width" else rule
        return [Objection(gaps, text, place=place, clarity=Clarity.INTERPRETATION)]
    if options.area == "shared":
        span = area_width(after)
        if span > options.width:
            text = f"the three rows would reach over {span} columns; together they have {options.width}"
            area = "utc:build.area" if rule == "utc:build.width" else rule
            return [Objection(area, text, place=place)]
    return []


def area_width(board: Board) -> int:
    """Columns from the leftmost to the rightmost card of all rows."""
    used = [line for line in board if line.cells]
    if not used:
        return 0
    return max(line.last for line in used) - min(line.first for line in used) + 1


def alternates(row: Row) -> bool:
    """Whether bows and sterns of a row follow each other in turn."""
    ends = [card.kind.end for card in row.cells if card is not None and card.kind.end]
    return all(a != b for a, b in pairwise(ends))


def loose_ends(row: Row, end: str) -> int:
    """Bows (or sterns) of a row outside its completed canoes."""
    total = sum(card.kind.end == end for card in row.cards())
    return total - sum(canoe.complete for canoe in canoes(row, 1, "span"))


def _bow_stern(
    line: Row, after: Row, card: Card, row: int, column: int, options: Options
) -> list[Objection]:
    end = card.kind.end
    if options.bow_stern == "alternate" and not alternates(after):
        text = f"row {row} would have two {end}s in a row: bows and sterns alternate, left to right"
        right = [canoe for canoe in canoes(line, row, "span") if canoe.complete]
        if end == "bow" and any(canoe.first > column for canoe in right):
            text += "; left of a completed canoe the next canoe starts with its stern"
        return [Objection("utc:build.bow-stern", text, place=(("row", row), ("column", column)))]
    if options.bow_stern == "at-most-one" and loose_ends(line, end):
        text = f"row {row} already has a {end} outside its completed canoes"
        return [Objection("utc:build.bow-stern", text, place=(("row", row), ("column", column)))]
    return []


def tribes_in(canoe: Canoe | None) -> tuple[set[Colour], int]:
    """The known tribes of a canoe, and how many of its Indians have a colour nobody has told."""
    if canoe is None:
        return set(), 0
    indians = [card for card in canoe.cards if has_tribe(card.kind)]
    return {c.colour for c in indians if c.colour is not None}, sum(
        c.colour is None for c in indians
    )


def _tribes(
    before: Row, after: Row, row: int, column: int, options: Options
) -> tuple[list[Objection], list[Unknown]]:
    """Whether the new card brings two tribes into one canoe (`utc:tribes.one-colour`)."""
    joined = next(
        (c for c in canoes(after, row, options.canoe_extent) if c.first <= column <= c.last), None
    )
    if joined is None:
        return [], []
    parts = [
        c
        for c in canoes(before, row, options.canoe_extent)
        if c.first <= joined.last and c.last >= joined.first
    ]
    known, unknown = tribes_in(joined)
    indians = sum(has_tribe(card.kind) for card in joined.cards)
    new = after.at(column)
    joins = new is not None and has_tribe(new.kind)
    if len(known) > 1 and (joins or not any(len(tribes_in(part)[0]) > 1 for part in parts)):
        text = (
            f"the canoe in row {row}, columns {joined.first}-{joined.last}, would hold both tribes"
        )
        return [
            Objection("utc:tribes.one-colour", text, place=(("row", row), ("column", column)))
        ], []
    alone = any(sum(has_tribe(c.kind) for c in part.cards) == indians for part in parts)
    if len(known) < 2 and unknown and indians > 1 and not alone:
        nameless = [c.kind.id for c in joined.cards if has_tribe(c.kind) and c.colour is None]
        text = f"the colour of {', '.join(nameless)} in row {row} is not known, and it matters here"
        return [], [Unknown("utc:tribes.one-colour", text)]
    return [], []


def places(board: Board, card: Card, options: Options) -> list[tuple[int, int]]:
    """Every (row, column) where the card may lie, undetermined ones left out."""
    return [
        spot
        for spot in spots(board)
        if _free(board, spot) and place(board, card, *spot, options).legal
    ]


def may_lie(board: Board, card: Card, options: Options) -> bool:
    """Whether some place is legal or undetermined: it counts as fitting."""
    return any(not place(board, card, *spot, options).objections for spot in spots(board))


def _free(board: Board, spot: tuple[int, int]) -> bool:
    return board[spot[0] - 1].at(spot[1]) is None


def spots(board: Board) -> Iterator[tuple[int, int]]:
    """The places worth asking about: those that touch; column 1 of each row of an empty table."""
    used = [line for line in board if line.cells]
    if not used:
        yield from ((row, 1) for row in ROWS)
        return
    left = min(line.first for line in used) - 1
    right = max(line.last for line in used) + 1
    for row in ROWS:
        for column in range(left, right + 1):
            yield row, column


@dataclass(frozen=True, slots=True)
class Insertion:
    """A card put beside another one, the others shifted if they must."""

    card: Card
    row: int
    beside: str
    """Kind id of the card that it is put next to."""
    side: str
    """`left` or `right` of that card."""
    shift: str
    """Which way the others move; with side right and shift left the card beside moves itself."""
    source: str = "reveal"
    """`reveal`, `steal` or `spoils`."""

    def spot(self, line: Row) -> tuple[int, bool] | None:
        """Column of the new card, and whether cards must move for it; None: nothing to lie beside."""
        beside = line.column_of(self.beside)
        if beside is None:
            return None
        step = 1 if self.side == "right" else -1
        if line.at(beside + step) is None:
            return beside + step, False
        return (beside + step if self.side == self.shift else beside), True

    def result(self, line: Row) -> Row:
        """The row afterwards: cards from the new place on move by one, up to the first gap."""
        spot = self.spot(line)
        if spot is None:
            return line
        column, moved = spot
        if not moved:
            return line.having(column, self.card)
        step = 1 if self.shift == "right" else -1
        block = []
        here = column
        while (card := line.at(here)) is not None:
            block.append((here, card))
            here += step
        after = line
        for c, card in reversed(block):
            after = after.having(c + step, card)
        return after.having(column, self.card)


def insert(board: Board, insertion: Insertion, options: Options) -> Verdict:
    """Whether a card may be put beside another one; shifting is only for a second half."""
    line = board[insertion.row - 1]
    spot = insertion.spot(line)
    if spot is None:
        text = f"no {insertion.beside} lies in row {insertion.row}"
        return Verdict((Objection("utc:treasure.shift", text, impossible=True),))
    column, moved = spot
    if not moved:
        return place(board, insertion.card, insertion.row, column, options)
    card = insertion.card
    after = insertion.result(line)
    here = (("row", insertion.row), ("column", column))
    objections = forbidden_kind(card, options)
    if line.column_of(card.kind.id) is not None:
        text = f"row {insertion.row} already holds a {card.kind.id}"
        objections.append(Objection("utc:build.duplicate", text, place=here))
    objections += _may_shift(insertion, line, options)
    full = len(line.cards()) >= options.width
    rule = "utc:treasure.full-row" if full else "utc:treasure.shift-width"
    objections += too_wide(
        with_row(board, insertion.row, after), insertion.row, options, rule, here
    )
    needs = ["utc:treasure.shift", "utc:treasure.shift-half"]
    if card.kind.group == "character":
        needs.append("utc:treasure.shift-character")
    if insertion.source != "reveal":
        needs.append("utc:treasure.shift-source")
    if len(after.cells) == len(line.cells):
        needs.append("utc:treasure.shift-gap")
    unknowns: list[Unknown] = []
    if options.tribes:
        clash, unknowns = _tribes(line, after, insertion.row, column, options)
        objections += clash
    return Verdict(tuple(objections), tuple(unknowns), needs=tuple(needs))


def _may_shift(insertion: Insertion, line: Row, options: Options) -> list[Objection]:
    """Whether cards may move for this one."""
    card = insertion.card
    at = line.column_of(insertion.beside)
    beside = line.at(at) if at is not None else None
    objections = []
    fits = (
        beside is not None
        and beside.kind.group == "half"
        and beside.kind.family == card.kind.family
        and beside.kind.id != card.kind.id
    )
    if not fits or card.kind.group not in ("half", "character"):
        text = f"cards are shifted only for the second half of a treasure beside the first, not for {card.kind.id} beside {insertion.beside}"
        objections.append(Objection("utc:treasure.shift-half", text))
    elif card.kind.group == "character" and not options.shift_for_character:
        text = f"{card.kind.id} may not shift cards; only a second half may"
        objections.append(Objection("utc:treasure.shift-character", text))
    if insertion.source not in options.shift_on:
        text = f"a card that comes by {insertion.source} shifts nothing here"
        objections.append(Objection("utc:treasure.shift-source", text))
    return objections


def insertions(board: Board, card: Card, options: Options, source: str) -> Iterator[Insertion]:
    """Every legal way to shift cards for this one."""
    if card.kind.group not in ("half", "character") or source not in options.shift_on:
        return
    for row in ROWS:
        line = board[row - 1]
        for _, other in line.items():
            if other.kind.group != "half" or other.kind.family != card.kind.family:
                continue
            for side in ("left", "right"):
                for shift in ("left", "right"):
                    way = Insertion(card, row, other.kind.id, side, shift, source)
                    spot = way.spot(line)
                    if spot is not None and spot[1] and insert(board, way, options).legal:
                        yield way


def fits(board: Board, card: Card, options: Options, source: str) -> bool:
    """Whether some row can take the card, by placing or, where allowed, by shifting."""
    return may_lie(board, card, options) or any(insertions(board, card, options, source))


def surely_fits(board: Board, card: Card, options: Options, source: str) -> bool:
    """As `fits`, but undetermined places do not count."""
    return any(
        place(board, card, *spot, options).legal for spot in spots(board) if _free(board, spot)
    ) or any(insertions(board, card, options, source))


def completes(board: Board, card: Card, options: Options) -> bool:
    """Whether some way to place the card completes a canoe."""
    if any(
        (found := canoe_at(with_row(board, r, board[r - 1].having(c, card)), r, c, "span"))
        is not None
        and found.complete
        for r, c in places(board, card, options)
    ):
        return True
    for way in insertions(board, card, options, "reveal"):
        line = board[way.row - 1]
        before = sum(c.complete for c in canoes(line, way.row, "span"))
        if sum(c.complete for c in canoes(way.result(line), way.row, "span")) > before:
            return True
    return False
