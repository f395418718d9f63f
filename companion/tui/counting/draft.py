"""What is being typed, kept in a small file after every change."""

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core.errors import Fault, UnusableInput
from companion.tui.counting.reading import blank, count, names_of, options_of
from companion.vision.album_folder import write_whole

NAME = "draft.json"
EARLIER = "draft-before.json"
"""The one that was put aside when another count was begun."""
_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def folder() -> Path:
    """Where drafts lie: `COMPANION_STATE`, else the user's state folder."""
    told = os.environ.get("COMPANION_STATE")
    if told:
        return Path(told)
    from platformdirs import user_state_path

    return user_state_path("companion", appauthor=False)


def keep(raw: Mapping[str, Any]) -> str:
    """Writes the draft, whole or not at all; what went wrong in words, else nothing."""
    try:
        # In ASCII: the name of a photo may be no text at all.
        write_whole(folder() / NAME, json.dumps(raw))
    except OSError as error:
        return f"the draft cannot be kept in {folder()}: {error.strerror or error}"
    return ""


def read(name: str = NAME) -> dict[str, Any] | None:
    """The draft, or None where there is none that can be gone on with."""
    try:
        raw = json.loads((folder() / name).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return raw if _sound(raw) else None


def _sound(raw: Any) -> bool:
    """Whether the screens can show it: it has the shape that a new document has."""
    try:
        fresh = blank(raw["game"], names_of(raw), options_of(raw), raw.get("dealer", ""))
        shapes = {key: type(value) for key, value in fresh.items()}
        whole = all(isinstance(raw.get(key), shape) for key, shape in shapes.items())
        return whole and count(raw).table is not None
    except Exception:
        # The file may have been written by anything; whatever is wrong with it, it is no draft.
        return False


def photos() -> set[str]:
    """The sha256 of every photo that something waiting speaks of: counts, reviews, decks half enrolled.

    What another version of this program has written counts too. Raises `UnusableInput` where something
    that waits cannot be read, since nobody knows then which photos it needs.
    """
    found: set[str] = set()
    try:
        for file in _waiting():
            with suppress(FileNotFoundError):  # it was finished meanwhile
                found |= set(_DIGEST.findall(file.read_bytes().decode("utf-8", "replace")))
    except OSError as error:
        said = f"cannot be read: {error.strerror or error}"
        where = str(error.filename or folder())
        raise UnusableInput([Fault(where, said, "check its permissions")]) from None
    return found


def _waiting() -> list[Path]:
    """The files of what waits; raises `OSError` where the folder cannot be looked into."""
    try:  # not glob: it takes a folder that may not be read for an empty one
        return [file for file in folder().iterdir() if file.suffix == ".json"]
    except FileNotFoundError:
        return []


def put_aside() -> None:
    """Keeps the draft under another name, because another count begins."""
    with suppress(OSError):
        (folder() / NAME).replace(folder() / EARLIER)


def take_up(name: str) -> None:
    """Makes this draft the one that is gone on with; the other one is put aside."""
    if name == NAME:
        return
    with suppress(OSError):
        middle = folder() / f".{NAME}.swap"
        (folder() / name).replace(middle)
        put_aside()
        middle.replace(folder() / NAME)


def drop() -> None:
    """Removes the draft: it was saved."""
    with suppress(OSError):
        (folder() / NAME).unlink()
