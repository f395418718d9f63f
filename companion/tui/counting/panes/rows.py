"""Up the Creek: three lines of text a player, and the same rows as cards beneath them."""

from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from card_catalog.lookup import lookup_in
from companion import library
from companion.games.up_the_creek.table import EMPTY as NO_ROWS
from companion.games.up_the_creek.table import Board
from companion.tui.boards.up_the_creek import cell_width
from companion.tui.counting import Place
from companion.tui.counting import up_the_creek as rows
from companion.tui.counting.panes.pane import Pane, faults_text
from companion.tui.counting.panes.row_widgets import GridBoard, RowLine
from companion.tui.counting.reading import options_of, problems_at
from companion.tui.widgets.canoes import BoardLook, columns_of, draw, row_line

MOST = 6
"""Suggestions listed at once."""
_ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_PRINTED = frozenset(":=-&")


class RowsPane(Pane):
    """See the module."""

    HELP_TEXT = """
Counting a table of Up the Creek
  One line a row, from left to right, as one writes it: bow lookout
    bear-a bear-b stern, or with commas: bow, 1 paddler, bear front,
    stern. A point is an empty place. Paste works, three lines too.
  The word you type is completed: Up and Down choose, Tab or Enter
    take it; Enter again: next row.
  Page Down and Page Up: the next and the previous player.
  F3: card by card. Arrows move on the grid, letters pick a card,
    Enter lays it, Del takes it away.
"""
    OFFERS = frozenset({"leaf", "grid"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("tab", "go_on", show=False),
        Binding("shift+tab", "go_back", show=False),
    ]

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw)
        self.seat = 1
        self.lookup = lookup_in(library.deck_of(raw["game"], None, None))
        self.completion = rows.Completion(0, 0, "")
        self.chosen: int | None = None
        self.cursor = (1, 1)
        self.place = (1, 1)
        """Of the word that is typed on in a row."""
        self.letters = ""
        """Typed for the place under the grid cursor."""

    def compose(self) -> ComposeResult:
        """Rows, cards, suggestions."""
        for row in rows.ROWS:
            with Horizontal(classes="row"):
                yield Static(f"row {row}", classes="label")
                yield RowLine(id=f"row-{row}")
            yield Static("", classes="wrong", id=f"wrong-{row}", markup=False)
        yield GridBoard("", id="grid", markup=False)
        yield Static("", id="below", markup=False)

    def on_mount(self) -> None:
        """The suggestions follow the cursor."""
        for row in rows.ROWS:
            self.watch(self._line(row), "selection", self._look_at_word, init=False)

    def viewed(self) -> int:
        """The player whose rows are shown."""
        return self.seat

    def reveal(self, place: Place) -> None:
        """Looks at the player, and types on the row."""
        if place and isinstance(place[0], int):
            self.seat = place[0]
            if len(place) > 1 and not self.on_grid:
                self.give(self._line(int(place[1])))

    def take_focus(self) -> None:
        """To the first row."""
        self.give(self._line(1))

    def _line(self, row: int) -> RowLine:
        return self.query_one(f"#row-{row}", RowLine)

    def _focused_row(self) -> int | None:
        """The row that is typed on; None on the grid."""
        return next((row for row in rows.ROWS if self.has(self._line(row))), None)

    @property
    def on_grid(self) -> bool:
        """Whether cards are laid one by one."""
        return self.has(self.query_one("#grid", GridBoard))

    # ---------------------------------------------------------------- drawing

    def draw(self) -> None:
        """Rows, cards, what is wrong."""
        for row in rows.ROWS:
            self._line(row).put(rows.row_of(self.raw, self.seat, row))
        self._look_at_word()
        self._show_cards()

    def _look_at_word(self) -> None:
        row = self._focused_row()
        if self.on_grid:
            self.completion = rows.Completion(0, 0, self.letters)
            if self.letters:
                found = tuple(rows.suggestions(self.letters, self.lookup))
                self.completion = rows.Completion(0, len(self.letters), self.letters, found)
        elif row is not None:
            line = self._line(row)
            self.place = (row, rows.column_at(line.value, line.cursor_position))
            self._show_cards()
            found_now = rows.completion(line.value, line.cursor_position, self.lookup)
            if found_now == self.completion:
                self._show_faults()
                return
            self.completion = found_now
        first = self.completion.choices and not self.completion.whole
        self.chosen = 0 if first else None
        self._show_faults()
        self._show_below()

    def _show_faults(self) -> None:
        problems = problems_at(self.counted, self.names)
        for row in rows.ROWS:
            wrong = self.counted.at(self.seat, row)
            if row == self._focused_row() and self.completion.choices:
                if not self.completion.near:
                    wrong = tuple(w for w in wrong if w.word != self.completion.word)
            here = [p for p in problems if p.place == (self.seat, row)]
            shown = self.query_one(f"#wrong-{row}", Static)
            text = faults_text(wrong, here)
            shown.update(text)
            shown.display = bool(text)

    def _show_below(self) -> None:
        below = self.query_one("#below", Static)
        if self.completion.choices:
            below.update(self._suggested())
            return
        lines: list[Text] = []
        if self.on_grid:
            row, column = self.cursor
            where = Text(f"row {row}, column {column}: ", "bold")
            keys = "letters pick a card, Enter lays it, Del takes it away; F3: back to text"
            lines.append(where.append(keys, "not bold"))
            if self.letters:
                lines.append(Text(f"no card is called {self.letters}", "bold red"))
        whole = [w for w in self.counted.wrong if len(w.place) < len(("seat", "row"))]
        problems = problems_at(self.counted, self.names)
        found = faults_text(whole, [p for p in problems if p.place in ((), (self.seat,))])
        lines += [found] if found else []
        if self.counted.score is not None:
            for line in self.counted.score.players[self.seat - 1].lines:
                row = dict(line.where).get("row", "")
                lines.append(Text(f"{line.points:>4}  row {row}: {line.what}"))
        below.update(Text("\n").join(lines))

    def _suggested(self) -> Text:
        found = self.completion.choices
        at = self.chosen or 0
        first = max(0, min(at - MOST // 2, len(found) - MOST))
        text = Text(no_wrap=True)
        if self.completion.near:
            text.append(f"no card is called {self.completion.word}; did you mean\n", "bold red")
        for i, (word, name) in enumerate(found[first : first + MOST], first):
            mark = "▸ " if i == self.chosen else "  "
            text.append(f"{mark}{word:<18}{name}", "reverse" if i == self.chosen else "")
            text.append("\n")
        left = len(found) - first - MOST
        if left > 0:
            text.append(f"  ... {left} more", "dim")
        return text

    def _board(self, seat: int) -> Board:
        if self.counted.table is None:
            return NO_ROWS
        board: Board = self.counted.table.sheet.position.boards[self.names[seat - 1]]
        return board

    def _show_cards(self) -> None:
        self.query_one("#grid", GridBoard).update(self._cards())

    def _cards(self) -> Text:
        options = options_of(self.raw)
        width = max(40, self.app.size.width - 2)
        cell = cell_width(width)
        look = BoardLook(cell=cell, cursor=self.place)
        if self.on_grid:
            lit = frozenset({self.cursor})
            look = BoardLook(cell=cell, lit=lit, cursor=self.cursor, ghost=self.letters)
        text = Text(no_wrap=True, overflow="crop")
        text.append_text(draw(self._board(self.seat), options, look, width))
        room = self.app.size.height - 26
        others = [s for s in range(1, len(self.names) + 1) if s != self.seat]
        totals = self.counted.score.totals if self.counted.score is not None else {}
        for seat in others if room >= len(others) else []:
            name = self.names[seat - 1]
            points = totals.get(name, 0)
            if room >= 9 * len(others):
                text.append(f"\n{name}", "bold")
                text.append(f"  {points}\n")
                text.append_text(draw(self._board(seat), options, BoardLook(cell=cell), width))
            else:
                text.append("\n")
                text.append_text(row_line(name, self._board(seat), points, width))
        return text

    # ---------------------------------------------------------------- typing

    @on(Input.Changed)
    def _typed_on(self, event: Input.Changed) -> None:
        row = int((event.input.id or "row-1")[-1])
        text = event.input.value  # which may be newer than the event
        if text != rows.row_of(self.raw, self.seat, row):
            settled = text[-1:] in ("", " ", ",")
            raw = rows.with_row(self.raw, self.seat, row, text)
            self.change(raw, (self.seat, row), settled)

    @on(Input.Submitted)
    def _entered(self) -> None:
        self.action_go_on()

    @on(RowLine.Pasted)
    def _pasted(self, event: RowLine.Pasted) -> None:
        row = int((event.line.id or "row-1")[-1])
        lines = event.rows
        raw = self.raw
        for offset, text in enumerate(lines):
            if row + offset in rows.ROWS:
                raw = rows.with_row(raw, self.seat, row + offset, text)
        if row + len(lines) - 1 > len(rows.ROWS):
            self.app.notify(f"{len(lines)} lines: a player has three rows, the rest is left out.")
        self.change(raw, (self.seat,), True)

    def action_move(self, step: int) -> None:
        """The next suggestion, or the next row."""
        if self.completion.choices:
            now = -1 if self.chosen is None else self.chosen
            self.chosen = max(0, min(now + step, len(self.completion.choices) - 1))
            self._show_below()
        else:
            self._go(step)

    def action_go_on(self) -> None:
        """Takes the suggestion; where there is none, the next row, then the next player."""
        row = self._focused_row()
        if row is None:
            return
        if self.chosen is not None and self.completion.choices:
            line = self._line(row)
            choice = self.completion.choices[self.chosen][0]
            text, cursor = rows.taken(line.value, self.completion, choice)
            line.put(text, cursor)
            self.change(rows.with_row(self.raw, self.seat, row, text), (self.seat, row), True)
            return
        self._go(1)

    def action_go_back(self) -> None:
        """The row before."""
        self._go(-1)

    def _go(self, step: int) -> None:
        row = (self._focused_row() or 1) + step
        if row in rows.ROWS:
            self.give(self._line(row))
        elif 1 <= self.seat + step <= len(self.names):
            self._turn_to(self.seat + step, 1 if step > 0 else len(rows.ROWS))

    def action_leaf(self, step: int) -> None:
        """Another player."""
        seat = (self.seat - 1 + step) % len(self.names) + 1
        self._turn_to(seat, self._focused_row() or 1)

    def _turn_to(self, seat: int, row: int) -> None:
        self.seat = seat
        self.letters = ""
        self.cursor = (1, 1)
        if not self.on_grid:
            self.give(self._line(row))
        self.looked()

    def on_descendant_focus(self) -> None:
        """Suggestions and cursor are those of where one types now."""
        self._look_at_word()
        self._show_cards()

    # ---------------------------------------------------------------- the grid

    def action_grid(self) -> None:
        """Card by card, or back to text."""
        self.letters = ""
        if self.on_grid:
            self.give(self._line(self.cursor[0]))
            return
        row = self._focused_row() or 1
        self.cursor = (row, max(1, self._board(self.seat)[row - 1].last + 1))
        self.give(self.query_one("#grid", GridBoard))

    @on(GridBoard.Pointed)
    def _pointed(self, event: GridBoard.Pointed) -> None:
        x, y = event.x, event.y
        width = max(40, self.app.size.width - 2)
        cell = cell_width(width)
        first, last = columns_of(self._board(self.seat), frozenset())
        if not 1 <= y <= 2 * len(rows.ROWS) or x < 4 or (last - first + 1) * cell + 4 > width:
            return
        self.letters = ""
        self.cursor = ((y + 1) // 2, first + (x - 4) // cell)
        self.give(self.query_one("#grid", GridBoard))
        self._show_cards()
        self._show_below()

    def on_key(self, event: events.Key) -> None:
        """Keys on the grid."""
        if not self.on_grid:
            return
        if event.key in ("up", "down") and self.completion.choices:
            event.stop()
            self.action_move(_ARROWS[event.key][0])
            return
        if not self._grid_key(event.key, event.character):
            return
        event.stop()
        event.prevent_default()
        self._look_at_word()
        self._show_below()
        self._show_cards()

    def _grid_key(self, key: str, character: str | None) -> bool:
        """Whether the key means something on the grid; does it."""
        if key in _ARROWS:
            down, right = _ARROWS[key]
            row = max(1, min(self.cursor[0] + down, len(rows.ROWS)))
            self.cursor = (row, max(0, self.cursor[1] + right))
            self.letters = ""
        elif key in ("enter", "tab", "space"):
            self._lay()
        elif key == "backspace" and self.letters:
            self.letters = self.letters[:-1]
        elif key in ("delete", "backspace"):
            self._change_rows(rows.removed(self._texts(), *self.cursor), self.cursor)
        elif key == "escape" and self.letters:
            self.letters = ""
        elif key == "escape":
            self.action_grid()
        elif character is not None and (character.isalnum() or character in _PRINTED):
            self.letters += character
        else:
            return False
        return True

    def _texts(self) -> list[str]:
        return [rows.row_of(self.raw, self.seat, row) for row in rows.ROWS]

    def _lay(self) -> None:
        found = self.completion.choices
        typed_whole = rows.completion(self.letters, len(self.letters), self.lookup).whole
        if found and not (typed_whole and not self.chosen):
            word = found[self.chosen or 0][0]
        elif typed_whole:
            word = self.letters
        else:
            return
        row, column = self.cursor
        texts, column = rows.placed(self._texts(), row, column, word)
        self.letters = ""
        self._change_rows(texts, (row, column + 1))

    def _change_rows(self, texts: list[str], cursor: tuple[int, int]) -> None:
        self.cursor = cursor
        raw = rows.with_rows(self.raw, self.seat, texts)
        if raw != self.raw:
            self.change(raw, (self.seat,), True)
