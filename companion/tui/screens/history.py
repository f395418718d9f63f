"""A first history: every match, to be opened, gone on with, played again, or deleted."""

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.tui.screens.matches import MatchesScreen


def label_of(match: Any) -> str:
    """A match in a line: when, which game, who, how it stands."""
    stage = str(match.stage)
    players = ", ".join(match.players)
    when = str(match.updated)[:16].replace("T", " ")
    title = f"{match.title}: " if match.title else ""
    final = ""
    if match.final:
        final = "  " + ", ".join(f"{p['name']} {p['total']}" for p in match.final["players"])
    count = f"{match.entries} {'entry' if match.entries == 1 else 'entries'}"
    return f"{when}  {title}{match.game}  {players}  ({stage}, {count}){final}"


class ConfirmScreen(ModalScreen[bool]):
    """Asks once, before something is gone for good."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The question."""
        yield Static(self._question, id="question", markup=False)
        yield Footer(show_command_palette=False)

    def action_answer(self, answer: bool) -> None:
        """Yes or no."""
        self.dismiss(answer)


class HistoryScreen(MatchesScreen):
    """Lists the matches of the household."""

    HELP_TEXT = """
History
  Enter opens a match: an unfinished one goes on where it was. r: the same people and house rules again.
  Del deletes one with its photos, after asking. t throws its photos away and keeps the match.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("r", "rematch", "Rematch"),
        Binding("delete", "delete", "Delete"),
        Binding("t", "throw_away", "Throw photos away"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._matches: tuple[Any, ...] = ()

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static("History", id="title")
        yield OptionList(id="matches")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one("#matches", OptionList).focus()
        if self.app.store is None:  # type: ignore[attr-defined]
            self.app.notify("The store is not open.", severity="warning")

    def show_matches(self, matches: tuple[Any, ...]) -> None:
        """Shows them, the last played first."""
        self._matches = matches
        listed = self.query_one("#matches", OptionList)
        at = listed.highlighted
        listed.clear_options()
        listed.add_options([Option(label_of(m).replace("[", "\\[")) for m in matches])
        if matches:
            listed.highlighted = min(at or 0, len(matches) - 1)
        empty = "" if matches else "  (no match yet)"
        self.query_one("#title", Static).update(f"History{empty}")

    def _chosen(self) -> Any:
        at = self.query_one("#matches", OptionList).highlighted
        return self._matches[at] if at is not None and at < len(self._matches) else None

    @on(OptionList.OptionSelected, "#matches")
    def _open(self) -> None:
        from companion.tui.screens.table import open_match

        match = self._chosen()
        if match is not None:
            open_match(self.app, match.id)

    def action_rematch(self) -> None:
        """A new match of the same people under the same house rules."""
        from companion import library
        from companion.core.options import read_options
        from companion.tui.screens.new_match import NewMatchScreen

        match = self._chosen()
        if match is None:
            return
        options, _ = read_options(library.load(match.game).game.options, dict(match.options))
        self.app.push_screen(NewMatchScreen(match.game, tuple(match.players), options))

    def _delete(self, match_id: int, photos_only: bool = False) -> None:
        from companion.intake.photo_shelf import shelf_of
        from companion.session import StoreTrouble
        from companion.session.photos import only_of, photos_of

        store = self.app.store  # type: ignore[attr-defined]
        try:
            shelf, photos = shelf_of(store), only_of(store, [match_id])
            shared = len(photos_of(store, match_id)) - len(photos)
            if not photos_only:
                store.delete(match_id)
            many = shelf.remove(photos)
        except (StoreTrouble, UnusableInput) as trouble:
            self.app.notify(str(trouble), severity="error", timeout=15)
        else:
            if many or photos_only:
                what = f"{many} photo{'' if many == 1 else 's'}" if many else "No photo"
                stays = f" {shared} stay: another match shows them too." if shared > 0 else ""
                self.app.notify(f"{what} thrown away.{stays}")
        self.read()

    def action_throw_away(self) -> None:
        """Throws the photos of the match away, after asking."""
        match = self._chosen()
        if match is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._delete(match.id, photos_only=True)

        question = f"Throw the photos of this match away? The match itself stays.\n{label_of(match)}\n\ny / n"
        self.app.push_screen(ConfirmScreen(question), answered)

    def action_delete(self) -> None:
        """Deletes the match, after asking."""
        match = self._chosen()
        if match is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._delete(match.id)

        self.app.push_screen(
            ConfirmScreen(f"Delete this match for good?\n{label_of(match)}\n\ny / n"), answered
        )
