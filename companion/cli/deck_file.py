"""`companion deck export` and `import`: a deck of your own as one file."""

from typing import Annotated

import typer


def export(
    name: Annotated[str, typer.Argument(help="One of your decks.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to write it.")],
) -> None:
    """Write a deck of your own, its pictures and its deck file, as one file."""
    from pathlib import Path

    from companion.cli.ink import say
    from companion.cli.many import complain_faults
    from companion.core.errors import UnusableInput
    from companion.intake import own_decks
    from companion.intake.deck_file import write_deck_file

    try:
        write_deck_file(own_decks.named(name), Path(file))
    except UnusableInput as error:
        complain_faults("companion deck export", error)
        raise typer.Exit(2) from None
    say(f"{name}: written to {file}")


def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="What `companion deck export` wrote.")
    ],
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="Under another name.")] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="In the place of a deck of that name.")
    ] = False,
) -> None:
    """Take a deck from a file; it is checked as a whole first."""
    from pathlib import Path

    from companion.cli.ink import say
    from companion.cli.many import complain_faults
    from companion.cli.scan_text import counted_as
    from companion.core.errors import UnusableInput
    from companion.intake.deck_file import read_deck_file

    try:
        deck = read_deck_file(Path(file), name, replace)
        index = deck.index()
    except UnusableInput as error:
        complain_faults("companion deck import", error)
        raise typer.Exit(2) from None
    pictures = counted_as(len(index.entries) if index else 0, "picture")
    cards = counted_as(len(index.faces) if index else 0, "card")
    say(f"{deck.name}: {pictures} of {cards}, in {deck.folder}")
