"""A standard card as the index reader has found it, and what a photo shows of them in no order."""

from dataclasses import dataclass

from companion.vision.geometry import Floats, Quad, as_floats
from companion.vision.index_reader import agreement
from companion.vision.index_reader.agreement import Verdict
from companion.vision.index_reader.classes import JOKER
from companion.vision.index_reader.detect import Corner
from companion.vision.judge import as_region
from companion.vision.sighting import Sighting

ASPECT = 1.42
"""Height over width of a card whose own shape nothing tells."""
INDEX = 4.3
"""Width of a card over the height of its index, where no whole card tells."""
NEXT = 2.6
"""Index heights from one index of a fan to the next, at most."""
STRANGE = 0.6
"""Share from which both ends make a card a joker, or one with a letter that is no rank here."""
COVERED = "covered"
"""Stands for the rank of a card that lies under another."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card read: its outline, whole or guessed from one corner, and what it is."""

    quad: Quad
    verdict: Verdict | None
    """None: a joker, or a card with a letter that is no rank here."""
    corner: Corner | None = None
    """Where nothing but a corner was found."""
    settled: bool = False
    """Whether both of its ends have said the same."""
    strange: str = ""
    """Why a card has no name: the letter on it, `joker`, or `covered`."""

    @property
    def strength(self) -> float:
        """For choosing between readings of one place."""
        return STRANGE if self.verdict is None else agreement.strength(self.verdict)

    @property
    def anchors(self) -> Floats:
        """Where its index stands, or its indices, (n, 2)."""
        if self.corner is not None:
            return self.corner.pose.centre[None]
        across, down = self.quad[1] - self.quad[0], self.quad[3] - self.quad[0]
        shift = 0.12 * across + 0.14 * down
        return as_floats([self.quad[0] + shift, self.quad[2] - shift])

    @property
    def sighting(self) -> Sighting:
        """As the rest of the program knows it."""
        region = self.quad if self.corner is None else self.corner.region
        if self.verdict is None:
            doubt = {JOKER: "a joker", COVERED: "its rank is covered"}.get(
                self.strange, f"{self.strange} stands on it, which is no rank here"
            )
            return Sighting(as_region(region), doubts=(doubt,))
        seen = self.verdict
        return Sighting(as_region(region), seen.candidates, seen.sure, doubts=seen.doubts)


@dataclass(frozen=True, slots=True)
class View:
    """What a photo shows before it is put into rows."""

    cards: tuple[Card, ...]
    others: tuple[Quad, ...]
    """Outlines of cards that could not be read."""
