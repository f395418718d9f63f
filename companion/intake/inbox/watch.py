"""A watched folder: every new photo in it is told once, when it is whole.

Events of the file system make it quick; looking through the folder every few seconds makes it sure, for
events get lost under load and do not come at all from many network folders.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.intake.inbox.finished import Found, Stamp, looked_into, stamp_from, stamp_of
from companion.intake.inbox.paths import at_home, is_picture, natural

_TICK = 0.2
"""Seconds between looks at files that are being written."""
_POLL, _AGAIN = 1.0, 4.0
"""Seconds between looks through the whole folder: without events, and with them."""
_PATIENCE = 5.0
"""Seconds without a change after which a file that looks unfinished is taken as it is."""
_LONG_PATIENCE = 15.0
"""Seconds without a change after which a file that is no whole photo is told: a copy may falter."""
_COARSE = 50_000_000
"""Nanoseconds by which the clock of a file system may lie behind."""
_FAREWELL = 3.0
"""Seconds that `stop` waits for a photo that is just being looked into."""
_UNFINISHED = re.compile(
    r"[.~]|.*\.(part|partial|crdownload|download|opdownload|filepart|tmp)\.[^.]*$", re.IGNORECASE
)
"""Names that browsers and phones give while they write; a name ending in `.part` is no picture's."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A new photo, whole."""

    path: Path
    sha256: str
    """Of the file's bytes."""


@dataclass(slots=True)
class _Waiting:
    """A file that is not known to be whole yet."""

    stamp: Stamp
    since: float
    """When it was last seen to change; seconds of the monotonic clock."""
    found: Found | None = None
    """What it held, unchanged since."""
    told: bool = False


class FolderWatch:
    """Watches one folder, not the folders in it, from a thread of its own; used once.

    `arrived` is called with each new photo, `told` with what a person should know, once each; both from
    that thread, one at a time. Files that were there before are passed over, unless `existing`; so are
    doubles, by their bytes, of what arrived before and of what is `known`. `settle`: seconds that a file
    has to lie unchanged. `polling`: without events, for network folders.
    """

    def __init__(
        self,
        folder: str | Path,
        arrived: Callable[[Arrival], None],
        told: Callable[[str], None] = lambda text: None,
        *,
        existing: bool = False,
        polling: bool = False,
        settle: float = 0.6,
        known: Iterable[str] = (),
    ) -> None:
        self.folder = Path(at_home(str(folder))).absolute()
        self._arrived, self._told = arrived, told
        self._polling, self._settle = polling, settle
        self._seen = set(known)
        self._passed: dict[str, Stamp] = {}
        """Files that need no second look while they stay as they are."""
        self._waiting: dict[str, _Waiting] = {}
        self._existing = existing
        self._began = 0
        """Nanoseconds of the wall clock."""
        self._trouble = ""
        """What is wrong with the folder, as it was told."""
        self._to_say: list[str] = []
        self._next_look = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="folder-watch", daemon=True)

    @property
    def running(self) -> bool:
        """Whether it watches."""
        return self._thread.is_alive() and not self._stop.is_set()

    def start(self) -> None:
        """Begins to watch. What lies in the folder by now was there before."""
        self._began = time.time_ns() - _COARSE
        self._look_through(first=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends it, at once; nothing is told from then on."""
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_FAREWELL)

    def __enter__(self) -> "FolderWatch":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        for text in self._to_say:
            self._say(text)
        failed = ""
        while not self._stop.is_set():
            self._next_look = 0.0
            try:
                for names in self._events():
                    self._pass(names)
            except Exception as error:  # a watch that ends unseen would be worse than any fault
                if failed != (failed := f"{type(error).__name__}: {error}"):
                    self._say(f"watching {self.folder} failed ({failed})")
            self._stop.wait(_TICK)

    def _events(self) -> Iterator[set[str]]:
        """Names of files that were changed, every short while; ends when the folder is another."""
        here = self._identity()
        if not self._polling and here is not None:
            try:
                for names in self._told_by_system():
                    yield names
                    if self._identity() != here:
                        return
            except Exception:  # too many watches; no events there; a name that is no text
                self._polling = True
            return
        while not self._stop.wait(_TICK):
            yield set()
            if self._identity() != here:
                return

    def _told_by_system(self) -> Iterator[set[str]]:
        from watchfiles import watch

        for changes in watch(
            self.folder,
            watch_filter=None,
            debounce=int(1000 * _TICK),
            stop_event=self._stop,
            rust_timeout=int(1000 * _TICK),
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,
            recursive=False,
            ignore_permission_denied=True,
        ):
            yield {Path(path).name for _, path in changes}

    def _identity(self) -> tuple[int, int] | None:
        """Which folder it is, as the system knows it; None where there is none."""
        try:
            seen = self.folder.stat()
        except (OSError, ValueError):
            return None
        return seen.st_dev, seen.st_ino

    def _pass(self, names: Iterable[str]) -> None:
        """One look: at the files named and those waiting, now and then at all; what is whole is told."""
        if time.monotonic() >= self._next_look:
            self._look_through()
        for name in {*names, *self._waiting}:
            if _is_meant(name):
                self._note(name, stamp_of(self.folder / name))
        now = time.monotonic()
        ready = [n for n, w in self._waiting.items() if now - w.since >= self._settle]
        for name in sorted(ready, key=natural):
            if self._stop.is_set():
                return
            self._try(name, self._waiting[name])

    def _look_through(self, first: bool = False) -> None:
        """Notes every photo in the folder."""
        try:
            with os.scandir(self.folder) as inside:
                entries = [entry for entry in inside if _is_meant(entry.name)]
        except (OSError, ValueError) as error:
            self._next_look = time.monotonic() + _POLL
            self._lost(error)
            return
        came_back, self._trouble = self._trouble, ""
        if came_back:
            self._say(f"the folder {self.folder} is there again")
        stamps = {entry.name: seen for entry in entries if (seen := _stat_of(entry))}
        for name, seen in stamps.items():
            old = first or (came_back and max(seen.st_ctime_ns, seen.st_mtime_ns) < self._began)
            stamp = stamp_from(seen)
            if old and not self._existing and stamp and name not in self._passed:
                self._passed[name] = stamp  # a folder that came back may be a stick with old photos
            if name not in self._waiting:
                self._note(name, stamp)
        for name in [] if came_back else [n for n in self._passed if n not in stamps]:
            del self._passed[name]
        for waiting in self._waiting.values():
            if waiting.found is not None and waiting.found.unread:
                waiting.found = None
        self._next_look = time.monotonic() + (_POLL if self._polling else _AGAIN)

    def _lost(self, error: Exception) -> None:
        """Says, once, that the folder cannot be watched, and that it is waited for."""
        if isinstance(error, FileNotFoundError):
            what = "is not there"
        elif isinstance(error, NotADirectoryError):
            what = "is no folder"
        elif isinstance(error, PermissionError):
            what = "may not be looked into by you"
        else:
            what = f"cannot be looked into: {getattr(error, 'strerror', None) or error}"
        if self._trouble != what:
            self._trouble = what
            self._say(f"the folder {self.folder} {what}; it is waited for")

    def _note(self, name: str, stamp: Stamp | None) -> None:
        """Takes down how a file is now. An empty one holds a name for what is still downloaded."""
        if stamp is None or not stamp.size or self._passed.get(name) == stamp:
            self._waiting.pop(name, None)
        elif (waiting := self._waiting.get(name)) is None or waiting.stamp != stamp:
            self._waiting[name] = _Waiting(stamp, time.monotonic())

    def _try(self, name: str, waiting: _Waiting) -> None:
        """Tells a file that lies unchanged, if it is a whole photo."""
        lay = time.monotonic() - waiting.since
        if waiting.found is None:
            waiting.found = looked_into(self.folder / name, waiting.stamp)
        found = waiting.found
        if found is None:  # changed meanwhile: the next pass notes how
            waiting.since = time.monotonic()
        elif found.wrong:
            if lay >= _LONG_PATIENCE and not waiting.told:
                waiting.told = True
                self._say(f"{name}: {found.wrong}")
        elif found.ended or lay >= _PATIENCE:
            del self._waiting[name]
            self._passed[name] = waiting.stamp
            if found.sha256 not in self._seen:
                self._seen.add(found.sha256)
                self._arrive(Arrival(self.folder / name, found.sha256))

    def _arrive(self, arrival: Arrival) -> None:
        if not self._stop.is_set():
            try:
                self._arrived(arrival)
            except Exception as error:  # the watch goes on, whatever is made of a photo
                self._say(f"{arrival.path.name}: the program failed on it ({error})")

    def _say(self, text: str) -> None:
        if threading.current_thread() is not self._thread:
            self._to_say.append(text)
        elif not self._stop.is_set():
            with suppress(Exception):  # nobody listens any more
                self._told("".join(c if c.isprintable() else "?" for c in text))


def _is_meant(name: str) -> bool:
    return is_picture(name) and _UNFINISHED.match(name) is None


def _stat_of(entry: "os.DirEntry[str]") -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:  # gone meanwhile, or links in a circle
        return None
