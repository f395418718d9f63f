"""`companion deck list`, `show` and `remove`: the decks that there are, and the household's own."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from companion.intake.own_decks import OwnDeck
    from companion.vision.album_folder import Index

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def listed(names: Iterable[str]) -> str:
    """Names of cards on lines that break between them only."""
    from textwrap import fill

    text, indent = "  ".join(names), "  "
    return fill(text, 96, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def list_(as_json: Json = False) -> None:
    """List the decks that ship and your own: cards, and reference pictures to know them by."""
    import json

    from card_catalog.loader import shipped
    from companion.cli.ink import say
    from companion.intake import own_decks

    rows = [_shipped(deck_id) for deck_id in shipped()]
    rows += [_own(deck) for deck in own_decks.own_decks()]
    if as_json:
        say(json.dumps(rows, ensure_ascii=False))
        return
    wide = max(len(row["id"]) for row in rows)
    for row in rows:
        say(f"{row['id']:{wide}}  {_line(row)}")
    say("\nA deck of your own: companion deck enrol NAME --game GAME --from FOLDER")


def _line(row: dict[str, Any]) -> str:
    from companion.cli.scan_text import counted_as

    if "faults" in row:
        return f"cannot be used: {row['faults'][0]}"
    seen = "read by the corners, no pictures needed" if row.get("corners") else "no pictures yet"
    if row["references"]:
        pictures = counted_as(row["references"], "picture")
        seen = f"{pictures} of {counted_as(row['learnt'], 'card')}"
    kind = "shipped" if row["shipped"] else "your own"
    return f"{row['game']:17}  {row['cards']:3} cards  {seen} ({kind})"


def _shipped(deck_id: str) -> dict[str, Any]:
    from card_catalog.faces import drawn_decks
    from card_catalog.loader import shipped_deck
    from companion.intake.eyes import has_indices
    from companion.intake.own_decks import cards_of, summary

    deck = shipped_deck(deck_id)
    drawn = len(cards_of(deck)) if deck_id in drawn_decks() else 0
    return {
        **summary(deck, None),
        "learnt": drawn,
        "references": drawn,
        "shipped": True,
        "corners": has_indices(deck),
    }


def _own(own: "OwnDeck") -> dict[str, Any]:
    from companion.core.errors import UnusableInput
    from companion.intake.own_decks import summary

    try:
        row = summary(own.catalogue(), own.index())
        return {**row, "id": own.name, "shipped": False}
    except UnusableInput as error:
        empty = {"game": None, "title": None, "cards": 0, "learnt": 0, "references": 0}
        faults = [str(fault) for fault in error.faults]
        return {"id": own.name, **empty, "shipped": False, "faults": faults}


def show(
    name: Annotated[str, typer.Argument(help="A shipped deck, or one of yours.")],
    as_json: Json = False,
) -> None:
    """Show a deck's cards and how good it is: what to photograph again, and what looks alike."""
    import json

    from companion.cli.ink import ink, say
    from companion.cli.many import complain_faults
    from companion.cli.scan_text import counted_as
    from companion.core.errors import UnusableInput

    try:
        said = _shown(name)
    except UnusableInput as error:
        complain_faults("companion deck show", error)
        raise typer.Exit(2) from None
    if as_json:
        say(json.dumps(said, ensure_ascii=False))
        return
    say(ink()(f"{said['id']}: {said['title']}", "bold") + f" ({said['game']})")
    shape = f", {said['aspect']:.3f} times as high as wide" if said["aspect"] else ""
    pictures, cards = counted_as(said["references"], "picture"), counted_as(said["cards"], "card")
    say(f"  {pictures} of {said['learnt']} of its {cards}{shape}")
    if said["faces"]:
        words = (f"{f['card']}\N{NO-BREAK SPACE}{len(f['references'])}" for f in said["faces"])
        say(listed(words))
    if said["quality"]:
        say_quality(said["quality"])
    if said["confirmed"]:
        say(f"At your table, {said['confirmed']}")
    if said["missing"]:
        say(ink()("Still without a picture:", "bold"))
        say(listed(said["missing"]))


def _shown(name: str) -> dict[str, Any]:
    from card_catalog.faces import drawn_decks
    from card_catalog.loader import shipped, shipped_deck
    from companion.intake import own_decks

    if name in shipped():
        deck = shipped_deck(name)
        cards = own_decks.cards_of(deck)
        drawn = cards if name in drawn_decks() else []
        reference: dict[str, Any] = {
            "file": None,
            "photo": "drawn",
            "doubts": [],
            "origin": "drawn",
        }
        faces = [{"card": card, "references": [reference]} for card in drawn]
        missing = [card for card in cards if card not in drawn]
        aspect = 88 / 63 if drawn else None
        own_facts: dict[str, Any] = {"quality": None, "confirmed": _confirmed(name)}
        return {
            **_shipped(name),
            "aspect": aspect,
            "faces": faces,
            "missing": missing,
            **own_facts,
        }
    own = _existing(name)
    deck, index = own.catalogue(), own.index()
    row = {**_own(own), "deck_file": str(own.toml), "confirmed": _confirmed(name)}
    if index is None:
        nothing: dict[str, Any] = {"folder": None, "aspect": None, "faces": [], "quality": None}
        return {**row, **nothing, "missing": own_decks.cards_of(deck)}
    return {
        **row,
        "folder": str(own.folder),
        "aspect": index.aspect,
        "faces": [_face(index, face) for face in index.faces],
        "missing": own_decks.missing(deck, index.faces),
        "quality": quality_json(own),
    }


def _confirmed(name: str) -> str:
    """What photos that were confirmed at the table say of the deck: `last 20 photos: ...`."""
    from companion.intake.confirmed import summary

    return summary(name)


def quality_json(own: "OwnDeck") -> dict[str, Any] | None:
    """How good the pictures of a deck are, for `--json`; None where it has none."""
    from companion.intake.deck_quality import quality_of

    quality = quality_of(own)
    if quality is None:
        return None
    return {
        "cards": quality.cards,
        "good": quality.good,
        "percent": int(100 * quality.share),
        "again": [{"card": card, "why": why} for card, why in quality.again],
        "single": list(quality.single),
        "alike": [{"cards": [a.one, a.other], "margin": a.margin} for a in quality.alike],
    }


def say_quality(quality: dict[str, Any]) -> None:
    """Prints the quality of a deck in words, and what would make it better."""
    from companion.cli.ink import ink, say, wrapped
    from companion.cli.scan_text import counted_as

    style = ink()
    cards = counted_as(quality["cards"], "card")
    has = "has" if quality["good"] == 1 else "have"
    told = f"Quality: {quality['percent']} %"
    say(style(told, "bold") + f", {quality['good']} of {cards} {has} a good picture")
    if quality["single"]:
        single = counted_as(len(quality["single"]), "card")
        has = "has" if len(quality["single"]) == 1 else "have"
        say(f"  {single} {has} only one; a second photo, in the light of your table, helps")
    if quality["again"]:
        say(style("Photograph these again, the worst first:", "bold", "yellow"))
        for one in quality["again"]:
            say(wrapped(f"  {one['card']}: {one['why']}", "    "))
        say(
            "  best: plain ground of another colour, cards apart, from above, sharp, no lamp in them"
        )
        say("  until then the program asks you about these")
    if quality["alike"]:
        say(style("Hard to tell apart, so you may be asked about them:", "bold"))
        say(
            listed(
                "\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}".join(a["cards"]) for a in quality["alike"]
            )
        )


def _face(index: "Index", face: str) -> dict[str, Any]:
    references = [
        {"file": e.file, "photo": e.photo, "doubts": list(e.doubts), "origin": e.origin}
        for e in index.of(face)
    ]
    return {"card": face, "references": references}


def _existing(name: str) -> "OwnDeck":
    """The household's deck of that name; raises `UnusableInput`."""
    from companion.core.errors import UnusableInput
    from companion.intake import own_decks

    try:
        own = own_decks.named(name)
    except UnusableInput:
        raise own_decks.unknown_deck(name) from None
    if not own.exists:
        raise own_decks.unknown_deck(name)
    return own


def remove(
    name: Annotated[str, typer.Argument(help="One of your decks.")],
    card: Annotated[
        str,
        typer.Option(
            "--card",
            metavar="CARD[.N]",
            help="Only one card: all its pictures, or the Nth of them.",
        ),
    ] = "",
    number: Annotated[
        bool,
        typer.Option(
            "--number", help="Of that card only the number it was named with; its pictures stay."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Forget a deck of your own: its pictures, and its deck file where nobody changed it."""
    from card_catalog.loader import shipped
    from companion.cli.ink import complain, say
    from companion.cli.many import complain_faults
    from companion.cli.scan_text import counted_as
    from companion.core.errors import UnusableInput
    from companion.intake import own_decks
    from companion.intake.learning import forget_card

    if number and not card:
        complain("companion deck remove: --number needs a card: --card CARD")
        raise typer.Exit(2)
    try:
        if name in shipped():
            complain(f"companion deck remove: {name} is a deck that ships; it stays")
            raise typer.Exit(2)
        own = _existing(name)
        if number:
            _without_number(own, card)
            return
        if card:
            gone = forget_card(own, card)
            say(f"{name}: {counted_as(len(gone), 'picture')} of {gone[0].face} forgotten")
            return
        if own.enrolled:
            _ask("companion deck remove", f"Forget the pictures in {own.folder}?", yes)
        kept = own_decks.remove(own)
    except UnusableInput as error:
        complain_faults("companion deck remove", error)
        raise typer.Exit(2) from None
    say(f"{name}: its pictures are gone")
    for text in kept:
        say(f"  {text}")


def _without_number(own: "OwnDeck", card: str) -> None:
    """Forgets the number of a card, and says it."""
    from companion.cli.ink import say
    from companion.intake.learning import forget_number

    done = forget_number(own, card)
    number = "the number is" if len(done.faces) == 1 else "the numbers are"
    say(f"{own.name}: {', '.join(done.faces)}: {number} forgotten, the pictures stay")
    if done.by_hand is not None:
        say(f"  {done.by_hand}: was written or changed by hand, so what it says of numbers stays")


def forget(
    name: Annotated[str, typer.Argument(help="A shipped deck, or one of yours.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Forget what was learnt at the table: pictures of cards you confirmed, and how photos went.

    The pictures that you enrolled stay, and so do your matches.
    """
    from card_catalog.loader import shipped
    from companion.cli.ink import say
    from companion.cli.many import complain_faults
    from companion.cli.scan_text import counted_as
    from companion.core.errors import UnusableInput
    from companion.intake import confirmed
    from companion.intake.learning import forget_learnt

    try:
        own = None if name in shipped() else _existing(name)
        _ask("companion deck forget", f"Forget what {name} learnt at your table?", yes)
        pictures = forget_learnt(own) if own is not None else 0
        photos = confirmed.forget(name)
    except UnusableInput as error:
        complain_faults("companion deck forget", error)
        raise typer.Exit(2) from None
    if not pictures and not photos:
        say(f"{name}: nothing was learnt at the table, so nothing is forgotten")
        return
    learnt = counted_as(pictures, "picture")
    checked = counted_as(photos, "confirmed photo")
    say(f"{name}: forgotten are {learnt} learnt at the table and the record of {checked}")


def _ask(command: str, question: str, yes: bool) -> None:
    """Goes on only where the user says yes."""
    import sys

    from companion.cli.ink import complain

    if yes:
        return
    if not sys.stdin.isatty():
        complain(f"{command}: say --yes where nobody can be asked")
        raise typer.Exit(2)
    if not typer.confirm(question):
        raise typer.Exit(1)
