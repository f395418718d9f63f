"""A short list to choose one thing from."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option


class ChooseScreen(ModalScreen[str | None]):
    """Gives back the key of what was chosen; None for nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, offers: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._heading = title
        self._offers = offers

    def compose(self) -> ComposeResult:
        """A title and the list."""
        yield Static(self._heading, id="title", markup=False)
        yield OptionList(
            *(Option(label.replace("[", "\\["), id=key) for key, label in self._offers), id="offers"
        )
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one("#offers", OptionList).focus()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)
