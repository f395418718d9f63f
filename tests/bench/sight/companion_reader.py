"""The adapter between this bench and the reader of photographs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.intake.eyes import Sight
from companion.vision.album import Album
from companion.vision.album import Reference as Picture
from companion.vision.drawn import drawn_album
from companion.vision.enrol import NotCut, cut
from companion.vision.gates import checked, usable
from companion.vision.index_reader.both import BothWitnesses
from companion.vision.index_reader.reader import IndexReader
from companion.vision.reader import Reader
from companion.vision.report import document

STANDARD = ("standard-52", "felt")
"""Decks whose cards carry indices."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A photo with named cards to enrol a deck from."""

    file: Path
    cards: tuple[str, ...]
    order: str
    """`x` by x of the centre, `rows` in reading order, `-` a single card."""


class CompanionReader:
    """Reads photos of one deck; with references the deck is enrolled from them, else it is a shipped one."""

    def __init__(self, deck: str, references: Sequence[Reference] = ()) -> None:
        self.reader: Sight
        if references:
            self.reader = Reader(enrolled(deck, references))
            if deck in STANDARD:
                self.reader = BothWitnesses(self.reader, IndexReader())
        elif deck in ("up-the-creek", "gold-up"):
            self.reader = Reader(drawn_album(deck))
        elif deck in STANDARD:
            self.reader = IndexReader()
        else:
            raise NotImplementedError(f"{deck} that nobody enrolled is not read")

    def read(self, image: NDArray[np.uint8], deck: str) -> dict[str, Any]:
        """The document of `companion scan --json` for one upright photo (BGR)."""
        return document("photo", deck, self.reader.read(image), 1.0)


def enrolled(deck: str, references: Sequence[Reference]) -> Album:
    """The deck of named photos; what cannot be cut is left out, doubtful crops stay."""
    crops = []
    for reference in references:
        image = np.asarray(cv2.imread(str(reference.file), cv2.IMREAD_COLOR), np.uint8)
        order = "x" if reference.order == "x" else "rows"
        try:
            crops += cut(image, reference.cards, order, reference.file.name)
        except NotCut as error:
            print(f"{reference.file.name}: {error}")
    pictures = [
        Picture(crop.face, crop.image, crop.source, crop.doubts) for crop in usable(checked(crops))
    ]
    return Album(deck, pictures)
