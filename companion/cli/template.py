"""`companion template`: a file to fill in."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(template)


def template(
    game: Annotated[str, typer.Argument(help="up-the-creek, without-a-paddle or gold-up.")],
    players: Annotated[
        str, typer.Option("--players", help="Names parted by commas, in the order of the seats.")
    ] = "",
    match: Annotated[
        bool, typer.Option("--match", help="A match file: every act as it is done.")
    ] = False,
) -> None:
    """Write a score sheet with comments, to be filled in: `companion template gold-up > sheet.toml`."""
    from companion import library
    from companion.cli.ink import complain
    from companion.cli.many import complain_faults
    from companion.cli.rule_text import unknown_game
    from companion.core.errors import UnusableInput
    from companion.interchange.template import write_template

    try:
        print(
            write_template(library.load(game), [p for p in players.split(",") if p.strip()], match)
        )
    except library.UnknownGame:
        complain(unknown_game(game))
        raise typer.Exit(2) from None
    except UnusableInput as error:
        complain_faults("--players", error)
        raise typer.Exit(2) from None
