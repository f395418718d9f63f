"""What photos are to teach a deck, as the user tells it: file stems, sheets, lists of sheets.

Names of cards are checked and normalised here; the photos themselves are looked at by `learning`.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from card_catalog.lookup import UnknownCard, lookup_in, shown
from card_catalog.model import Deck
from card_catalog.notation import split_row
from companion.core.errors import Fault, UnusableInput

Order = Literal["rows", "x"]
ORDERS: tuple[Order, ...] = ("rows", "x")

SKIP = "?"
"""In a sheet: a card that is not to be learnt."""
_PICTURES = re.compile(r"\.(jpe?g|jpe|jfif|png|hei[cf]|hif|avif|webp|tiff?|gif|bmp)", re.IGNORECASE)
_COUNTER = re.compile(r"\.\d+$")
_LONGEST = 60
"""Characters of a free card's name."""
_NOT_IN_NAMES = frozenset('/\\*?"<>|')
"""What no file name holds on some system."""
_LARGEST = 5_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """A photo, and the cards that it shows in their order; a `SKIP` is passed over."""

    photo: str
    cards: tuple[str, ...]
    order: Order = "rows"
    wrong: str = ""
    """What is wrong with the names; such a photo is told and not used."""


class Names:
    """Turns what people call cards into the names of faces."""

    def __init__(self, deck: Deck | None, known: Sequence[str] = ()) -> None:
        """`deck` is None for a free deck; `known` are the names that it has already."""
        self._lookup = lookup_in(deck) if deck is not None else None
        self._known = {_folded(name): name for name in known}

    def face(self, word: str) -> str:
        """The name of a card's face; raises `UnknownCard`."""
        if self._lookup is not None:
            return str(self._lookup.card(word))
        name = unicodedata.normalize("NFC", word).strip()
        if not name or not name.isprintable():
            raise UnknownCard("a card needs a name that can be read")
        if len(name) > _LONGEST:
            raise UnknownCard(f"{shown(name)}: a name of {len(name)} characters; use {_LONGEST}")
        if bad := sorted(set(name) & _NOT_IN_NAMES):
            raise UnknownCard(f"{shown(name)}: {' '.join(bad)} cannot stand in a card's name")
        return self._known.setdefault(_folded(name), name)

    def of_stem(self, stem: str) -> str:
        """The face that a file's name tells: `eagle.1`, `paddlers-2--red`."""
        word = _COUNTER.sub("", stem)
        return self.face(word if self._lookup is None else word.replace("--", ":"))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def from_photos(paths: Sequence[str], names: Names) -> tuple[list[Source], list[Fault]]:
    """One card a photo, named by its file; folders stand for the pictures in them.

    Beside the sources, what lies in a folder and is no picture.
    """
    sources, left = [], []
    for path in paths:
        if not Path(path).is_dir():
            sources.append(_named_by_stem(path, names))
            continue
        inside = sorted(Path(path).iterdir(), key=lambda p: _natural(p.name))
        for file in inside:
            if file.name.startswith(".") or file.name.casefold() == "thumbs.db":
                continue
            if file.is_dir():
                left.append(Fault(str(file), "is a folder in the folder", "name it in --from too"))
            elif _PICTURES.fullmatch(file.suffix) is None:
                left.append(Fault(str(file), "is no picture by its name"))
            else:
                sources.append(_named_by_stem(str(file), names))
        if not inside:
            left.append(Fault(path, "is an empty folder", "put photos there, named by their card"))
    return sources, left


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Sorts `eagle.2` before `eagle.10`."""
    return [
        (part.isdigit(), int(part) if part.isdigit() else 0, part)
        for part in re.split(r"([0-9]+)", name.casefold())
    ]


def _named_by_stem(path: str, names: Names) -> Source:
    try:
        return Source(path, (names.of_stem(Path(path).stem),))
    except UnknownCard as error:
        return Source(path, (), wrong=f"{error}; the file is named by its card")


def from_sheet(told: str, names: Names) -> Source:
    """`PHOTO=QC KC 10C JC`; raises `UnusableInput` where it is not written so."""
    photo, cards = _parted(told)
    if not photo or not cards.strip():
        right = '--sheet PHOTO="QC KC 10C JC"'
        raise UnusableInput([Fault("--sheet", f"{shown(told)} names no cards", f"write {right}")])
    return sheet(photo, cards, "rows", names)


def _parted(told: str) -> tuple[str, str]:
    """Photo and cards; the first `=` parts them, a later one where only then the file is there."""
    at = [i for i, c in enumerate(told) if c == "="]
    if not at:
        return told, ""
    best = next((i for i in at if Path(told[:i]).is_file()), at[0])
    return told[:best], told[best + 1 :]


def sheet(photo: str, cards: str, order: Order, names: Names) -> Source:
    """A photo of several named cards."""
    faces, wrong = [], []
    for word in split_row(cards):
        try:
            faces.append(SKIP if word == SKIP else names.face(word))
        except UnknownCard as error:
            wrong.append(str(error))
    return Source(photo, tuple(faces), order, "; ".join(wrong))


def from_list(path: str, names: Names) -> list[Source]:
    """The sheets of a CSV file with the columns file, cards, order; raises `UnusableInput`."""
    lines = _lines(path)
    columns = [column.strip().casefold() for column in lines[0][1]] if lines else []
    _check_columns(path, columns)
    sources, faults = [], []
    for number, values in lines[1:]:
        where = f"{path}: line {number}"
        if any(value.strip() for value in values[len(columns) :]):
            right = 'part the cards by spaces, or put them in quotes: "QC, KC"'
            found = f"has {len(values)} columns, the first line {len(columns)}"
            faults.append(Fault(where, found, right))
            continue
        row = dict(zip(columns, values, strict=False))
        file, cards = row.get("file", "").strip(), row.get("cards", "").strip()
        told = row.get("order", "").strip().casefold() or "rows"
        order = next((o for o in ORDERS if o == told), None)
        if not file and not cards:
            continue
        if not file or not cards:
            faults.append(Fault(where, f"has no {'cards' if file else 'file'}"))
        elif order is None:
            right = "use rows (reading order) or x (by x of the centre)"
            faults.append(Fault(where, f"unknown order {shown(told)}", right))
        else:
            sources.append(sheet(str(Path(path).parent / file), cards, order, names))
    if not sources and not faults:
        faults.append(Fault(path, "lists no sheet", "write a line file,cards,order for each"))
    if faults:
        raise UnusableInput(faults)
    return sources


def _lines(path: str) -> list[tuple[int, list[str]]]:
    """The lines of a CSV file that are not empty, with their numbers; raises `UnusableInput`."""
    rows = csv.reader(io.StringIO(text := _text_of(path)), delimiter=_delimiter(text))
    try:
        return [(rows.line_num, row) for row in rows if row]
    except csv.Error as error:
        where = f"{path}: line {rows.line_num}"
        right = "look for a quote that is not closed, or save it anew as CSV"
        raise UnusableInput([Fault(where, f"is no CSV: {error}", right)]) from None


def _check_columns(path: str, columns: Sequence[str]) -> None:
    """Raises `UnusableInput` where the columns are not file, cards and perhaps order."""
    told = [column for column in columns if column]
    found = ""
    if missing := [column for column in ("file", "cards") if column not in told]:
        hints = [close[0] for column in told if (close := get_close_matches(column, missing, 1))]
        near = f" (did you mean {hints[0]}?)" if hints else ""
        has = f"its columns are {shown(', '.join(told))}" if told else "it is empty"
        found = f"has no column {' and no column '.join(missing)}{near}, {has}"
    elif twice := [column for column in dict.fromkeys(told) if told.count(column) > 1]:
        found = f"has the column {shown(', '.join(twice))} more than once"
    if found:
        raise UnusableInput([Fault(path, found, "its first line is to be file,cards,order")])


def _text_of(path: str) -> str:
    try:
        if Path(path).stat().st_size > _LARGEST:
            raise UnusableInput([Fault(path, "is too large for a list of sheets")])
        return Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise UnusableInput([Fault(path, "there is no such file", "check the name")]) from None
    except UnicodeDecodeError:
        raise UnusableInput(
            [Fault(path, "is not text in UTF-8", "save it as CSV, UTF-8")]
        ) from None
    except OSError as error:
        raise UnusableInput([Fault(path, f"cannot be read: {error.strerror}")]) from None


def _delimiter(text: str) -> str:
    head = text.partition("\n")[0]
    return ";" if ";" in head and "," not in head else ","
