"""F1: what can be done on the screen below, and the rule or ruling that was asked for."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

EVERYWHERE = """\
Everywhere
  F1 help    F2 why    F8 score    Esc back    Ctrl+P every action    Ctrl+Q quit
  Ctrl+Z undo    Ctrl+Y redo
  Nothing typed is lost: every act is stored before the screen shows it, so quitting asks nothing.
"""


class TextScreen(ModalScreen[None]):
    """A page of plain text over the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,f1,f2", "close", "Back"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._heading = title
        self._text = text

    def compose(self) -> ComposeResult:
        """The page, which scrolls."""
        with VerticalScroll(id="page"):
            yield Static(self._heading, id="page-title", markup=False)
            yield Static(self._text, id="page-text", markup=False)
        yield Footer(show_command_palette=False)

    def action_close(self) -> None:
        """Back to the screen below."""
        self.dismiss()


class HelpScreen(TextScreen):
    """Help for the screen below."""

    def __init__(self, text: str) -> None:
        super().__init__("Help", f"{text.strip()}\n\n{EVERYWHERE}")
