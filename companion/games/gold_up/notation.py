"""Acts as they are written in a match file, and back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from card_catalog.model import Card
from companion.core.errors import Fault, UnusableInput
from companion.core.log import quoted
from companion.core.options import nearest_hint
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import Mark, short
from companion.games.gold_up.layout import LINES, SIZES
from companion.games.gold_up.state import State

_LONGEST = 40
"""Characters of a misspelt word that are repeated in a message."""


def parse(player: str, words: Sequence[str], state: State) -> act.Act:
    """The act that the words of a line name; raises `UnusableInput` with all of its faults."""
    if player not in state.players:
        raise UnusableInput([Fault("", f"no player {player}", nearest_hint(player, state.players))])
    if not words:
        raise UnusableInput([Fault("", f"{player}: no act", f"write one of {', '.join(_READERS)}")])
    verb = _ALIASES.get(words[0].lower(), words[0].lower())
    reader = _READERS.get(verb)
    if reader is None:
        raise UnusableInput([Fault("", f"no act {_cut(words[0])}", nearest_hint(verb, _READERS))])
    line = _Line(verb, tuple(words[1:]), state)
    action = reader(player, line)
    if line.faults:
        raise UnusableInput(line.faults)
    return action


def encode(action: act.Act) -> str:
    """The words of an act, without its player."""
    match action:
        case act.Deal(keys=keys):
            return f"deal {_row(keys)}"
        case act.Layout(line=line, chests=chests):
            return f"layout {line} {_row(chests)}"
        case act.Collect(line=line, keys=keys):
            return f"collect {line} with {_row(keys)}"
        case act.Takes(chests=chests):
            return f"takes {_row(chests)}"
        case act.Draw(keys=keys):
            return "draw" if keys is None else f"draw {_row(keys)}"
        case act.StealKeys(victim=victim, keys=keys):
            told = "" if keys is None else f" {_row(keys)}"
            return f"steal-keys {quoted(victim)}{told}"
        case act.StealChests(victim=victim, chests=chests, keys=keys):
            return f"steal-chests {quoted(victim)} {_row(chests)} with {_row(keys)}"
        case act.Refill(line=line, chests=chests):
            return f"refill {line} {_row(chests)}"
        case act.Pass():
            return "pass"
        case act.Coins(coins=coins):
            return f"coins {coins}"
        case act.EndHand():
            return "end-hand"
        case act.Observe(what="turn"):
            return "observe turn"
        case act.Observe(what="layout", line=line, cards=cards):
            return f'observe layout {line} "{_row(cards)}"'
        case act.Observe(what=what, cards=cards):
            return f'observe {what} "{_row(cards)}"'


def _row(cards: Sequence[Card | Mark]) -> str:
    return " ".join(map(short, cards)) or "none"


def _cut(word: str) -> str:
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"


class _Line:
    """The words behind a verb, read from the left; collects everything wrong with them."""

    def __init__(self, verb: str, words: tuple[str, ...], state: State) -> None:
        self.verb = verb
        self.state = state
        self.faults: list[Fault] = []
        self._words = list(words)

    def fault(self, found: str, right: str = "") -> None:
        """Notes something wrong with the line."""
        self.faults.append(Fault(self.verb, found, right))

    def word(self, missing: str, right: str) -> str:
        """The next word, or a fault that says what is missing."""
        if self._words:
            return self._words.pop(0)
        self.fault(missing, right)
        return ""

    def number(self, missing: str, right: str) -> int:
        """The next word as a whole number from 0."""
        word = self.word(missing, right)
        if word and not (word.isascii() and word.isdigit() and len(word) <= 6):
            self.fault(f"{_cut(word)} is not a whole number from 0", right)
            return 0
        return int(word) if word else 0

    def line(self, most: int) -> int:
        """The next word as the number of a line."""
        right = f"name a line from 1 to {most}"
        before = len(self.faults)
        number = self.number("no line", right)
        if len(self.faults) == before and not 1 <= number <= most:
            self.fault(f"there is no line {number}", right)
        return number

    def victim(self) -> str:
        """The next word as a player."""
        word = self.word("no pirate named", f"name one of {', '.join(self.state.players)}")
        folded = [n for n in self.state.players if n.casefold() == word.casefold()]
        if word in self.state.players or not word:
            return word
        if len(folded) == 1:
            return folded[0]
        by_fold = {n.casefold(): n for n in self.state.players}
        self.fault(f"no player {_cut(word)}", _restored(nearest_hint(word, by_fold), by_fold))
        return ""

    def has_words(self) -> bool:
        """Whether anything is left to read."""
        return bool(self._words)

    def until_with(self) -> list[str]:
        """The words up to `with`, which is used up."""
        folded = [word.lower() for word in self._words]
        at = folded.index("with") if "with" in folded else len(folded)
        taken, self._words = self._words[:at], self._words[at + 1 :]
        return taken

    def rest(self) -> list[str]:
        """All words that are left."""
        taken, self._words = self._words, []
        return taken

    def cards(self, words: list[str], group: str, marks: str = "") -> tuple[Card | Mark, ...]:
        """The cards that the words name; `marks` are those of `?` and `.` that may stand there."""
        text = " ".join(words)
        if text.strip().lower() == "none":
            return ()
        parts = text.split(",") if "," in text else text.split()
        found = (self._card(part.strip(), group, marks) for part in parts if part.strip())
        return tuple(card for card in found if card is not None)

    def known(self, words: list[str], group: str) -> tuple[Card, ...]:
        """The cards that the words name, all of them seen."""
        return tuple(c for c in self.cards(words, group) if isinstance(c, Card))

    def _card(self, word: str, group: str, marks: str) -> Card | Mark | None:
        if word in ("?", ".") and word in marks:
            return Mark(word)
        name, equals, number = word.lower().partition("=")
        name = "-".join(name.replace("_", " ").split())
        kind = self.state.names.get((group, name))
        if kind is None:
            known = {short(Card(k)) for k in self.state.names.values() if k.group == group}
            self.fault(f"no {group} {_cut(word)}", nearest_hint(name, known))
            return None
        if not equals:
            return Card(kind)
        if not kind.numbered:
            self.fault(f"{_cut(word)}: no number is printed on a {kind.name}", f"write {name}")
            return None
        if not (number.isascii() and number.isdigit() and len(number) <= 4):
            self.fault(f"{_cut(word)}: {_cut(number)} is no number of coins", f"write {name}=12")
            return None
        return Card(kind, None, int(number))

    def nothing_more(self) -> None:
        """A fault if words are left."""
        if self._words:
            self.fault(f"too many words: {_cut(' '.join(self._words))}", "leave them out")


def _restored(hint: str, by_fold: Mapping[str, str]) -> str:
    for folded, name in by_fold.items():
        hint = hint.replace(folded, name)
    return hint


def _deal(player: str, line: _Line) -> act.Act:
    if not line.has_words():
        line.fault("no keys", "write deal KEYS, five of them")
    return act.Deal(player, line.cards(line.rest(), "key", "?"))


def _laid(line: _Line, marks: str) -> tuple[int, act.Cards]:
    """A line from 1 to 5 with as many chests as it has places."""
    number = line.line(len(SIZES))
    chests = line.cards(line.rest(), "chest", marks)
    if not line.faults and len(chests) != SIZES[number - 1]:
        size = SIZES[number - 1]
        line.fault(f"{len(chests)} chests for line {number}", f"line {number} has {size}")
    return number, chests


def _layout(player: str, line: _Line) -> act.Act:
    return act.Layout(player, *_laid(line, "?"))


def _collect(player: str, line: _Line) -> act.Act:
    number = line.line(len(LINES))
    before = line.until_with()
    keys = line.known(before + line.rest(), "key")
    if not keys and not line.faults:
        line.fault("no keys", f"write collect {number} with KEYS, one a chest")
    return act.Collect(player, number, keys)


def _takes(player: str, line: _Line) -> act.Act:
    if not line.has_words():
        line.fault("no chests", "write takes CHESTS")
    if line.state.full:
        line.fault(
            "in a match that tracks every card a line is named",
            "write collect LINE with KEYS",
        )
    return act.Takes(player, line.known(line.rest(), "chest"))


def _draw(player: str, line: _Line) -> act.Act:
    told = line.has_words()
    keys = line.cards(line.rest(), "key", "?")
    return act.Draw(player, keys if told else None)


def _steal_keys(player: str, line: _Line) -> act.Act:
    victim = line.victim()
    told = line.has_words()
    keys = line.known(line.rest(), "key")
    return act.StealKeys(player, victim, keys if told else None)


def _steal_chests(player: str, line: _Line) -> act.Act:
    victim = line.victim()
    if not line.has_words() and not line.faults:
        line.fault("no chests", f"write steal-chests {victim} CHESTS with KEYS, or none")
    chests = line.known(line.until_with(), "chest")
    keys = line.known(line.rest(), "key")
    return act.StealChests(player, victim, chests, keys)


def _refill(player: str, line: _Line) -> act.Act:
    number = line.line(len(LINES))
    chests = line.cards(line.rest(), "chest", "?")
    if not chests and not line.faults:
        line.fault("no chests", f"write refill {number} CHESTS, the new ones from left to right")
    return act.Refill(player, number, chests)


def _pass(player: str, line: _Line) -> act.Act:
    line.nothing_more()
    return act.Pass(player)


def _coins(player: str, line: _Line) -> act.Act:
    number = line.number("no number of coins", "write coins N")
    line.nothing_more()
    return act.Coins(player, number)


def _end_hand(player: str, line: _Line) -> act.Act:
    line.nothing_more()
    return act.EndHand(player)


_OBSERVED: dict[str, Literal["layout", "keys", "chests", "turn"]] = {
    "layout": "layout",
    "keys": "keys",
    "chests": "chests",
    "turn": "turn",
}


def _observe(player: str, line: _Line) -> act.Act:
    kinds = "write observe layout LINE CHESTS, observe keys KEYS, observe chests CHESTS or turn"
    word = line.word("nothing observed", kinds).lower()
    what = _OBSERVED.get(word)
    if what is None:
        if word:
            line.fault(f"cannot observe {_cut(word)}", nearest_hint(word, _OBSERVED))
        return act.Observe(player, "turn")
    if what == "turn":
        line.nothing_more()
        return act.Observe(player, what)
    if what == "layout":
        return act.Observe(player, what, *_laid(line, "?."))
    if not line.has_words():
        line.fault(f"no {what}", f"write observe {what} and the cards, or none")
    group = "key" if what == "keys" else "chest"
    return act.Observe(player, what, 0, line.cards(line.rest(), group, "?"))


_READERS: dict[str, Callable[[str, _Line], act.Act]] = {
    "deal": _deal,
    "layout": _layout,
    "collect": _collect,
    "takes": _takes,
    "draw": _draw,
    "steal-keys": _steal_keys,
    "steal-chests": _steal_chests,
    "refill": _refill,
    "pass": _pass,
    "coins": _coins,
    "end-hand": _end_hand,
    "observe": _observe,
}
_ALIASES = {"take": "takes", "draws": "draw", "collects": "collect", "passes": "pass"}
