"""May the household's deck learn from what was just named?"""

from typing import ClassVar

from textual.binding import Binding, BindingType

from companion.tui.screens.history import ConfirmScreen


class LearnScreen(ConfirmScreen, inherit_bindings=False):
    """Asks once. No letter answers: somebody may be typing already."""

    CSS_PATH: ClassVar[str] = "../styles/review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(True)", "Learn"),
        Binding("escape", "answer(False)", "Not now"),
    ]
