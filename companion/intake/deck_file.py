"""A household's deck as one file: its deck file and its reference pictures, checked when it comes back.

The file is a ZIP archive with `companion.json` (version, name), `deck.toml` and `album/`. An archive from
elsewhere is hostile input: only files of these names are read, each and all together within limits, and
the deck stands in its place only when all of it was found good.
"""

import json
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from card_catalog.loader import BadDeck, read_deck
from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.intake import own_decks
from companion.intake.own_decks import OwnDeck
from companion.vision import album_folder

VERSION = 1
_HEAD, _TOML, _ALBUM = "companion.json", "deck.toml", "album/"
_LARGEST, _WHOLE, _MOST = 20_000_000, 1_000_000_000, 5_000
"""Bytes of one file and of all unpacked, and how many files an archive may hold."""


def write_deck_file(deck: OwnDeck, path: Path) -> None:
    """Writes a deck of the household as one file; raises `UnusableInput`."""
    if not deck.exists:
        raise own_decks.unknown_deck(deck.name)
    index = deck.index()
    part = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_HEAD, json.dumps({"version": VERSION, "name": deck.name}))
            if deck.toml.is_file():
                archive.write(deck.toml, _TOML)
            for file in [album_folder.INDEX, *(e.file for e in index.entries)] if index else ():
                archive.write(deck.folder / file, _ALBUM + file)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        found = f"cannot be written: {error.strerror or error}"
        raise UnusableInput(
            [Fault(str(path), found, "name a file in a folder that exists")]
        ) from None


def read_deck_file(path: Path, name: str = "", replace: bool = False) -> OwnDeck:
    """Takes a deck from its file, under its own or another name; raises `UnusableInput`."""
    home = library.own_decks_folder()
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=".import-") as folder:
        unpacked = Path(folder)
        told = _unpack(path, unpacked)
        deck = own_decks.named(name or told)
        if deck.exists and not replace:
            found = f"there is a deck {deck.name} already"
            raise UnusableInput([Fault("", found, "add --replace, or --as ANOTHER-NAME")])
        _check(path, unpacked)
        with own_decks.locked(deck):
            if deck.enrolled:
                album_folder.remove_album(deck.folder)
            files = sorted((unpacked / _ALBUM).iterdir()) if (unpacked / _ALBUM).is_dir() else []
            deck.folder.mkdir(exist_ok=True)
            there = [file.name for file in files if (deck.folder / file.name).exists()]
            if there:
                found = f"{deck.folder} holds other files of these names: {', '.join(there[:5])}"
                raise UnusableInput([Fault("", found, "move them, or import --as ANOTHER-NAME")])
            for file in sorted(files, key=lambda f: f.name == album_folder.INDEX):  # the index last
                file.replace(deck.folder / file.name)
            (unpacked / _TOML).replace(deck.toml)
    return deck


def _unpack(path: Path, folder: Path) -> str:
    """Unpacks what belongs to a deck; the name that it had."""
    right = "take a file that `companion deck export` wrote"
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            large = [m for m in members if m.file_size > _LARGEST]
            if large or len(members) > _MOST or sum(m.file_size for m in members) > _WHOLE:
                raise UnusableInput([Fault(str(path), "holds more than a deck can", right)])
            head = json.loads(archive.read(_HEAD))
            if not isinstance(head, dict) or head.get("version") != VERSION:
                found = f"is of version {head.get('version') if isinstance(head, dict) else '?'}"
                raise UnusableInput([Fault(str(path), found, f"this program reads {VERSION}")])
            for member in members:
                plain = member.filename.removeprefix(_ALBUM)
                inside = member.filename == _TOML or (
                    member.filename.startswith(_ALBUM) and plain and "/" not in plain
                )
                if inside and "\\" not in plain and not plain.startswith("."):
                    target = folder / member.filename
                    target.parent.mkdir(exist_ok=True)
                    target.write_bytes(archive.read(member))
            return str(head.get("name", ""))
    except OSError as error:
        found = f"cannot be read: {error.strerror or error}"
        raise UnusableInput([Fault(str(path), found, right)]) from None
    except (zipfile.BadZipFile, KeyError, ValueError, RuntimeError, EOFError, NotImplementedError):
        raise UnusableInput([Fault(str(path), "is no deck file, or damaged", right)]) from None


def _check(path: Path, folder: Path) -> None:
    """Raises `UnusableInput` with all that is wrong with an unpacked deck."""
    faults: list[Fault] = []
    deck = None
    if (folder / _TOML).is_file():
        try:
            deck = read_deck(folder / _TOML)
        except BadDeck as error:
            faults += [Fault(f"{path}: {_TOML}: {key}", text) for key, text in error.faults]
    else:
        faults.append(Fault(str(path), f"has no {_TOML}", "export the deck again"))
    if album_folder.is_album(folder / _ALBUM):
        known = deck
        unknown = None if known is None else lambda face: own_decks.face_fault(known, face)
        try:
            album_folder.load_album(folder / _ALBUM, unknown)
        except UnusableInput as error:
            faults += error.faults
    if faults:
        raise UnusableInput(faults)
