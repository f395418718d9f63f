"""A real PostgreSQL server for the tests: the one that is named, or a temporary one on a socket."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAMED = "COMPANION_TEST_POSTGRES"


def _binary(name: str) -> str | None:
    found = shutil.which(name)
    if found:
        return str(Path(found).resolve())
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(places[-1]) if places else None


def why_not() -> str:
    """Why there is no server to test with; empty where there is."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed (pip install 'tabletop-companion[club]')"
    if os.environ.get(NAMED) or (_binary("initdb") and _binary("pg_ctl")):
        return ""
    return f"no PostgreSQL is installed and {NAMED} names no server"


def _user() -> str | None:
    """A server does not run as root: who it runs as."""
    if os.geteuid() != 0:
        return None
    import pwd

    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@contextmanager
def server() -> Iterator[str]:
    """URL of a database on the server in which others may be made."""
    if os.environ.get(NAMED):
        yield os.environ[NAMED]
        return
    folder = Path(tempfile.mkdtemp(prefix="companion-pg-"))
    user = _user()
    try:
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        _run(user, _binary("initdb"), "-D", data, "-U", "companion", "-A", "trust", "-E", "UTF8",
             "--no-locale", "--no-sync")  # fmt: skip
        settings = f"-k {folder} -c listen_addresses= -c fsync=off -c max_connections=20"
        _run(user, _binary("pg_ctl"), "-D", data, "-w", "-l", folder / "log", "-o", settings,
             "start")  # fmt: skip
        try:
            yield f"postgresql+psycopg://companion@/postgres?host={folder}"
        finally:
            _run(user, _binary("pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(user: str | None, *command: object) -> None:
    subprocess.run(
        [str(part) for part in command],
        user=user,
        cwd="/",
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
