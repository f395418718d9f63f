"""Trains the index reader from nothing but typefaces and code, and writes `model.onnx`.

    python -m companion.vision.index_reader.train

needs the extra `train` (torch on the CPU, onnx) and the font packages of `MODEL_CARD.md`. The seed is
fixed. Patches are drawn once into files in the working folder, which can be thrown away afterwards.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Image
from companion.vision.index_reader.card_faces import PER_MM
from companion.vision.index_reader.classes import HIGH, LABELS, SUITS, WIDE
from companion.vision.index_reader.patches import ANY, Patch, Studio, patches_of_a_table
from companion.vision.index_reader.typefaces import printed_suits, typefaces
from companion.vision.onnx_file import OnnxFile
from companion.vision.training import Task, drawn, options

SEED = 20_240
CHUNK = 2_000
"""Patches drawn with one seed."""
COUNT, VALIDATION = 180_000, 8_000
EPOCHS = 3
BATCH = 128
_EXAMPLES = 16
"""Patches whose outputs the tests hold the weights to."""
HERE = Path(__file__).parent
WEIGHTS = HERE / "model.onnx"
_STUDIOS: dict[bool, Studio] = {}


def main() -> None:
    """Draws the patches where they are missing, trains, calibrates, and writes the weights."""
    chosen = options(__doc__, "index-training", COUNT, EPOCHS, WEIGHTS)
    train = _drawn(chosen.work / "train", chosen.count, False, chosen.jobs)
    held = _drawn(chosen.work / "held", VALIDATION, True, chosen.jobs)
    if not chosen.only_draw:
        fit(train, held, chosen)


Data = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]
"""Patches (n, HIGH, WIDE, 3), their ranks, their suits."""


def _drawn(stem: Path, count: int, held: bool, jobs: int) -> Data:
    pictures, known = drawn(_chunk, CHUNK, stem, count, held, jobs)
    return pictures, known[:, 0], known[:, 1]


def _chunk(task: Task) -> tuple[int, NDArray[np.uint8], NDArray[np.int64]]:
    held, start, count = task
    cv2.setNumThreads(1)
    if held not in _STUDIOS:
        train_faces, held_faces = typefaces()
        faces = held_faces if held else train_faces
        _STUDIOS[held] = Studio(faces, printed_suits(faces), strangers())
    rng = np.random.default_rng([SEED, int(held), start])
    found: list[Patch] = []
    while len(found) < count:
        found += patches_of_a_table(rng, _STUDIOS[held])
    found = found[:count]
    pictures = np.stack([patch.picture for patch in found])
    return start, pictures, np.array([(patch.rank, patch.suit) for patch in found], np.int64)


def strangers() -> list[Image]:
    """The drawn faces of the other games, `PER_MM` pixels a millimetre."""
    from card_catalog.faces import HEIGHT_MM, drawn_decks, faces, picture
    from card_catalog.loader import shipped_deck

    found = []
    for deck in drawn_decks():
        for face in faces(shipped_deck(deck)):
            rgb = np.asarray(picture(face, HEIGHT_MM * PER_MM), np.uint8)
            found.append(np.ascontiguousarray(rgb[..., ::-1]))
    return found


def fit(train: Data, held: Data, chosen: argparse.Namespace) -> None:
    """Trains on the first, calibrates on the second, and writes the weights."""
    import torch

    epochs, threads, out = chosen.epochs, chosen.threads, chosen.out

    torch.manual_seed(SEED)
    torch.set_num_threads(threads)
    net = network().to(memory_format=torch.channels_last)
    print(sum(p.numel() for p in net.parameters()), "parameters", flush=True)
    steps = epochs * (len(train[0]) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, steps, pct_start=0.15)
    rng = np.random.default_rng(SEED)
    began, done = time.time(), 0
    for epoch in range(epochs):
        net.train()
        order, total = rng.permutation(len(train[0])), 0.0
        for i in range(0, len(order) - BATCH + 1, BATCH):
            at = np.sort(order[i : i + BATCH])
            patches = _varied(torch, torch.from_numpy(train[0][at]))
            ranks, suits = torch.from_numpy(train[1][at]), torch.from_numpy(train[2][at])
            loss = _loss(torch, net(patches), ranks, suits)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            value = float(loss.detach())
            total, done = total + value, done + 1
            if done % 200 == 0:
                print(
                    f"step {done}/{steps} loss {value:.3f} {time.time() - began:.0f} s",
                    flush=True,
                )
        right = _right(torch, net, held)
        print(
            f"epoch {epoch + 1}: loss {total / (len(order) // BATCH):.4f}, held out {right}",
            flush=True,
        )
        write_onnx(net, (1.0, 1.0), out)
    heat = _temperatures(torch, net, held)
    print("temperatures", heat, _right(torch, net, held))
    write_onnx(net, heat, out)
    if chosen.examples is not None:
        patches = np.asarray(held[0][:: len(held[0]) // _EXAMPLES][:_EXAMPLES])
        with torch.no_grad():
            ranks, suits = (o / h for o, h in zip(net(_plain(torch, patches)), heat, strict=True))
        np.savez_compressed(
            chosen.examples, patches=patches, ranks=ranks.numpy(), suits=suits.numpy()
        )


def network() -> Any:
    """The untrained network: five convolutions, one hidden layer, two heads."""
    from torch import nn

    def block(inputs: int, outputs: int, stride: int, kernel: int = 3) -> list[Any]:
        return [
            nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]

    class IndexNet(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                *block(3, 16, 2),
                *block(16, 32, 2),
                *block(32, 48, 1),
                *block(48, 64, 2),
                *block(64, 64, 1),
                *block(64, 80, 2),
            )
            self.drop = nn.Dropout(0.15)
            self.hidden = nn.Linear(80 * 6 * 4, 72)
            self.rank = nn.Linear(72, len(LABELS) + 1)
            self.suit = nn.Linear(72, len(SUITS) + 1)

        def forward(self, patches: Any) -> Any:
            seen = self.drop(self.body(patches).flatten(1))
            hidden = self.drop(self.hidden(seen).relu())
            return self.rank(hidden), self.suit(hidden)

    return IndexNet()


def _varied(torch: Any, patches: Any) -> Any:
    """Patches as numbers around zero, each time in a little other light."""
    seen = patches.permute(0, 3, 1, 2).float()
    count = len(seen)
    seen = seen * (1 + 0.06 * torch.randn(count, 3, 1, 1)) * (1 + 0.1 * torch.randn(count, 1, 1, 1))
    dx, dy = (int(v) for v in torch.randint(-2, 3, (2,)))
    seen = seen.clamp(0, 255).roll((dy, dx), (2, 3))
    return ((seen - 127.5) / 64).contiguous(memory_format=torch.channels_last)


def _plain(torch: Any, patches: NDArray[np.uint8]) -> Any:
    return (torch.from_numpy(np.array(patches)).permute(0, 3, 1, 2).float() - 127.5) / 64


def _loss(torch: Any, outputs: Any, ranks: Any, suits: Any) -> Any:
    measure = torch.nn.functional.cross_entropy
    by_rank = measure(outputs[0], ranks, ignore_index=ANY, label_smoothing=0.02)
    return by_rank + measure(outputs[1], suits, ignore_index=ANY, label_smoothing=0.02)


def _outputs(torch: Any, net: Any, data: Data) -> tuple[Any, Any]:
    net.eval()
    with torch.no_grad():
        parts = [net(_plain(torch, data[0][i : i + 500])) for i in range(0, len(data[0]), 500)]
    return torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts])


def _right(torch: Any, net: Any, data: Data) -> dict[str, float]:
    """Shares on patches that were not trained on."""
    by_rank, by_suit = _outputs(torch, net, data)
    ranks, suits = torch.from_numpy(data[1]), torch.from_numpy(data[2])
    is_index = ranks < len(LABELS)
    told = suits != ANY
    best = by_rank.argmax(1)
    sure = by_rank.softmax(1).max(1).values > 0.8
    return {
        "index": round(float((best == ranks)[is_index].float().mean()), 4),
        "silent": round(
            float(((best != ranks) & sure & (best < len(LABELS)))[is_index].float().mean()), 4
        ),
        "ghost": round(float((best < len(LABELS))[~is_index].float().mean()), 4),
        "suit": round(float((by_suit.argmax(1) == suits)[told].float().mean()), 4),
    }


def _temperatures(torch: Any, net: Any, data: Data) -> tuple[float, float]:
    """By what to divide the outputs of both heads, so that a confidence is the share that is right."""
    found = []
    for output, label in zip(_outputs(torch, net, data), data[1:], strict=True):
        truth = torch.from_numpy(label)
        choices = np.arange(0.5, 3.0, 0.05)
        losses = [
            float(torch.nn.functional.cross_entropy(output / t, truth, ignore_index=ANY))
            for t in choices
        ]
        found.append(float(choices[int(np.argmin(losses))]))
    return found[0], found[1]


def write_onnx(net: Any, heat: tuple[float, float], out: Path) -> None:
    """Writes the network with its normalisations folded into the convolutions."""
    net.eval()
    file = OnnxFile("index")
    last, layers = "patches", list(net.body)
    for i in range(0, len(layers), 3):
        last = file.normalised(last, layers[i], layers[i + 1], f"layer{i // 3 + 1}")
    hidden = file.relu(file.dense(file.flat(last, "flat"), net.hidden, "hidden"), "features")
    file.dense(hidden, net.rank, "rank", heat[0])
    file.dense(hidden, net.suit, "suit", heat[1])
    file.save(
        out,
        {"patches": ["n", 3, HIGH, WIDE]},
        {"rank": ["n", len(LABELS) + 1], "suit": ["n", len(SUITS) + 1]},
    )
    described = {"seed": SEED, "labels": LABELS, "suits": SUITS, "temperatures": heat}
    out.with_suffix(".json").write_text(json.dumps(described) + "\n")


if __name__ == "__main__":
    main()
