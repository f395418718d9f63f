"""What a photo shows otherwise than the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core.errors import UnusableInput
from companion.intake.review import At, Review
from companion.intake.review.provenance import provenance

if TYPE_CHECKING:
    from companion.session.match import MatchSession

Act = tuple[str, tuple[str, ...]]
"""A player and the words of an act."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the photo shows otherwise."""

    text: str
    ways: tuple[tuple[Act, ...], ...] = ()
    """Ordinary acts that might have led to it, the likeliest first."""
    instead: tuple[Act, ...] = ()
    """The first of these ways that the match allows now; empty: it can only be observed."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a reviewed photo tells of a match."""

    summary: str
    """In one sentence, said first: `three cards are new, one is gone`."""
    differences: tuple[Difference, ...] = ()
    acts: tuple[Act, ...] = ()
    """What makes the log say what the photo shows."""
    remarks: tuple[str, ...] = ()
    """What the photo does not tell, and what is wrong with it."""
    review: Review = field(default=Review(""), repr=False)
    places: Mapping[At, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    """Player, row and column in the match of every card of the review."""

    def provenance(self, player: str, words: Sequence[str]) -> dict[str, Any] | None:
        """Where the cards of an act were seen: of an observation all of the player's."""
        cards = set(words)
        named = None if words[0] == "observe" else cards
        return provenance(self.review, player, self.places, named)


def ordinary(session: "MatchSession", ways: Sequence[Sequence[Act]]) -> tuple[Act, ...]:
    """The first way whose acts are all legal, one after the other, in the match as it stands."""
    for way in ways:
        state = session.state
        try:
            for player, words in way:
                act = session.game.parse(player, words, state)
                if not session.game.check(state, act).legal:
                    break
                state = session.game.apply(state, act)
            else:
                return tuple(way)
        except UnusableInput:
            continue
    return ()


def counted(many: int, what: str) -> str:
    """`one card is new`, `three cards are new`."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    number = words[many] if many < len(words) else str(many)
    return f"{number} card{'' if many == 1 else 's'} {'is' if many == 1 else 'are'} {what}"
