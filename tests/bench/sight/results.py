"""What a run measured, as the section "Sight" of `tests/bench/RESULTS.md`."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.sight.measure import Counts
from tests.bench.timing import machine

TITLE = "Sight"
MEASURES = ("found", "right", "silent", "flagged", "ghosts")
_EXAMPLES = 3
_HEAD = ("condition", "photos", "cards", *MEASURES, "s a photo", "MB")


@dataclass(frozen=True, slots=True)
class Goal:
    """A line of the goals: the tasks whose sum has to meet the limits, in per cent."""

    what: str
    tasks: tuple[str, ...]
    """Beginnings of the tasks' names."""
    found: float | None = None
    right: float | None = None
    silent: float | None = None
    flagged: float | None = None
    ghosts: float | None = None


_OWN = "(up-the-creek)"
_HARD = ("touching", "overlap-20", "white-table", "patterned")
GOALS = (
    Goal("own deck, standard conditions", (f"standard {_OWN}", "chests (gold-up)"), 99, 98.5, 0.5, 3),
    Goal(
        "own deck: touching, overlap to 20 %, white and patterned tables",
        tuple(f"{name} {_OWN}" for name in _HARD),
        *(99, 98, 0.5, 4),
    ),
    Goal(
        "the same, another deck enrolled from photos",
        tuple(f"{name} (second)" for name in _HARD),
        *(99, 98, 0.5, 4),
    ),
    Goal("overlap 50 %", ("overlap-50",), right=90, silent=1),
    Goal("standard deck enrolled, real photos, apart", ("felt enrolled",), 99, 99, 0, 3),
    Goal("art deck with overlap, real photos", ("schnapsen",), right=90, silent=0),
    Goal("flat coloured deck, one sheet, real photos", ("set,",), 98, 97, 1, 6),
    Goal(
        "standard deck not enrolled, real photos",
        ("felt not enrolled", "mixed not enrolled"),
        *(97, 95, 0.3),
    ),
    Goal("fans, real photos", ("fans",), right=95, silent=0),
    Goal("pictures without a card", ("nothing",), silent=0),
)  # fmt: skip


@dataclass(slots=True)
class Measured:
    """A task's answer, as the run gathered it."""

    name: str
    photos: Sequence[Mapping[str, Any]]
    mb: int
    counts: Counts = field(init=False)

    def __post_init__(self) -> None:
        self.counts = sum((Counts(**p["counts"]) for p in self.photos), Counts())

    @property
    def seconds(self) -> float:
        """Of a photo, on average."""
        return float(sum(p["seconds"] for p in self.photos)) / max(len(self.photos), 1)


def write(path: Path, tasks: Sequence[Measured], command: str) -> None:
    """Puts the section in place of the one that the file has; its other sections stay."""
    text = path.read_text("utf-8") if path.exists() else "# What was measured\n"
    path.write_text(with_section(text, section(tasks, command)), "utf-8")


def with_section(text: str, lines: Sequence[str]) -> str:
    """The text of a results file with this section; a new one comes last."""
    before, _, rest = f"\n{text}".partition(f"\n## {TITLE}\n")
    _, more, after = rest.partition("\n## ")
    tail = f"\n## {after}" if more else ""
    body = "\n".join(lines).rstrip()
    return f"{before.strip()}\n\n## {TITLE}\n\n{body}\n{tail}"


def section(tasks: Sequence[Measured], command: str) -> list[str]:
    """The lines of the section, without its title."""
    photos = sum(len(t.photos) for t in tasks)
    slowest = max((t.mb for t in tasks), default=0)
    return [
        f"{machine()}, {os.cpu_count()} cores; `{command}`",
        "",
        "Shares of the cards that show at least 35 %, counted place by place. Right: named as it is, sure or not.",
        "Silent: sure and wrong. Flagged: right but unsure. Ghosts: listed where no card lies.",
        f"{photos} photos; at most {slowest} MB a process.",
        "",
        "### Goals",
        "",
        *_goals(tasks),
        "",
        "### By condition",
        "",
        *_conditions(tasks),
        "",
        "### What went wrong, by cause",
        "",
        *_causes(tasks),
    ]


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _head(*cells: str) -> list[str]:
    return [_row(*cells), "|" + "---|" * len(cells)]


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} % ({count})" if of else str(count)


def _conditions(tasks: Sequence[Measured]) -> Iterator[str]:
    yield from _head(*_HEAD)
    for task in tasks:
        counts = task.counts
        shares = [_share(getattr(counts, m), counts.cards) for m in MEASURES]
        yield _row(
            task.name, len(task.photos), counts.cards, *shares, f"{task.seconds:.2f}", task.mb
        )


def _goals(tasks: Sequence[Measured]) -> Iterator[str]:
    yield from _head("goal", "cards", *MEASURES[:4], "")
    for goal in GOALS:
        mine = [t for t in tasks if t.name.startswith(goal.tasks)]
        if not mine:
            yield _row(goal.what, "", *[""] * 4, "not measured")
            continue
        counts = sum((t.counts for t in mine), Counts())
        cells, met = [], True
        for measure in MEASURES[:4]:
            cell, well = _against(goal, measure, counts)
            cells.append(cell)
            met &= well
        absent = [b for b in goal.tasks if not any(t.name.startswith(b) for t in mine)]
        said = "met" if met else "**missed**"
        said += f", without {', '.join(absent)}" if absent else ""
        yield _row(goal.what, counts.cards, *cells, said)


def _against(goal: Goal, measure: str, counts: Counts) -> tuple[str, bool]:
    """A figure beside its limit, and whether it keeps it."""
    limit: float | None = getattr(goal, measure)
    count: int = getattr(counts, measure)
    cell = _share(count, counts.cards)
    if limit is None:
        return cell, True
    least = measure in ("found", "right")
    share = 100 * count / counts.cards if counts.cards else 100.0 * count
    return (
        f"{cell}; {'>=' if least else '<='} {limit:g}",
        share >= limit if least else share <= limit,
    )


def _causes(tasks: Sequence[Measured]) -> Iterator[str]:
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for task in tasks:
        for photo in task.photos:
            for fault in photo["faults"]:
                for cause in causes_of(fault, photo["document"]):
                    groups[fault["kind"], cause, task.name].append(_example(fault))
            if photo["error"]:
                groups["not read", photo["error"].strip().splitlines()[-1], task.name].append(
                    Path(photo["file"]).name
                )
    if not groups:
        yield "Nothing."
        return
    yield from _head("kind", "cause", "condition", "times", "examples")
    order = {k: i for i, k in enumerate(("not read", "silent", "ghost", "missed", "doubted"))}
    for (kind, cause, task_name), found in sorted(
        groups.items(), key=lambda pair: (order.get(pair[0][0], 9), pair[0][0], -len(pair[1]))
    ):
        examples = list(dict.fromkeys(found))[:_EXAMPLES]
        yield _row(kind, cause, task_name, len(found), ", ".join(examples))


def _example(fault: Mapping[str, Any]) -> str:
    said, truth = fault["said"] or "-", fault["truth"] or "-"
    return said if said == truth else f"{truth} as {said}"


def causes_of(fault: Mapping[str, Any], document: Mapping[str, Any]) -> list[str]:
    """Why a fault came about, in words that are the same for all cards."""
    said, truth = fault["said"], fault["truth"]
    if fault["kind"] == "missed":
        return ["nothing is listed there"]
    if fault["kind"] == "silent":
        same = truth and str(said).partition(":")[0] == str(truth).partition(":")[0]
        return ["the wrong colour of the right card" if same else "another card"]
    card = _card_at(fault, document)
    doubts = [_without_names(doubt, card) for doubt in card.get("doubts", [])]
    return list(dict.fromkeys(doubts)) or ["no doubt was told"]


def _card_at(fault: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The card of the document that a fault speaks of."""
    corners = [tuple(point) for point in fault["corners"]]
    for row in document["rows"]:
        for card in row["cards"]:
            if corners and [tuple(map(float, point)) for point in card.get("box") or ()] == corners:
                found: Mapping[str, Any] = card
                return found
    return {}


def _without_names(doubt: str, card: Mapping[str, Any]) -> str:
    """A doubt without the cards' names and numbers in it."""
    if quoted := re.match(r"(.*?)'.*'(.*)", doubt):  # what was read is no cause
        doubt = f"{quoted[1]}...{quoted[2]}"
    for name in sorted((a[0] for a in card.get("alternatives", [])), key=len, reverse=True):
        doubt = doubt.replace(str(name), "...")
    doubt = re.sub(
        r"(?<=looking it is )[\w:&-]+$|(?<=told from )[\w:&-]+$|(?<=as much like )[\w:&-]+$",
        "...",
        doubt,
    )
    return re.sub(r"\d+", "N", doubt)
