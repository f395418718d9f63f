"""What the rows of Up the Creek are typed on: a line of text, and the cards with a cursor."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Static

from companion.tui.counting import up_the_creek as rows
from companion.tui.counting.panes.pane import Line


class RowLine(Line):
    """A row as text; a text of several lines is pasted into the rows below, too."""

    @dataclass
    class Pasted(Message):
        """Several rows at once."""

        line: "RowLine"
        rows: list[str]

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        lines = rows.pasted(event.text)
        if len(lines) > 1:
            self.post_message(self.Pasted(self, lines))
        elif lines:
            self.insert_text_at_cursor(lines[0])


class GridBoard(Static):
    """The rows as cards; with the focus, a cursor moves on them."""

    can_focus = True

    @dataclass
    class Pointed(Message):
        """Where the mouse clicked, in cells from the corner of the text."""

        x: int
        y: int

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Letters pick a card."""
        return character is not None and character.isprintable()

    def on_click(self, event: events.Click) -> None:
        """The cursor goes where one points."""
        self.post_message(self.Pointed(event.x - 1, event.y))
