"""Outlines and lone corners put together: each card of a photo once.

Two corners of one card count once, and what lies on another card counts for itself.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.geometry import Floats, Quad, as_floats, clockwise, portrait, sides
from companion.vision.index_reader import agreement
from companion.vision.index_reader.agreement import Verdict
from companion.vision.index_reader.card import ASPECT, COVERED, INDEX, NEXT, Card
from companion.vision.index_reader.classes import FACES
from companion.vision.index_reader.detect import Corner, Pose
from companion.vision.sighting import Candidate

_ASIDE, _BELOW = 0.36, 0.72
"""From the card's corner to the middle of its index, index heights."""
_REACH = 9.0
"""Index heights within which two corners of one name are one card's."""


def joined(cards: Sequence[Card], corners: Sequence[Corner]) -> list[Card]:
    """Cards by outline, and those of which only corners were found; each once."""
    found = [card for card in cards if not _of_several(card, corners)]
    loose: list[Corner] = []
    for corner in corners:
        verdict = agreement.of_corner(corner.faces)
        if verdict is None:
            continue
        under = [i for i, card in enumerate(found) if holds(card.quad, corner.pose.centre)]
        if any(_named(found[i], verdict.face) for i in under):
            for i in under:
                if _named(found[i], verdict.face):
                    found[i] = _confirmed(found[i], verdict)
            continue
        own = [i for i in under if _at_its_corner(found[i].quad, corner)]
        if own:
            for i in own:
                found[i] = _denied(found[i], verdict)
            continue
        if not under or verdict.sure:
            loose.append(corner)
    size = _index_size(cards, corners)
    for group in _by_card(loose):
        found.append(_card_of(group, size))
    return _each_once(found)


def _of_several(card: Card, corners: Sequence[Corner]) -> bool:
    """Whether an outline that was read at one end is that of several cards, whose corners are there."""
    if card.settled or card.verdict is None:
        return False
    inside = {
        verdict.face
        for corner in corners
        if holds(card.quad, corner.pose.centre)
        and (verdict := agreement.of_corner(corner.faces)) is not None
        and verdict.sure
    }
    return card.verdict.face in inside and len(inside) > 1


def holds(quad: Quad, point: Floats) -> bool:
    """Whether a point lies on a card, or all but."""
    slack = 0.06 * float(sides(quad).min())
    x, y = float(point[0]), float(point[1])
    return cv2.pointPolygonTest(quad, (x, y), True) > -slack


def _named(card: Card, face: str) -> bool:
    return card.verdict is not None and any(c.face == face for c in card.verdict.candidates[:2])


def _at_its_corner(quad: Quad, corner: Corner) -> bool:
    """Whether an index stands where the card's own does, at one of its ends."""
    width = float(sides(quad)[[0, 2]].mean())
    for i, along in ((0, quad[3] - quad[0]), (2, quad[1] - quad[2])):
        away = float(np.linalg.norm(corner.pose.centre - quad[i]))
        with_card = float(corner.pose.down @ along) / max(float(np.linalg.norm(along)), 1e-6)
        if away < 0.42 * width and with_card > 0.8:
            return True
    return False


def _confirmed(card: Card, by: Verdict) -> Card:
    """A card in doubt that a clear corner names too."""
    seen = card.verdict
    if seen is None or seen.sure or not by.sure or by.face != seen.face:
        return card
    return replace(card, verdict=by)


def _denied(card: Card, by: Verdict) -> Card:
    """A card at whose corner another name was found."""
    seen = card.verdict
    if seen is None or (seen.sure and (seen.confidence > by.confidence or not by.sure)):
        return card
    doubt = f"one corner says {seen.face}, another look at it {by.face}"
    rest = [c for c in by.candidates if c.face not in {k.face for k in seen.candidates}]
    best = replace(seen.candidates[0], confidence=min(0.9, seen.confidence))
    candidates = (best, *sorted((*seen.candidates[1:], *rest), key=lambda c: -c.confidence))
    return replace(card, verdict=Verdict(candidates, (*seen.doubts, doubt)))


def _index_size(cards: Sequence[Card], corners: Sequence[Corner]) -> float:
    """Card widths over index heights, by the cards that were found whole."""
    ratios = [
        float(sides(card.quad)[[0, 2]].mean()) / corner.pose.height
        for corner in corners
        for card in cards
        if _named(card, FACES[int(corner.faces.argmax())]) and _at_its_corner(card.quad, corner)
    ]
    return float(np.clip(np.median(ratios), 2.0, 6.5)) if ratios else INDEX


def _by_card(corners: Sequence[Corner]) -> list[list[Corner]]:
    """Corners of one name near each other are one card's: a deck has each card once."""
    groups: list[list[Corner]] = []
    for corner in corners:
        face = int(corner.faces.argmax())
        for group in groups:
            first = group[0]
            away = float(np.linalg.norm(first.pose.centre - corner.pose.centre))
            if int(first.faces.argmax()) == face and away < _REACH * first.pose.height:
                group.append(corner)
                break
        else:
            groups.append([corner])
    return groups


def _card_of(group: Sequence[Corner], size: float) -> Card:
    """One card by its one or two corners."""
    corner = group[0]
    opposite = [c for c in group[1:] if float(c.pose.down @ corner.pose.down) < -0.9]
    if opposite:
        verdict = agreement.of_ends(corner.faces, opposite[0].faces)
        quad = _between(corner, opposite[0])
        if verdict is not None and quad is not None:
            return Card(quad, verdict, settled=verdict.sure)
    verdict = agreement.of_corner(corner.faces)
    assert verdict is not None, "only named corners are grouped"
    return Card(card_quad(corner, size), verdict, corner)


def _between(one: Corner, other: Corner) -> Quad | None:
    """The card that has these two indices at its ends; None where they cannot be one card's."""
    down = one.pose.down
    right = np.array([down[1], -down[0]], np.float32)
    margin = right * (_ASIDE * one.pose.height) + down * (_BELOW * one.pose.height)
    first, last = one.pose.centre - margin, other.pose.centre + margin
    across, along = float((last - first) @ right), float((last - first) @ down)
    if min(across, along) <= 0 or not 1.1 < along / across < 1.9:
        return None
    return as_floats([first, first + right * across, last, first + down * along])


def card_quad(corner: Corner, size: float) -> Quad:
    """Where the card of a lone corner lies, its width `size` index heights."""
    high = corner.pose.height
    right = np.array([corner.pose.down[1], -corner.pose.down[0]], np.float32)
    wide = size * high
    start = corner.pose.centre - right * (_ASIDE * high) - corner.pose.down * (_BELOW * high)
    across, along = right * wide, corner.pose.down * (ASPECT * wide)
    return as_floats([start, start + across, start + across + along, start + along])


def _each_once(cards: Sequence[Card]) -> list[Card]:
    """The cards, each name once: a deck has each card once.

    Two readings of one name that lie within a card's length are of one card, unless each was read at
    both of its ends; where they lie further apart, the weaker is asked about.
    """
    kept: list[Card] = []
    for card in sorted(cards, key=lambda card: -card.strength):
        known = [i for i, k in enumerate(kept) if k.verdict and _is(card, k.verdict.face)]
        if not known or card.verdict is None:
            kept.append(card)
            continue
        twin = kept[known[0]]
        if (card.settled and twin.settled) or not _within_a_card(card, twin):
            kept.append(_doubled(card, card.verdict))
        elif not card.settled and not twin.settled and card.corner is None and twin.corner is None:
            kept[known[0]] = _whole(twin, card)
    return kept


def _whole(one: Card, other: Card) -> Card:
    """A card of which both halves were taken for cards with one index."""
    points = np.concatenate([one.quad, other.quad])
    quad = portrait(clockwise(cv2.boxPoints(cv2.minAreaRect(points))))
    return replace(one, quad=quad, settled=True)


def _is(card: Card, face: str) -> bool:
    return card.verdict is not None and card.verdict.face == face


def _within_a_card(one: Card, other: Card) -> bool:
    away = float(np.linalg.norm(one.quad.mean(axis=0) - other.quad.mean(axis=0)))
    return away < 1.1 * max(float(sides(one.quad).max()), float(sides(other.quad).max()))


def _doubled(card: Card, seen: Verdict) -> Card:
    first = Candidate(seen.face, min(0.9, seen.confidence))
    doubt = f"{seen.face} is there twice"
    return replace(card, verdict=Verdict((first, *seen.candidates[1:]), (*seen.doubts, doubt)))


def covered(cards: Sequence[Card], hidden: Sequence[Pose]) -> list[Card]:
    """Cards of a fan whose rank lies under another: they are told, and never guessed.

    Only beside indices of their size that were read, and not on a whole card, whose pips are no indices.
    """
    lone = [card.corner.pose for card in cards if card.corner is not None]
    if not lone:
        return []
    anchors = np.concatenate([card.anchors for card in cards])
    whole = [card.quad for card in cards if card.corner is None]
    usual = float(np.median([pose.height for pose in lone]))
    found = []
    for pose in hidden:
        away = float(np.linalg.norm(anchors - pose.centre, axis=1).min()) / pose.height
        alike = 0.6 < pose.height / usual < 1.6
        if alike and 0.4 < away < NEXT and not any(holds(quad, pose.centre) for quad in whole):
            corner = Corner(pose, np.zeros(len(FACES), np.float32))
            found.append(Card(card_quad(corner, INDEX), None, corner, strange=COVERED))
    return found
