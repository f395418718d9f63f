"""A ruling as a person at the table reads it."""

from companion.cli.ink import Ink, wrapped
from companion.core.verdict import Clarity, Outcome, Ruling
from companion.interchange.answers import instead, reasons
from companion.interchange.sheets import Sheet

_STYLE = {
    Outcome.LEGAL: "green",
    Outcome.ILLEGAL: "red",
    Outcome.UNDETERMINED: "yellow",
    Outcome.ANSWER: "cyan",
}
_CLARITY = {
    Clarity.CLEAR: "The rulebook is clear about it.",
    Clarity.INTERPRETATION: "The rulebook is unclear; this is the default reading.",
    Clarity.SILENT: "The rulebook is silent; the household decides.",
}


def ruling_text(sheet: Sheet, ruling: Ruling, ink: Ink) -> str:
    """The verdict, why, what would be legal, the rules, and how other readings would go."""
    outcome = ruling.verdict.outcome
    head = ink(f"{sheet.kind}: {outcome}", "bold", _STYLE[outcome])
    lines = [head]
    if ruling.verdict.value is not None:
        lines.append(f"  {value_text(ruling.verdict.value)}")
    lines += [wrapped(f"  - {text}", "    ") for text in reasons(ruling, sheet.rules)]
    lines += [wrapped(f"  instead: {text}", "    ") for text in instead(sheet, ruling)]
    lines += rules_text(ruling, sheet, ink)
    return "\n".join(lines)


def rules_text(ruling: Ruling, sheet: Sheet, ink: Ink) -> list[str]:
    """The rules with their sections, the clarity and the readings."""
    lines = []
    for rule in ruling.rules:
        lines.append(
            ink(f"  {rule} ({sheet.rules[rule].section}): {sheet.rules[rule].title}", "dim")
        )
    lines.append(f"  {_CLARITY[ruling.clarity]}")
    if ruling.clarity is not Clarity.CLEAR and not ruling.readings and ruling.rules:
        lines.append(f"  `companion rules {ruling.rules[0]}` tells how it is read here.")
    for other in ruling.readings:
        value = "" if other.value is None else f", {value_text(other.value)}"
        lines.append(wrapped(f"  with {other.label}: {other.outcome}{value}", "    "))
    return lines


def value_text(value: object) -> str:
    """A value in words: `row 1, column 7; row 2, column 3`."""
    if isinstance(value, list):
        return "; ".join(map(value_text, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_inner(v)}" for key, v in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not known" if value is None else str(value)


def _inner(value: object) -> str:
    if isinstance(value, list) and all(isinstance(v, int) for v in value) and len(value) == 2:
        return f"{value[0]}-{value[1]}"
    return " ".join(map(str, value)) or "none" if isinstance(value, list) else value_text(value)
