"""What the panes share: the document, what it comes to, and telling the screen what was typed."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input

from companion.tui.counting import Count, Place, Wrong
from companion.tui.counting.reading import names_of


class Pane(Vertical):
    """Shows a document and says how it was changed; it keeps nothing that the document has not."""

    HELP_TEXT: ClassVar[str] = ""
    OFFERS: ClassVar[frozenset[str]] = frozenset()
    """The actions `leaf`, `grid` and `renege` that mean something here."""

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__()
        self.raw = raw
        self.counted = Count(None, None)
        self.names = names_of(raw)
        # Called at once, not by a message: what is typed meanwhile must not meet an older document.
        self.typed: Callable[[dict[str, Any], Place, bool], None] = _nobody_listens
        """Told the document after each change, its place, and whether a word is complete."""
        self.looked: Callable[[], None] = self.draw
        """Told when another player, round or hand is looked at."""

    def show(self, raw: dict[str, Any], counted: Count) -> None:
        """Takes in the document and its score, and draws them."""
        self.raw = raw
        self.counted = counted
        self.draw()

    def draw(self) -> None:
        """Draws everything anew."""

    def take_focus(self) -> None:
        """Gives the keys to where one types."""

    def reveal(self, place: Place) -> None:
        """Looks at the player, round or hand that a change was made at."""

    def give(self, widget: Widget) -> None:
        """The keys go there at once, the very next one too."""
        self.screen.set_focus(widget)

    def has(self, widget: Widget) -> bool:
        """Whether the keys go there."""
        return self.is_attached and self.screen.focused is widget

    def viewed(self) -> int:
        """The player looked at, from 1; 0 where all are."""
        return 0

    def action_move(self, step: int) -> None:
        """What is above or below."""

    def action_leaf(self, step: int) -> None:
        """The next player or hand, or the one before."""

    def action_grid(self) -> None:
        """Card by card, or back to text."""

    def action_renege(self, step: int) -> None:
        """The player under the cursor reneged once more, or once less."""

    def change(self, raw: dict[str, Any], place: Place, settled: bool) -> None:
        """Takes the document in and tells the screen; `settled`: a word is complete."""
        self.raw = raw
        self.typed(raw, place, settled)


def _nobody_listens(raw: dict[str, Any], place: Place, settled: bool) -> None:
    """A pane on its own."""


class Line(Input):
    """One line to type on; the keys that scroll elsewhere move about in the pane."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "across(-1)", show=False),
        Binding("down", "across(1)", show=False),
    ]

    def __init__(self, id: str, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder, id=id, select_on_focus=False)

    @property
    def pane(self) -> Pane:
        """The pane that it stands in."""
        return next(a for a in self.ancestors if isinstance(a, Pane))

    def action_across(self, step: int) -> None:
        """See `Pane.action_move`."""
        self.pane.action_move(step)

    def put(self, text: str, cursor: int | None = None) -> None:
        """Shows a text that was not typed here."""
        if self.value != text:
            with self.prevent(Input.Changed):
                self.value = text
            self.cursor_position = len(text)
        if cursor is not None:
            self.cursor_position = cursor


def padded(text: str, cells: int) -> str:
    """A name in so many cells of the screen, cut where it is longer."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    if cell_len(clean) > cells:
        return set_cell_size(clean, max(0, cells - 1)) + "…"
    return set_cell_size(clean, cells)


def widest(names: Iterable[str], most: int) -> int:
    """Cells that the longest of the names takes, at most so many."""
    return min(most, max(map(cell_len, names)))


def faults_text(wrong: Iterable[Wrong], problems: Iterable[Wrong] = ()) -> Text:
    """What is wrong, then what is against the rules; each with a sign of its own."""
    text = Text()
    for sign, style, found in (("✗ ", "bold red", wrong), ("! ", "yellow", problems)):
        for one in found:
            if text:
                text.append("\n")
            text.append(sign + one.text, style)
    return text


def totals_text(counted: Count, viewed: int) -> Text:
    """The totals in a line; a mark stands before the player looked at (0: nobody)."""
    text = Text()
    if counted.score is None:
        return text.append("nothing can be counted: " + "; ".join(w.text for w in counted.wrong))
    for seat, player in enumerate(counted.score.players, 1):
        text.append("   " if seat > 1 else "")
        text.append(f"▸{player.name}" if seat == viewed else player.name, "bold")
        text.append(f" {player.total}", "bold green")
    return text
