"""The contract of a game: start, check, apply, legal, score. No IO, no clock, no randomness."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NewType, Protocol

from card_catalog.model import Deck
from companion.core.errors import Fault
from companion.core.score import Score
from companion.core.verdict import Verdict

PlayerName = NewType("PlayerName", str)
"""A field that names one of the players of the file."""


class Question(Protocol):
    """One kind of question: a frozen dataclass whose fields are those of the file."""

    def ask(self, position: Any, options: Any) -> Verdict:
        """The verdict under these options."""
        ...


class Game(Protocol):
    """A game: one value of this shape, without state of its own.

    A *position* is what a score-sheet file says (the game's own frozen dataclass); a *state* is a
    match in progress, the fold of `apply` over its acts.
    """

    id: str
    title: str
    options: type[Any]
    """Frozen dataclass of the house rules, fields made by `options.option`."""
    position: type[Any]
    """Frozen dataclass of a position file without `game`, `deck` and `options`."""
    head: type[Any]
    """Frozen dataclass of a match file without `game`, `deck`, `options` and `actions`."""
    questions: Mapping[str, type[Question]]
    """Question kinds by name."""
    seats: tuple[int, int]
    """Fewest and most players of a position file; 99 stands for no upper limit."""
    match_seats: tuple[int, int]
    """Fewest and most players of a match."""
    observed_rule: str
    """Id of the rule that a correction cites."""
    verbs: Mapping[str, str]
    """How each act of a match file is written, with what it does."""

    def faults(self, position: Any, options: Any) -> list[Fault]:
        """What makes a well-formed position unusable for this game."""
        ...

    def score(self, position: Any, options: Any, deck: Deck) -> Score:
        """The itemised score of a position, its problems and notes."""
        ...

    def start(self, head: Any, options: Any, deck: Deck) -> Any:
        """The state before the first act of a match."""
        ...

    def parse(self, player: str, words: Sequence[str], state: Any) -> Any:
        """The act that the words of one line name; raises `UnusableInput`."""
        ...

    def encode(self, action: Any) -> str:
        """The words of an act, without its player; `parse` of them is the act again."""
        ...

    def check(self, state: Any, action: Any) -> Verdict:
        """Every objection to the act in this state."""
        ...

    def apply(self, state: Any, action: Any) -> Any:
        """The state after the act, legal or not; raises `ImpossibleAction`."""
        ...

    def candidates(self, state: Any) -> Iterable[Any]:
        """All acts worth asking about in this state, finite."""
        ...

    def legal(self, state: Any) -> Iterator[Any]:
        """The candidates that nothing speaks against."""
        ...

    def standing(self, state: Any) -> Any:
        """The position that `score` and the questions take, as it lies on the table now."""
        ...

    def corrections(self, state: Any) -> tuple[str, ...]:
        """Where an observation corrected the log, in sentences."""
        ...

    def view(self, state: Any) -> tuple[str, ...]:
        """The table as lines of text; the last line says whose turn it is and what is awaited."""
        ...
