"""A new match: which game, who plays, how closely it is followed, under which house rules."""

from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion import library
from companion.core.errors import UnusableInput
from companion.tui.messages import Failed, MatchOpened
from companion.tui.screens.house_rules import HouseRulesScreen

FOLLOWED = {
    "light": "light: only what is placed, won or collected",
    "full": "full: every card, the program as referee",
}


class NewMatchScreen(Screen[None]):
    """Fills in a match and begins it."""

    HELP_TEXT = """
New match
  Up and Down go through the list; Enter with nothing typed changes what is chosen there.
  Players: type a name and Enter (or several with commas), in the order of the seats, clockwise. Names
  that played before are offered; Enter on a seated name takes it away. F6: the next seat starts
  (deals, in Without a Paddle). F5 begins.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("f5", "begin", "Begin", priority=True),
        Binding("f6", "first", "Who starts", priority=True),
        Binding("f7", "house_rules", "House rules", priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
    ]

    def __init__(
        self, game: str = "up-the-creek", players: tuple[str, ...] = (), options: Any = None
    ) -> None:
        super().__init__()
        self.game = game
        self.players = list(players)
        self.tracking = "light"
        self.first = 0
        self.options = options if options is not None else library.load(game).game.options()
        self._roster: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The form."""
        yield Static("New match", id="title")
        yield OptionList(id="form")
        yield Input(placeholder="a player's name, Enter adds it", id="name")
        yield Static("", id="hint", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Names of earlier evenings are read in the background."""
        self._draw()
        self.query_one("#form", OptionList).can_focus = False
        self.query_one("#name", Input).focus()
        if self.app.store is not None:  # type: ignore[attr-defined]
            self._read_roster()

    @work(thread=True, exclusive=True, group="roster", exit_on_error=False)
    def _read_roster(self) -> None:
        names = tuple(self.app.store.roster.names())  # type: ignore[attr-defined]
        self.app.call_from_thread(self._offer, names)

    def _offer(self, names: tuple[str, ...]) -> None:
        self._roster = names
        self._draw()

    def _draw(self) -> None:
        form = self.query_one("#form", OptionList)
        at = form.highlighted
        form.clear_options()
        title = library.load(self.game).game.title
        form.add_option(Option(f"Game: {title}", id="game"))
        form.add_option(Option(f"Followed: {FOLLOWED[self.tracking]}", id="tracking"))
        form.add_option(Option(f"House rules: {self._changed()}", id="rules"))
        for i, name in enumerate(self.players):
            does = "deals" if self.game == "without-a-paddle" else "starts"
            mark = f"  ({does})" if i == self.first else ""
            form.add_option(Option(f"Seat {i + 1}: {_plain(name)}{mark}", id=f"seat-{i}"))
        for name in self._roster:
            if name not in self.players:
                form.add_option(Option(f"Add {_plain(name)}", id=f"add-{name}"))
        form.add_option(Option("Begin", id="begin"))
        form.highlighted = min(at or 0, form.option_count - 1)
        fewest, most = library.load(self.game).game.match_seats
        self.query_one("#hint", Static).update(
            f"{title} takes {fewest} to {most} players; {len(self.players)} seated."
        )

    def _changed(self) -> str:
        from companion.core.options import choices, text_of

        changed = [
            f"{c.name}={text_of(getattr(self.options, c.name))}"
            for c in choices(type(self.options))
            if getattr(self.options, c.name) != c.default
        ]
        return ", ".join(changed) or "as the rulebook is read by default"

    @on(Input.Submitted, "#name")
    def _name_typed(self, event: Input.Submitted) -> None:
        names = [" ".join(part.split()) for part in event.value.split(",") if part.strip()]
        if not names:
            form = self.query_one("#form", OptionList)
            if form.highlighted is not None:
                self._take(form.get_option_at_index(form.highlighted).id or "")
            return
        event.input.value = ""
        for name in names:
            if any(n.casefold() == name.casefold() for n in self.players):
                self.query_one("#hint", Static).update(f"{name} has a seat already.")
                return
            self.players.append(name)
        self._draw()

    def action_move(self, step: int) -> None:
        """The next or previous line of the list; the name line keeps the letters."""
        form = self.query_one("#form", OptionList)
        if step > 0:
            form.action_cursor_down()
        else:
            form.action_cursor_up()

    @on(OptionList.OptionSelected, "#form")
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self._take(event.option_id or "")
        self.query_one("#name", Input).focus()

    def _take(self, key: str) -> None:
        """Changes what a line of the list stands for."""
        if key == "game":
            games = library.SHIPPED
            self.game = games[(games.index(self.game) + 1) % len(games)]
            self.options = library.load(self.game).game.options()
        elif key == "tracking":
            self.tracking = "full" if self.tracking == "light" else "light"
        elif key == "rules":
            self.action_house_rules()
            return
        elif key.startswith("seat-"):
            gone = int(key.removeprefix("seat-"))
            self.players.pop(gone)
            self.first -= gone < self.first
            self.first = min(self.first, max(0, len(self.players) - 1))
        elif key.startswith("add-"):
            self.players.append(key.removeprefix("add-"))
        elif key == "begin":
            self.action_begin()
            return
        self._draw()

    def action_first(self) -> None:
        """The next seat starts."""
        if self.players:
            self.first = (self.first + 1) % len(self.players)
            self._draw()

    def action_house_rules(self) -> None:
        """Opens the house rules of the game."""

        def taken(options: Any) -> None:
            if options is not None:
                self.options = options
            self._draw()

        self.app.push_screen(HouseRulesScreen(self.game, self.options), taken)

    def action_begin(self) -> None:
        """Begins the match, or says what is missing."""
        if self.app.store is None:  # type: ignore[attr-defined]
            self.app.notify("The store is not open yet.", severity="warning")
            return
        self._begin()

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _begin(self) -> None:
        from companion.session import MatchSession, StoreTrouble

        head: dict[str, Any] = {}
        if self.players:
            key = "dealer" if self.game == "without-a-paddle" else "first_player"
            head[key] = self.players[self.first]
        try:
            session = MatchSession.create(
                self.app.store,  # type: ignore[attr-defined]
                self.game,
                tuple(self.players),
                self.options,
                tracking=self.tracking,
                **head,
            )
        except (UnusableInput, StoreTrouble) as error:
            self.post_message(Failed(str(error)))
            return
        self.post_message(MatchOpened(session))

    def on_failed(self, message: Failed) -> None:
        """Says what is missing."""
        self.query_one("#hint", Static).update(message.text)

    def on_match_opened(self, message: MatchOpened) -> None:
        """The table takes the place of the form."""
        from companion.tui.screens.table import TableScreen

        self.app.switch_screen(TableScreen(message.session))


def _plain(name: str) -> str:
    """A name for a place that reads markup."""
    return name.replace("[", "\\[")
