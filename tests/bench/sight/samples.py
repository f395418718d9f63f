"""Makes the photographs of `samples/photos`, each with its truth beside it: `python -m tests.bench.sight.samples`.

They are composed of the drawn cards, as a household prints them; a seed is a photograph.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from card_catalog.faces import cutout, faces
from card_catalog.loader import shipped_deck
from tests.bench.sight.compose import Condition, Image, Photo, compose

FOLDER = Path(__file__).parents[3] / "samples" / "photos"
LARGEST = 350_000
"""Bytes of a photograph."""
COINS = {"white": 2, "red": 4, "blue": 5, "green": 6, "purple": 8, "yellow": 10}
"""Printed on the chests: made up, as a household tells them with `--numbers`; no rulebook has them."""
_CALM = Condition(
    long_side=2000, noise=(0.6, 1.2), quality=(74, 74), sharpen=(0, 0.2), jitter=0.025
)
"""Little noise, so that the files are small."""
_CLOSE = replace(_CALM, gap=(-0.2, -0.15), jitter=0.012, turn=1.6, bend=(0, 0.6))


@dataclass(frozen=True, slots=True)
class Sample:
    """A photograph: what lies in it, `.` for a gap, and how it is taken."""

    name: str
    deck: str
    rows: tuple[str, ...]
    condition: Condition
    seed: int
    titled: bool = False


SAMPLES = (
    Sample(
        "creek-ana",
        "up-the-creek",
        (
            "bow paddler-1:red bear-a bear-b bear-hunter eagle furs stern",
            "paddler-bow:black horse-a cowboy stern . bow totem dynamite paddler-stern:red",
            ". . wigwam tobacco . lasso:black shaman:red",
        ),
        replace(_CALM, tables=("wood",), gap=(0.1, 0.2)),
        1,
    ),
    Sample(
        "creek-ben",
        "up-the-creek",
        (
            "bow gold-a gold-b prospector paddlers-2:red stern",
            ". bow logs-a logs-b middle paddler-stern:black",
            "paddler-bow:red cannon-b soldier squaw firewater tobacco wigwam paddler-1:black stern",
        ),
        replace(_CALM, tables=("cloth",), gap=(0.08, 0.16), tilt=(10, 14)),
        2,
    ),
    Sample(
        "creek-overlapping",
        "up-the-creek",
        ("bow paddler-1:black buffalo-a buffalo-b buffalo-hunter chief:red totem stern",),
        replace(_CLOSE, tables=("felt",)),
        3,
    ),
    Sample(
        "creek-glare",
        "up-the-creek",
        ("bow eagle horse-a horse-b chief:black stern",),
        replace(_CALM, tables=("dark",), glare=2, glare_strength=(0.75, 0.85)),
        4,
    ),
    Sample(
        "creek-titles",
        "up-the-creek",
        ("eagle furs tobacco wigwam", "dynamite totem firewater soldier"),
        replace(_CALM, tables=("dark",), gap=(0.15, 0.25)),
        5,
        titled=True,
    ),
    Sample(
        "gold-chests",
        "gold-up",
        (
            "chest-white chest-white chest-white chest-red chest-red",
            "chest-blue chest-green chest-purple chest-yellow",
        ),
        replace(_CALM, tables=("wood",)),
        6,
    ),
)


def pictures_of(sample: Sample) -> Mapping[str, Image]:
    """The cut-outs of a sample's faces, chests with their coins."""
    deck = shipped_deck(sample.deck)
    wanted = {name for row in sample.rows for name in row.split()}
    coins = {f"chest-{colour}": number for colour, number in COINS.items()}
    drawn = faces(deck, sample.titled, coins if sample.deck == "gold-up" else {})
    found = {f.name: f for f in drawn if f.name in wanted}
    return {name: np.asarray(cutout(face, 900), np.uint8) for name, face in found.items()}


def photo_of(sample: Sample) -> Photo:
    """The photograph of a sample."""
    rows = [[None if name == "." else name for name in row.split()] for row in sample.rows]
    numbers = {f"chest-{colour}": number for colour, number in COINS.items()}
    rng = np.random.default_rng(sample.seed)
    return compose(pictures_of(sample), rows, sample.condition, rng, numbers)


def truth_of(sample: Sample, photo: Photo) -> dict[str, Any]:
    """What lies in the photograph, for the file beside it."""
    cards = [
        {
            "card": card.name,
            "row": card.row,
            "column": card.column,
            "number": card.number,
            "visible": card.visible,
            "corners": [[round(x, 1) for x in point] for point in card.corners],
        }
        for card in photo.cards
    ]
    return {"deck": sample.deck, "rows": list(sample.rows), "cards": cards}


def text_of(truth: Mapping[str, Any]) -> str:
    """The truth as JSON, one card a line."""
    lines = [json.dumps(card) for card in truth["cards"]]
    head = json.dumps({k: v for k, v in truth.items() if k != "cards"}, indent=1)[:-2]
    return f'{head},\n "cards": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def main() -> None:
    """Makes all, or those named."""
    for sample in SAMPLES:
        if len(sys.argv) > 1 and sample.name not in sys.argv[1:]:
            continue
        photo = photo_of(sample)
        if len(photo.jpeg) > LARGEST:
            sys.exit(f"{sample.name}: {len(photo.jpeg)} bytes; lower its quality")
        (FOLDER / f"{sample.name}.jpg").write_bytes(photo.jpeg)
        (FOLDER / f"{sample.name}.json").write_text(text_of(truth_of(sample, photo)), "utf-8")
        print(f"{sample.name}: {len(photo.jpeg) // 1000} kB")


if __name__ == "__main__":
    main()
