"""The photographed cards behind a line of the score, one after the other."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.intake.crops import Crops
from companion.session.seen import SeenCard
from companion.tui.widgets.picture import Picture


class CropsScreen(ModalScreen[None]):
    """Lists the cards; the marked one is shown as the photo has it."""

    CSS_PATH: ClassVar[str] = "../styles/review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,p", "dismiss", "Back")]

    def __init__(self, title: str, cards: Sequence[SeenCard]) -> None:
        super().__init__()
        self._heading = title
        self._cards = cards
        self._crops: Crops | None = None

    def compose(self) -> ComposeResult:
        """The cards, and the picture of one."""
        yield Static(self._heading, id="title", markup=False)
        with Horizontal(id="looks"):
            yield OptionList(id="cards")
            yield Picture(id="crop")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The first card."""
        listed = self.query_one("#cards", OptionList)
        for card in self._cards:
            where = f"row {card.row}, column {card.column}: " if card.row else ""
            listed.add_option(Option(f"{where}{card.card}, {card.how}".replace("[", "\\[")))
        listed.highlighted = 0
        listed.focus()

    @on(OptionList.OptionHighlighted)
    def _marked(self, event: OptionList.OptionHighlighted) -> None:
        self._look(self._cards[event.option_index])

    @work(thread=True, exclusive=True, group="looking", exit_on_error=False)
    def _look(self, card: SeenCard) -> None:
        from companion.intake.photo_shelf import shelf_of

        store = self.app.store  # type: ignore[attr-defined]
        if self._crops is None:
            self._crops = Crops(shelf_of(store).open) if store is not None else Crops()
        picture: Any = None
        words = f"{card.card} on {card.name}"
        try:
            picture = self._crops.card(card.photo, card.box)
        except UnusableInput as error:
            words = f"{card.card}: {error}"
        self.app.call_from_thread(self._show, picture, words)

    def _show(self, picture: Any, words: str) -> None:
        if self.is_mounted:
            self.query_one("#crop", Picture).show(picture, words)
