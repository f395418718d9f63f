"""Outlines of cards of a deck that nobody enrolled: the masks alone, the network alone, and both.

    python -m tests.bench.sight.outlines [--salt TEXT] [--results FILE] [--annotated FOLDER] [GROUP ...]

Composed photographs have exact outlines. For real ones (`../shared/photos`) the outlines are those of the
cards that the readers name rightly and surely, so what no reader sees is not counted there.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np

from companion.vision import apart, enrol
from companion.vision.geometry import Image, Quad, iou, sides
from companion.vision.outline_net.seen import NOTHING, seen_in
from companion.vision.reduce import WORK, reduced
from tests.bench.sight.cache import composed_file
from tests.bench.sight.conditions import wanted
from tests.bench.timing import machine

CLOSE = 0.85
"""Overlap (IoU) from which an outline is a card's."""
WHOLE, PART = 0.9, 0.35
"""Share of a card that shows: from where it counts as whole, and as partly covered."""
Method = Callable[[Image], Sequence[Quad]]


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture at working size; the outlines of its cards, and how much of each shows."""

    group: str
    name: str
    image: Image
    cards: tuple[tuple[Quad, float], ...]


@dataclass(slots=True)
class Tally:
    """What one method found in the pictures of a group."""

    photos: int = 0
    cards: int = 0
    found: int = 0
    covered: int = 0
    covered_found: int = 0
    ghosts: int = 0
    exact: int = 0
    """Photos with every whole card and nothing that is none."""
    seconds: float = 0.0
    off: list[float] = field(default_factory=list)
    """Of each whole card found, how far its worst corner is off, percent of its width."""

    def count(self, shot: Shot, quads: Sequence[Quad]) -> None:
        """Adds what was found in a picture."""
        used: set[int] = set()
        missed = False
        for card, shown in shot.cards:
            over = [iou(card, quad) for quad in quads]
            best = int(np.argmax(over)) if over else -1
            hit = best >= 0 and over[best] > (CLOSE if shown >= WHOLE else 0.75)
            if hit:
                used.add(best)
            if shown >= WHOLE:
                self.cards += 1
                self.found += hit
                missed |= not hit
                if hit:
                    wide = float(sides(card)[[0, 2]].mean())
                    worst = min(
                        np.abs(np.roll(quads[best], k, axis=0) - card).max() for k in range(4)
                    )
                    self.off.append(100 * float(worst) / wide)
            elif shown >= PART:
                self.covered += 1
                self.covered_found += hit
        ghosts = [q for i, q in enumerate(quads) if i not in used and not _of_a_card(q, shot)]
        self.photos += 1
        self.ghosts += len(ghosts)
        self.exact += not ghosts and not missed


def _of_a_card(quad: Quad, shot: Shot) -> bool:
    """Whether an outline is that of a card of which little shows: neither right nor wrong."""
    return any(shown < PART and iou(card, quad) > 0.6 for card, shown in shot.cards)


def composed(groups: Sequence[str], salt: str) -> Iterator[Shot]:
    """The composed photographs of the sight suites."""
    for name, deck, index in wanted():
        if groups and name not in groups:
            continue
        file = composed_file(name, deck, index, salt)
        work, scale = reduced(_opened(file), WORK)
        truth = json.loads(file.with_suffix(".json").read_text("utf-8"))
        cards = tuple((np.array(c["corners"], np.float32) * scale, c["visible"]) for c in truth)
        yield Shot(name, file.stem, work, cards)


def real(groups: Sequence[str]) -> Iterator[Shot]:
    """Real photographs of cards that lie apart, with the outlines of those that are read surely."""
    from companion.vision.index_reader.reader import IndexReader
    from tests.bench.sight import indices

    for group in indices.GROUPS:
        if (groups and f"real: {group}" not in groups) or group == "fans and columns":
            continue
        for shot in indices.real([group]):
            work, scale = reduced(shot.image, WORK)
            reading = IndexReader(shot.letters).read(shot.image)
            seen = [p.sighting for row in reading.rows for p in row]
            cards = tuple(
                (np.array(s.region, np.float32) * scale, 1.0)
                for s in seen
                if s.sure and s.face in shot.truth
            )
            yield Shot(f"real: {group}", shot.name, work, cards)


def nothing(count: int) -> Iterator[Shot]:
    """Pictures without a card."""
    from tests.bench.sight.nocard import no_card_photo

    for seed in range(count):
        work, _ = reduced(no_card_photo(seed, "second"), WORK)
        yield Shot("no card", str(seed), work, ())


def _opened(file: Path) -> Image:
    return np.asarray(cv2.imread(str(file), cv2.IMREAD_COLOR), np.uint8)


def methods() -> dict[str, Method]:
    """The ways to find outlines that are compared."""
    return {
        "masks": apart.card_outlines,
        "network": lambda image: seen_in(image).whole,
        "both": lambda image: apart.card_outlines(image, seen_in(image)),
    }


def cut(shots: Iterator[Shot]) -> Iterator[str]:
    """How many photos whose number of cards is told are cut rightly, as `deck enrol` does it."""
    counts: dict[str, list[int]] = {}
    for shot in shots:
        if any(shown < WHOLE for _, shown in shot.cards):
            continue
        row = counts.setdefault(shot.group, [0, 0, 0])
        row[0] += 1
        for place, hears in ((1, False), (2, True)):
            with patch.object(enrol, "seen_in", enrol.seen_in if hears else lambda _: NOTHING):
                quads, _ = enrol.cards_in(shot.image, len(shot.cards))
            there = (max((iou(card, q) for q in quads), default=0.0) for card, _ in shot.cards)
            row[place] += len(quads) == len(shot.cards) and all(over > CLOSE for over in there)
    yield "| photos of whole cards | number | all cut rightly: masks | both |"
    yield "|---|---|---|---|"
    total = [sum(row[i] for row in counts.values()) for i in range(3)]
    for group, row in [*counts.items(), ("all", total)]:
        yield f"| {group} | {row[0]} | {row[1]} | {row[2]} |"


def measured(shots: Iterator[Shot], folder: Path | None) -> dict[str, dict[str, Tally]]:
    """For each group and method, what was found."""
    found: dict[str, dict[str, Tally]] = {}
    ways = methods()
    for shot in shots:
        group = found.setdefault(shot.group, {name: Tally() for name in ways})
        for name, method in ways.items():
            began = time.process_time()
            quads = method(shot.image)
            group[name].seconds += time.process_time() - began
            group[name].count(shot, quads)
            if folder is not None and name != "masks":
                _draw(folder / f"{shot.group} {shot.name} {name}.jpg", shot, quads)
    return found


def _draw(file: Path, shot: Shot, quads: Sequence[Quad]) -> None:
    picture = shot.image.copy()
    for quad in quads:
        cv2.polylines(picture, [quad.round().astype(np.int32)], True, (0, 230, 0), 2)
    file.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(file), picture)


def table(found: dict[str, dict[str, Tally]]) -> Iterator[str]:
    """The figures as Markdown, one line a group and method."""
    yield f"{machine()}; `python -m tests.bench.sight.outlines`; processor seconds of one core."
    yield ""
    yield "| photos | way | whole cards | found | covered cards | found | ghosts | exact | off, % | s |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for group, ways in [
        *found.items(),
        ("all composed", _all(found, False)),
        ("all", _all(found, True)),
    ]:
        for way, t in ways.items():
            share = f"{t.found} ({100 * t.found / t.cards:.1f} %)" if t.cards else "-"
            part = (
                f"{t.covered_found} ({100 * t.covered_found / t.covered:.0f} %)"
                if t.covered
                else "-"
            )
            off = f"{np.median(t.off):.1f}" if t.off else "-"
            yield (
                f"| {group} ({t.photos}) | {way} | {t.cards} | {share} | {t.covered} | {part} "
                f"| {t.ghosts} | {t.exact} | {off} | {t.seconds / max(t.photos, 1):.2f} |"
            )


def _all(found: dict[str, dict[str, Tally]], also_real: bool) -> dict[str, Tally]:
    total: dict[str, Tally] = {}
    for group, ways in found.items():
        if group.startswith("real") and not also_real:
            continue
        for way, t in ways.items():
            sum_ = total.setdefault(way, Tally())
            for name in ("photos", "cards", "found", "covered", "covered_found", "ghosts", "exact"):
                setattr(sum_, name, getattr(sum_, name) + getattr(t, name))
            sum_.seconds += t.seconds
            sum_.off += t.off
    return total


def main() -> None:
    """Measures, prints, and writes the results where wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--salt", default="", help="other photographs of the same kinds")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--annotated", type=Path)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)

    def shots() -> Iterator[Shot]:
        yield from composed(chosen.groups, chosen.salt)
        yield from real(chosen.groups)
        if not chosen.groups or "no card" in chosen.groups:
            yield from nothing(20)

    lines = list(table(measured(shots(), chosen.annotated)))
    lines += ["", *cut(composed(chosen.groups, chosen.salt))]
    print("\n".join(lines))
    if chosen.results:
        chosen.results.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    os.nice(5)
    main()
