"""Counting: play first, then enter what lies on the table and read the score while typing."""

from dataclasses import replace
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.intake.position import GAMES
from companion.tui.counting import Count, Place, draft, gold_up, values
from companion.tui.counting.panes import pane_for
from companion.tui.counting.panes.pane import totals_text
from companion.tui.counting.reading import (
    blank,
    changed,
    count,
    is_empty,
    names_of,
    options_of,
    sheet_of,
)
from companion.tui.counting.saving import hindrances, save
from companion.tui.messages import Failed, MatchOpened
from companion.tui.screens.house_rules import HouseRulesScreen
from companion.tui.screens.new_match import NewMatchScreen

MOST_STEPS = 500
"""Steps that undo goes back."""
Step = tuple[dict[str, Any], Place]
"""A document, and where it was changed."""


class CountingSetupScreen(NewMatchScreen):
    """Which game was played, by whom, under which house rules; or the draft that waits."""

    CSS_PATH: ClassVar[str] = "../styles/counting.tcss"
    HELP_TEXT = """
Count a table
  The game was played without the program; now you enter what lies
    on the table and get the score.
  Choose the game, type the players' names in the order of their
    seats (names that played before are offered), and begin with F5.
    For Without a Paddle F6 says who dealt the first round.
  What was typed and not saved is offered again on top: nothing is
    lost.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "begin", "Count", priority=True),
        Binding("f6", "first", "First dealer", priority=True),
    ]

    def __init__(self, photos: bool = False) -> None:
        """With `photos`, the table is photographed as soon as its players are known."""
        super().__init__()
        self._photos = photos
        self._drafts: dict[str, dict[str, Any]] = {}

    def on_mount(self) -> None:
        """What waits to be gone on with comes first."""
        title = "Count a table from photos" if self._photos else "Count a table"
        self.query_one("#title", Static).update(title)
        self._read_drafts()

    def on_screen_resume(self) -> None:
        """Back from counting: a draft may wait now."""
        self._read_drafts()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Who dealt first matters in one game only."""
        return action != "first" or self.game == "without-a-paddle"

    def _read_drafts(self) -> None:
        found = {name: draft.read(name) for name in (draft.NAME, draft.EARLIER)}
        self._drafts = {name: raw for name, raw in found.items() if raw and not is_empty(raw)}
        self._draw()
        if self._drafts:
            form = self.query_one("#form", OptionList)
            form.highlighted = 0

    def _draw(self) -> None:
        super()._draw()
        form = self.query_one("#form", OptionList)
        at = form.highlighted or 0
        options = [Option(_waiting(raw), id=f"draft-{name}") for name, raw in self._drafts.items()]
        for option in form.options:
            if option.id == "tracking":
                continue
            text = str(option.prompt)
            if option.id and option.id.startswith("seat-"):
                deals = "  (dealt first)" if self.game == "without-a-paddle" else ""
                text = text.replace("  (starts)", deals).replace("  (deals)", deals)
            options.append(Option("Count" if option.id == "begin" else text, id=option.id))
        form.clear_options()
        form.add_options(options)
        form.highlighted = min(at, len(options) - 1)
        fewest, most = self._seats()
        title = library.load(self.game).game.title
        self.query_one("#hint", Static).update(
            f"{title} is counted for {fewest} to {most} players; {len(self.players)} named."
        )
        self.refresh_bindings()

    def _seats(self) -> tuple[int, int]:
        """Fewest of a table, most of a match."""
        game = library.load(self.game).game
        return game.seats[0], min(game.seats[1], game.match_seats[1])

    def _take(self, key: str) -> None:
        """A draft goes on where it was; the rest is as for a new match."""
        name = key.removeprefix("draft-")
        if name in self._drafts:
            raw = self._drafts[name]
            draft.take_up(name)
            self.app.switch_screen(CountingScreen(raw, self._photos))
            return
        super()._take(key)

    def action_begin(self) -> None:
        """Begins to count, or says what is missing."""
        names = [name.strip() for name in self.players]
        if not names and self._photos:  # nobody has to type for a score
            names = [f"Player {seat}" for seat in range(1, max(2, self._seats()[0]) + 1)]
        if not names:
            self.query_one("#hint", Static).update("Type the players' names first.")
            return
        raw = blank(self.game, names, self.options, names[min(self.first, len(names) - 1)])
        try:
            found = [
                Fault("players", f"the name {name} holds a quotation mark", "write it without")
                for name in names
                if '"' in name
            ]
            if len(names) > self._seats()[1]:
                found.append(
                    Fault("players", f"{len(names)} players", f"{self._seats()[1]} at most")
                )
            if found:
                raise UnusableInput(found)
            sheet_of(raw)
        except UnusableInput as error:
            self.query_one("#hint", Static).update(str(error))
            return
        if self._drafts.get(draft.NAME):
            draft.put_aside()
        self.app.switch_screen(CountingScreen(raw, self._photos))


def _waiting(raw: dict[str, Any]) -> str:
    """A draft in a line."""
    title = library.load(raw["game"]).game.title
    names = ", ".join(names_of(raw)).replace("[", "\\[")
    return f"Go on counting: {title}, {names}"


class CountingScreen(Screen[None]):
    """One table being counted: the document, its score, what is wrong; the pane is the game's."""

    CSS_PATH: ClassVar[str] = "../styles/counting.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("pagedown", "leaf(1)", "Next", key_display="PgDn", priority=True),
        Binding("pageup", "leaf(-1)", "Before", key_display="PgUp", priority=True, show=False),
        Binding("f3", "grid", "Grid"),
        Binding("r", "renege(1)", "Renege"),
        Binding("R", "renege(-1)", "Take a renege back", show=False),
        Binding("f5", "photograph", "Photo"),
        Binding("f6", "dealer", "Dealer"),
        Binding("f7", "house_rules", "Rules"),
        Binding("f8", "score", "Score"),
        Binding("f10", "save", "Save"),
        Binding("ctrl+z", "undo", "Undo", priority=True),
        Binding("ctrl+y", "redo", "Redo", priority=True, show=False),
    ]

    def __init__(self, raw: dict[str, Any], photos: bool = False) -> None:
        """With `photos`, it begins with photos of the table."""
        super().__init__()
        self.raw = raw
        self._photos = photos
        self.counted: Count = count(raw)
        self.pane = pane_for(raw)
        self.pane.typed = self._typed
        self.pane.looked = self._redraw
        self.HELP_TEXT = (
            f"{self.pane.HELP_TEXT.rstrip()}\n"
            "  F5 reads it from photos.\n"
            "  F8 the score sheet. F7 house rules.\n"
            "  F10 saves it as a match of the history.\n"
            "  What is typed is kept at once: nothing is lost.\n"
        )
        self._back: list[Step] = []
        self._forth: list[Step] = []
        self._last: tuple[Any, ...] = ()
        self._saving = False
        self._told: dict[str, int] = {}
        self._warned = False

    def compose(self) -> ComposeResult:
        """Title, totals, what is typed on, keys."""
        yield Static("", id="title", markup=False)
        yield Static("", id="totals", markup=False)
        yield self.pane
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """The pane owns the keys; values of an earlier evening are read in the background."""
        title = library.load(self.raw["game"]).game.title
        self.query_one("#title", Static).update(f"Counting: {title}")
        self.pane.show(self.raw, self.counted)
        self.pane.take_focus()
        self._redraw()
        if self.raw["game"] == "gold-up" and self.app.store is not None:  # type: ignore[attr-defined]
            self._read_values()
        if self._photos and self.check_action("photograph", ()):
            self.action_photograph()

    def on_resize(self) -> None:
        """The pane takes the room there is."""
        # On 80 columns the keys of this screen need the room; the palette is named in the help.
        self.query_one(Footer).show_command_palette = self.size.width >= 90
        self.call_after_refresh(self._redraw)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the keys that work here are shown."""
        if action in ("leaf", "grid", "renege"):
            return action in self.pane.OFFERS
        if action == "photograph":
            return self.raw["game"] in GAMES
        return action != "dealer" or "dealer" in self.raw

    # ---------------------------------------------------------------- the document

    def _typed(self, raw: dict[str, Any], place: Place, settled: bool) -> None:
        if self._last != (*place, False):
            self._remember(place)
        self._last = (*place, settled)
        self._take(raw)

    def _redraw(self) -> None:
        self.pane.show(self.raw, self.counted)
        self.query_one("#totals", Static).update(totals_text(self.counted, self.pane.viewed()))

    def _remember(self, place: Place) -> None:
        self._back = [*self._back[-MOST_STEPS:], (self.raw, place)]
        self._forth = []

    def _take(self, raw: dict[str, Any]) -> None:
        """This is the document now: kept first, then shown."""
        self.raw = raw
        trouble = draft.keep(raw)
        if trouble and not self._warned:
            self.app.notify(trouble, severity="error", timeout=15)
        self._warned = bool(trouble)
        self.counted = count(raw)
        self._redraw()

    def _change(self, raw: dict[str, Any]) -> None:
        """The document is changed by something that is undone by itself."""
        if raw != self.raw:
            self._remember(())
            self._last = ()
            self._take(raw)

    def action_undo(self) -> None:
        """Takes back what was typed last."""
        self._step(self._back, self._forth, "Nothing to undo.")

    def action_redo(self) -> None:
        """Types it again."""
        self._step(self._forth, self._back, "Nothing to redo.")

    def _step(self, source: list[Step], other: list[Step], nothing: str) -> None:
        if not source:
            self.app.notify(nothing)
            return
        raw, place = source.pop()
        other.append((self.raw, place))
        self._last = ()
        self.pane.reveal(place)
        self._take(raw)

    # ---------------------------------------------------------------- keys

    def action_leave(self) -> None:
        """Back; the draft waits."""
        self._keep_values()
        self.app.pop_screen()

    def action_leaf(self, step: int) -> None:
        """The next player or hand, or the one before."""
        self.pane.action_leaf(step)

    def action_grid(self) -> None:
        """Card by card, or back to text."""
        self.pane.action_grid()

    def action_renege(self, step: int) -> None:
        """The player under the cursor reneged once more, or once less."""
        self.pane.action_renege(step)

    def action_dealer(self) -> None:
        """The next player dealt the first round."""
        names = names_of(self.raw)
        after = names[(names.index(self.raw["dealer"]) + 1) % len(names)]
        self._change({**self.raw, "dealer": after})

    def action_house_rules(self) -> None:
        """The house rules; the table is counted anew under them."""

        def taken(options: Any) -> None:
            if options is not None:
                self._change({**self.raw, "options": changed(options)})

        self.app.push_screen(HouseRulesScreen(self.raw["game"], options_of(self.raw)), taken)

    def action_photograph(self) -> None:
        """Photos of what lies there, in place of typing."""
        from companion.tui.review.flow import photograph_count
        from companion.tui.review.target import CountingTarget

        target = CountingTarget(self.raw, getattr(self.pane, "hand", 1))
        photograph_count(self.app, target, self._photographed)

    def _photographed(self, raw: dict[str, Any]) -> None:
        self._change(raw)
        if self.counted.score is not None:
            totals = ", ".join(f"{n} {t}" for n, t in self.counted.score.totals.items())
            self.app.notify(f"{totals}. F8 shows every line.")

    def action_score(self) -> None:
        """The score sheet."""
        from companion.tui.screens.score import ScoreScreen

        if self.counted.table is None:
            self.app.notify("Nothing can be counted yet.", severity="warning")
            return
        self._keep_values()
        faults = tuple(wrong.text for wrong in self.counted.wrong)
        self.app.push_screen(ScoreScreen(replace(self.counted.table, faults=faults)))

    def action_save(self) -> None:
        """The table becomes a finished match."""
        if self.app.store is None:  # type: ignore[attr-defined]
            text = "The store is not open, so it cannot be saved; the draft is kept."
            self.app.notify(text, severity="warning")
            return
        found = hindrances(self.raw)
        if is_empty(self.raw):
            found = ["Nothing has been entered yet."]
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            self.app.notify(f"{found[0]}{more}", title="Not saved yet", severity="warning")
            return
        if not self._saving:
            self._saving = True
            self._keep_values()
            self._save(self.raw)

    @work(thread=True, group="save", exit_on_error=False)
    def _save(self, raw: dict[str, Any]) -> None:
        from companion.session import StoreTrouble

        try:
            session = save(self.app.store, raw)  # type: ignore[attr-defined]
        except (UnusableInput, StoreTrouble) as error:
            self.post_message(Failed(str(error)))
            return
        self.post_message(MatchOpened(session))

    def on_failed(self, message: Failed) -> None:
        """It could not be saved; the draft is as it was."""
        self._saving = False
        self.app.notify(message.text, title="Not saved", severity="error", timeout=15)

    def on_match_opened(self, message: MatchOpened) -> None:
        """It was saved: the final sheet is shown, the draft is not needed any more."""
        from companion.tui.screens.score import ScoreScreen

        draft.drop()
        self.app.notify("Saved; it is in the history.")
        self.app.switch_screen(ScoreScreen(message.session))

    # ---------------------------------------------------------------- values of Gold Up

    @work(thread=True, group="values", exit_on_error=False)
    def _read_values(self) -> None:
        found = values.known(self.app.store)  # type: ignore[attr-defined]
        if found:
            self.app.call_from_thread(self._known_values, found)

    def _known_values(self, found: dict[str, int]) -> None:
        self._told = found
        if not gold_up.values_of(self.raw):
            options = {**self.raw.get("options", {}), "values": found}
            self.raw = {**self.raw, "options": options}
            self.counted = count(self.raw)
            self._redraw()
            self.pane.take_focus()

    def on_descendant_blur(self) -> None:
        """A line was left: were it the values, they are kept for the household's box."""
        self._keep_values()

    def _keep_values(self) -> None:
        if self.raw["game"] != "gold-up" or self.app.store is None:  # type: ignore[attr-defined]
            return
        found, wrong = gold_up.sound_values(self.raw)
        if found and not wrong and found != self._told:
            self._told = found
            self._tell_values()

    @work(thread=True, group="values", exit_on_error=False)
    def _tell_values(self) -> None:
        trouble = values.tell(self.app.store, self._told)  # type: ignore[attr-defined]
        if trouble:
            self.post_message(Failed(trouble))
