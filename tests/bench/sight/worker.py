"""One suite in a process of its own, so that its peak of memory is its own: tasks and results as JSON."""

import importlib
import json
import resource
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.sight import measure
from tests.bench.sight.companion_reader import Reference

COLOURS = {
    "silent": (0, 0, 255),
    "ghost": (255, 0, 255),
    "missed": (0, 140, 255),
    "doubted": (0, 255, 255),
    "unnamed": (255, 255, 0),
    "flagged": (0, 220, 0),
}


def peak_mb() -> int:
    """Peak of this process alone; what the system counts may begin with the parent's."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _score(photo: Mapping[str, Any], document: Mapping[str, Any]) -> measure.Score:
    how, truth = photo["how"], photo["truth"]
    if how == "composed":
        return measure.composed(truth, document)
    if how == "listed":
        return measure.listed(truth, photo["order"], document)
    return measure.fan(truth, document) if how == "fan" else measure.nothing(document)


def work(task: Mapping[str, Any]) -> dict[str, Any]:
    """Reads and measures the photos of a task."""
    cv2.setNumThreads(int(task["threads"]))
    module, _, name = task["reader"].partition(":")
    references = [Reference(Path(r[0]), tuple(r[1]), r[2]) for r in task["references"]]
    start = time.perf_counter()
    reader = getattr(importlib.import_module(module), name)(task["deck"], references)
    result: dict[str, Any] = {"enrolled": time.perf_counter() - start, "photos": []}
    for photo in task["photos"]:
        loaded = cv2.imread(photo["file"], cv2.IMREAD_COLOR)
        image = np.asarray(loaded, np.uint8)
        start = time.perf_counter()
        try:
            document, error = reader.read(image, task["deck"]), ""
        except NotImplementedError:
            raise
        except Exception:
            document, error = {"rows": []}, traceback.format_exc()
        seconds = time.perf_counter() - start
        score = _score(photo, document)
        result["photos"].append(
            {
                "file": photo["file"],
                "seconds": seconds,
                "counts": asdict(score.counts),
                "faults": [asdict(f) for f in score.faults],
                "error": error,
                "document": document,
            }
        )
        if task["annotate"] and (score.faults or error):
            annotate(image, score, Path(task["annotate"]), Path(photo["file"]))
    result["mb"] = peak_mb()
    return result


def annotate(image: NDArray[np.uint8], score: measure.Score, folder: Path, file: Path) -> None:
    """Saves a photo with its faults drawn in: what was said, and what it is."""
    scale = 1600 / max(image.shape)
    drawn = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    line = 0
    for fault in score.faults:
        colour = COLOURS[fault.kind]
        text = f"{fault.kind}: {fault.said or '-'} is {fault.truth or 'nothing'}"
        if fault.corners:
            corners = np.array(fault.corners) * scale
            cv2.polylines(drawn, [corners.astype(np.int32)], True, colour, 3, cv2.LINE_AA)
            at = (int(corners[:, 0].min()), int(corners[:, 1].mean()))
        else:
            line += 1
            at, text = (10, 28 * line), f"{fault.place} {text}"
        for width, ink in ((5, (0, 0, 0)), (1, colour)):
            cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, ink, width, cv2.LINE_AA)
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{file.parent.name}-{file.stem}.jpg"), drawn)


if __name__ == "__main__":
    asked, answer = map(Path, sys.argv[1:3])
    answer.write_text(json.dumps(work(json.loads(asked.read_text("utf-8")))), "utf-8")
