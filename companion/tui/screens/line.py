"""One line that is asked for: a name, a path."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Static


class LineScreen(ModalScreen[str | None]):
    """Gives back what was typed; None for nothing. What is wrong with it is said while it stands there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("f1", "app.help", "Help", show=False),
    ]

    def __init__(
        self,
        question: str,
        value: str = "",
        fault: Callable[[str], str] = lambda text: "",
        helps: str = "",
    ) -> None:
        """`fault`: what is wrong with a text in words, else nothing."""
        super().__init__()
        self._question = question
        self._value = value
        self._fault = fault
        self.HELP_TEXT = helps

    def compose(self) -> ComposeResult:
        """The question and the line."""
        with Vertical(id="asked"):
            yield Static(self._question, id="question-line", markup=False)
            yield Input(self._value, id="line", select_on_focus=False)
            yield Static("", id="wrong", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The line takes the keys."""
        self.query_one("#line", Input).focus()

    @on(Input.Changed, "#line")
    def _typed(self) -> None:
        self.query_one("#wrong", Static).update("")

    @on(Input.Submitted, "#line")
    def _entered(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if not text:
            return
        fault = self._fault(text)
        if fault:
            self.query_one("#wrong", Static).update(fault)
        else:
            self.dismiss(text)
