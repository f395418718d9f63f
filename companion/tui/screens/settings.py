"""Settings: how pictures are shown, with a sample to see whether this terminal can."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.tui.settings import MEANINGS, Settings, keep, settings
from companion.tui.widgets.picture import Picture, way_for
from companion.tui.widgets.terminal import Pictures

_FACE = "eagle"
"""Of the deck that ships, as a sample."""


class SettingsScreen(Screen[None]):
    """Chooses how pictures are shown; it holds at once and for every evening to come."""

    CSS_PATH: ClassVar[str] = "../styles/enrol.tcss"
    HELP_TEXT = """
Settings
  Pictures: Up and Down show the sample each way, Enter keeps it.
  If the sample is garbled, this terminal does not know that way:
    take another. Every picture is named in words, so none does too.
  COMPANION_PICTURES in the environment goes before the setting.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("question_mark", "app.help", show=False),
    ]

    def compose(self) -> ComposeResult:
        """The ways, and the sample."""
        yield Static("Settings: pictures", id="title")
        yield OptionList(id="ways")
        yield Static("", id="hint", markup=False)
        yield Picture(id="sample")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self._draw()
        self.query_one("#ways", OptionList).focus()

    def _draw(self) -> None:
        listed, told = self.query_one("#ways", OptionList), settings().pictures
        listed.clear_options()
        for way, meaning in MEANINGS.items():
            listed.add_option(Option(f"{'●' if way == told else '○'} {way:8} {meaning}", id=way))
        listed.highlighted = list(MEANINGS).index(told)

    @on(OptionList.OptionHighlighted, "#ways")
    async def _sample(self, event: OptionList.OptionHighlighted) -> None:
        way = _way(event.option_id)
        shown = way_for(self.app, way)
        hint = f"Here, auto is {shown}." if way == "auto" else "Enter keeps it."
        self.query_one("#hint", Static).update(hint)
        from companion.tui.enrolling.shelf import Reference, picture_of

        picture = self.query_one("#sample", Picture)
        await picture.use(shown)
        picture.show(picture_of("up-the-creek", _FACE, Reference(None, "")), f"A sample: {_FACE}")

    @on(OptionList.OptionSelected, "#ways")
    def _keep(self, event: OptionList.OptionSelected) -> None:
        try:
            keep(Settings(_way(event.option_id)))
        except UnusableInput as error:
            self.app.notify("; ".join(map(str, error.faults)), severity="error", timeout=15)
            return
        self._draw()
        self.query_one("#hint", Static).update("Kept.")


def _way(name: str | None) -> Pictures:
    return next(way for way in MEANINGS if way == name)
