"""A photo's file without what it tells beside the picture: where it was taken, when, by what, previews.

JPEG, PNG and WebP are written anew from their own parts, so no pixel changes; other kinds, and files whose
parts are not in order, become an upright JPEG. Whatever is written is decoded again and compared.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from PIL.JpegImagePlugin import JpegImageFile

from companion.core.errors import Fault
from companion.vision.geometry import Image
from companion.vision.load import Photo, UnusablePhoto, photo_from

QUALITY = 92
"""Of a JPEG that is made from another kind."""
_CLOSE = 6.0
"""Mean difference of a JPEG from its picture, of 255, from which on something went wrong."""
_WIDEST = 65_500
"""Pixels of a side of a JPEG."""
_PROFILE = 4_000_000
"""Bytes of a colour profile."""

_MARKER = re.compile(rb"\xff+([\x01-\xcf\xd8-\xfe])", re.DOTALL)
"""In coded pixels: the next marker that is no restart and no stuffed byte."""
_CODING = frozenset([*range(0xC0, 0xD0), 0xDB, 0xDC, 0xDD])
"""JPEG segments that belong to the picture: frames, tables, restart interval, number of lines."""
_PNG_KEPT = frozenset(
    [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"cICP"]
)  # fmt: skip
_EXIF, _XMP = 0x08, 0x04
"""Bits in the head of a WebP file which say that these parts follow."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A photo's file with nothing but the picture; upright, it has the original's width and height."""

    data: bytes
    suffix: str
    """`.jpg`, `.png` or `.webp`."""
    sha256: str
    """Of the original file, hexadecimal."""


class _OutOfOrderError(Exception):
    """The parts of a file are not as its kind wants them."""


def bare(data: bytes, name: str) -> Bare:
    """The photo in the bytes of a file, without the rest; raises `UnusablePhoto`."""
    photo = photo_from(data, name)
    for start, suffix, strip in (
        (b"\xff\xd8", ".jpg", _bare_jpeg),
        (b"\x89PNG", ".png", _bare_png),
        (b"RIFF", ".webp", _bare_webp),
    ):
        if data.startswith(start):
            try:
                stripped = strip(data)
            except Exception:  # a file whose parts are not in order can be shown all the same
                break
            if _same(photo, stripped):
                return Bare(stripped, suffix, photo.sha256)
    return Bare(_as_jpeg(photo), ".jpg", photo.sha256)


def _same(photo: Photo, data: bytes) -> bool:
    """Whether another file shows the same pixels."""
    try:
        other = photo_from(data, photo.name)
    except UnusablePhoto:
        return False
    return other.original == photo.original and np.array_equal(other.image, photo.image)


def _as_jpeg(photo: Photo) -> bytes:
    """The upright photo as a JPEG of the original's size; raises `UnusablePhoto`."""
    image: Image = photo.image
    right = "save it smaller, as JPEG"
    if max(photo.original) > _WIDEST:
        found = f"is too wide to be kept: {photo.original[0]} x {photo.original[1]} pixels"
        raise UnusablePhoto([Fault(photo.name, found, right)])
    try:
        if photo.scale != 1.0:  # boxes of cards are told in pixels of the original
            resized = cv2.resize(image, photo.original, interpolation=cv2.INTER_LINEAR)
            image = np.asarray(resized, np.uint8)
        done, coded = cv2.imencode(".jpg", image, [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
        data = coded.tobytes() if done else b""
        again = photo_from(data, photo.name)
    except (MemoryError, cv2.error):
        found = "needs more memory than there is to be kept"
        raise UnusablePhoto([Fault(photo.name, found, right)]) from None
    shapes = again.original == photo.original and again.image.shape == photo.image.shape
    if not shapes or _difference(again.image, photo.image) > _CLOSE:
        raise UnusablePhoto([Fault(photo.name, "cannot be kept as JPEG", "save it as JPEG or PNG")])
    return data


def _difference(one: Image, other: Image) -> float:
    """Mean over patches: noise that a JPEG leaves out is no difference."""
    small = [cv2.resize(image, (64, 64), interpolation=cv2.INTER_AREA) for image in (one, other)]
    return float(np.mean(cv2.absdiff(small[0], small[1])))


# JPEG: a chain of segments, marker, length and content; coded pixels follow some of them.


def _bare_jpeg(data: bytes) -> bytes:
    """The segments of the first picture, up to its end; of its notes only which way is up."""
    turn = JpegImageFile(BytesIO(data)).getexif().get(0x0112, 1)
    kept = [b"\xff\xd8", _jfif(data)]
    if turn in range(2, 9):
        kept.append(_orientation(turn))
    kept += _jpeg_parts(data)
    return b"".join([*kept, b"\xff\xd9"])


def _jpeg_parts(data: bytes) -> Iterator[bytes]:
    at = 2
    while True:
        marker, start = _next_marker(data, at)
        if marker == 0xD9:
            return
        if marker in (0x01, 0xD8) or 0xD0 <= marker <= 0xD7:
            raise _OutOfOrderError
        (length,) = struct.unpack_from(">H", data, start)
        end = start + length
        if length < 2 or end > len(data):
            raise _OutOfOrderError
        content = data[start + 2 : end]
        segment = b"\xff" + bytes([marker]) + data[start:end]
        at = end
        if marker == 0xDA:
            found = _MARKER.search(data, end)
            if found is None:
                raise _OutOfOrderError
            at = found.start()
            yield segment + data[end:at]
        elif marker in _CODING or _tells_colours(marker, content):
            yield segment


def _next_marker(data: bytes, at: int) -> tuple[int, int]:
    """The marker that stands there, and where what follows it begins."""
    if data[at] != 0xFF:
        raise _OutOfOrderError
    while data[at] == 0xFF:
        at += 1
    return data[at], at + 1


def _tells_colours(marker: int, content: bytes) -> bool:
    """Whether the segment says what the numbers of the pixels mean."""
    if marker == 0xE2:
        return content.startswith(b"ICC_PROFILE\0")
    return marker == 0xEE and content.startswith(b"Adobe")


def _jfif(data: bytes) -> bytes:
    """The JFIF head where there is one, without the preview that may be in it: it tells colours too."""
    if data[2:4] != b"\xff\xe0" or data[6:11] != b"JFIF\0":
        return b""
    return b"\xff\xe0\x00\x10JFIF\0" + data[11:13] + b"\0\0\1\0\1\0\0"


def _orientation(turn: int) -> bytes:
    """An EXIF segment that says which way is up, and nothing else."""
    directory = struct.pack(">HHHLHHL", 1, 0x0112, 3, 1, turn, 0, 0)
    content = b"Exif\0\0MM\0*\0\0\0\x08" + directory
    return b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content


# PNG: chunks with their length in front and a checksum behind.


def _bare_png(data: bytes) -> bytes:
    """The chunks of the picture. Where one that goes said which way is up, the pixels will differ."""
    kept, at = [data[:8]], 8
    while True:
        (length,) = struct.unpack_from(">L", data, at)
        kind, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data) or (kind == b"iCCP" and length > _PROFILE):
            raise _OutOfOrderError
        if kind in _PNG_KEPT:
            kept.append(data[at:end])
        if kind == b"IEND":
            return b"".join(kept)
        at = end


# WebP: RIFF chunks of even length.


def _bare_webp(data: bytes) -> bytes:
    """The chunks of a still picture; as with PNG, the pixels show whether something is missing."""
    kept, at, last = [], 12, 8 + int.from_bytes(data[4:8], "little")
    while at + 8 <= min(last, len(data)):
        kind, (length,) = data[at : at + 4], struct.unpack_from("<L", data, at + 4)
        end = at + 8 + length + length % 2
        if at + 8 + length > len(data):
            raise _OutOfOrderError
        if kind == b"VP8X":
            head = data[at + 8] & ~(_EXIF | _XMP)
            kept.append(data[at : at + 8] + bytes([head]) + data[at + 9 : end])
        elif kind in (b"VP8 ", b"VP8L", b"ALPH", b"ICCP"):
            kept.append(data[at:end].ljust(end - at, b"\0"))
        at = end
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<L", len(body)) + body
