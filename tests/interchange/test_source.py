"""Bytes to plain data: every failure in words."""

import io
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import UnusableInput
from companion.interchange.source import LARGEST, parse, read_document

GOOD = b'game = "gold-up"\nplayers = ["Ana", "Ben"]\nhands = []\n'


def refused(content: bytes, folder: Path) -> str:
    """What is said of a file of these bytes."""
    path = folder / "table.toml"
    path.write_bytes(content)
    return said_of(str(path))


def said_of(name: str) -> str:
    with pytest.raises(UnusableInput) as caught:
        read_document(name)
    (fault,) = caught.value.faults
    assert fault.found
    return str(fault)


def test_a_document(tmp_path: Path) -> None:
    """Its data, its text and its folder; a byte-order mark and CRLF do no harm."""
    for content in (GOOD, b"\xef\xbb\xbf" + GOOD, GOOD.replace(b"\n", b"\r\n")):
        path = tmp_path / "table.toml"
        path.write_bytes(content)
        document = read_document(str(path))
        assert document.raw == {"game": "gold-up", "players": ["Ana", "Ben"], "hands": []}
        assert document.folder == tmp_path
        assert document.name == str(path)


def test_json_and_toml_say_the_same() -> None:
    """JSON is known by its brace, a TOML table by its brackets."""
    for text in ('{"game": "x"}', '\n {"game":\n"x"}', 'game = "x"', '# {\ngame = "x"'):
        assert parse(text) == {"game": "x"}
    assert parse("[options]\na = 1") == {"options": {"a": 1}}
    assert parse("[[players]] # x\nname = 'A'") == {"players": [{"name": "A"}]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"\xff\xfeg\0a\0", "UTF-8"),
        (bytes(range(128, 256)), "UTF-8"),
        (b"\x7fELF\0\0\0", "not text"),
        (b'game = "x"\n\n\n\n\n\nx = = 3\n', "line 7"),
        (b'game = "x"\ngame = "y"\n', "TOML"),
        (b'game = "x', "TOML"),
        (b"a = " + b"[" * 200_000, "nested"),
        (b"a = " + b"9" * 100_000, "TOML"),
        (b"d = 2020-13-45", "TOML"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b'{"a": 1, "a": 2}', "'a' twice"),
        (b'{"a": {"b": 1, "c": 2, "b": 3}}', "'b' twice"),
        (b"[" * 200_000, "nested"),
        (b'{"a":' * 200_000, "nested"),
        (b'{"a":' * 100 + b"1" + b"}" * 100, "nested"),
        (b'{"a": ' + b"9" * 100_000 + b"}", "JSON"),
        (b'{"a": 1,\n\n "b" 2}', "line 3"),
        (b'{"a": 1', "JSON"),
        (b"[1, 2]", "list"),
        (b'"text"', "TOML"),
        (b"3", "TOML"),
    ],
)
def test_what_is_no_table(content: bytes, said: str, tmp_path: Path) -> None:
    """Each with what was found, and the line where there is one."""
    assert said in refused(content, tmp_path)


def test_a_file_of_200_megabytes(tmp_path: Path) -> None:
    """It is not read at all."""
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert "larger than 5 MB" in said_of(str(path))


def test_the_largest_file(tmp_path: Path) -> None:
    """Five million bytes are read, one more is not."""
    path = tmp_path / "table.toml"
    path.write_bytes(GOOD + b"#" * (LARGEST - len(GOOD)))
    assert read_document(str(path)).raw["hands"] == []
    path.write_bytes(GOOD + b"#" * (LARGEST - len(GOOD) + 1))
    assert "larger" in said_of(str(path))


def test_what_is_no_file(tmp_path: Path) -> None:
    """A folder, a device, nothing at all, a name that cannot be."""
    (tmp_path / "tabel.toml").write_bytes(GOOD)
    assert "folder" in said_of(str(tmp_path))
    assert "tabel.toml" in said_of(str(tmp_path / "table.toml"))
    assert "no such file" in said_of(str(tmp_path / "none" / "x.toml"))
    for name in ("\0", "x" * 10_000, "", "\ud800"):
        assert said_of(name)
    if Path("/dev/zero").exists():
        assert "not a file" in said_of("/dev/zero")


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links(tmp_path: Path) -> None:
    """A link to a table is one; a link to nothing or to itself is not."""
    (tmp_path / "real.toml").write_bytes(GOOD)
    (tmp_path / "good").symlink_to("real.toml")
    (tmp_path / "lost").symlink_to("gone.toml")
    (tmp_path / "loop").symlink_to("loop")
    assert read_document(str(tmp_path / "good")).raw["hands"] == []
    assert said_of(str(tmp_path / "lost"))
    assert said_of(str(tmp_path / "loop"))


def test_a_file_that_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at it and the reading."""
    path = tmp_path / "table.toml"
    path.write_bytes(GOOD)

    def gone(*_: object, **__: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "open", gone)
    assert "no such file" in said_of(str(path))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_nobody_may_read(tmp_path: Path) -> None:
    """The reason of the system."""
    path = tmp_path / "table.toml"
    path.write_bytes(GOOD)
    path.chmod(0)
    assert "Permission" in said_of(str(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-`, with the same limit."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(GOOD)))
    document = read_document("-")
    assert document.raw["game"] == "gold-up"
    assert document.folder is None
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"#" * (LARGEST + 5))))
    assert "larger" in said_of("-")


@given(st.text(max_size=200) | st.text("{}[]\",:=.\n#'a1 ", max_size=60))
def test_any_text(text: str) -> None:
    """Data, or a reason that fits on a line."""
    try:
        assert isinstance(parse(text), dict)
    except UnusableInput as error:
        (fault,) = error.faults
        assert "\n" not in str(fault)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
))  # fmt: skip
def test_json_comes_back(value: object) -> None:
    """A table survives the trip."""
    assert parse(json.dumps({"a": value})) == {"a": value}
