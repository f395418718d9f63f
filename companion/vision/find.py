"""Where the deck's cards lie: the proposals of both finders, the best kept, the covered judged apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.album import QUICK, Album, quick_look
from companion.vision.geometry import (
    Floats,
    Pyramid,
    Quad,
    area,
    corners_of,
    homography,
    intersection,
    iou,
    mapped,
    over_smaller,
    turned,
)
from companion.vision.looks import width_for
from companion.vision.naming import Named, name, nudged, ways_up

NAMED_LOCAL = 0.42
"""Least correlation of detail for a name at all."""
LEAST = 0.45
"""Plain correlation below which a proposal is no card of the deck."""
_LEAST_HIDDEN = 0.52
"""The same for the visible part of a covered card."""
_WORTH_A_NUDGE = 0.2
"""Plain correlation of a visible part from which its outline is moved before it is judged."""
_NUDGES = 24
"""Most outlines of half hidden cards that are moved."""
_HIDDEN_LEAST = 0.57
"""Correlation below which a half hidden card is not listed; more is asked of a smaller part."""
_COVERED = 0.04
"""Share of a card under others from which it is judged on the visible part."""
SEEN_LEAST = 0.2
"""Share of a card that has to be visible for it to be named at all."""


@dataclass(frozen=True, slots=True)
class Found:
    """A card of the deck at a place, and how much of it is visible (0 to 1)."""

    named: Named
    visible: float = 1.0
    mask: NDArray[np.bool_] | None = None
    """Which pixels of its flat picture are visible; None: all."""


@dataclass(slots=True, eq=False)
class _Proposal:
    """An outline that may be a card, and how much it looks like one where it is visible."""

    quad: Quad
    score: float
    """Plain correlation with the most similar reference, of a visible part less."""
    mask: NDArray[np.bool_] | None = None
    """Which pixels (height, width) cards found so far leave visible; None: all."""

    @property
    def share(self) -> float:
        """How much of it is visible."""
        return 1.0 if self.mask is None else float(self.mask.mean())

    @property
    def least(self) -> float:
        """The score from which it is worth naming."""
        return LEAST if self.mask is None else _LEAST_HIDDEN * self.share**0.5


def clash(one: Quad, other: Quad) -> bool:
    """Whether two quads cannot both be cards: they say the same place."""
    return iou(one, other) > 0.35 or over_smaller(one, other) > 0.75


def cards_at(
    pyramid: Pyramid, album: Album, quads: Sequence[Quad], known: Sequence[Found] = ()
) -> list[Found]:
    """The deck's cards among the proposed outlines and those known already, the surest first.

    The most card-like outline is taken; those it overlaps are judged anew on what it leaves visible; and
    so on, so that a row of overlapping cards is peeled from the one on top.
    """
    left = [_weighed(pyramid, album, quad) for quad in quads]
    kept = [Found(f.named) for f in known]
    for proposal in left if known else ():
        _look_again(pyramid, album, proposal, kept, kept)
    _nudge_hopeful(pyramid, album, left, kept)
    while worth := [p for p in left if p.score >= p.least]:
        best = max(worth, key=lambda p: p.score)
        left.remove(best)
        if any(_clash_or_same(best.quad, best, f) for f in kept):
            continue
        found = _named(pyramid, album, best)
        if found is None or any(_clash_or_same(found.named.quad, best, f) for f in kept):
            continue
        kept.append(found)
        for proposal in left:
            _look_again(pyramid, album, proposal, [found], kept)
    seen = [_uncovered(pyramid, album, i, kept) for i in range(len(kept))]
    return [f for f in seen if f.visible >= SEEN_LEAST and _is_card(f)]


def _clash_or_same(quad: Quad, proposal: _Proposal, found: Found) -> bool:
    """Whether the place is taken; what looks like a card beside others may overlap them more."""
    if proposal.mask is None:
        return clash(quad, found.named.quad)
    return _same(quad, found.named.quad)


def _named(pyramid: Pyramid, album: Album, proposal: _Proposal) -> Found | None:
    """The card of a proposal; None where a visible part looks too little like it."""
    if proposal.mask is None:
        found = Found(name(pyramid, proposal.quad, album))
    else:
        mask = proposal.mask.reshape(-1)
        found = Found(name(pyramid, proposal.quad, album, mask), proposal.share, mask)
    return found if _is_card(found) else None


def _is_card(found: Found) -> bool:
    """Whether it looks enough like its best face to be a card of the deck at all."""
    least = NAMED_LOCAL if found.mask is None else _HIDDEN_LEAST + 0.3 * (1 - found.visible)
    return found.named.fit >= least


def _look_again(
    pyramid: Pyramid,
    album: Album,
    proposal: _Proposal,
    new: Sequence[Found],
    kept: Sequence[Found],
) -> None:
    """Judges a proposal on what the cards found leave visible of it, where new ones cover it."""
    if not any(intersection(proposal.quad, f.named.quad) > 0 for f in new):
        return
    over = _on_top(proposal.quad, kept)
    if any(_same(proposal.quad, quad) for quad in over):
        return
    best = proposal.score if proposal.mask is None else -1.0
    for quarter in ways_up(album):
        quad = turned(proposal.quad, quarter)
        mask = visible_mask(quad, over, *album.size)
        share = float(mask.mean())
        if not SEEN_LEAST < share < 1 - _COVERED:
            continue
        score = _masked_score(pyramid, album, quad, mask)[0] * share**0.5
        if score > best:
            best = score
            proposal.quad, proposal.score, proposal.mask = quad, score, mask


def _on_top(quad: Quad, kept: Sequence[Found]) -> list[Quad]:
    return [f.named.quad for f in kept if intersection(quad, f.named.quad) > 0]


def _nudge_hopeful(
    pyramid: Pyramid, album: Album, left: Sequence[_Proposal], kept: Sequence[Found]
) -> None:
    """Moves the most hopeful outlines of partly covered cards to where the visible part fits best."""
    hopeful = [p for p in left if p.mask is not None and p.score > _WORTH_A_NUDGE * p.share**0.5]
    hopeful.sort(key=lambda p: -p.score)
    for proposal in hopeful[:_NUDGES]:
        assert proposal.mask is not None
        _, reference = _masked_score(pyramid, album, proposal.quad, proposal.mask)
        flat = album.flats[reference]
        placed = nudged(pyramid, proposal.quad, flat, proposal.mask.reshape(-1))
        mask = visible_mask(placed, _on_top(placed, kept), *album.size)
        share = float(mask.mean())
        if SEEN_LEAST < share < 1 - _COVERED:
            score = _masked_score(pyramid, album, placed, mask)[0] * share**0.5
            if score > proposal.score:
                proposal.quad, proposal.score, proposal.mask = placed, score, mask


def _weighed(pyramid: Pyramid, album: Album, quad: Quad) -> _Proposal:
    """The quad, the right way up, with its plain correlation."""
    width, height = album.size
    best = _Proposal(quad, -1.0)
    for quarter in ways_up(album):
        this = turned(quad, quarter)
        flat = pyramid.rectify(this, width, height)
        score = float((album.quick @ quick_look(flat, album.aspect)).max())
        if score > best.score:
            best = _Proposal(this, score)
    return best


def _same(one: Quad, other: Quad) -> bool:
    """Whether two quads are one card; a card may lie across another and be mostly covered."""
    return iou(one, other) > 0.6 or over_smaller(one, other) > 0.85


def _masked_score(
    pyramid: Pyramid, album: Album, quad: Quad, mask: NDArray[np.bool_]
) -> tuple[float, int]:
    """Plain correlation of the visible part, and the most similar reference."""
    flat = pyramid.rectify(quad, *album.size)
    small = cv2.resize(
        mask.astype(np.float32),
        (width_for(album.aspect, QUICK), QUICK),
        interpolation=cv2.INTER_AREA,
    )
    weights = np.repeat((small > 0.9).reshape(-1), 3)
    seen = quick_look(flat, album.aspect)[weights]
    known = album.quick[:, weights]
    lengths = np.linalg.norm(known, axis=1) * float(np.linalg.norm(seen))
    scores = known @ seen / np.maximum(lengths, 1e-6)
    return float(scores.max()), int(scores.argmax())


def _uncovered(pyramid: Pyramid, album: Album, index: int, found: Sequence[Found]) -> Found:
    """The card judged anew on what those on top of it leave visible."""
    mine = found[index]
    over = []
    for other_index, other in enumerate(found):
        if other_index == index:
            continue
        common = intersection(mine.named.quad, other.named.quad)
        if common < 0.02 * area(mine.named.quad):
            continue
        if _lies_below(mine, other, album, index > other_index):
            over.append(other.named.quad)
    if not over:
        return Found(mine.named)
    mask = visible_mask(mine.named.quad, over, *album.size)
    share = float(mask.mean())
    if share > 1 - _COVERED:
        return Found(mine.named)
    if share < SEEN_LEAST:
        return Found(mine.named, share, mask.reshape(-1))
    return Found(name(pyramid, mine.named.quad, album, mask.reshape(-1)), share, mask.reshape(-1))


def _lies_below(mine: Found, other: Found, album: Album, weaker: bool) -> bool:
    """Whether the other card is on top: where they overlap, whose picture shows?"""
    fits = []
    for this, that in ((mine, other), (other, mine)):
        hidden = ~visible_mask(this.named.quad, [that.named.quad], *album.size, grow=0.0)
        fits.append(_fit(this.named, album, hidden.reshape(-1)))
    if abs(fits[0] - fits[1]) < 0.1:
        return weaker
    return fits[0] < fits[1]


def _fit(named: Named, album: Album, at: NDArray[np.bool_]) -> float:
    """Correlation of a card with its best face at some pixels."""
    if at.sum() < 40:
        return 0.0
    best = int(named.total.argmax())
    return named.correlation_at(album, best, at)


def visible_mask(
    quad: Quad, over: Sequence[Quad], width: int, height: int, grow: float = 0.07
) -> NDArray[np.bool_]:
    """Which pixels of a quad's flat picture (height, width) the quads on top leave visible.

    Those are grown by a share of their size: a card's edge throws a shadow.
    """
    covered = np.zeros((height, width), np.uint8)
    matrix = homography(quad, corners_of(width, height))
    for other in over:
        middle = other.mean(axis=0)
        grown: Floats = (middle + (other - middle) * (1 + grow)).astype(np.float32)
        cv2.fillConvexPoly(covered, np.round(mapped(grown, matrix)).astype(np.int32), (1,))
    visible: NDArray[np.bool_] = covered == 0
    return visible
