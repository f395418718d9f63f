"""The table of Up the Creek: the viewed player's rows large, everybody else in a line or three."""

from collections import Counter
from typing import Any

from rich.text import Text

from companion.games.up_the_creek.scoring import canoe_lines
from companion.games.up_the_creek.table import Board, cards_of, completed
from companion.tui.entry.prompt import Choice, Prompt
from companion.tui.widgets.canoes import BoardLook, draw, row_line

_OWN = 7
"""Lines of the large board."""


def points_of(board: Board, options: Any) -> int:
    """Points of the completed canoes so far."""
    return sum(line.points for c in completed(board) for line in canoe_lines(c, options))


def cell_width(width: int) -> int:
    """Columns a card takes: 5 on a terminal of 80, 7 from 120 on, 9 from 160 on."""
    if width >= 158:
        return 9
    return 7 if width >= 118 else 5


def board(
    session: Any, prompt: Prompt, choice: Choice | None, viewed: str, width: int, height: int
) -> Text:
    """See `boards.board_of`."""
    state = session.state
    tables = state.tables
    name = viewed if viewed in tables else state.players[0]
    mine = name == prompt.player
    look = BoardLook(
        cell=cell_width(width),
        lit=prompt.lit if mine else frozenset(),
        cursor=choice.place if mine and choice is not None else None,
    )
    text = Text(no_wrap=True, overflow="crop")
    text.append(f"{name}", "bold")
    text.append(f"  {points_of(tables[name], session.options)} points so far")
    text.append("   (Tab: the others)\n" if len(tables) > 1 else "\n", "dim")
    text.append_text(draw(tables[name], session.options, look, width))
    room = height - _OWN - 1
    others = [p for p in tables if p != name]
    for player in others:
        points = points_of(tables[player], session.options)
        if room >= len(others) * 8:
            text.append(f"\n{player}", "bold")
            text.append(f"  {points} points so far\n")
            text.append_text(draw(tables[player], session.options, BoardLook(cell=5), width))
        else:
            text.append("\n")
            text.append_text(row_line(player, tables[player], points, width))
    return text


def census(session: Any) -> str:
    """Placed, discarded and, where the rulebook gives the number, left: kind by kind."""
    state = session.state
    placed = Counter(c.kind.id for b in state.boards for c in cards_of(b))
    gone = Counter(c.kind.id for c in state.discard)
    held = Counter(c.kind.id for c in state.held())
    known = session.deck.copies_in(session.options.set)
    lines = [f"{'card':<22}{'placed':>7}{'discard':>9}{'left':>6}"]
    for kind in session.deck.kinds.values():
        seen = placed[kind.id] + gone[kind.id] + held[kind.id]
        if not seen and kind.id not in known:
            continue
        left = str(max(0, known[kind.id] - seen)) if kind.id in known else "?"
        lines.append(f"{kind.name:<22}{placed[kind.id]:>7}{gone[kind.id]:>9}{left:>6}")
    lines.append("")
    lines.append("left: only where the rulebook shows how many there are; ? is not known")
    return "\n".join(lines)
