"""Photos kept aside while they are reviewed: from a watched folder, from a camera, of names that are no text.

The file in the folder may be written over by the next photo, a camera has none, and a name whose bytes are
no text, or move the cursor, can neither be shown nor be gone on with another day.
"""

import hashlib
import re
import shutil
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.core.errors import Fault, UnusableInput
from companion.tui.counting.draft import folder, photos

_NO_TEXT = re.compile("[\ud800-\udfff\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Bytes of a file's name that are no text, as Python has them, line ends and control characters."""
_DIGITS = 16
"""Of the sha256 before the name; names that are alike do not meet."""
_LONGEST = 200
"""Bytes of a name; most file systems take 255."""
_FORGOTTEN = 30 * 24 * 3600
"""Seconds after which a photo that nobody has gone on with goes."""


def place() -> Path:
    """Where they lie."""
    return folder() / "incoming"


def copied(path: Path, sha256: str) -> str:
    """Keeps a photo aside under a name that is text; its path there. Raises `UnusableInput`."""
    kept = _file(sha256, _shown(path.name))
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
        told = Path(path).stat()
        if not stat.S_ISREG(told.st_mode):  # a pipe would be waited for
            found = "its name is no text, and it is no file with a photo"
            raise UnusableInput([Fault(shown, found, "name the photo itself")])
        if told.st_size > LARGEST_FILE:
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
    """A name with _ for each letter that is no text."""
    return _NO_TEXT.sub("_", name)


def written(data: bytes, name: str) -> str:
    """Keeps a picture of a camera aside; its path there. Raises `UnusableInput`."""
    kept = _file(hashlib.sha256(data).hexdigest(), name)
    try:
        kept.write_bytes(data)
    except OSError as error:
        raise UnusableInput([Fault(name, f"cannot be kept: {error.strerror}")]) from None
    return str(kept)


def _file(sha256: str, name: str) -> Path:
    """Where a photo is kept; those that nobody has gone on with are removed."""
    try:
        place().mkdir(parents=True, exist_ok=True)
        _tidy()
    except OSError as error:
        found = f"no photo can be kept there: {error.strerror}"
        raise UnusableInput(
            [Fault(str(place()), found, "make room, or check permissions")]
        ) from None
    short = name.encode("utf-8")[-_LONGEST:].decode("utf-8", "ignore")  # its end says the kind
    return place() / f"{sha256[:_DIGITS]}-{short}"


def _tidy() -> None:
    """Removes old photos but for those that something waiting needs, as far as that can be known."""
    latest = time.time() - _FORGOTTEN
    old = [file for file in place().iterdir() if file.stat().st_mtime < latest]
    if not old:
        return
    with suppress(UnusableInput):
        needed = {digest[:_DIGITS] for digest in photos()}
        for file in old:
            if file.name[:_DIGITS] not in needed:
                file.unlink(missing_ok=True)


def let_go(paths: Iterable[str]) -> None:
    """Removes those of these files that were kept aside here; others are never touched."""
    for path in paths:
        if Path(path).parent == place():
            with suppress(OSError):
                Path(path).unlink()
