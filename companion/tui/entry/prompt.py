"""What the entry line offers for the words typed so far."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of the list under the entry."""

    label: str
    words: tuple[str, ...] = ()
    """The act that choosing it plays; empty: it only fills in `text`."""
    text: str = ""
    """What stands in the entry once it is chosen."""
    player: str = ""
    """Whose act it is; empty: the player of the prompt."""
    place: tuple[int, int] | None = None
    """The place on the board that it stands for."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """How the entry line reads what was typed."""

    player: str
    """Whose act is being typed."""
    title: str
    """What is asked for, in a few words."""
    choices: tuple[Choice, ...] = ()
    words: tuple[str, ...] = ()
    """The act that the text spells out already; empty while it does not."""
    lit: frozenset[tuple[int, int]] = frozenset()
    """Places (row, column) to light up."""
    note: str = ""
    """Why nothing is offered, or what is wrong with what was typed."""


class Typist(Protocol):
    """Reads the entry line of one game."""

    def read(self, session: Any, text: str) -> Prompt:
        """The prompt for the text in the state of the session."""
        ...


def matching(choices: list[Choice], typed: str) -> tuple[Choice, ...]:
    """The choices whose label holds every word typed, in their order."""
    words = typed.casefold().split()
    return tuple(c for c in choices if all(w in c.label.casefold() for w in words))
