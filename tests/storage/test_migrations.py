"""From the first schema to the newest, with data; backed up before, whole or not at all."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import companion.storage.migrate as migrating
from companion.core.log import Played, Undone
from companion.session import MatchSession, Store, StoreTrouble, open_store
from companion.storage.engine import engine_of, url_of
from companion.storage.port import NewEntry
from companion.storage.schema import METADATA
from tests.storage.old import FIRST, make_old

Opener = Callable[[str], Store]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store of the first schema lies."""
    path = tmp_path / "old.sqlite3"
    make_old(f"sqlite:///{path}")
    return path


def dumped(path: Path) -> list[str]:
    """All there is in a SQLite file, as statements."""
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_every_migration_is_known_and_in_order() -> None:
    folder = Path(migrating.__file__).parent / "migrations" / "versions"
    told = {
        name: re.findall(r'^(?:down_)?revision(?:: .*)? = (?:"(.*)"|None)$', path.read_text(), re.M)
        for path in folder.glob("v*.py")
        for name in [path.name[1:5]]
    }
    assert tuple(sorted(told)) == migrating.REVISIONS
    for before, name in zip(("", *migrating.REVISIONS), migrating.REVISIONS, strict=False):
        assert told[name] == [name, before]


def test_the_first_schema_with_data_is_brought_up_to_date(url: str, opened: Opener) -> None:
    make_old(url)
    store = opened(url)
    (match,) = store.matches()
    assert (match.id, match.players, match.title) == (7, ("Ana", "Ben"), "")
    assert match.updated == "2025-01-01T20:03:00.000+00:00"
    entries = store.entries(7)
    assert [e.entry for e in entries] == [
        Played("Ana", ("place", "bow", "1", "1")),
        Played("Ana", ("place", "bow", "3", "9"), True),
        Undone(2),
    ]
    assert [e.verdict for e in entries] == [None, {"verdict": "illegal"}, None]
    assert store.roster.names() == ("Ana", "Ben")
    store.append(7, 3, [NewEntry(Played("Ben", ("place", "bow", "1", "1")), {"photo": "x"})])
    store.facts.tell("d", "k", 1)
    session = MatchSession.open(store, 7)
    assert [e.text for e in session.entries() if e.in_force] == ["place bow 1 1"] * 2
    store.delete(7)
    assert store.entries(7) == ()


def test_migrations_lead_to_the_tables_of_the_program(url: str, opened: Opener) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    make_old(url)
    opened(url)
    engine = engine_of(url_of(url))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


def test_foreign_keys_hold_after_a_migration(path: Path, opened: Opener) -> None:
    opened(f"sqlite:///{path}")
    connection = sqlite3.connect(path)
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    connection.close()
    assert "ON DELETE CASCADE" in tables["entries"]
    assert "WITHOUT ROWID" in tables["entries"]
    assert "AUTOINCREMENT" in tables["matches"]


def test_the_old_file_is_kept_beside_the_new_one(path: Path, opened: Opener) -> None:
    before = dumped(path)
    opened(f"sqlite:///{path}")
    backup = path.with_name(f"old.sqlite3.schema-{FIRST}.backup")
    assert dumped(backup) == before
    assert dumped(path) != before
    opened(f"sqlite:///{path}")
    assert len(list(path.parent.glob("*.backup*"))) == 1, "nothing to migrate, nothing to back up"


def test_an_earlier_backup_is_not_overwritten(path: Path, opened: Opener) -> None:
    taken = path.with_name(f"old.sqlite3.schema-{FIRST}.backup")
    taken.write_text("mine")
    before = dumped(path)
    opened(f"sqlite:///{path}")
    assert taken.read_text() == "mine"
    assert dumped(taken.with_name(f"{taken.name}-2")) == before


def test_a_new_store_is_not_backed_up(tmp_path: Path, opened: Opener) -> None:
    opened(f"sqlite:///{tmp_path}/new.sqlite3")
    assert not list(tmp_path.glob("*.backup*"))


def test_a_migration_that_fails_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, opened: Opener
) -> None:
    before = dumped(path)
    real = migrating.upgrade

    def upgrade_and_fail(connection: Any, to: str = "head") -> None:
        real(connection, to)
        raise StoreTrouble("the lights went out")

    with monkeypatch.context() as patched:
        patched.setattr(migrating, "upgrade", upgrade_and_fail)
        with pytest.raises(StoreTrouble, match="lights"):
            open_store(f"sqlite:///{path}")
    assert dumped(path) == before
    assert len(opened(f"sqlite:///{path}").entries(7)) == 3


def test_a_newer_schema_is_left_alone(url: str) -> None:
    open_store(url).close()
    engine = engine_of(url_of(url))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(StoreTrouble) as trouble:
        open_store(url)
    assert "newer companion (schema 0999" in trouble.value.what
    assert "update companion" in trouble.value.todo
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    engine.dispose()
    assert found == "0999"


_OPEN = (
    "import sys\n"
    "from companion.session import open_store\n"
    "print('ready', flush=True); sys.stdin.readline()\n"
    "store = open_store(sys.argv[1])\n"
    "print(len(store.entries(7)), flush=True)\n"
)


def test_two_programs_at_once_migrate_once(path: Path) -> None:
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", _OPEN, f"sqlite:///{path}"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    assert [program.communicate(timeout=60)[0] for program in programs] == ["3\n", "3\n"]
    assert len(list(path.parent.glob("*.backup*"))) == 1
