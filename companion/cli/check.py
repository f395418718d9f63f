"""`companion check`: a ruling on one question about a position."""

from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.score import Files, Json

if TYPE_CHECKING:
    from companion.cli.many import Answered
    from companion.interchange.sheets import Sheet


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(check)


def check(
    files: Files,
    json: Json = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit 1 for illegal or undetermined.")
    ] = False,
) -> None:
    """Rule on the [question] of a file: legal or not, why, what would be legal, by which rule.

    The ruling says how clear the rulebook is, and under which other reading it would differ.
    Kinds of question: `companion rules GAME --questions`.
    """
    from companion.cli.many import each

    status, doubtful = each(files, json, True, _answer)
    raise typer.Exit(status or int(exit_code and doubtful))


def _answer(sheet: "Sheet", as_json: bool) -> "Answered":
    from companion.cli.ink import ink
    from companion.cli.many import Answered
    from companion.cli.ruling_text import ruling_text
    from companion.interchange.answers import ruling_json, ruling_of

    ruling = ruling_of(sheet)
    doubtful = ruling.verdict.outcome in ("illegal", "undetermined")
    text = ruling_json(sheet, ruling) if as_json else ruling_text(sheet, ruling, ink())
    return Answered(text, doubtful)
