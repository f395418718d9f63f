"""Reviews that are not finished: each in a small file, kept after every change and gone on with."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.intake.review import Review
from companion.tui.counting.draft import folder
from companion.vision.album_folder import write_whole

MOST = 20
"""Tables for which a review may wait; the oldest give way."""


def _file(target: str) -> Path:
    return folder() / f"review-{hashlib.sha256(target.encode()).hexdigest()[:16]}.json"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a table."""

    review: Review
    files: dict[str, str]
    """Where each photo lies, by sha256."""
    unread: tuple[tuple[str, str], ...] = ()
    """Photos that were given and not read yet: path, whose."""


def keep(target: str, waiting: Waiting) -> str:
    """Writes it, whole or not at all; what went wrong in words, else nothing.

    `target` tells what table it is for.
    """
    from pydantic import TypeAdapter

    text = json.dumps({"target": target, **TypeAdapter(Waiting).dump_python(waiting)})
    try:
        write_whole(_file(target), text)
    except OSError as error:
        return f"the review cannot be kept in {folder()}: {error.strerror or error}"
    _tidy()
    return ""


def _tidy() -> None:
    with suppress(OSError):
        waiting = sorted(folder().glob("review-*.json"), key=lambda p: p.stat().st_mtime)
        for old in waiting[:-MOST]:
            old.unlink(missing_ok=True)


def read(target: str) -> Waiting | None:
    """What waits for this table; None where nothing does, or what is there is no review."""
    from pydantic import TypeAdapter

    try:
        raw = json.loads(_file(target).read_text("utf-8"))
        if raw.pop("target") != target:
            return None
        waiting = TypeAdapter(Waiting).validate_python(raw)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    many = len(waiting.review.photos)
    lines = waiting.review.lines
    photos = {box.photo for line in lines for _, box in line.boxes()} | {n.photo for n in lines}
    return waiting if all(0 <= photo < many for photo in photos) else None


def drop(target: str) -> None:
    """It was finished."""
    with suppress(OSError):
        _file(target).unlink()
