"""What both trainings do alike: their options, and examples that are drawn once into files.

Used when a network is trained; see `index_reader.train` and `outline_net.train`.
"""

import argparse
import time
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Task = tuple[bool, int, int]
"""Whether with typefaces held out, the first example of a chunk, and how many."""
Chunk = tuple[int, NDArray[np.uint8], NDArray[Any]]
"""The first example of a chunk, their pictures, and what is to be learnt of each."""


def options(about: str | None, work: str, count: int, epochs: int, out: Path) -> argparse.Namespace:
    """What was asked for on the command line; the working folder is there afterwards."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--work", type=Path, default=Path(work), help="for what is drawn")
    parser.add_argument("--count", type=int, default=count, help="examples to train with")
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--jobs", type=int, default=2, help="processes that draw")
    parser.add_argument("--threads", type=int, default=1, help="threads that train")
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument("--examples", type=Path, help="write outputs that the tests compare with")
    parser.add_argument(
        "--only-draw", action="store_true", help="leave the training to another run"
    )
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    return chosen


def drawn(
    chunk: Callable[[Task], Chunk], size: int, stem: Path, count: int, held: bool, jobs: int
) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Pictures and what is to be learnt of each, in files beside the stem, drawn if they are not there.

    `chunk` draws so many (`size`) with one seed; `held`: with typefaces held out.
    """
    pictures, labels = stem.with_suffix(".pictures.npy"), stem.with_suffix(".labels.npy")
    if not labels.exists() or len(np.load(labels, mmap_mode="r")) != count:
        began = time.time()
        tasks = [(held, i, min(size, count - i)) for i in range(0, count, size)]
        store: NDArray[Any] | None = None
        known: NDArray[Any] = np.zeros(0)
        with Pool(jobs) as pool:
            for start, some, theirs in pool.imap_unordered(chunk, tasks):
                if store is None:
                    shape = (count, *some.shape[1:])
                    store = np.lib.format.open_memmap(
                        pictures, mode="w+", dtype=np.uint8, shape=shape
                    )
                    known = np.zeros((count, *theirs.shape[1:]), theirs.dtype)
                store[start : start + len(some)] = some
                known[start : start + len(some)] = theirs
        np.save(labels, known)
        print(f"{count} examples drawn in {time.time() - began:.0f} s", flush=True)
    return np.load(pictures, mmap_mode="r"), np.load(labels)
