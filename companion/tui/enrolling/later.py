"""What is not finished is kept in a small file a deck, and offered again."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.tui.counting.draft import folder
from companion.tui.enrolling.desk import Card, Desk, Sheet
from companion.vision.album_folder import write_whole
from companion.vision.sighting import Candidate, Region

VERSION = 1
_MOST = 2000
"""Photos, and cards of a photo, that a file may hold."""


def file_of(deck: str) -> Path:
    """Where the desk of a deck is kept."""
    return folder() / f"enrol-{deck}.json"


def keep(desk: Desk) -> str:
    """Writes the desk, or removes the file where all is done; what went wrong in words, else nothing."""
    try:
        if not any(sheet.waits for sheet in desk.sheets):
            file_of(desk.deck).unlink(missing_ok=True)
        else:
            write_whole(file_of(desk.deck), json.dumps(_raw(desk)))
    except OSError as error:
        return f"what is not finished cannot be kept in {folder()}: {error.strerror or error}"
    return ""


def read(deck: str) -> Desk | None:
    """The desk that waits for a deck; None where there is none that can be gone on with."""
    try:
        raw = json.loads(file_of(deck).read_text("utf-8"))
        desk = _desk(raw)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return desk if desk.deck == deck and desk.open else None


def waiting() -> list[Desk]:
    """Every desk that waits, by the name of its deck."""
    names = sorted(path.stem.removeprefix("enrol-") for path in folder().glob("enrol-*.json"))
    return [desk for name in names if (desk := read(name)) is not None]


def drop(deck: str) -> None:
    """Forgets what waits."""
    with suppress(OSError):
        file_of(deck).unlink()


def _raw(desk: Desk) -> dict[str, Any]:
    """What can be gone on with: photos that were never of use are left out."""
    number, at = desk.at
    left_out = sum(_useless(sheet) for sheet in desk.sheets[:number])
    return {
        "version": VERSION,
        "deck": desk.deck,
        "game": desk.game,
        "at": [number - left_out, at],
        "photos": [
            {
                "path": sheet.path,
                "sha256": sheet.sha256,
                "cards": None if sheet.cards is None else [_raw_card(c) for c in sheet.cards],
            }
            for sheet in desk.sheets
            if not _useless(sheet)
        ],
    }


def _useless(sheet: Sheet) -> bool:
    return bool(sheet.fault) and sheet.cards is None


def _raw_card(card: Card) -> dict[str, Any]:
    return {
        "region": card.region,
        "found": card.found,
        "typed": card.typed,
        "learnt": card.learnt,
        "taught": card.taught,
        "skipped": card.skipped,
        "candidates": [(c.face, c.confidence) for c in card.candidates],
    }


def _desk(raw: Mapping[str, Any]) -> Desk:
    """The desk of a file; raises ValueError, KeyError or TypeError where it is none."""
    if raw["version"] != VERSION or len(raw["photos"]) > _MOST:
        raise ValueError(raw["version"])
    sheets = tuple(
        Sheet(
            _text(photo["path"]),
            _text(photo["sha256"]),
            None if photo["cards"] is None else tuple(map(_card, photo["cards"][:_MOST])),
        )
        for photo in raw["photos"]
    )
    number, at = (int(value) for value in raw["at"])
    desk = Desk(_text(raw["deck"]), _text(raw["game"]), sheets, (max(0, number), max(0, at)))
    return desk if desk.card is not None and desk.card.open else desk.onward(here=True)


def _card(raw: Mapping[str, Any]) -> Card:
    return Card(
        _region(raw["region"]),
        None if raw["found"] is None else _region(raw["found"]),
        _text(raw["typed"]),
        _text(raw["learnt"]),
        None if raw["taught"] is None else _region(raw["taught"]),
        bool(raw["skipped"]),
        tuple(Candidate(_text(face), float(share)) for face, share in raw["candidates"]),
    )


def _region(raw: Any) -> Region:
    a, b, c, d = ((float(x), float(y)) for x, y in raw)
    return a, b, c, d


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise TypeError(raw)
    return raw
