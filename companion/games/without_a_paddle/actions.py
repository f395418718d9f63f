"""The acts of a match, and how they are written."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from card_catalog.model import Card
from companion.core.errors import Fault, UnusableInput
from companion.core.options import nearest_hint
from companion.games.without_a_paddle.state import State

VERBS = {
    "cut CARD": "show the card cut for the first deal; not needed where the file names the dealer",
    "bid N": "say how many tricks you will win",
    "play CARD": "play a card to the trick (full tracking)",
    "wins": "take the trick, where its cards are not tracked",
    "tricks N": "tell how many tricks you won in the whole round",
    "renege [ROUND]": "you are charged with a renege, in this round or an earlier one",
    'hand "CARDS"': "tell the cards you hold (full tracking; never needed)",
    "misdeal": "the round is dealt again by the same dealer",
    "observe bid N [round R]": "set a bid to what it really is",
    "observe tricks N [round R]": "set the tricks won to what they really are",
    "observe reneges N [round R]": "set how often you reneged in the round",
    'observe hand "CARDS"': "set the hand to what it really is",
    "observe dealer": "you deal the round on the table",
}
"""How each act is written, with what it does."""

_NUMBER = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Cut:
    """A card cut for the first deal."""

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class Bid:
    """A number of tricks foretold."""

    player: str
    number: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card played to the trick."""

    player: str
    card: Card


@dataclass(frozen=True, slots=True)
class Wins:
    """A trick taken whose cards are not all told."""

    player: str


@dataclass(frozen=True, slots=True)
class Tricks:
    """The tricks of the whole round."""

    player: str
    number: int


@dataclass(frozen=True, slots=True)
class Renege:
    """A renege that the player is charged with."""

    player: str
    round: int | None = None
    """None: the round on the table, or the last one while nothing has happened in it."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards that the player holds now."""

    player: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Misdeal:
    """The round is dealt again."""

    player: str


@dataclass(frozen=True, slots=True)
class Observe:
    """What is really there: bid, tricks, reneges (a number), hand (cards) or dealer."""

    player: str
    what: str
    number: int = 0
    cards: tuple[Card, ...] = ()
    round: int | None = None


Action = Cut | Bid | Play | Wins | Tricks | Renege | Hand | Misdeal | Observe

_COUNTED = ("bid", "tricks", "reneges")
_OBSERVED = (*_COUNTED, "hand", "dealer")


def parse(player: str, words: Sequence[str], state: State) -> Action:
    """The act of one line; raises `UnusableInput` with every fault in it."""
    faults: list[Fault] = []
    if player not in state.players:
        faults.append(Fault("player", f"unknown player {player}", _named(player, state.players)))
    action: Action | None = None
    if not words:
        faults.append(Fault("act", "the verb is missing", f"write one of: {', '.join(VERBS)}"))
    elif words[0].casefold() not in _PARSERS:
        right = nearest_hint(words[0], _PARSERS)
        faults.append(Fault("act", f"unknown verb {words[0]}", right))
    else:
        verb = words[0].casefold()
        try:
            action = _PARSERS[verb](player, words[1:], state)
        except UnusableInput as error:
            faults += error.faults
    if faults or action is None:
        raise UnusableInput(faults)
    return action


def encode(action: Action) -> str:
    """The words of an act without its player; `parse` reads them back."""
    match action:
        case Cut(_, card):
            return f"cut {card}"
        case Bid(_, number):
            return f"bid {number}"
        case Play(_, card):
            return f"play {card}"
        case Tricks(_, number):
            return f"tricks {number}"
        case Renege(_, number):
            return "renege" if number is None else f"renege {number}"
        case Hand(_, cards):
            return f'hand "{" ".join(map(str, cards))}"'
        case Observe():
            return _encode_observe(action)
        case Wins() | Misdeal():
            return type(action).__name__.lower()


def _encode_observe(action: Observe) -> str:
    text = f"observe {action.what}"
    if action.what == "hand":
        return f'{text} "{" ".join(map(str, action.cards))}"'
    if action.what in _COUNTED:
        text += f" {action.number}"
    return text if action.round is None else f"{text} round {action.round}"


def _cut(player: str, words: Sequence[str], state: State) -> Cut:
    return Cut(player, _one_card("cut", words, state))


def _bid(player: str, words: Sequence[str], state: State) -> Bid:
    return Bid(player, _one_number("bid", words))


def _play(player: str, words: Sequence[str], state: State) -> Play:
    return Play(player, _one_card("play", words, state))


def _wins(player: str, words: Sequence[str], state: State) -> Wins:
    _nothing("wins", words)
    return Wins(player)


def _tricks(player: str, words: Sequence[str], state: State) -> Tricks:
    return Tricks(player, _one_number("tricks", words))


def _renege(player: str, words: Sequence[str], state: State) -> Renege:
    return Renege(player, _one_number("renege", words, "the round") if words else None)


def _hand(player: str, words: Sequence[str], state: State) -> Hand:
    return Hand(player, _cards("hand", words, state))


def _misdeal(player: str, words: Sequence[str], state: State) -> Misdeal:
    _nothing("misdeal", words)
    return Misdeal(player)


def _observe(player: str, words: Sequence[str], state: State) -> Observe:
    if not words:
        raise _fault("observe", "what is observed is missing", f"write {_either(_OBSERVED)}")
    what, rest = words[0].casefold(), words[1:]
    if what not in _OBSERVED:
        raise _fault("observe", f"cannot observe {words[0]}", nearest_hint(what, _OBSERVED))
    name = f"observe {what}"
    if what == "hand":
        return Observe(player, what, cards=_cards(name, rest, state))
    if what == "dealer":
        _nothing(name, rest)
        return Observe(player, what)
    number = _one_number(name, rest[:1])
    if len(rest) == 1:
        return Observe(player, what, number)
    if rest[1].casefold() != "round":
        raise _fault(name, f"unexpected {rest[1]}", f"write {name} N round R")
    return Observe(player, what, number, round=_one_number(name, rest[2:], "the round"))


_PARSERS: dict[str, Callable[[str, Sequence[str], State], Action]] = {
    "cut": _cut,
    "bid": _bid,
    "play": _play,
    "wins": _wins,
    "tricks": _tricks,
    "renege": _renege,
    "hand": _hand,
    "misdeal": _misdeal,
    "observe": _observe,
}


def _fault(where: str, found: str, right: str) -> UnusableInput:
    return UnusableInput([Fault(where, found, right)])


def _nothing(verb: str, words: Sequence[str]) -> None:
    if words:
        raise _fault(verb, f"unexpected {' '.join(words)}", f"write {verb} alone")


def _one_number(verb: str, words: Sequence[str], what: str = "the number") -> int:
    least = 1 if what == "the round" else 0
    right = f"write a whole number from {least}"
    if not words:
        raise _fault(verb, f"{what} is missing", right)
    if len(words) > 1:
        raise _fault(verb, f"unexpected {' '.join(words[1:])}", f"write {what} only")
    if not _NUMBER.fullmatch(words[0]) or int(words[0]) < least:
        raise _fault(verb, f"{words[0]} is not {what}", right)
    return int(words[0])


def _one_card(verb: str, words: Sequence[str], state: State) -> Card:
    if not words:
        raise _fault(verb, "the card is missing", "write a card like 10H or QC")
    text = " ".join(words)
    card = state.cards.get(" ".join(text.casefold().split()))
    if card is not None:
        return card
    if len(words) > 1 and words[0].casefold() in state.cards:
        raise _fault(verb, f"unexpected {' '.join(words[1:])}", "write one card")
    raise _fault(verb, f"unknown card {text}", _card_hint(text, state))


def _cards(verb: str, words: Sequence[str], state: State) -> tuple[Card, ...]:
    names = " ".join(words).replace(",", " ").split()
    if not names:
        raise _fault(verb, "the cards are missing", f'write {verb} "AS 10H QC"')
    faults: list[Fault] = []
    cards: list[Card] = []
    for name in names:
        card = state.cards.get(name.casefold())
        if card is None:
            faults.append(Fault(verb, f"unknown card {name}", _card_hint(name, state)))
        elif card in cards:
            faults.append(Fault(verb, f"{card} is listed twice", "every card exists once"))
        else:
            cards.append(card)
    if faults:
        raise UnusableInput(faults)
    return tuple(cards)


def _card_hint(text: str, state: State) -> str:
    close = get_close_matches(text.casefold()[:40], state.cards, n=1, cutoff=0.5)
    if close:
        return f"did you mean {state.cards[close[0]]}?"
    return "write rank and suit, like 10H or QC"


def _named(name: str, players: Iterable[str]) -> str:
    folded = {p.casefold(): p for p in players}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f"did you mean {folded[close[0]]}?" if close else f"one of {', '.join(players)}"


def _either(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} or {items[-1]}"
