"""The score sheet: every line opens its rule; what if; copy; save."""

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.cli.ink import Ink
from companion.cli.score_sheet import sheet_text
from companion.core.score import Line, Score
from companion.tui.screens.help import TextScreen


class ScoreScreen(Screen[None]):
    """The sheet of a session: a match, or a table that is being counted."""

    HELP_TEXT = """
Score
  Up and Down go through the lines; Enter opens the rule behind one.
  p: the cards behind a line as they were photographed.
  w: what if another house rule held: the totals side by side.
  c: copy the sheet as text.   s: save it as the agreed final score.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("w", "what_if", "What if"),
        Binding("p", "photos", "Photo"),
        Binding("c", "copy", "Copy"),
        Binding("s", "save", "Save"),
    ]

    def __init__(self, session: Any) -> None:
        super().__init__()
        self.session = session
        self.rules: list[str] = []
        self.lines: list[tuple[str, Line] | None] = []
        """Whose each listed line is, and the line itself; None where it is no line of points."""

    def compose(self) -> ComposeResult:
        """The lines."""
        yield Static("Score", id="title")
        yield OptionList(id="lines")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Counts, and lists the lines."""
        score = self.session.score()
        listed = self.query_one("#lines", OptionList)
        for text in getattr(self.session, "faults", ()):
            listed.add_option(Option(f"  not counted: {text}".replace("[", "\\[")))
            self.rules.append("")
            self.lines.append(None)
        for text, rule, line in sheet_lines(score):
            listed.add_option(Option(text.replace("[", "\\["), disabled=not text))
            self.rules.append(rule)
            self.lines.append(line)
        self.query_one("#title", Static).update(f"Score: {self.session.game.title}")
        listed.focus()
        first = next((at for at, line in enumerate(self.lines) if line is not None), None)
        if first is not None:
            listed.highlighted = first

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A table that is being counted is saved from its own screen."""
        return action != "save" or hasattr(self.session, "finish")

    def text(self) -> str:
        """The sheet as plain text."""
        return sheet_text(self.session.sheet, self.session.score(), Ink(False))

    @on(OptionList.OptionSelected, "#lines")
    def _rule(self, event: OptionList.OptionSelected) -> None:
        rule_id = self.rules[event.option_index]
        if not rule_id:
            return
        rule = self.session.rules[rule_id]
        also = f"\nhouse rules: {', '.join(rule.options)}" if rule.options else ""
        page = f"{rule.text}\n\n{rule.id}\nsection: {rule.section}\nclarity: {rule.clarity}{also}"
        self.app.push_screen(TextScreen(rule.title, page))

    def action_photos(self) -> None:
        """The cards behind the line, as a photo shows them."""
        from companion.intake.table import single_in
        from companion.session.seen import behind, seen_cards
        from companion.tui.screens.crops import CropsScreen

        at = self.query_one("#lines", OptionList).highlighted
        found = None if at is None or at >= len(self.lines) else self.lines[at]
        if found is None:
            self.app.notify("Choose a line with points first.")
            return
        player, line = found
        cards = behind(line, player, seen_cards(self.session), single_in(self.session.sheet.deck))
        if not cards:
            self.app.notify("No photo stands behind this line; its cards were typed.")
            return
        self.app.push_screen(CropsScreen(f"{player}: {line.what}", cards))

    def action_what_if(self) -> None:
        """The totals under every other reading that would change them."""
        self.app.push_screen(TextScreen("What if", what_if(self.session)))

    def action_copy(self) -> None:
        """To the clipboard, as text."""
        self.app.copy_to_clipboard(self.text())
        self.app.notify("Copied.")

    def action_save(self) -> None:
        """Keeps it as the agreed final score."""
        finish = getattr(self.session, "finish", None)
        if finish is None:
            self.app.notify("A counted table is saved from its own screen (F10).")
            return
        from companion.session import MatchIsFinished, StoreTrouble

        try:
            finish()
        except StoreTrouble as trouble:
            self.app.notify(str(trouble), title="Not saved", severity="error", timeout=30)
        except MatchIsFinished:
            self.app.notify("It was saved before; the agreed score stays as it was.")
        else:
            self.app.notify("Saved as the final score.")


def sheet_lines(score: Score) -> list[tuple[str, str, tuple[str, Line] | None]]:
    """Every line of the sheet with the id of its rule, and whose line of points it is."""
    lines: list[tuple[str, str, tuple[str, Line] | None]] = []
    for player in score.players:
        lines.append((f"{player.name}: {player.total}   (rank {player.rank})", "", None))
        for line in player.lines:
            place = dict(line.where)
            where = ""
            if "row" in place:
                first, last = place["columns"]
                span = f"{first}-{last}" if first > 0 else f"{first} to {last}"
                where = f"row {place['row']}, columns {span}: "
            text = f"  {line.points:>4}  {where}{line.what}"
            lines.append((text, line.rule, (player.name, line)))
    names = ", ".join(score.winners)
    several, over = len(score.winners) > 1, score.complete is not False
    verb = ("win together" if several else "wins") if over else ("lead" if several else "leads")
    lines.append((f"{names} {verb}{'' if over else ' so far'}", "", None))
    lines += [(f"  against the rules: {p.text}", p.rule, None) for p in score.problems]
    lines += [(f"  note: {n.text}", n.rule, None) for n in score.notes]
    return lines


def what_if(session: Any) -> str:
    """Totals now, and under every single other reading or value of a house rule that changes them."""
    from dataclasses import replace

    from companion.core.options import choices, readings, text_of

    now = session.score().totals
    names = list(now)
    wide = max([5, *map(len, names)]) + 2
    lines = ["".ljust(34) + "".join(n.rjust(wide) for n in names)]
    lines.append("as agreed".ljust(34) + "".join(str(now[n]).rjust(wide) for n in names))
    others = [(r.label, r.options) for r in readings(session.options)]
    for choice in choices(type(session.options)):
        if str(choice.clarity) == "clear":
            for value in choice.values:
                if value != getattr(session.options, choice.name):
                    label = f"{choice.name}={text_of(value)}"
                    others.append((label, replace(session.options, **{choice.name: value})))
    for label, options in others:
        totals = session.rescore(options).totals
        if totals != now:
            lines.append(label.ljust(34) + "".join(str(totals[n]).rjust(wide) for n in names))
    if len(lines) == 2:
        lines.append("No other house rule changes a total.")
    return "\n".join(lines)
