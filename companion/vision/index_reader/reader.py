"""Reading a photo of standard cards that nobody enrolled: by the indices in their corners.

Cards whose outline is found are read at both ends. Indices found without an outline, as in a fan, are
joined with them: two corners of one card count once, and what lies on another card counts for itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.contours import outlines, shapes_of
from companion.vision.find import clash
from companion.vision.geometry import (
    Floats,
    Image,
    Pyramid,
    Quad,
    as_floats,
    aspect,
    clockwise,
    homography,
    mapped,
    portrait,
    sides,
    turned,
    upright,
)
from companion.vision.index_reader import agreement
from companion.vision.index_reader.agreement import Verdict
from companion.vision.index_reader.classes import FACES, HIGH, JOKER, LABELS, LETTERS, WIDE
from companion.vision.index_reader.detect import Corner, Pose, find_corners
from companion.vision.index_reader.network import IndexNet
from companion.vision.judge import as_region
from companion.vision.reduce import WORK, reduced
from companion.vision.rows import arranged
from companion.vision.sighting import Candidate, Placed, Reading, Sighting, Warn
from companion.vision.unknown import unknown_cards

ASPECT = 1.42
"""Height over width of a card whose own shape nothing tells."""
_WINDOWS = (0.26, 0.42)
"""Widths, in card widths, of the corners that are looked at: usual indices, and jumbo ones."""
_CLOSER = (0.215, 0.32)
"""The same once there is a sign of an index."""
_SIGN = 0.01
"""Share of any rank from which an outline is worth a closer look."""
_INDEX = 4.3
"""Width of a card over the height of its index, where no whole card tells."""
_ASIDE, _BELOW = 0.36, 0.72
"""From the card's corner to the middle of its index, index heights."""
_STRANGE = 0.6
"""Share from which both ends make a card a joker, or one with a letter that is no rank here."""
_MOST = 90
"""Most outlines that are looked into."""
_BATCH = 8
"""Outlines that are looked into at once."""
_REACH = 9.0
"""Index heights within which two corners of one name are one card's."""
_NEXT = 2.6
"""Index heights from one index of a fan to the next, at most."""
_TIGHT = 0.2
"""Share of lone corners in doubt from which the cards have to be spread."""
_UNREAD = "no index can be read: a back, or spoilt, or of no standard deck"
COVERED = "covered"
SPREAD = "spread-the-cards"
"""Code of the warning that too little of the indices is to be seen."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card read: its outline, whole or guessed from one corner, and what it is."""

    quad: Quad
    verdict: Verdict | None
    """None: a joker, or a card with a letter that is no rank here."""
    corner: Corner | None = None
    """Where nothing but a corner was found."""
    settled: bool = False
    """Whether both of its ends have said the same."""
    strange: str = ""
    """Why a card has no name: the letter on it, `joker`, or `covered`."""

    @property
    def strength(self) -> float:
        """For choosing between readings of one place."""
        return _STRANGE if self.verdict is None else agreement.strength(self.verdict)

    @property
    def anchors(self) -> Floats:
        """Where its index stands, or its indices, (n, 2)."""
        if self.corner is not None:
            return self.corner.pose.centre[None]
        across, down = self.quad[1] - self.quad[0], self.quad[3] - self.quad[0]
        shift = 0.12 * across + 0.14 * down
        return as_floats([self.quad[0] + shift, self.quad[2] - shift])

    @property
    def sighting(self) -> Sighting:
        """As the rest of the program knows it."""
        region = self.quad if self.corner is None else self.corner.region
        if self.verdict is None:
            doubt = {JOKER: "a joker", COVERED: "its rank is covered"}.get(
                self.strange, f"{self.strange} stands on it, which is no rank here"
            )
            return Sighting(as_region(region), doubts=(doubt,))
        seen = self.verdict
        return Sighting(as_region(region), seen.candidates, seen.sure, doubts=seen.doubts)


@dataclass(frozen=True, slots=True)
class View:
    """What a photo shows before it is put into rows."""

    cards: tuple[Card, ...]
    others: tuple[Quad, ...]
    """Outlines of cards that could not be read."""


class IndexReader:
    """Reads photos of any standard deck; `letters` stand on jack, queen and king."""

    def __init__(self, letters: str = "JQK") -> None:
        self._net = IndexNet(letters)

    def read(self, image: Image) -> Reading:
        """What an upright photo (BGR) shows."""
        return reading_of(self.look(image))

    def look(self, image: Image) -> View:
        """The cards of an upright photo (BGR), in no order."""
        pyramid = Pyramid(image)
        work, scale = reduced(image, WORK)
        quads = [as_floats(quad / scale) for quad in outlines(shapes_of(work), most=_MOST)]
        outlined = self.outlined(pyramid, quads)
        settled = [card.quad for card in outlined if card.settled]
        height = None
        if settled:
            height = float(np.median([sides(quad)[[0, 2]].mean() for quad in settled])) / _INDEX
        corners = find_corners(pyramid, self._net, height, settled)
        cards = joined(outlined, corners.found)
        cards += _covered(cards, corners.hidden)
        return View(tuple(cards), tuple(_unread(work, scale, quads, cards)))

    def outlined(self, pyramid: Pyramid, quads: Sequence[Quad]) -> list[Card]:
        """Those outlines that are cards by their corners, the clearest of each place.

        What lies over a card that both ends have named is not looked into any more.
        """
        cards: list[Card] = []
        left = list(quads)
        while left:
            settled = [card.quad for card in cards if card.settled]
            left = [quad for quad in left if not any(clash(quad, known) for known in settled)]
            cards += self._cards(pyramid, left[:_BATCH])
            left = left[_BATCH:]
        cards.sort(key=lambda card: -card.strength)
        kept: list[Card] = []
        for card in cards:
            if not any(clash(card.quad, other.quad) for other in kept):
                kept.append(card)
        return kept

    def _cards(self, pyramid: Pyramid, quads: Sequence[Quad]) -> list[Card]:
        """What the corners of these outlines say, where they say anything."""
        ends = [end for quad in map(upright, quads) for end in _ends(quad)]
        faces, none = self._windows(pyramid, ends, _WINDOWS)
        likely = np.maximum(faces.max(axis=1), none.max(axis=1)).reshape(-1, 2).max(axis=1)
        some = [i for i in range(len(ends)) if likely[i // 2] > _SIGN]
        if some:  # most outlines are no card's: they are not worth a closer look
            more, others = self._windows(pyramid, [ends[i] for i in some], _CLOSER)
            faces[some] = np.maximum(faces[some], more)
            none[some] = np.maximum(none[some], others)
        cards = []
        for i in range(0, len(ends), 2):
            one, other = faces[i], faces[i + 1]
            strange = none[i : i + 2].min(axis=0)
            if strange.max() > max(_STRANGE, float(one.max()), float(other.max())):
                cards.append(Card(ends[i], None, strange=LABELS[int(strange.argmax())]))
            elif (verdict := agreement.of_ends(one, other)) is not None:
                both = (
                    one.argmax() == other.argmax() and min(one.max(), other.max()) >= agreement.BOTH
                )
                cards.append(Card(ends[i], verdict, settled=bool(both)))
        return cards

    def _windows(
        self, pyramid: Pyramid, ends: Sequence[Quad], windows: Sequence[float]
    ) -> tuple[Floats, Floats]:
        """The most that any window on each end says for each card, and for what is no rank."""
        patches = [corner_patch(pyramid, end, window) for end in ends for window in windows]
        glances = self._net.look(patches)
        faces = glances.faces.reshape(len(ends), len(windows), len(FACES)).max(axis=1)
        none = glances.none.reshape(len(ends), len(windows), len(LABELS)).max(axis=1)
        return as_floats(faces), as_floats(none)


def _covered(cards: Sequence[Card], hidden: Sequence[Pose]) -> list[Card]:
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
        if alike and 0.4 < away < _NEXT and not any(_holds(quad, pose.centre) for quad in whole):
            corner = Corner(pose, np.zeros(len(FACES), np.float32))
            found.append(Card(card_quad(corner, _INDEX), None, corner, strange=COVERED))
    return found


def _unread(work: Image, scale: float, quads: Sequence[Quad], cards: Sequence[Card]) -> list[Quad]:
    """Outlines of cards that nothing was read of: backs, and what is spoilt or too small."""
    height, width = work.shape[:2]
    anchors = [point for card in cards for point in card.anchors]
    free = [
        quad
        for quad in quads
        if not _cut_off(as_floats(quad * scale), width, height)
        and not any(_holds(quad, anchor) for anchor in anchors)
    ]
    known = [as_floats(card.quad * scale) for card in cards]
    found = unknown_cards(work, [as_floats(quad * scale) for quad in free], known, ASPECT)
    return [as_floats(quad / scale) for quad in found]


def _cut_off(quad: Quad, width: int, height: int) -> bool:
    """Whether an outline touches the edge of the picture: of a thing that is cut nothing can be said."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool((low < 3).any() or high[0] > width - 3 or high[1] > height - 3)


def _ends(quad: Quad) -> list[Quad]:
    """Both ends of a card, each as if it were the upper one; of one seen askew, of all four sides."""
    quarters = (0, 2) if aspect(quad) > 1.12 else (0, 2, 1, 3)
    return [turned(quad, quarter) for quarter in quarters]


def corner_patch(pyramid: Pyramid, quad: Quad, window: float) -> Image:
    """The card's upper left corner, that many card widths wide, as the network wants it."""
    card = np.array([[0, 0], [1, 0], [1, ASPECT], [0, ASPECT]], np.float32)
    tall = window * HIGH / WIDE
    place = np.array([[0, 0], [window, 0], [window, tall], [0, tall]], np.float32)
    return pyramid.rectify(mapped(place, homography(card, quad)), WIDE, HIGH)


def joined(cards: Sequence[Card], corners: Sequence[Corner]) -> list[Card]:
    """Cards by outline, and those of which only corners were found; each once."""
    found = [card for card in cards if not _of_several(card, corners)]
    loose: list[Corner] = []
    for corner in corners:
        verdict = agreement.of_corner(corner.faces)
        if verdict is None:
            continue
        under = [i for i, card in enumerate(found) if _holds(card.quad, corner.pose.centre)]
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
        if _holds(card.quad, corner.pose.centre)
        and (verdict := agreement.of_corner(corner.faces)) is not None
        and verdict.sure
    }
    return card.verdict.face in inside and len(inside) > 1


def _holds(quad: Quad, point: Floats) -> bool:
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
    return float(np.clip(np.median(ratios), 2.0, 6.5)) if ratios else _INDEX


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


def reading_of(view: View, warnings: Sequence[Warn] = ()) -> Reading:
    """The cards in rows, with what is to be said of the photo."""
    told = (*warnings, *_warnings(view))
    fans = _fans(view.cards)
    fanned = {id(card) for fan in fans for card in fan}
    apart = [card for card in view.cards if id(card) not in fanned]
    sightings = [card.sighting for card in apart]
    sightings += [Sighting(as_region(quad), doubts=(_UNREAD,)) for quad in view.others]
    quads = [*(card.quad for card in apart), *view.others]
    rows = [
        tuple(Placed(column, sightings[card]) for card, column in row)
        for row in (arranged(quads).rows if quads else ())
    ]
    rows += [tuple(Placed(i, card.sighting) for i, card in enumerate(fan, 1)) for fan in fans]
    if fans:
        rows.sort(key=lambda row: min(placed.sighting.centre[1] for placed in row))
    return Reading(tuple(rows), told)


def _fans(cards: Sequence[Card]) -> list[list[Card]]:
    """Cards that overlap in fans, columns and strips, each from left to right or from top to bottom."""
    lone = [card.corner.pose for card in cards if card.corner is not None]
    if not lone:
        return []
    reach = _NEXT * float(np.median([pose.height for pose in lone]))
    groups: list[list[Card]] = []
    for card in cards:
        near = [g for g in groups if any(_beside(card, other, reach) for other in g)]
        groups = [g for g in groups if not any(g is n for n in near)]
        groups.append([card, *(other for group in near for other in group)])
    fans = [g for g in groups if len(g) > 1 and any(card.corner is not None for card in g)]
    for fan in fans:
        at = np.array([card.anchors[0] for card in fan])
        axis = int(np.ptp(at[:, 1]) > 1.3 * np.ptp(at[:, 0]))
        fan.sort(key=lambda card: float(card.anchors[0][axis]))
    return fans


def _beside(one: Card, other: Card, reach: float) -> bool:
    if one.corner is None and other.corner is None:
        return False
    away = np.linalg.norm(one.anchors[:, None] - other.anchors[None], axis=2)
    return float(away.min()) < reach


def _warnings(view: View) -> list[Warn]:
    found = []
    lone = [card for card in view.cards if card.corner is not None]
    unsure = [c for c in lone if c.verdict is None or not c.verdict.sure]
    covered = any(card.strange == COVERED for card in view.cards)
    if covered or len(unsure) > max(1, _TIGHT * len(lone)):
        cards = "1 card" if len(unsure) == 1 else f"{len(unsure)} cards"
        text = (
            f"of {cards} too little is to be seen, and of others perhaps nothing: spread the cards, so "
            "that rank and suit of each lie free"
        )
        found.append(Warn(SPREAD, text))
    strange = sorted({card.strange for card in view.cards} - {"", JOKER, COVERED})
    if strange:
        verb = "stands" if len(strange) == 1 else "stand"
        text = (
            f"{' and '.join(strange)} {verb} on cards: say what jack, queen and king carry "
            f"(--letters {', '.join(LETTERS[1:-1])} or {LETTERS[-1]})"
        )
        found.append(Warn("court-letters", text))
    if not view.cards:
        if view.others:
            text = "outlines of cards, but no index that can be read: backs, too small, or blurred?"
        else:
            text = "no standard card is to be seen: are they face up, near and sharp?"
        found.append(Warn("no-cards", text))
    return found
