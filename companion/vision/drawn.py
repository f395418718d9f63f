"""The album of a deck that ships: its own drawings, as the print-and-play sheets show them.

Drawing takes seconds, so the pictures are kept in the user's cache folder, named by what they are drawn
from. A cache that is absent, damaged or cannot be written costs only those seconds.
"""

import hashlib
import io
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from card_catalog import faces as drawings
from card_catalog.faces import drawn_decks, faces, picture
from card_catalog.faces.layout import ring_of
from card_catalog.loader import DECKS, shipped_deck
from companion.vision.album import Album, Reference
from companion.vision.album_folder import write_bytes_whole

HEIGHT = 512
_FORMAT = 1
"""Of the cache's files."""
_DRAWN_BY = ("pillow", "resvg-py", "numpy")


def drawn_album(deck_id: str, titled: bool = False) -> Album:
    """References of a shipped deck with drawings, with their titles if so; `KeyError` for another."""
    deck = shipped_deck(deck_id)
    if deck_id not in drawn_decks():
        raise KeyError(f"the deck {deck_id!r} has no drawings")
    names = [face.name for face in faces(deck)]
    path = cache_file(deck_id, titled)
    pictures = _kept(path, names)
    if pictures is None:
        drawn = [
            np.asarray(picture(face, HEIGHT), np.uint8)[..., ::-1] for face in faces(deck, titled)
        ]
        pictures = np.stack(drawn)
        _keep(path, names, pictures)
    references = [
        Reference(name, np.ascontiguousarray(image), "drawn")
        for name, image in zip(names, pictures, strict=True)
    ]
    unknown = [face for face in faces(deck) if face.card.value is None]
    places = {face.name: ring for face in unknown if (ring := ring_of(face.card.kind)) is not None}
    return Album(deck_id, references, rings=places)


def cache_file(deck_id: str, titled: bool = False) -> Path:
    """Where the drawn pictures of a deck are kept."""
    folder = user_cache_path("companion", appauthor=False) / "drawn"
    name = f"{deck_id}-titles" if titled else deck_id
    return folder / f"{name}-{_drawn_from(deck_id)}.npz"


@lru_cache(maxsize=8)
def _drawn_from(deck_id: str) -> str:
    """A digest of everything that the pictures of a deck depend on."""
    folder = Path(drawings.__file__).parent
    sources = [
        DECKS / f"{deck_id}.toml",
        *sorted(folder.glob("*.py")),
        *sorted(folder.glob("*.svg")),
    ]
    digest = hashlib.sha256(f"{_FORMAT} {HEIGHT}".encode())
    for package in _DRAWN_BY:
        digest.update(version(package).encode())
    for path in [*sources, *sorted((folder / deck_id).iterdir())]:
        digest.update(path.name.encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _kept(path: Path, names: list[str]) -> NDArray[np.uint8] | None:
    """The pictures in the cache; None where they are not there or not whole."""
    try:
        with np.load(path, allow_pickle=False) as file:  # the archive checks its own sums
            kept, pictures = file["names"].tolist(), file["pictures"]
    except Exception:  # whatever a damaged archive leads to, the pictures can be drawn again
        return None
    if kept != names or pictures.dtype != np.uint8 or pictures.ndim != 4:
        return None
    fits = pictures.shape[:2] == (len(names), HEIGHT) and pictures.shape[3] == 3
    whole: NDArray[np.uint8] | None = pictures if fits else None
    return whole


def _keep(path: Path, names: list[str], pictures: NDArray[np.uint8]) -> None:
    """Writes the cache, and removes what an older program kept of the same deck."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        archive = io.BytesIO()
        np.savez(archive, names=np.array(names), pictures=pictures)
        write_bytes_whole(path, archive.getvalue())
        deck_id = path.stem.rpartition("-")[0]
        for other in path.parent.glob(f"{deck_id}-{'[0-9a-f]' * 16}.npz"):
            if other != path:
                other.unlink(missing_ok=True)
