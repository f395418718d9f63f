"""What lies on a table against the rules; it is scored as written all the same."""

from collections import Counter
from collections.abc import Iterator, Mapping

from card_catalog.model import Deck
from companion.core.score import Note, Problem
from companion.core.verdict import Clarity
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.placement import (
    alternates,
    area_width,
    loose_ends,
    tribes_in,
)
from companion.games.up_the_creek.table import Board, Row, canoes, cards_of


def problems(boards: Mapping[str, Board], options: Options) -> Iterator[Problem]:
    """Every objection to the tables: one a fault."""
    for player, board in boards.items():
        for number, row in enumerate(board, 1):
            yield from _row_problems(player, number, row, options)
        if options.area == "shared" and (wide := area_width(board)) > options.width:
            text = f"{player}'s rows reach over {wide} columns; together they have {options.width}"
            yield Problem("utc:build.area", text, (("player", player),))


def _row_problems(player: str, number: int, row: Row, options: Options) -> Iterator[Problem]:
    here = (("player", player), ("row", number))
    label = f"{player}, row {number}"
    columns: dict[str, list[int]] = {}
    for column, card in row.items():
        columns.setdefault(card.kind.id, []).append(column)
    for kind, at in columns.items():
        if len(at) > 1:
            text = f"{label}: {kind} lies there {len(at)} times; a row holds each card once, whatever its colour"
            yield Problem("utc:build.duplicate", text, (*here, ("columns", tuple(at))))
    wide = len(row.cells)
    if options.area == "row" and wide > options.width:
        rule = "utc:build.width" if len(row.cards()) > options.width else "utc:build.width-gaps"
        text = f"{label}: {wide} columns wide; a row has at most {options.width}"
        yield Problem(rule, text, (*here, ("columns", (row.first, row.last))))
    yield from _ends(label, here, row, options)
    if options.tribes:
        for canoe in canoes(row, number, options.canoe_extent):
            if len(tribes_in(canoe)[0]) > 1:
                text = f"{label}: the canoe in columns {canoe.first}-{canoe.last} holds both tribes"
                yield Problem(
                    "utc:tribes.one-colour", text, (*here, ("columns", tuple(canoe.columns)))
                )
    for kind, card in {card.kind.id: card for card in row.cards()}.items():
        if card.kind.group == "axe":
            text = (
                f"{label}: a {kind} is never placed in a row; it counts for the length all the same"
            )
            yield Problem("utc:axe.never-placed", text, (*here, ("columns", tuple(columns[kind]))))
        if not options.lasso_and_bow and kind in ("lasso", "bow-and-arrows"):
            text = f"{label}: {kind} is not in this household's game (lasso_and_bow = false)"
            yield Problem(
                "utc:addition.lasso-bow", text, (*here, ("columns", tuple(columns[kind])))
            )


def _ends(
    label: str, here: tuple[tuple[str, object], ...], row: Row, options: Options
) -> Iterator[Problem]:
    if options.bow_stern == "alternate" and not alternates(row):
        text = f"{label}: bows and sterns do not alternate, only possible after a theft"
        yield Problem("utc:build.bow-stern", text, here)
    if options.bow_stern == "at-most-one":
        many = [end for end in ("bow", "stern") if loose_ends(row, end) > 1]
        if many:
            text = f"{label}: more than one {' and '.join(many)} outside completed canoes, only possible after a theft"
            yield Problem("utc:build.bow-stern", text, here)


def count_notes(boards: Mapping[str, Board], options: Options, deck: Deck) -> Iterator[Note]:
    """Kinds of which more lie on the tables than the set holds, where the rulebook shows its count."""
    lying = Counter(card.kind.id for board in boards.values() for card in cards_of(board))
    for kind, most in deck.copies_in(options.set).items():
        if kind != "middle" and lying[kind] > most:
            text = f"{lying[kind]} {kind} cards lie on the table; the {options.set} set has {most}"
            yield Note("utc:table.counts", text, Clarity.CLEAR)
