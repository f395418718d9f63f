"""Standard decks that nobody enrolled, measured group by group.

    python -m tests.bench.sight.indices [--results FILE] [--annotated FOLDER] [GROUP ...]

Real photographs lie beside the project (`../shared/photos`). Composed ones show eight decks drawn by
code in typefaces that were kept from training (Debian's font packages, see the model card); without those
fonts they are left out.
"""

import argparse
import csv
import json
import os
import resource
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.index_reader.card_faces import PER_MM, Style, draw, random_style
from companion.vision.index_reader.classes import JOKER, RANKS
from companion.vision.index_reader.reader import IndexReader
from companion.vision.index_reader.typefaces import Typeface, printed_suits, typefaces
from companion.vision.report import document
from tests.bench.sight.compose import Condition, Image, compose
from tests.bench.sight.conditions import seed_of
from tests.bench.sight.measure import Counts, Fault, Score, composed, listed, nothing, said_in
from tests.bench.sight.real import PHOTOS
from tests.bench.timing import machine

GROUPS = {
    "felt": ("sergio",),
    "dark wood": ("rdpong_8cards", "rdpong_10clubs", "rdpong_Kclubs", "rdpong_9spades"),
    "green blanket": ("rdpong_green",),
    "defaced card": ("rdpong_Jhearts",),
    "jumbo index, glare": ("jacky",),
    "black leather": ("arnab",),
    "industrial camera": ("wmc",),
    "Dutch letters": ("mine",),
    "German letters, half of them overlapped": ("schnapsen",),
    "fans and columns": ("bidly",),
}
"""Beginnings of the files of each group of real photographs, or of the deck's name."""
LETTERS = {"Dutch letters": "BVH", "German letters, half of them overlapped": "BDK"}
DECKS = range(8, 16)
"""Numbers of the drawn decks that are measured; 0 to 7 were looked at while the rules were set."""
_APART = Condition(any_way=0.5, turn=12.0, jitter=0.06)
_CLOSE = replace(_APART, jitter=0.012, turn=1.6, bend=(0, 0.6), any_way=0.0)
CONDITIONS: dict[str, tuple[Condition, tuple[int, ...]]] = {
    "composed: tricks apart": (_APART, (4,)),
    "composed: two rows": (_APART, (5, 5)),
    "composed: white table": (replace(_APART, tables=("white",)), (4, 3)),
    "composed: light wood": (replace(_APART, tables=("wood",)), (4, 4)),
    "composed: patterned cloth": (replace(_APART, tables=("checks", "flowers", "stripes")), (4, 3)),
    "composed: tilt 25": (replace(_APART, tilt=(22, 25), yaw=(-8, 8), roll=(-9, 9)), (4, 4)),
    "composed: blurred": (replace(_APART, blur=(4, 6), motion=(4, 9)), (4,)),
    "composed: touching": (replace(_CLOSE, gap=(0.0, 0.015)), (6,)),
    "composed: strips (overlap 75 %)": (replace(_CLOSE, gap=(-0.76, -0.72)), (9,)),
}
"""How the drawn decks lie, and the cards of each row."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo of a group, what is on it, and how it is counted."""

    group: str
    name: str
    image: Image
    letters: str
    truth: tuple[Any, ...]
    how: str
    """`composed`, `x-centre`, `-`, or `corners`."""

    def score(self, said: Mapping[str, Any]) -> Score:
        """What a reader made of it."""
        if self.how == "composed":
            return composed(self.truth, _whole(self.truth, said))
        if self.how == "corners":
            return by_corners(self.truth, said, self.image.shape)
        if self.how == "nothing":
            return nothing(said)
        return listed(self.truth, self.how, said)


def real(groups: Sequence[str]) -> Iterator[Shot]:
    """The real photographs of these groups."""
    if not (PHOTOS / "manifest.csv").is_file():
        return
    with (PHOTOS / "manifest.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for group in groups:
        for line in rows:
            name = Path(line["file"]).stem
            begins = name if line["deck"] == "standard-52" else line["deck"]
            if not begins.startswith(GROUPS[group]):
                continue
            file = PHOTOS / line["file"]
            image = np.asarray(cv2.imread(str(file), cv2.IMREAD_COLOR), np.uint8)
            letters = LETTERS.get(group, "JQK")
            if line["kind"] == "fan":
                labels = json.loads(file.with_suffix(".labels.json").read_text("utf-8"))
                yield Shot(group, name, image, letters, tuple(labels), "corners")
            else:
                yield Shot(group, name, image, letters, tuple(line["truth"].split()), line["order"])


def _whole(truth: Sequence[Any], said: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document, each card of which only a corner was found in the place of the card it stands on."""

    def card(seen: Mapping[str, Any]) -> Mapping[str, Any]:
        box = np.array(seen["box"], np.float32)
        middle = tuple(map(float, box.mean(axis=0)))
        for other in truth:
            corners = np.array(other["corners"], np.float32)
            small = cv2.contourArea(box) < 0.3 * cv2.contourArea(corners)
            if small and cv2.pointPolygonTest(corners, middle, False) >= 0:
                return {**seen, "box": other["corners"]}
        return seen

    rows = [{**row, "cards": [card(seen) for seen in row["cards"]]} for row in said["rows"]]
    return {**said, "rows": rows}


def by_corners(labels: Sequence[Any], said: Mapping[str, Any], shape: Sequence[int]) -> Score:
    """A fan, whose truth is boxes around corners: by place; a card counts once, wherever it is named.

    Right here is right and sure, as the goal for fans has it.
    """
    high, wide = shape[:2]
    corners = []
    for label in labels:
        box = label["relative_coordinates"]
        middle = np.array([box["center_x"] * wide, box["center_y"] * high])
        corners.append(
            (label["name"].upper(), middle, max(box["width"] * wide, box["height"] * high))
        )
    names = {name for name, _, _ in corners}
    counts, faults, seen = Counts(cards=len(names)), [], set()
    for card in said_in(said):
        assert card.box is not None
        here = [
            name
            for name, middle, size in corners
            if np.linalg.norm(card.box.mean(axis=0) - middle) < 0.8 * size
            or cv2.pointPolygonTest(card.box.astype(np.float32), tuple(map(float, middle)), True)
            > -0.1 * size
        ]
        place = "x {:.0f}, y {:.0f}".format(*card.box.mean(axis=0))
        if card.name is None or not (card.sure or here):
            continue
        if card.name in here:
            if card.name not in seen:
                seen.add(card.name)
                counts.found += 1
                counts.right += card.sure
                counts.flagged += not card.sure
            continue
        truth = here[0] if here else None
        kind = "silent" if card.sure else "doubted"
        setattr(counts, kind, getattr(counts, kind) + 1)
        counts.ghosts += not here
        faults.append(Fault(kind, place, truth, card.name, card.sure))
    faults += [Fault("missed", "fan", name, None, False) for name in sorted(names - seen)]
    return Score(counts, tuple(faults))


@lru_cache(maxsize=1)
def _held() -> list[Typeface]:
    return typefaces()[1]


@lru_cache(maxsize=16)
def style_of(number: int) -> Style:
    """A drawn deck whose letters and printed suits were kept from training."""
    rng = np.random.default_rng(seed_of("index deck", number))
    faces = _held()
    style = random_style(rng, faces, printed_suits(faces))
    return replace(style, one_end=False, rank_high=min(style.rank_high, 16.0))


@lru_cache(maxsize=2)
def pictures(number: int) -> Mapping[str, Image]:
    """The cut-outs of a drawn deck, RGBA."""
    style = style_of(number)
    found = {}
    for suit in "SHCD":
        for rank in RANKS:
            found[rank + suit] = cut_out(draw(style, rank, suit).picture)
    found[JOKER] = cut_out(draw(style, JOKER, "S").picture)
    return found


def cut_out(picture: Image) -> Image:
    """A drawn card (BGR) with round corners, RGBA, at a size that photographs need."""
    big = cv2.resize(picture, None, fx=1.7, fy=1.7, interpolation=cv2.INTER_CUBIC)
    high, wide = big.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    r = round(1.7 * 3.2 * PER_MM)
    cv2.rectangle(mask, (r, 0), (wide - r, high), 255, -1)
    cv2.rectangle(mask, (0, r), (wide, high - r), 255, -1)
    for x in (r, wide - r - 1):
        for y in (r, high - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.dstack([big[..., ::-1], mask]).astype(np.uint8)


def drawn(group: str) -> Iterator[Shot]:
    """The composed photographs of a group: one of each deck."""
    condition, rows = CONDITIONS[group]
    for number in DECKS if _held() else ():
        rng = np.random.default_rng(seed_of(group, number))
        deck = {name: card for name, card in pictures(number).items() if name != JOKER}
        names = list(rng.choice(sorted(deck), sum(rows), replace=False))
        laid = [[str(names.pop()) for _ in range(count)] for count in rows]
        photo = compose(deck, laid, condition, rng)
        truth = tuple(
            {"name": c.name, "corners": c.corners, "row": c.row, "column": c.column, "visible": 1.0}
            for c in photo.cards
        )
        how = "composed"
        if "strips" in group:
            truth, how = tuple(_corner_labels(photo, style_of(number))), "corners"
        yield Shot(group, f"deck {number}", photo.image, "JQK", truth, how)


def _corner_labels(photo: Any, style: Style) -> Iterator[Mapping[str, Any]]:
    """Where the indices of composed cards stand, in the form of the real labels; hidden ones too."""
    high, wide = photo.image.shape[:2]
    card = draw(style, "8", "S")
    left, top, right, bottom = card.index
    middle = np.array([(left + right) / 2 / style.width, (top + bottom) / 2 / style.height])
    for placed in photo.cards:
        a, b, _, d = (np.array(p) for p in placed.corners)
        places = [middle, 1 - middle]
        if style.corners == 4:
            places += [np.array([1 - x, y]) for x, y in places]
        for x, y in places:
            at = a + x * (b - a) + y * (d - a)
            size = np.linalg.norm(d - a) * (bottom - top) / style.height
            yield {
                "name": placed.name,
                "relative_coordinates": {
                    "center_x": at[0] / wide,
                    "center_y": at[1] / high,
                    "width": size / wide,
                    "height": size / high,
                },
            }


@dataclass(slots=True)
class Group:
    """What was counted in a group."""

    name: str
    photos: int
    counts: Counts
    sure: int
    seconds: float
    faults: list[tuple[str, Fault]]


def measured(shots: Iterator[Shot], name: str, annotated: Path | None) -> Group | None:
    """Reads the photographs of a group."""
    group = Group(name, 0, Counts(), 0, 0.0, [])
    readers: dict[str, IndexReader] = {}
    for shot in shots:
        reader = readers.setdefault(shot.letters, IndexReader(shot.letters))
        began = time.process_time()
        reading = reader.read(shot.image)
        group.seconds += time.process_time() - began
        score = shot.score(document(shot.name, "standard-52", reading, 0.0))
        group.photos += 1
        group.counts += score.counts
        group.faults += [(shot.name, fault) for fault in score.faults]
        if annotated is not None:
            from companion.vision.annotate import write_annotated

            file = f"{name} {shot.name}.png".replace(":", "").replace(" ", "-")
            write_annotated(shot.image, reading, annotated / file)
    return group if group.photos else None


def table(groups: Sequence[Group], command: str) -> Iterator[str]:
    """The figures as Markdown."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield "## Standard decks that nobody enrolled"
    yield ""
    yield f"{machine()}; `{command}`; processor seconds of one core; at most {peak} MB."
    yield ""
    yield "Counted by place. Right: named as it is, sure or not (fans: sure). Silent: sure and wrong, or sure where"
    yield "no card lies. Flagged: right but unsure. Ghosts: listed where no card lies."
    yield ""
    yield "| group | photos | cards | found | right | silent | flagged | ghosts | s a photo |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for group in groups:
        c = group.counts
        cells = [
            c.cards,
            *(f"{n} ({100 * n / c.cards:.1f} %)" if c.cards else n for n in (c.found, c.right)),
            c.silent,
            c.flagged,
            c.ghosts,
        ]
        told = " | ".join(map(str, cells))
        yield f"| {group.name} | {group.photos} | {told} | {group.seconds / group.photos:.2f} |"
    yield ""
    yield "What went wrong:"
    yield ""
    for group in groups:
        for name, fault in group.faults:
            said = f"{fault.said}{'' if fault.sure else '?'}" if fault.said else "nothing"
            yield f"- {group.name}, {name}, {fault.place}: {fault.kind}, {fault.truth or 'no card'} read as {said}"


def main() -> None:
    """Measures, prints, and writes the results where wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--annotated", type=Path)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    if chosen.annotated is not None:
        chosen.annotated.mkdir(parents=True, exist_ok=True)
    names = [
        n for n in (*GROUPS, *CONDITIONS) if not chosen.groups or any(g in n for g in chosen.groups)
    ]
    groups = []
    for name in names:
        shots = real([name]) if name in GROUPS else drawn(name)
        group = measured(shots, name, chosen.annotated)
        if group is not None:
            groups.append(group)
            print(name, group.counts, f"{group.seconds / group.photos:.2f} s", flush=True)
    lines = list(table(groups, "python -m tests.bench.sight.indices"))
    print("\n".join(lines))
    if chosen.results:
        chosen.results.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    os.nice(5)
    main()
