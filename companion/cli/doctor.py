"""`companion doctor`: where everything lies, what is installed, and whether the store opens."""

import os
from pathlib import Path
from typing import Any

import typer

from companion.cli.history import Db
from companion.cli.score import Json

_PACKAGES = {
    "textual": "textual",
    "opencv": "opencv-python",
    "sqlalchemy": "sqlalchemy",
    "psycopg": "psycopg",
}
"""Distributions by the name that people know."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(doctor)


def doctor(db: Db = "", json: Json = False) -> None:
    """Say where the store, the decks and the settings are, and what is there to work with.

    Exit status 2 if the store cannot be opened.
    """
    import json as json_module

    from companion.cli.ink import say

    found = examined(db)
    if json:
        say(json_module.dumps(found, ensure_ascii=False))
    else:
        for line in _lines(found):
            say("".join(c if c.isprintable() else "?" for c in line))
    raise typer.Exit(2 if found["store"]["trouble"] else 0)


def examined(db: str = "") -> dict[str, Any]:
    """Everything that `doctor` tells. Nothing is made that is not there yet."""
    from companion import __version__, library
    from companion.storage.store import shown_url

    decks = library.own_decks_folder()
    own = sorted(p.stem for p in decks.glob("*.toml")) if decks.is_dir() else []
    return {
        "companion": __version__,
        "store": _store(db),
        "decks": {"where": str(decks), "exists": decks.is_dir(), "own": own},
        "settings": {
            "where": "in the store: what was told about each deck",
            "environment": {
                name: shown_url(os.environ[name]) if name == "COMPANION_DB" else os.environ[name]
                for name in ("COMPANION_DB", "COMPANION_DECKS", "NO_COLOR")
                if os.environ.get(name)
            },
        },
        "versions": _versions(),
    }


def _store(db: str) -> dict[str, Any]:
    from companion.session import StoreTrouble, open_store
    from companion.storage.store import chosen_url, shown_url

    url = chosen_url(db or None)
    path = _new_file(url)
    if path is not None:
        trouble = _cannot_be_made(path)
        return {"where": str(path), "exists": False, "matches": 0, "trouble": trouble}
    try:
        store = open_store(url)
        try:
            count = len(store.matches())
        finally:
            store.close()
    except StoreTrouble as error:
        return {"where": shown_url(url), "exists": True, "matches": 0, "trouble": str(error)}
    return {"where": store.where, "exists": True, "matches": count, "trouble": ""}


def _new_file(url: str) -> Path | None:
    """The file of a store that is not there yet; None where it is, or where it is no file."""
    name = url.removeprefix("sqlite:///")
    if name == url or not name or name.startswith(":") or "?" in name:
        return None
    path = Path(name).expanduser()
    try:
        return None if path.exists() else path
    except OSError:
        return None


def _cannot_be_made(path: Path) -> str:
    folder = path.absolute().parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        return (
            f"{folder} is in the way: it is a file; choose another place with --db or COMPANION_DB"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder} may not be written; choose another place with --db or COMPANION_DB"
    return ""


def _versions() -> dict[str, str | None]:
    """Version by name; None for what is not there."""
    import platform
    import sqlite3
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str | None] = {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    for name, distribution in _PACKAGES.items():
        try:
            found[name] = version(distribution)
        except PackageNotFoundError:
            found[name] = None
    found["tesseract"] = _tesseract()
    return found


def _tesseract() -> str | None:
    import shutil
    import subprocess

    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        run = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = (run.stdout or run.stderr).split()
    return words[1] if len(words) > 1 else None


def _lines(found: dict[str, Any]) -> list[str]:
    store, decks = found["store"], found["decks"]
    if store["trouble"]:
        state = store["trouble"]
    elif not store["exists"]:
        state = "not there yet; the first match makes it"
    else:
        state = f"opens, {store['matches']} match{'' if store['matches'] == 1 else 'es'}"
    own = ", ".join(decks["own"]) or "none of your own yet"
    lines = [
        f"companion {found['companion']}",
        f"store       {store['where']}",
        f"            {state}",
        f"decks       {decks['where']}",
        f"            {own}",
        f"settings    {found['settings']['where']}",
    ]
    lines += [f"            {k}={v}" for k, v in found["settings"]["environment"].items()]
    lines += [f"{name:<12}{version or 'not found'}" for name, version in found["versions"].items()]
    return lines
