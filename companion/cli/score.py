"""`companion score`: the itemised score of one or more tables."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from companion.cli.many import Answered
    from companion.interchange.sheets import Sheet

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="TOML or JSON files; - for standard input."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON; several files: one a line.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(score)


def score(files: Files, json: Json = False) -> None:
    """Score a table, a score sheet or a match: every line with its rule, the winner, problems, notes.

    A file is what `companion template GAME --players Ana,Ben` writes, filled in. Something against
    the rules on the table is a problem, and it is scored as written (exit 0); a file that cannot be
    understood is unusable: every fault is named at once (exit 2).
    """
    from companion.cli.many import each

    status, _ = each(files, json, False, _answer)
    raise typer.Exit(status)


def _answer(sheet: "Sheet", as_json: bool) -> "Answered":
    from companion.cli.ink import ink
    from companion.cli.many import Answered
    from companion.cli.score_sheet import sheet_text
    from companion.interchange.answers import score_json, score_of

    found = score_of(sheet)
    return Answered(score_json(sheet, found) if as_json else sheet_text(sheet, found, ink()))
