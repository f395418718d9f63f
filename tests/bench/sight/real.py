"""The real photographs that lie beside the project (`../shared/photos`), as suites."""

import csv
from dataclasses import dataclass
from pathlib import Path

from tests.bench.sight.companion_reader import Reference

PHOTOS = Path(__file__).parents[4] / "shared" / "photos"


@dataclass(frozen=True, slots=True)
class RealPhoto:
    """A photo with its truth as a list; `how` is `listed` or `fan`."""

    file: Path
    cards: tuple[str, ...]
    order: str
    how: str = "listed"


@dataclass(frozen=True, slots=True)
class RealSuite:
    """Photos to be read with a deck that is enrolled from references (none: not enrolled)."""

    name: str
    deck: str
    references: tuple[Reference, ...]
    photos: tuple[RealPhoto, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    file: str
    deck: str
    role: str
    photo: RealPhoto

    def reference(self) -> Reference:
        order = {"x-centre": "x", "-": "-"}.get(self.photo.order, "rows")
        return Reference(self.photo.file, self.photo.cards, order)


def _rows() -> list[_Row]:
    found = []
    with (PHOTOS / "manifest.csv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            how = "fan" if line["kind"] == "fan" else "listed"
            photo = RealPhoto(
                PHOTOS / line["file"], tuple(line["truth"].split()), line["order"], how
            )
            if photo.file.exists():
                found.append(_Row(line["file"], line["deck"], line["role"], photo))
    return found


def real_suites() -> list[RealSuite]:
    """All suites for which photos are there; an empty list where the folder is not."""
    if not (PHOTOS / "manifest.csv").is_file():
        return []
    rows = _rows()
    standard = [r for r in rows if r.deck == "standard-52"]
    felt = sorted((r for r in standard if "sergio" in r.file), key=lambda r: r.file)
    first, second = felt[0::2], felt[1::2]
    mixed = [r for r in standard if "sergio" not in r.file and r.photo.how != "fan"]
    fans = [r for r in standard if r.photo.how == "fan"]
    schnapsen = [r for r in rows if r.deck == "schnapsen20"]
    shapes = [r for r in rows if r.deck == "set81_tomwhite"]
    tests = [r for r in shapes if r.role == "test"]
    other = [r for r in tests if "20170106" in r.file]
    same = [r for r in tests if r not in other]
    return [
        _suite("felt enrolled, first to second", "felt", first, second),
        _suite("felt enrolled, second to first", "felt", second, first),
        _suite("felt not enrolled", "standard-52", [], felt),
        _suite("mixed not enrolled", "standard-52", [], mixed),
        _suite("mixed, felt enrolled", "felt", felt, mixed),
        _suite("fans not enrolled", "standard-52", [], fans),
        _suite("schnapsen", "schnapsen", *_split(schnapsen)),
        _suite("set, same light", "set", _split(shapes)[0], same),
        _suite("set, other light", "set", _split(shapes)[0], other),
    ]


def _split(rows: list[_Row]) -> tuple[list[_Row], list[_Row]]:
    return [r for r in rows if r.role == "ref"], [r for r in rows if r.role == "test"]


def _suite(name: str, deck: str, references: list[_Row], photos: list[_Row]) -> RealSuite:
    return RealSuite(
        name,
        deck,
        tuple(r.reference() for r in references),
        tuple(r.photo for r in photos),
    )
