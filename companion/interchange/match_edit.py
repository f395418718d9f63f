"""Adding an act to a match file, atomically: the file is replaced whole, or stays as it was."""

import json
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import Fault, UnusableInput
from companion.interchange.file_lock import held
from companion.interchange.match_file import Entry, impossible_faults, read_entries
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import Document, parse, read_document


@dataclass(frozen=True, slots=True)
class Addition:
    """What became of an act that was to be added."""

    sheet: Sheet
    """The match before it."""
    act: Any
    state: Any
    """After it, where it was written."""
    written: bool
    possible: bool = True


_TRIES = 20
"""How often an act is checked anew because somebody else was quicker."""


def add_act(name: str, line: str) -> Addition:
    """Checks the act and writes it, unless something speaks against it and it has no `!`.

    Where somebody else has added an act meanwhile, it is checked again after theirs: none is lost.
    Raises `UnusableInput` for a file that is no match, a line that is no act, and an act that
    cannot have happened.
    """
    if name == "-":
        raise UnusableInput([Fault("", "standard input cannot be added to", "name a match file")])
    for _ in range(_TRIES):
        added = _add(name, line)
        if added is not None:
            return added
    raise UnusableInput([Fault("", "is being changed by somebody else", "try again")])


def _add(name: str, line: str) -> Addition | None:
    """As `add_act`, once; None if the file was changed in between."""
    document = read_document(name)
    raw = document.raw
    if "actions" not in raw:
        if "rounds" in raw or "hands" in raw or not _names(raw):
            right = "`companion template GAME --match` writes a match file"
            raise UnusableInput([Fault("actions", "is missing: this is no match file", right)])
        document = Document(name, {**raw, "actions": ""}, document.text)
    sheet = load_sheet(document)
    entry = _entry(line, tuple(_names(raw)))
    act = sheet.game.parse(entry.player, entry.words, sheet.state)
    verdict = sheet.game.check(sheet.state, act)
    if not verdict.possible:
        raise UnusableInput(impossible_faults(verdict, "action"))
    if verdict.objections and not entry.recorded:
        return Addition(sheet, act, sheet.state, False)
    state = sheet.game.apply(sheet.state, act)
    text = _with_line(document, line.strip())
    with held(Path(name)):  # whoever waited sees that the file has changed
        if read_document(name).text != document.text:
            return None
        _replace(name, text)
    return Addition(sheet, act, state, True)


def _entry(line: str, names: tuple[str, ...]) -> Entry:
    """The one act of the line; raises `UnusableInput`."""
    if not line.isprintable():
        right = "give one act, on one line"
        raise UnusableInput([Fault("action", "a line break or control character in it", right)])
    entries, faults = read_entries(line, names)
    if not faults and not entries:
        faults = [Fault("action", "no act", "write PLAYER VERB ...")]
    if faults:
        raise UnusableInput([Fault("action", f.found, f.right) for f in faults])
    return entries[0]


def _names(raw: dict[str, Any]) -> list[str]:
    players = raw.get("players")
    names = players if isinstance(players, list) else []
    return [n for n in names if isinstance(n, str)]


def _with_line(document: Document, line: str) -> str:
    """The text of the file with one more act; its comments and layout stay."""
    actions: str = document.raw["actions"]
    more = actions + ("" if not actions or actions.endswith("\n") else "\n") + line + "\n"
    if document.text.lstrip().startswith("{"):
        changed = {**document.raw, "actions": more}
        return json.dumps(changed, ensure_ascii=False, indent=2) + "\n"
    import tomlkit

    file = tomlkit.parse(document.text)
    escaped = more.replace("\\", "\\\\").replace('"""', '""\\"')
    escaped = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda c: f"\\u{ord(c[0]):04x}", escaped)
    line_end = "\r\n" if "\r\n" in document.text else "\n"
    written = f'actions = """\n{escaped}"""\n'.replace("\n", line_end)
    value = tomlkit.parse(written).item("actions")
    if "actions" in file:
        file["actions"] = value
    else:
        file.add("actions", value)
    text = tomlkit.dumps(file)
    assert parse(text) == {**document.raw, "actions": more}, "the file says the same, and the act"
    return text


def _replace(name: str, text: str) -> None:
    path = Path(name).resolve()
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(path.stat().st_mode & 0o777)
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise UnusableInput(
            [Fault("", f"cannot be written: {error.strerror or error}", "nothing was changed")]
        ) from None
