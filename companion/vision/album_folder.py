"""An enrolled deck on the disk: a folder with its reference pictures and `album.json`.

`album.json` is what counts: it is written last, in one step, and a picture that it does not name is not
part of the album. Reading the index alone needs no image library.
"""

import json
import os
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from companion.core.errors import Fault, UnusableInput

if TYPE_CHECKING:
    from companion.vision.album import Album
    from companion.vision.geometry import Image

Origin = Literal["enrolled", "table"]
"""A reference was taken by a person who enrolled cards, or is a card that was confirmed at the table."""
ENROLLED: Origin = "enrolled"
TABLE: Origin = "table"
INDEX = "album.json"
VERSION = 1
"""Keys that were added since, such as `origin`, may be absent, and are passed over by older programs."""
MOST = 6
"""References a face; more make reading slower and no better."""
_LARGEST = 20_000_000
"""Bytes of a file in the folder; a reference has some 300 000."""
_SIDE = 4000
"""Pixels of a side of a reference, at most; enrolment writes 512."""
_PNG = b"\x89PNG\r\n\x1a\n"
_ASPECTS = (0.3, 4.0)
_AGAIN = "enrol the deck again with --replace"


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference picture of one face, as `album.json` lists it."""

    face: str
    file: str
    photo: str = ""
    """Name of the photo it was cut from."""
    sha256: str = ""
    """Of that photo's bytes."""
    doubts: tuple[str, ...] = ()
    origin: Origin = ENROLLED
    """Where its name is from."""


@dataclass(frozen=True, slots=True)
class Index:
    """What `album.json` says."""

    deck: str
    aspect: float
    """Height over width of the cards."""
    entries: tuple[Entry, ...]
    deck_file: str = ""
    """sha256 of the deck file as enrolment wrote it; empty: the household wrote it."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Every face once, in the order of the references."""
        return tuple(dict.fromkeys(entry.face for entry in self.entries))

    def of(self, face: str) -> list[Entry]:
        """The references of one face."""
        return [entry for entry in self.entries if entry.face == face]


@dataclass(frozen=True, slots=True)
class Picture:
    """A reference that is to be stored: the entry still without its file, and the picture, BGR."""

    entry: Entry
    image: "Image" = field(repr=False)


def is_album(folder: Path) -> bool:
    """Whether an enrolled deck lies there."""
    return (folder / INDEX).is_file()


def read_index(folder: Path) -> Index:
    """The index of an album; raises `UnusableInput` with all that is wrong with it."""
    where = str(folder / INDEX)
    try:
        if (folder / INDEX).stat().st_size > _LARGEST:
            raise UnusableInput([Fault(where, "is too large for an album's index", _AGAIN)])
        raw = json.loads((folder / INDEX).read_text("utf-8"))
    except FileNotFoundError:
        raise UnusableInput([Fault(where, "there is no such file", _AGAIN)]) from None
    except OSError as error:
        found = f"cannot be read: {error.strerror}"
        raise UnusableInput([Fault(where, found, "check its permissions")]) from None
    except (ValueError, RecursionError):
        raise UnusableInput([Fault(where, "is damaged: no JSON", _AGAIN)]) from None
    if not isinstance(raw, dict) or raw.get("version") != VERSION:
        found = f"version {raw.get('version')!r}" if isinstance(raw, dict) else "no table"
        right = f"this program reads version {VERSION}; {_AGAIN}"
        raise UnusableInput([Fault(where, found, right)])
    return _index(raw, where)


def _index(raw: dict[str, Any], where: str) -> Index:
    faults = []
    aspect = raw.get("aspect")
    is_number = isinstance(aspect, int | float) and not isinstance(aspect, bool)
    if aspect is None or not is_number or not _ASPECTS[0] < aspect < _ASPECTS[1]:
        faults.append(Fault(f"{where}: aspect", f"{aspect!r} is no shape of a card", _AGAIN))
        aspect = 1.4
    rows = raw.get("references")
    if not isinstance(rows, list) or not rows:
        faults.append(Fault(f"{where}: references", "are missing", _AGAIN))
        rows = []
    entries = []
    for number, row in enumerate(rows, 1):
        entry = _entry(row)
        if isinstance(entry, Entry):
            entries.append(entry)
        else:
            faults.append(Fault(f"{where}: references[{number}]", entry, _AGAIN))
    if faults:
        raise UnusableInput(faults)
    return Index(str(raw.get("deck", "")), float(aspect), tuple(entries), _text(raw, "deck_file"))


def _entry(row: Any) -> Entry | str:
    """The entry, or what is wrong with it."""
    if not isinstance(row, dict):
        return "is no table"
    face, file, doubts = row.get("face"), row.get("file"), row.get("doubts", [])
    if not isinstance(face, str) or not face:
        return "has no face"
    if not isinstance(file, str) or Path(file).name != file or file in ("", ".", ".."):
        return f"names no file of this folder: {file!r}"
    if not isinstance(doubts, list) or not all(isinstance(d, str) for d in doubts):
        return "has doubts that are no list of sentences"
    origin = TABLE if row.get("origin") == TABLE else ENROLLED
    return Entry(face, file, _text(row, "photo"), _text(row, "sha256"), tuple(doubts), origin)


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def load_album(folder: Path, unknown: Callable[[str], str] | None = None) -> "Album":
    """The album of a folder; raises `UnusableInput` with every fault of it.

    `unknown` says what is wrong with a face's name, empty where it is a card of the deck.
    """
    from companion.vision.album import Album, Reference
    from companion.vision.gates import usable

    index = read_index(folder)
    pictures = _pictures(folder, index.entries)
    faults = [picture for picture in pictures if isinstance(picture, Fault)]
    if unknown is not None:
        wrong = {face: unknown(face) for face in index.faces}
        where = f"{folder / INDEX}: {{}}"
        faults += [Fault(where.format(face), text, _AGAIN) for face, text in wrong.items() if text]
    if faults:
        raise UnusableInput(faults)
    references = [
        Reference(entry.face, picture, entry.photo, entry.doubts)
        for entry, picture in zip(index.entries, pictures, strict=True)
        if not isinstance(picture, Fault)
    ]
    return Album(index.deck, usable(references), index.aspect)


def load_pictures(folder: Path, entries: Sequence[Entry]) -> list[Picture]:
    """The pictures of some entries; raises `UnusableInput` with every fault of them."""
    pictures = _pictures(folder, entries)
    if faults := [picture for picture in pictures if isinstance(picture, Fault)]:
        raise UnusableInput(faults)
    return [
        Picture(entry, picture)
        for entry, picture in zip(entries, pictures, strict=True)
        if not isinstance(picture, Fault)
    ]


def _pictures(folder: Path, entries: Sequence[Entry]) -> "list[Image | Fault]":
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(_picture, [folder / entry.file for entry in entries]))


def _picture(path: Path) -> "Image | Fault":
    import cv2
    import numpy as np

    try:
        if path.stat().st_size > _LARGEST:
            return Fault(str(path), "is too large for a reference picture", _AGAIN)
        data = path.read_bytes()
        if data[:8] != _PNG or data[12:16] != b"IHDR":
            return Fault(str(path), "is no readable picture", _AGAIN)
        wide, tall = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
        if max(wide, tall) > _SIDE:
            found = f"is too large for a reference picture: {wide} x {tall} pixels"
            return Fault(str(path), found, _AGAIN)
        read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except FileNotFoundError:
        return Fault(str(path), "there is no such file", _AGAIN)
    except OSError as error:
        return Fault(str(path), f"cannot be read: {error.strerror}", "check its permissions")
    except cv2.error:
        read = None
    if read is None or min(read.shape[:2]) < 16:
        return Fault(str(path), "is no readable picture", _AGAIN)
    return np.asarray(read, np.uint8)


def save_album(
    folder: Path,
    index: Index,
    kept: Iterable[Entry],
    new: Sequence[Picture],
    then: Callable[[], None] = lambda: None,
) -> Index:
    """Writes an album of the entries that are kept and the new pictures; what it became.

    `index` tells deck, aspect and deck file. No file that lies there is overwritten, so whenever it is
    broken off, the index on the disk goes with its pictures. Pictures that the album no longer names
    are removed last, after `then`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    before = _files(folder)
    entries, written = list(kept), []
    taken = {_folded(path.name) for path in folder.iterdir()}
    taken |= {_folded(entry.file) for entry in entries}
    try:
        for picture in new:
            file = _file_for(picture.entry.face, taken)
            taken.add(_folded(file))
            written.append(folder / file)
            write_bytes_whole(folder / file, _png(picture.image))
            entries.append(replace(picture.entry, file=file))
        result = replace(index, entries=tuple(entries))
        write_bytes_whole(folder / INDEX, _json(result).encode())
    except OSError:
        for path in written:
            path.unlink(missing_ok=True)
        raise
    then()
    named = {_folded(entry.file) for entry in entries}
    for file in before:
        if _folded(file) not in named:
            (folder / file).unlink(missing_ok=True)
    return result


def unnamed(folder: Path, index: Index) -> list[str]:
    """What lies in the folder, is not hidden, and is no part of the album."""
    named = {_folded(file) for file in (INDEX, *(entry.file for entry in index.entries))}
    names = [path.name for path in folder.iterdir()]
    return sorted(n for n in names if _folded(n) not in named and not n.startswith("."))


def _files(folder: Path) -> list[str]:
    """The pictures that the index on the disk names; none where it cannot be read."""
    try:
        return [entry.file for entry in read_index(folder).entries]
    except UnusableInput:
        return []


def _file_for(face: str, taken: set[str]) -> str:
    """`paddlers-2--red.1.png`, with the first number that is free."""
    stem, number = face.replace(":", "--"), 1
    while _folded(f"{stem}.{number}.png") in taken:
        number += 1
    return f"{stem}.{number}.png"


def _folded(name: str) -> str:
    """The same for names that are one file on some system."""
    return unicodedata.normalize("NFC", name).casefold()


def _png(image: "Image") -> bytes:
    import cv2

    done, data = cv2.imencode(".png", image)
    assert done, "a picture in memory can be written as PNG"
    return data.tobytes()


def _json(index: Index) -> str:
    rows = [
        {
            "face": entry.face,
            "file": entry.file,
            "photo": entry.photo,
            "sha256": entry.sha256,
            "doubts": list(entry.doubts),
            **({} if entry.origin == ENROLLED else {"origin": entry.origin}),
        }
        for entry in index.entries
    ]
    whole = {
        "version": VERSION,
        "deck": index.deck,
        "aspect": round(index.aspect, 4),
        "deck_file": index.deck_file,
        "references": rows,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def write_bytes_whole(path: Path, data: bytes) -> None:
    """The file whole, or not at all."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def remove_album(folder: Path) -> list[str]:
    """Removes an album; names of what else lies in its folder, which is then kept.

    Where the index cannot be read, nobody knows which pictures are its own: all are kept.
    """
    files = _files(folder)
    (folder / INDEX).unlink(missing_ok=True)
    for file in files:
        (folder / file).unlink(missing_ok=True)
    left = sorted(path.name for path in folder.iterdir())
    if not left:
        folder.rmdir()
    return left


def write_whole(path: Path, text: str) -> None:
    """Writes a text file whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes_whole(path, text.encode())
