"""Stores to test with: a file, and a database of its own on a real PostgreSQL server."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.session import Store, open_store
from tests.storage import postgres

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL server, or the reason why there is none."""
    reason = postgres.why_not()
    if reason:
        pytest.skip(reason)
    with postgres.server() as url:
        yield url


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """A new database on the server, by URL."""
    from sqlalchemy import create_engine, make_url, text

    name = f"companion_test_{next(_NUMBERS)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE IF EXISTS {name}"))
        connection.execute(text(f"CREATE DATABASE {name}"))
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store that is not there yet, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.sqlite3"
    found: str = request.getfixturevalue("database")
    return found


@pytest.fixture
def opened() -> Iterator[Callable[[str], Store]]:
    """Opens stores, and closes them after the test."""
    stores: list[Store] = []

    def opener(url: str) -> Store:
        stores.append(open_store(url))
        return stores[-1]

    yield opener
    for store in stores:
        store.close()
