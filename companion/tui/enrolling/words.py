"""What enrolment says: counts, lists that fit on the screen, the checklist."""

from collections.abc import Sequence
from textwrap import wrap

from card_catalog.model import Deck
from companion.intake.own_decks import FREE, cards_of


def cards(number: int) -> str:
    """`1 card`, `2 cards`."""
    return "1 card" if number == 1 else f"{number} cards"


def photos(number: int) -> str:
    """`1 photo`, `2 photos`."""
    return "1 photo" if number == 1 else f"{number} photos"


def checklist(
    deck: Deck | None, learnt: int, missing: Sequence[str], lines: int, width: int
) -> str:
    """`31 of 46 learnt; still missing: eagle, furs, ... and 13 more (F6)`, in so many lines."""
    if deck is None or deck.game == FREE:
        return f"{cards(learnt)} learnt; any name will do."
    whole = len(cards_of(deck))
    text = f"{whole - len(missing)} of {whole} learnt"
    if not missing:
        return f"{text}: every card has a picture."
    return listed(f"{text}; still missing: ", missing, lines, width)


def listed(head: str, names: Sequence[str], lines: int, width: int) -> str:
    """As many of the names as so many lines hold, and how many more there are."""
    for shown in range(len(names), 0, -1):
        more = f" and {len(names) - shown} more (F6)" if shown < len(names) else ""
        text = f"{head}{', '.join(names[:shown])}{more}"
        if len(wrap(text, width, break_on_hyphens=False)) <= lines:
            return text
    return head
