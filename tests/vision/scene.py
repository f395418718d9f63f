"""Small pictures with cards at known places, to try each part of sight on: the truth is how they are made."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np

from card_catalog.faces import HEIGHT_MM, WIDTH_MM, Face, cutout, faces
from card_catalog.loader import shipped_deck
from companion.vision.geometry import Image, Quad, as_floats, corners_of, homography

ASPECT = HEIGHT_MM / WIDTH_MM
TALL = 360
"""Pixels of height of the cards that are painted."""
FELT = (58, 84, 40)
NAMES = (
    *("eagle", "furs", "wigwam", "dynamite", "totem", "bear-a", "bear-b", "soldier", "bow"),
    *("chief:red", "chief:black", "horse-a"),
)
"""A few faces: pictures unlike each other, two halves, and a red and a black twin."""


@lru_cache(maxsize=1)
def _faces() -> Mapping[str, Face]:
    return {face.name: face for face in faces(shipped_deck("up-the-creek"))}


@lru_cache(maxsize=64)
def cut_out(name: str, tall: int = TALL) -> Image:
    """A drawn card, BGRA, its round corners transparent."""
    drawn = np.asarray(cutout(_faces()[name], tall), np.uint8)
    return np.ascontiguousarray(drawn[..., [2, 1, 0, 3]])


def flat(name: str) -> Image:
    """The card as it is stored for comparing: BGR, white in its corners."""
    drawn = cut_out(name)
    return np.where(drawn[..., 3:] > 127, drawn[..., :3], np.uint8(250)).astype(np.uint8)


def plain(colour: Sequence[int], tall: int = TALL, round_by: float = 0.055) -> Image:
    """A card of one colour, its corners rounded by that share of its width, BGRA."""
    wide = round(tall / ASPECT)
    card = np.zeros((tall, wide, 4), np.uint8)
    radius = round(round_by * wide)
    card[..., :3] = colour
    for x0, y0, x1, y1 in ((radius, 0, wide - radius, tall), (0, radius, wide, tall - radius)):
        card[y0:y1, x0:x1, 3] = 255
    for x in (radius, wide - radius - 1):
        for y in (radius, tall - radius - 1):
            cv2.circle(card, (x, y), radius, (*colour, 255), -1)
    return card


def ground(width: int, height: int, colour: Sequence[int] = FELT, noise: float = 3.0) -> Image:
    """A table of one colour, with the grain of a sensor."""
    grain = np.random.default_rng(5).normal(0, noise, (height, width, 3))
    return np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)


def clutter(width: int, height: int, seed: int = 3) -> Image:
    """A table full of lines and blobs of all colours."""
    rng = np.random.default_rng(seed)
    image = ground(width, height, (120, 140, 150), 6)
    for _ in range(220):
        at, other = (tuple(int(v) for v in rng.uniform(0, 1, 2) * (width, height)) for _ in "ab")
        colour = [int(v) for v in rng.integers(0, 255, 3)]
        if rng.random() < 0.5:
            cv2.line(image, at, other, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
        else:
            cv2.circle(image, at, int(rng.integers(4, 40)), colour, -1, cv2.LINE_AA)
    return image


def quad_at(x: float, y: float, tall: float, degrees: float = 0.0) -> Quad:
    """The outline of a card with its centre there, turned clockwise."""
    half = np.array([tall / ASPECT, tall]) / 2
    turn = np.radians(degrees)
    around = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ around
    return as_floats(corners + np.array([x, y]))


def paint(image: Image, card: Image, quad: Quad) -> None:
    """Lays a card (BGRA) into the picture, smoothly: at three times the size, then reduced."""
    height, width = image.shape[:2]
    low = np.clip(np.floor(quad.min(axis=0)) - 2, 0, (width, height)).astype(int)
    high = np.clip(np.ceil(quad.max(axis=0)) + 2, 0, (width, height)).astype(int)
    wide, tall = (high - low).tolist()
    source = corners_of(card.shape[1], card.shape[0]) - np.float32(0.5)  # pixels have their centre
    matrix = homography(source, ((quad - low) * 3 + 1).astype(np.float32))
    lying = card.astype(np.float32)
    lying[..., :3] *= lying[..., 3:] / 255
    large = cv2.warpPerspective(lying, matrix, (3 * wide, 3 * tall), flags=cv2.INTER_LINEAR)
    laid = cv2.resize(large, (wide, tall), interpolation=cv2.INTER_AREA)
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = np.clip(laid[..., :3] + part * (1 - laid[..., 3:] / 255), 0, 255)


def table(image: Image, cards: Mapping[str, Quad]) -> Image:
    """The picture with these cards in it, the later ones on top; softened as by a lens."""
    for name, quad in cards.items():
        paint(image, cut_out(name), quad)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)


def off_by(one: Quad, other: Quad) -> float:
    """How far the worst corner is from its partner, the corners in whatever order; pixels."""
    both = (other, other[::-1])
    turned = [np.roll(quad, k, axis=0) for quad in both for k in range(4)]
    return float(min(np.linalg.norm(one - quad, axis=1).max() for quad in turned))
