"""Where the cards of a review were seen, as the log keeps it beside an act."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from companion.intake.review.model import At, Review


def provenance(
    review: Review,
    player: str,
    places: Mapping[At, Mapping[str, Any]],
    named: Collection[str] | None = None,
) -> dict[str, Any] | None:
    """The photos, and of each of the player's cards its box and confidence; None where there is none.

    `places` tells player, row and column of a card in the match; with `named`, these cards only.
    """
    cards, used = [], {}
    for at in review.places():
        box, place = review.at(at), places.get(at, {})
        if box is None or place.get("player", player) != player:
            continue
        if box.card is None or (named is not None and box.card not in named):
            continue
        photo = review.photos[box.photo]
        used[photo.sha256] = Path(photo.name).name
        candidates = box.seen.candidates
        known = [c.confidence for c in candidates if c.face == box.card.partition("=")[0]]
        cards.append(
            {
                "card": box.card,
                **{key: value for key, value in place.items() if key != "player"},
                "photo": photo.sha256,
                "box": [[round(x, 1), round(y, 1)] for x, y in box.seen.region],
                "confidence": round(known[0], 3) if known else 0.0,
                "told": box.told is not None,
            }
        )
    if not cards:
        return None
    return {"source": "photo", "deck": review.deck, "photos": used, "cards": cards}
