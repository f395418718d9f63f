"""What light, lens and sensor do to a picture: gradients, glare, blur, distortion, noise, JPEG."""

import math
from typing import cast

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Field = NDArray[np.float32]
Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
_STRIP = 256
_SMALL = 96


def small_grid(size: tuple[int, int]) -> tuple[Field, Field, tuple[int, int]]:
    """Coordinates from -1 to 1 of a small picture in the photo's proportions, and its size."""
    width, height = size
    scale = _SMALL / max(size)
    small = (max(2, round(width * scale)), max(2, round(height * scale)))
    x = np.linspace(-1, 1, small[0], dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, small[1], dtype=np.float32)[:, None]
    return x, y, small


def light(
    rng: Generator,
    size: tuple[int, int],
    gradient: float,
    vignette: float,
    warmth: float,
    patches: int,
    brightness: float,
) -> Field:
    """Factors of light (small, three channels): fall-off to one side, dark corners, colour, sun patches."""
    x, y, small = small_grid(size)
    turn = rng.uniform(0, 2 * math.pi)
    slope = (x * math.cos(turn) + y * math.sin(turn)) / 1.2
    field = brightness * (1 + gradient * slope + 0.3 * gradient * (slope * slope - 0.4))
    field = np.asarray(field * (1 - vignette * (x * x + y * y) / 2), np.float32)
    warm = np.array([1 - warmth, 1.0, 1 + 0.8 * warmth], np.float32)
    coloured = field[..., None] * warm
    for _ in range(patches):
        shade = np.zeros(small[::-1], np.float32)
        centre = rng.uniform(0.1, 0.9, 2) * small
        span = rng.uniform(0.25, 0.6, 2) * max(small)
        box = cv2.boxPoints((centre.tolist(), span.tolist(), float(rng.uniform(0, 180))))
        cv2.fillPoly(shade, [np.asarray(box, np.int32)], 1.0)
        shade = np.asarray(
            cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.6, 1.6))), np.float32
        )
        coloured = coloured * (1 + shade[..., None] * rng.uniform(0.35, 0.6)) * 0.92
    return cast(Field, np.clip(coloured, 0.08, 2.2).astype(np.float32))


def glare(
    rng: Generator, size: tuple[int, int], spots: list[tuple[float, float, float]], strength: float
) -> Field:
    """Reflected light (small, one channel, 0 to 1); spots are x, y and radius in pixels of the photo."""
    x, y, small = small_grid(size)
    field = np.zeros(small[::-1], np.float32)
    scale = 2 / np.array(size)
    aspect = size[1] / size[0]
    for px, py, radius in spots:
        cx, cy, r = px * scale[0] - 1, py * scale[1] - 1, radius * scale[0]
        turn, stretch = rng.uniform(0, math.pi), rng.uniform(1.0, 2.2)
        dx, dy = (x - cx), (y - cy) * aspect
        along = dx * math.cos(turn) + dy * math.sin(turn)
        across = dy * math.cos(turn) - dx * math.sin(turn)
        distance = np.sqrt((along / stretch) ** 2 + across**2) / max(r, 1e-6)
        spot = strength * (
            0.75 / (1 + np.exp((distance - 1) * 9)) + 0.35 * np.exp(-(distance**2) / 3)
        )
        field = np.maximum(field, spot.astype(np.float32))
    return np.clip(field, 0, 1)


def _spread(field: Field, size: tuple[int, int], top: int, bottom: int) -> Field:
    """Rows of a small field at full size."""
    width, height = size
    high, wide = field.shape[:2]
    scale = np.array([[wide / width, 0, 0], [0, high / height, top * high / height]], np.float32)
    return np.asarray(
        cv2.warpAffine(
            field,
            scale,
            (width, bottom - top),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def expose(image: Image, lit: Field, shine: Field | None, glossy: Image | None) -> None:
    """Applies light and reflections in place; where `glossy` is 0 (the table) reflections are faint."""
    height, width = image.shape[:2]
    for top in range(0, height, _STRIP):
        bottom = min(top + _STRIP, height)
        part = image[top:bottom].astype(np.float32) * _spread(lit, (width, height), top, bottom)
        if shine is not None and glossy is not None:
            extra = _spread(shine, (width, height), top, bottom)
            extra = extra * np.where(glossy[top:bottom] > 0, 1.0, 0.3).astype(np.float32)
            part += extra[..., None] * (262 - part)
        # a shoulder, as phones have: highlights are compressed before they clip
        part = np.where(part > 215, 215 + (part - 215) * 0.62, part)
        image[top:bottom] = np.clip(part, 0, 255).astype(np.uint8)


def blurred(rng: Generator, image: Image, gauss: float, motion: float) -> Image:
    """Out of focus (sigma in pixels) and shaken (path length in pixels)."""
    if gauss > 0.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), gauss), np.uint8)
    if motion >= 1.5:
        size = int(motion) | 1
        kernel = np.zeros((size, size), np.float32)
        angle = rng.uniform(0, math.pi)
        reach = np.array([math.cos(angle), math.sin(angle)]) * (size // 2)
        middle = np.array([size // 2, size // 2])
        ends = [tuple(round(float(v)) for v in middle + k * reach) for k in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
    return image


def bent(image: Image, lens: float) -> Image:
    """Radial distortion: positive is barrel; `lens` is how far a corner moves, in half diagonals."""
    if not lens:
        return image
    height, width = image.shape[:2]
    result = np.empty_like(image)
    for top in range(0, height, _STRIP):
        bottom = min(top + _STRIP, height)
        y, x = np.mgrid[top:bottom, 0:width].astype(np.float32)
        source = _undo(np.stack([x, y], -1), (width, height), lens).astype(np.float32)
        result[top:bottom] = cv2.remap(
            image, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
    return result


def _undo(points: NDArray[np.float32] | Floats, size: tuple[int, int], lens: float) -> Floats:
    """From the distorted photo to the ideal one."""
    middle = np.array(size) / 2
    half = float(np.hypot(*middle))
    away = (points - middle) / half
    r2 = (away**2).sum(-1, keepdims=True)
    result: Floats = middle + (points - middle) * (1 + lens * (r2 - 0.5))
    return result


def bend_points(points: Floats, size: tuple[int, int], lens: float) -> Floats:
    """Where points of the ideal photo lie in the distorted one."""
    found = points.copy()
    for _ in range(8):
        found = found + points - _undo(found, size, lens)
    return found


def sensor(rng: Generator, image: Image, amount: float, sharpen: float) -> Image:
    """Noise (deviation in grey levels, more in the dark after gain), then the phone's own sharpening."""
    tile = rng.standard_normal((640, 640, 3), np.float32)
    grey = rng.standard_normal((640, 640, 1), np.float32)
    tile = np.asarray(cv2.GaussianBlur(tile, (0, 0), 0.9), np.float32) * 1.6 + 0.8 * grey
    height, width = image.shape[:2]
    result = np.empty_like(image)
    for top in range(0, height, _STRIP):
        bottom = min(top + _STRIP, height)
        part = image[top:bottom].astype(np.float32)
        deviation = amount * (0.55 + 0.45 * np.sqrt(part / 128))
        rolled = np.roll(tile, tuple(int(v) for v in rng.integers(0, 640, 2)), (0, 1))
        repeats = (1, width // 640 + 1, 1)
        part += deviation * np.tile(rolled[: bottom - top], repeats)[:, :width]
        result[top:bottom] = np.clip(part, 0, 255).astype(np.uint8)
    if sharpen:
        soft = cv2.GaussianBlur(result, (0, 0), 1.4)
        result = np.asarray(cv2.addWeighted(result, 1 + sharpen, soft, -sharpen, 0), np.uint8)
    return result


def jpeg(image: Image, quality: int) -> bytes:
    """The photo as a file."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("cannot encode")
    return bytes(data.tobytes())


def opened(data: bytes) -> Image:
    """A JPEG file as pixels, BGR."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(image, np.uint8)
