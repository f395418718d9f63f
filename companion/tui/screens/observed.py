"""What a reviewed photo shows otherwise than the log of a match: said first, then entered."""

from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import IllegalAction, UnusableInput
from companion.core.log import quoted
from companion.intake.review import Review
from companion.session.observed import Observation, enter, observation, totals


class ObservedScreen(Screen[tuple[str, ...] | None]):
    """Lists the differences; gives back what entering them led to, None where it was left."""

    CSS_PATH: ClassVar[str] = "../styles/review.tcss"
    HELP_TEXT = """
What the photo changes
  The differences between the photo and the log, and each total as it
    is and as it would be. Enter on a difference that has an ordinary
    act (after the arrow) enters that act, with its rules.
  F5 enters the rest as observed: the log then says what really lies
    there, and the score sheet shows that it was corrected.
  Esc leaves the log as it is.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave it"),
        Binding("f1", "app.help", "Help"),
        Binding("f5", "enter", "Enter it", priority=True),
    ]

    def __init__(self, session: Any, review: Review) -> None:
        super().__init__()
        self.session = session
        self.review = review
        self.seen = Observation("")
        self._news: list[str] = []
        self._entered = False
        """Whether the log has changed here."""

    def compose(self) -> ComposeResult:
        """The sentence, the differences, what the photo does not tell."""
        yield Static("What the photo changes", id="title", markup=False)
        yield Static("", id="summary", markup=False)
        yield OptionList(id="differences")
        yield Static("", id="remarks", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self._compare()
        self.query_one("#differences", OptionList).focus()

    def _compare(self) -> None:
        self._meanwhile()
        self.seen = observation(self.session, self.review)
        said = [f"{self.seen.summary}."]
        if after := totals(self.session, self.review):
            said.append(f"{'. '.join(map(str, after))}.")
        self.query_one("#summary", Static).update("\n".join(said))
        listed = self.query_one("#differences", OptionList)
        listed.clear_options()
        for one in self.seen.differences:
            acts = "; ".join(f"{quoted(p)} {' '.join(map(quoted, w))}" for p, w in one.instead)
            text = f"{one.text}{f'   → {acts}' if acts else ''}"
            listed.add_option(Option(Text(text)))
        if self.seen.differences:
            listed.highlighted = 0
        remarks = list(self.seen.remarks)
        if self.seen.acts:
            remarks.append("F5 enters it.")
        else:
            remarks.append("Nothing needs to be entered. F5 goes back to the table.")
        self.query_one("#remarks", Static).update("\n".join(remarks))

    @on(OptionList.OptionSelected, "#differences")
    def _ordinary(self, event: OptionList.OptionSelected) -> None:
        one = self.seen.differences[event.option_index]
        if not one.instead:
            self.app.notify("No ordinary act leads to it now; F5 enters it as observed.")
        elif self._enter(one.instead):
            self._compare()

    def action_enter(self) -> None:
        """All that is left is entered as it was seen."""
        if self._meanwhile():
            self._compare()
        elif self._enter(self.seen.acts):
            self.dismiss(tuple(self._news))

    def _meanwhile(self) -> bool:
        """Takes in what another program has entered since, and says it; whether there was something."""
        from companion.session import StoreTrouble

        try:
            added = self.session.refresh()
        except StoreTrouble:  # entering will say it
            return False
        if added:
            text = f"{'; '.join(added)}. Compared anew."
            self.app.notify(text, title="From another program", severity="warning", timeout=15)
        return bool(added)

    def _enter(self, acts: Any) -> bool:
        """Whether it was entered; every refusal is said."""
        from companion.session import MatchIsFinished, SomebodyElseWrote, StoreTrouble

        before = len(self.session.entries())
        try:
            self._news += enter(self.session, acts, self.seen)
        except (UnusableInput, SomebodyElseWrote) as error:
            self.app.notify(str(error), severity="warning", timeout=15)
        except IllegalAction as error:
            text = "; ".join(o.text for o in error.verdict.objections)
            self.app.notify(text, severity="warning", timeout=15)
        except MatchIsFinished:
            text = "This match is finished; F10 at the table reopens it."
            self.app.notify(text, severity="warning")
        except StoreTrouble as trouble:
            self.app.notify(str(trouble), title="Not stored", severity="error", timeout=30)
        else:
            self._entered = True
            return True
        self._entered |= len(self.session.entries()) > before
        self._compare()
        return False

    def action_leave(self) -> None:
        """The log stays as it is by now; the photos wait where something is left to be entered."""
        whole = self._entered and not self.seen.acts
        self.dismiss(tuple(self._news) if whole else None)
