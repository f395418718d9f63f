"""The log of a match: every entry in order; one may be mended, and what that alters is shown first."""

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import IllegalAction, UnusableInput
from companion.core.log import quoted


class LogScreen(ModalScreen[None]):
    """Lists the entries; Enter on one puts it into the line below to be mended."""

    HELP_TEXT = """
The log
  Enter on an entry puts it into the line below. Change it and press Enter: what that alters in later
  entries is shown; Enter again mends it, Esc leaves it as it was.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, session: Any) -> None:
        super().__init__()
        self.session = session
        self._seq: int | None = None
        self._shown = ""

    def compose(self) -> ComposeResult:
        """The entries, the line to mend in, what it alters."""
        yield Static("The log", id="title")
        yield OptionList(id="entries")
        yield Input(placeholder="Enter on an entry mends it here", id="mend", select_on_focus=False)
        yield Static("", id="alters", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The newest entry stands at the cursor."""
        self._draw()
        self.query_one("#entries", OptionList).focus()

    def _draw(self) -> None:
        listed = self.query_one("#entries", OptionList)
        listed.clear_options()
        for entry in self.session.entries():
            mark = "" if entry.in_force else "  (undone)"
            recorded = (
                f"  ! {'; '.join(_words(o) for o in entry.objections)}" if entry.objections else ""
            )
            text = f"{entry.seq:>4}  {line_of(entry)}{mark}{recorded}"
            listed.add_option(Option(text.replace("[", "\\["), id=str(entry.seq)))
        if listed.option_count:
            listed.highlighted = listed.option_count - 1

    @on(OptionList.OptionSelected, "#entries")
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        entry = self.session.entries()[event.option_index]
        self._seq, self._shown = entry.seq, ""
        mend = self.query_one("#mend", Input)
        mend.value = line_of(entry)
        mend.cursor_position = len(mend.value)
        mend.focus()

    @on(Input.Submitted, "#mend")
    def _mend(self, event: Input.Submitted) -> None:
        if self._seq is None:
            return

        text = event.value.strip()
        try:
            act = self.session.parse(text.rstrip("! "))
            if self._shown != text:
                alteration = self.session.alters(self._seq, act)
                changes = "\n".join(map(str, alteration.changes)) or "no later entry changes"
                self._shown = text
                self._say(f"This alters: {changes}\nEnter again mends it.")
                return
            self.session.amend(self._seq, act, anyway=text.endswith("!"))
        except UnusableInput as error:
            self._say(str(error))
        except IllegalAction as error:
            reasons = "; ".join(o.text for o in error.verdict.objections)
            self._say(f"{reasons}  (! at the end records it all the same)")
        except (
            Exception
        ) as error:  # the session names its refusals; each is said, none ends the program
            self._say(str(error))
        else:
            self._seq = None
            event.input.value = ""
            self._say("Mended.")
            self._draw()
            self.query_one("#entries", OptionList).focus()

    def _say(self, text: str) -> None:
        self.query_one("#alters", Static).update(text)

    def action_back(self) -> None:
        """Back to the table."""
        self.dismiss()


def line_of(entry: Any) -> str:
    """An entry as a match file has it."""
    return f"{quoted(entry.player)} {entry.text}"


def _words(objection: Any) -> str:
    """An objection in words, as it was judged then or as it stands now."""
    return str(getattr(objection, "text", objection))
