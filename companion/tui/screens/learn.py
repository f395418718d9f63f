"""May the household's deck learn from what was just named?"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, Static


class LearnScreen(ModalScreen[bool]):
    """Asks once. No letter answers: somebody may be typing already."""

    CSS_PATH: ClassVar[str] = "../styles/review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(True)", "Learn"),
        Binding("escape", "dismiss(False)", "Not now"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The question."""
        yield Static(self._question, id="question", markup=False)
        yield Footer(show_command_palette=False)
