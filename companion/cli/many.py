"""Several files in one command: each is read alone, a bad one does not stop the rest."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.cli.ink import complain, ink, say
from companion.core.errors import UnusableInput
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import read_document

_WORTH_SHARING = 64
"""From so many files on, starting a process a core costs less than it saves."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to one file."""

    answer: Any
    """JSON, or text for people."""
    doubtful: bool = False
    """A ruling of illegal or undetermined."""


Answer = Callable[[Sheet, bool], Answered]
"""From a sheet, and whether JSON is wanted. A function of a module, so that any process can call it."""


def each(files: Sequence[str], as_json: bool, question: bool, answer: Answer) -> tuple[int, bool]:
    """Prints the answer to each file; the exit status (0 or 2), and whether any ruling is doubtful.

    With JSON and more than one file: one document a line, each with its `file`.
    """
    if list(files).count("-") > 1:
        complain("standard input: is named twice; it can be read once")
        return 2, False
    status, doubtful = 0, False
    several = len(files) > 1
    one = partial(_one, as_json=as_json, question=question, answer=answer, several=several)
    for i, (name, found) in enumerate(zip(files, _results(one, files), strict=True)):
        if isinstance(found, UnusableInput):
            status = 2
            _report(name, found, as_json)
            continue
        doubtful = doubtful or found.doubtful
        if several and not as_json:
            say(("\n" if i else "") + ink()(f"== {name}", "bold"))
        say(found.answer)
    return status, doubtful


def _one(
    name: str, as_json: bool, question: bool, answer: Answer, several: bool
) -> Answered | UnusableInput:
    """The answer as it is to be printed: text crosses between processes faster than data."""
    try:
        found = answer(load_sheet(read_document(name), question), as_json)
    except UnusableInput as error:
        return error
    if not as_json:
        return found
    named = {"file": name, **found.answer} if several else found.answer
    return Answered(json.dumps(named, ensure_ascii=False), found.doubtful)


def _results(
    one: Callable[[str], Answered | UnusableInput], files: Sequence[str]
) -> Iterable[Answered | UnusableInput]:
    """The answers in the order of the files; many files are shared among the cores."""
    cores = os.cpu_count() or 1
    if len(files) < _WORTH_SHARING or cores == 1 or "-" in files:
        return map(one, files)
    return _shared(one, files, cores)


def _shared(
    one: Callable[[str], Answered | UnusableInput], files: Sequence[str], cores: int
) -> Iterator[Answered | UnusableInput]:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(cores, 8)) as pool:
        yield from pool.map(one, files, chunksize=_WORTH_SHARING // 2)


def _report(name: str, error: UnusableInput, as_json: bool) -> None:
    if as_json:
        say(json.dumps({"file": name, "error": [str(f) for f in error.faults]}, ensure_ascii=False))
        return
    complain_faults("standard input" if name == "-" else name, error)


def complain_faults(name: str, error: UnusableInput) -> None:
    """Every fault of a file on standard error."""
    name = "".join(c if c.isprintable() else "?" for c in name)
    if len(error.faults) == 1 and not error.faults[0].where:
        complain(f"{name}: {error.faults[0]}")
        return
    complain(f"{name}: {len(error.faults)} fault{'s' if len(error.faults) > 1 else ''}")
    for fault in error.faults:
        complain(f"  {fault}")
