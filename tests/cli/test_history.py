"""`companion history` and `companion doctor`, as they are typed."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.session import MatchSession, open_store

ROOT = Path(__file__).parents[2]
GOLD = str(ROOT / "samples" / "gold-up-match.toml")
PADDLE = str(ROOT / "samples" / "without-a-paddle-match.toml")

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Typed:
    """Runs a command on a store of the test; status, output, complaints."""
    monkeypatch.setenv("COMPANION_DB", f"sqlite:///{tmp_path}/home/store.sqlite3")
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["companion", *words])
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


def answer(found: tuple[int, str, str]) -> Any:
    """JSON of a command that went well."""
    status, out, err = found
    assert (status, err) == (0, "")
    return json.loads(out)


def test_import_list_show_export_delete(typed: Typed, tmp_path: Path) -> None:
    assert "No matches yet" in typed("history", "list")[1]
    assert answer(typed("history", "list", "--json")) == []
    status, out, _ = typed("history", "import", GOLD, PADDLE, "--title", "Sunday")
    assert status == 0
    assert out == f"{GOLD} is match 1\n{PADDLE} is match 2\n"
    listed = answer(typed("history", "list", "--json"))
    assert {m["match"]: m["game"] for m in listed} == {1: "gold-up", 2: "without-a-paddle"}
    gold = next(m for m in listed if m["match"] == 1)
    assert gold["totals"] == {"Ana": 112, "Ben": 95, "Cleo": 107}
    assert gold["winners"] == ["Ana"]
    assert (gold["stage"], gold["title"], gold["entries"]) == ("finished", "Sunday", 20)
    out = typed("history", "list")[1]
    assert "Sunday: gold-up, Ana, Ben, Cleo; finished" in out
    assert "Ana 112, Ben 95, Cleo 107" in out

    shown = answer(typed("history", "show", "1", "--json"))
    scored = answer(typed("score", GOLD, "--json"))
    assert {p["name"]: p["total"] for p in shown["score"]["players"]} == {
        p["name"]: p["total"] for p in scored["players"]
    }
    assert [a["recorded"] for a in shown["acts"]].count(True) == 1
    out = typed("history", "show", "1", "--steps")[1]
    assert "   8  Ben steal-chests Cleo green with blue !" in out
    assert "against the rules: The keys do not fit" in out
    assert "At the end it was" not in out, "the agreed score is the score"

    file = tmp_path / "out.toml"
    assert typed("history", "export", "1", "--output", str(file)) == (0, f"{file}\n", "")
    assert file.read_text("utf-8") == typed("history", "export", "1")[1]
    again = answer(typed("score", str(file), "--json"))
    assert again["players"] == scored["players"]
    assert typed("history", "export", "1", "-o", str(file))[0] == 2, "nothing is overwritten"

    assert typed("history", "delete", "1", "2", "--yes")[0] == 0
    assert answer(typed("history", "list", "--json")) == []


def test_deleting_asks_first(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    typed("history", "import", GOLD, PADDLE)
    status, _, err = typed("history", "delete", "1")
    assert status == 2
    assert "add --yes" in err
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    answers = iter([False, True])
    monkeypatch.setattr("typer.confirm", lambda text: next(answers))
    assert typed("history", "delete", "1", "2") == (0, "Match 2 is deleted\n", "")
    assert [m["match"] for m in answer(typed("history", "list", "--json"))] == [1]


def test_a_bad_file_does_not_stop_the_rest(typed: Typed, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('game = "gold-up"\nplayers = ["Ana", "Ben"]\nactions = """\nAna fly\n"""\n')
    status, out, err = typed("history", "import", str(bad), GOLD)
    assert status == 2
    assert out == f"{GOLD} is match 1\n"
    assert "actions line 1" in err
    status, out, err = typed("history", "import", str(bad), GOLD, "--json")
    assert (status, err) == (2, "")
    first, second = json.loads(out)
    assert first["error"] and second["match"] == 2


def test_what_was_agreed_is_told_where_the_score_is_another_now(typed: Typed) -> None:
    store = open_store()
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
    session.play(session.parse('Ana observe 1 "bow eagle stern"'))
    session.finish()
    final = dict(session.match.final or {})
    final["players"] = [{"name": "Ana", "total": 99}, {"name": "Ben", "total": 1}]
    store.set_stage(session.match_id, session.stage, final)
    store.close()
    assert "At the end it was: Ana 99, Ben 1 (rules " in typed("history", "show", "1")[1]


def test_undone_and_amended_acts_are_shown(typed: Typed) -> None:
    store = open_store()
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
    for line in ("Ana place bow 1 1", "Ana place eagle 1 2"):
        session.play(session.parse(line))
    session.undo()
    session.amend(1, session.parse("Ana place bow 2 1"))
    store.close()
    out = typed("history", "show", "1", "--steps")[1]
    assert "1  Ana place bow 2 1   (was: Ana place bow 1 1)" in out
    assert "2  Ana place eagle 1 2   (undone)" in out


@pytest.mark.parametrize("command", ["show", "export", "delete"])
def test_a_match_that_is_not_there(typed: Typed, command: str) -> None:
    status, out, err = typed("history", command, "9")
    assert (status, out) == (2, "")
    assert "there is no match 9" in err


def test_a_store_in_trouble_is_said(typed: Typed, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("Dear Ana, " * 100)
    for command in (["list"], ["list", "--json"], ["show", "1"], ["import", GOLD]):
        status, out, err = typed("history", *command, "--db", f"sqlite:///{letter}")
        assert (status, out) == (2, "")
        assert "damaged, or no store" in err
    status, _, err = typed("history", "list", "--db", "matches.db")
    assert status == 2
    assert "write sqlite:///matches.db" in err


def test_doctor_says_where_everything_is(typed: Typed, tmp_path: Path) -> None:
    found = answer(typed("doctor", "--json"))
    assert found["store"]["where"] == f"{tmp_path}/home/store.sqlite3"
    assert found["store"]["exists"] is False
    assert not (tmp_path / "home").exists(), "looking makes nothing"
    assert found["decks"]["where"] == str(tmp_path / "decks")
    assert found["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"textual", "opencv", "tesseract"} <= found["versions"].keys()
    typed("history", "import", GOLD)
    status, out, _ = typed("doctor")
    assert status == 0
    assert "opens, 1 match\n" in out


def test_doctor_says_what_is_wrong(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x" * 5000)
    for db, said in (
        (f"sqlite:///{tmp_path}/file", "damaged, or no store"),
        (f"sqlite:///{tmp_path}/file/deep/store", "is in the way"),
        ("matches.db", "is no URL"),
        ("postgresql://ana:secret@127.0.0.1:1/club", "does not answer"),
    ):
        status, out, _ = typed("doctor", "--db", db)
        assert status == 2
        assert said in out
        assert "secret" not in out


def test_doctor_keeps_passwords_to_itself(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DB", "postgresql://ana:secret@127.0.0.1:1/club")
    status, out, err = typed("doctor")
    assert status == 2
    assert "COMPANION_DB=postgresql+psycopg://ana:***@127.0.0.1" in out
    assert "secret" not in out + err
    assert os.environ["COMPANION_DB"].count("secret") == 1
