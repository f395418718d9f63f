"""Photos of every kind and every kind of wreck: a `Photo` or an `UnusablePhoto`, never anything else."""

import io
import os
import pickle
import random
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms
from PIL.JpegImagePlugin import JpegImageFile

from companion.core.errors import UnusableInput
from companion.vision import load
from companion.vision.load import Photo, UnusablePhoto, open_photo, photo_from

# The suite resets the filters that load.py sets at import; test_nothing_is_printed looks at them.
pytestmark = pytest.mark.filterwarnings("ignore:::PIL")

FUZZ = int(os.environ.get("COMPANION_FUZZ", "12"))
"""Damaged files tried of each kind; by hand: COMPANION_FUZZ=2000."""
SEED = int(os.environ.get("COMPANION_FUZZ_SEED", "1"))

Pixels = NDArray[np.uint8]


@cache
def scene(width: int = 320, height: int = 240) -> Image.Image:
    """Smooth, without symmetry, and with a colour in each corner."""
    ys, xs = np.mgrid[0:height, 0:width]
    rgb = np.stack([xs * 200 / width + 30, ys * 180 / height + 40, 0 * xs + 90], -1)
    rgb = rgb.astype(np.uint8)
    h, w = height // 5, width // 5
    rgb[:h, :w] = (220, 30, 30)
    rgb[:h, -w:] = (30, 200, 40)
    rgb[-h:, :w] = (40, 40, 220)
    rgb[-h:, -w:] = (230, 220, 40)
    return Image.fromarray(rgb)


def bgr(image: Image.Image) -> Pixels:
    return np.asarray(image.convert("RGB"))[..., ::-1]


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    if kind == "HEIF":
        pillow_heif.from_pillow(image).save(out, **options)
    else:
        image.save(out, kind, **options)
    return out.getvalue()


def away(photo: Photo, truth: Pixels) -> float:
    """Mean distance of pixels; the shapes are the same."""
    assert photo.image.shape == truth.shape
    return float(np.abs(photo.image.astype(int) - truth.astype(int)).mean())


def words(data: bytes) -> str:
    with pytest.raises(UnusablePhoto) as refused:
        photo_from(data, "x.jpg")
    return str(refused.value)


def wide(image: Image.Image) -> NDArray[np.uint16]:
    """BGR in 16 bits."""
    return bgr(image).astype(np.uint16) * 257


def by_cv2(ending: str, pixels: NDArray[np.uint16] | Pixels) -> bytes:
    done, data = cv2.imencode(ending, pixels)
    assert done
    return data.tobytes()


def frames() -> list[Image.Image]:
    """What follows the first picture; new each time, as Pillow leaves its encoder's settings in them."""
    return [scene().rotate(180), scene().rotate(90)]


SAMPLES: dict[str, Callable[[Image.Image], bytes]] = {
    "jpeg": lambda s: saved(s, "JPEG", quality=92),
    "progressive": lambda s: saved(s, "JPEG", quality=92, progressive=True),
    "mpo": lambda s: saved(s, "MPO", save_all=True, append_images=frames(), quality=92),
    "cmyk jpeg": lambda s: saved(s.convert("CMYK"), "JPEG", quality=92),
    "png": lambda s: saved(s, "PNG"),
    "interlaced": lambda s: interlaced(),
    "png 16": lambda s: by_cv2(".png", wide(s)),
    "png alpha": lambda s: saved(s.convert("RGBA"), "PNG"),
    "png palette": lambda s: saved(s.quantize(64), "PNG"),
    "gif": lambda s: saved(s, "GIF"),
    "gif animated": lambda s: saved(s, "GIF", save_all=True, append_images=frames()),
    "webp": lambda s: saved(s, "WEBP", quality=92),
    "webp lossless": lambda s: saved(s.convert("RGBA"), "WEBP", lossless=True),
    "webp animated": lambda s: saved(s, "WEBP", save_all=True, append_images=frames(), quality=92),
    "tiff": lambda s: saved(s, "TIFF"),
    "tiff lzw": lambda s: saved(s, "TIFF", compression="tiff_lzw"),
    "tiff deflate": lambda s: saved(s, "TIFF", compression="tiff_adobe_deflate"),
    "tiff jpeg": lambda s: saved(s, "TIFF", compression="jpeg", quality=92),
    "tiff 16": lambda s: by_cv2(".tiff", wide(s)),
    "tiff cmyk": lambda s: saved(s.convert("CMYK"), "TIFF"),
    "tiff pages": lambda s: saved(s, "TIFF", save_all=True, append_images=frames()),
    "tiff big": lambda s: saved(s, "TIFF", big_tiff=True),
    "tiff lab": lambda s: saved(lab(s), "TIFF"),
    "bmp": lambda s: saved(s, "BMP"),
    "bmp palette": lambda s: saved(s.quantize(64), "BMP"),
    "heic": lambda s: saved(s, "HEIF", quality=92),
    "heic alpha": lambda s: saved(s.convert("RGBA"), "HEIF", quality=92),
    "avif": lambda s: saved(s, "AVIF", quality=92),
}
"""A small file of each kind that should open."""


@cache
def sample(kind: str) -> bytes:
    """The file of a kind; what it shows is `scene()`."""
    return SAMPLES[kind](scene().copy())


def interlaced() -> bytes:
    """One scan row more than Pillow writes: Adam7, of one grey."""
    rows = b""
    for x, y, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                         (1, 0, 2, 2), (0, 1, 1, 2)):  # fmt: skip
        part = np.asarray(scene())[y::dy, x::dx]
        rows += b"".join(b"\0" + line.tobytes() for line in part)
    return png(320, 240, rows, interlace=1)


def lab(image: Image.Image) -> Image.Image:
    to_lab = ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB"
    )
    done = ImageCms.applyTransform(image, to_lab)
    assert done is not None
    return done


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + kind + body + struct.pack(">L", zlib.crc32(kind + body))


def png(
    width: int, height: int, rows: bytes, extra: bytes = b"", interlace: int = 0, level: int = 6
) -> bytes:
    head = struct.pack(">LLBBBBB", width, height, 8, 2, 0, 0, interlace)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + extra
        + chunk(b"IDAT", zlib.compress(rows, level))
        + chunk(b"IEND", b"")
    )


# What opens.


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_kind_opens(kind: str) -> None:
    photo = photo_from(sample(kind), kind)
    assert photo.original == (320, 240) and photo.scale == 1.0
    assert photo.image.dtype == np.uint8 and photo.image.flags.c_contiguous
    assert not photo.image.flags.writeable
    limit = 9.0 if "gif" in kind or "palette" in kind else 3.0
    assert away(photo, bgr(scene())) < limit


def test_a_photo_of_a_path(tmp_path: Path) -> None:
    path = tmp_path / "Karten üñ\n\u202e.jpg"
    path.write_bytes(sample("jpeg"))
    photo = open_photo(path)
    assert photo.name == str(path)
    assert open_photo(str(path), "mine").name == "mine"
    assert photo.sha256 == photo_from(sample("jpeg"), "").sha256
    assert len(photo.sha256) == 64


def test_a_wrong_ending_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(sample("heic"))
    assert open_photo(path).original == (320, 240)


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_exif_turns(turn: int, kind: str) -> None:
    """The stored picture is the upright one with the turn taken back."""
    back = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = scene().transpose(back[turn]) if turn > 1 else scene()
    exif = Image.Exif()
    exif[0x0112] = turn
    photo = photo_from(saved(stored, kind, exif=exif), "x")
    assert photo.original == (320, 240)
    assert away(photo, bgr(scene())) < 3


@pytest.mark.parametrize("turn", range(1, 9))
def test_heic_turns_once(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    data = saved(scene(), "HEIF", quality=95, exif=exif.tobytes())
    truth = pillow_heif.open_heif(io.BytesIO(data)).to_pillow()
    assert away(photo_from(data, "x"), bgr(truth)) == 0


@pytest.mark.parametrize("turn", [0, 9, 65535])
def test_a_turn_that_does_not_exist_is_none(turn: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    for kind in ("JPEG", "TIFF"):
        assert away(photo_from(saved(scene(), kind, exif=exif), "x"), bgr(scene())) < 3


@pytest.mark.parametrize(
    "exif",
    [
        b"",
        b"nonsense",
        b"II*\0\x08\0\0\0",
        b"II*\0\xff\xff\xff\xff",
        b"II*\0\x08\0\0\0\xff\xff" + b"\x12\x01\3\0\xff\xff\xff\xff\0\0\0\0" * 2000,
        b"MM\0*\0\0\0\x08\0\1\x01\x12\0\5\0\0\0\1\0\0\0\0\0\0\0\x08",
    ],
)
def test_broken_exif_is_no_reason_to_refuse(exif: bytes) -> None:
    body = b"Exif\0\0" + exif
    jpeg = sample("jpeg")
    data = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[20:]
    assert away(photo_from(data, "x"), bgr(scene())) < 3
    rows = b"".join(b"\0" + line.tobytes() for line in np.asarray(scene()))
    assert away(photo_from(png(320, 240, rows, chunk(b"eXIf", exif)), "x"), bgr(scene())) == 0


def test_transparent_is_white() -> None:
    image = scene().convert("RGBA")
    image.putalpha(0)
    for kind in ("PNG", "WEBP", "TIFF", "HEIF", "AVIF"):
        assert photo_from(saved(image, kind), kind).image.min() > 250, kind
    grey = Image.new("LA", (300, 300), (0, 0))
    assert photo_from(saved(grey, "PNG"), "x").image.min() == 255
    listed = scene().quantize(8)
    data = saved(listed, "PNG", transparency=listed.getpixel((0, 0)))
    assert (photo_from(data, "x").image[0, 0] == 255).all()


def test_sixteen_bits_are_scaled() -> None:
    ramp = np.tile(np.linspace(0, 65535, 256).astype(np.uint16), (256, 1))
    for data in (
        by_cv2(".png", ramp),
        by_cv2(".tiff", ramp),
        saved(Image.fromarray(ramp), "TIFF"),
        saved(Image.fromarray(ramp), "TIFF", compression="tiff_lzw"),
        saved(Image.fromarray(ramp.astype(">u2")), "TIFF"),
    ):
        assert np.abs(photo_from(data, "x").image[7, :, 1].astype(int) - np.arange(256)).max() <= 1


def test_heic_of_ten_bits() -> None:
    file = pillow_heif.from_bytes("BGR;16", (320, 240), wide(scene()).tobytes())
    out = io.BytesIO()
    file.save(out, quality=92)
    assert away(photo_from(out.getvalue(), "x"), bgr(scene())) < 3


def test_one_bit_and_grey() -> None:
    bits = scene().convert("1")
    for kind in ("PNG", "TIFF", "BMP"):
        assert away(photo_from(saved(bits, kind), kind), bgr(bits)) == 0
    fax = saved(bits, "TIFF", compression="group4")
    assert away(photo_from(fax, "x"), bgr(bits)) == 0
    grey = scene().convert("L")
    for kind in ("JPEG", "PNG", "TIFF", "HEIF"):
        assert away(photo_from(saved(grey, kind), kind), bgr(grey)) < 2, kind


def swapped_profile() -> bytes:
    """An sRGB profile with red and green exchanged: its effect cannot be overlooked."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, green = data.index(b"rXYZ"), data.index(b"gXYZ")
    data[red : red + 4], data[green : green + 4] = b"gXYZ", b"rXYZ"
    return bytes(data).replace("sRGB".encode("utf-16-be"), "test".encode("utf-16-be"))


def test_colours_become_srgb() -> None:
    for kind in ("JPEG", "PNG", "WEBP", "TIFF", "HEIF", "AVIF"):
        data = saved(scene(), kind, icc_profile=swapped_profile())
        blue, green, red = photo_from(data, kind).image[20, 20].astype(int)
        assert green > red + 100 and green > blue + 100, kind


def test_a_broken_profile_is_ignored() -> None:
    whole = swapped_profile()
    for profile in (
        b"garbage",
        whole[:200],
        whole[:100] + bytes(len(whole) - 100),
        b"x" * 5_000_000,
    ):
        for kind in ("PNG", "WEBP"):
            data = saved(scene(), kind, icc_profile=profile, lossless=True)
            assert away(photo_from(data, "x"), bgr(scene())) == 0
    grey = saved(scene().convert("L"), "PNG", icc_profile=whole)
    assert away(photo_from(grey, "x"), bgr(scene().convert("L"))) == 0


# What is reduced.


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits by a hundredth, so that the files are small."""
    monkeypatch.setattr(load, "LARGEST", 1_200_000)
    monkeypatch.setattr(load, "WORKING", 240_000)
    monkeypatch.setattr(load, "HALVED", 500_000)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "HEIF", "GIF", "CMYK"])
@pytest.mark.parametrize("size", [(700, 500), (500, 700), (1201, 901), (2000, 300)])
def test_a_large_photo_is_reduced(kind: str, size: tuple[int, int]) -> None:
    image = scene(*size)
    data = saved(image.convert("CMYK"), "TIFF") if kind == "CMYK" else saved(image, kind)
    photo = photo_from(data, "x")
    height, width = photo.image.shape[:2]
    assert photo.original == size
    # A JPEG above `HALVED` is decoded by halves, whatever remains.
    least = 120_000 if kind == "JPEG" and size[0] * size[1] > 500_000 else 230_000
    assert least <= width * height <= 240_000
    assert width == pytest.approx(size[0] * photo.scale, abs=1.5)
    assert height == pytest.approx(size[1] * photo.scale, abs=1.5)
    truth = image.resize((width, height), Image.Resampling.HAMMING)
    assert away(photo, bgr(truth)) < (9 if kind == "GIF" else 3)


@pytest.mark.usefixtures("small_limits")
def test_reduction_leaves_no_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(scene(700, 500), "PNG")
    truth = photo_from(data, "x").image
    monkeypatch.setattr(load, "_STRIP", 16)
    assert np.abs(photo_from(data, "x").image.astype(int) - truth).max() <= 1


@pytest.mark.usefixtures("small_limits")
def test_reduced_and_turned() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved(scene(700, 500).transpose(Image.Transpose.ROTATE_90), "JPEG", exif=exif)
    photo = photo_from(data, "x")
    assert photo.original == (700, 500)
    assert photo.scale == pytest.approx((240_000 / 350_000) ** 0.5, abs=0.003)


# What is refused.


@pytest.mark.parametrize(
    ("data", "found", "right"),
    [
        (b"", "is empty", "copy it again"),
        (b"Hello, table", "is text", "JPEG"),
        ("Grüße".encode() * 2000, "is text", "JPEG"),
        (b"%PDF-1.7\n\xe2\xe3", "is a PDF", "export the page"),
        (b"\xff\n\0%PDF-1.7"[2:], "is a PDF", "export the page"),
        (b"<!DOCTYPE html><html><svgx>"[:21], "is a web page", "save the picture"),
        (b'<?xml version="1.0"?>\n<svg xmlns="x"/>', "is a drawing", "export it as PNG"),
        (b"PK\3\4" + b"x" * 99, "is an archive", "unpack"),
        (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2mp41", "is a video", "save a still"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "is a video", "save a still"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", "raw file", "export it as JPEG"),
        (b"RIFF\0\0\0\0AVI LIST", "is a video", "save a still"),
        (b"RIFF\0\0\0\0WAVEfmt ", "is a sound", "give a photo"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000", "save it as JPEG"),
        (b"\0\5\x16\7\0\2\0\0Mac OS X", "what a Mac notes", '"._"'),
        (bytes(5000), "holds only zeros", "copy it again"),
        (bytes(range(255, 0, -1)) * 9, "is not a picture of a known kind", "JPEG"),
        (b"\xff\xd8\xff", "is cut off", "copy it again"),
        (b"\x89PNG\r\n\x1a\n", "is cut off", "copy it again"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 70000, "is cut off", "copy it again"),
    ],
)
def test_what_is_no_photo_is_named(data: bytes, found: str, right: str) -> None:
    said = words(data)
    assert said.startswith("x.jpg: ") and found in said and right in said
    assert "Error" not in said


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_cut_off_file_says_so(kind: str) -> None:
    data = sample(kind)
    for part in (0.3, 0.6, 0.9):
        try:
            photo_from(data[: int(len(data) * part)], "x")
        except UnusablePhoto as refused:
            assert "is cut off; copy it again" in str(refused), part
        else:
            # The first picture, or a directory at the front, may be whole all the same.
            assert kind in ("mpo", "gif animated", "webp animated", "tiff pages"), part


def test_pickled_it_stays_what_it_is() -> None:
    with pytest.raises(UnusableInput) as refused:
        photo_from(b"", "x")
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is UnusablePhoto and again.faults == refused.value.faults


def test_what_is_no_file(tmp_path: Path) -> None:
    def said(path: Path | str) -> str:
        with pytest.raises(UnusablePhoto) as refused:
            open_photo(path)
        return str(refused.value)

    (tmp_path / "table.jpg").write_bytes(b"")
    (tmp_path / "dangling.jpg").symlink_to(tmp_path / "gone.jpg")
    (tmp_path / "loop.jpg").symlink_to(tmp_path / "loop.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    assert "is a folder" in said(tmp_path)
    assert "did you mean" in said(tmp_path / "tabel.jpg")
    assert "no such file" in said(tmp_path / "no" / "where.jpg")
    assert "points to a file that is not there" in said(tmp_path / "dangling.jpg")
    assert "cannot be read" in said(tmp_path / "loop.jpg")
    assert "is not a file" in said(tmp_path / "pipe.jpg")
    assert "is not a file" in said("/dev/zero")
    assert "cannot be read" in said("a\0b.jpg")
    assert "cannot be read" in said("x" * 5000)
    assert "no such file" in said("\udcff\x1b[31m.jpg")
    assert "\x1b" not in said("\udcff\x1b[31m.jpg")


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jpg"
    path.write_bytes(sample("jpeg"))

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root may read everything
    with pytest.raises(UnusablePhoto, match="may not be read by you"):
        open_photo(path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jpg"
    with path.open("wb") as file:
        file.truncate(50_000_000_000)
    with pytest.raises(UnusablePhoto, match="larger than 80 MB"):
        open_photo(path)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ((199, 150), "is too small: 199 x 150"),
        ((150, 199), "is too small"),
        ((1, 1), "is too small"),
        ((800, 63), "is too narrow: 800 x 63"),
    ],
)
def test_too_small(size: tuple[int, int], found: str) -> None:
    assert found in words(saved(Image.new("RGB", size), "PNG"))


def test_a_row_of_cards_is_not_too_narrow() -> None:
    assert photo_from(saved(scene(1600, 90), "JPEG"), "x").image.shape == (90, 1600, 3)


def test_bombs_are_refused_unopened() -> None:
    """A small file that claims billions of pixels; what it claims decides, before anything is decoded."""
    start = time.perf_counter()
    rows = bytes(3_000_000)
    for width, height in ((40000, 40000), (2**31 - 1, 2**31 - 1), (120001, 1000)):
        said = words(png(width, height, rows))
        assert "megapixels" in said and "cut it into several" in said
    assert "is damaged" in words(png(0, 500, b""))
    webp = bytearray(sample("webp lossless"))
    webp[21:25] = struct.pack("<L", 9999 | 9999 << 14)
    assert "100 megapixels (10000 x 10000); 50 can be read" in words(bytes(webp))
    jpeg = bytearray(sample("jpeg"))
    frame = jpeg.index(b"\xff\xc0")
    jpeg[frame + 5 : frame + 9] = b"\xff\xff\xff\xff"
    assert "4294 megapixels (65535 x 65535)" in words(bytes(jpeg))
    gif = bytearray(sample("gif"))
    gif[6:10] = b"\xff\xff\xff\xff"
    assert "megapixels" in words(bytes(gif))
    bmp = bytearray(sample("bmp"))
    bmp[18:26] = struct.pack("<LL", 100000, 100000)
    assert "megapixels" in words(bytes(bmp))
    tiff = bytearray(sample("tiff"))
    for tag in (256, 257):
        at = tiff.index(struct.pack("<HHL", tag, 4, 1)) + 8
        tiff[at : at + 4] = struct.pack("<L", 60000)
    assert "megapixels" in words(bytes(tiff))
    assert time.perf_counter() - start < 2


def test_text_in_a_png_is_no_way_in() -> None:
    """What unpacks to megabytes beside the pixels stays packed; the photo is read all the same."""
    rows = b"".join(b"\0" + line.tobytes() for line in np.asarray(scene()))
    packed = zlib.compress(bytes(80_000_000))
    for bomb in (
        chunk(b"zTXt", b"k\0\0" + packed),
        chunk(b"iTXt", b"k\0\1\0\0\0" + packed),
        chunk(b"iCCP", b"k\0\0" + packed),
    ):
        assert away(photo_from(png(320, 240, rows, bomb), "x"), bgr(scene())) == 0


def test_a_tiff_of_a_million_strips() -> None:
    tags = struct.pack("<HHLL", 273, 4, 2_000_000, 26)
    data = b"II*\0\x08\0\0\0\1\0" + tags + bytes(4) + bytes(8_000_000)
    assert "directory is too long" in words(data)


def test_a_tiff_that_goes_round_in_circles() -> None:
    data = bytearray(sample("tiff"))
    at = struct.unpack_from("<L", data, 4)[0]
    count = struct.unpack_from("<H", data, at)[0]
    data[at + 2 + 12 * count : at + 6 + 12 * count] = struct.pack("<L", at)
    assert away(photo_from(bytes(data), "x"), bgr(scene())) == 0


def test_a_raw_file_is_not_its_preview() -> None:
    for tags in ({50706: b"\1\4\0\0"}, {254: 1, 330: 8}):
        assert "raw file" in words(saved(scene(), "TIFF", tiffinfo=tags))


def test_a_jpeg_of_a_thousand_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_SCANNED", 320 * 240 * 5)
    assert "too many scans" in words(sample("progressive"))


def test_samples_of_32_bits_are_refused() -> None:
    image = Image.fromarray(np.ones((300, 300), np.float32))
    assert "32 bits a colour" in words(saved(image, "TIFF"))


def test_without_pillow_heif(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    assert "`pip install pillow-heif`" in words(sample("heic"))


@pytest.mark.parametrize(
    "error", [MemoryError(), RecursionError(), OverflowError(), zlib.error("x")]
)
def test_whatever_a_decoder_raises(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr(JpegImageFile, "load", fail)
    said = words(sample("jpeg"))
    assert "more memory" in said if isinstance(error, MemoryError) else "is damaged" in said


# Hostile files.


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A file with some bytes changed, most often near the front, or cut, doubled or padded."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        reach = len(out) if chance.random() < 0.4 else min(len(out), 600)
        at = chance.randrange(reach)
        how = chance.randrange(6)
        if how == 0:
            out[at] ^= 1 << chance.randrange(8)
        elif how == 1:
            out[at] = chance.choice((0, 1, 127, 128, 255))
        elif how == 2:
            out[at : at + 4] = chance.choice(
                (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f")
            )
        elif how == 3:
            out[at] = chance.randrange(256)
        elif how == 4:
            del out[at : at + chance.randrange(1, 30)]
        else:
            out[at:at] = out[at : at + chance.randrange(1, 60)]
        if len(out) < 16:
            break
    if chance.random() < 0.15:
        del out[chance.randrange(len(out)) :]
    return bytes(out)


@pytest.mark.parametrize("kind", SAMPLES)
def test_damaged_files(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(f"{SEED} {kind}")
    for i in range(FUZZ):
        data = damaged(sample(kind), chance)
        start = time.perf_counter()
        try:
            photo = photo_from(data, "x")
        except UnusablePhoto as refused:
            assert len(refused.faults) == 1 and refused.faults[0].right, i
        else:
            assert photo.image.ndim == 3 and photo.image.shape[2] == 3, i
            assert photo.image.shape[0] * photo.image.shape[1] <= load.WORKING, i
        assert time.perf_counter() - start < 20, i
    assert capfd.readouterr() == ("", "")


def test_in_threads() -> None:
    def one(kind: str) -> str:
        photo = photo_from(sample(kind), kind)
        return f"{photo.name} {zlib.crc32(photo.image.tobytes())}"

    kinds = list(SAMPLES) * 3
    alone = [one(kind) for kind in SAMPLES] * 3
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, kinds)) == alone


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )


def test_nothing_is_printed(tmp_path: Path) -> None:
    """Neither warnings nor what libraries in C have to say reach the terminal."""
    exif = b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + b"\x0f\x01\2\0\xff\xff\0\0\0\0\0\7" * 9
    jpeg = sample("jpeg")
    noisy = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[20:]
    (tmp_path / "exif.jpg").write_bytes(noisy)
    (tmp_path / "large.png").write_bytes(png(10000, 10000, b"\0", level=1))
    lzw = bytearray(sample("tiff lzw"))
    lzw[60:3000] = b"\xaa" * 2940
    (tmp_path / "lzw.tiff").write_bytes(lzw)
    (tmp_path / "cut.tiff").write_bytes(sample("tiff deflate")[:-400])
    code = (
        "import sys\nfrom companion.vision.load import UnusablePhoto, open_photo\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        open_photo(name)\n"
        "    except UnusablePhoto as e:\n        print(e)\n"
    )
    done = run(code, *map(str, sorted(tmp_path.iterdir())))
    assert done.stderr == ""
    assert "Traceback" not in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_memory_of_a_panorama(tmp_path: Path) -> None:
    """100 megapixels, 20000 x 5000, in less than 400 MB at the peak."""
    path = tmp_path / "panorama.jpg"
    scene(2000, 500).resize((20000, 5000), Image.Resampling.NEAREST).save(path, quality=85)
    code = (
        "import re, sys\nfrom companion.vision.load import open_photo\n"
        "photo = open_photo(sys.argv[1])\n"
        # Not getrusage: that counts what the test itself held before the process was started.
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]\n"
        "print(*photo.image.shape[:2], photo.scale, peak)"
    )
    height, width, scale, peak = map(float, run(code, str(path)).stdout.split())
    assert height * width <= load.WORKING and scale == pytest.approx(0.49, abs=0.005)
    assert peak < 400_000
