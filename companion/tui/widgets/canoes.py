"""The three rows of a player as cards in a grid, canoes outlined beneath them."""

from dataclasses import dataclass, field

from rich.text import Text

from card_catalog.model import Card
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.scoring import canoe_lines
from companion.games.up_the_creek.table import Board, Canoe, canoes

SYMBOLS = {
    "section": ("─", "grey70"),
    "indian": ("▲", "orange3"),
    "totem": ("▣", "magenta"),
    "axe": ("†", "red"),
    "single": ("◆", "yellow"),
    "half": ("◧", "green"),
    "character": ("☺", "cyan"),
}
"""Symbol and colour of each group: never the colour alone."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """How a board is to be drawn."""

    cell: int = 5
    """Columns of the screen a card takes."""
    lit: frozenset[tuple[int, int]] = frozenset()
    cursor: tuple[int, int] | None = None
    colour: bool = True
    ghost: str = field(default="")
    """Code of the card that would lie at the cursor."""


def card_text(card: Card, width: int, colour: bool = True) -> Text:
    """A card in `width` columns: its code, its printed number, the symbol of its group."""
    kind = card.kind
    symbol, style = SYMBOLS.get(kind.group, ("?", "white"))
    code = kind.code or kind.id[:3]
    if kind.end == "bow":
        body = f"◖{code}"
    elif kind.end == "stern":
        body = f"{code}◗"
    elif kind.half:
        body = f"{code}▐" if kind.half == "a" else f"▌{code}"
    else:
        body = f"{symbol}{code}"
    if card.number is not None and len(body) + len(str(card.number)) <= width:
        body += str(card.number)
    text = Text(body[:width].ljust(width), style=style if colour else "")
    if card.colour is not None and colour:
        text.stylize("bold red" if card.colour == "red" else "bold grey37", 0, 1)
    return text


def columns_of(board: Board, lit: frozenset[tuple[int, int]]) -> tuple[int, int]:
    """First and last column to draw."""
    used = [row for row in board if row.cells]
    firsts = [row.first for row in used] + [c for _, c in lit]
    lasts = [row.last for row in used] + [c for _, c in lit]
    if not firsts:
        return 1, 1
    return min(firsts), max(lasts)


def draw(board: Board, options: Options, look: BoardLook, width: int) -> Text:
    """The board as text: a ruler, then each row and the outlines of its canoes.

    Wider than `width` it is cut around the cursor and its edges are marked.
    """
    first, last = columns_of(board, look.lit)
    room = max(1, (width - 4) // look.cell)
    if last - first + 1 > room:
        centre = look.cursor[1] if look.cursor else last
        first = max(first, min(centre - room // 2, last - room + 1))
        shown_last = first + room - 1
    else:
        shown_last = last
    text = Text(no_wrap=True)
    text.append("    ")
    for column in range(first, shown_last + 1):
        text.append(str(column).ljust(look.cell), "dim")
    for number, row in enumerate(board, 1):
        text.append("\n")
        left = "‹" if row.cells and row.first < first else " "
        text.append(f" {number}{left} ", "bold")
        for column in range(first, shown_last + 1):
            text.append_text(_cell(row.at(column), (number, column), look))
        if row.cells and row.last > shown_last:
            text.append("›")
        text.append("\n    ")
        text.append_text(_outlines(board, number, options, look, first, shown_last))
    return text


def _cell(card: Card | None, place: tuple[int, int], look: BoardLook) -> Text:
    here = place == look.cursor
    if card is not None:
        text = card_text(card, look.cell, look.colour)
        if here:
            text.stylize("reverse")
        return text
    if here:
        return Text(f"[{look.ghost or '·'}]"[: look.cell].ljust(look.cell), "bold reverse")
    if place in look.lit:
        return Text("+".ljust(look.cell), "bold green" if look.colour else "bold")
    return Text("·".ljust(look.cell), "dim")


def _outlines(
    board: Board, number: int, options: Options, look: BoardLook, first: int, last: int
) -> Text:
    text = Text()
    at = first
    for canoe in canoes(board[number - 1], number, options.canoe_extent):
        start, stop = max(canoe.first, first), min(canoe.last, last)
        if start > stop:
            continue
        text.append(" " * (look.cell * (start - at)))
        text.append_text(_outline(canoe, options, look.cell * (stop - start + 1), look))
        at = stop + 1
    return text


def _outline(canoe: Canoe, options: Options, width: int, look: BoardLook) -> Text:
    """`╚══ 6x1 + 10 = 16 ══╝` under a completed canoe, a single line under an open one."""
    if not canoe.complete:
        style = "dim"
        return Text("└" + "─" * (width - 2) + "┘" if width > 1 else "─", style)
    lines = canoe_lines(canoe, options)
    points = sum(line.points for line in lines)
    formula = " + ".join(line.formula for line in lines)
    for label in (f" {formula} = {points} ", f" {points} points ", f"{points}"):
        if len(label) <= width - 2:
            break
    else:
        label = ""
    inner = label.center(width - 2, "═") if len(label) <= width - 2 else "═" * (width - 2)
    return Text(f"╚{inner}╝", "bold green" if look.colour else "bold")


def row_line(name: str, board: Board, points: int, width: int) -> Text:
    """A player's rows in one line: the codes of the cards."""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(name, "bold")
    text.append(f" {points}  ")
    for number, row in enumerate(board, 1):
        if not row.cells:
            continue
        text.append(f" {number}:", "dim")
        for cell in row.cells:
            if cell is None:
                text.append("· ", "dim")
            else:
                text.append_text(card_text(cell, 4))
    text.truncate(width, overflow="ellipsis")
    return text
