"""The decks of the household: which there are, what they know, their files written and removed.

A deck `our-box` is `our-box.toml` in the household's folder, and `our-box/` with its reference pictures.
"""

import hashlib
import json
import os
import re
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from card_catalog.loader import BadDeck, deck_from, read_deck, shipped, shipped_deck
from card_catalog.lookup import UnknownCard, lookup_in, shown
from card_catalog.model import Card, Colour, Deck
from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.intake.printed_numbers import printed
from companion.vision import album_folder
from companion.vision.album_folder import Index

FREE = "none"
"""The game of a deck whose cards no game of this program knows."""
LONGEST = 40
"""Characters of a deck's name."""
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9-]{{0,{LONGEST - 1}}}")
_LONGEST_HELD = 3600
"""Seconds after which a lock is taken for one that was left behind."""
_KIND_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9&-]{0,39}")


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """Where a deck of the household lies."""

    name: str

    @property
    def toml(self) -> Path:
        """Its deck file."""
        return library.own_decks_folder() / f"{self.name}.toml"

    @property
    def folder(self) -> Path:
        """Its reference pictures."""
        return library.own_decks_folder() / self.name

    @property
    def lock(self) -> Path:
        """The file that is there while a program changes the deck."""
        return library.own_decks_folder() / f".{self.name}.lock"

    def holds(self, path: str) -> bool:
        """Whether a file or folder lies among its reference pictures."""
        with suppress(ValueError, RuntimeError):  # no path at all; links in a circle
            return Path(path).resolve().is_relative_to(self.folder.resolve())
        return False

    @property
    def exists(self) -> bool:
        """Whether there is anything of it."""
        return self.toml.is_file() or self.enrolled

    @property
    def enrolled(self) -> bool:
        """Whether it has pictures."""
        return album_folder.is_album(self.folder)

    def index(self) -> Index | None:
        """What its pictures are; None where it has none. Raises `UnusableInput`."""
        return album_folder.read_index(self.folder) if self.enrolled else None

    def catalogue(self) -> Deck:
        """Its cards; raises `UnusableInput`."""
        try:
            return read_deck(self.toml)
        except BadDeck as error:
            raise UnusableInput(
                Fault(f"{error.name}: {key}" if key != "file" else error.name, text)
                for key, text in error.faults
            ) from None


def own_decks() -> list[OwnDeck]:
    """All of them, by name."""
    folder = library.own_decks_folder()
    names = {path.stem for path in folder.glob("*.toml")}
    names |= {path.parent.name for path in folder.glob(f"*/{album_folder.INDEX}")}
    return [OwnDeck(name) for name in sorted(names) if _NAME.fullmatch(name)]


def named(name: str) -> OwnDeck:
    """A household's deck for this name, there or not; raises `UnusableInput` where it cannot be one."""
    if name.casefold() in shipped():
        found = f"{name} is a deck that ships"
        raise UnusableInput([Fault("", found, "give your own deck another name")])
    if not _NAME.fullmatch(name):
        right = f"use up to {LONGEST} letters a-z, digits and -"
        raise UnusableInput([Fault("", f"{shown(name)!r} cannot be the name of a deck", right)])
    return OwnDeck(name)


@contextmanager
def locked(deck: OwnDeck) -> Iterator[None]:
    """Keeps other programs from changing the deck; raises `UnusableInput` where one is at it."""
    home = deck.lock.parent
    made = not home.exists()
    home.mkdir(parents=True, exist_ok=True)
    if _left_behind(deck.lock):
        deck.lock.unlink(missing_ok=True)
    try:
        handle = os.open(deck.lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    except FileExistsError:
        found = f"another program is changing the deck {deck.name}"
        right = f"wait until it is done; if none is running, delete {deck.lock}"
        raise UnusableInput([Fault("", found, right)]) from None
    try:
        with os.fdopen(handle, "w") as file:
            file.write(str(os.getpid()))
        yield
    finally:
        if read_text(deck.lock) in ("", str(os.getpid())):
            deck.lock.unlink(missing_ok=True)
        if made:
            with suppress(OSError):
                home.rmdir()


def _left_behind(lock: Path) -> bool:
    """Whether the program that holds a lock is gone."""
    try:
        if time.time() - lock.stat().st_mtime > _LONGEST_HELD:
            return True
        if os.name == "posix":  # elsewhere, to ask a process is to end it
            os.kill(int(read_text(lock)), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except (OSError, ValueError):  # no lock; another user's; one that is just being written
        return False
    return False


def unknown_deck(name: str) -> UnusableInput:
    """Says that there is no such deck, and which was probably meant."""
    known = [*shipped(), *(deck.name for deck in own_decks())]
    close = get_close_matches(name.casefold(), known, 1)
    right = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
    return UnusableInput([Fault("", f"there is no deck {shown(name)}", right)])


def cards_of(deck: Deck) -> list[str]:
    """Every face of a deck as written: a coloured kind has a red and a black one."""
    if deck.game == FREE:
        return [kind.name for kind in deck.kinds.values()]
    return [
        str(Card(kind, colour))
        for kind in deck.kinds.values()
        for colour in (Colour if kind.coloured else (None,))
    ]


def missing(deck: Deck, faces: Sequence[str]) -> list[str]:
    """Faces of the deck that none of the learnt ones shows; what has no colour stands for both."""
    learnt = {face.casefold() for face in faces}
    if deck.game != FREE:
        learnt = {face.partition("=")[0] for face in learnt}
    return [
        card
        for card in cards_of(deck)
        if not {card.casefold(), card.casefold().partition(":")[0]} & learnt
    ]


def face_fault(deck: Deck, face: str) -> str:
    """What is wrong with the name of a face; empty where it is a card of the deck."""
    if deck.game == FREE:
        return ""
    try:
        lookup_in(deck).card(face)
    except UnknownCard as error:
        return str(error)
    return ""


def base_deck(game: str) -> str:
    """The shipped deck of a game or deck id, `none` for a free one; raises `UnusableInput`."""
    wanted = game.casefold()
    if wanted in (FREE, *shipped()):
        return wanted
    with suppress(KeyError, BadDeck):
        if wanted in library.names():
            return library.deck_of(wanted, None, None).id
    known = list(dict.fromkeys([*library.names(), *shipped(), FREE]))
    close = get_close_matches(wanted, known, 1)
    right = f"did you mean {close[0]}?" if close else f"use one of {', '.join(known)}"
    raise UnusableInput([Fault("--game", f"unknown game {shown(game)}", right)])


def new_deck_file(name: str, base: str, faces: Sequence[str]) -> str:
    """The text of a deck file as enrolment writes it, with the numbers that its cards are named with."""
    head = "# Written by `companion deck enrol`; what you add here is kept.\n"
    if base != FREE:
        title = f"{shipped_deck(base).title}: {name}"[:60]
        told = printed(shipped_deck(base), faces)
        numbers = _table("strengths", told.strengths) + _table("values", told.values)
        return f'{head}extends = "{base}"\ntitle = {_quoted(title)}\n{numbers}'
    top = f'{head}id = "{name.lower()}"\ngame = "{FREE}"\ntitle = {_quoted(name)}\n'
    return top + free_kinds(faces, ())


def _table(name: str, numbers: Mapping[str, int]) -> str:
    """A table of a deck file; nothing where it would be empty."""
    lines = "".join(f"{key} = {number}\n" for key, number in sorted(numbers.items()))
    return f"\n[{name}]\n{lines}" if lines else ""


def free_kinds(faces: Sequence[str], known: Sequence[str]) -> str:
    """The `[[kinds]]` of a free deck for faces with any name; `known` are ids in use."""
    text, taken = "", {kind_id.casefold() for kind_id in known}
    for face in faces:
        kind_id = face if _KIND_ID.fullmatch(face) else _slug(face)
        number, free = 1, kind_id
        while free.casefold() in taken:
            number += 1
            free = f"{kind_id[:36]}-{number}"
        taken.add(free.casefold())
        text += f'\n[[kinds]]\nid = "{free}"\nname = {_quoted(face)}\ngroup = "card"\n'
    return text


def _slug(face: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9&]+", "-", face).strip("-&")[:LONGEST]
    return slug or "card"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def with_new_cards(text: str, deck: Deck, faces: Sequence[str]) -> str:
    """A free deck's file with the kinds of faces that it does not know yet."""
    names = {kind.name.casefold() for kind in deck.kinds.values()}
    names |= {kind_id.casefold() for kind_id in deck.kinds}
    fresh = [face for face in faces if face.casefold() not in names]
    whole = text.rstrip("\n") + "\n" + free_kinds(fresh, list(deck.kinds)) if fresh else text
    try:
        deck_from(tomllib.loads(whole), "deck file")
    except (tomllib.TOMLDecodeError, BadDeck):
        found = "the new cards cannot be added to it"
        raise UnusableInput([Fault("deck file", found, "write its kinds as [[kinds]]")]) from None
    return whole


def digest(text: str) -> str:
    """What tells whether a deck file is still as it was written."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_text(path: Path) -> str:
    """The text of a deck file, its line ends as they are; empty where it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def remove(deck: OwnDeck) -> list[str]:
    """Removes pictures, and the deck file where enrolment wrote it and nobody changed it.

    What was kept, in words. Raises `UnusableInput` where there are no pictures to remove.
    """
    if not deck.enrolled:
        found = f"{deck.name} has no pictures, only the deck file that your household wrote"
        raise UnusableInput([Fault("", found, f"delete {deck.toml} yourself if it is not needed")])
    with locked(deck):
        return _removed(deck)


def _removed(deck: OwnDeck) -> list[str]:
    holds = "holds what enrolment did not put there"
    try:
        written = album_folder.read_index(deck.folder).deck_file
    except UnusableInput:
        written = ""
        holds = f"{album_folder.INDEX} could not be read, so what may be yours is kept"
    kept = []
    left = album_folder.remove_album(deck.folder)
    if left:
        kept.append(f"{deck.folder}: {holds}: {', '.join(left)}")
    if deck.toml.is_file():
        if written and digest(read_text(deck.toml)) == written:
            deck.toml.unlink()
        else:
            kept.append(f"{deck.toml}: was written or changed by hand, so it stays")
    return kept


def summary(deck: Deck, index: Index | None) -> dict[str, Any]:
    """A line of `companion deck list --json`."""
    faces = index.faces if index else ()
    return {
        "id": deck.id,
        "game": deck.game,
        "title": deck.title,
        "cards": len(cards_of(deck)),
        "learnt": len(cards_of(deck)) - len(missing(deck, faces)) if index else 0,
        "references": len(index.entries) if index else 0,
    }
