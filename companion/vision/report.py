"""A reading as the plain data of `companion scan --json`."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from companion.vision.sighting import Placed, Reading


def document(photo: str, deck: str, reading: Reading, seconds: float) -> dict[str, Any]:
    """The document of one photo: rows of cards with boxes in pixels of the upright photo, warnings."""
    return {
        "photo": photo,
        "deck": deck,
        "seconds": round(seconds, 2),
        "rows": [{"cards": cards} for cards in _numbered(reading)],
        "warnings": [{"code": w.code, "text": w.text} for w in reading.warnings],
    }


def _numbered(reading: Reading) -> Iterator[list[dict[str, Any]]]:
    """The cards of each row; their places are counted through the rows, as on the annotated copy."""
    place = count(1)
    for row in reading.rows:
        yield [_card(placed, next(place)) for placed in row]


def _card(placed: Placed, place: int) -> dict[str, Any]:
    seen = placed.sighting
    return {
        "card": seen.face,
        "confidence": seen.candidates[0].confidence if seen.candidates else 0.0,
        "sure": seen.sure,
        "alternatives": [[c.face, c.confidence] for c in seen.candidates],
        "box": [list(point) for point in seen.region],
        "column": placed.column,
        "place": place,
        "number": seen.number,
        "doubts": list(seen.doubts),
    }
