"""What a session tells: entries for display, what an amendment alters, why something is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.verdict import Objection, Verdict


@dataclass(frozen=True, slots=True)
class EntryView:
    """An act of the log as it is shown."""

    seq: int
    player: str
    text: str
    """Its words as in a match file, without the player; the amended ones where it was amended."""
    in_force: bool
    """False where it was undone."""
    recorded: bool
    """Recorded although it was against the rules."""
    objections: tuple[Objection, ...]
    """What speaks against it on the table as it then lay; none where it was undone."""
    when: str
    """When it was entered: ISO 8601, UTC."""
    news: tuple[str, ...] = ()
    """What it led to."""
    was: str = ""
    """What was entered at first, with its player, where it was amended."""
    provenance: Mapping[str, Any] | None = None
    """Where it was seen, where a photo told it."""
    fault: str = ""
    """Why it does not count: the rules of this program say that it cannot have happened."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an amendment does to a later entry."""

    seq: int
    player: str
    text: str
    gained: tuple[Objection, ...]
    lost: tuple[Objection, ...]
    impossible: str = ""
    """Why it could not have happened then; empty where it could."""

    def __str__(self) -> str:
        said = [
            *(f"now {o.text}" for o in self.gained),
            *(f"no longer {o.text}" for o in self.lost),
        ]
        why = (
            f"cannot have happened then: {self.impossible}" if self.impossible else "; ".join(said)
        )
        return f"{self.seq}: {self.player} {self.text}: {why}"


@dataclass(frozen=True, slots=True)
class Alteration:
    """What an amendment alters."""

    seq: int
    was: str
    text: str
    """With its player."""
    verdict: Verdict
    """On the amended act itself."""
    changes: tuple[Change, ...]
    """Later entries that gain or lose objections, or that could not have happened."""

    @property
    def blocking(self) -> tuple[Change, ...]:
        """The later entries that could not have happened: while there are any, it is refused."""
        return tuple(change for change in self.changes if change.impossible)


class AmendmentRefused(Exception):
    """After the amendment later entries could not have happened; nothing was changed."""

    def __init__(self, alteration: Alteration) -> None:
        self.alteration = alteration
        self.blocking: Sequence[Change] = alteration.blocking
        super().__init__("; ".join(map(str, self.blocking)))


class NotInForce(LookupError):
    """There is no act of that number in force."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        super().__init__(f"entry {seq} is no act that stands")
