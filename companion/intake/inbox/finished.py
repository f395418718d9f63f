"""Whether a file that somebody may still be writing is a whole photo; it is only ever read."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes when a file is written. No number of the file: network folders change those."""

    size: int
    """Bytes."""
    modified: int
    """Nanoseconds."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds just now."""

    sha256: str = ""
    """Of its bytes; empty where it is no whole photo."""
    ended: bool = False
    """Whether it ends as a file of its kind does, so that nothing is to follow."""
    wrong: str = ""
    """Why it is no whole photo, in words."""
    unread: bool = False
    """It could not be read at all; that may change without a change of the file."""


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file; None where there is none."""
    try:
        seen = path.stat()
    except (OSError, ValueError):
        return None
    return stamp_from(seen)


def stamp_from(seen: os.stat_result) -> Stamp | None:
    """The stamp of what `stat` told; None where it is no file."""
    if not stat.S_ISREG(seen.st_mode):
        return None
    return Stamp(seen.st_size, seen.st_mtime_ns)


def looked_into(path: Path, stamp: Stamp) -> Found | None:
    """What the file of that stamp holds; None where it was changed meanwhile."""
    from companion.vision.load import LARGEST_FILE, UnusablePhoto, photo_from

    if stamp.size > LARGEST_FILE:
        return Found(wrong=f"is larger than {LARGEST_FILE // 1_000_000} MB; save it smaller")
    try:
        data = _read(path)
    except FileNotFoundError:
        return None
    except PermissionError:
        return Found(wrong="may not be read by you; change its permissions", unread=True)
    except OSError as error:
        return Found(wrong=f"cannot be read: {error.strerror or error}", unread=True)
    if len(data) != stamp.size or stamp_of(path) != stamp:
        return None
    try:
        photo_from(data, path.name)
    except UnusablePhoto as error:
        return Found(wrong="; ".join(f"{f.found}; {f.right}" for f in error.faults))
    return Found(hashlib.sha256(data).hexdigest(), _ended(data))


def _read(path: Path) -> bytes:
    # A pipe of that name must not hold the reader up.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _ended(data: bytes) -> bool:
    """Whether a picture that can be shown has its end too: a second picture or a film may follow it."""
    if not data[-512:].strip(b"\0"):  # room was made for it, and not filled yet
        return False
    if data.startswith(b"\xff\xd8"):
        return data.endswith(b"\xff\xd9")
    if data.startswith(b"\x89PNG"):
        return data[-8:-4] == b"IEND"
    if data.startswith(b"RIFF"):
        return int.from_bytes(data[4:8], "little") + 8 <= len(data)
    if data[4:8] == b"ftyp":
        at = 0
        while at + 8 <= len(data):
            length = int.from_bytes(data[at : at + 4], "big")
            if length == 1:
                length = int.from_bytes(data[at + 8 : at + 16], "big")
            if length == 0:  # up to the end of the file, wherever that will be
                return False
            at += max(8, length)
        return at == len(data)
    return True
