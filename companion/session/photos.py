"""The photos behind a match: which there are, and throwing them away."""

import re
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.intake.photo_shelf import PhotoShelf
from companion.storage.port import Store

UNDER_REVIEW = 3600.0
"""Seconds for which a photo of no match may still be under review, in another program too."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


class MatchPhoto(NamedTuple):
    """A photo that something in a match was seen in."""

    sha256: str
    """Of the original file's bytes, hexadecimal."""
    name: str
    """As the user gave it; empty where nobody noted it."""


def photos_in(provenance: Any) -> list[MatchPhoto]:
    """The photos that one entry was seen in; none for an entry that was typed.

    It may come from another version of this program, so anything in it may be missing or something else.
    """
    if not isinstance(provenance, Mapping):
        return []
    names: dict[str, str] = {}
    photos = provenance.get("photos")
    for sha256, name in photos.items() if isinstance(photos, Mapping) else ():
        if isinstance(sha256, str) and _DIGEST.fullmatch(sha256):
            names[sha256] = name if isinstance(name, str) else ""
    cards = provenance.get("cards")
    for seen in [provenance, *(cards if isinstance(cards, list | tuple) else ())]:
        sha256 = seen.get("photo") if isinstance(seen, Mapping) else None
        if isinstance(sha256, str) and _DIGEST.fullmatch(sha256):
            names.setdefault(sha256, "")
    return [MatchPhoto(sha256, name) for sha256, name in names.items()]


def photos_of(store: Store, match_id: int) -> list[MatchPhoto]:
    """The photos of a match, each once; those of entries that were undone too."""
    names: dict[str, str] = {}
    for entry in store.entries(match_id):
        for sha256, name in photos_in(entry.provenance):
            names[sha256] = names.get(sha256) or name
    return [MatchPhoto(sha256, name) for sha256, name in names.items()]


def throw_away(store: Store, shelf: PhotoShelf, match_id: int) -> int:
    """Removes a match's photos from the shelf unless another match shows them too; how many.

    The match stays as it is. Raises `UnusableInput` where a photo cannot be removed.
    """
    return shelf.remove(only_of(store, [match_id]))


def only_of(store: Store, match_ids: Iterable[int]) -> list[str]:
    """The photos that belong to these matches and to no other."""
    leaving = set(match_ids)
    wanted = [p.sha256 for match_id in leaving for p in photos_of(store, match_id)]
    if not wanted:
        return []
    others = _used(store, leaving)
    return [sha256 for sha256 in dict.fromkeys(wanted) if sha256 not in others]


def unused(store: Store, shelf: PhotoShelf, older: float = UNDER_REVIEW) -> list[str]:
    """The kept photos of no match at all, but for those that came in the last `older` seconds."""
    used = _used(store)
    latest = time.time() - older
    found = []
    for kept in shelf.photos():
        try:
            if kept.sha256 not in used and kept.file.stat().st_mtime <= latest:
                found.append(kept.sha256)
        except FileNotFoundError:  # another program removed it
            continue
    return found


def _used(store: Store, but: Iterable[int] = ()) -> set[str]:
    """The photos of all matches but some."""
    rest = [match.id for match in store.matches() if match.id not in set(but)]
    return {photo.sha256 for match_id in rest for photo in photos_of(store, match_id)}
