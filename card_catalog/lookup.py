"""Finding a kind by what a person, a file or a reader of print calls it."""

import re
from collections.abc import Iterable
from functools import lru_cache

from card_catalog.model import Card, Colour, Deck, Kind
from card_catalog.notation import Written, read_word

_DIGITS = re.compile(r"\d+")
_LONGEST = 60
"""Characters of a name worth comparing; nobody's card is called longer."""


class UnknownCard(ValueError):
    """No such card, or not written like one; the text says what would be right."""


class Lookup:
    """Names of one deck: ids, aliases and display names, case and spacing ignored."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._names: dict[str, list[Kind]] = {}
        for kind in deck.kinds.values():
            own = {kind.id, *kind.aliases, kind.name}
            for name in {_plain(n) for n in own}:
                self._names.setdefault(name, []).append(kind)
        self._cards: dict[tuple[str, str], Card] = {}

    def kind(self, name: str, group: str = "") -> Kind | None:
        """The kind of that id, alias or name; with a group, those of the group come first."""
        found = self._names.get(_plain(name), [])
        exact = [k for k in found if k.id == name.lower()]
        wanted = [k for k in found if k.group == group] if group else exact or found
        return wanted[0] if wanted else None

    def nearest(self, name: str, group: str = "") -> str | None:
        """Id of the kind whose name is most like this one, if any is."""
        close = self.similar(name, group)
        return close[0] if close else None

    def similar(self, name: str, group: str = "", most: int = 5) -> list[str]:
        """Ids of the kinds whose names are like this one, the most similar first."""
        from rapidfuzz import fuzz, process

        names = [n for n, kinds in self._names.items() if not group or _of(kinds, group)]
        hits = process.extract(
            _plain(name)[:_LONGEST], names, scorer=fuzz.ratio, limit=3 * most, score_cutoff=60
        )
        ids = [(_of(self._names[hit], group) or self._names[hit][0]).id for hit, _, _ in hits]
        return list(dict.fromkeys(ids))[:most]

    def completions(self, start: str) -> list[Kind]:
        """Kinds one of whose names begins so, in the order of the deck: what typing picks from."""
        wanted = _plain(start)
        starting = {
            k.id for name, kinds in self._names.items() if name.startswith(wanted) for k in kinds
        }
        return [k for k in self.deck.kinds.values() if k.id in starting]

    def card(self, word: str, group: str = "") -> Card:
        """The card that a written word names; raises `UnknownCard`."""
        key = (word, group)
        known = self._cards.get(key)
        if known is None:
            known = self._read(word, group)
            if len(self._cards) < 10_000:
                self._cards[key] = known
        return known

    def _read(self, word: str, group: str) -> Card:
        if not word.strip():
            raise UnknownCard("nothing stands between two commas; write . for an empty place")
        written = read_word(word)
        if written is None:
            raise UnknownCard(
                f"{shown(word)} is not written like a card; write name, name:colour or name=number"
            )
        kind = self.kind(written.name, group)
        if kind is None:
            raise UnknownCard(self._unknown(written, group))
        return Card(kind, *_printed(kind, written))

    def _unknown(self, written: Written, group: str) -> str:
        text = f"unknown card {shown(written.name)}"
        other = self.kind(written.name)
        if group and other is not None:
            return f"{shown(written.name)} is no {group}, but a {other.group}"
        head, _, tail = written.name.rpartition("-")
        numbered = self.kind(head, group) if tail.isdigit() else None
        if numbered is not None and numbered.numbered:
            return f"{text}; write {numbered.id}={tail} for a card with that number"
        near = self.nearest(written.name, group)
        if near is not None:
            return f"{text}; did you mean {near}?"
        return f"{text}; `companion rules {self.deck.game} --cards` lists the cards"


_LOOKUPS: dict[int, Lookup] = {}


def lookup_in(deck: Deck) -> Lookup:
    """The names of a deck, prepared once a deck."""
    known = _LOOKUPS.get(id(deck))
    if known is None or known.deck is not deck:
        if len(_LOOKUPS) > 64:
            _LOOKUPS.clear()
        known = _LOOKUPS[id(deck)] = Lookup(deck)
    return known


def _of(kinds: Iterable[Kind], group: str) -> Kind | None:
    return next((k for k in kinds if k.group == group), None)


def _printed(kind: Kind, written: Written) -> tuple[Colour | None, int | None]:
    wrong = []
    colour, number = None, None
    if written.colour is not None:
        if not kind.coloured:
            wrong.append(
                f"{kind.id} has no red or black number, so {shown(written.colour)} cannot stand there"
            )
        elif written.colour not in tuple(Colour):
            wrong.append(f"{kind.id}: colour {shown(written.colour)} is neither red nor black")
        else:
            colour = Colour(written.colour)
    if written.number is not None:
        if not kind.numbered:
            wrong.append(
                f"{kind.id} has no printed number, so ={shown(written.number)} cannot stand there"
            )
        elif (
            not (written.number.isascii() and _DIGITS.fullmatch(written.number))
            or len(written.number) > 4
        ):
            wrong.append(f"{kind.id}: {shown(written.number)} is not a whole number from 0 to 9999")
        else:
            number = int(written.number)
    if wrong:
        raise UnknownCard("; ".join(wrong))
    return colour, number


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z&]+", "", name.casefold())


def shown(text: str) -> str:
    """Somebody's text for a message: one line, printable, not too long."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"
