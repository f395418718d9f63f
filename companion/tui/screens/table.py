"""The table of a match: the board, what happened last, one line to type on, what it offers."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import IllegalAction, UnusableInput
from companion.core.verdict import Clarity, Outcome, Ruling
from companion.tui.app import ACCENTS
from companion.tui.boards import board_of
from companion.tui.entry.facts import Telling
from companion.tui.entry.prompt import Choice, Prompt, Typist
from companion.tui.entry.typists import typist_of
from companion.tui.messages import Failed, MatchOpened
from companion.tui.screens.help import TextScreen
from companion.tui.widgets.entry import EntryLine


def open_match(app: App[Any], match_id: str) -> None:
    """Reads a match in the background and tells the screen on top."""
    screen = app.screen

    def read() -> None:
        from companion.session import MatchSession, StoreTrouble

        try:
            session = MatchSession.open(app.store, int(match_id))  # type: ignore[attr-defined]
        except (StoreTrouble, UnusableInput) as error:
            screen.post_message(Failed(str(error)))
            return
        screen.post_message(MatchOpened(session))

    app.run_worker(read, thread=True, exclusive=True, group="open", exit_on_error=False)


FINISHED = "This match is finished, with its score agreed. F10 reopens it."
POLL = 3.0
"""Seconds between looks at what another program may have added."""


class TableScreen(Screen[None]):
    """One match at the table; a thin shell over its `MatchSession`."""

    HELP_GENERAL = """
At the table
  Type: the list shows what is possible, Up and Down choose, Enter does it.
  What is against the rules is told before Enter, with what would be legal;
  ! at the end records it all the same. Esc clears the line; once more: home.
  Any act may be written out as in a match file: Ben discard furs
  F5 takes what lies there from a photo. Tab looks at another player. F9 mends an earlier entry. F10 reopens.
  Ctrl+Z takes an entry back, Ctrl+T the whole turn, Ctrl+Y does it again.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Home"),
        Binding("f1", "app.help", "Help"),
        Binding("f2", "why", "Why"),
        Binding("f4", "pass_turn", "Pass"),
        Binding("f5", "photograph", "Photo"),
        Binding("f6", "census", "Deck"),
        Binding("f8", "score", "Score"),
        Binding("f9", "log", "Log"),
        Binding("f10", "reopen", "Reopen"),
        Binding("ctrl+z", "undo", "Undo", priority=True),
        Binding("ctrl+t", "undo_turn", "Undo turn", show=False, priority=True),
        Binding("ctrl+y", "redo", "Redo", show=False, priority=True),
        Binding("tab", "look", "Look at", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
    ]

    def __init__(self, session: Any, hints: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.session = session
        self.typist: Typist = typist_of(session.game.id)
        self.prompt = Prompt("", "")
        self.viewed: str | None = None
        self._hints = list(hints)

    @property
    def HELP_TEXT(self) -> str:  # noqa: N802 - read like the constant of the other screens
        """What can be typed here, game by game."""
        return self.HELP_GENERAL + getattr(self.typist, "HELP", "")

    def compose(self) -> ComposeResult:
        """From top to bottom: title, board, last event, verdict, choices, entry."""
        yield Static("", id="title", markup=False)
        yield Static("", id="board", markup=False)
        yield Static("", id="event", markup=False)
        yield Static("", id="coach", markup=False)
        yield OptionList(id="choices")
        yield Static("", id="verdict", markup=False)
        yield EntryLine(id="entry")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """The entry line owns the keys."""
        self.query_one("#choices", OptionList).can_focus = False
        self._entry().focus()
        self.query_one("#title", Static).styles.color = ACCENTS.get(self.session.game.id, "white")
        self._tell(self._last_news())
        self.set_interval(POLL, self._look_for_others)
        self._coach()
        self.refresh_table()
        if self._is_finished():
            self._refused(FINISHED)

    def on_screen_resume(self) -> None:
        """Back from another screen: something may have been entered there."""
        if self.is_mounted and self.query("#choices"):
            self.refresh_table()

    def on_resize(self) -> None:
        """The board takes the room there is."""
        self.call_after_refresh(self._draw)

    def _tell(self, news: Iterable[str]) -> None:
        """The last event, in sentences."""
        self.query_one("#event", Static).update("; ".join(text.rstrip(".") for text in news))

    def _look_for_others(self) -> None:
        """Another program may have added to the match: it is told, and the table follows."""
        from companion.session import StoreTrouble

        if not self.is_current:
            return
        try:
            added = self.session.refresh()
        except StoreTrouble:
            return
        if added:
            self.app.notify("; ".join(added), title="From another program", timeout=10)
            self._tell(added)
            self.refresh_table()

    def _last_news(self) -> tuple[str, ...]:
        return tuple(getattr(self.session.state, "news", ()))

    def refresh_table(self) -> None:
        """Reads what was typed against the state, and draws everything."""
        text = self.query_one("#entry", EntryLine).value
        self.prompt = self._read(text)
        choices = self.query_one("#choices", OptionList)
        choices.clear_options()
        choices.add_options([Option(c.label.replace("[", "\\[")) for c in self.prompt.choices])
        choices.highlighted = 0 if self.prompt.choices else None
        self._draw()
        self._show_verdict()

    def _read(self, text: str) -> Prompt:
        written = self._written_out(text)
        if written is None:
            return self.typist.read(self.session, text)
        try:
            self.session.parse(written.player, written.words)
        except UnusableInput:
            # Half an act, or shorter words for one: the typist may know what is meant.
            read = self.typist.read(self.session, text)
            if read.words or any(c.words for c in read.choices):
                return read
        return written

    def _written_out(self, text: str) -> Prompt | None:
        """An act in full, as a match file has it, if the text begins like one."""
        from companion.interchange.match_file import Quoted, player_named, words_of

        words, _ = words_of(text)
        if words and words[-1].endswith("!") and not isinstance(words[-1], Quoted):
            last = words.pop().rstrip("!")
            words += [last] if last else []
        if not words:
            return None
        player = player_named(words[0], self.session.players)
        verbs = {syntax.split()[0]: syntax for syntax in self.session.game.verbs}
        if player is not None and len(words) > 1 and words[1] in verbs:
            rest = words[1:]
        elif words[0] in verbs and (len(words) > 1 or " " not in verbs[words[0]]):
            player, rest = self.typist.read(self.session, "").player, words
        else:
            return None
        return Prompt(player, f"{player} {' '.join(rest)}", words=tuple(map(str, rest)))

    def _draw(self) -> None:
        session = self.session
        choice = self._highlighted()
        width = max(40, self.size.width - 2)
        height = max(6, self.size.height - 11)
        viewed = self.viewed or self.prompt.player
        board = board_of(session, self.prompt, choice, viewed, width, height)
        self.query_one("#board", Static).update(board)
        over = " - over" if session.state.over else ""
        self.query_one("#title", Static).update(f"{session.game.title}{over}   {self.prompt.title}")

    def _highlighted(self) -> Choice | None:
        at = self.query_one("#choices", OptionList).highlighted
        if at is None or not 0 <= at < len(self.prompt.choices):
            return None
        return self.prompt.choices[at]

    def _intended(self) -> tuple[str, tuple[str, ...]] | None:
        """Whose act and its words, as things stand; None while it is only half an act."""
        if self.prompt.words:
            return self.prompt.player, self.prompt.words
        choice = self._highlighted()
        if choice is None or not choice.words:
            return None
        return choice.player or self.prompt.player, choice.words

    def _ruling(self) -> Ruling | None:
        intended = self._intended()
        if intended is None:
            return None
        try:
            return self.session.check(self.session.parse(*intended))  # type: ignore[no-any-return]
        except UnusableInput:
            return None

    def _show_verdict(self) -> None:
        text = self.prompt.note
        style = "quiet"
        intended = self._intended()
        if intended is not None:
            try:
                ruling = self.session.check(self.session.parse(*intended))
            except UnusableInput as error:
                text, style = str(error), "wrong"
            else:
                text, style = verdict_line(ruling)
        line = self.query_one("#verdict", Static)
        line.update(text)
        line.set_classes(style)

    @on(Input.Changed, "#entry")
    def _typed(self) -> None:
        self.refresh_table()

    @on(Input.Submitted, "#entry")
    def _entered(self, event: Input.Submitted) -> None:
        text = event.value
        intended = self._intended()
        if intended is None:
            if not self._take(self._highlighted()):
                self._entry().put_back(text)
        elif not self.play(*intended, anyway=text.rstrip().endswith("!")):
            self._entry().put_back(text)

    def _entry(self) -> EntryLine:
        return self.query_one("#entry", EntryLine)

    @on(OptionList.OptionSelected, "#choices")
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        choice = self.prompt.choices[event.option_index]
        if choice.words:
            self.play(choice.player or self.prompt.player, choice.words, anyway=False)
        else:
            self._take(choice)
        self.query_one("#entry", EntryLine).focus()

    @on(OptionList.OptionHighlighted, "#choices")
    def _moved(self) -> None:
        self._draw()
        self._show_verdict()

    def _take(self, choice: Choice | None) -> bool:
        """A choice that is no act: a fact of the deck to keep, or more to type; False: neither."""
        if isinstance(choice, Telling):
            return self._attempt(lambda: (choice.keep(self.session),))
        if choice is None or not choice.text:
            return False
        self._entry().value = choice.text
        self._entry().cursor_position = len(choice.text)
        return True

    def play(self, player: str, words: tuple[str, ...], anyway: bool) -> bool:
        """Does the act and stores it, or says why not; whether it was done."""
        return self._attempt(
            lambda: self.session.play(self.session.parse(player, words), anyway=anyway)
        )

    def _attempt(self, step: Callable[[], Iterable[str]]) -> bool:
        """Takes a step of the session; every refusal is said, none ends the program."""
        from companion.session import MatchIsFinished, SomebodyElseWrote, StoreTrouble

        try:
            news = step()
        except UnusableInput as error:
            self._refused(str(error))
        except IllegalAction as error:
            self._refused("; ".join(o.text for o in error.verdict.objections))
        except SomebodyElseWrote as error:
            self.app.notify(str(error), severity="warning", timeout=15)
            self.refresh_table()
        except MatchIsFinished:
            self._refused(FINISHED)
        except StoreTrouble as trouble:
            self.app.notify(str(trouble), title="Not stored", severity="error", timeout=30)
        else:
            self._done(news)
            return True
        return False

    def _refused(self, text: str) -> None:
        line = self.query_one("#verdict", Static)
        line.update(text)
        line.set_classes("wrong")

    def _done(self, news: Iterable[str]) -> None:
        self.viewed = None
        self._tell(news)
        self.refresh_table()
        self._coach()

    def _coach(self) -> None:
        """The next word of the demo on what to try."""
        if self._hints:
            self.query_one("#coach", Static).update(self._hints.pop(0))

    def _is_finished(self) -> bool:
        return str(self.session.stage) == "finished"

    def action_reopen(self) -> None:
        """A finished match goes on, or is mended."""
        if self._is_finished() and self._attempt(self._resumed):
            self.refresh_bindings()

    def _resumed(self) -> tuple[str, ...]:
        self.session.resume()
        return ("the match is open again",)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what the game knows is offered."""
        if action == "pass_turn":
            return "pass" in self.session.game.verbs
        if action == "reopen":
            return self._is_finished()
        return True

    def action_move(self, step: int) -> None:
        """The next or previous choice."""
        choices = self.query_one("#choices", OptionList)
        if step > 0:
            choices.action_cursor_down()
        else:
            choices.action_cursor_up()

    def action_look(self) -> None:
        """Looks at the next player's rows."""
        players = self.session.players
        now = self.viewed or self.prompt.player
        self.viewed = players[(players.index(now) + 1) % len(players)]
        self._draw()

    def action_pass_turn(self) -> None:
        """The turn passes without more."""
        self.play(self.prompt.player, ("pass",), anyway=False)

    def action_undo(self) -> None:
        """Takes the last entry back."""
        self._step("undo", "Nothing to undo.")

    def action_redo(self) -> None:
        """Does it again."""
        self._step("redo", "Nothing to redo.")

    def action_undo_turn(self) -> None:
        """Takes the whole last turn back."""
        self._step("undo", "Nothing to undo.", turn=True)

    def _step(self, which: str, nothing: str, turn: bool = False) -> None:
        if self._is_finished():
            self._refused(FINISHED)
            return
        if not getattr(self.session, f"can_{which}"):
            self.app.notify(nothing)
            return
        self._attempt(lambda: (which, *getattr(self.session, which)(turn=turn)))

    def action_why(self) -> None:
        """The whole ruling on what is typed or chosen."""
        ruling = self._ruling()
        if ruling is None:
            self.app.notify("Type or choose an act first.")
            return
        self.app.push_screen(TextScreen("Why", ruling_page(ruling, self.session)))

    def action_census(self) -> None:
        """How many cards of each kind were seen."""
        from companion.tui.boards import census

        self.app.push_screen(TextScreen("The deck", census(self.session)))

    def action_score(self) -> None:
        """The score sheet."""
        from companion.tui.screens.score import ScoreScreen

        self.app.push_screen(ScoreScreen(self.session))

    def action_photograph(self) -> None:
        """Photos of what really lies there."""
        from companion.tui.review.flow import photograph_table

        if self._is_finished():
            self._refused(FINISHED)
            return
        photograph_table(self.app, self.session, self._done)

    def action_log(self) -> None:
        """Every entry; one may be mended."""
        from companion.tui.screens.log import LogScreen

        self.app.push_screen(LogScreen(self.session), lambda _: self.refresh_table())

    def action_leave(self) -> None:
        """Takes back what is half typed; else home, where the match waits as it is."""
        if self._entry().value:
            self._entry().value = ""
            return
        self.app.pop_screen()


def verdict_line(ruling: Ruling) -> tuple[str, str]:
    """The ruling in one line, and the style to show it in."""
    outcome = ruling.verdict.outcome
    if outcome is Outcome.ILLEGAL:
        first = ruling.objections[0]
        more = f" (and {len(ruling.objections) - 1} more)" if len(ruling.objections) > 1 else ""
        unclear = "" if ruling.clarity is Clarity.CLEAR else f" [{ruling.clarity}: F2]"
        instead = f" Instead: {first.instead[0].rstrip('.')}." if first.instead else ""
        hint = (
            " (! at the end records it.)"
            if ruling.verdict.possible
            else " It cannot have happened."
        )
        text = f"Against {first.rule}: {first.text.rstrip('.')}{more}.{instead}{unclear}{hint}"
        return text, "wrong"
    if outcome is Outcome.UNDETERMINED:
        return f"Not known: {ruling.verdict.unknowns[0].text}", "unsure"
    if ruling.clarity is not Clarity.CLEAR:
        return (
            "Allowed, though the rulebook is not clear here: F2 shows the other reading.",
            "unsure",
        )
    return "Allowed.", "right"


def ruling_page(ruling: Ruling, session: Any) -> str:
    """The ruling with its rules, sections, readings, for reading."""
    lines = [f"Verdict: {ruling.verdict.outcome}"]
    lines += [f"- {o.text}" for o in ruling.objections]
    lines += [f"- {u.text}" for u in ruling.verdict.unknowns]
    for objection in ruling.objections:
        lines += [f"instead: {text}" for text in objection.instead]
    lines.append("")
    for rule_id in ruling.rules:
        rule = session.rules[rule_id]
        lines += [f"{rule.title} ({rule.section})", rule.text, rule.id, ""]
    lines.append(f"How clear the rulebook is: {ruling.clarity}")
    lines += [f"with {other.label}: {other.outcome}" for other in ruling.readings]
    return "\n".join(lines)
