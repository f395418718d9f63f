"""Second proposer: points that match the deck's pictures vote for where a card lies.

Cards of a deck share a layout, so even a match to the wrong card at the right place votes for the right
outline. It needs no gap, border or contrast to the table, and fails where contours do not: in blur.
SIFT (Lowe, 2004) with RootSIFT (Arandjelovic and Zisserman, 2012), a Hough vote for the pose (Lowe),
and RANSAC for the outline.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.album import Album
from companion.vision.geometry import (
    Floats,
    Image,
    Quad,
    as_floats,
    corners_of,
    is_convex,
    mapped,
    sides,
)

POINTS = 5000
"""Most points looked at in a photo."""
_PER_REFERENCE = 90
_TALL = 340
"""Height in pixels at which references are searched for points."""
_PAD = 20
"""Dark border around a reference, so that its own edge gives points too."""
_HUGE = 1.5
"""Longest side of an outline, of the picture's longer side."""
_ALIKE = 0.78
"""Least cosine of two RootSIFT descriptors that is a match."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points of a picture: place (n, 2) in pixels, scale, angle in degrees, descriptor (n, 128)."""

    at: Floats
    scale: Floats
    angle: Floats
    descriptor: Floats

    def __len__(self) -> int:
        return len(self.at)


def points_of(grey: Image, most: int) -> Points:
    """SIFT points of a grey picture, the strongest first, with RootSIFT descriptors."""
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.03)  # one a call: it is not shared
    found, descriptors = sift.detectAndCompute(grey, None)
    if descriptors is None or not found:
        empty = np.zeros(0, np.float32)
        return Points(np.zeros((0, 2), np.float32), empty, empty, np.zeros((0, 128), np.float32))
    keep = np.argsort([-k.response for k in found])[:most]
    root = np.sqrt(descriptors[keep] / np.maximum(descriptors[keep].sum(axis=1), 1e-6)[:, None])
    return Points(
        np.array([found[i].pt for i in keep], np.float32),
        np.array([found[i].size for i in keep], np.float32),
        np.array([found[i].angle for i in keep], np.float32),
        root.astype(np.float32),
    )


class Ballot:
    """The points of all references of an album, pooled; places are relative to the card's centre."""

    def __init__(self, album: Album) -> None:
        self.height = _TALL
        self.width = round(_TALL / album.aspect)
        with ThreadPoolExecutor(2) as beside:
            pools = list(beside.map(self._of, (r.image for r in album.references)))
        self.at = np.concatenate([p.at for p in pools])
        self.scale = np.concatenate([p.scale for p in pools])
        self.angle = np.concatenate([p.angle for p in pools])
        self.descriptor = np.concatenate([p.descriptor for p in pools])
        self.reference = np.repeat(np.arange(len(pools)), [len(p) for p in pools])

    def among(self, references: NDArray[np.bool_]) -> "Ballot":
        """The points of some of the references only; one flag each."""
        keep = references[self.reference]
        some = copy(self)
        some.at, some.scale, some.angle = self.at[keep], self.scale[keep], self.angle[keep]
        some.descriptor, some.reference = self.descriptor[keep], self.reference[keep]
        return some

    def _of(self, image: Image) -> Points:
        flat = cv2.resize(image, (self.width, self.height), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
        points = points_of(np.asarray(grey, np.uint8), _PER_REFERENCE)
        if len(points) < 60:
            padded = cv2.copyMakeBorder(
                grey, _PAD, _PAD, _PAD, _PAD, cv2.BORDER_CONSTANT, value=(30,)
            )
            points = points_of(np.asarray(padded, np.uint8), _PER_REFERENCE)
            points = Points(points.at - _PAD, points.scale, points.angle, points.descriptor)
        centre = np.array([self.width / 2, self.height / 2], np.float32)
        return Points(points.at - centre, points.scale, points.angle, points.descriptor)


@dataclass(frozen=True, slots=True)
class Votes:
    """Matches of a picture's points to the references', each with the pose it votes for."""

    shape: tuple[int, int]
    at: Floats
    """Where the point lies in the picture, (n, 2)."""
    local: Floats
    """Where it lies on its reference, from the card's centre, (n, 2)."""
    centre: Floats
    """Where the card's centre would be, (n, 2)."""
    scale: Floats
    """Card height over `Ballot.height`."""
    angle: Floats
    """Turn of the card, radians."""

    def where(self, keep: NDArray[np.bool_]) -> "Votes":
        """Some of the votes."""
        parts = (self.at, self.local, self.centre, self.scale, self.angle)
        return Votes(self.shape, *(part[keep] for part in parts))


def votes_of(image: Image, ballot: Ballot) -> Votes:
    """The votes of all points of a picture that look like one of the deck's."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = points_of(grey, POINTS)
    mine, theirs = _matches(seen.descriptor, ballot.descriptor)
    scale = seen.scale[mine] / ballot.scale[theirs]
    angle = np.deg2rad(seen.angle[mine] - ballot.angle[theirs])
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    local = ballot.at[theirs]
    moved = np.stack(
        [cos * local[:, 0] - sin * local[:, 1], sin * local[:, 0] + cos * local[:, 1]], axis=1
    )
    at = seen.at[mine]
    return Votes((grey.shape[0], grey.shape[1]), at, local, at - moved, scale, angle)


@dataclass(frozen=True, slots=True)
class Pose:
    """An outline that votes agree on, the card upright in it, and how many do."""

    quad: Quad
    """Pixels of the picture."""
    support: int


def poses(
    votes: Votes,
    ballot: Ballot,
    sizes: tuple[float, float] = (0.1, 3.0),
    apart_from: Sequence[Quad] = (),
) -> list[Quad]:
    """Outlines that the votes agree on, in pixels of the picture; see `supported`."""
    return [pose.quad for pose in supported(votes, ballot, sizes, apart_from)]


def supported(
    votes: Votes,
    ballot: Ballot,
    sizes: tuple[float, float] = (0.1, 3.0),
    apart_from: Sequence[Quad] = (),
) -> list[Pose]:
    """Outlines that the votes agree on, and how many do.

    `sizes` are the least and greatest card height over `Ballot.height`. With `apart_from`, points inside
    those quads do not vote, and fewer points make an outline: what half lies under a card has few.
    """
    keep = (votes.scale > sizes[0]) & (votes.scale < sizes[1]) & _outside(votes.at, apart_from)
    if keep.sum() < 4:
        return []
    some = votes.where(keep)
    least = 4 if len(apart_from) else 5
    found: list[Pose] = []
    for log_scale, turn in _modes(np.log2(some.scale), some.angle):
        away = np.abs(np.angle(np.exp(1j * (some.angle - turn))))
        near = some.where((np.abs(np.log2(some.scale) - log_scale) < 0.35) & (away < 0.35))
        found += _clusters(near, 2**log_scale, ballot, least)
    return found


def _outside(at: Floats, quads: Sequence[Quad]) -> NDArray[np.bool_]:
    """Which points lie in none of the quads."""
    keep = np.ones(len(at), bool)
    for quad in quads:
        edge = np.roll(quad, -1, axis=0) - quad
        to = at[:, None, :] - quad[None]
        turn = edge[None, :, 0] * to[..., 1] - edge[None, :, 1] * to[..., 0]
        keep &= ~((turn > 0).all(axis=1) | (turn < 0).all(axis=1))
    return keep


def _matches(
    seen: Floats, known: Floats, each: int = 2
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Pairs of a photo's points and the references' most like them."""
    mine, theirs = [np.zeros(0, int)], [np.zeros(0, int)]
    if not len(known):
        return mine[0], theirs[0]
    for start in range(0, len(seen), 1000):
        alike = seen[start : start + 1000] @ known.T
        for _ in range(each):
            best = alike.argmax(axis=1)
            rows = np.arange(len(best))
            good = alike[rows, best] > _ALIKE
            mine.append(rows[good] + start)
            theirs.append(best[good])
            alike[rows, best] = 0
    return np.concatenate(mine), np.concatenate(theirs)


def _modes(log_scale: Floats, angle: Floats) -> list[tuple[float, float]]:
    """Sizes (log2) and turns that many matches agree on, above a share of the strongest."""
    bins_s, bins_a = 40, 36
    edges = (np.linspace(-4, 2, bins_s + 1), np.linspace(-np.pi, np.pi, bins_a + 1))
    wrapped = np.angle(np.exp(1j * angle))
    votes, _, _ = np.histogram2d(log_scale, wrapped, bins=edges)
    votes = np.pad(votes, ((0, 0), (4, 4)), mode="wrap")
    smooth = cv2.GaussianBlur(votes.astype(np.float32), (0, 0), 1.2)[:, 4:-4]
    top = float(smooth.max())
    found: list[tuple[float, float]] = []
    while len(found) < 14:
        i, j = np.unravel_index(int(smooth.argmax()), smooth.shape)
        if smooth[i, j] < max(0.08 * top, 1.2):
            break
        found.append((float(edges[0][i : i + 2].mean()), float(edges[1][j : j + 2].mean())))
        for a in range(-2, 3):
            smooth[max(i - 1, 0) : i + 2, (j + a) % bins_a] = 0
    return found


def _clusters(votes: Votes, size: float, ballot: Ballot, least: int) -> list[Pose]:
    """Outlines from votes of one pose that fall together."""
    reach = 0.16 * ballot.width * size
    cell = max(reach / 2, 1.0)
    height, width = votes.shape
    if len(votes.at) == 0:
        return []
    centre = votes.centre
    grid_x = np.clip(centre[:, 0] / cell, 0, width / cell).astype(int)
    grid_y = np.clip(centre[:, 1] / cell, 0, height / cell).astype(int)
    count = np.zeros((int(height / cell) + 2, int(width / cell) + 2), np.float32)
    np.add.at(count, (grid_y, grid_x), 1)
    count = as_floats(cv2.GaussianBlur(count, (0, 0), 1.0))
    found: list[Pose] = []
    for _ in range(40):
        y, x = np.unravel_index(int(count.argmax()), count.shape)
        if count[y, x] < 0.5:
            break
        peak = np.array([(x + 0.5) * cell, (y + 0.5) * cell])
        near = np.hypot(*(centre - peak).T) < reach
        count[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = 0
        some = votes.where(near)
        pose = _outline(some, ballot, least) if near.sum() >= least else None
        if pose is not None:
            found.append(pose)
    return found


def _outline(votes: Votes, ballot: Ballot, least: int) -> Pose | None:
    """The card's corners by RANSAC over the matches of one cluster; None where they do not agree."""
    at, local, shape_of = votes.at, votes.local, votes.shape
    many = len(at) >= 14
    if many:
        matrix, inliers = cv2.findHomography(local, at, cv2.RANSAC, 4.0, maxIters=400)
    else:
        affine, inliers = cv2.estimateAffinePartial2D(
            local, at, method=cv2.RANSAC, ransacReprojThreshold=4.0, maxIters=300
        )
        matrix = None if affine is None else np.vstack([affine, [0, 0, 1]])
    if matrix is None or inliers is None or int(inliers.sum()) < least:
        return None
    if many and int(inliers.sum()) < 10:
        affine, inliers = cv2.estimateAffinePartial2D(
            local, at, method=cv2.RANSAC, ransacReprojThreshold=4.0, maxIters=300
        )
        if affine is None or int(inliers.sum()) < least:
            return None
        matrix = np.vstack([affine, [0, 0, 1]])
    corners = corners_of(ballot.width, ballot.height)
    corners = corners - np.array([ballot.width / 2, ballot.height / 2], np.float32)
    quad = mapped(corners.astype(np.float32), matrix)
    lengths = sides(quad)
    tall = (lengths[1] + lengths[3]) / max(lengths[0] + lengths[2], 1e-6)
    shape = ballot.height / ballot.width
    if not is_convex(quad) or not 0.6 * shape < tall < 1.6 * shape:
        return None
    if not np.isfinite(quad).all() or max(lengths) > _HUGE * max(shape_of):
        return None
    if min(lengths) < 12 or abs(lengths[0] - lengths[2]) > 0.4 * max(lengths[0], lengths[2]):
        return None
    return Pose(quad, int(inliers.sum()))
