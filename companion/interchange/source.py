"""Bytes to plain data: a TOML or JSON file, or standard input, with every failure put in words."""

import json
import stat
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import Fault, UnusableInput

LARGEST = 5_000_000
"""Bytes; the largest real match file has some 50 000."""
DEEPEST = 60
"""Levels of tables in tables; a real file has five."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, not yet understood."""

    name: str
    """As the user gave it; `-` for standard input."""
    raw: dict[str, Any]
    text: str

    @property
    def folder(self) -> Path | None:
        """Where it lies; None for standard input and for what is no file."""
        return None if self.name == "-" else Path(self.name).absolute().parent


def read_document(name: str) -> Document:
    """The document of a path, or of standard input for `-`; raises `UnusableInput`."""
    data = _stdin() if name == "-" else _file(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unusable(
            f"is not text in UTF-8 (byte {error.start + 1})", "give a TOML or JSON file"
        ) from None
    return Document(name, parse(text), text)


def parse(text: str) -> dict[str, Any]:
    """Plain data from TOML or JSON text: JSON where it begins with a brace."""
    start = text.lstrip()
    if not start:
        raise _unusable(
            "is empty", "`companion template GAME --players Ana,Ben` writes one to fill in"
        )
    if "\0" in text:
        raise _unusable("is not text (it holds zero bytes)", "give a TOML or JSON file")
    raw = _json(text) if start[0] in "{[" and not _looks_like_toml(start) else _toml(text)
    if not isinstance(raw, dict):
        raise _unusable("is a list", "one position is a table: it begins with {")
    if _depth(raw, DEEPEST) > DEEPEST:
        raise _unusable(f"is nested deeper than {DEEPEST} levels", "a position has five")
    return raw


def _looks_like_toml(start: str) -> bool:
    """Whether a text that begins with a bracket begins with a TOML table: `[options]`."""
    line = start.split("\n", 1)[0].split("#", 1)[0].strip()
    inner = line.strip("[]").strip()
    return start[0] == "[" and line.endswith("]") and inner.replace(".", "").isidentifier()


def _unusable(found: str, right: str) -> UnusableInput:
    return UnusableInput([Fault("", found, right)])


def _stdin() -> bytes:
    try:
        data = sys.stdin.buffer.read(LARGEST + 1)
    except OSError as error:
        raise _unusable(f"cannot be read: {error.strerror}", "pipe a file in") from None
    return _limited(data)


def _limited(data: bytes) -> bytes:
    if len(data) > LARGEST:
        raise _unusable(
            f"is larger than {LARGEST // 1_000_000} MB", "a score sheet has a few kilobytes"
        )
    return data


def _file(name: str) -> bytes:
    try:
        mode = Path(name).stat().st_mode
        if stat.S_ISDIR(mode):
            raise _unusable("is a folder", "name the files in it")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise _unusable("is not a file", "give a TOML or JSON file")
        with Path(name).open("rb") as file:
            return _limited(file.read(LARGEST + 1))
    except FileNotFoundError:
        raise _unusable("there is no such file", _similar_file(name)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _unusable(f"cannot be read: {reason}", "") from None


def _similar_file(name: str) -> str:
    from difflib import get_close_matches

    path = Path(name)
    try:
        there = [p.name for p in path.parent.iterdir()][:2000]
    except (OSError, ValueError):
        return "check the folder"
    close = get_close_matches(path.name, there, n=1)
    return f"did you mean {path.parent / close[0]}?" if close else ""


def _toml(text: str) -> Any:
    for number, line in enumerate(text.splitlines(), 1):
        key = line.partition("=")[0]
        if key.count(".") > DEEPEST and '"' not in key and "'" not in key:
            raise _unusable(
                f"is nested deeper than {DEEPEST} levels (line {number})", "a position has five"
            )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _unusable(f"is not TOML: {error}", "") from None
    except RecursionError:
        raise _unusable("is nested too deeply", "a position has five levels") from None
    except ValueError as error:
        raise _unusable(f"is not TOML: {_said(error)}", "") from None


def _said(error: ValueError) -> str:
    """What is wrong with a value; Python's advice on long numbers is not for a table."""
    return "a number of thousands of digits" if "digits" in str(error) else str(error)


def _json(text: str) -> Any:
    def refuse(constant: str) -> Any:
        raise _unusable(f"holds {constant}, which is no number", "write a whole number")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            twice = [key for key, count in counts.items() if count > 1][:5]
            raise _unusable(f"has the key {', '.join(map(repr, twice))} twice", "keep one of them")
        return table

    try:
        return json.loads(text, parse_constant=refuse, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _unusable(f"is not JSON: {error.msg} ({where})", "") from None
    except RecursionError:
        raise _unusable("is nested too deeply", "a position has five levels") from None
    except ValueError as error:
        raise _unusable(f"is not JSON: {_said(error)}", "") from None


def _depth(value: Any, limit: int) -> int:
    level, here = 0, [value]
    while here and level <= limit:
        level += 1
        nested: list[Any] = []
        for item in here:
            if isinstance(item, dict):
                nested += [v for v in item.values() if isinstance(v, dict | list)]
            elif isinstance(item, list):
                nested += [v for v in item if isinstance(v, dict | list)]
        here = nested
    return level
