"""A standard deck that the household enrolled: its pictures and its indices as two witnesses.

Where both agree a card is sure, where they disagree the player is asked; where the index cannot be read,
the picture is judged by its own rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.advice import UNKNOWN_CARDS
from companion.vision.geometry import Image, Pyramid, Quad, as_floats, iou, over_smaller
from companion.vision.index_reader.agreement import Verdict
from companion.vision.index_reader.card import Card, View
from companion.vision.index_reader.placing import reading_of
from companion.vision.index_reader.reader import IndexReader
from companion.vision.reader import Reader
from companion.vision.sighting import Candidate, Reading, Sighting

_CLEAR = 0.5
"""Share from which what the index says is weighed against the picture."""
_TOLD = 6
_DOUBTED = 0.9


@dataclass(frozen=True, slots=True)
class BothWitnesses:
    """Reads photos of an enrolled standard deck."""

    pictures: Reader
    indices: IndexReader

    def read(self, image: Image) -> Reading:
        """What an upright photo (BGR) shows."""
        return together(self.pictures.read(image), self.indices.look(image))

    def name_at(self, image: Image, quad: Quad) -> Sighting:
        """What the card is that a person says lies in that outline."""
        picture = self.pictures.name_at(image, quad)
        indices = self.indices.outlined(Pyramid(image), [quad])
        return _agreed(picture, quad, indices[0]).sighting if indices else picture

    def picture(self, face: str) -> Image | None:
        """How a face looks by the deck's own pictures."""
        return self.pictures.picture(face)


def together(whole: Reading, view: View) -> Reading:
    """One reading of what the pictures and the indices of a photo say."""
    left = list(view.cards)
    cards: list[Card] = []
    nameless: list[Quad] = []
    for sighting in whole.sightings:
        quad = as_floats(np.array(sighting.region))
        here = [card for card in left if _same_place(quad, card)]
        left = [card for card in left if not any(card is other for other in here)]
        if here:
            cards.append(_agreed(sighting, quad, max(here, key=lambda card: card.strength)))
        elif sighting.candidates:
            cards.append(Card(quad, Verdict(sighting.candidates, sighting.doubts)))
        else:
            nameless.append(quad)
    cards += left
    places = [card.quad for card in cards]
    others = [q for q in (*nameless, *view.others) if not _taken(q, places)]
    others = [q for i, q in enumerate(others) if not _taken(q, others[:i])]
    kept = [w for w in whole.warnings if others or w.code != UNKNOWN_CARDS]
    told = [w for w in kept if w.code != "no-cards" or not cards]
    return reading_of(View(tuple(cards), tuple(others)), told)


def _same_place(quad: Quad, card: Card) -> bool:
    if card.corner is None:
        return over_smaller(quad, card.quad) > 0.5 or iou(quad, card.quad) > 0.35
    return over_smaller(quad, card.corner.region) > 0.6 and iou(quad, card.quad) > 0.5


def _taken(quad: Quad, places: Sequence[Quad]) -> bool:
    return any(over_smaller(quad, place) > 0.4 for place in places)


def _agreed(sighting: Sighting, quad: Quad, card: Card) -> Card:
    """A card that both have seen."""
    seen = card.verdict
    if not sighting.candidates:
        return replace(card, quad=quad, corner=None)
    picture = Verdict(sighting.candidates, sighting.doubts)
    if seen is None or (seen.confidence < _CLEAR and seen.face != picture.face):
        return Card(quad, picture)
    if seen.face == picture.face:
        share = 1 - (1 - seen.confidence) * (1 - picture.confidence)
        rest = tuple(c for c in picture.candidates if c.face != seen.face)
        return Card(quad, Verdict((Candidate(seen.face, round(share, 3)), *rest)))
    first, second = (seen, picture) if seen.confidence >= picture.confidence else (picture, seen)
    best = Candidate(first.face, min(_DOUBTED, first.confidence))
    more = sorted((*second.candidates, *first.candidates[1:]), key=lambda c: -c.confidence)
    rest = tuple({c.face: c for c in reversed(more) if c.face != best.face}.values())[::-1]
    doubt = f"its index says {seen.face}, its picture {picture.face}"
    return Card(quad, Verdict((best, *rest)[:_TOLD], (doubt,)))
