"""`companion deck`: what can be done with a deck of cards."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from card_catalog.model import Deck


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    from companion.cli import deck_enrol, deck_file, deck_own

    group = typer.Typer(
        no_args_is_help=True,
        help="The decks of cards: teach one to be seen, list what there is, print one to play with.",
    )
    group.command("enrol")(deck_enrol.enrol)
    group.command("list")(deck_own.list_)
    group.command("show")(deck_own.show)
    group.command("remove")(deck_own.remove)
    group.command("forget")(deck_own.forget)
    group.command("export")(deck_file.export)
    group.command("import")(deck_file.import_)
    group.command("print")(print_)
    app.add_typer(group, name="deck")


def print_(
    deck: Annotated[
        str, typer.Argument(help="up-the-creek, gold-up, or a deck file of your household.")
    ],
    pdf: Annotated[str, typer.Option("--pdf", metavar="FILE", help="The PDF to write.")],
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    numbers: Annotated[
        str,
        typer.Option(
            "--numbers", metavar="FILE", help='Numbers on your own cards: "chief:red" = 3 a line.'
        ),
    ] = "",
    set_name: Annotated[
        str, typer.Option("--set", help="Whose counts: basic (as if you said nothing) or expanded.")
    ] = "",
    copies: Annotated[
        list[str] | None,
        typer.Option(
            "--copies",
            metavar="KIND=N",
            help="So many of a kind (half of them red where it is red and black), or chief:red=N.",
        ),
    ] = None,
    titles: Annotated[bool, typer.Option("--titles", help="Print the name on each card.")] = False,
) -> None:
    """Write sheets to print and cut: the drawn cards at their true size, nine a page."""
    from companion.cli.ink import complain, say, wrapped
    from companion.cli.many import complain_faults
    from companion.core.errors import UnusableInput
    from companion.interchange.print_plan import plan, read_numbers
    from companion.interchange.print_sheets import PAPERS, notes, pages_of, write_pdf
    from companion.interchange.source import read_document

    chosen, undrawn = _drawn_part(_deck(deck))
    if paper.lower() not in PAPERS:
        complain(f"--paper: no paper {paper!r}; use {' or '.join(PAPERS)}")
        raise typer.Exit(2)
    source = numbers or "companion deck print"
    try:
        told = read_numbers(read_document(numbers).raw, chosen) if numbers else {}
        source = "companion deck print"
        planned = plan(chosen, set_name, copies or (), told, titles)
    except UnusableInput as error:
        complain_faults(source, error)
        raise typer.Exit(2) from None
    except KeyError as error:
        complain(f"companion deck print: {error.args[0]}")
        raise typer.Exit(2) from None
    if not planned.cards:
        complain("companion deck print: no card is left to print")
        raise typer.Exit(2)
    _write(Path(pdf), lambda: write_pdf(planned, paper.lower()))
    say(f"{pdf}: {len(planned.cards)} cards on {pages_of(planned)} pages, and a page of counts.")
    if undrawn:
        it = "it" if len(undrawn) == 1 else "them"
        say(wrapped(f"\nLeft out, since nobody has drawn {it}: {', '.join(undrawn)}", "  "))
    for head, text in notes(planned):
        say(f"\n{head}:")
        say(wrapped(f"  {text}", "  "))


def _drawn_part(deck: "Deck") -> tuple["Deck", list[str]]:
    """The deck without the kinds that a household added and nobody has drawn, and their names."""
    from dataclasses import replace

    from card_catalog.faces import drawn_decks
    from card_catalog.loader import shipped_deck

    drawn = {
        kind_id
        for deck_id in drawn_decks()
        if shipped_deck(deck_id).game == deck.game
        for kind_id in shipped_deck(deck_id).kinds
    }
    undrawn = [kind.name for kind in deck.kinds.values() if kind.id not in drawn]
    if not drawn or not undrawn:
        return deck, []
    kinds = {kind_id: kind for kind_id, kind in deck.kinds.items() if kind_id in drawn}
    return replace(deck, kinds=kinds), undrawn


def _deck(name: str) -> "Deck":
    """A shipped deck, or a household's by its name or path; what is wrong with it is said."""
    from difflib import get_close_matches

    from card_catalog.loader import BadDeck, read_deck, shipped, shipped_deck
    from companion import library
    from companion.cli.ink import complain
    from companion.intake import own_decks

    if name in shipped():
        return shipped_deck(name)
    try:
        if name.endswith(".toml"):
            return read_deck(Path(name))
        return library.deck_of("", name, Path())
    except BadDeck as error:
        if own_decks.OwnDeck(name).exists:
            complain(f"{name} is a deck of no game, so there are no drawings of its cards")
        elif error.faults[0][0] == "deck":
            close = get_close_matches(name, shipped(), 1)
            more = f"did you mean {close[0]}?" if close else f"shipped are {', '.join(shipped())}"
            complain(f"{error.faults[0][1]}; {more}")
        else:
            complain(str(error))
        raise typer.Exit(2) from None


def _write(path: Path, make: Callable[[], bytes]) -> None:
    """Writes the file; where it cannot stand is said before anything is drawn."""
    from companion.cli.ink import complain

    try:
        if path.is_dir():
            complain(f"{path}: is a folder; name the PDF to write")
            raise typer.Exit(2)
        if not path.parent.is_dir():
            complain(f"{path}: there is no folder {path.parent}")
            raise typer.Exit(2)
        path.write_bytes(make())
    except (OSError, ValueError) as error:
        complain(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}")
        raise typer.Exit(2) from None
