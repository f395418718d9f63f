"""The entry line: it owns the printable keys."""

from textual.widgets import Input


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
