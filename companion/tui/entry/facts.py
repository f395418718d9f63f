"""Facts of the household's deck, told at the table: coins of a chest, strength of a card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.gold_up.cards import COLOURS
from companion.tui.entry.prompt import Choice


@dataclass(frozen=True, slots=True)
class Telling(Choice):
    """A choice that keeps facts of the deck and plays no act."""

    key: str = "values"
    """`values`: coins by colour; `strengths`: numbers by kind."""
    facts: Mapping[str, int] = field(default_factory=dict)

    def keep(self, session: Any) -> str:
        """Keeps them, for this match too; a sentence. Raises `StoreTrouble`."""
        session.tell(self.key, self.facts)
        told = ", ".join(f"{name} {number}" for name, number in self.facts.items())
        return f"Kept for this box: {told}."


def coins_known(session: Any) -> dict[str, int]:
    """Coins on a chest by colour: the house rules of the match and what was told, else the deck."""
    known = dict(session.deck.values) | dict(session.options.values)
    return {c: known[c] for c in COLOURS if c in known}
