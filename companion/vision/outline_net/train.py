"""Trains the outline finder from nothing but code and typefaces, and writes `model.onnx`.

    python -m companion.vision.outline_net.train

needs the extra `train` and the font packages of the index reader's `MODEL_CARD.md`. The seed is fixed.
Scenes are drawn once into files in the working folder, which can be thrown away afterwards.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.index_reader.patches import Studio
from companion.vision.index_reader.typefaces import printed_suits, typefaces
from companion.vision.onnx_file import OnnxFile
from companion.vision.outline_net.network import (
    CLASSES,
    HIGH,
    INSIDE,
    RIM,
    STEP,
    TABLE,
    WIDE,
    example,
)
from companion.vision.outline_net.scenes import MOST, SIDE, scene
from companion.vision.training import Task, drawn, options

SEED = 46_052
CHUNK = 250
"""Scenes drawn with one seed."""
COUNT, VALIDATION = 12_000, 500
EPOCHS = 6
BATCH = 16
CROP = 256
"""Pixels of the part of a scene that is learnt from at once."""
HERE = Path(__file__).parent
WEIGHTS = HERE / "model.onnx"
_STUDIOS: dict[bool, Studio] = {}


def main() -> None:
    """Draws the scenes where they are missing, trains, and writes the weights."""
    chosen = options(__doc__, "outline-training", COUNT, EPOCHS, WEIGHTS)
    train = _drawn(chosen.work / "train", chosen.count, False, chosen.jobs)
    held = _drawn(chosen.work / "held", VALIDATION, True, chosen.jobs)
    if not chosen.only_draw:
        fit(train, held, chosen)


Data = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""Scenes (n, SIDE, SIDE, 3), and corners of their cards (n, MOST, 4, 2); one that is all nought is none."""


def _drawn(stem: Path, count: int, held: bool, jobs: int) -> Data:
    return drawn(_chunk, CHUNK, stem, count, held, jobs)


def _chunk(task: Task) -> tuple[int, NDArray[np.uint8], NDArray[np.float32]]:
    held, start, count = task
    cv2.setNumThreads(1)
    if held not in _STUDIOS:
        faces = typefaces()[int(held)]
        _STUDIOS[held] = Studio(faces, printed_suits(faces))
    rng = np.random.default_rng([SEED, int(held), start])
    pictures: NDArray[np.uint8] = np.empty((count, SIDE, SIDE, 3), np.uint8)
    cards: NDArray[np.float32] = np.zeros((count, MOST, 4, 2), np.float32)
    for i in range(count):
        drawn_scene = scene(rng, _STUDIOS[held])
        pictures[i] = drawn_scene.picture
        cards[i, : len(drawn_scene.quads)] = drawn_scene.quads or 0
    return start, pictures, cards


def fit(train: Data, held: Data, chosen: argparse.Namespace) -> None:
    """Trains on the first, says how it does on the second, and writes the weights."""
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(chosen.threads)
    net = network().to(memory_format=torch.channels_last)
    print(sum(p.numel() for p in net.parameters()), "parameters", flush=True)
    steps = chosen.epochs * (len(train[0]) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps, pct_start=0.1)
    rng = np.random.default_rng(SEED)
    began, done = time.time(), 0
    for epoch in range(chosen.epochs):
        net.train()
        order, total = rng.permutation(len(train[0])), 0.0
        for i in range(0, len(order) - BATCH + 1, BATCH):
            batch = [varied(rng, train[0][k], _laid(train[1][k])) for k in order[i : i + BATCH]]
            pictures = _plain(torch, np.stack([picture for picture, _ in batch]))
            wanted = np.stack([targets(cards, CROP) for _, cards in batch])
            loss = _loss(torch, net(pictures), wanted)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            value = float(loss.detach())
            total, done = total + value, done + 1
            if done % 50 == 0:
                print(
                    f"step {done}/{steps} loss {value:.3f} {time.time() - began:.0f} s", flush=True
                )
        print(f"epoch {epoch + 1}: loss {total / (len(order) // BATCH):.4f}", flush=True)
        write_onnx(net, chosen.out)
    print("held out", _held(torch, net, held), flush=True)
    if chosen.examples is not None:
        picture = example()
        with torch.no_grad():
            classes = net.eval()(_plain(torch, picture[None]))
        np.savez_compressed(chosen.examples, classes=classes.numpy()[0, :, ::12, ::12])


def network() -> Any:
    """The untrained network: five halvings, four doublings with what was seen before, three classes."""
    from torch import nn

    def block(inputs: int, outputs: int, stride: int = 1) -> Any:
        return nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        )

    class OutlineNet(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
        def __init__(self) -> None:
            super().__init__()
            seen, wide = (16, 32, 48, 72, 96), (24, 40, 48, 64)
            self.down = nn.ModuleList(
                [
                    nn.Sequential(block(3, 16, 2)),
                    nn.Sequential(block(16, 32, 2), block(32, 32)),
                    nn.Sequential(block(32, 48, 2), block(48, 48)),
                    nn.Sequential(block(48, 72, 2), block(72, 72)),
                    nn.Sequential(block(72, 96, 2), block(96, 96), block(96, 96)),
                ]
            )
            above = (*wide[1:], seen[4])
            self.up = nn.ModuleList(
                [nn.ConvTranspose2d(a, w, 2, 2) for a, w in zip(above, wide, strict=True)]
            )
            self.side = nn.ModuleList(
                [nn.Conv2d(s, w, 1) for s, w in zip(seen[:4], wide, strict=True)]
            )
            self.joined = nn.ModuleList([block(w, w) for w in wide])
            self.classes = nn.Conv2d(wide[0], CLASSES, 1)

        def forward(self, pictures: Any) -> Any:
            seen = []
            for part in self.down:
                pictures = part(pictures)
                seen.append(pictures)
            last = seen[4]
            for i in (3, 2, 1, 0):
                last = self.joined[i](self.up[i](last) + self.side[i](seen[i]))
            return self.classes(last)

    return OutlineNet()


def _laid(cards: NDArray[np.float32]) -> NDArray[np.float32]:
    """The corners of the cards that are there, (n, 4, 2)."""
    return cards[cards.any(axis=(1, 2))]


def varied(
    rng: np.random.Generator, picture: NDArray[np.uint8], cards: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A part of a scene, mirrored, turned, and in other light, and its cards."""
    picture, points = np.asarray(picture), cards.copy()
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
        points[..., 0] = SIDE - 1 - points[..., 0]
    for _ in range(int(rng.integers(4))):
        picture = np.rot90(picture)
        points = np.stack([points[..., 1], SIDE - 1 - points[..., 0]], axis=-1)
    x, y = (int(v) for v in rng.integers(0, SIDE - CROP + 1, 2))
    seen = picture[y : y + CROP, x : x + CROP].astype(np.float32)
    seen *= np.exp(rng.normal(0, 0.07, 3)) * np.exp(rng.normal(0, 0.15))
    return np.clip(seen, 0, 255).astype(np.uint8), points - (x, y)


def targets(cards: NDArray[np.float32], side: int) -> NDArray[np.uint8]:
    """What the network is to say of each cell (h, w): table, rim of a card, or inside of one."""
    shown = np.zeros((side, side), np.uint8)
    for number, card in enumerate(cards, 1):  # in the order in which they were laid
        cv2.fillConvexPoly(shown, np.round(card).astype(np.int32), (number,))
    cells = shown[STEP // 2 :: STEP, STEP // 2 :: STEP]
    low, high = cv2.erode(cells, np.ones((3, 3))), cv2.dilate(cells, np.ones((3, 3)))
    return np.where(cells == 0, TABLE, np.where(low != high, RIM, INSIDE)).astype(np.uint8)


def _plain(torch: Any, pictures: NDArray[np.uint8]) -> Any:
    seen = torch.from_numpy(np.array(pictures)).permute(0, 3, 1, 2).float()
    return ((seen - 127.5) / 64).contiguous(memory_format=torch.channels_last)


def _loss(torch: Any, output: Any, wanted: NDArray[np.uint8]) -> Any:
    """Rims are few and decide everything: they count more."""
    weight = torch.tensor([1.0, 3.0, 1.0])
    truth = torch.from_numpy(wanted).long()
    return torch.nn.functional.cross_entropy(output, truth, weight)


def _held(torch: Any, net: Any, held: Data) -> dict[str, float]:
    """Of each class, the share of what is told that is right, and of what is there that is told."""
    net.eval()
    told = np.zeros((CLASSES, CLASSES))
    for picture, cards in zip(held[0], held[1], strict=True):
        with torch.no_grad():
            output = net(_plain(torch, np.asarray(picture)[None]))[0].argmax(0).numpy()
        truth = targets(_laid(cards), SIDE)
        told += np.bincount(CLASSES * truth.ravel() + output.ravel(), minlength=9).reshape(3, 3)
    found = {}
    for name, i in (("table", TABLE), ("rim", RIM), ("inside", INSIDE)):
        found[f"{name} right"] = round(float(told[i, i] / told[:, i].sum()), 4)
        found[f"{name} told"] = round(float(told[i, i] / told[i].sum()), 4)
    return found


def write_onnx(net: Any, out: Path) -> None:
    """Writes the network with its normalisations folded into the convolutions."""
    net.eval()
    file = OnnxFile("outlines")

    def body(last: str, layers: Any, name: str) -> str:
        for i, part in enumerate(layers):
            last = file.normalised(last, part[0], part[1], f"{name}.{i}")
        return last

    last, seen = "pictures", []
    for i, part in enumerate(net.down):
        last = body(last, part, f"down{i}")
        seen.append(last)
    for i in (3, 2, 1, 0):
        side = file.convolution(seen[i], net.side[i], f"side{i}")
        both = file.add(file.doubled(last, net.up[i], f"up{i}"), side, f"both{i}")
        last = body(both, [net.joined[i]], f"joined{i}")
    file.convolution(last, net.classes, "classes")
    # of one size: OpenCV 4 does not add what it cannot know to be alike
    classes = [1, CLASSES, HIGH // STEP, WIDE // STEP]
    file.save(out, {"pictures": [1, 3, HIGH, WIDE]}, {"classes": classes})
    out.with_suffix(".json").write_text(json.dumps({"seed": SEED, "step": STEP}) + "\n")


if __name__ == "__main__":
    main()
