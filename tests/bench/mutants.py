"""`make mutants`: mutmut over the pure code; the sum into RESULTS.md, survivors into MUTANTS.md.

Arguments: parts of module names to mutate (`scoring`, `up_the_creek`); none: everything. Mutants that
only change the wording of a message are counted, not listed: no test asserts wording. Not part of CI.
MUTANT_SECONDS ends the run early; what was tried by then still counts.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.timing import ROOT, machine, write_section

MUTMUT = str(Path(sys.executable).with_name("mutmut"))
FOLDER = ROOT / "mutants"
LIST = ROOT / "tests" / "bench" / "MUTANTS.md"
STATUS = {0: "survived", 1: "killed", 33: "without a test", 34: "skipped", None: "not tried"}
_LITERAL = re.compile(r'f?"(?:[^"\\]|\\.)*"')


@lru_cache(maxsize=64)
def functions(path: Path) -> dict[str, str]:
    """Source of every function of a mutated module, by name."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def change(path: Path, name: str) -> tuple[str, str]:
    """What the mutant took away and what it put there."""
    own = functions(path)
    mutated = own.get(name, "").splitlines()[1:]
    original = own.get(f"{name.rpartition('_')[0]}_orig", "").splitlines()[1:]
    before = [line.strip() for line in original if line not in mutated]
    after = [line.strip() for line in mutated if line not in original]
    return " ".join(before), " ".join(after)


def is_wording(before: str, after: str) -> bool:
    """Whether only the text of a message changed, or a message or its place is gone."""
    if re.search(r"\b(text|what|found|right|why|title|label)\b = None", after):
        return True
    without = [_LITERAL.sub('""', side) for side in (before, after)]
    prose = any(" " in x or "XX" in x for side in (before, after) for x in _LITERAL.findall(side))
    return without[0] == without[1] and prose and not re.search(r'"(utc|wap|gup):', after)


def run(wanted: list[str]) -> None:
    """Runs mutmut on the modules wanted."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    names = [f"companion.*{part}*" for part in wanted]
    limit = float(os.environ.get("MUTANT_SECONDS", "0")) or None
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [MUTMUT, "run", "--max-children", "2", *names],
            cwd=ROOT,
            check=False,
            capture_output=True,
            timeout=limit,
        )


def main() -> None:
    """Runs, sorts, writes."""
    wanted = sys.argv[1:]
    run(wanted)
    table = [
        "| module | mutants tried | killed | only wording | survivors |",
        "|---|---|---|---|---|",
    ]
    listed: dict[str, list[str]] = defaultdict(list)
    total: Counter[str] = Counter()
    for meta in sorted(FOLDER.rglob("*.meta")):
        codes = json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
        path = meta.with_suffix("")
        module = str(path.relative_to(FOLDER).with_suffix("")).replace("/", ".")
        tally = Counter(STATUS.get(code, "killed") for code in codes.values())
        if not sum(tally.values()) - tally["not tried"]:
            continue
        wording = 0
        for key, code in codes.items():
            if STATUS.get(code, "killed") not in ("survived", "without a test"):
                continue
            before, after = change(path, key.rpartition(".")[2])
            if is_wording(before, after):
                wording += 1
            else:
                name = key.rpartition(".")[2].removeprefix("x_")
                listed[module].append(f"- `{name}`: `{before[:100]}` -> `{after[:100]}`")
        tried = sum(tally.values()) - tally["not tried"]
        left = len(listed[module])
        table.append(f"| {module} | {tried} | {tally['killed']} | {wording} | {left} |")
        total.update(tried=tried, killed=tally["killed"], wording=wording, left=left)
    title = "Mutants" + (f": {', '.join(wanted)}" if wanted else "")
    counts = ", ".join(f"{total[key]} {key}" for key in ("tried", "killed", "wording", "left"))
    write_section(
        title,
        [f"{machine()}; `make mutants`: {counts}. Each survivor stands in MUTANTS.md.", "", *table],
    )
    body = "\n\n".join(
        f"## {module}\n\n" + "\n".join(rows) for module, rows in listed.items() if rows
    )
    LIST.write_text(f"# Mutants that no test noticed\n\n{machine()}\n\n{body}\n", "utf-8")


if __name__ == "__main__":
    main()
