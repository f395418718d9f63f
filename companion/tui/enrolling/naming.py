"""The name typed for a card: which face it means, what it may become, what is wrong with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from card_catalog.lookup import Lookup, UnknownCard, lookup_in, shown
from card_catalog.model import Deck, Kind
from companion.intake.enrolment import Names
from companion.intake.own_decks import FREE
from companion.tui.counting.up_the_creek import suggestions
from companion.vision.sighting import Candidate

MOST = 40
"""Choices that are listed."""
_TOLD = 0.05
"""Confidence from which a suggestion of the deck is listed."""
LIKELY = 0.5
"""Confidence from which the deck's own suggestion is taken by Enter alone."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A face that may be meant, and what is said beside it."""

    face: str
    says: str


@dataclass(frozen=True, slots=True)
class Named:
    """What a typed text comes to."""

    face: str = ""
    """The face that Enter means as things stand; empty: none yet."""
    choices: tuple[Choice, ...] = ()
    fault: str = ""
    """Why it is no face, in words."""
    likely: bool = False
    """The first of the choices is meant by Enter."""


def read_name(
    text: str, deck: Deck | None, names: Names, known: Sequence[str], seen: Sequence[Candidate]
) -> Named:
    """What the text means for a deck; None for a free deck that is not there yet.

    `known`: faces still without a picture, or of a free deck the names that it has; `seen`: what the
    deck's own pictures make of the card.
    """
    word = text.strip()
    if not word:
        return _nothing_typed(known, seen)
    if deck is None or deck.game == FREE:
        return _free(word, names, known)
    return _of_a_game(word, lookup_in(deck), seen)


def _nothing_typed(known: Sequence[str], seen: Sequence[Candidate]) -> Named:
    choices = [
        Choice(c.face, f"looks like it, {round(100 * c.confidence)} %")
        for c in seen
        if c.confidence >= _TOLD
    ]
    there = {choice.face for choice in choices}
    choices += [Choice(face, "") for face in known if face not in there]
    likely = bool(seen) and seen[0].confidence >= LIKELY
    fault = "" if likely else "type the name of the card"
    return Named(choices[0].face if likely else "", tuple(choices[:MOST]), fault, likely)


def _free(word: str, names: Names, known: Sequence[str]) -> Named:
    """Any name will do; those that are there are offered, so that one card has one name."""
    begins = [Choice(face, "a card of this deck") for face in known if _begins(face, word)]
    try:
        face = names.face(word)
    except UnknownCard as error:
        return Named("", tuple(begins), str(error))
    others = tuple(choice for choice in begins if choice.face != face)
    return Named(face, others[:MOST])


def _begins(face: str, word: str) -> bool:
    return face.casefold().startswith(word.casefold())


def _of_a_game(word: str, lookup: Lookup, seen: Sequence[Candidate]) -> Named:
    colours = {c.face.partition("=")[0]: c.confidence for c in seen}
    fault = ""
    try:
        card = lookup.card(word)
    except UnknownCard as error:
        fault = str(error)
    else:
        if not card.kind.coloured or card.colour is not None:
            return Named(str(card))
        number = f"={card.number}" if card.number is not None else ""
        faces = _faces(card.kind, number)
        faces.sort(key=lambda choice: -colours.get(choice.face.partition("=")[0], 0.0))
        either = Choice(str(card), f"{card.kind.name}, red or black alike")
        text = f"is its number red or black? {faces[0].face} or {faces[1].face}"
        return Named("", (*faces, either), text)
    choices = _expanded(word, lookup)
    name = word.partition(":")[0].partition("=")[0]
    begins = bool(lookup.completions(name))
    if begins and choices:
        return Named(choices[0].face, tuple(choices[:MOST]), "", True)
    if choices and fault.startswith("unknown card"):
        fault = f"{fault.partition(';')[0]}; did you mean {choices[0].face}?"
    elif fault.startswith("unknown card"):
        fault = f"no card of this deck is called {shown(word)}"
    return Named("", tuple(choices[:MOST]), fault)


def _expanded(word: str, lookup: Lookup) -> list[Choice]:
    """The cards that the beginning of a name may become, a coloured kind in both colours."""
    found: list[Choice] = []
    for written, says in suggestions(word, lookup):
        kind = lookup.kind(written.partition(":")[0])
        if kind is not None and kind.coloured and ":" not in written:
            found += _faces(kind)
        else:
            found.append(Choice(written, says))
    return found


def _faces(kind: Kind, number: str = "") -> list[Choice]:
    return [
        Choice(f"{kind.id}:{colour}{number}", f"{kind.name}, {colour} number")
        for colour in ("red", "black")
    ]


def still_missing(deck: Deck | None, faces: Iterable[str]) -> list[str]:
    """Faces of a deck that have no picture yet; none for a free deck, whose cards nobody counted."""
    from companion.intake.own_decks import missing

    if deck is None or deck.game == FREE:
        return []
    return missing(deck, list(faces))
