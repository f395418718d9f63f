"""House rules: every option with its values, the default marked, its meaning below."""

from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion import library
from companion.core.options import Choice, choices, read_options, text_of
from companion.tui.entry.typed import whole


class HouseRulesScreen(ModalScreen[Any]):
    """Returns the options as they were set, or None."""

    HELP_TEXT = """
House rules
  Enter takes the next value of an option; a number or coins are typed in the line below.
  The text below says what the option means and how clear the rulebook is about it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "done", "Done"),
        Binding("f1", "app.help", "Help"),
    ]

    def __init__(self, game: str, options: Any) -> None:
        super().__init__()
        self._installed = library.load(game)
        self._options = options

    def compose(self) -> ComposeResult:
        """The list, the meaning, the line for numbers."""
        yield Static(f"House rules of {self._installed.game.title}", id="title")
        yield OptionList(id="options")
        yield Static("", id="meaning", markup=False)
        yield Input(placeholder="a value, for the option chosen above", id="value")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self._draw()
        self.query_one("#options", OptionList).focus()

    def _choices(self) -> tuple[Choice, ...]:
        return choices(type(self._options))

    def _draw(self) -> None:
        listed = self.query_one("#options", OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        for choice in self._choices():
            value = getattr(self._options, choice.name)
            mark = "" if value == choice.default else "   (changed)"
            shown = " ".join(f"{k}={v}" for k, v in value) if choice.keys else text_of(value)
            listed.add_option(Option(f"{choice.name} = {shown}{mark}", id=choice.name))
        listed.highlighted = at

    @on(OptionList.OptionHighlighted, "#options")
    def _explain(self, event: OptionList.OptionHighlighted) -> None:
        choice = next(c for c in self._choices() if c.name == event.option_id)
        rule = self._installed.rules[choice.rule]
        values = " | ".join(map(text_of, choice.values)) or "a number"
        default = "the cards decide" if choice.keys else text_of(choice.default)
        self.query_one("#meaning", Static).update(
            f"{choice.meaning}\nvalues: {values}; default: {default}; "
            f"the rulebook ({rule.section}) is {_said(str(choice.clarity))}\n{rule.text}"
        )

    @on(OptionList.OptionSelected, "#options")
    def _next(self, event: OptionList.OptionSelected) -> None:
        choice = next(c for c in self._choices() if c.name == event.option_id)
        if not choice.values:
            self.query_one("#value", Input).focus()
            return
        now = choice.values.index(getattr(self._options, choice.name))
        value = choice.values[(now + 1) % len(choice.values)]
        self._options = replace(self._options, **{choice.name: value})
        self._draw()

    @on(Input.Submitted, "#value")
    def _typed(self, event: Input.Submitted) -> None:
        listed = self.query_one("#options", OptionList)
        choice = self._choices()[listed.highlighted or 0]
        options, faults = read_options(
            type(self._options), {choice.name: _value(choice, event.value)}
        )
        if faults:
            self.query_one("#meaning", Static).update("\n".join(map(str, faults)))
            return
        self._options = replace(self._options, **{choice.name: getattr(options, choice.name)})
        event.input.value = ""
        self._draw()
        listed.focus()

    def action_done(self) -> None:
        """Back, with the options as they are now."""
        self.dismiss(self._options)


def _value(choice: Choice, text: str) -> Any:
    """What was typed, as a file would have it: `white=2 red=4` for coins."""
    if choice.keys:
        pairs = [part.partition("=") for part in text.replace(",", " ").split()]
        return {key: value if whole(value) is None else whole(value) for key, _, value in pairs}
    number = whole(text.strip())
    if number is not None:
        return number
    return {"true": True, "false": False}.get(text.strip(), text.strip())


def _said(clarity: str) -> str:
    return "unclear here" if clarity == "interpretation" else f"{clarity} here"
