"""What each part of forgiving enrolment is worth: `python -m tests.bench.sight.effects FILE.md`.

Decks are enrolled as a household does, through `companion.intake.learning`, and photos of the same kinds
read with and without each part. FILE gets a Markdown section.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from companion.intake import learning, own_decks
from companion.intake.enrolment import Source
from companion.vision import repair
from companion.vision.album_folder import TABLE, load_album
from companion.vision.gates import checked
from companion.vision.geometry import Quad
from companion.vision.load import open_photo
from companion.vision.reader import Reader
from companion.vision.report import document
from tests.bench.sight import measure
from tests.bench.sight.companion_reader import Reference
from tests.bench.sight.measure import Counts

NAME = "measured"
SECOND_LINES = {
    "standard": ("standard",),
    "touching, overlap, white, patterned": ("touching", "overlap-20", "white-table", "patterned"),
}
GOALS = {
    "standard": "found 99, right 98.5, silent 0.5, flagged 3",
    "touching, overlap, white, patterned": "found 99, right 98, silent 0.5, flagged 4",
    "felt enrolled": "found 99, right 99, silent 0, flagged 3",
    "schnapsen": "right 90, silent 0",
    "set": "found 98, right 97, silent 1, flagged 6",
}
HEAD = """## Enrolment

`python -m tests.bench.sight.effects FILE`. Decks are enrolled as `companion deck enrol` does, with and without
repair, with all photos and with one reference a card, before and after half of the photos were confirmed and
learnt. Goals in percent of the cards, silent and flagged at most; in `touching, overlap ...` the number by which
a red card and a black one differ lies hidden under a neighbour on four of the 64 cards.
"""
ERRORS = """
How far the crops of the second deck's sheets are off: the worst corner of each, percent of the card's width.
Consensus: crops registered to the mean edges of the others, taken where they agree clearly better; it is not
part of the program, since it makes good crops worse.
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """A photo to be read, with its truth as `measure` wants it."""

    file: Path
    how: str
    truth: Any
    order: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """A deck to enrol, and photos to read with it by the line of the goals that they belong to."""

    name: str
    game: str
    references: tuple[Reference, ...]
    lines: Mapping[str, tuple[Seen, ...]]


@dataclass(slots=True)
class Outcome:
    """What came of it."""

    world: str
    variant: str
    line: str
    counts: Counts = field(default_factory=Counts)
    cards: int = 0
    refused: int = 0
    doubtful: int = 0
    references: int = 0


def worlds() -> Iterator[World]:
    """The second deck from composed photos, and the decks that lie beside the project."""
    from tests.bench.sight.cache import composed_file, handheld, sheets
    from tests.bench.sight.conditions import SUITES
    from tests.bench.sight.real import real_suites

    lines = {
        line: tuple(
            Seen(file, "composed", json.loads(file.with_suffix(".json").read_text("utf-8")))
            for name in names
            for k in range(SUITES[name].photos)
            for file in [composed_file(name, "second", k)]
        )
        for line, names in SECOND_LINES.items()
    }
    for how, references in (("sheets", sheets()), ("single photos", handheld())):
        yield World(f"second, {how}", "up-the-creek", tuple(references), lines)
    real: dict[tuple[Reference, ...], World] = {}
    for suite in real_suites():
        if suite.references and "mixed" not in suite.name:
            photos = tuple(Seen(p.file, p.how, p.cards, p.order) for p in suite.photos)
            known = real.get(suite.references)
            before = dict(known.lines) if known else {}
            game = "standard-52" if "felt" in suite.name else "none"
            lines = {**before, suite.name: photos}
            real[suite.references] = World(suite.deck, game, suite.references, lines)
    yield from real.values()


@contextmanager
def household() -> Iterator[None]:
    """A folder for decks that is thrown away."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, COMPANION_DECKS=folder):
        yield


def as_cut(shots: Sequence[repair.Shot], *_: Any, **__: Any) -> Sequence[repair.Shot]:
    """Stands in for mending: nothing is."""
    return shots


def enrolled(world: World, references: Sequence[Reference], mend: bool) -> learning.Learnt:
    """Teaches the deck its photos."""
    sources = [
        Source(str(r.file), tuple(r.cards), "x" if r.order == "x" else "rows") for r in references
    ]
    with ExitStack() as stack:
        if not mend:
            stack.enter_context(patch.object(repair, "mended", as_cut))
        return learning.learn(learning.pupil(NAME, world.game, False), sources)


def read(photos: Sequence[Seen]) -> tuple[Counts, list[dict[str, Any]]]:
    """Reads photos with the deck as it is."""
    reader = Reader(load_album(own_decks.named(NAME).folder))
    counts = Counts()
    documents: list[dict[str, Any]] = []
    for seen in photos:
        image = np.asarray(cv2.imread(str(seen.file), cv2.IMREAD_COLOR), np.uint8)
        said = document("photo", NAME, reader.read(image), 1.0)
        score = (
            measure.composed(seen.truth, said)
            if seen.how == "composed"
            else measure.listed(seen.truth, seen.order, said)
        )
        counts += score.counts
        documents.append(said)
    return counts, documents


def outcomes(
    world: World, variant: str, learnt: learning.Learnt, lines: Mapping[str, Sequence[Seen]]
) -> Iterator[Outcome]:
    """The figures of one enrolment, by line."""
    index = own_decks.named(NAME).index()
    assert index is not None
    good = {entry.face for entry in index.entries if not entry.doubts}
    for line, photos in lines.items():
        yield Outcome(
            world.name,
            variant,
            line,
            read(photos)[0],
            cards=len(index.faces),
            refused=len(learnt.troubles),
            doubtful=len(set(index.faces) - good),
            references=len(index.entries),
        )


def confirmed(seen: Seen, said: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """What a person confirms of a reading: the right names, where the reader saw cards."""
    boxes = [(c["box"], c["card"]) for row in said["rows"] for c in row["cards"]]
    if seen.how != "composed":
        names = list(seen.truth)
        if seen.order.startswith("x"):
            boxes.sort(key=lambda b: sum(x for x, _ in b[0]))
        if len(names) != len(boxes):
            return [(card, box) for box, card in boxes if card in names]
        return [(name, box) for name, (box, _) in zip(names, boxes, strict=True)]
    found = []
    for box, _ in boxes:
        x, y = np.mean(box, axis=0)
        near = min(seen.truth, key=lambda t: float(np.hypot(*(np.mean(t["corners"], 0) - (x, y)))))
        off = float(np.hypot(*(np.mean(near["corners"], 0) - (x, y))))
        width = float(np.linalg.norm(np.subtract(*near["corners"][:2])))
        if off < 0.3 * width and near["visible"] > 0.98:
            found.append((near["name"], box))
    return found


def learn_at_table(photos: Sequence[Seen], documents: Sequence[dict[str, Any]]) -> int:
    """Teaches what was confirmed; how many references that gave."""
    added = 0
    who = learning.pupil_at_table(NAME)
    for seen, said in zip(photos, documents, strict=True):
        photo = open_photo(seen.file)
        cuts = [
            learning.Cut(name, photo, tuple((x, y) for x, y in box))  # type: ignore[arg-type]
            for name, box in confirmed(seen, said)
        ]
        if cuts:
            added += len(learning.learn_cuts(who, cuts, TABLE).added)
    return added


def measured(world: World) -> Iterator[Outcome]:
    """One deck: plain, mended, with one reference a card, and after half of its photos were confirmed."""
    for variant, mend in (("plain", False), ("repair", True)):
        with household():
            learnt = enrolled(world, world.references, mend)
            yield from outcomes(world, variant, learnt, world.lines)
    first = _first(world.references)
    if len(first) < len(world.references):
        for variant, mend in (("one reference, plain", False), ("one reference, repair", True)):
            with household():
                learnt = enrolled(world, first, mend)
                yield from outcomes(world, variant, learnt, world.lines)
    if "felt" in world.name:  # of its cards each lies in one photo only
        return
    half = {line: photos[0::2] for line, photos in world.lines.items()}
    rest = {line: photos[1::2] for line, photos in world.lines.items()}
    with household():
        learnt = enrolled(world, first, True)
        yield from outcomes(world, "one reference, other half of the photos", learnt, rest)
        for photos in half.values():
            learn_at_table(photos, read(photos)[1])
        yield from outcomes(world, "the same after learning the first half", learnt, rest)


def _first(references: Sequence[Reference]) -> list[Reference]:
    """Photos until every face is there once."""
    seen: set[str] = set()
    kept = []
    for reference in references:
        if not set(reference.cards) <= seen:
            kept.append(reference)
            seen |= set(reference.cards)
    return kept


def outline_errors() -> Iterator[tuple[str, list[float]]]:
    """How far the crops of the sheets are off, percent of a card's width: by the worst corner."""
    from tests.bench.sight.cache import sheets
    from tests.bench.sight.consensus import Consensus

    references = sheets()
    pictures = {str(r.file): np.asarray(cv2.imread(str(r.file)), np.uint8) for r in references}
    truth = {
        (str(r.file), card["name"]): np.array(card["corners"], np.float32)
        for r in references
        for card in json.loads(r.file.with_suffix(".json").read_text("utf-8"))
    }
    plain = [repair.shot(pictures[str(r.file)], r.cards, "rows", str(r.file)) for r in references]
    for name, shots in (
        ("plain", plain),
        ("repair", repair.mended(plain, pictures.__getitem__)),
    ):
        crops = checked([crop for one in shots for crop in one.crops])
        yield name, [_off(c.quad, truth[c.source, c.face]) for c in crops]
        agreed = Consensus(crops, pictures)
        quads = [agreed.quad(crop) for crop in crops]
        off = [_off(q, truth[c.source, c.face]) for q, c in zip(quads, crops, strict=True)]
        yield f"{name}, then consensus", off


def _off(quad: Quad, truth: Quad) -> float:
    width = float(np.linalg.norm(truth[1] - truth[0]))
    return 100 * min(float(np.abs(np.roll(quad, k, 0) - truth).max()) for k in range(4)) / width


def section(outcomes: Sequence[Outcome], errors: Mapping[str, Sequence[float]]) -> str:
    """The Markdown section."""
    titles = [
        *("deck, photos", "line", "enrolled", "goal", "faces", "doubtful", "photos refused"),
        *("references", "cards", "found", "right", "silent", "flagged"),
    ]
    lines = [HEAD, "| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for o in outcomes:
        of = max(o.counts.cards, 1)
        shares = [
            f"{100 * getattr(o.counts, part) / of:.1f} % ({getattr(o.counts, part)})"
            for part in ("found", "right", "silent", "flagged")
        ]
        goal = next((goal for line, goal in GOALS.items() if o.line.startswith(line)), "")
        cells = [o.world, o.line, o.variant, goal, o.cards, o.doubtful, o.refused, o.references]
        lines.append("| " + " | ".join(map(str, [*cells, o.counts.cards, *shares])) + " |")
    lines += [ERRORS, "| crops | number | mean | worst | over 3 % |", "|---|---|---|---|---|"]
    for name, off in errors.items():
        over = sum(value > 3 for value in off)
        lines.append(f"| {name} | {len(off)} | {np.mean(off):.2f} | {max(off):.1f} | {over} |")
    return "\n".join(lines) + "\n"


def main(words: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measures, and writes the section as it grows."""
    parser = argparse.ArgumentParser(prog="tests.bench.sight.effects", description=__doc__)
    parser.add_argument("file", type=Path, help="Markdown file to write")
    parser.add_argument("--only", default="", help="beginning of the names of decks to measure")
    options = parser.parse_args(words)
    cv2.setNumThreads(2)
    errors: dict[str, Sequence[float]] = {}
    if "second, sheets".startswith(options.only):
        errors = dict(outline_errors())
    found: list[Outcome] = []
    for world in worlds():
        if world.name.startswith(options.only):
            for one in measured(world):
                found.append(one)
                show(
                    f"{one.world}, {one.line}: {one.variant}: {one.counts}; {one.doubtful} doubtful"
                )
                options.file.write_text(section(found, errors), "utf-8")


if __name__ == "__main__":
    main()
