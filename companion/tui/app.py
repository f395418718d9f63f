"""The program: opens the store in the background, shows home, and carries what every screen shares."""

from typing import Any, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from companion.tui.commands import KeyedActions
from companion.tui.messages import StoreFailed, StoreOpened

ACCENTS = {"up-the-creek": "#d08c4a", "without-a-paddle": "#5f9fd8", "gold-up": "#d8b84a"}
"""One accent colour a game."""

CONTRAST = Theme(
    name="companion-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    accent="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    success="#00ff00",
    warning="#ffff00",
    error="#ff6060",
    dark=True,
)
EVENING = Theme(
    name="companion-evening",
    primary="#d08c4a",
    secondary="#5f9fd8",
    accent="#d8b84a",
    foreground="#e8e0d4",
    background="#1b1a18",
    surface="#23211e",
    panel="#2d2a26",
    success="#7fb069",
    warning="#e0b050",
    error="#d96c5f",
    dark=True,
)


class CompanionApp(App[None]):
    """Companion at the table."""

    TITLE = "Companion"
    COMMANDS = App.COMMANDS | {KeyedActions}
    CSS_PATH: ClassVar[str] = "styles/companion.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(self, db: str | None = None, first: str = "") -> None:
        super().__init__()
        self.db = db
        self.first = first
        """What home opens at once: `demo`, or nothing."""
        self.store: Any = None
        """The household's store; None until it is open."""
        self.register_theme(EVENING)
        self.register_theme(CONTRAST)
        self.theme = "companion-evening"

    def notify(self, message: str, **given: Any) -> None:
        """A toast; names and typed text in it are never read as markup."""
        super().notify(message, **{**given, "markup": False})

    def on_mount(self) -> None:
        """Home is painted first; the store follows."""
        from companion.tui.screens.home import HomeScreen

        home = HomeScreen()
        self.push_screen(home)
        if self.first:
            self.call_after_refresh(home.action_choose, self.first)
        self.call_after_refresh(self.open_store)

    @work(thread=True, exclusive=True, group="store", exit_on_error=False)
    def open_store(self) -> None:
        """Opens the store, migrating it where it is old."""
        from companion.session import StoreTrouble, open_store

        try:
            self.post_message(StoreOpened(open_store(self.db)))
        except StoreTrouble as trouble:
            self.post_message(StoreFailed(str(trouble)))

    def on_store_opened(self, message: StoreOpened) -> None:
        """Tells the screen below that matches can be read."""
        from companion.tui.screens.matches import MatchesScreen

        self.store = message.store
        for screen in self.screen_stack:
            if isinstance(screen, MatchesScreen):
                screen.read()

    def on_store_failed(self, message: StoreFailed) -> None:
        """The program still counts tables; it says why nothing is kept."""
        self.notify(message.text, title="The store cannot be used", severity="error", timeout=30)

    def action_help(self) -> None:
        """Help for the screen on top."""
        from companion.tui.screens.help import HelpScreen

        text = getattr(self.screen, "HELP_TEXT", "")
        self.push_screen(HelpScreen(text))


def run(db: str | None = None, first: str = "") -> None:
    """Starts the program."""
    from companion.tui.settings import settings
    from companion.tui.widgets import terminal

    if settings().pictures == "auto":
        terminal.able()  # asked while the keyboard is not Textual's yet
    CompanionApp(db, first).run()
