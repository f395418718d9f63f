"""Reviews that are not finished: each in a small file, kept after every change and gone on with."""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.intake.review import Review
from companion.tui.counting.draft import folder

MOST = 20
"""Tables for which a review may wait; the oldest give way."""


def _file(target: str) -> Path:
    return folder() / f"review-{hashlib.sha256(target.encode()).hexdigest()[:16]}.json"


def keep(target: str, review: Review, files: Mapping[str, str]) -> str:
    """Writes it, whole or not at all; what went wrong in words, else nothing.

    `target` tells what table it is for, `files` where each photo lies, by sha256.
    """
    from pydantic import TypeAdapter

    told = TypeAdapter(Review).dump_python(review, mode="json")
    text = json.dumps({"target": target, "files": dict(files), "review": told})
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder(), prefix=".review.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(_file(target))
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        return f"the review cannot be kept in {folder()}: {error.strerror or error}"
    _tidy()
    return ""


def _tidy() -> None:
    with suppress(OSError):
        waiting = sorted(folder().glob("review-*.json"), key=lambda p: p.stat().st_mtime)
        for old in waiting[:-MOST]:
            old.unlink(missing_ok=True)


def read(target: str) -> tuple[Review, dict[str, str]] | None:
    """The review that waits for this table, and where its photos lie; None where none does."""
    from pydantic import TypeAdapter

    try:
        raw = json.loads(_file(target).read_text("utf-8"))
        if raw["target"] != target:
            return None
        files = TypeAdapter(dict[str, str]).validate_python(raw["files"])
        return TypeAdapter(Review).validate_python(raw["review"]), files
    except (OSError, ValueError, KeyError, TypeError):
        return None


def drop(target: str) -> None:
    """It was finished."""
    with suppress(OSError):
        _file(target).unlink()
