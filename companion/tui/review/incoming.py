"""Photos that came by themselves, from a watched folder or a camera: kept aside while they are reviewed.

The file in the folder may be written over by the next photo, and a camera has none.
"""

import hashlib
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.core.errors import Fault, UnusableInput
from companion.tui.counting.draft import folder

_FORGOTTEN = 30 * 24 * 3600
"""Seconds after which a photo that nobody has gone on with goes."""


def place() -> Path:
    """Where they lie."""
    return folder() / "incoming"


def copied(path: Path, sha256: str) -> str:
    """Keeps a photo of a watched folder aside; its path there. Raises `UnusableInput`."""
    kept = _file(f"{sha256[:16]}-{path.name}")
    try:
        shutil.copyfile(path, kept)
    except OSError as error:
        raise UnusableInput([Fault(str(path), f"cannot be kept: {error.strerror}")]) from None
    return str(kept)


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
