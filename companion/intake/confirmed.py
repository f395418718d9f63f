"""A deck's private benchmark: photos whose cards a person has confirmed, and how well they were read.

It stays with the household: a file a deck, a line a photo, beside its decks. Cards are compared by place:
a name counts only where the confirmed card lies.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.intake import own_decks
from companion.intake.photo_shelf import PhotoShelf
from companion.interchange.file_lock import held
from companion.vision.album_folder import write_bytes_whole
from companion.vision.sighting import Reading, Region, Sighting

if TYPE_CHECKING:
    from companion.intake.eyes import Eyes

MOST = 200
"""Photos remembered a deck; the oldest go first."""
LAST = 20
"""Photos that a summary tells of."""
_FOLDER = ".confirmed"
_LARGEST = 50_000_000
"""Bytes of such a file; two hundred photos have some 2 million."""
_OVERLAP, _NEAR = 0.4, 0.5
"""Least intersection over union at one place; how far apart centres may be, in widths of a card."""


@dataclass(frozen=True, slots=True)
class TrueCard:
    """A card as a person confirmed it."""

    card: str
    """In notation; of a free deck, its name."""
    box: Region | None = None
    """Pixels of the upright photo's file; None where nobody said where it lies."""


Truth = Sequence[Sequence[TrueCard]]
"""The confirmed rows of one photo."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How well one photo was read, counted by place."""

    sha256: str
    photo: str
    """Its name."""
    when: str
    """ISO 8601, UTC."""
    cards: int = 0
    """Confirmed ones."""
    right: int = 0
    """Named as they are, sure or not."""
    silent: int = 0
    """Sure and wrong, or sure where no card lies."""
    flagged: int = 0
    """Right, but asked about."""
    missed: int = 0
    """Not listed at their place."""
    ghosts: int = 0
    """Listed where no card lies."""


_COUNTS = ("cards", "right", "silent", "flagged", "missed", "ghosts")


@dataclass(frozen=True, slots=True)
class Remeasured:
    """The same photos as they were read then, and with the deck as it is now."""

    then: dict[str, Any]
    """Figures, see `figures`."""
    now: dict[str, Any]
    skipped: int
    """Photos that are no longer kept, or could not be read."""
    learnt: int = 0
    """Photos of these that the deck has learnt a card from: they are easier than others."""


def outcome(reading: Reading, rows: Truth, sha256: str, photo: str, when: str = "") -> Outcome:
    """How a reading compares with what a person confirmed; `reading` as it was before anybody looked."""
    truth = [card for row in rows for card in row]
    seen = reading.sightings
    pairs = _pairs(truth, seen)
    right = silent = flagged = 0
    for t, s in pairs.items():
        if _same(truth[t].card, seen[s].face):
            right += 1
            flagged += not seen[s].sure
        else:
            silent += seen[s].sure and seen[s].face is not None
    ghosts = [one for s, one in enumerate(seen) if s not in pairs.values()]
    silent += sum(ghost.sure and ghost.face is not None for ghost in ghosts)
    when = when or datetime.now(UTC).isoformat(timespec="seconds")
    missed = len(truth) - len(pairs)
    return Outcome(sha256, photo, when, len(truth), right, silent, flagged, missed, len(ghosts))


def _pairs(truth: Sequence[TrueCard], seen: Sequence[Sighting]) -> dict[int, int]:
    """Index of the confirmed card to index of what was seen at its place, closest first."""
    from companion.vision.geometry import as_floats, iou, sides

    quads = [as_floats(one.region) for one in seen]
    near = []
    for t, card in enumerate(truth):
        if card.box is None:
            continue
        box = as_floats(card.box)
        top, right, bottom, left = sides(box).tolist()
        reach = _NEAR * min(top + bottom, right + left) / 2
        for s, quad in enumerate(quads):
            apart = math.hypot(*(box.mean(axis=0) - quad.mean(axis=0)).tolist())
            if apart < reach and (share := iou(box, quad)) > _OVERLAP:
                near.append((share, t, s))
    pairs: dict[int, int] = {}
    for _, t, s in sorted(near, reverse=True):
        if t not in pairs and s not in pairs.values():
            pairs[t] = s
    return pairs


def _same(card: str, face: str | None) -> bool:
    """Whether a face is that card: numbers aside, and a face without a colour stands for both."""
    if face is None:
        return False
    mine, theirs = (name.partition("=")[0].casefold() for name in (card, face))
    return mine == theirs or (":" not in theirs and mine.partition(":")[0] == theirs)


def record(deck: str, found: Outcome, rows: Truth) -> None:
    """Remembers a confirmed photo; it takes the place of an earlier line of the same photo.

    The cards go with it, so that the photo can be read again. Raises `UnusableInput`.
    """
    file = _file(deck)
    cards = [[{"card": one.card, "box": one.box} for one in row] for row in rows]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with held(file.parent):  # another program may be confirming a photo of the same deck
            lines = [line for line in _lines(deck) if line["sha256"] != found.sha256]
            lines = [*lines, {**asdict(found), "rows": cards}][-MOST:]
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            write_bytes_whole(file, text.encode("utf-8", "replace"))
    except OSError as error:
        said = f"cannot be written: {error.strerror or error}"
        raise UnusableInput([Fault(str(file), said, "make room, or check permissions")]) from None


def summary(deck: str, last: int = LAST) -> str:
    """`last 20 photos: 97 % right, 0 silent`; empty where no photo of the deck was confirmed."""
    told = figures(deck, last)
    if not told["photos"]:
        return ""
    photos = "last photo" if told["photos"] == 1 else f"last {told['photos']} photos"
    return f"{photos}: {percent(told['right'], told['cards'])} right, {told['silent']} silent"


def percent(part: int, whole: int) -> str:
    """Whole per cent, never rounded up: 100 % is all of them."""
    return f"{math.floor(100 * part / whole) if whole else 100} %"


def figures(deck: str, last: int = LAST) -> dict[str, Any]:
    """Sums over the last confirmed photos: cards, right, silent, flagged, missed, ghosts.

    `right_share` is right over cards; None where there are none. Raises `UnusableInput`.
    """
    return _summed(_lines(deck)[-last:])


def _summed(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    sums = {count: sum(line[count] for line in lines) for count in _COUNTS}
    share = round(sums["right"] / sums["cards"], 4) if sums["cards"] else None
    return {"photos": len(lines), **sums, "right_share": share}


def forget(deck: str) -> int:
    """Forgets all confirmed photos of a deck; how many there were. Raises `UnusableInput`."""
    file, count = _file(deck), 0
    if not file.parent.is_dir():
        return 0
    try:
        with held(file.parent):
            with suppress(UnusableInput):  # what cannot be read can be forgotten all the same
                count = len(_lines(deck))
            file.unlink(missing_ok=True)
    except OSError as error:
        said = f"cannot be removed: {error.strerror or error}"
        raise UnusableInput([Fault(str(file), said, "check its permissions")]) from None
    return count


def photos() -> set[str]:
    """The sha256 of every photo that is remembered, of all decks.

    Raises `UnusableInput` where that cannot be read, since nobody knows then which photos these are.
    """
    folder = library.own_decks_folder() / _FOLDER
    try:  # not glob: it takes a folder that may not be read for an empty one
        files = [file for file in folder.iterdir() if file.suffix == ".jsonl"]
    except FileNotFoundError:
        return set()
    except OSError as error:
        said = f"cannot be looked into: {error.strerror or error}"
        raise UnusableInput([Fault(str(folder), said, "check its permissions")]) from None
    return {line["sha256"] for file in files for line in _lines_in(file)}


def remeasure(
    deck: str,
    eyes: "Eyes",
    shelf: PhotoShelf,
    last: int = LAST,
    done: Callable[[], None] = lambda: None,
) -> Remeasured:
    """Reads the last confirmed photos again with the deck as it is now; `done` is called after each.

    Raises `UnusableInput`.
    """
    then, now, skipped = [], [], 0
    sources = _sources(deck)
    for line in _lines(deck)[-last:]:
        file = shelf.open(line["sha256"])
        try:
            reading = None if file is None else eyes.read(str(file)).reading
        except UnusableInput:
            reading = None
        done()
        if reading is None:
            skipped += 1
            continue
        again = outcome(reading, _rows(line), line["sha256"], line["photo"], line["when"])
        then.append(line)
        now.append(asdict(again))
    learnt = sum(line["sha256"] in sources for line in then)
    return Remeasured(_summed(then), _summed(now), skipped, learnt)


def _sources(deck: str) -> set[str]:
    """The photos that a household's deck was cut from; none for one that ships."""
    try:
        index = own_decks.named(deck).index()
    except UnusableInput:
        return set()
    return {entry.sha256 for entry in index.entries} if index else set()


def _file(deck: str) -> Path:
    """Where the confirmed photos of a deck stand; raises `UnusableInput` where it can be no deck."""
    if not deck or deck.startswith(".") or not deck.isprintable() or set(deck) & set('/\\:*?"<>|'):
        found = f"{deck!r} cannot be the name of a deck"
        raise UnusableInput([Fault("", found, "use letters a-z, digits and -")])
    return library.own_decks_folder() / _FOLDER / f"{deck}.jsonl"


def _lines(deck: str) -> list[dict[str, Any]]:
    """The photos of a deck, the oldest first; lines that make no sense are passed over."""
    return _lines_in(_file(deck))


def _lines_in(file: Path) -> list[dict[str, Any]]:
    try:
        if file.stat().st_size > _LARGEST:
            raise UnusableInput(
                [Fault(str(file), "is too large for a list of photos", "delete it")]
            )
        text = file.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    except OSError as error:
        said = f"cannot be read: {error.strerror or error}"
        raise UnusableInput([Fault(str(file), said, "check its permissions")]) from None
    found: dict[str, dict[str, Any]] = {}
    for row in text.split("\n"):
        if (line := _line(row)) is not None:
            found.pop(line["sha256"], None)
            found[line["sha256"]] = line
    return list(found.values())


def _line(text: str) -> dict[str, Any] | None:
    """A line as it was written; None for any other."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or not set(line) >= {*_FIELDS, "rows"}:
        return None
    texts = all(isinstance(line[key], str) for key in ("sha256", "photo", "when"))
    numbers = all(type(line[key]) is int and line[key] >= 0 for key in _COUNTS)
    try:
        _rows(line)
    except (KeyError, TypeError, ValueError):
        return None
    return line if texts and numbers else None


_FIELDS = {field.name for field in fields(Outcome)}


def _rows(line: Mapping[str, Any]) -> list[list[TrueCard]]:
    """The confirmed rows of a line; raises where they are something else."""
    return [[TrueCard(_text(one["card"]), _box(one["box"])) for one in row] for row in line["rows"]]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _box(value: Any) -> Region | None:
    if value is None:
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in value)
    if not all(map(math.isfinite, (*a, *b, *c, *d))):
        raise ValueError
    return a, b, c, d
