"""The nouns of sight: where something lies in a photo, what it may be, and what a photo showed."""

from dataclasses import dataclass, field

Point = tuple[float, float]
Region = tuple[Point, Point, Point, Point]
"""Corners in pixels of the upright photo, clockwise from the card's own top left."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face that a sighting may be: its name (a card in notation), and how likely, 0 to 1."""

    face: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card seen in a photo; without candidates, a card that could not be named."""

    region: Region
    candidates: tuple[Candidate, ...] = ()
    sure: bool = False
    """False: ask the player."""
    number: int | None = None
    """What is printed in its ring, where it was read; the catalogue's number is not repeated here."""
    doubts: tuple[str, ...] = ()
    """Why it is not sure, in words for a person."""

    @property
    def face(self) -> str | None:
        """The best candidate's name."""
        return self.candidates[0].face if self.candidates else None

    @property
    def centre(self) -> Point:
        """Mean of the corners, pixels."""
        xs, ys = zip(*self.region, strict=True)
        return sum(xs) / 4, sum(ys) / 4


@dataclass(frozen=True, slots=True)
class Placed:
    """A sighting at its place in a row; columns are common to all rows of a photo, from 1."""

    column: int
    sighting: Sighting


@dataclass(frozen=True, slots=True)
class Warn:
    """Something a person should know about a photo: a stable code, and a sentence with what to do."""

    code: str
    text: str
    row: int = 0
    """The row that it speaks of, from 1; 0: the photo as a whole."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a photo showed: rows from top to bottom, cards from left to right."""

    rows: tuple[tuple[Placed, ...], ...]
    warnings: tuple[Warn, ...] = field(default=())

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """All of them, row by row."""
        return tuple(placed.sighting for row in self.rows for placed in row)
