"""Card notation: `ID[:COLOUR][=NUMBER]`, rows of cards with `.` for an empty place.

Reading a word gives its parts; which kind it is, `lookup` says.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from card_catalog.model import Card, Colour

EMPTY = "."
_EMPTY_WORDS = {EMPTY, "gap", "empty", "-"}
_WORD = re.compile(r"^(?P<name>[^:=]+)(?::(?P<colour>[^:=]*))?(?:=(?P<number>[^:=]*))?$")
_SPACES = re.compile(r"[\s_]+")


@dataclass(frozen=True, slots=True)
class Written:
    """The parts of one written card; nothing has been looked up yet."""

    name: str
    """Lower case, words joined by `-`."""
    colour: str | None = None
    number: str | None = None


def read_word(word: str) -> Written | None:
    """The parts of one card, or None if it is not written like one.

    A person may also write the colour as a word of its own: `red 1 paddler`, `chief black = 3`.
    """
    found = _WORD.match(word.strip())
    if found is None:
        return None
    words = _SPACES.sub(" ", found["name"].strip().lower()).split(" ")
    colour = found["colour"].strip().lower() if found["colour"] is not None else None
    if colour is None and len(words) > 1:
        for edge in (0, -1):
            if words[edge] in tuple(Colour):
                colour = words.pop(edge)
                break
    number = found["number"].strip() if found["number"] is not None else None
    return Written("-".join(words), colour, number)


def split_row(text: str) -> list[str]:
    """The words of a row. With a comma anywhere, commas part the cards and names may have spaces."""
    if "," not in text:
        return text.split()
    words: list[str] = []
    for part in text.strip().strip(",").split(","):
        names = part.split()
        while len(names) > 1 and is_empty(names[0]):
            words.append(names.pop(0))
        words.append(" ".join(names))
    return words


def is_empty(word: str) -> bool:
    """Whether the word stands for a place without a card."""
    return word.strip().lower() in _EMPTY_WORDS


def write_row(cells: Iterable[Card | None]) -> str:
    """A row as it is written in files; the inverse of reading it."""
    return " ".join(EMPTY if card is None else str(card) for card in cells)
