"""What the two thieves may take."""

from collections.abc import Sequence

from card_catalog.model import Card
from companion.core.verdict import Objection
from companion.games.gold_up.cards import Mark, listed, short
from companion.games.gold_up.options import Options


def keys_to_take(held: int, players: int, options: Options) -> int:
    """Cards that a key thief takes from a hand of so many: all, or with two players a few."""
    return min(held, options.two_player_thief) if players == 2 else held


def taken_from(
    wanted: Sequence[Card | Mark], held: Sequence[Card | Mark]
) -> tuple[list[Card | Mark], list[Card | Mark], list[Card | Mark]]:
    """Wanted cards as they are held, what stays behind, and what is wanted and not there.

    A card without a number stands for any of its kind, one with a number for such a copy or for one
    whose number is not written down. An unseen card may turn out to be any; known ones go first.
    """
    left = list(held)
    found: list[Card | Mark] = []
    absent: list[Card | Mark] = []
    # Exact wishes first, so that a loose one never uses up the only copy that an exact one needs.
    for card in sorted(wanted, key=lambda c: isinstance(c, Mark) or c.number is None):
        match = _like(card, left)
        if match is None:
            absent.append(card)
            continue
        left.remove(match)
        keep = isinstance(match, Mark) or (
            isinstance(card, Card) and card.number is not None and match.number is None
        )
        found.append(card if keep else match)
    return found, left, absent


def _like(card: Card | Mark, held: Sequence[Card | Mark]) -> Card | Mark | None:
    if card in held:
        return card
    if isinstance(card, Card):
        for other in held:
            if (
                isinstance(other, Card)
                and other.kind == card.kind
                and (card.number is None or other.number is None)
            ):
                return other
        return Mark.UNSEEN if Mark.UNSEEN in held else None
    return None


def missing_chests(
    chests: Sequence[Card], held: Sequence[Card | Mark], owner: str, *, impossible: bool = True
) -> list[Objection]:
    """The objection to stealing chests that do not lie before their owner."""
    _, _, absent = taken_from(chests, held)
    if not absent:
        return []
    return [
        Objection(
            "gup:steal-chests.chests",
            f"There is no {listed(absent).replace(' and ', ' and no ')} chest (left) "
            f"before {owner}.",
            (f"choose from {', '.join(map(short, held)) or 'nothing: no chests lie there'}",),
            place=("chests",),
            impossible=impossible,
        )
    ]
