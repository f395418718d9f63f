"""Photos kept aside while they are reviewed: from a watched folder, from a camera, of names that are no text.

The file in the folder may be written over by the next photo, a camera has none, and a name whose bytes are
no text can neither be shown nor be gone on with another day.
"""

import hashlib
import re
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.core.errors import Fault, UnusableInput
from companion.tui.counting.draft import folder

_NO_TEXT = re.compile("[\ud800-\udfff]")
"""Bytes of a file's name that are no text, as Python has them."""
_FORGOTTEN = 30 * 24 * 3600
"""Seconds after which a photo that nobody has gone on with goes."""


def place() -> Path:
    """Where they lie."""
    return folder() / "incoming"


def copied(path: Path, sha256: str) -> str:
    """Keeps a photo aside under a name that is text; its path there. Raises `UnusableInput`."""
    kept = _file(f"{sha256[:16]}-{_shown(path.name)}")
    try:
        shutil.copyfile(path, kept)
    except OSError as error:
        raise UnusableInput(
            [Fault(_shown(str(path)), f"cannot be kept: {error.strerror}")]
        ) from None
    return str(kept)


def named_in_text(path: str) -> str:
    """The path where it is text, else that of a copy kept aside whose name is; raises `UnusableInput`."""
    shown = _shown(path)
    if shown == path:
        return path
    from companion.vision.load import LARGEST_FILE

    try:
        if Path(path).stat().st_size > LARGEST_FILE:
            found = f"is larger than {LARGEST_FILE // 1_000_000} MB"
            raise UnusableInput([Fault(shown, found, "save it smaller, as JPEG")])
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or error
        found = f"its name is no text, and it cannot be read: {why}"
        raise UnusableInput([Fault(shown, found, "rename it, and give it again")]) from None
    return copied(Path(path), digest)


def _shown(name: str) -> str:
    """A name with _ for each byte that is no text."""
    return _NO_TEXT.sub("_", name)


def written(data: bytes, name: str) -> str:
    """Keeps a picture of a camera aside; its path there. Raises `UnusableInput`."""
    kept = _file(f"{hashlib.sha256(data).hexdigest()[:16]}-{name}")
    try:
        kept.write_bytes(data)
    except OSError as error:
        raise UnusableInput([Fault(name, f"cannot be kept: {error.strerror}")]) from None
    return str(kept)


def _file(name: str) -> Path:
    try:
        place().mkdir(parents=True, exist_ok=True)
        for old in place().iterdir():
            if time.time() - old.stat().st_mtime > _FORGOTTEN:
                old.unlink(missing_ok=True)
    except OSError as error:
        found = f"no photo can be kept there: {error.strerror}"
        raise UnusableInput(
            [Fault(str(place()), found, "make room, or check permissions")]
        ) from None
    return place() / name


def let_go(paths: Iterable[str]) -> None:
    """Removes those of these files that were kept aside here; others are never touched."""
    for path in paths:
        if Path(path).parent == place():
            with suppress(OSError):
                Path(path).unlink()
