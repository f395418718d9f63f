"""Adding an act to a match file: the file is replaced whole, or stays as it was."""

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import UnusableInput
from companion.interchange.match_edit import add_act
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import Document, parse

MATCH = '''# Sunday's match
game   = "up-the-creek"   # odd layout
players = ["Ana",
           "Big Ben"]     # clockwise

actions = """
Ana reveal bow   # a comment inside
Ana place bow 1 1

"""

[options]
tribes = false   # as ever
'''


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.toml"
    path.write_bytes(MATCH.encode())
    return path


def beside(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def acts(path: Path) -> list[str]:
    lines = parse(path.read_text("utf-8"))["actions"].splitlines()
    return [line for line in lines if line.strip()]


def refused(path: Path, line: str) -> str:
    """What is said; the file is as it was, and nothing else lies beside it."""
    before = path.read_bytes()
    with pytest.raises(UnusableInput) as caught:
        add_act(str(path), line)
    assert path.read_bytes() == before
    assert beside(path.parent) == [path.name]
    return str(caught.value)


def test_an_act_is_added(match: Path) -> None:
    """At the end of the acts; comments and layout stay."""
    added = add_act(str(match), "  Ana reveal eagle  ")
    assert added.written
    assert match.read_text("utf-8") == MATCH.replace('1 1\n\n"""', '1 1\n\nAna reveal eagle\n"""')
    assert beside(match.parent) == ["match.toml"]


def test_one_after_the_other(match: Path) -> None:
    """What was written can be read and added to again."""
    for line in (
        "Ana reveal eagle",
        "Ana place eagle 1 2",
        'Ana observe 2 "bow . stern"  # "seen"',
    ):
        assert add_act(str(match), line).written
        assert acts(match)[-1] == line
    assert match.read_text("utf-8").startswith("# Sunday's match\n")


def test_against_the_rules(match: Path) -> None:
    """Not written, unless it is marked with `!`."""
    add_act(str(match), "Ana reveal eagle")
    before = match.read_bytes()
    answer = add_act(str(match), "Ana place eagle 3 9")
    assert (answer.written, answer.possible) == (False, True)
    assert match.read_bytes() == before
    assert add_act(str(match), "Ana place eagle 3 9 !").written
    assert acts(match)[-1] == "Ana place eagle 3 9 !"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "no act"),
        ("   ", "no act"),
        ("# a comment", "no act"),
        ("!", "player"),
        ("Ana", "no act"),
        ("place eagle", "player"),
        ("Ana place eagle", "row"),
        ("Ana plaec eagle 1 2", "place"),
        ("Ana place eagel 1 2", "eagle"),
        ("Bne pass", "Ben"),
        ("Big Ben pass", "Big Ben"),
        ('"Big Ben pass', "quotation"),
        ("Ana place bow 1 1", "cannot have happened"),
        ("Ana place bow 1 1 !", "cannot have happened"),
        ("Ana reveal eagle\nAna pass", "line"),
        ("Ana reveal\teagle", "control"),
        ("Ana reveal\x1b[2J", "control"),
        ('Ana observe 1 """', "quotation"),
        ("Ana place bow 1 \\u0031", "column"),
    ],
)
def test_what_is_no_act(match: Path, line: str, said: str) -> None:
    """Said so, and nothing is written."""
    assert said in refused(match, line)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (MATCH.replace('"up-the-creek"', '"up-the-crek"'), "up-the-creek"),
        (MATCH.replace("tribes", "tribs"), "tribes"),
        (MATCH.replace("place bow 1 1", "place bow 9 1"), "line 2"),
        (MATCH[: MATCH.index("[options]") - 6], "TOML"),
        ('game = "up-the-creek"\n[[players]]\nname = "Ana"\n', "actions"),
        ('game = "gold-up"\nplayers = ["Ana", "Ben"]\nhands = []\n', "actions"),
        ('game = "up-the-creek"\nplayers = ["Ana"]\nactions = 3\n', "2"),
        ('game = "up-the-creek"\nplayers = ["Ana", "Ben"]\nactions = 3\n', "text"),
    ],
)
def test_what_is_no_match(match: Path, text: str, said: str) -> None:
    """A faulty file is not touched."""
    match.write_text(text, "utf-8")
    assert said in refused(match, "Ana reveal eagle")


def test_no_file(tmp_path: Path) -> None:
    """It is not made; a folder and standard input are no files."""
    for name in (str(tmp_path / "none.toml"), str(tmp_path)):
        with pytest.raises(UnusableInput):
            add_act(name, "Ana pass")
    assert beside(tmp_path) == []


@pytest.mark.parametrize(
    "actions",
    ["", 'actions = ""\n', "actions = ''\n", 'actions = """\n"""\n', "actions = '''\n# none\n'''\n",
     'actions = """\\\n   # none\n"""\n', 'actions = "# \\"q\\" \\u00e9"\n'],
)  # fmt: skip
def test_however_the_acts_are_written(tmp_path: Path, actions: str) -> None:
    """Also where `actions` is missing: the first act makes it a match."""
    path = tmp_path / "match.toml"
    head = 'game = "up-the-creek"\nplayers = ["Ana", "Ben"]\n'
    for text in (head + actions + "[options]\n# none\ntribes = true\n", head + actions):
        path.write_text(text, "utf-8")
        assert add_act(str(path), "Ana reveal eagle").written
        assert acts(path)[-1] == "Ana reveal eagle"
        assert ("options" in parse(path.read_text("utf-8"))) == ("options" in text)


@pytest.mark.parametrize("code", ["0007", "007f", "001b", "000d", "000c", "0085", "0000"])
def test_control_characters_in_a_comment(match: Path, code: str) -> None:
    """Written as escapes they are valid TOML, and they stay."""
    match.write_text(MATCH.replace("a comment inside", f"a \\u{code} b"), "utf-8")
    wanted = parse(match.read_text("utf-8"))["actions"]
    try:
        added = add_act(str(match), "Ana reveal eagle")
    except UnusableInput:  # a character that ends the line leaves half an act behind
        return
    assert added.written
    assert parse(match.read_text("utf-8"))["actions"] == wanted + "Ana reveal eagle\n"


def test_line_ends_as_escapes(tmp_path: Path) -> None:
    """`actions = "...\\r\\n"`, as a program on Windows writes it."""
    path = tmp_path / "match.toml"
    head = 'game = "up-the-creek"\nplayers = ["Ana", "Ben"]\n'
    path.write_text(head + 'actions = "Ana reveal bow\\r\\nAna place bow 1 1\\r\\n"\n', "utf-8")
    assert add_act(str(path), "Ana reveal eagle").written
    assert acts(path)[-1] == "Ana reveal eagle"


def test_somebody_else_was_quicker(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An act that another terminal wrote meanwhile is never lost."""
    other = MATCH.replace('1 1\n\n"""', '1 1\nAna pass\n"""')

    def slow(document: Document) -> Sheet:
        match.write_text(other, "utf-8")
        return load_sheet(document)

    monkeypatch.setattr("companion.interchange.match_edit.load_sheet", slow)
    try:
        add_act(str(match), "Ana reveal eagle")
    except UnusableInput:
        assert match.read_text("utf-8") == other
    assert "Ana pass" in acts(match)


def test_line_ends_of_windows(match: Path) -> None:
    """Every line end stays what it was; the new one is like the others."""
    match.write_bytes(MATCH.replace("\n", "\r\n").encode())
    assert add_act(str(match), "Ana reveal eagle").written
    lines = match.read_bytes().split(b"\n")
    assert b"# Sunday's match\r" in lines
    assert parse(match.read_text("utf-8"))["options"] == {"tribes": False}
    assert acts(match)[-1].strip() == "Ana reveal eagle"
    assert [line for line in lines[:-1] if not line.endswith(b"\r")] == []


def test_a_byte_order_mark(match: Path) -> None:
    """Editors of Windows write one."""
    match.write_bytes(b"\xef\xbb\xbf" + MATCH.encode())
    assert add_act(str(match), "Ana reveal eagle").written
    assert "Ana reveal eagle" in match.read_text("utf-8-sig")


def test_json(tmp_path: Path) -> None:
    """Stays JSON."""
    path = tmp_path / "match.json"
    for more in ({}, {"actions": ""}, {"actions": "# ü\nAna reveal bow\nAna place bow 1 1"}):
        raw = {"game": "up-the-creek", "players": ["Ana", "Zoë"], "options": {"width": 14}, **more}
        path.write_text(json.dumps(raw), "utf-8")
        assert add_act(str(path), "Ana reveal eagle").written
        again = json.loads(path.read_text("utf-8"))
        assert again.pop("actions").splitlines()[-1] == "Ana reveal eagle"
        assert again == {k: v for k, v in raw.items() if k != "actions"}


@pytest.mark.skipif(os.name != "posix", reason="links and modes")
def test_a_link_stays_a_link_and_modes_stay(match: Path) -> None:
    """What it points at is changed."""
    link = match.parent / "link.toml"
    link.symlink_to(match.name)
    match.chmod(0o640)
    assert add_act(str(link), "Ana reveal eagle").written
    assert link.is_symlink()
    assert acts(match)[-1] == "Ana reveal eagle"
    assert match.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes everywhere"
)
def test_a_folder_nobody_may_write_in(match: Path) -> None:
    """Nothing was changed, and that is said."""
    match.parent.chmod(0o500)
    try:
        assert "written" in refused(match, "Ana reveal eagle")
    finally:
        match.parent.chmod(0o700)


@pytest.mark.parametrize("broken", ["fsync", "mkstemp", "replace"])
def test_a_disk_that_fails(match: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """At whatever moment: the file is as it was, and nothing is left beside it."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if broken == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    elif broken == "mkstemp":
        monkeypatch.setattr(tempfile, "mkstemp", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    assert "No space" in refused(match, "Ana reveal eagle")


def test_interrupted_in_the_middle(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while writing."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    before = match.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        add_act(str(match), "Ana reveal eagle")
    assert match.read_bytes() == before
    assert beside(match.parent) == ["match.toml"]


@given(st.text("Ana\"#!\\'pls \u0085\u2028é", max_size=15) | st.text(max_size=15))
@settings(max_examples=60, deadline=None)
def test_any_line(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    """Refused and unchanged, or the last act of the file."""
    path = tmp_path_factory.mktemp("any") / "match.toml"
    for act in (line, f"Ana reveal eagle # {line}"):
        path.write_text(MATCH, "utf-8")
        try:
            written = add_act(str(path), act).written
        except UnusableInput:
            written = False
        if written:
            assert acts(path)[-1] == act.strip()
        else:
            assert path.read_text("utf-8") == MATCH
