"""The rule books: every statement, opened with Enter."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion import library
from companion.cli.rule_text import rule_full
from companion.core.rulebook import Rule
from companion.tui.screens.help import TextScreen

MOST = 300


class RuleBooksScreen(Screen[None]):
    """Lists the rules that hold the words typed."""

    HELP_TEXT = """
The rule books
  Type words: the rules that hold them all are listed. Enter opens one: its text, its section, how clear
  the rulebook is, and the house rules that change it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("down", "down", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._rules: list[Rule] = []

    def compose(self) -> ComposeResult:
        """A line to type on, and the rules."""
        yield Static("The rule books", id="title")
        yield Input(placeholder="lasso totem", id="search")
        yield OptionList(id="rules")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """All rules at first."""
        self._list("")
        self.query_one("#search", Input).focus()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self._list(event.value)

    def _list(self, typed: str) -> None:
        words = typed.casefold().split()
        listed = self.query_one("#rules", OptionList)
        listed.clear_options()
        self._rules = []
        for name in library.SHIPPED:
            installed = library.load(name)
            for rule in installed.rules:
                text = f"{installed.game.title} {rule.section} {rule.title} {rule.text}".casefold()
                if len(self._rules) < MOST and all(w in text for w in words):
                    self._rules.append(rule)
                    label = f"{installed.game.title}, {rule.section}: {rule.title}"
                    listed.add_option(Option(label.replace("[", "\\[")))

    @on(OptionList.OptionSelected, "#rules")
    def _open(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(TextScreen("Rule", rule_full(self._rules[event.option_index])))

    @on(Input.Submitted, "#search")
    def _first(self) -> None:
        if self._rules:
            self.query_one("#rules", OptionList).focus()

    def action_down(self) -> None:
        """From the line into the list."""
        self.query_one("#rules", OptionList).focus()
