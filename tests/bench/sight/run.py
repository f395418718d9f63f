"""Measures the reader of photographs: `python -m tests.bench.sight.run [SUITE...]`; see `--help`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.bench.sight.companion_reader import Reference
from tests.bench.sight.measure import Counts
from tests.bench.sight.results import Measured, write

ROOT = Path(__file__).parents[3]
READER = "tests.bench.sight.companion_reader:CompanionReader"
SECOND = "second"
NOTHING = "nothing"
HEAD = (
    *("condition", "cards", "found", "right", "silent", "flagged", "ghosts", "s/photo", "MB"),
    *("doubted", "unnamed", "colour", "in place", "numbers"),
)


@dataclass(frozen=True, slots=True)
class Task:
    """What one process reads."""

    name: str
    deck: str
    references: Sequence[Reference]
    photos: list[dict[str, Any]] = field(default_factory=list)


def composed_tasks(options: argparse.Namespace) -> Iterator[Task]:
    """Composed photos, by suite and deck; they are composed here, in a process of their own."""
    from tests.bench.sight.conditions import SUITES

    names = [n for n in options.suites or SUITES if n in SUITES]
    chosen = [
        (name, deck, k)
        for name in names
        for deck in SUITES[name].decks
        if not options.deck or deck in options.deck
        for k in range(SUITES[name].photos)
        if not options.quick or k == 0
    ]
    files = _prepared(chosen, options.salt)
    sheets = _sheets() if any(deck == SECOND for _, deck, _ in chosen) else []
    tasks: dict[tuple[str, str], Task] = {}
    for (name, deck, _), file in zip(chosen, files, strict=True):
        if not Path(file).exists():
            continue
        references = sheets if deck == SECOND else []
        task = tasks.setdefault((name, deck), Task(f"{name} ({deck})", deck, references))
        truth = json.loads(Path(file).with_suffix(".json").read_text("utf-8"))
        task.photos.append({"file": file, "how": "composed", "truth": truth, "order": ""})
    yield from tasks.values()


def _in_process(code: str, *words: str) -> list[Any]:
    """Runs a line of Python elsewhere; what it prints last is its answer."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, env=_environment(),
    )  # fmt: skip
    answer: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _environment() -> dict[str, str]:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


_PREPARE = """
import json, sys
from tests.bench.sight.cache import composed_file
from tests.bench.sight.decks import NoPictures
files = []
for name, deck, index in json.loads(sys.argv[1]):
    try:
        files.append(str(composed_file(name, deck, index, sys.argv[2])))
    except (NoPictures, KeyError) as error:
        print(f"no photos of {deck}: {error}", file=sys.stderr)
        files.append("/nowhere")
print(json.dumps(files))
"""
_SHEETS = """
import json
from tests.bench.sight.cache import sheets
print(json.dumps([[str(r.file), r.cards, r.order] for r in sheets()]))
"""
_NOTHING = """
import json, sys
from tests.bench.sight.cache import nothing_file
print(json.dumps([str(nothing_file(k, sys.argv[1])) for k in range(int(sys.argv[2]))]))
"""


def _prepared(chosen: list[tuple[str, str, int]], salt: str) -> list[str]:
    return _in_process(_PREPARE, json.dumps(chosen), salt) if chosen else []


def _sheets() -> list[Reference]:
    return [Reference(Path(f), tuple(cards), order) for f, cards, order in _in_process(_SHEETS)]


def nothing_tasks(options: argparse.Namespace) -> Iterator[Task]:
    """Pictures without a card of the deck."""
    if options.suites and NOTHING not in options.suites:
        return
    for deck, other in (("up-the-creek", SECOND), (SECOND, "up-the-creek")):
        if options.deck and deck not in options.deck:
            continue
        try:
            files = _in_process(_NOTHING, other, "10" if options.quick else "60")
        except subprocess.CalledProcessError:
            print(f"{NOTHING} ({deck}): no faces of {other}", file=sys.stderr)
            continue
        references = _sheets() if deck == SECOND else []
        photos = [{"file": f, "how": NOTHING, "truth": [], "order": ""} for f in files]
        yield Task(f"{NOTHING} ({deck})", deck, references, photos)


def real_tasks(options: argparse.Namespace) -> Iterator[Task]:
    """Real photos, where they are there."""
    from tests.bench.sight.real import real_suites

    for suite in real_suites():
        if options.suites and not any(suite.name.startswith(s) for s in options.suites):
            continue
        photos = [
            {"file": str(p.file), "how": p.how, "truth": p.cards, "order": p.order}
            for p in (suite.photos[:2] if options.quick else suite.photos)
        ]
        yield Task(suite.name, suite.deck, suite.references, photos)


def measured(task: Task, options: argparse.Namespace) -> dict[str, Any] | None:
    """The worker's answer, or `None` when it failed."""
    asked = {
        "reader": options.reader,
        "deck": task.deck,
        "references": [[str(r.file), r.cards, r.order] for r in task.references],
        "photos": task.photos,
        "annotate": str(options.annotate or ""),
        "threads": options.threads,
    }
    with tempfile.TemporaryDirectory() as folder:
        question, answer = Path(folder) / "task.json", Path(folder) / "answer.json"
        question.write_text(json.dumps(asked), "utf-8")
        command = [sys.executable, "-m", "tests.bench.sight.worker", str(question), str(answer)]
        done = subprocess.run(
            command, cwd=ROOT, env=_environment(), stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode or not answer.exists():
            lines = done.stderr.strip().splitlines()
            print(f"{task.name}: {lines[-1] if lines else 'failed'}", file=sys.stderr)
            return None
        result: dict[str, Any] = json.loads(answer.read_text("utf-8"))
    return result


def line(name: str, counts: Counts, seconds: float, mb: int) -> str:
    """A row of the table."""
    c = counts
    cells = [
        *(name, c.cards, c.found, c.right, c.silent, c.flagged, c.ghosts, f"{seconds:.2f}", mb),
        *(c.doubted, c.unnamed, c.twins, c.in_place, f"{c.numbers_right}/{c.numbers}"),
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def share(name: str, counts: Counts) -> str:
    """The same as shares of the cards."""
    of = max(counts.cards, 1)
    parts = ("found", "right", "silent", "flagged", "ghosts")
    return f"{name}: " + ", ".join(f"{p} {100 * getattr(counts, p) / of:.1f} %" for p in parts)


def faults_of(task: Task, result: dict[str, Any]) -> Iterator[str]:
    """A line for each fault."""
    for photo in result["photos"]:
        for f in photo["faults"]:
            sure = "sure" if f["sure"] else "unsure"
            said = f"said {f['said']} ({sure})" if f["kind"] != "missed" else "nothing said"
            where = f"{Path(photo['file']).name}: {f['place']}"
            yield f"{task.name}: {where}: {f['kind']}: is {f['truth']}, {said}"
        if photo["error"]:
            yield f"{task.name}: {Path(photo['file']).name}: {photo['error']}"


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.bench.sight.run", description=__doc__)
    parser.add_argument("suites", nargs="*", help="names of suites, or beginnings of real ones")
    parser.add_argument("--deck", action="append", help="up-the-creek, second, gold-up; repeatable")
    parser.add_argument("--only", choices=["composed", "real", "nothing"])
    parser.add_argument("--quick", action="store_true", help="one photo of each suite")
    parser.add_argument("--salt", default="", help="other photos of the same suites")
    parser.add_argument("--threads", type=int, default=2, help="of OpenCV")
    parser.add_argument("--reader", default=READER, help="module:Class")
    parser.add_argument(
        "--faults", type=Path, default=Path(tempfile.gettempdir()) / "companion-sight-faults.txt"
    )
    parser.add_argument(
        "--annotate", type=Path, help="folder for photos with their faults drawn in"
    )
    parser.add_argument("--json", type=Path, help="all documents and counts to this file")
    parser.add_argument(
        "--results", type=Path, help="Markdown file whose section Sight is replaced"
    )
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Runs what is asked for, and prints the table as it grows."""
    options = _options(words)
    kinds = {"composed": composed_tasks, "nothing": nothing_tasks, "real": real_tasks}
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD), flush=True)
    faults: list[str] = []
    kept: dict[str, Any] = {}
    sums: dict[str, Counts] = {}
    for kind, tasks in kinds.items():
        if options.only in (None, kind):
            for task in tasks(options):
                result = measured(task, options)
                if result is None:
                    continue
                counts = sum((Counts(**p["counts"]) for p in result["photos"]), Counts())
                seconds = sum(p["seconds"] for p in result["photos"]) / max(len(task.photos), 1)
                print(line(task.name, counts, seconds, result["mb"]), flush=True)
                sums[kind] = sums.get(kind, Counts()) + counts
                faults += faults_of(task, result)
                kept[task.name] = result
    for kind, counts in sums.items():
        print(share(kind, counts))
    if broken := sum(bool(p["error"]) for r in kept.values() for p in r["photos"]):
        print(f"{broken} photos could not be read at all; why stands among the faults")
    options.faults.write_text("\n".join(faults) + "\n", "utf-8")
    print(f"{len(faults)} faults in {options.faults}")
    if options.results:
        asked = sys.argv[1:] if words is None else words
        command = " ".join(["python -m tests.bench.sight.run", *map(str, asked)])
        tasks_done = [Measured(name, r["photos"], r["mb"]) for name, r in kept.items()]
        write(options.results, tasks_done, command)
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1), "utf-8")


if __name__ == "__main__":
    main()
