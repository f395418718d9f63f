"""`companion check`: a ruling on one question about a position."""

from typing import Annotated

import typer

from companion.cli.score import Files, Json


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
    from companion.cli.ink import ink
    from companion.cli.many import Rendered, each
    from companion.cli.ruling_text import ruling_text
    from companion.interchange.answers import ruling_json, ruling_of
    from companion.interchange.sheets import Sheet

    doubtful = []

    def answer(sheet: Sheet) -> Rendered:
        ruling = ruling_of(sheet)
        if ruling.verdict.outcome in ("illegal", "undetermined"):
            doubtful.append(sheet)
        as_json = ruling_json(sheet, ruling) if json else {}
        return as_json, lambda: ruling_text(sheet, ruling, ink())

    status, _ = each(files, json, True, answer)
    if not status and exit_code and doubtful:
        status = 1
    raise typer.Exit(status)
