"""Many photos read with one pair of eyes, several at a time."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import UnusableInput
from companion.intake.eyes import Eyes, ScannedPhoto


@dataclass(frozen=True, slots=True)
class Order:
    """A photo to read, whose it is, and where the copy with boxes goes."""

    photo: str
    player: str
    annotated: Path | None = None


def read_all(
    eyes: Eyes, orders: Sequence[Order], jobs: int
) -> Iterator[ScannedPhoto | UnusableInput]:
    """What each photo shows, in the order given; a bad one does not stop the rest.

    Threads are enough: the image library works outside the interpreter, and the deck is there once.
    """

    def one(order: Order) -> ScannedPhoto | UnusableInput:
        try:
            return eyes.read(order.photo, order.annotated)
        except UnusableInput as error:
            return error

    if jobs == 1 or len(orders) == 1:
        yield from map(one, orders)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(one, orders)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
