"""The shared rule cases, answered by the real command line; skipped where they are not beside us."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.matching import mismatches, prepared

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the shared cases do not lie beside the project"
)


def load() -> list[dict[str, Any]]:
    """Every case with a command, from all files."""
    if not FOLDER.is_dir():
        return []
    return [
        case
        for path in sorted(FOLDER.glob("*.json"))
        for case in json.loads(path.read_text("utf-8"))
        if case.get("command") in ("score", "check")
    ]


@pytest.mark.parametrize("command", ["score", "check"])
def test_every_case(command: str, tmp_path: Path) -> None:
    """One call of the command answers all its cases, one JSON document a line."""
    cases = [case for case in load() if case["command"] == command]
    files = []
    for i, case in enumerate(cases):
        path = tmp_path / f"{i:04}.json"
        path.write_text(json.dumps(case["input"]), "utf-8")
        files.append(str(path))
    run = subprocess.run(
        [sys.executable, "-m", "companion.cli.main", command, "--json", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [a["file"] for a in answers] == files, run.stderr
    assert run.returncode == (2 if any("error" in c["expect"] for c in cases) else 0)
    wrong = []
    for case, answer in zip(cases, answers, strict=True):
        expect, got = prepared(case["expect"], answer)
        found = mismatches(expect, got)
        text = json.dumps(answer, ensure_ascii=False).lower()
        found += [f"{w!r} is not mentioned" for w in case.get("must_mention", ()) if w not in text]
        wrong += [f"{case['id']}: {m}" for m in found]
    assert len(cases) > 100
    assert not wrong, "\n".join(wrong)
