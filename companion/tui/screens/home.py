"""Home: go on with a match, begin one, count a table, look back."""

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.tui.screens.history import label_of
from companion.tui.screens.matches import MatchesScreen

WELCOME = "What would you like to do?"
_FIXED = (
    ("new", "New match"),
    ("count", "Count a table"),
    ("photo", "Count a table from photos"),
    ("history", "History"),
    ("decks", "Decks: teach the program your own cards"),
    ("rules", "The rule books"),
    ("demo", "Demo: a match that explains itself"),
    ("settings", "Settings"),
    ("quit", "Quit"),
)


class HomeScreen(MatchesScreen):
    """The first screen."""

    HELP_TEXT = """
Home
  Up and Down choose, Enter opens. A match that was not finished stands on top: it goes on where
  it was, after a crash too.
  New match: track every card as it is played, the program as referee.
  Count a table: play first, then enter what lies there and get the score; from photos: give
  photos of it instead.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "choose('new')", "New match"),
        Binding("c", "choose('count')", "Count"),
        Binding("p", "choose('photo')", "Photos"),
        Binding("h", "choose('history')", "History"),
        Binding("k", "choose('decks')", "Decks"),
        Binding("d", "choose('demo')", "Demo"),
        Binding("s", "choose('settings')", "Settings"),
        Binding("q", "choose('quit')", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        """A title, the list of what can be done, and the keys."""
        yield Static("Companion", id="title")
        yield Static(WELCOME, id="subtitle", markup=False)
        yield OptionList(*(Option(label, id=key) for key, label in _FIXED), id="menu")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one("#menu", OptionList).focus()

    def show_matches(self, matches: tuple[Any, ...]) -> None:
        """The matches that wait to go on stand on top."""
        unfinished = [m for m in matches if str(m.stage) != "finished"][:5]
        menu = self.query_one("#menu", OptionList)
        menu.clear_options()
        for match in unfinished:
            label = f"Continue: {label_of(match)}".replace("[", "\\[")
            menu.add_option(Option(label, id=f"match-{match.id}"))
        menu.add_options([Option(label, id=key) for key, label in _FIXED])
        menu.highlighted = 0
        hint = WELCOME if matches else "Nothing is stored yet; the demo shows how it goes."
        self.query_one("#subtitle", Static).update(hint)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Opens what was chosen."""
        self.action_choose(event.option_id or "")

    def action_choose(self, key: str) -> None:
        """Opens a part of the program."""
        if key == "quit":
            self.app.exit()
        elif key.startswith("match-"):
            self._open(key.removeprefix("match-"))
        elif key == "new":
            from companion.tui.screens.new_match import NewMatchScreen

            self.app.push_screen(NewMatchScreen())
        elif key == "count":
            from companion.tui.screens.counting import CountingSetupScreen

            self.app.push_screen(CountingSetupScreen())
        elif key == "photo":
            from companion.tui.screens.counting import CountingSetupScreen

            self.app.push_screen(CountingSetupScreen(photos=True))
        elif key == "history":
            from companion.tui.screens.history import HistoryScreen

            self.app.push_screen(HistoryScreen())
        elif key == "decks":
            from companion.tui.screens.decks import DecksScreen

            self.app.push_screen(DecksScreen())
        elif key == "settings":
            from companion.tui.screens.settings import SettingsScreen

            self.app.push_screen(SettingsScreen())
        elif key == "rules":
            from companion.tui.screens.rule_books import RuleBooksScreen

            self.app.push_screen(RuleBooksScreen())
        elif key == "demo":
            from companion.tui.screens.demo import demo_screen

            self.app.push_screen(demo_screen())

    def _open(self, match_id: str) -> None:
        from companion.tui.screens.table import open_match

        open_match(self.app, match_id)
