"""Measuring side by side: the machine may be shared and noisy, so only ratios of one run are kept."""

import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "tests" / "bench" / "RESULTS.md"


def process(command: Sequence[str], stdin: bytes = b"") -> float:
    """Seconds of wall time of a whole process."""
    start = time.perf_counter()
    subprocess.run(command, input=stdin, stdout=subprocess.DEVNULL, check=True, cwd=ROOT)
    return time.perf_counter() - start


def in_turn(runs: int, *tasks: Callable[[], float]) -> list[list[float]]:
    """Each task's seconds, the tasks taking turns (A B A B ...) after one warm-up."""
    for task in tasks:
        task()
    seconds: list[list[float]] = [[] for _ in tasks]
    for _ in range(runs):
        for task, own in zip(tasks, seconds, strict=True):
            own.append(task())
    return seconds


def ratio(a: Sequence[float], b: Sequence[float]) -> float:
    """Median of the ratios pair by pair."""
    return statistics.median(x / y for x, y in zip(a, b, strict=True))


def timed(work: Callable[[], object], times: int = 1) -> float:
    """Seconds that calling `work` so often takes, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(times):
            work()
        best = min(best, time.perf_counter() - start)
    return best


def machine() -> str:
    """Date and machine, for the record."""
    return f"{date.today()}, Python {platform.python_version()}, {platform.machine()}, {platform.system()}"


def write_section(title: str, lines: Sequence[str]) -> None:
    """Puts a section into RESULTS.md in place of the one of that title, and prints it."""
    text = RESULTS.read_text("utf-8") if RESULTS.exists() else "# What was measured\n"
    before, _, rest = text.partition(f"\n## {title}\n")
    after = rest.partition("\n## ")
    body = "\n".join(lines)
    tail = f"\n## {after[2]}" if after[1] else ""
    RESULTS.write_text(f"{before.rstrip()}\n\n## {title}\n\n{body}\n{tail}", "utf-8")
    print(f"## {title}\n\n{body}\n")
