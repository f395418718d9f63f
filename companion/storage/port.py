"""The port: what the session asks of a store, in plain values. Nothing here knows SQL."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from companion.core.log import Amended, Entry, Played, Redone, Undone


class Stage(StrEnum):
    """How far a match is."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match starts from; frozen into it."""

    game: str
    deck: str | None
    players: tuple[str, ...]
    head: Mapping[str, Any]
    """Keys of a match file's head, without game, deck, options and players."""
    options: Mapping[str, Any]
    """All house rules in force."""
    rules_version: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class StoredMatch(NewMatch):
    """A match of the store, without its entries."""

    id: int = 0
    stage: Stage = Stage.RUNNING
    created: str = ""
    """ISO 8601, UTC."""
    updated: str = ""
    """Of its last entry, or of the last change of its stage."""
    entries: int = 0
    final: Mapping[str, Any] | None = None
    """The agreed final score, as `companion score --json` prints it."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be appended."""

    entry: Entry
    provenance: Mapping[str, Any] | None = None
    """Where it was seen: photo, region, confidence."""
    verdict: Mapping[str, Any] | None = None
    """The ruling it was recorded with, where something spoke against it."""


@dataclass(frozen=True, slots=True)
class StoredEntry(NewEntry):
    """An entry of the store."""

    seq: int = 0
    created: str = field(default="", compare=False)


class Roster(Protocol):
    """The people who play here, each known once however the name is capitalised."""

    def names(self) -> tuple[str, ...]:
        """All of them; who played last comes first."""
        ...

    def add(self, name: str) -> str:
        """The name as the roster has it, added if it is new."""
        ...

    def rename(self, name: str, new: str) -> None:
        """Another spelling; matches keep the name they were played under."""
        ...

    def forget(self, name: str) -> None:
        """Takes a name off the roster; its matches stay."""
        ...


class Facts(Protocol):
    """What a household has told about its deck: coin values, strengths."""

    def of(self, deck: str) -> dict[str, Any]:
        """All facts told about a deck, by key."""
        ...

    def tell(self, deck: str, key: str, value: Any) -> None:
        """Remembers a fact; None forgets it."""
        ...


class Store(Protocol):
    """Matches and their entries. Every method raises `StoreTrouble` in words.

    Whatever a method has written is on the disk when it returns.
    """

    where: str
    """For people: the file, or the URL without its password."""

    @property
    def roster(self) -> Roster:
        """The people who play here."""
        ...

    @property
    def facts(self) -> Facts:
        """What the household has told about its decks."""
        ...

    def create(self, match: NewMatch, entries: Sequence[NewEntry] = ()) -> StoredMatch:
        """Stores a new match, with the entries of an imported one; its players join the roster."""
        ...

    def match(self, match_id: int) -> StoredMatch:
        """One match; raises `NoSuchMatch`."""
        ...

    def matches(self, stage: Stage | None = None) -> tuple[StoredMatch, ...]:
        """All matches, or those of a stage; the last one played comes first."""
        ...

    def entries(self, match_id: int, after: int = 0) -> tuple[StoredEntry, ...]:
        """The entries of a match behind that number, in order."""
        ...

    def append(
        self, match_id: int, after: int, entries: Sequence[NewEntry]
    ) -> tuple[StoredEntry, ...]:
        """Adds entries behind number `after`, all or none.

        Raises `SomebodyElseWrote` if there are some, `MatchIsFinished` where a program has finished it.
        """
        ...

    def set_stage(
        self, match_id: int, stage: Stage, final: Mapping[str, Any] | None = None
    ) -> None:
        """Running, paused, or finished with the final score."""
        ...

    def rename(self, match_id: int, title: str) -> None:
        """Gives the match a title."""
        ...

    def delete(self, match_id: int) -> None:
        """Removes a match with all its entries."""
        ...

    def close(self) -> None:
        """Lets go of the file or the connections."""
        ...


_KINDS: Mapping[str, type[Played | Undone | Redone | Amended]] = {
    "played": Played,
    "undone": Undone,
    "redone": Redone,
    "amended": Amended,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def packed(entry: Entry) -> tuple[str, str]:
    """Kind and payload of an entry as the store keeps them."""
    match entry:
        case Played(player, words, recorded):
            payload: dict[str, Any] = {"player": player, "words": words, "recorded": recorded}
        case Amended(seq, player, words, recorded):
            payload = {"seq": seq, "player": player, "words": words, "recorded": recorded}
        case Undone(seq) | Redone(seq):
            payload = {"seq": seq}
    return _NAMES[type(entry)], json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


def unpacked(kind: str, payload: str) -> Entry:
    """The entry of a kind and payload; raises `ValueError` for what no companion has written."""
    if kind not in _KINDS:
        raise ValueError(f"no entry is of kind {kind!r}")
    fields = json.loads(payload)
    if "words" in fields:
        fields["words"] = tuple(fields["words"])
    return _KINDS[kind](**fields)
