"""Composed photographs on the disk, keyed by their seed and by the code that draws them."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from tests.bench.sight import conditions, nocard
from tests.bench.sight.companion_reader import Reference
from tests.bench.sight.compose import Condition, Photo, compose
from tests.bench.sight.decks import SECOND, deck_numbers, deck_pictures

_HERE = Path(__file__).parent
_DRAWN_BY = (
    *("camera", "compose", "conditions", "decks", "items", "motifs", "nocard"),
    *("optics", "second_deck", "sheets", "tables"),
)
_SHEET = 12
"""Cards on a sheet to enrol from."""
_GENERATIONS = 6
"""How many versions of the drawing code keep their photographs."""


@lru_cache(maxsize=4)
def _code(shipped: bool) -> str:
    """Changes with the code, and for shipped decks with their faces."""
    digest = hashlib.sha256()
    files = [_HERE / f"{name}.py" for name in _DRAWN_BY]
    if shipped:
        faces = _HERE.parents[2] / "card_catalog" / "faces"
        files += sorted(p for p in faces.rglob("*") if p.suffix in (".py", ".svg"))
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _path(deck: str, name: str) -> Path:
    root = Path(tempfile.gettempdir()) / "companion-sight"
    folder = root / _code(deck != SECOND)
    if not folder.exists():
        folder.mkdir(parents=True)
        for old in sorted(root.iterdir(), key=lambda p: -p.stat().st_mtime)[_GENERATIONS:]:
            shutil.rmtree(old, ignore_errors=True)
    return folder / name


def _keep(path: Path, photo: Photo) -> None:
    truth = [asdict(card) for card in photo.cards]
    path.with_suffix(".json").write_text(json.dumps(truth), "utf-8")
    path.write_bytes(photo.jpeg)


def composed_file(name: str, deck: str, index: int, salt: str = "") -> Path:
    """A JPEG of a suite, composed if need be; its truth lies beside it as `.json`."""
    path = _path(deck, f"{name}-{deck}-{index}{salt and '-' + salt}.jpg")
    if not path.exists():
        _keep(path, conditions.photo_of(name, deck, index, salt))
    return path


def nothing_file(seed: int, other: str) -> Path:
    """A picture without a card of the deck, as JPEG."""
    path = _path("both", f"nothing-{other}-{seed}.jpg")
    if not path.exists():
        cv2.imwrite(str(path), nocard.no_card_photo(seed, other), [cv2.IMWRITE_JPEG_QUALITY, 88])
    return path


def sheets(deck: str = SECOND) -> list[Reference]:
    """Photos to enrol a deck from: twelve cards in three rows of four, every card in two of them."""
    pictures = deck_pictures(deck, conditions.FACE_HEIGHT)
    names = sorted(pictures)
    condition = Condition(tables=("dark", "wood"), tilt=(0, 5), gap=(0.2, 0.35), turn=2)
    found = []
    for again in range(2):
        order = np.random.default_rng([again, 99]).permutation(len(names))
        for start in range(0, len(names), _SHEET):
            cards = [names[int(k)] for k in order[start : start + _SHEET]]
            path = _path(deck, f"sheet-{deck}-{again}-{start}.jpg")
            if not path.exists():
                rows = [cards[k : k + 4] for k in range(0, len(cards), 4)]
                rng = np.random.default_rng([again, start])
                _keep(path, compose(pictures, rows, condition, rng, deck_numbers(deck)))
            found.append(Reference(path, tuple(cards), "rows"))
    return found


def handheld(deck: str = SECOND) -> list[Reference]:
    """Photos of one card each, held over a table by hand: tilted, turned, some a little blurred."""
    pictures = deck_pictures(deck, conditions.FACE_HEIGHT)
    condition = Condition(
        tables=("dark", "wood", "felt", "cloth"), tilt=(2, 12), turn=4, long_side=1600
    )
    found = []
    for number, name in enumerate(sorted(pictures)):
        path = _path(deck, f"handheld-{deck}-{number}.jpg")
        if not path.exists():
            rng = np.random.default_rng([number, 7])
            _keep(path, compose(pictures, [[name]], condition, rng, deck_numbers(deck)))
        found.append(Reference(path, (name,), "rows"))
    return found


def prepare(wanted: Iterable[tuple[str, str, int]], salt: str = "") -> None:
    """Composes what is not there yet."""
    for name, deck, index in wanted:
        composed_file(name, deck, index, salt)
