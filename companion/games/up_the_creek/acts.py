"""The acts of a match, one class a verb, and how each is written in a match file."""

from collections.abc import Mapping
from dataclasses import dataclass

from card_catalog.model import Card
from card_catalog.notation import write_row
from companion.core.log import quoted
from companion.games.up_the_creek.piracy import Target

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

ALONE: Mapping[str, type[Decline | Pass | End | Reshuffle | DecksOut]] = {
    "decline": Decline,
    "pass": Pass,
    "end": End,
    "reshuffle": Reshuffle,
    "decks-out": DecksOut,
}
VERB_NAMES = tuple(dict.fromkeys(syntax.split()[0] for syntax in VERBS))


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
    return next(verb for verb, kind in ALONE.items() if isinstance(act, kind))


def _to(to: Destination) -> str:
    if isinstance(to, Spot):
        return f"{to.row} {to.column}"
    return f"{to.row} beside {to.card} {to.side} shift {to.shift}"


def _target(target: Target) -> str:
    share = "" if target.strength is None else f" with {target.strength}"
    return f"{quoted(target.victim)} {target.row} {target.column}{share}"
