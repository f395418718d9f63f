"""Which cards are printed and how many of each: the rulebook's counts where it gives them, else one."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from card_catalog.faces import Face, faces
from card_catalog.faces.layout import ring_of
from card_catalog.lookup import UnknownCard, lookup_in, shown
from card_catalog.model import Card, Colour, Deck, Kind
from companion.core.errors import Fault, UnusableInput

MOST = 99
"""Cards of one face; nobody's box has more."""
_COPIES = re.compile(r"^(?P<card>[^=]+)=(?P<count>[^=]*)$")


@dataclass(frozen=True, slots=True)
class Printed:
    """One face and how often it is printed."""

    face: Face
    copies: int
    source: str
    """`rulebook`, `told`, or `unknown`: printed once since nobody knows."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is printed of a deck, in its order."""

    deck: Deck
    set_name: str
    printed: tuple[Printed, ...]

    @property
    def cards(self) -> tuple[Face, ...]:
        """Every card, a face once a copy."""
        return tuple(p.face for p in self.printed for _ in range(p.copies))

    def counts(self, source: str) -> str:
        """The kinds with that source and their cards: `Bow (front): 8; Chief: 1 red + 1 black`."""
        by_kind: dict[str, list[str]] = {}
        for p in self.printed:
            if p.source == source:
                by_kind.setdefault(p.face.card.kind.name, []).append(
                    f"{p.copies} {p.face.card.colour}" if p.face.card.colour else str(p.copies)
                )
        return "; ".join(f"{kind}: {' + '.join(counts)}" for kind, counts in by_kind.items())

    @property
    def empty_rings(self) -> str:
        """The kinds printed without their number, since nobody has told it: `Chief; Shaman (red)`."""
        without: dict[str, list[str]] = {}
        for p in self.printed:
            card = p.face.card
            if p.copies and ring_of(card.kind) is not None and card.value is None:
                without.setdefault(card.kind.name, []).append(str(card.colour))
        return "; ".join(
            f"{kind} ({colours[0]})" if colours in (["red"], ["black"]) else kind
            for kind, colours in without.items()
        )


def sets_of(deck: Deck) -> tuple[str, ...]:
    """The sets whose counts the rulebook gives: `basic` and `expanded`, or `box`."""
    return tuple(dict.fromkeys(s for kind in deck.kinds.values() for s in kind.copies))


def plan(
    deck: Deck,
    set_name: str = "",
    copies: Iterable[str] = (),
    numbers: Mapping[str, int] | None = None,
    titled: bool = False,
) -> Plan:
    """What to print; raises `UnusableInput` with all that is wrong with the set and the copies.

    `copies` are words like `chief=4` (a coloured kind: half red, half black, the odd one red) or
    `chief:red=4`. Raises `KeyError` where a card has no drawing.
    """
    known = sets_of(deck)
    faults = []
    if set_name and set_name not in known:
        right = f"use {' or '.join(known)}" if known else "no counts are known of this deck"
        faults.append(Fault("--set", f"there is no set {shown(set_name)!r}", right))
    chosen = set_name or (known[0] if known else "")
    told, wrong = _told(deck, copies)
    if faults or wrong:
        raise UnusableInput([*faults, *wrong])
    printed = []
    for face in faces(deck, titled, numbers):
        kind = face.card.kind
        if face.name in told:
            printed.append(Printed(face, told[face.name], "told"))
        elif chosen in kind.copies:
            count = _share(kind.copies[chosen], kind, face.card.colour)
            printed.append(Printed(face, count, "rulebook"))
        else:
            printed.append(Printed(face, 1, "unknown"))
    return Plan(deck, chosen, tuple(printed))


def _share(count: int, kind: Kind, colour: Colour | None) -> int:
    """A colour's share of a kind's cards: half, and the odd one red."""
    if not kind.coloured:
        return count
    return count - count // 2 if colour is Colour.RED else count // 2


def _told(deck: Deck, words: Iterable[str]) -> tuple[dict[str, int], list[Fault]]:
    """Copies by the name of a face. What is told of one colour goes before what is told of its kind."""
    of_kind: dict[str, int] = {}
    of_face: dict[str, int] = {}
    faults = []
    for word in words:
        found = _COPIES.match(word)
        count = found["count"].strip() if found else ""
        if found is None or not (count.isascii() and count.isdigit()) or int(count[:5]) > MOST:
            faults.append(
                Fault(
                    "--copies", shown(word), f"write KIND=N with N from 0 to {MOST}, like chief=4"
                )
            )
            continue
        try:
            card = lookup_in(deck).card(found["card"].strip())
        except UnknownCard as error:
            faults.append(Fault("--copies", shown(word), str(error)))
            continue
        name, table = str(card), of_kind if card.colour is None else of_face
        if name in table:
            faults.append(Fault("--copies", shown(word), f"{name} was told before"))
        table[name] = int(count)
        if card.kind.coloured and card.colour is None:
            for colour in Colour:
                of_kind[str(Card(card.kind, colour))] = _share(int(count), card.kind, colour)
    return {**of_kind, **of_face}, faults


def read_numbers(raw: Mapping[str, Any], deck: Deck) -> dict[str, int]:
    """Numbers by the name of a face or a kind, from a file; raises `UnusableInput` with all its faults.

    A card and its number a line (`"paddlers-2:red" = 2`, `chest-white = 2`), or `strengths` and `values`
    as in a household's deck file, whose other keys say nothing about numbers.
    """
    numbers: dict[str, int] = {}
    faults: list[Fault] = []
    is_deck = "extends" in raw
    families = {k.family: k for k in deck.kinds.values() if k.group == "chest"}

    def take(where: str, card: Card, value: object) -> None:
        name = str(card)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 9999:
            found = shown(str(value)) if not isinstance(value, dict | list) else "a table or list"
            faults.append(Fault(where, f"{found} is not a whole number from 0 to 9999"))
        elif ring_of(card.kind) is None:
            faults.append(Fault(where, f"{card.kind.id} has no ring for a number"))
        elif name in numbers:
            faults.append(Fault(where, f"{name} was told before"))
        else:
            numbers[name] = value

    def named(where: str, word: str, value: object) -> None:
        try:
            card = lookup_in(deck).card(word)
        except UnknownCard as error:
            faults.append(Fault(where, str(error)))
            return
        if card.number is not None:
            faults.append(Fault(where, "write the number behind the equals sign, not in the name"))
        else:
            take(where, card, value)

    for key, value in raw.items():
        if key in ("strengths", "values"):
            if not isinstance(value, dict):
                faults.append(Fault(key, "is not a table", f"write [{key}] and a card a line"))
                continue
            for word, number in value.items():
                where = f"{key}.{shown(word)}"
                if key == "strengths":
                    named(where, word, number)
                elif word in families:
                    take(where, Card(families[word]), number)
                else:
                    faults.append(Fault(where, "no chest of that colour", _nearest(word, families)))
        elif not is_deck:
            named(shown(key), key, value)
    if faults:
        raise UnusableInput(faults)
    return numbers


def _nearest(word: str, known: Iterable[str]) -> str:
    names = sorted(known)
    if not names:
        return "this deck has no chests"
    close = get_close_matches(word, names, 1)
    return f"did you mean {close[0]}?" if close else f"use {', '.join(names)}"
