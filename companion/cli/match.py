"""`companion show` and `companion play`: match files."""

from typing import Annotated

import typer

from companion.cli.score import Json


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command()(show)
    app.command(add_help_option=False)(play)


def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A match or position file; - too.")],
    steps: Annotated[bool, typer.Option("--steps", help="What each act led to.")] = False,
    json: Json = False,
) -> None:
    """Replay a match and show the table, whose turn it is, and the score so far."""
    import json as json_module

    from companion.cli.ink import ink, say
    from companion.cli.many import complain_faults
    from companion.cli.score_sheet import sheet_text
    from companion.core.errors import UnusableInput
    from companion.interchange.answers import score_json, score_of
    from companion.interchange.sheets import load_sheet
    from companion.interchange.source import read_document

    try:
        sheet = load_sheet(read_document(file))
    except UnusableInput as error:
        if json:
            say(json_module.dumps({"file": file, "error": [str(f) for f in error.faults]}))
        else:
            complain_faults(file, error)
        raise typer.Exit(2) from None
    view = list(sheet.game.view(sheet.state)) if sheet.state is not None else []
    if json:
        answer = {"table": view, **score_json(sheet, score_of(sheet))}
        answer["events"] = [{"line": line, "text": text} for line, text in sheet.events]
        say(json_module.dumps(answer, ensure_ascii=False))
        return
    if steps:
        for number, event in sheet.events:
            say(f"{number:>4}  {event}")
        say()
    for line in view:
        say(line)
    if view:
        say()
    say(sheet_text(sheet, score_of(sheet), ink()))


def play(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A match file; it is changed in place.")
    ] = "",
    action: Annotated[
        str, typer.Argument(metavar="ACTION", help="One act: 'Ana place bow 1 1'; ! records it.")
    ] = "",
    help_: Annotated[
        bool, typer.Option("--help", "-h", help="This help; with a game: the acts of its matches.")
    ] = False,
) -> None:
    """Add an act to a match file, or say why not (exit 1); `!` at its end records it anyway.

    The file is replaced as a whole or not at all. `companion play --help GAME` lists the acts;
    `companion template GAME --match` writes a file to begin with.
    """
    from companion import library
    from companion.cli.ink import complain, say
    from companion.cli.many import complain_faults
    from companion.cli.rule_text import unknown_game
    from companion.core.errors import UnusableInput

    if help_:
        say(_verbs(file) if file in library.names() else _help())
        if file and file not in library.names():
            complain(unknown_game(file))
            raise typer.Exit(2)
        return
    if not file or not action:
        complain("companion play FILE 'PLAYER ACT'; `companion play --help GAME` lists the acts")
        raise typer.Exit(2)
    try:
        raise typer.Exit(_play(file, action))
    except UnusableInput as error:
        complain_faults(file, error)
        raise typer.Exit(2) from None


def _help() -> str:
    from companion.cli.main import application

    group = typer.main.get_command(application("play"))
    with group.make_context("companion", ["play", "FILE", "ACTION"]) as context:
        command = group.commands["play"]  # type: ignore[attr-defined]
        with typer.Context(command, info_name="play", parent=context) as inner:
            return str(command.get_help(inner))


def _verbs(game: str) -> str:
    from companion import library
    from companion.cli.ink import wrapped

    found = library.load(game).game
    lines = [f"Acts of a match of {found.title}, one a line, each behind its player:", ""]
    for syntax, meaning in found.verbs.items():
        lines += [f"  {syntax}", wrapped(f"      {meaning}", "      ")]
    lines += [
        "",
        "# begins a comment; ! at the end records an act although it is against the rules.",
    ]
    return "\n".join(lines)


def _play(file: str, action: str) -> int:
    from companion.cli.ink import complain, ink, say
    from companion.cli.ruling_text import rules_text
    from companion.interchange.answers import act_ruling
    from companion.interchange.match_edit import add_act

    paint = ink()
    played = add_act(file, action)
    ruling = act_ruling(played.sheet, played.act)
    if not played.written:
        complain(paint(f"{action}: {ruling.verdict.outcome}", "bold", "red"))
        for objection in ruling.objections:
            complain(f"  - {objection.text}")
            for offer in objection.instead:
                complain(f"    instead: {offer}")
        for unknown in ruling.verdict.unknowns:
            complain(f"  - {unknown.text}")
        for line in rules_text(ruling, played.sheet, paint):
            complain(line)
        complain("  Not recorded. Put ! behind it to record it anyway." if played.possible else "")
        return 1
    for objection in ruling.objections:
        say(f"recorded although {objection.text} ({objection.rule})")
    for news in getattr(played.state, "news", ()):
        say(news)
    for line in played.sheet.game.view(played.state):
        say(line)
    return 0
