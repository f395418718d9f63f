"""Opening a store: the household's own file, or another by URL."""

import os
from pathlib import Path

from companion.storage.port import Store

FILE = "companion.sqlite3"


def default_path() -> Path:
    """The household's own store, in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("companion", appauthor=False) / FILE


def chosen_url(url: str | None = None) -> str:
    """The store that is meant: the one given, `COMPANION_DB`, or the household's own."""
    return url or os.environ.get("COMPANION_DB") or f"sqlite:///{default_path()}"


def open_store(url: str | None = None) -> Store:
    """The store, made or brought up to date if needed; raises `StoreTrouble`.

    `url`: `sqlite:///FILE`, `sqlite://` for one that is forgotten when it is closed, or
    `postgresql+psycopg://USER@HOST/DATABASE`.
    """
    from companion.storage.sql import SqlStore

    return SqlStore(chosen_url(url))


def shown_url(url: str) -> str:
    """A URL for people: without its password; as it is where it makes no sense."""
    from companion.storage.engine import name_of, url_of
    from companion.storage.trouble import StoreTrouble

    try:
        return name_of(url_of(url))
    except StoreTrouble:
        return url
