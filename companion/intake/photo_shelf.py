"""Photos that a household keeps beside its matches: the pictures alone, without where they were taken.

A photo's file is named by the digest of the original, so the log of a match names it by that.
"""

import errno
import hashlib
import os
import re
import tempfile
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.core.errors import Fault, UnusableInput

_NAME = re.compile(r"([0-9a-f]{64})\.(jpg|png|webp)")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KINDS = (".jpg", ".png", ".webp")


class Located(Protocol):
    """A store, as far as it matters here."""

    where: str
    """The file, or the URL without its password."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A photo on the shelf."""

    sha256: str
    """Of the original file's bytes, hexadecimal."""
    file: Path
    """The picture alone; upright it has the original's width and height."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is kept."""

    photos: int = 0
    bytes: int = 0

    def __str__(self) -> str:
        count = "1 photo" if self.photos == 1 else f"{self.photos} photos"
        return f"{count}, {_room(self.bytes)}"


def _room(size: int) -> str:
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= least:
            number = size / least
            return f"{number:.1f} {unit}" if number < 9.95 else f"{number:.0f} {unit}"
    return "1 byte" if size == 1 else f"{size} bytes"


@dataclass(frozen=True, slots=True)
class PhotoShelf:
    """A folder of kept photos; it is made when the first one comes."""

    folder: Path

    def keep(self, photo: str | Path | bytes, name: str = "") -> Kept:
        """Puts a photo on the shelf, where it is not there yet; raises `UnusableInput`.

        `name`: what to call it where something is wrong with it.
        """
        name = name or ("the photo" if isinstance(photo, bytes) else str(photo))
        data = photo if isinstance(photo, bytes) else _read(Path(photo), name)
        sha256 = hashlib.sha256(data).hexdigest()
        if (there := self.open(sha256)) is not None:
            return Kept(sha256, there)
        from companion.vision.album_folder import write_bytes_whole
        from companion.vision.bare import bare

        clean = bare(data, name)
        file = self.folder / f"{sha256}{clean.suffix}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes_whole(file, clean.data)
        except OSError as error:
            raise UnusableInput([Fault(name, *self._unkept(error))]) from None
        return Kept(sha256, file)

    def _unkept(self, error: OSError) -> tuple[str, str]:
        found = f"cannot be kept in {self.folder}: {error.strerror or error}"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return found, "make room: `companion photos tidy` removes those that no match needs"
        return found, "check its permissions, or choose another folder with COMPANION_PHOTOS"

    def open(self, sha256: str) -> Path | None:
        """The file of a kept photo; None where it is not kept."""
        if _DIGEST.fullmatch(sha256) is None:
            return None
        files = (self.folder / f"{sha256}{kind}" for kind in _KINDS)
        return next((file for file in files if _size(file)), None)

    def remove(self, sha256s: Iterable[str]) -> int:
        """Removes photos for good; how many there were. Raises `UnusableInput`."""
        count, faults = 0, []
        for sha256 in dict.fromkeys(sha256s):
            file = self.open(sha256)
            try:
                if file is not None:
                    file.unlink()
                    count += 1
            except FileNotFoundError:  # another program was quicker
                continue
            except OSError as error:
                found = f"cannot be removed: {error.strerror or error}"
                faults.append(Fault(str(file), found, "check its permissions"))
        if faults:
            raise UnusableInput(faults)
        return count

    def photos(self) -> list[Kept]:
        """All of them, by name; what else lies in the folder is none of them."""
        try:
            names = sorted(path.name for path in self.folder.iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            found = f"cannot be looked into: {error.strerror or error}"
            raise UnusableInput([Fault(str(self.folder), found, "check its permissions")]) from None
        matches = [match for name in names if (match := _NAME.fullmatch(name))]
        return [Kept(match[1], self.folder / match[0]) for match in matches]

    def size(self, sha256s: Iterable[str] | None = None) -> Size:
        """How much all photos need, or these."""
        if sha256s is None:
            files = [kept.file for kept in self.photos()]
        else:
            found = map(self.open, dict.fromkeys(sha256s))
            files = [file for file in found if file is not None]
        sizes = [size for file in files if (size := _size(file))]
        return Size(len(sizes), sum(sizes))


def _size(file: Path) -> int:
    """Bytes; 0 where it is gone, or where the power failed while it was written."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _read(path: Path, name: str) -> bytes:
    """The bytes of a photo's file; raises `UnusableInput`."""
    from companion.vision.load import LARGEST_FILE, open_photo

    try:
        if path.is_file() and path.stat().st_size <= LARGEST_FILE:
            return path.read_bytes()
    except (OSError, ValueError):
        pass
    open_photo(path, name)  # says what is wrong with it
    raise UnusableInput([Fault(name, "was changed meanwhile", "try again")])


_IN_MEMORY: "weakref.WeakKeyDictionary[Located, tempfile.TemporaryDirectory[str]]" = (
    weakref.WeakKeyDictionary()
)
"""The folders of stores that are forgotten; each goes with its store."""


def shelf_of(store: Located) -> PhotoShelf:
    """The shelf of a store: `COMPANION_PHOTOS`, or beside its file, named as SQLite names its own.

    One shelf a store, so that tidying one leaves the photos of another alone. That of a store on a server
    lies in the user's data folder; that of a store in memory goes with it.
    """
    if chosen := os.environ.get("COMPANION_PHOTOS"):
        return PhotoShelf(Path(chosen).expanduser().absolute())
    if "://" in store.where:
        from platformdirs import user_data_path

        digest = hashlib.sha256(store.where.encode()).hexdigest()[:12]
        return PhotoShelf(user_data_path("companion", appauthor=False) / f"photos-{digest}")
    if store.where.startswith("memory (") or ":memory:" in store.where:
        folder = _IN_MEMORY.get(store)
        if folder is None:
            folder = _IN_MEMORY[store] = tempfile.TemporaryDirectory(prefix="companion-photos-")
        return PhotoShelf(Path(folder.name))
    file = store.where.removeprefix("file:").partition("?")[0]
    path = Path(file).expanduser().resolve()
    return PhotoShelf(path.with_name(f"{path.name}-photos"))
