"""Rows of Up the Creek as text: words, the one under the cursor, cards on the grid."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from card_catalog.lookup import Lookup, UnknownCard
from card_catalog.model import Kind
from card_catalog.notation import EMPTY, is_empty, split_row
from companion.tui.counting import Wrong

ROWS = (1, 2, 3)
LONGEST = 200
"""Places of a row that are read; the widest table has some forty."""
Act = tuple[str, tuple[str, ...]]


def blank(names: Sequence[str]) -> dict[str, Any]:
    """A table with nothing on it."""
    return {"players": [{"name": name, "rows": ["", "", ""]} for name in names]}


def row_of(raw: Mapping[str, Any], player: int, row: int) -> str:
    """The row as it was typed; player and row counted from 1."""
    rows = raw["players"][player - 1].get("rows", [])
    return str(rows[row - 1]) if row <= len(rows) else ""


def with_row(raw: Mapping[str, Any], player: int, row: int, text: str) -> dict[str, Any]:
    """The document with a row typed anew."""
    after = copy.deepcopy(dict(raw))
    rows = after["players"][player - 1].setdefault("rows", [])
    rows += [""] * (len(ROWS) - len(rows))
    rows[row - 1] = text
    return after


def with_rows(raw: Mapping[str, Any], player: int, rows: Sequence[str]) -> dict[str, Any]:
    """The document with all three rows of a player."""
    after = copy.deepcopy(dict(raw))
    after["players"][player - 1]["rows"] = list(rows)
    return after


def scorable(raw: Mapping[str, Any], lookup: Lookup) -> tuple[dict[str, Any], list[Wrong]]:
    """The document with a gap where a word names no card, and those words with what is wrong."""
    after = dict(raw)
    after["players"] = []
    wrong: list[Wrong] = []
    for seat, player in enumerate(raw["players"], 1):
        rows: list[list[str]] = []
        for number in ROWS:
            words, faults = _read(row_of(raw, seat, number), lookup)
            rows.append(words)
            wrong += [Wrong((seat, number), text, word) for word, text in faults]
        after["players"].append({"name": player["name"], "rows": rows})
    return after, wrong


def _read(text: str, lookup: Lookup) -> tuple[list[str], list[tuple[str, str]]]:
    words: list[str] = []
    faults: list[tuple[str, str]] = []
    found = split_row(text) if text.strip(" ,") else []
    for column, word in enumerate(found[:LONGEST], 1):
        try:
            words.append(EMPTY if is_empty(word) else str(lookup.card(word)))
        except UnknownCard as error:
            words.append(EMPTY)
            faults.append((word, f"column {column}: {_unknown(word, str(error), lookup)}"))
    if len(found) > LONGEST:
        text = f"{len(found)} places: only the first {LONGEST} are read"
        faults.append(("", text))
    return words, faults


def _unknown(word: str, error: str, lookup: Lookup) -> str:
    """What is wrong with a word; a beginning of a name is taken to be meant for it."""
    if not word:
        return "nothing between two commas; write . for an empty place"
    if not error.startswith("unknown card"):
        return error
    what = error.partition(";")[0]
    near = suggestions(word, lookup)
    return f"{what}; did you mean {near[0][0]}?" if near else what


def acts(raw: Mapping[str, Any], lookup: Lookup) -> list[Act]:
    """The rows as acts of a match."""
    clean, _ = scorable(raw, lookup)
    return [
        (player["name"], ("observe", str(number), " ".join(words)))
        for player in clean["players"]
        for number, words in enumerate(player["rows"], 1)
        if any(word != EMPTY for word in words)
    ]


@dataclass(frozen=True, slots=True)
class Completion:
    """What the word under the cursor may become."""

    start: int
    end: int
    word: str
    choices: tuple[tuple[str, str], ...] = ()
    """What would be written, and the name of the card."""
    whole: bool = False
    """The word names a card as it is."""
    near: bool = False
    """No card begins so; these are called something like it."""


def completion(text: str, cursor: int, lookup: Lookup) -> Completion:
    """Cards for the word that the cursor stands behind; none inside a word or after a blank."""
    start, end = _word_at(text, cursor)
    word = text[start:end]
    if not word or cursor != end or is_empty(word):
        return Completion(start, end, word)
    whole = _names_card(word, lookup)
    choices = tuple(suggestions(word, lookup))
    name = word.partition(":")[0].partition("=")[0]
    near = bool(choices) and not whole and not lookup.completions(name)
    return Completion(start, end, word, choices, whole, near)


def suggestions(word: str, lookup: Lookup) -> list[tuple[str, str]]:
    """Cards that begin like the word, else those that are called something like it."""
    name, colon, colour = word.partition(":")
    name, equals, _ = name.partition("=")
    if not any(c.isalnum() for c in name):
        return []
    kind = lookup.kind(name) if colon or equals else None
    if colon and kind is not None and kind.coloured and "=" not in colour:
        return [
            (f"{name}:{tone}", f"{kind.name}, {tone} number")
            for tone in ("red", "black")
            if tone.startswith(colour.lower()) and tone != colour.lower()
        ]
    if colon or equals:
        return []
    kinds = lookup.completions(name)
    if not kinds:
        near = [lookup.deck[found] for found in lookup.similar(name)]
        kinds = sorted(near, key=lambda kind: _slips(name, kind))
    exact = lookup.kind(name)
    kinds = sorted(kinds, key=lambda k: (k != exact, not k.id.startswith(name.lower())))
    return [(kind.id, kind.name) for kind in kinds]


def _slips(name: str, kind: Kind) -> int:
    """How many slips of the finger lie between the word and a name of the card: `bera-b` is one off."""
    from rapidfuzz.distance import OSA

    typed = name.casefold()
    called = (kind.id, *kind.aliases, kind.name.casefold())
    return min(OSA.distance(typed, each) for each in called)


def _names_card(word: str, lookup: Lookup) -> bool:
    try:
        lookup.card(word)
    except UnknownCard:
        return False
    return True


def _word_at(text: str, cursor: int) -> tuple[int, int]:
    """Where the word around the cursor begins and ends; with a comma in the row, commas part words."""

    def parts(character: str) -> bool:
        return character == "," if "," in text else character.isspace()

    start = end = cursor
    while start > 0 and not parts(text[start - 1]):
        start -= 1
    while end < len(text) and not parts(text[end]):
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def column_at(text: str, cursor: int) -> int:
    """The column of the word around the cursor."""
    before = text[: _word_at(text, cursor)[0]]
    return 1 + (before.count(",") if "," in text else len(before.split()))


def taken(text: str, found: Completion, choice: str) -> tuple[str, int]:
    """The row with the word replaced by the card, and where the cursor then stands."""
    gap = ", " if "," in text else " "
    rest = text[found.end :].lstrip(" ")
    first, _, more = text[found.start : found.end].strip().partition(" ")
    if more and first.casefold() == choice:  # two cards without a comma between them
        rest = f"{more}{gap}{rest}" if rest else more
    if rest.startswith(","):
        rest = rest[1:].lstrip(" ")
    head = f"{text[: found.start]}{choice}{gap}"
    return head + rest, len(head)


def pasted(text: str) -> list[str]:
    """Rows of a text from elsewhere, one a line, at most three; quotes of a file are dropped."""
    lines = [line.strip().strip('"[]').rstrip(",").strip('" ') for line in text.splitlines()]
    return ["".join(c if c.isprintable() else " " for c in line) for line in lines if line]


def written(words: Sequence[str]) -> str:
    """Words as a row: commas only where a name has a blank in it."""
    while words and is_empty(words[-1]):
        words = words[:-1]
    return (", " if any(" " in word for word in words) else " ").join(words)


def moved_right(text: str, by: int) -> str:
    """The row so many columns further to the right; as it was typed where that is none."""
    words = _words(text) if by else []
    return written([*[EMPTY] * by, *words]) if words else text


def _words(text: str) -> list[str]:
    return split_row(text) if text.strip(" ,") else []


def placed(rows: Sequence[str], row: int, column: int, word: str) -> tuple[list[str], int]:
    """The rows with a card in that place, and its column then.

    A place left of column 1 moves all rows to the right, as a file has no columns left of 1.
    """
    left, column = max(0, 1 - column), max(1, column)
    found = [_words(moved_right(text, left)) for text in rows]
    words = found[row - 1]
    words += [EMPTY] * (column - len(words))
    words[column - 1] = word
    return [written(words) for words in found], column


def removed(rows: Sequence[str], row: int, column: int) -> list[str]:
    """The rows with nothing in that place."""
    words = _words(rows[row - 1])
    if not 1 <= column <= len(words):
        return list(rows)
    return placed(rows, row, column, EMPTY)[0]
