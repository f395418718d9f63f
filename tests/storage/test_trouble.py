"""What can be wrong with a store: a clear message with what to do, and nothing lost."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from companion.session import MatchSession, Store, StoreTrouble, open_store
from companion.storage.sql import SqlStore

Opener = Callable[[str], Store]


def trouble_of(url: str) -> StoreTrouble:
    """What is said when the store is opened."""
    with pytest.raises(StoreTrouble) as caught:
        open_store(url)
    assert caught.value.todo, "it says what to do"
    return caught.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a match of five entries in it."""
    path = tmp_path / "store.sqlite3"
    store = open_store(f"sqlite:///{path}")
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
    for column in range(1, 6):
        session.play(session.parse(f'Ana observe 1 "eagle" from {column}'))
    store.close()
    return path


def is_whole(path: Path, entries: int = 5) -> None:
    """Opens with so many entries, and takes another."""
    store = open_store(f"sqlite:///{path}")
    session = MatchSession.open(store, 1)
    assert len(session.entries()) == entries
    session.play(session.parse('Ben observe 3 "furs"'))
    store.close()


def test_a_full_disk_loses_nothing(path: Path) -> None:
    store = open_store(f"sqlite:///{path}")
    assert isinstance(store, SqlStore)
    engine = store._database.engine
    store._database.release()

    @event.listens_for(engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")

    session = MatchSession.open(store, 1)
    entered = 5
    with pytest.raises(StoreTrouble) as caught:
        for column in range(6, 2000):
            before = session.state
            session.play(session.parse(f'Ana observe 1 "eagle" from {column}'))
            entered += 1
    assert "full" in caught.value.what
    assert "make room" in caught.value.todo
    assert session.state is before, "what was not stored is not shown"
    assert len(session.entries()) == entered
    with pytest.raises(StoreTrouble, match="full"):
        for _ in range(200):
            MatchSession.create(store, "up-the-creek", ["Ana", "Ben"], title="x" * 200)
    event.remove(engine, "connect", limit)
    store._database.release()
    session.play(session.parse('Ana observe 1 "furs" from 3'))  # there is room again
    store.close()
    is_whole(path, entered + 1)


def test_a_store_that_may_only_be_read(path: Path) -> None:
    store = open_store(f"sqlite:///file:{path}?mode=ro&uri=true")
    session = MatchSession.open(store, 1)
    assert len(session.entries()) == 5, "reading works"
    for change in (
        lambda: session.play(session.parse('Ana observe 1 "furs"')),
        session.undo,
        session.finish,
        lambda: store.delete(1),
        lambda: store.roster.add("Cleo"),
        lambda: MatchSession.create(store, "up-the-creek", ["Ana", "Ben"]),
    ):
        with pytest.raises(StoreTrouble, match="may only be read"):
            change()
    assert len(session.entries()) == 5
    store.close()
    is_whole(path)


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Root may write everything, so tests that run as root do this as another user."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions as on Unix")
def test_a_file_of_somebody_else() -> None:
    """Neither file nor folder may be written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite3"
        store = open_store(f"sqlite:///{path}")
        session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
        session.play(session.parse('Ana observe 1 "eagle"'))
        store.close()
        before = path.read_bytes()
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        try:
            with as_somebody_else(), pytest.raises(StoreTrouble) as caught:
                store = open_store(f"sqlite:///{path}")
                session = MatchSession.open(store, 1)
                session.play(session.parse('Ana observe 1 "furs"'))
        finally:
            Path(folder).chmod(0o755)
        assert "may only be read" in caught.value.what or "cannot be opened" in caught.value.what
        assert path.read_bytes() == before


def test_another_program_that_does_not_stop_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.storage.engine.PATIENCE", 20)
    store = open_store(f"sqlite:///{path}")
    session = MatchSession.open(store, 1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(3):
        with pytest.raises(StoreTrouble, match="another program has been writing"):
            session.play(session.parse('Ana observe 1 "furs"'))
    assert len(session.entries()) == 5
    assert MatchSession.open(store, 1).state == session.state, "reading goes on"
    other.execute("COMMIT")
    session.play(session.parse('Ana observe 1 "furs"'))
    other.close()
    store.close()
    is_whole(path, 6)


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ana,\n" * 200)
    assert "damaged, or no store" in trouble_of(f"sqlite:///{path}").what
    assert path.read_text() == "Dear Ana,\n" * 200


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE letters (text)")
    connection.commit()
    connection.close()
    assert "no store of companion" in trouble_of(f"sqlite:///{path}").what


@pytest.mark.parametrize("where", [0, 1, 2, 3])
def test_a_damaged_store_is_left_as_it_is(path: Path, where: int) -> None:
    """A page is overwritten: it is said where it matters, never a traceback, nothing is written."""
    data = bytearray(path.read_bytes())
    start = where * 4096 + (16 if where == 0 else 0)
    data[start : start + 2000] = b"\xa5" * 2000
    path.write_bytes(data)
    with pytest.raises(StoreTrouble, match="damaged"):
        store = open_store(f"sqlite:///{path}")
        try:
            for match in store.matches():
                MatchSession.open(store, match.id)
            store.roster.names()
            MatchSession.open(store, 1)
            with store._database.reading() as connection:  # type: ignore[attr-defined]
                rows = connection.exec_driver_sql("PRAGMA integrity_check").fetchall()
            if rows != [("ok",)]:
                raise StoreTrouble("damaged in a page that nothing reads here")
        finally:
            store.close()
    assert path.read_bytes() == bytes(data)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET kind = 'danced' WHERE seq = 2",
        "UPDATE entries SET payload = '{' WHERE seq = 2",
        "UPDATE entries SET payload = '{\"who\": 1}' WHERE seq = 2",
        "UPDATE entries SET kind = 'undone', payload = '{\"seq\": 40}' WHERE seq = 2",
        "UPDATE matches SET head = 'x'",
        "UPDATE matches SET stage = 'lost'",
    ],
)
def test_what_no_companion_has_written(path: Path, change: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(change)
    connection.commit()
    connection.close()
    store = open_store(f"sqlite:///{path}")
    with pytest.raises(StoreTrouble, match="damaged"):
        MatchSession.open(store, 1)
    store.close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    trouble = trouble_of(f"sqlite:///{tmp_path}/file/deep/store.sqlite3")
    assert "cannot be made: a file is in its way" in trouble.what
    assert "cannot be opened" in trouble_of(f"sqlite:///{tmp_path}").what


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("matches.db", "write sqlite:///matches.db"),
        ("/home/ana/matches.db", "write sqlite:////home/ana/matches.db"),
        ("sqlite://matches.db", "write sqlite:///matches.db"),
        ("mysql://ana@host/db", "mysql is not a kind of store"),
        ("nonsense://x", "nonsense is not a kind of store"),
        ("http://[bad", "http is not a kind of store"),
        (" ", "is no URL of a store"),
        ("postgresql://ana:secret@127.0.0.1:1/club", "does not answer"),
    ],
)
def test_a_url_that_makes_no_sense(url: str, said: str) -> None:
    trouble = str(trouble_of(url))
    assert said in trouble
    assert "secret" not in trouble


def test_a_server_that_goes_away_is_told(database: str) -> None:
    from sqlalchemy import create_engine, make_url, text

    store = open_store(database)
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
    session.play(session.parse('Ana observe 1 "eagle"'))
    admin = create_engine(make_url(database).set(database="postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"),
            {"name": make_url(database).database},
        )
    admin.dispose()
    session.play(session.parse('Ana observe 1 "furs"'))  # a new connection is made by itself
    assert len(session.entries()) == 2
    store.close()


def test_the_store_is_chosen_by_argument_then_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.storage.store import chosen_url, default_path

    monkeypatch.delenv("COMPANION_DB", raising=False)
    assert chosen_url() == f"sqlite:///{default_path()}"
    monkeypatch.setenv("COMPANION_DB", f"sqlite:///{tmp_path}/deep/er/a.sqlite3")
    store = open_store()
    assert store.where == f"{tmp_path}/deep/er/a.sqlite3"
    store.close()
    assert chosen_url("sqlite://") == "sqlite://"
