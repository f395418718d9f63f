"""Gold Up: a line a player and hand, the values of the colours, the road to the target."""

from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from companion.tui.counting import Place, Wrong
from companion.tui.counting import gold_up as gold
from companion.tui.counting.panes.pane import Line, Pane, faults_text, padded, widest
from companion.tui.counting.reading import options_of, problems_at


class HandsPane(Pane):
    """See the module."""

    HELP_TEXT = """
Counting a match of Gold Up
  One line a player: the chests won in this hand by letter or colour
    (w w r y=12, 3w), or just the coins counted (45); none where
    somebody has nothing.
  Coins a colour are typed once, in the line above: w=2 r=4 b=5.
    They are kept for your box.
  Page Down: the next hand (a new one behind the last). Page Up: the
    hand before.
"""
    OFFERS = frozenset({"leaf"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "move(1)", show=False),
        Binding("shift+tab", "move(-1)", show=False),
    ]

    def __init__(self, raw: dict[str, Any]) -> None:
        super().__init__(raw)
        self.hand = 1

    def compose(self) -> ComposeResult:
        """Values, the lines of the hand, the road."""
        with Horizontal(classes="row"):
            yield Static("coins a colour", classes="label wide")
            yield Line(id="values", placeholder="w=2 r=4 b=5 ... as your cards say")
        yield Static("", classes="wrong", id="wrong-values", markup=False)
        yield Static("", id="hand", markup=False)
        wide = widest(self.names, 16) + 2
        with VerticalScroll(id="hands", can_focus=False):
            for seat, name in enumerate(self.names, 1):
                with Horizontal(classes="row"):
                    label = Static(padded(name, wide - 1), classes="label", markup=False)
                    label.styles.width = wide
                    yield label
                    yield Line(id=f"hand-{seat}", placeholder="w w r y=12, or coins: 45")
                    yield Static("", classes="coins", id=f"coins-{seat}", markup=False)
                yield Static("", classes="wrong", id=f"wrong-{seat}", markup=False)
        yield Static("", id="road", markup=False)
        yield Static("", id="below", markup=False)

    def reveal(self, place: Place) -> None:
        """Turns to the hand, and types on the line."""
        if place == ("values",):
            self.give(self._lines()[0])
        elif len(place) == 2:
            self.hand = int(place[0])
            self.give(self._lines()[int(place[1])])

    def take_focus(self) -> None:
        """To the values while there are none, else to the first player of the last hand."""
        self.hand = max(1, len(self.raw.get("hands", [])))
        first = self._lines()[0 if not gold.values_of(self.raw) else 1]
        self.give(first)

    def _lines(self) -> list[Line]:
        """From top to bottom."""
        ids = ["values", *(f"hand-{seat}" for seat in range(1, len(self.names) + 1))]
        return [self.query_one(f"#{name}", Line) for name in ids]

    # ---------------------------------------------------------------- drawing

    def draw(self) -> None:
        """Everything of this hand."""
        values, *lines = self._lines()
        if gold.with_values(self.raw, values.value) != self.raw:
            values.put(gold.values_text(gold.values_of(self.raw)))
        last = max(1, len(self.raw.get("hands", [])))
        new = " (new)" if self.hand > last else ""
        heading = f"Hand {self.hand} of {max(last, self.hand)}{new}"
        self.query_one("#hand", Static).update(Text(heading, "bold"))
        self._fault("values", self.counted.at("values"))
        points = self._points()
        for seat, (name, line) in enumerate(zip(self.names, lines, strict=True), 1):
            told = gold.text_of(self.raw, self.hand, name)
            if gold.with_text(self.raw, self.hand, name, line.value) != self.raw:
                line.put(told)
            shown = f"{points[seat - 1]:>5}" if told else ""
            self.query_one(f"#coins-{seat}", Static).update(shown)
            self._fault(str(seat), self.counted.at(self.hand, seat))
        self.query_one("#road", Static).update(self._road())
        self.query_one("#below", Static).update(self._below())

    def _fault(self, name: str, wrong: tuple[Wrong, ...]) -> None:
        shown = self.query_one(f"#wrong-{name}", Static)
        text = faults_text(wrong)
        shown.update(text)
        shown.display = bool(text)

    def _points(self) -> list[int]:
        """Coins of this hand."""
        if self.counted.score is None:
            return [0] * len(self.names)
        return [
            sum(line.points for line in player.lines if dict(line.where).get("hand") == self.hand)
            for player in self.counted.score.players
        ]

    def _road(self) -> Text:
        target: int = options_of(self.raw).target
        totals = self.counted.score.totals if self.counted.score is not None else {}
        wide = widest(self.names, 16) + 2
        length = max(10, min(60, self.app.size.width - wide - 20))
        text = Text(f"The road to {target}", "bold")
        room = max(3, (self.app.size.height - 4) * 2 // 5 - 3)
        shown = list(self.names)
        if len(shown) > room:
            shown = sorted(shown, key=lambda name: -totals.get(name, 0))[:room]
            text.append(f": the first {room} of {len(self.names)}", "not bold")
        for name in shown:
            total = totals.get(name, 0)
            text.append("\n" + padded(name, wide))
            text.append(gold.road(total, target, length), "yellow")
            text.append(f" {total}/{target}")
            text.append("  there" if total >= target else "", "bold")
        return text

    def _below(self) -> Text:
        elsewhere = [
            Wrong((), f"hand {w.place[0]}, {self.names[int(w.place[1]) - 1]}: {w.text}")
            for w in self.counted.wrong
            if len(w.place) == 2 and w.place[0] != self.hand
        ]
        whole = [w for w in self.counted.wrong if not w.place]
        return faults_text([*whole, *elsewhere], problems_at(self.counted, self.names))

    # ---------------------------------------------------------------- typing

    @on(Input.Changed)
    def _typed_on(self, event: Input.Changed) -> None:
        text = event.input.value  # which may be newer than the event
        settled = text[-1:] in ("", " ", ",")
        if event.input.id == "values":
            raw = gold.with_values(self.raw, text)
            place: tuple[int | str, ...] = ("values",)
        else:
            seat = int((event.input.id or "hand-1").removeprefix("hand-"))
            raw = gold.with_text(self.raw, self.hand, self.names[seat - 1], text)
            place = (self.hand, seat)
        if raw != self.raw:
            self.change(raw, place, settled)

    @on(Input.Submitted)
    def _entered(self) -> None:
        lines = self._lines()
        if self.has(lines[-1]) and any(line.value.strip() for line in lines[1:]):
            self.action_leaf(1)
            self.give(lines[1])
        else:
            self.action_move(1)

    def action_move(self, step: int) -> None:
        """The line above or below."""
        lines = self._lines()
        at = next((i for i, line in enumerate(lines) if self.has(line)), 0)
        self.give(lines[(at + step) % len(lines)])

    def action_leaf(self, step: int) -> None:
        """Another hand; behind the last one a new one begins."""
        last = len(self.raw.get("hands", [])) + 1
        now = max(1, min(self.hand + step, last))
        if now != self.hand:
            self.hand = now
            for line in self._lines()[1:]:
                line.put("")
            self.looked()
