"""What the parts of the program tell each other."""

from dataclasses import dataclass
from typing import Any

from textual.message import Message


@dataclass
class StoreOpened(Message):
    """The household's store is there."""

    store: Any


@dataclass
class StoreFailed(Message):
    """The store cannot be used; the text says why and what to do."""

    text: str


@dataclass
class MatchesListed(Message):
    """The matches of the household were read."""

    request: int
    matches: tuple[Any, ...]


@dataclass
class MatchOpened(Message):
    """A match was opened or begun."""

    session: Any


@dataclass
class Failed(Message):
    """Something that was asked for could not be done."""

    text: str
