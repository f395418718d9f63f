"""Which part of which photo stands behind a line of the score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.score import Line
from companion.vision.sighting import Region


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card on the table, and where a photo shows it."""

    player: str
    card: str
    photo: str
    """sha256 of the photo's file."""
    name: str
    """Of the photo."""
    box: Region
    """Pixels of the upright photo."""
    confidence: float
    told: bool
    """Whether a person said which card it is."""
    row: int = 0
    column: int = 0
    hand: int = 0

    @property
    def how(self) -> str:
        """`read with 98 %`, or that a person said so."""
        return "as a person said" if self.told else f"read with {round(100 * self.confidence)} %"


def seen_cards(session: Any) -> list[SeenCard]:
    """Every card that a photo told, the newest first: of a match, or of a table being counted.

    Provenance that something else has written is passed over.
    """
    counted = getattr(session, "seen", None)
    if counted is not None:
        return [c for told in counted for c in _cards(told["player"], told, told.get("hand", 0))]
    found: list[SeenCard] = []
    hand = 1
    for entry in session.entries():
        if not entry.in_force:
            continue
        if entry.provenance:
            found = [*_cards(entry.player, entry.provenance, hand), *found]
        hand += entry.text == "end-hand"
    return found


def _cards(player: str, told: Mapping[str, Any], hand: int) -> list[SeenCard]:
    found = []
    try:
        for card in told["cards"]:
            a, b, c, d = ((float(x), float(y)) for x, y in card["box"])
            found.append(
                SeenCard(
                    str(card.get("player", player)),
                    str(card["card"]),
                    str(card["photo"]),
                    str(told["photos"].get(card["photo"], "")),
                    (a, b, c, d),
                    float(card.get("confidence", 0.0)),
                    bool(card.get("told", False)),
                    int(card.get("row", 0)),
                    int(card.get("column", 0)),
                    hand,
                )
            )
    except (KeyError, TypeError, ValueError, AttributeError):
        return []
    return found


def behind(line: Line, player: str, seen: Iterable[SeenCard]) -> list[SeenCard]:
    """The photographed cards of a line, each once; those that still lie in the line's row come first.

    A row that has moved since is no other row: without a card in the same row any of the player's is
    taken.
    """
    place = dict(line.where)
    mine = [
        one for one in seen if one.player == player and one.hand in (0, place.get("hand", one.hand))
    ]
    found: list[SeenCard] = []
    for card in line.cards:
        fits = [one for one in mine if one not in found and _same(one.card, card)]
        here = [one for one in fits if one.row == place.get("row", one.row)]
        found += (here or fits)[:1]
    return found


def _same(one: str, other: str) -> bool:
    """Whether two names may be one card: a number or colour that one leaves out says nothing."""
    names = [_parts(one), _parts(other)]
    return all(a == b or not a or not b for a, b in zip(*names, strict=True))


def _parts(card: str) -> tuple[str, str, str]:
    name, _, number = card.partition("=")
    kind, _, colour = name.partition(":")
    return kind.removeprefix("chest-"), colour, number
