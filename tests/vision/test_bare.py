"""A photo's file without what it tells beside the picture; the picture stays as it is."""

import hashlib
import os
import random
import struct
import zlib
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import pillow_heif
import pytest
from PIL import ExifTags, Image, ImageCms
from PIL.PngImagePlugin import PngInfo
from PIL.TiffImagePlugin import IFDRational

from companion.vision import bare as module
from companion.vision.bare import Bare, bare
from companion.vision.load import UnusablePhoto, photo_from

pytestmark = pytest.mark.filterwarnings("ignore:::PIL")

SECRET = "Ana-at-52.5200-13.4050"
"""Stands wherever a file has room for a note; it must be nowhere afterwards."""
FUZZ = int(os.environ.get("COMPANION_FUZZ", "40"))


def scene(width: int = 333, height: int = 241, mode: str = "RGB") -> Image.Image:
    """Not symmetrical, so that every turn shows."""
    blocks = np.random.default_rng(1).integers(0, 255, (12, 16, 3)).astype(np.uint8)
    return Image.fromarray(blocks).resize((width, height), Image.Resampling.BICUBIC).convert(mode)


def notes(turn: int = 1) -> Image.Exif:
    """EXIF as phones write it: place, maker's note, whose it is."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = turn
    exif[ExifTags.Base.Artist] = SECRET
    exif[ExifTags.Base.ImageDescription] = SECRET
    ifd = exif.get_ifd(ExifTags.IFD.Exif)
    ifd[ExifTags.Base.MakerNote] = SECRET.encode()
    ifd[ExifTags.Base.UserComment] = SECRET.encode()
    gps = exif.get_ifd(ExifTags.IFD.GPSInfo)
    gps[ExifTags.GPS.GPSLatitude] = (IFDRational(52), IFDRational(31), IFDRational(12))
    gps[ExifTags.GPS.GPSProcessingMethod] = SECRET.encode()
    return exif


def xmp() -> bytes:
    return f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>{SECRET}</a></x:xmpmeta>'.encode()


def saved(image: Image.Image, kind: str, **how: Any) -> bytes:
    file = BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


def segment(marker: int, content: bytes) -> bytes:
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2) + content


def jpeg(turn: int = 1, mode: str = "RGB", **how: Any) -> bytes:
    """A JPEG that tells much, with a second picture and a film behind it."""
    image = scene(mode=mode)
    data = saved(image, "JPEG", quality=90, exif=notes(turn), xmp=xmp(), comment=SECRET, **how)
    preview = saved(image.convert("RGB").resize((80, 60)), "JPEG", comment=SECRET)
    # behind the first segment, so that a JFIF head stays in front
    at = 4 + struct.unpack_from(">H", data, 4)[0]
    more = segment(0xED, b"Photoshop 3.0\0" + SECRET.encode())
    more += segment(0xE2, b"MPF\0" + SECRET.encode()) + segment(0xE5, preview)
    return data[:at] + more + data[at:] + preview + SECRET.encode() * 10


def checked(data: bytes, lossless: bool = True) -> Bare:
    """What is left of a file, checked against what must hold of every file."""
    before = photo_from(data, "photo")
    left = bare(data, "photo")
    after = photo_from(left.data, "kept")
    assert left.sha256 == hashlib.sha256(data).hexdigest() == before.sha256
    assert after.original == before.original
    assert SECRET.encode() not in left.data
    if lossless:
        assert np.array_equal(after.image, before.image)
    else:
        assert float(cv2.absdiff(after.image, before.image).mean()) < 5
    image = Image.open(BytesIO(left.data))
    image.load()
    assert set(image.getexif()) <= {ExifTags.Base.Orientation}
    assert not {"comment", "xmp", "photoshop", "mp", "XML:com.adobe.xmp"} & set(image.info)
    assert not getattr(image, "text", {})
    return left


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_jpeg_is_shown_as_before_and_tells_nothing(turn: int) -> None:
    data = jpeg(turn)
    assert SECRET.encode() in data
    left = checked(data)
    assert left.suffix == ".jpg"
    assert left.data.endswith(b"\xff\xd9")
    again = Image.open(BytesIO(left.data))
    assert again.size == (333, 241), "the pixels lie as the camera wrote them"
    assert again.getexif().get(ExifTags.Base.Orientation, 1) == turn


@pytest.mark.parametrize(
    ("mode", "how"),
    [
        ("RGB", {"progressive": True}),
        ("RGB", {"subsampling": 0, "optimize": True}),
        ("RGB", {"restart_marker_blocks": 3}),
        ("L", {}),
        ("CMYK", {}),
        ("RGB", {"icc_profile": "srgb"}),
        ("RGB", {"keep_rgb": True}),
    ],
)
def test_jpegs_of_every_make_keep_their_pixels(mode: str, how: dict[str, Any]) -> None:
    if "icc_profile" in how:
        how = {"icc_profile": _linear_profile()}
    data = jpeg(6, mode, **how)
    left = checked(data)
    if how.get("progressive"):
        assert Image.open(BytesIO(left.data)).info.get("progressive")
    if "icc_profile" in how:
        assert Image.open(BytesIO(left.data)).info["icc_profile"] == how["icc_profile"]


def _linear_profile() -> bytes:
    """A profile that is not sRGB, so that losing it would change the colours."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    count = struct.unpack_from(">L", profile, 128)[0]
    for i in range(count):
        tag, at = struct.unpack_from(">4sL", profile, 132 + 12 * i)
        if tag == b"desc":
            profile[at : at + 60] = profile[at : at + 60].replace(b"\0s\0R\0G\0B", b"\0m\0i\0n\0e")
        if tag == b"rXYZ":  # swap red with blue
            other = next(
                struct.unpack_from(">4sL", profile, 132 + 12 * j)[1]
                for j in range(count)
                if profile[132 + 12 * j : 136 + 12 * j] == b"bXYZ"
            )
            red, blue = profile[at : at + 20], profile[other : other + 20]
            profile[at : at + 20], profile[other : other + 20] = blue, red
    return bytes(profile)


def test_a_preview_in_the_jfif_head_goes() -> None:
    plain = saved(scene(), "JPEG")
    assert plain[6:11] == b"JFIF\0"
    pixels = (SECRET.encode() * 20)[: 3 * 12 * 10]
    head = segment(0xE0, plain[6:18] + bytes([12, 10]) + pixels)
    checked(plain[:2] + head + plain[20:])


def test_fill_bytes_between_segments() -> None:
    plain = saved(scene(), "JPEG")
    checked(plain[:2] + b"\xff\xff\xff" + plain[2:])


def test_a_jpeg_without_its_end() -> None:
    data = saved(scene(), "JPEG")[:-2]
    try:
        photo_from(data, "photo")
    except UnusablePhoto:
        with pytest.raises(UnusablePhoto):
            bare(data, "photo")
    else:
        checked(data, lossless=False)


def test_png() -> None:
    info = PngInfo()
    info.add_text("Comment", SECRET)
    info.add_text("Zipped", SECRET, zip=True)
    info.add_itxt("XML:com.adobe.xmp", xmp().decode())
    for mode in ("RGB", "RGBA", "P", "L", "1"):
        data = saved(scene(mode=mode), "PNG", pnginfo=info, exif=notes()) + SECRET.encode()
        assert checked(data).suffix == ".png"
    checked(saved(scene(mode="RGB"), "PNG", icc_profile=_linear_profile(), pnginfo=info))
    deep = cv2.imencode(".png", np.full((240, 320), 40_000, np.uint16))[1].tobytes()
    assert checked(deep).suffix == ".png"


def test_a_png_that_says_which_way_is_up() -> None:
    left = checked(saved(scene(), "PNG", exif=notes(6)), lossless=False)
    assert left.suffix == ".jpg"
    assert Image.open(BytesIO(left.data)).size == (241, 333)


def test_webp() -> None:
    for how in ({"lossless": True}, {"quality": 80}):
        data = saved(scene(), "WEBP", exif=notes(), xmp=xmp(), icc_profile=_linear_profile(), **how)
        assert checked(data + SECRET.encode()).suffix == ".webp"
        assert checked(saved(scene(), "WEBP", **how)).suffix == ".webp"
    turned = saved(scene(), "WEBP", exif=notes(3), lossless=True)
    assert checked(turned, lossless=False).suffix == ".jpg"
    film = saved(scene(), "WEBP", save_all=True, append_images=[scene().rotate(180)], exif=notes())
    assert checked(film, lossless=False).suffix == ".jpg"


def test_other_kinds_become_an_upright_jpeg() -> None:
    file = BytesIO()
    heif = pillow_heif.from_pillow(scene())
    heif.save(file, exif=notes(6).tobytes(), xmp=xmp(), quality=90)
    for data in (
        file.getvalue(),
        saved(scene(), "TIFF", tiffinfo={270: SECRET}),
        saved(scene(mode="L"), "GIF", comment=SECRET.encode()),
        saved(scene(), "BMP") + SECRET.encode(),
        saved(scene(), "AVIF", exif=notes()),
    ):
        assert checked(data, lossless=False).suffix == ".jpg"


def test_a_photo_that_is_worked_on_smaller_is_kept_at_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Boxes of cards are told in pixels of the original."""
    monkeypatch.setattr("companion.vision.load.WORKING", 100 * 100)
    data = saved(scene(400, 300), "TIFF")
    assert photo_from(data, "x").scale < 1
    left = bare(data, "x")
    assert Image.open(BytesIO(left.data)).size == (400, 300)


def test_wreckage_is_kept_right_or_refused_in_words() -> None:
    """Files with bytes changed, cut or doubled: what is kept shows what the file showed."""
    dice = random.Random(7)
    originals = [jpeg(6), jpeg(1, progressive=True), saved(scene(), "PNG", exif=notes())]
    originals.append(saved(scene(), "WEBP", exif=notes(), xmp=xmp()))
    kept = 0
    for data in originals:
        for _ in range(FUZZ):
            broken = bytearray(data)
            for _ in range(dice.randint(1, 4)):
                at = dice.randrange(min(len(broken), dice.choice([60, 2000, len(broken)])))
                if dice.random() < 0.5:
                    broken[at] = dice.choice([0, 0xFF, 0xD9, dice.randrange(256)])
                elif dice.random() < 0.5:
                    del broken[at : at + dice.randint(1, 30)]
                else:
                    broken[at:at] = broken[at : at + dice.randint(1, 30)]
            try:
                before = photo_from(bytes(broken), "x")
            except UnusablePhoto:
                with pytest.raises(UnusablePhoto):
                    bare(bytes(broken), "x")
                continue
            left = bare(bytes(broken), "x")
            after = photo_from(left.data, "x")
            assert after.original == before.original
            assert module._difference(after.image, before.image) < 6
            kept += 1
    assert kept > FUZZ / 2


def test_a_png_of_chunks_that_never_end() -> None:
    plain = saved(scene(), "PNG")
    bomb = struct.pack(">L", 0) + b"teXt" + struct.pack(">L", zlib.crc32(b"teXt"))
    checked(plain[:-12] + bomb * 2000 + plain[-12:])
