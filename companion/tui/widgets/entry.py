"""The entry line: it owns the printable keys."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Input

from companion.intake.inbox.paths import paths_of


class EntryLine(Input):
    """One line to type on; the screen reads it as it changes.

    Enter hands over what was typed and empties the line at once: keys typed while an act is being
    stored belong to the next one. What is refused is put back by the screen.
    """

    def __init__(self, id: str) -> None:
        super().__init__(placeholder="type here; F1 helps", id=id, select_on_focus=False)

    async def action_submit(self) -> None:
        """Enter."""
        typed = self.value
        self.post_message(self.Submitted(self, typed))
        self.value = ""

    def put_back(self, text: str) -> None:
        """What was typed stands there again, before anything typed since."""
        self.value = text + self.value
        self.cursor_position = len(self.value)


class DropLine(EntryLine):
    """A line for photos too: files dropped on the window arrive as pasted text, several as several lines."""

    @dataclass
    class Dropped(Message):
        """Photos were dropped or pasted, every one of which is there."""

        paths: tuple[str, ...]

    def _on_paste(self, event: events.Paste) -> None:
        found = paths_of(event.text) if "." in event.text and not self.value else None
        event.stop()
        event.prevent_default()
        if found is not None and found.photos and not found.faults:
            self.post_message(self.Dropped(found.photos))
        else:
            self.insert_text_at_cursor(" ".join(event.text.splitlines()))
