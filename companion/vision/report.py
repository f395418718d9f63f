"""A reading as the plain data of `companion scan --json`."""

from typing import Any

from companion.vision.sighting import Placed, Reading


def document(photo: str, deck: str, reading: Reading, seconds: float) -> dict[str, Any]:
    """The document of one photo: rows of cards with boxes in pixels of the upright photo, warnings."""
    return {
        "photo": photo,
        "deck": deck,
        "seconds": round(seconds, 2),
        "rows": [{"cards": [_card(placed) for placed in row]} for row in reading.rows],
        "warnings": [{"code": w.code, "text": w.text} for w in reading.warnings],
    }


def _card(placed: Placed) -> dict[str, Any]:
    seen = placed.sighting
    return {
        "card": seen.face,
        "confidence": seen.candidates[0].confidence if seen.candidates else 0.0,
        "sure": seen.sure,
        "alternatives": [[c.face, c.confidence] for c in seen.candidates],
        "box": [list(point) for point in seen.region],
        "column": placed.column,
        "number": seen.number,
        "doubts": list(seen.doubts),
    }
