"""Glyphs of free typefaces as masks: what ranks look like in print. Used in training only.

The fonts are those of Debian's packages named in `MODEL_CARD.md`. Families are split: some are never
trained on, so that decks for measuring can be set in letters the network has not seen.
"""

import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from companion.vision.geometry import Image

FOLDER = Path("/usr/share/fonts")
LETTERS = "A23456789JQK10BVHDR"
"""What a face must have."""
SUITS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_SIZE = 100
_STYLES = 7
"""Most faces of one family."""
_UNFIT = (
    "blankenburg", "train", "ancient", "dseg", "Ovata", "Steelfish", "Mono Thin", "Cardo Italic",
    "karlatamil", "Tengwar", "Ornaments", "Dingbats", "Symbols", "Icons", "Math", "Braille", "Outline",
    "StandardSymbols", "D050000L", "ocr-b", "Bajaderka", "cmuobx", "Cretino", "Key", "signplate",
    "Essays1743-Italic", "SIXTY", "Caliban",
)  # fmt: skip
"""Parts of the paths of faces that no card is set in."""
_GPL = ("/beteckna/", "/dustin/", "/fonts-johnsmith-induni/", "/summersby/")
"""Debian's fonts under the GPL without its exception for fonts: not drawn from, even where installed."""


@dataclass(eq=False)
class Typeface:
    """One face of a family, its glyphs drawn when they are asked for."""

    path: Path
    family: str
    _known: dict[str, Image] = field(default_factory=dict, repr=False)

    def glyph(self, text: str) -> Image:
        """The text as a mask, cut to its ink: 255 inside."""
        if text not in self._known:
            self._known[text] = _inked(ImageFont.truetype(self.path, _SIZE), text)
        return self._known[text]

    def ten(self, gap: float) -> Image:
        """The 10, its figures apart by `gap` of their height (negative: they touch)."""
        one, nought = self.glyph("1"), self.glyph("0")
        high = max(one.shape[0], nought.shape[0])
        apart = round(gap * high)
        wide = one.shape[1] + nought.shape[1] + apart
        both = np.zeros((high, wide), np.uint8)
        both[high - one.shape[0] :, : one.shape[1]] = one
        right = both[high - nought.shape[0] :, wide - nought.shape[1] :]
        np.maximum(right, nought, out=right)
        return both


def typefaces(folder: Path = FOLDER) -> tuple[list[Typeface], list[Typeface]]:
    """The faces to train with, and those held out, in a fixed order."""
    families: dict[str, list[Path]] = {}
    for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
        text = str(path)
        if any(part in text for part in (*_UNFIT, *_GPL)) or _other_script(path):
            continue
        try:
            font = ImageFont.truetype(path, 40)
            name = str(font.getname()[0])
        except OSError:
            continue
        if _has_all(font):
            families.setdefault(name.split(" Condensed", maxsplit=1)[0], []).append(path)
    train: list[Typeface] = []
    held: list[Typeface] = []
    for name, paths in sorted(families.items()):
        order = sorted(paths, key=lambda p: zlib.crc32(p.name.encode()))[:_STYLES]
        group = held if held_out(name) else train
        group += [Typeface(path, name) for path in order]
    return train, held


def held_out(family: str) -> bool:
    """Whether a family is kept from training."""
    return zlib.crc32(family.encode()) % 8 == 0


def printed_suits(faces: list[Typeface]) -> list[dict[str, Image]]:
    """The four suits as masks, of each family that has them."""
    found: dict[bytes, dict[str, Image]] = {}
    for face in faces:
        font = ImageFont.truetype(face.path, _SIZE)
        missing = bytes(font.getmask("\U0010fffe"))
        if any(bytes(font.getmask(sign)) in (missing, b"") for sign in SUITS.values()):
            continue
        masks = {suit: _inked(font, sign) for suit, sign in SUITS.items()}
        filled = all(mask.mean() > 80 for mask in masks.values())  # outlined ones are not printed
        if filled and _broad(masks["S"]) < _broad(masks["C"]):  # one font has the two exchanged
            found.setdefault(masks["S"].tobytes(), masks)
    return list(found.values())


def _broad(mask: Image) -> int:
    """Pixels of ink near the top."""
    return int((mask[mask.shape[0] // 9] > 128).sum() * 100 // mask.shape[1])


def _other_script(path: Path) -> bool:
    """Noto fonts of other scripts, whose Latin is Noto Sans over again."""
    name = path.stem.partition("-")[0]
    return name.startswith("Noto") and name not in (
        "NotoSans", "NotoSerif", "NotoMono", "NotoSansDisplay", "NotoSerifDisplay", "NotoSansMono",
    )  # fmt: skip


def _has_all(font: ImageFont.FreeTypeFont) -> bool:
    missing = bytes(font.getmask("\U0010fffe"))
    seen = [bytes(font.getmask(letter)) for letter in sorted(set(LETTERS))]
    return all(s not in (missing, b"") for s in seen) and len(set(seen)) == len(seen)


def _inked(font: ImageFont.FreeTypeFont, text: str) -> Image:
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    picture = Pictures.new("L", (right - left + 8, bottom - top + 8))
    ImageDraw.Draw(picture).text((4 - left, 4 - top), text, fill=255, font=font)
    mask = np.asarray(picture, np.uint8)
    rows, columns = np.flatnonzero(mask.max(axis=1) > 60), np.flatnonzero(mask.max(axis=0) > 60)
    if len(rows) == 0:
        return np.zeros((4, 4), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
