"""`make mutants`: mutmut over the pure code, its survivors sorted into RESULTS.md. Not part of CI.

Arguments: parts of module names to mutate (`scoring`, `up_the_creek`); none: everything. Mutants that
only change the wording of a message are counted, not listed: no test asserts wording.
"""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.timing import ROOT, machine, write_section

MUTMUT = str(Path(sys.executable).with_name("mutmut"))
_LITERAL = re.compile(r'f?"(?:[^"\\]|\\.)*"')


def mutmut(*arguments: str) -> str:
    """Standard output of mutmut."""
    run = subprocess.run(
        [MUTMUT, *arguments], capture_output=True, text=True, cwd=ROOT, check=False
    )
    return run.stdout


def changed_lines(name: str) -> tuple[str, str]:
    """What the mutant took away and what it put there."""
    before, after = [], []
    for line in mutmut("show", name).splitlines():
        if line.startswith("-") and not line.startswith("---"):
            before.append(line[1:].strip())
        elif line.startswith("+") and not line.startswith("+++"):
            after.append(line[1:].strip())
    return " ".join(before), " ".join(after)


def is_wording(before: str, after: str) -> bool:
    """Whether only the text of a message changed, or a message is gone."""
    if (
        re.search(r"\b(text|what|found|right|why|title|news)\b[^=]*= None|, None[,)]", after)
        and '"' in before + "text"
    ):
        return "text" in before or "what" in before or "found" in before
    without = [_LITERAL.sub('""', side) for side in (before, after)]
    literals = [_LITERAL.findall(side) for side in (before, after)]
    prose = any(" " in x or "XX" in x for side in literals for x in side)
    return without[0] == without[1] and prose and not re.search(r'"(utc|wap|gup):', after)


def main() -> None:
    """Runs, sorts, writes."""
    wanted = sys.argv[1:]
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    names = [f"companion.*{part}*" for part in wanted]
    subprocess.run(
        [MUTMUT, "run", "--max-children", "2", *names],
        cwd=ROOT,
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    results = [
        line.strip().split(": ")
        for line in mutmut("results", "--all", "true").splitlines()
        if ": " in line
    ]
    tally = Counter(status for _, status in results if status != "not checked")
    survivors = [name for name, status in results if status in ("survived", "no tests")]
    listed, wording = [], Counter[str]()
    for name in survivors:
        before, after = changed_lines(name)
        module = ".".join(name.split(".")[:-1])
        if is_wording(before, after):
            wording[module] += 1
        else:
            listed.append(
                f"- `{name.removeprefix('companion.')}`: `{before[:110]}` -> `{after[:110]}`"
            )
    counts = ", ".join(f"{count} {status}" for status, count in sorted(tally.items()))
    title = "Mutants" + (f" ({', '.join(wanted)})" if wanted else "")
    write_section(
        title,
        [
            f"{machine()}; `make mutants{' MUTANTS=' + wanted[0] if wanted else ''}`",
            "",
            f"{sum(tally.values())} mutants: {counts}. Of the survivors {sum(wording.values())} change only wording"
            f" ({', '.join(f'{m} {n}' for m, n in wording.items())}); the others:",
            "",
            *listed,
        ],
    )


if __name__ == "__main__":
    main()
