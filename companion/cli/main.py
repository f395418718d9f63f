"""The command `companion`: finds the command, and turns every failure into words."""

import os
import sys
from importlib import import_module
from typing import Annotated

import typer

from companion import __version__

COMMANDS = {
    "score": "score",
    "check": "check",
    "template": "template",
    "rules": "rules",
    "show": "match",
    "play": "match",
    "demo": "table",
    "history": "history",
    "photos": "photos",
    "deck": "deck",
    "scan": "scan",
    "doctor": "doctor",
}
"""The module of each command."""

_HELP = (
    "Keeps score beside the box: Up the Creek, Up the Creek Without a Paddle, Gold Up.\n\n"
    "`companion` alone, on a terminal, opens the screens for the table.\n\n"
    "Write down what lies on the table (`companion template up-the-creek --players Ana,Ben"
    " > table.toml`), then `companion score table.toml`. A dispute: add a [question] and"
    " `companion check table.toml`. The rules: `companion rules`."
)


def _version(asked: bool) -> None:
    if asked:
        print(f"companion {__version__}")
        raise typer.Exit


def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Takes the options that stand before the command."""


def application(wanted: str = "") -> typer.Typer:
    """The command line with all its commands, or with the one wanted: reading the rest costs time."""
    app = typer.Typer(
        name="companion",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode=None,
        help=_HELP,
    )
    app.callback()(_top)
    chosen = [COMMANDS[wanted]] if wanted in COMMANDS else COMMANDS.values()
    for module in dict.fromkeys(chosen):
        import_module(f"companion.cli.{module}").register(app)
    return app


def main() -> None:
    """Runs the command line; no failure reaches the user as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    status = _status()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)


def _status() -> int | str | None:
    """Runs the command; its exit status."""
    try:
        if len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty():
            from companion.cli.table import open_screens

            open_screens()
            return 0
        application(sys.argv[1] if len(sys.argv) > 1 else "")()
    except SystemExit as stop:
        # click says so that the reader of a pipe has gone, with the status of a refusal
        gone = stop.code == 1 and type(sys.stdout).__name__ == "PacifyFlushWrapper"
        return 0 if gone else stop.code
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"companion: {error.strerror or error}", file=sys.stderr)
        return 2
    except Exception as error:
        if os.environ.get("COMPANION_DEBUG"):
            raise
        print(
            f"companion: this is a fault of the program ({type(error).__name__}: {error}). "
            "Nothing was changed. Please report it with the file; COMPANION_DEBUG=1 shows where.",
            file=sys.stderr,
        )
        return 70
    return 0


if __name__ == "__main__":
    main()
