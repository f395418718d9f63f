"""The acts of a match, one class a verb, and how each is written in a match file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from card_catalog.lookup import Lookup, UnknownCard, shown
from card_catalog.model import Card
from card_catalog.notation import is_empty, split_row, write_row
from companion.core.errors import Fault, UnusableInput
from companion.core.options import nearest_hint
from companion.games.up_the_creek.piracy import Target
from companion.games.up_the_creek.table import ROWS

_WHOLE = re.compile(r"-?[0-9]{1,4}")

VERBS: Mapping[str, str] = {
    "reveal CARD": "turns over a card from any draw deck",
    "place CARD ROW COLUMN": "lays the card there",
    "insert CARD ROW beside CARD left|right shift left|right": "lays it beside another, the others shifted",
    "discard CARD": "puts the revealed card, or a spoil, on the discard pile",
    "steal VICTIM ROW COLUMN to ROW COLUMN": "the Lasso just placed takes a card (`to ROW beside CARD left|right shift left|right` where stolen halves may shift; no `to`: it is discarded)",
    "shoot VICTIM ROW COLUMN": "the Bow & Arrows just placed hit an Indian",
    "axe ROW COLUMN": "the Wild Axe sinks that completed canoe of one's own",
    "attack ROW COLUMN on VICTIM ROW COLUMN [with N] [and VICTIM ROW COLUMN with N]": "the canoe just completed attacks; `with` is a Shaman's share",
    "take CARD ROW COLUMN": "lays a captured card (or `take CARD ROW beside CARD left|right shift left|right`)",
    "decline": "lets what is offered pass",
    "pass": "the turn is over without more",
    "end": "ends the game after completing a third canoe, or a later one",
    "reshuffle": "the discard pile becomes a new draw deck",
    "decks-out": "no draw deck and no discard pile is left: the game ends",
    'observe ROW "CARDS" [from COLUMN]': "what really lies in the row, from column 1 or the one given",
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A free place."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Beside:
    """A place beside another card of the row, the others shifted."""

    row: int
    card: str
    """Kind id of the card beside it."""
    side: str
    shift: str


Destination = Spot | Beside


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card is turned over."""

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class Lay:
    """The revealed card is placed or inserted."""

    player: str
    card: Card
    to: Destination


@dataclass(frozen=True, slots=True)
class Discard:
    """A card goes to the discard pile."""

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class Steal:
    """The Lasso takes a card and it is laid at once; without a place it is discarded."""

    player: str
    victim: str
    row: int
    column: int
    to: Destination | None


@dataclass(frozen=True, slots=True)
class Shoot:
    """Bow & Arrows hit a card."""

    player: str
    victim: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Axe:
    """The Wild Axe sinks a canoe."""

    player: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Attack:
    """A canoe attacks one or two others."""

    player: str
    row: int
    column: int
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Take:
    """A captured card is laid."""

    player: str
    card: Card
    to: Destination


@dataclass(frozen=True, slots=True)
class Decline:
    """What is offered passes."""

    player: str


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn is over."""

    player: str


@dataclass(frozen=True, slots=True)
class End:
    """The game is over by choice."""

    player: str


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """The discard pile becomes a deck."""

    player: str


@dataclass(frozen=True, slots=True)
class DecksOut:
    """Nothing is left to draw."""

    player: str


@dataclass(frozen=True, slots=True)
class Observe:
    """What really lies in a row."""

    player: str
    row: int
    cells: tuple[Card | None, ...]
    first: int = 1


Act = (
    Reveal | Lay | Discard | Steal | Shoot | Axe | Attack | Take
    | Decline | Pass | End | Reshuffle | DecksOut | Observe
)  # fmt: skip

_ALONE: Mapping[str, type[Decline | Pass | End | Reshuffle | DecksOut]] = {
    "decline": Decline,
    "pass": Pass,
    "end": End,
    "reshuffle": Reshuffle,
    "decks-out": DecksOut,
}
_NAMES = tuple(dict.fromkeys(syntax.split()[0] for syntax in VERBS))


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
    if verb in _ALONE:
        return _ALONE[verb](player)
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
    raise UnusableInput([Fault("", f"unknown act {shown(verb)}", nearest_hint(verb, _NAMES))])


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


def encode(act: Act) -> str:
    """The words of an act without its player; `parse` of them is the act again."""
    match act:
        case Reveal(_, card):
            return f"reveal {card}"
        case Lay(_, card, Spot(row, column)):
            return f"place {card} {row} {column}"
        case Lay(_, card, to):
            return f"insert {card} {_to(to)}"
        case Discard(_, card):
            return f"discard {card}"
        case Steal(_, victim, row, column, where):
            text = f"steal {quoted(victim)} {row} {column}"
            return text if where is None else f"{text} to {_to(where)}"
        case Shoot(_, victim, row, column):
            return f"shoot {quoted(victim)} {row} {column}"
        case Axe(_, row, column):
            return f"axe {row} {column}"
        case Attack(_, row, column, targets):
            return f"attack {row} {column} on {' and '.join(map(_target, targets))}"
        case Take(_, card, where):
            return f"take {card} {_to(where)}"
        case Observe(_, row, cells, first):
            text = f'observe {row} "{write_row(cells)}"'
            return text if first == 1 else f"{text} from {first}"
    return next(verb for verb, kind in _ALONE.items() if isinstance(act, kind))


def _to(to: Destination) -> str:
    if isinstance(to, Spot):
        return f"{to.row} {to.column}"
    return f"{to.row} beside {to.card} {to.side} shift {to.shift}"


def _target(target: Target) -> str:
    share = "" if target.strength is None else f" with {target.strength}"
    return f"{quoted(target.victim)} {target.row} {target.column}{share}"


def quoted(name: str) -> str:
    """A name as one word."""
    return f'"{name}"' if not name or any(c.isspace() or c in '#"!' for c in name) else name


__all__ = ["ROWS", "VERBS", "Act", "encode", "parse", "quoted"]
