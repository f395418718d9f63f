"""Reading an act: the words of one line of a match file."""

import re
from collections.abc import Sequence

from card_catalog.lookup import Lookup, UnknownCard, shown
from card_catalog.model import Card
from card_catalog.notation import is_empty, split_row
from companion.core.errors import Fault, UnusableInput
from companion.core.options import nearest_hint
from companion.games.up_the_creek.acts import (
    ALONE,
    VERB_NAMES,
    VERBS,
    Act,
    Attack,
    Axe,
    Beside,
    Destination,
    Discard,
    Lay,
    Observe,
    Reveal,
    Shoot,
    Spot,
    Steal,
    Take,
)
from companion.games.up_the_creek.piracy import Target

_WHOLE = re.compile(r"-?[0-9]{1,4}")


class _Words:
    """The words of one act, taken from the left; what is missing or wrong is said."""

    def __init__(self, words: Sequence[str], lookup: Lookup, players: tuple[str, ...]) -> None:
        self._words = list(words)
        self._verb = words[0].lower()
        self._lookup = lookup
        self._players = players
        self._at = 1

    def wrong(self, found: str, right: str = "") -> UnusableInput:
        return UnusableInput([Fault(self._verb, found, right or f"write {_syntax(self._verb)}")])

    def more(self) -> bool:
        return self._at < len(self._words)

    def next(self, what: str) -> str:
        if not self.more():
            raise self.wrong(f"{what} is missing")
        self._at += 1
        return self._words[self._at - 1]

    def is_next(self, word: str) -> bool:
        if self.more() and self._words[self._at].lower() == word:
            self._at += 1
            return True
        return False

    def expect(self, word: str) -> None:
        found = self.next(f"the word `{word}`")
        if found.lower() != word:
            raise self.wrong(f"`{shown(found)}` stands where `{word}` belongs")

    def done(self) -> None:
        if self.more():
            raise self.wrong(f"`{shown(' '.join(self._words[self._at :]))}` is too much")

    def number(self, what: str, low: int | None = None) -> int:
        word = self.next(what)
        value = int(word) if _WHOLE.fullmatch(word) else None
        if value is None or (low is not None and value < low):
            raise self.wrong(f"{shown(word)} is no {what}", "write a whole number in digits")
        return value

    def row(self) -> int:
        word = self.next("the row")
        if word not in ("1", "2", "3"):
            raise self.wrong(f"{shown(word)} is no row", "a row is 1, 2 or 3")
        return int(word)

    def column(self) -> int:
        return self.number("column")

    def one_of(self, what: str, *allowed: str) -> str:
        word = self.next(what).lower()
        if word not in allowed:
            raise self.wrong(f"{shown(word)} is no {what}", f"use {' or '.join(allowed)}")
        return word

    def player(self) -> str:
        word = self.next("the other player")
        for name in self._players:
            if name == word or name.casefold() == word.casefold():
                return name
        raise self.wrong(f"no player {shown(word)}", nearest_hint(word, self._players))

    def card(self) -> Card:
        """The longest run of words that names a card: `bow`, but also `1 paddler`."""
        if not self.more():
            raise self.wrong("the card is missing")
        error = ""
        for length in (3, 2, 1):
            words = self._words[self._at : self._at + length]
            if len(words) < length or (length > 1 and words[-1].lstrip("-").isdigit()):
                continue
            try:
                card = self._lookup.card(" ".join(words))
            except UnknownCard as unknown:
                error = str(unknown)
                continue
            self._at += length
            return card
        raise self.wrong(error)

    def beside(self, row: int) -> Beside:
        card = self.card()
        side = self.one_of("side", "left", "right")
        self.expect("shift")
        return Beside(row, card.id, side, self.one_of("direction", "left", "right"))

    def destination(self) -> Destination:
        row = self.row()
        if self.is_next("beside"):
            return self.beside(row)
        return Spot(row, self.column())

    def cells(self) -> tuple[Card | None, ...]:
        text = self.next("the cards in quotes")
        cells: list[Card | None] = []
        faults: list[Fault] = []
        for word in split_row(text):
            try:
                cells.append(None if is_empty(word) else self._lookup.card(word))
            except UnknownCard as error:
                faults.append(Fault(self._verb, str(error)))
        if faults:
            raise UnusableInput(faults)
        return tuple(cells)


def _syntax(verb: str) -> str:
    for syntax in VERBS:
        if syntax.split()[0] == verb:
            return syntax
    return "an act"


def parse(player: str, words: Sequence[str], lookup: Lookup, players: tuple[str, ...]) -> Act:
    """The act that the words name; raises `UnusableInput`."""
    reader = _Words(words, lookup, players)
    act = _parse(player, words[0].lower(), reader)
    reader.done()
    return act


def _parse(player: str, verb: str, read: _Words) -> Act:
    if verb in ALONE:
        return ALONE[verb](player)
    match verb:
        case "reveal":
            return Reveal(player, read.card())
        case "place":
            card = read.card()
            return Lay(player, card, Spot(read.row(), read.column()))
        case "insert":
            card = read.card()
            row = read.row()
            read.expect("beside")
            return Lay(player, card, read.beside(row))
        case "discard":
            return Discard(player, read.card())
        case "steal":
            victim, row, column = read.player(), read.row(), read.column()
            return Steal(
                player, victim, row, column, read.destination() if read.is_next("to") else None
            )
        case "shoot":
            return Shoot(player, read.player(), read.row(), read.column())
        case "axe":
            return Axe(player, read.row(), read.column())
        case "attack":
            return _attack(player, read)
        case "take":
            return Take(player, read.card(), read.destination())
        case "observe":
            row, cells = read.row(), read.cells()
            return Observe(player, row, cells, read.column() if read.is_next("from") else 1)
    raise UnusableInput([Fault("", f"unknown act {shown(verb)}", nearest_hint(verb, VERB_NAMES))])


def _attack(player: str, read: _Words) -> Attack:
    row, column = read.row(), read.column()
    read.expect("on")
    targets = []
    while True:
        victim, r, c = read.player(), read.row(), read.column()
        targets.append(
            Target(victim, r, c, read.number("share", 0) if read.is_next("with") else None)
        )
        if not read.is_next("and"):
            break
    given = sum(t.strength is not None for t in targets)
    if len(targets) > 1 and 0 < given < len(targets):
        raise read.wrong(
            "a share is given for only one target", "give `with N` for each, or for none"
        )
    return Attack(player, row, column, tuple(targets))
