"""Several files in one command: each is read alone, a bad one does not stop the rest."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from companion.cli.ink import complain, ink, say
from companion.core.errors import UnusableInput
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import read_document

Rendered = tuple[Any, Callable[[], str]]
"""The answer as JSON, and as text for people when asked for it."""


def each(
    files: Sequence[str],
    as_json: bool,
    question: bool,
    answer: Callable[[Sheet], Rendered],
) -> tuple[int, list[Any]]:
    """Prints the answer to each file; the exit status (0 or 2) and the answers as JSON.

    With JSON and more than one file: one document a line, each with its `file`.
    """
    status = 0
    answers = []
    for i, name in enumerate(files):
        try:
            found, text = answer(load_sheet(read_document(name), question))
        except UnusableInput as error:
            status = 2
            _report(name, error, as_json)
            continue
        answers.append(found)
        if as_json:
            named = {"file": name, **found} if len(files) > 1 else found
            say(json.dumps(named, ensure_ascii=False))
            continue
        if len(files) > 1:
            say(("\n" if i else "") + ink()(f"== {name}", "bold"))
        say(text())
    return status, answers


def _report(name: str, error: UnusableInput, as_json: bool) -> None:
    if as_json:
        say(json.dumps({"file": name, "error": [str(f) for f in error.faults]}, ensure_ascii=False))
        return
    complain_faults("standard input" if name == "-" else name, error)


def complain_faults(name: str, error: UnusableInput) -> None:
    """Every fault of a file on standard error."""
    if len(error.faults) == 1 and not error.faults[0].where:
        complain(f"{name}: {error.faults[0]}")
        return
    complain(f"{name}: {len(error.faults)} fault{'s' if len(error.faults) > 1 else ''}")
    for fault in error.faults:
        complain(f"  {fault}")
