"""`companion` alone and `companion demo`: the screens at the table."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(demo)


def demo(
    db: Annotated[str, typer.Option("--db", help="The store; else COMPANION_DB.")] = "",
) -> None:
    """Open the screens with a sample match that explains itself; nothing of it is kept."""
    import sys

    from companion.cli.ink import complain

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        complain("companion demo: opens screens, so it needs a terminal")
        raise typer.Exit(2)
    from companion.tui.app import run

    run(db or None, "demo")


def open_screens() -> None:
    """The program at the table, from home."""
    from companion.tui.app import run

    run(None)
