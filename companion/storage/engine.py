"""From a URL to an engine whose every transaction is durable; failures of the driver in words."""

import errno
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from companion.storage.trouble import StoreTrouble

PATIENCE = 2000
"""Milliseconds to wait for another program that is writing."""
_FORMS = "write sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE"


def url_of(text: str) -> URL:
    """The URL of a store; raises `StoreTrouble` for one that makes no sense."""
    try:
        url = make_url(text)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        right = f"write sqlite:///{text}" if _like_a_path(text) else _FORMS
        raise StoreTrouble(f"{text} is no URL of a store", right) from None
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StoreTrouble(f"{backend} is not a kind of store", _FORMS)
    if url.host:
        path = text.split("://", 1)[1]
        right = f"write sqlite:///{path}"
        raise StoreTrouble(f"{text} names a computer, not a file", right)
    if url.database and url.database.startswith("~"):
        return url.set(database=str(Path(url.database).expanduser()))
    return url.set(drivername="sqlite")


def _like_a_path(text: str) -> bool:
    return "://" not in text and bool(text.strip())


def name_of(url: URL) -> str:
    """The store in words: its file, or the URL without the password."""
    if url.get_backend_name() == "sqlite":
        return url.database or "memory (forgotten when the program ends)"
    return url.render_as_string(hide_password=True)


def engine_of(url: URL) -> Engine:
    """The engine; makes the folder of a file. Raises `StoreTrouble`."""
    if url.get_backend_name() != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True)
        except ModuleNotFoundError as error:
            todo = "install it: pip install 'tabletop-companion[club]'"
            raise StoreTrouble(f"PostgreSQL needs the package {error.name}", todo) from None
    in_memory = not url.database or url.database == ":memory:"
    if in_memory:
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        _make_folder(url.database or "")
        engine = create_engine(url)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _make_folder(path: str) -> None:
    if path.startswith("file:"):
        return
    folder = Path(path).absolute().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if isinstance(error, FileExistsError) or error.errno == errno.ENOTDIR:
            reason = "a file is in its way"
        else:
            reason = str(error.strerror)
        todo = "choose another place with --db or COMPANION_DB"
        raise StoreTrouble(f"the folder {folder} cannot be made: {reason}", todo) from None


def _prepare(connection: Any, _: Any) -> None:
    """Every commit reaches the disk; readers and one writer at once where the file system can."""
    connection.isolation_level = None  # transactions begin where we say so: see `_begin`
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
    connection.execute("PRAGMA foreign_keys = ON")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another program holds it just now, or it may only be read: it works in the mode it is in.
        if code_of(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY):
            raise
    connection.execute("PRAGMA synchronous = FULL")


def _begin(connection: Any) -> None:
    """A writer asks for its turn at once: asking later could fail instead of waiting."""
    writes = connection.get_execution_options().get("writes")
    driver = connection.connection.driver_connection
    driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def code_of(error: BaseException | None) -> int:
    """SQLite's primary result code; 0 where there is none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def in_words(error: Exception, where: str) -> StoreTrouble:
    """What the driver says, for people."""
    if isinstance(error, StoreTrouble):
        return error
    cause = error.orig if isinstance(error, DBAPIError) else error
    elsewhere = "or choose another store with --db or COMPANION_DB"
    match code_of(cause):
        case sqlite3.SQLITE_FULL:
            return StoreTrouble(
                f"the disk of {where} is full, so this was not written",
                "make room and do it again; everything before it is safe",
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return StoreTrouble(f"{where} may only be read", f"allow writing to it, {elsewhere}")
        case sqlite3.SQLITE_CANTOPEN:
            return StoreTrouble(
                f"{where} cannot be opened", f"check that it is a file you may write, {elsewhere}"
            )
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return damaged(where)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreTrouble(
                f"another program has been writing to {where} for {PATIENCE // 1000} seconds",
                "close it and do this again",
            )
        case sqlite3.SQLITE_IOERR:
            return StoreTrouble(f"the disk of {where} reports a fault", "check the disk")
    said = str(cause).strip().splitlines()
    return StoreTrouble(
        f"the store {where} does not answer: {said[0] if said else type(cause).__name__}",
        f"check that it runs and that the URL is right, {elsewhere}",
    )


def damaged(where: str) -> StoreTrouble:
    """A store that cannot be understood."""
    return StoreTrouble(
        f"{where} is damaged, or no store of companion",
        "it was left as it is; put a backup in its place, or choose another with --db or COMPANION_DB",
    )
