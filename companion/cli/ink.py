"""Words on a terminal: colour where there is one, plain when piped or with NO_COLOR."""

import os
import sys
from dataclasses import dataclass

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Ink:
    """Styles text, or leaves it alone."""

    on: bool

    def __call__(self, text: str, *styles: str) -> str:
        """The text in these styles: bold, dim, red, green, yellow, cyan."""
        if not self.on or not text:
            return text
        return f"\033[{';'.join(_CODES[s] for s in styles)}m{text}\033[0m"


def ink() -> Ink:
    """The ink of standard output."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Ink(not plain and sys.stdout.isatty())


def say(text: str = "") -> None:
    """One line on standard output, whatever characters the terminal knows."""
    print(text)


def complain(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr)


def plain(text: str) -> str:
    """Without anything that a terminal would obey, or that would break the line."""
    return "".join(c if c.isprintable() else "?" for c in text)


def wrapped(text: str, indent: str, width: int = 96) -> str:
    """A paragraph for reading, its lines after the first indented."""
    from textwrap import fill

    return fill(text, width, initial_indent="", subsequent_indent=indent, break_long_words=False)
