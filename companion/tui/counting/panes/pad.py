"""Without a Paddle: a pad of rounds, bid and tricks a player, moved on with the arrows."""

from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.scoring import START, points_of
from companion.tui.counting import Place
from companion.tui.counting import without_a_paddle as pad
from companion.tui.counting.panes.pane import Pane, faults_text, padded
from companion.tui.counting.reading import options_of, problems_at
from companion.tui.counting.without_a_paddle import Cell

_SUMS = 8
"""Cells of the last column."""
_ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class PadGrid(Static):
    """The pad; it owns digits and `r`."""

    can_focus = True

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Digits are typed here; `r` is an act of the pane."""
        return character is not None and character.isprintable() and character not in "rR"

    def on_click(self, event: events.Click) -> None:
        """The cursor goes where one points."""
        pane = next(a for a in self.ancestors if isinstance(a, PadPane))
        pane.point_at(event.x - 1, event.y)


class PadPane(Pane):
    """See the module."""

    HELP_TEXT = """
Counting a match of Without a Paddle
  One line a round: for each player the bid and the tricks. Type the
    number; Enter or an arrow goes on.
  The last column adds up bids and tricks; ! says that the tricks do
    not come to the cards dealt.
  D marks the dealer. The line below says which bid the dealer may
    not make.
  r: the player under the cursor reneged (again); R takes one back.
    Del empties a cell.
"""
    OFFERS = frozenset({"renege"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+tab", "step(-1)", show=False),
    ]

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw)
        self.cell = Cell(1, 1, "bids")
        self.fresh = True
        """The cursor has just come here: a digit writes over the number."""
        self.first = 1
        """The topmost round shown."""

    def compose(self) -> ComposeResult:
        """The pad, what may stand in the cell, what is wrong."""
        yield PadGrid("", id="pad", markup=False)
        yield Static("", id="may", markup=False)
        yield Static("", id="below", markup=False)

    def reveal(self, place: Place) -> None:
        """The cursor goes to the cell."""
        if len(place) == 3 and isinstance(place[0], int) and isinstance(place[1], int):
            key = str(place[2]) if place[2] in pad.KEYS else self.cell.key
            self.cell = Cell(place[0], place[1], key)
            self.fresh = True

    def take_focus(self) -> None:
        """To the pad, on the first empty cell."""
        self.cell = self._first_empty()
        self.give(self.query_one("#pad", PadGrid))

    def _first_empty(self) -> Cell:
        options = options_of(self.raw)
        for number in range(1, pad.rounds_in(self.raw, options) + 1):
            for player in range(1, len(self.names) + 1):
                for key in pad.KEYS:
                    cell = Cell(number, player, key)
                    if pad.value(self.raw, cell) is None:
                        return cell
        return Cell(1, 1, "bids")

    # ---------------------------------------------------------------- drawing

    def _wide(self) -> int:
        """Cells of the screen a player takes."""
        room = max(40, self.app.size.width - 2) - self._head() - _SUMS
        return max(8, min(20, room // len(self.names)))

    def _head(self) -> int:
        """Cells before the first player: round and cards; fewer where eight sit in 80 columns."""
        return 13 if self.app.size.width - 2 >= 13 + 8 * len(self.names) + _SUMS else 8

    def draw(self) -> None:
        """The pad with the running totals, then the words below it."""
        options = options_of(self.raw)
        rounds = pad.rounds_in(self.raw, options)
        self.cell = Cell(min(self.cell.round, rounds), self.cell.player, self.cell.key)
        shown = min(rounds, max(3, self.app.size.height - 11))
        self.first = max(
            self.cell.round - shown + 1, min(self.first, self.cell.round, rounds - shown + 1)
        )
        text = self._heading()
        for number in range(self.first, self.first + shown):
            text.append("\n")
            text.append_text(self._round(number, options))
        self.query_one("#pad", PadGrid).update(text)
        self.query_one("#may", Static).update(pad.hint(self.raw, self.cell, options))
        self.query_one("#below", Static).update(self._below())

    def _heading(self) -> Text:
        wide = self._wide()
        title = "round cards  " if self._head() > 8 else " rd cds "
        text = Text(title, "bold")
        for name in self.names:
            text.append(f" {padded(name, wide - 2)} ", "bold")
        return text.append("sums", "dim")

    def _round(self, number: int, options: Options) -> Text:
        this = pad.deal(self.raw, number, options)
        more = "‹" if number == self.first > 1 else " "
        text = Text(f"{more}{number:>4} {this.cards:>5}  ")
        if self._head() <= 8:
            text = Text(f"{more}{number:>2} {this.cards:>3} ")
        counted = self._counted_rounds()
        for player, name in enumerate(self.names, 1):
            mark = "D" if name == this.dealer else " "
            text.append(mark, "bold")
            for key in pad.KEYS:
                text.append_text(self._number(Cell(number, player, key)))
                if key == "bids":
                    text.append("/", "dim")
            often = pad.reneges(self.raw, number, player)
            used = 6
            told = f"r{often if often > 1 else ''}" if often else ""
            text.append(told, "bold red")
            used += len(told)
            wide = self._wide()
            if wide >= 14 and number <= counted:
                text.append(
                    f"{self._total_after(number, player, options):>{wide - used - 2}}", "dim"
                )
                used = wide - 2
            text.append(" " * max(0, wide - used))
        added = pad.sums(self.raw, number, options)
        if any(
            pad.value(self.raw, Cell(number, p, k)) is not None for p in self._all for k in pad.KEYS
        ):
            text.append(added.text, "bold red" if "!" in added.text else "dim")
        return text

    @property
    def _all(self) -> range:
        return range(1, len(self.names) + 1)

    def _number(self, cell: Cell) -> Text:
        number = pad.value(self.raw, cell)
        shown = "··" if number is None else f"{number:>2}"
        here = cell == self.cell
        return Text(shown, "reverse bold" if here else "dim" if number is None else "")

    def _counted_rounds(self) -> int:
        table = self.counted.table
        return 0 if table is None else len(table.sheet.position.rounds)

    def _total_after(self, number: int, player: int, options: Options) -> int:
        """The total after the round."""
        total = START
        for before in range(1, number + 1):
            bid = pad.value(self.raw, Cell(before, player, "bids")) or 0
            won = pad.value(self.raw, Cell(before, player, "tricks")) or 0
            cards = pad.deal(self.raw, before, options).cards
            often = pad.reneges(self.raw, before, player)
            total += points_of(bid, won, cards, often, options)
        return total

    def _below(self) -> Text:
        problems = sorted(
            problems_at(self.counted, self.names),
            key=lambda p: (p.place != (self.cell.round,), p.place),
        )
        text = faults_text(self.counted.wrong, problems)
        for awaited in self.counted.awaited:
            text.append("\n" if text else "").append(f"… {awaited.text}", "dim")
        return text

    # ---------------------------------------------------------------- typing

    def on_key(self, event: events.Key) -> None:
        """Digits, arrows, Enter."""
        if not self.has(self.query_one("#pad", PadGrid)):
            return
        if event.key in _ARROWS:
            self._move(*_ARROWS[event.key])
        elif event.key in ("enter", "tab", "space"):
            self.action_step(1)
        elif event.key in ("pageup", "pagedown"):
            self._move(5 if event.key == "pagedown" else -5, 0)
        elif event.key in ("home", "end"):
            key = pad.KEYS[0 if event.key == "home" else 1]
            self._to(Cell(self.cell.round, 1 if event.key == "home" else len(self.names), key))
        elif event.character is not None and event.character in "0123456789":
            self._digit(int(event.character))
        elif event.key == "backspace":
            now = pad.value(self.raw, self.cell)
            self._set(now // 10 if now is not None and now >= 10 else None, fresh=False)
        elif event.key == "delete":
            self._set(None, fresh=True)
        else:
            return
        event.stop()
        event.prevent_default()

    def _digit(self, digit: int) -> None:
        now = pad.value(self.raw, self.cell)
        cards = pad.deal(self.raw, self.cell.round, options_of(self.raw)).cards
        self._set(pad.typed(now, digit, max(cards, 10), self.fresh), fresh=False)

    def _set(self, number: int | None, fresh: bool) -> None:
        self.fresh = fresh
        raw = pad.with_value(self.raw, self.cell, number)
        if raw != self.raw:
            place = (self.cell.round, self.cell.player, self.cell.key)
            self.change(raw, place, fresh)

    def action_renege(self, step: int) -> None:
        """The player under the cursor reneged once more, or once less."""
        number, player = self.cell.round, self.cell.player
        often = pad.reneges(self.raw, number, player) + step
        raw = pad.with_reneges(self.raw, number, player, min(9, often))
        if raw != self.raw:
            self.change(raw, (number, player, "reneged"), True)

    def _move(self, down: int, right: int) -> None:
        columns = [(player, key) for player in self._all for key in pad.KEYS]
        at = columns.index((self.cell.player, self.cell.key))
        at = max(0, min(at + right, len(columns) - 1))
        rounds = pad.rounds_in(self.raw, options_of(self.raw))
        number = max(1, min(self.cell.round + down, rounds))
        self._to(Cell(number, *columns[at]))

    def action_step(self, step: int) -> None:
        """The next cell, from line to line."""
        columns = [(player, key) for player in self._all for key in pad.KEYS]
        at = columns.index((self.cell.player, self.cell.key)) + step
        rounds = pad.rounds_in(self.raw, options_of(self.raw))
        number = self.cell.round + at // len(columns)
        if 1 <= number <= rounds:
            self._to(Cell(number, *columns[at % len(columns)]))

    def _to(self, cell: Cell) -> None:
        self.cell = cell
        self.fresh = True
        self.draw()

    def point_at(self, x: int, y: int) -> None:
        """The cell that lies there on the screen, if there is one."""
        player, inside = divmod(x - self._head(), self._wide())
        number = self.first + y - 1
        rounds = pad.rounds_in(self.raw, options_of(self.raw))
        if y >= 1 and 0 <= player < len(self.names) and number <= rounds:
            self._to(Cell(number, player + 1, pad.KEYS[0 if inside < 4 else 1]))
