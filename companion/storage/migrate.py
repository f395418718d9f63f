"""Bringing a store up to date: a backup beside the file, then all migrations in one transaction."""

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from companion.storage.engine import damaged, in_words
from companion.storage.trouble import StoreTrouble

REVISIONS = ("0001", "0002")
"""Every schema there has been, the newest last: one file each in `migrations/versions`."""
HEAD = REVISIONS[-1]
_LOCK = 7_061_983
"""Any number: whoever migrates a PostgreSQL store holds the lock of that number."""


def bring_up_to_date(engine: Engine, where: str) -> None:
    """Makes the tables of an empty store and migrates an older one; raises `StoreTrouble`."""
    try:
        with engine.connect() as connection:
            version = _version(connection, where)
        if version == HEAD:
            return
        _migrate(engine, where)
    except (DBAPIError, sqlite3.Error) as error:
        raise in_words(error, where) from error


def _version(connection: Connection, where: str) -> str | None:
    """The schema of the store; None for an empty one."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise damaged(where)
    versions = list(connection.scalars(text("SELECT version_num FROM alembic_version")))
    if not versions:
        raise damaged(where)
    if versions[0] not in REVISIONS:
        raise StoreTrouble(
            f"{where} was written by a newer companion (schema {versions[0]}, this one knows {HEAD})",
            "update companion; the store was left as it is",
        )
    return str(versions[0])


def _migrate(engine: Engine, where: str) -> None:
    sqlite = engine.dialect.name == "sqlite"
    with engine.execution_options(writes=True).connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        if sqlite:
            # Alembic copies a table and drops the old one: with foreign keys on, that would delete
            # the entries of every match. The setting takes effect outside a transaction only.
            driver.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                if not sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _LOCK})
                version = _version(connection, where)
                if version == HEAD:
                    return
                if sqlite and version is not None:
                    _back_up(connection, version)
                upgrade(connection)
                if sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise damaged(where)
        finally:
            if sqlite:
                driver.execute("PRAGMA foreign_keys = ON")


def upgrade(connection: Connection, to: str = "head") -> None:
    """Runs the migrations inside the transaction of this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def _back_up(connection: Connection, version: str) -> None:
    """A copy of the file beside it, as it is before the migration."""
    path = next((r[2] for r in connection.exec_driver_sql("PRAGMA database_list") if r[2]), "")
    if not path:
        return
    wanted = Path(f"{path}.schema-{version}.backup")
    target, number = wanted, 1
    while target.exists():
        number += 1
        target = wanted.with_name(f"{wanted.name}-{number}")
    unfinished = target.with_name(f"{target.name}.part")
    try:
        with sqlite3.connect(path) as source, sqlite3.connect(unfinished) as copy:
            source.backup(copy)
        source.close()
        copy.close()
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
