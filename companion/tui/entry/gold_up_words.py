"""Colours and keys as they are typed at the table of Gold Up: `w w r`, `2w r`, `white=3`, `j`."""

import re
from typing import Any

from card_catalog.model import Card
from companion.core.errors import UnusableInput
from companion.core.verdict import Outcome
from companion.games.gold_up.cards import COLOURS, Mark, short
from companion.games.gold_up.position import coins_of
from companion.games.gold_up.state import State
from companion.tui.entry.prompt import Choice, Prompt

_KEYS = {"j": "joker", "k": "key-thief", "kt": "key-thief", "c": "chest-thief", "ct": "chest-thief"}
_INITIALS = {c[0]: c for c in COLOURS}
_PART = re.compile(r"([0-9]{1,2})?([a-z?.-]+)(=[0-9]{1,4})?")


def expanded(words: list[str], group: str, state: State) -> tuple[str, ...] | None:
    """The cards in full, or None where a word names none: `2w rb j` is white white red blue joker."""
    found: list[str] = []
    for word in " ".join(words).casefold().replace(",", " ").split():
        part = _PART.fullmatch(word)
        if part is None:
            return None
        often, name, number = part.groups()
        names = _names(name, group, state)
        if names is None or (number and len(names) > 1):
            return None
        found += [n + (number or "") for n in names] * int(often or 1)
    return tuple(found)


def _names(word: str, group: str, state: State) -> list[str] | None:
    if word == "?":
        return ["?"]
    if word in _INITIALS:
        return [_INITIALS[word]]
    if group == "key" and word in _KEYS:
        return [_KEYS[word]]
    if (group, word) in state.names:
        return [short(Card(state.names[group, word]))]
    plain = [*COLOURS, "joker"] if group == "key" else list(COLOURS)
    begun = [c for c in plain if c.startswith(word)]
    if len(begun) == 1:
        return begun
    letters = _INITIALS | (_KEYS if group == "key" else {})
    return [letters[c] for c in word] if all(c in letters for c in word) else None


def worthless(session: Any) -> list[str]:
    """Colours whose coins nobody has told, the most common first."""
    values = dict(session.options.values)
    kinds = {k.family: k for k in session.deck.kinds.values() if k.group == "chest"}
    return [c for c, kind in kinds.items() if coins_of(Card(kind), values) is None]


def grouped(names: tuple[str, ...]) -> str:
    """`2 white, 1 red`."""
    return ", ".join(f"{names.count(n)} {n}" for n in dict.fromkeys(names)) or "nothing"


def plain(cards: Any) -> tuple[str, ...]:
    """The words of cards."""
    return tuple(c.value if isinstance(c, Mark) else short(c) for c in cards)


def offer(
    session: Any,
    player: str,
    title: str,
    label: str,
    words: tuple[str, ...],
    place: tuple[int, int] | None = None,
) -> Prompt:
    """The act as the only choice, or as what was typed where something speaks against it."""
    try:
        verdict = session.verdict(session.parse(player, words))
    except UnusableInput:
        return Prompt(player, title, words=words)
    if verdict.outcome is Outcome.ILLEGAL:
        return Prompt(player, title, (Choice(f"{label}?", place=place),), words)
    return Prompt(player, title, (Choice(label, words, "", player, place),))
