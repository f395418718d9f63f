"""One picture from a camera or a stream: taken when the exposure has settled, the sharpest of a burst.

A camera that was just opened gives dark, green or stale frames at first, so frames are dropped until their
brightness keeps still. A stream that has died must not hold anybody up: whatever the library does, `snap`
returns or raises in time.
"""

import os
import queue
import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import Fault, UnusableInput
from companion.vision.geometry import Image, as_image
from companion.vision.unreachable import ADDRESSES, shown_address, why_unreachable

# The decoder writes to the terminal, past Python; it reads this when it is first used.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

_FRESH, _STEADY, _CHANGE = 5, 5, 2.0
"""Frames dropped at least; frames in a row that are equally bright; how far they may differ, of 255."""
_MOST_DROPPED = 90
"""Frames, some three seconds; a light that flickers never settles."""
_WANTED = (1920, 1080)
"""Pixels that a camera is asked for: most give 640 x 480 unless they are."""
_SMALLEST = 200
"""Pixels of the longer side."""
_BLACK, _FLAT = 6.0, 1.5
"""Mean, and spread of the colours, of 255, up to which a picture shows nothing."""
_SHARES = (0.7, 0.35)
"""Of the time, for opening a stream and for one frame: some is left to use what came, or to say what is wrong."""
_GRACE = 2.0
"""Seconds for saying what is wrong once the time is over."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A picture that was taken."""

    image: Image = field(repr=False)
    """BGR, not writeable."""
    source: str
    """The camera for people: without a password."""
    frames: int
    """Read until it was taken."""

    def png(self) -> bytes:
        """As a PNG file."""
        return _encoded(self.image, ".png", [])

    def jpeg(self, quality: int = 95) -> bytes:
        """As a JPEG file."""
        return _encoded(self.image, ".jpg", [int(cv2.IMWRITE_JPEG_QUALITY), quality])


def snap(source: int | str, *, seconds: float = 15.0, burst: int = 7) -> Snapshot:
    """A picture from a camera's number, an address, or a video file; raises `UnusableInput`.

    It takes `seconds` at most, and a little; `burst` frames are compared once the exposure has settled.
    """
    name, opened = shown(source), _source(source)
    deadline = time.monotonic() + seconds
    answer: queue.SimpleQueue[Snapshot | Exception] = queue.SimpleQueue()

    def work() -> None:
        try:
            answer.put(_taken(opened, name, deadline, burst))
        except Exception as error:
            answer.put(error)

    # A thread of its own, left behind where the driver never returns.
    threading.Thread(target=work, name="camera", daemon=True).start()
    try:
        found = answer.get(timeout=seconds + _GRACE)
    except queue.Empty:
        raise _trouble(name, f"does not answer within {seconds:g} seconds", _CHECK) from None
    if isinstance(found, UnusableInput | Snapshot):
        return _given(found)
    said = f"cannot be used ({type(found).__name__}: {_first_line(found)})"
    raise _trouble(name, said, _CHECK) from None


def shown(source: int | str) -> str:
    """A source for people: an address without what may be a secret."""
    text = str(source).strip()
    if text.isdecimal():
        return f"camera {int(text)}"
    return shown_address(text)


_CHECK = "check that it is on and that no other program uses it"
_MANY = "a camera's number (0 is the first), an address (http://, rtsp://), or a video file"


def _given(found: UnusableInput | Snapshot) -> Snapshot:
    if isinstance(found, UnusableInput):
        raise found
    return found


def _trouble(name: str, found: str, right: str) -> UnusableInput:
    return UnusableInput([Fault(name, found, right)])


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0]


def _source(source: int | str) -> int | str:
    """What the library is to open; raises `UnusableInput` for what can be none."""
    text = str(source).strip()
    if re.fullmatch(r"[0-9]{1,3}", text):
        return int(text)
    if ADDRESSES.match(text):
        return text
    if "://" in text:
        kind = text.partition("://")[0][:20]
        raise _trouble(shown(text), f"is an address of a kind that is not read ({kind})", _MANY)
    try:
        there = Path(text).exists() or ("%" in text and Path(text).parent.is_dir())
    except (OSError, ValueError):
        there = False
    if not text or not there or Path(text).is_dir():
        what = "is a folder" if text and there else "is no camera, and no such file is there"
        raise _trouble(text or "the camera", what, f"give {_MANY}")
    return text


def _taken(source: int | str, name: str, deadline: float, burst: int) -> Snapshot:
    """Opens the source, lets it settle, takes the sharpest frame; raises `UnusableInput`."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    capture = cv2.VideoCapture()
    try:
        if not _open(capture, source, deadline):
            raise _trouble(name, *_why_closed(source, deadline))
        last, count = _burst(_frames(capture, deadline), burst, deadline)
    finally:
        capture.release()
        cv2.utils.logging.setLogLevel(level)
    if not last:
        found = "opens, but sends no picture"
        if isinstance(source, str) and not ADDRESSES.match(source):
            raise _trouble(name, "holds no picture that can be read", f"give {_MANY}")
        raise _trouble(name, found, _CHECK)
    image = max(last, key=_sharpness)
    _check(image, name)
    image.flags.writeable = False
    return Snapshot(image, name, count)


def _open(capture: cv2.VideoCapture, source: int | str, deadline: float) -> bool:
    if isinstance(source, int):
        done = capture.open(source)
        if done:
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WANTED[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _WANTED[1])
        return done
    if not ADDRESSES.match(source):
        return capture.open(source)
    left = max(0.5, deadline - time.monotonic())
    to_open, to_read = (max(300, int(1000 * share * left)) for share in _SHARES)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, to_open, cv2.CAP_PROP_READ_TIMEOUT_MSEC, to_read]
    return capture.open(source, cv2.CAP_FFMPEG, limits)


def _frames(capture: cv2.VideoCapture, deadline: float) -> Iterator[Image]:
    """Frames as they come, until the source ends or the time is over."""
    while time.monotonic() < deadline:
        done, frame = capture.read()
        if not done or frame is None or frame.size == 0:
            return
        image = as_image(frame)
        yield image if image.ndim == 3 else as_image(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))


def _burst(frames: Iterator[Image], burst: int, deadline: float) -> tuple[list[Image], int]:
    """The last frames once the exposure has settled, and how many were read in all.

    Of a source that ends before that, say a single picture, what it gave last.
    """
    began = time.monotonic()
    latest = began + (deadline - began) / 2
    bright: deque[float] = deque(maxlen=_STEADY)
    kept: deque[Image] = deque(maxlen=max(1, burst))
    count, settled = 0, 0
    for frame in frames:
        count += 1
        kept.append(frame)
        if settled:
            settled += 1
            if settled > burst:
                break
            continue
        bright.append(float(np.mean(frame[::8, ::8])))
        steady = len(bright) == _STEADY and max(bright) - min(bright) <= _CHANGE
        if (count >= _FRESH and steady) or count >= _MOST_DROPPED or time.monotonic() > latest:
            settled = 1
    return list(kept), count


def _sharpness(image: Image) -> float:
    """How much there is to see in fine detail; only frames of one burst can be compared."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if (wide := grey.shape[1]) > 1280:
        scale = 1280 / wide
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())


def _check(image: Image, name: str) -> None:
    """Raises `UnusableInput` for a picture on which no card can be seen."""
    height, width = image.shape[:2]
    if max(height, width) < _SMALLEST:
        found = f"gives pictures of {width} x {height} pixels, too small for cards"
        raise _trouble(name, found, "choose a larger size in the camera's settings")
    mean = float(image.mean())
    spread = float(image.reshape(-1, 3).std(axis=0).max())
    if mean <= _BLACK:
        raise _trouble(name, "shows only black", "take the cover off the lens, and make light")
    if spread <= _FLAT:
        right = "point it at the table, and check that it is not switched to standby"
        raise _trouble(name, "shows one colour and nothing else", right)


def _why_closed(source: int | str, deadline: float) -> tuple[str, str]:
    """What is wrong with a source that cannot be opened, and what would be right."""
    if isinstance(source, int):
        return _why_no_camera(source)
    if ADDRESSES.match(source):
        left = max(1.0, min(3.0, deadline - time.monotonic()))
        return why_unreachable(source, left)
    return "is no video that can be read", f"give {_MANY}"


def _why_no_camera(number: int, folder: Path = Path("/dev")) -> tuple[str, str]:
    device = folder / f"video{number}"
    if device.exists() and not os.access(device, os.R_OK | os.W_OK):
        return "may not be used by you", "add yourself to the group video, and log in anew"
    if device.exists():
        return "is there, but gives no picture", _CHECK
    there = sorted(int(p.name[5:]) for p in folder.glob("video*") if p.name[5:].isdecimal())
    if there:
        return "is not there", f"use {' or '.join(map(str, there))}"
    return "is not there", "plug it in, or give the address of one on the net"


def _encoded(image: Image, kind: str, how: list[int]) -> bytes:
    done, data = cv2.imencode(kind, image, how)
    assert done, "a picture in memory can be written"
    return data.tobytes()
