"""A review that is not finished, kept in a small file after every change and offered again."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.intake.review import Review
from companion.tui.counting.draft import folder

NAME = "review.json"


def keep(target: str, review: Review, files: Mapping[str, str]) -> str:
    """Writes it, whole or not at all; what went wrong in words, else nothing.

    `target` tells what table it is for, `files` where each photo lies, by sha256.
    """
    from pydantic import TypeAdapter

    told = TypeAdapter(Review).dump_python(review, mode="json")
    text = json.dumps({"target": target, "files": dict(files), "review": told})
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder(), prefix=f".{NAME}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(folder() / NAME)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        return f"the review cannot be kept in {folder()}: {error.strerror or error}"
    return ""


def read(target: str) -> tuple[Review, dict[str, str]] | None:
    """The review that waits for this table, and where its photos lie; None where none does."""
    from pydantic import TypeAdapter

    try:
        raw = json.loads((folder() / NAME).read_text("utf-8"))
        if raw["target"] != target:
            return None
        files = TypeAdapter(dict[str, str]).validate_python(raw["files"])
        return TypeAdapter(Review).validate_python(raw["review"]), files
    except (OSError, ValueError, KeyError, TypeError):
        return None


def drop() -> None:
    """It was finished."""
    with suppress(OSError):
        (folder() / NAME).unlink()
