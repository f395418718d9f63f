"""Counting: what lies on the table is entered, and scored while it is typed.

The document is the plain mapping of a position file. One module a game turns it into what is on the
screen and back; nothing here draws or stores.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.game import Game
from companion.core.options import as_dict, read_options
from companion.core.rulebook import Rulebook
from companion.core.score import Score
from companion.interchange.answers import score_of
from companion.interchange.sheets import Sheet, raise_if

SEEN = "seen"
"""Key of a document's own: where its cards were seen in photos. No position file has it."""
Place = tuple[int | str, ...]
"""Where on the screen: (player, row), (round,), (hand, player), or ("values",), counted from 1."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something typed that cannot be counted; everything else still is."""

    place: Place
    text: str
    word: str = ""
    """The word it is about, where it is one."""


@dataclass(frozen=True, slots=True)
class CountedTable:
    """A table that can be scored; the score sheet shows it as it shows a match."""

    sheet: Sheet
    faults: tuple[str, ...] = ()
    """What was typed and cannot be counted."""
    seen: tuple[Mapping[str, Any], ...] = ()
    """Where its cards were seen, as the log keeps it: one a player and hand."""

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.sheet.game

    @property
    def rules(self) -> Rulebook:
        """Its rule book."""
        return self.sheet.rules

    @property
    def options(self) -> Any:
        """The house rules in force."""
        return self.sheet.options

    def score(self) -> Score:
        """The itemised score."""
        return score_of(self.sheet)

    def rescore(self, options: Any) -> Score:
        """What the score would be under other house rules: a mapping of those that differ, or all."""
        if isinstance(options, Mapping):
            given = {**as_dict(self.options), **options}
            options, faults = read_options(self.game.options, given)
            raise_if(faults)
        return self.game.score(self.sheet.position, options, self.sheet.deck)


@dataclass(frozen=True, slots=True)
class Count:
    """What has been typed, as far as it can be scored."""

    table: CountedTable | None
    """None where nothing can be scored: a name or a house rule that cannot be."""
    score: Score | None
    wrong: tuple[Wrong, ...] = ()
    awaited: tuple[Wrong, ...] = ()
    """What is not entered yet: no mistake, but it is not counted."""

    def at(self, *place: int | str) -> tuple[Wrong, ...]:
        """What is wrong at a place or inside it."""
        return tuple(w for w in self.wrong if w.place[: len(place)] == place)
