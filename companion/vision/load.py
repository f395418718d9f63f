"""A photo's bytes to upright pixels in sRGB, within limits; every failure is put in words.

Understood is what phones, cameras and scanners save: JPEG (MPO too), PNG, HEIC, AVIF, WebP, TIFF, GIF
and BMP; of several pictures in one file, the first. A photo is hostile input: what it claims is checked
before anything is decoded, and whatever a decoder says, only a `Photo` or an `UnusablePhoto` comes out.
"""

import ctypes
import hashlib
import logging
import math
import stat
import struct
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, _imaging
from PIL.AvifImagePlugin import AvifImageFile
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from companion.core.errors import Fault, UnusableInput

# What Pillow remarks on is for programmers. Once, at import: filters are shared by all threads.
warnings.filterwarnings("ignore", module=r"PIL\.")
logging.getLogger("PIL").addHandler(logging.NullHandler())
with suppress(Exception):
    # libtiff writes its complaints to the terminal, past Python; Pillow leaves that as it is. Where the
    # symbol is not to be found (Windows), a damaged TIFF is refused with a line more.
    ctypes.CDLL(_imaging.__file__).TIFFSetErrorHandler(None)

KINDS = "JPEG, PNG, HEIC, AVIF, WebP, TIFF, GIF or BMP"
"""What is understood, in words."""
LARGEST_FILE = 80_000_000
"""Bytes; no more than this is read."""
LARGEST = 120_000_000
"""Pixels that a file may claim; more is refused before it is decoded."""
WORKING = 24_000_000
"""Pixels; a larger photo is reduced to this."""
LARGEST_UNPACKED = 50_000_000
"""The same for WebP and AVIF, whose decoders need 16 bytes a pixel."""
HALVED = 50_000_000
"""Pixels; a larger JPEG is decoded at half its width and height, which needs a quarter of the memory."""
SMALLEST = 200
"""Pixels of the longer side."""
NARROWEST = 64
"""Pixels of the shorter side, after reduction; a card needs about 90."""

_SCANNED = 12_000_000_000
"""Pixels times scans of a progressive JPEG: half a minute at worst; a usual one has ten scans."""
_LONGEST_TAG = 500_000
"""Values in one tag of a TIFF; each becomes an object, so that a small file could fill the memory."""
_LARGEST_PROFILE = 4_000_000
"""Bytes of a colour profile; that of a printer has two million."""
_STRIP = 256
"""Rows that are converted at a time."""
_AGAIN = "copy it again from the camera or phone"
_AS_JPEG = "save it as JPEG or PNG"


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photo as it is worked on; two are equal only if they are the same object."""

    name: str
    """As the user gave it."""
    image: NDArray[np.uint8]
    """Rows, columns, and blue, green, red in sRGB; upright; not writeable."""
    sha256: str
    """Of the file's bytes, hexadecimal."""
    original: tuple[int, int]
    """Width and height in the file, pixels, upright."""
    scale: float
    """Pixels of `image` for one of the file; below 1 where it had to be reduced."""


class UnusablePhoto(UnusableInput):
    """The file is no photo that can be read; the fault says what it is instead and what to do."""

    def __reduce__(self) -> tuple[type[UnusableInput], tuple[tuple[Fault, ...]]]:
        return (UnusablePhoto, (self.faults,))


class _RefusedError(Exception):
    """What was found, and what would be right; the photo's name is added at the door."""

    def __init__(self, found: str, right: str) -> None:
        super().__init__(found)
        self.found, self.right = found, right


@dataclass(frozen=True, slots=True)
class _Raster:
    """Decoded pixels, not yet upright and in the colours of the file."""

    original: tuple[int, int]
    """Width and height in the file, pixels, as stored."""
    size: tuple[int, int]
    """Width and height as decoded."""
    rows: Callable[[int, int], Image.Image]
    """A part of it: from one row to before another."""
    turn: int = 1
    """EXIF orientation, 1 to 8."""
    profile: bytes | None = None
    """ICC."""


def open_photo(path: Path | str, name: str | None = None) -> Photo:
    """The photo in a file; raises `UnusablePhoto`."""
    name = str(path) if name is None else name
    try:
        data = _read(Path(path))
    except _RefusedError as no:
        raise UnusablePhoto([Fault(name, no.found, no.right)]) from None
    return photo_from(data, name)


def photo_from(data: bytes, name: str) -> Photo:
    """The photo in the bytes of a file; raises `UnusablePhoto`."""
    try:
        _check_length(len(data))
        raster = _raster(data)
        image = _pixels(raster)
    except _RefusedError as no:
        raise UnusablePhoto([Fault(name, no.found, no.right)]) from None
    except MemoryError:
        fault = Fault(name, "needs more memory than there is", "save it smaller")
        raise UnusablePhoto([fault]) from None
    except Exception as error:  # decoders raise whatever they like
        raise UnusablePhoto([Fault(name, *_broken(data, error))]) from None
    image.flags.writeable = False
    width, height = raster.original
    if raster.turn >= 5:
        width, height = height, width
    scale = max(image.shape[:2]) / max(width, height)
    return Photo(name, image, hashlib.sha256(data).hexdigest(), (width, height), scale)


def _read(path: Path) -> bytes:
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise _RefusedError("is a folder", "name the photos in it")
        if not stat.S_ISREG(found.st_mode):
            raise _RefusedError("is not a file", f"give a photo: {KINDS}")
        _check_length(found.st_size)
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        if path.is_symlink():
            raise _RefusedError(
                "points to a file that is not there", "name the photo itself"
            ) from None
        raise _RefusedError("there is no such file", _similar(path)) from None
    except PermissionError:
        raise _RefusedError(
            "may not be read by you", "change its permissions, or copy it"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _RefusedError(f"cannot be read: {reason}", "check the name") from None


def _similar(path: Path) -> str:
    from difflib import get_close_matches

    try:
        there = [p.name for _, p in zip(range(2000), path.parent.iterdir(), strict=False)]
    except (OSError, ValueError):
        return "check the folder"
    close = get_close_matches(path.name, there, n=1)
    return f"did you mean {path.parent / close[0]}?" if close else "check the name"


def _check_length(length: int) -> None:
    if length > LARGEST_FILE:
        raise _RefusedError(
            f"is larger than {LARGEST_FILE // 1_000_000} MB", "save it smaller, as JPEG"
        )


def _check_size(size: tuple[int, int], most: int) -> None:
    width, height = size
    if width < 1 or height < 1:
        raise _RefusedError("is damaged: it claims to have no pixels", _AGAIN)
    if width * height > most:
        raise _RefusedError(
            f"has {width * height // 1_000_000} megapixels ({width} x {height}); "
            f"{most // 1_000_000} can be read",
            "save it smaller, or cut it into several photos",
        )
    if max(size) < SMALLEST:
        raise _RefusedError(
            f"is too small: {width} x {height} pixels; a card needs about 90 pixels across",
            "give the photo itself, not its preview",
        )
    reduced = min(1.0, math.sqrt(WORKING / (width * height)))
    if min(size) * reduced < NARROWEST:
        raise _RefusedError(
            f"is too narrow: {width} x {height} pixels; a card needs about 90 pixels across",
            "cut the panorama into several photos",
        )


# What a file is, by its first bytes: names lie.

_PICTURES: tuple[tuple[bytes, type[ImageFile]], ...] = (
    (b"\xff\xd8\xff", JpegImageFile),
    (b"\x89PNG\r\n\x1a\n", PngImageFile),
    (b"GIF87a", GifImageFile),
    (b"GIF89a", GifImageFile),
    (b"II*\0", TiffImageFile),
    (b"MM\0*", TiffImageFile),
    (b"II+\0", TiffImageFile),
    (b"MM\0+", TiffImageFile),
    (b"BM", BmpImageFile),
)
_RAW = ("is a camera's raw file", "export it as JPEG")
_VIDEO = ("is a video", "save a still from it as JPEG")
_SOUND = ("is a sound recording", "give a photo")
_ARCHIVE = ("is an archive", "unpack it and give the photos in it")
_OTHERS: tuple[tuple[bytes, tuple[str, str]], ...] = (
    (b"FUJIFILMCCD-RAW", _RAW),
    (b"IIRO", _RAW),
    (b"IIRS", _RAW),
    (b"IIU\0", _RAW),
    (b"\x1aE\xdf\xa3", _VIDEO),
    (b"FLV\1", _VIDEO),
    (b"\0\0\1\xba", _VIDEO),
    (b"\0\0\1\xb3", _VIDEO),
    (b"0&\xb2u\x8ef\xcf\x11", _VIDEO),
    (b"ID3", _SOUND),
    (b"OggS", _SOUND),
    (b"fLaC", _SOUND),
    (b"PK\3\4", _ARCHIVE),
    (b"Rar!", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (b"\x1f\x8b", _ARCHIVE),
    (b"\0\0\0\x0cjP  ", ("is JPEG 2000, which is not read", _AS_JPEG)),
    (b"\xff\x4f\xff\x51", ("is JPEG 2000, which is not read", _AS_JPEG)),
    (b"\0\0\0\x0cJXL ", ("is JPEG XL, which is not read", _AS_JPEG)),
    (b"\xff\x0a", ("is JPEG XL, which is not read", _AS_JPEG)),
    (b"8BPS", ("is a Photoshop file", "export it as JPEG or PNG")),
    (b"gimp xcf", ("is a GIMP file", "export it as JPEG or PNG")),
    (b"%!PS", ("is PostScript", "export it as JPEG or PNG")),
    (b"\0\0\1\0", ("is an icon", "give a photo")),
    (b"\0\5\x16\7", ("holds no picture, only what a Mac notes about one", 'name the file without "._"')),
)  # fmt: skip
_AVIF = {b"avif", b"avis"}
_HEIC = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs", b"mif1", b"msf1"}


def _plugin(data: bytes) -> type[ImageFile] | None:
    """What decodes it; None for HEIC. Pillow is not asked to guess: it would try forty formats."""
    if not data:
        raise _RefusedError("is empty", _AGAIN)
    if data[4:8] == b"ftyp":
        return _plugin_of_brands(data)
    if data[:4] == b"RIFF":
        if data[8:12] == b"WEBP":
            return WebPImageFile
        raise _RefusedError(*(_SOUND if data[8:12] == b"WAVE" else _VIDEO))
    for start, plugin in _PICTURES:
        if data.startswith(start):
            return plugin
    raise _RefusedError(*_instead(data))


def _plugin_of_brands(data: bytes) -> type[ImageFile] | None:
    length = min(int.from_bytes(data[:4], "big"), 256)
    brands = {data[8:12]} | {data[i : i + 4] for i in range(16, length - 3, 4)}
    if data[8:12] in _AVIF or (data[8:12] not in _HEIC - {b"mif1", b"msf1"} and brands & _AVIF):
        return AvifImageFile
    if brands & _HEIC:
        return None
    raise _RefusedError(*(_RAW if data[8:12] == b"crx " else _VIDEO))


def _instead(data: bytes) -> tuple[str, str]:
    """What a file is that is no picture."""
    for start, words in _OTHERS:
        if data.startswith(start):
            return words
    head = data[:4096]
    if b"%PDF-" in head[:1024]:
        return "is a PDF", "export the page as JPEG or PNG"
    if not head.strip(b"\0"):
        return "holds only zeros: it was not copied to the end", _AGAIN
    try:
        text = head.decode("utf-8", "ignore" if len(data) > len(head) else "strict")
    except UnicodeDecodeError:
        text = ""
    begun = text.lstrip("\ufeff \t\r\n").lower()
    if "<svg" in begun:
        return "is a drawing (SVG)", "export it as PNG"
    if begun.startswith(("<!doctype html", "<html")):
        return "is a web page", "save the picture itself"
    if text and all(c.isprintable() or c in "\t\r\n\f\ufeff" for c in text):
        return "is text", f"give a photo: {KINDS}"
    return "is not a picture of a known kind", f"give a photo: {KINDS}"


def _broken(data: bytes, error: Exception) -> tuple[str, str]:
    """What to say of a file that began like a picture."""
    said = " ".join(str(error).lower().split())
    signs = ("truncat", "end of file", "eof", "end-of-file", "not enough", "too short")
    if isinstance(error, EOFError) or any(s in said for s in signs) or _cut_off(data):
        return "is cut off", _AGAIN
    return "is damaged, or of a kind that is not read", f"{_AGAIN}, or {_AS_JPEG}"


def _cut_off(data: bytes) -> bool:
    """Whether the file is shorter than it says, or does not end as it should."""
    if data.startswith(b"RIFF"):
        return int.from_bytes(data[4:8], "little") + 8 > len(data)
    if data.startswith(b"BM"):
        return int.from_bytes(data[2:6], "little") > len(data)
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[-64:]
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd9" not in data[-65536:]
    if data.startswith((b"II*\0", b"MM\0*")):
        return int.from_bytes(data[4:8], "little" if data[:1] == b"I" else "big") + 2 > len(data)
    if data[4:8] == b"ftyp":
        at = 0
        while at + 8 <= len(data):
            at += max(8, int.from_bytes(data[at : at + 4], "big"))
        return at > len(data)
    return len(data) < 64


# Decoding.


def _raster(data: bytes) -> _Raster:
    plugin = _plugin(data)
    if plugin is None:
        return _heic(data)
    if plugin is TiffImageFile:
        _check_tags(data)
    if plugin is AvifImageFile and not _avif_is_read():
        raise _RefusedError("is an AVIF picture, which this Pillow does not read", _AS_JPEG)
    # The class itself, not Image.open: that warns by the process's own limit, and registers formats
    # while other threads read.
    image = _opened(plugin, data)
    original = image.size
    if isinstance(image, TiffImageFile):
        _check_tiff(image, data)
    several_copies = plugin in (WebPImageFile, AvifImageFile)
    _check_size(original, LARGEST_UNPACKED if several_copies else LARGEST)
    pixels = original[0] * original[1]
    if isinstance(image, JpegImageFile):
        if image.info.get("progressive") and data.count(b"\xff\xda") * pixels > _SCANNED:
            raise _RefusedError("is damaged: it has too many scans", f"{_AGAIN}, or {_AS_JPEG}")
        if pixels > HALVED:
            image.draft(None, (original[0] // 2, original[1] // 2))
    try:
        image.load()
    except Exception:
        if isinstance(image, TiffImageFile) and _strips_end(image) > len(data):
            raise _RefusedError("is cut off", _AGAIN) from None
        raise
    if image.mode in ("I", "F"):
        raise _RefusedError("has 32 bits a colour", "save it with 8 or 16 bits a colour")
    # Pillow turns a TIFF itself while it loads it.
    turn = 1 if isinstance(image, TiffImageFile) else _turn(image)
    profile = image.info.get("icc_profile")
    width = image.size[0]
    return _Raster(
        original,
        image.size,
        lambda top, bottom: image.crop((0, top, width, bottom)),
        turn,
        profile if isinstance(profile, bytes) else None,
    )


def _opened(plugin: type[ImageFile], data: bytes) -> ImageFile:
    try:
        return plugin(BytesIO(data))
    except ValueError:
        # Notes or a profile of megabytes, which Pillow will not unpack; the pixels may be sound.
        if plugin is not PngImageFile:
            raise
        return plugin(BytesIO(_bare_png(data)))


def _bare_png(data: bytes) -> bytes:
    """A PNG without the chunks that are compressed and no pixels."""
    kept, at = [data[:8]], 8
    while at + 8 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] not in (b"zTXt", b"iTXt", b"iCCP"):
            kept.append(data[at:end])
        at = end
    return b"".join(kept)


def _strips_end(image: TiffImageFile) -> int:
    """Where the last strip or tile of a TIFF ends, by what its directory says; bytes."""
    tags = image.tag_v2
    starts, lengths = tags.get(273, tags.get(324, ())), tags.get(279, tags.get(325, ()))
    return max((a + b for a, b in zip(starts, lengths, strict=False)), default=0)


def _avif_is_read() -> bool:
    from PIL import features

    return bool(features.check("avif"))


def _turn(image: Image.Image) -> int:
    try:
        turn = image.getexif().get(0x0112, 1)
    except Exception:  # notes about a photo, however broken, are no reason to refuse it
        return 1
    return turn if isinstance(turn, int) and 1 <= turn <= 8 else 1


def _check_tags(data: bytes) -> None:
    """Refuses a TIFF whose first directory holds a tag of millions of values."""
    order = "<" if data.startswith(b"II") else ">"
    try:
        if struct.unpack_from(order + "H", data, 2)[0] == 43:
            (at,) = struct.unpack_from(order + "Q", data, 8)
            (tags,) = struct.unpack_from(order + "Q", data, at)
            at, layout = at + 8, struct.Struct(order + "HHQ8x")
        else:
            (at,) = struct.unpack_from(order + "L", data, 4)
            (tags,) = struct.unpack_from(order + "H", data, at)
            at, layout = at + 2, struct.Struct(order + "HHL4x")
        for i in range(min(tags, 65535)):
            _, kind, count = layout.unpack_from(data, at + i * layout.size)
            if _LONGEST_TAG < count <= len(data) and kind not in (1, 2, 6, 7):
                raise _RefusedError("is damaged: its directory is too long", _AGAIN)
    except struct.error:
        return  # cut off; Pillow says so


def _check_tiff(image: TiffImageFile, data: bytes) -> None:
    tags = image.tag_v2
    if 0xC612 in tags or data[8:10] == b"CR" or (tags.get(254) == 1 and 330 in tags):
        raise _RefusedError(*_RAW)
    width, height = tags.get(322, 1), tags.get(323, 1)
    if not isinstance(width, int) or not isinstance(height, int) or width * height > LARGEST:
        raise _RefusedError("is damaged: its tiles are too large", _AGAIN)


def _heic(data: bytes) -> _Raster:
    try:
        import pillow_heif
    except (ImportError, OSError):
        raise _RefusedError(
            "is a HEIC picture, for which pillow-heif is missing",
            f"`pip install pillow-heif`, or {_AS_JPEG}",
        ) from None
    # Decoded straight to rows: a Pillow image of it would be a second copy.
    file: Any = pillow_heif.open_heif(BytesIO(data), convert_hdr_to_8bit=True)
    image = file[file.primary_index]
    _check_size(image.size, LARGEST)
    pixels = np.asarray(image)
    width, height = image.size  # it may be another once it is decoded
    _check_size((width, height), LARGEST)
    if pixels.dtype != np.uint8:
        pixels = (pixels >> 8).astype(np.uint8)
    mode = image.mode.split(";")[0]
    mode = {"I": "L"}.get(mode, mode)

    def rows(top: int, bottom: int) -> Image.Image:
        part = np.ascontiguousarray(pixels[top:bottom, :width])
        return Image.frombytes(mode, (width, len(part)), part.tobytes())

    profile = image.info.get("icc_profile")
    # libheif has turned it already; its EXIF would turn it twice.
    return _Raster((width, height), (width, height), rows, 1, profile or None)


# To 8 bits, the working size, sRGB, and upright: strip by strip, so that no second copy is made.


def _pixels(raster: _Raster) -> NDArray[np.uint8]:
    width, height = raster.size
    ratio = math.sqrt(min(1.0, WORKING / (width * height)))
    size = (max(1, int(width * ratio)), max(1, int(height * ratio))) if ratio < 1 else raster.size
    turned = (size[1], size[0]) if raster.turn >= 5 else size
    image = np.empty((turned[1], turned[0], 3), np.uint8)
    lying = _lying(image, raster.turn)
    transform: ImageCms.ImageCmsTransform | None = None
    for top, strip in _strips(raster, size):
        if top == 0:
            transform = _to_srgb(raster.profile, strip.mode)
        coloured = _coloured(strip, transform)
        lying[top : top + strip.size[1]] = np.asarray(coloured)[..., ::-1]
    return image


def _lying(upright: NDArray[np.uint8], turn: int) -> NDArray[np.uint8]:
    """An upright image as a camera stores it: a view, in which the turn is taken back."""
    across = upright.transpose(1, 0, 2)
    return {
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: across,
        6: across[::-1],
        7: across[::-1, ::-1],
        8: across[:, ::-1],
    }.get(turn, upright)


def _strips(raster: _Raster, size: tuple[int, int]) -> Iterator[tuple[int, Image.Image]]:
    """Strips of the image at its working size, from the top, each with its first row."""
    width, height = raster.size
    ratio = height / size[1]
    for top in range(0, size[1], _STRIP):
        bottom = min(top + _STRIP, size[1])
        if size == raster.size:
            yield top, _plain(raster.rows(top, bottom))
            continue
        # The filter looks a little beyond the strip; without the margin there would be seams.
        first = max(0, int((top - 2) * ratio))
        last = min(height, math.ceil((bottom + 2) * ratio))
        box = (0.0, top * ratio - first, float(width), min(bottom * ratio, height) - first)
        part = _plain(raster.rows(first, last))
        yield top, part.resize((size[0], bottom - top), Image.Resampling.HAMMING, box)


def _plain(part: Image.Image) -> Image.Image:
    """The same in 8 bits, without palette and transparency: L, RGB, CMYK or LAB."""
    if part.mode.startswith("I;16"):
        values = np.asarray(part)
        return Image.fromarray((values >> 8).astype(np.uint8))
    if part.mode in ("L", "RGB", "CMYK", "LAB"):
        return part
    if part.mode == "1":
        return part.convert("L")
    if part.mode == "La":
        part = part.convert("LA")
    if "A" in part.mode or "a" in part.mode or part.info.get("transparency") is not None:
        part = part.convert("RGBA")
        white = Image.new("RGBA", part.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, part).convert("RGB")
    return part.convert("RGB")


def _to_srgb(profile: bytes | None, mode: str) -> ImageCms.ImageCmsTransform | None:
    """None where the pixels are sRGB as they are, or the profile is not for them."""
    try:
        if profile and len(profile) <= _LARGEST_PROFILE:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            if mode == "RGB" and "sRGB" in ImageCms.getProfileDescription(source):
                return None
        elif mode == "LAB":
            source = ImageCms.createProfile("LAB")  # type: ignore[assignment]
        else:
            return None
        return ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
    except Exception:  # a broken profile: colours a little off are better than no photo
        return _to_srgb(None, mode) if profile else None


def _coloured(strip: Image.Image, transform: ImageCms.ImageCmsTransform | None) -> Image.Image:
    if transform is not None:
        coloured = ImageCms.applyTransform(strip, transform)
        assert coloured is not None
        return coloured
    return strip if strip.mode == "RGB" else strip.convert("RGB")
