"""`companion deck enrol`: a household's own deck learns its cards from photos."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from companion.core.errors import Fault
    from companion.intake.enrolment import Source
    from companion.intake.learning import Learnt, Pupil


def enrol(
    name: Annotated[str, typer.Argument(help="Its name: letters, digits, -.")],
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[PHOTO...]", help="More photos for --from.")
    ] = None,
    game: Annotated[
        str,
        typer.Option("--game", help="Whose cards: a game, standard-52, or none (any cards)."),
    ] = "",
    photos: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FOLDER_OR_PHOTOS",
            help="One card a photo, named by its file: eagle.jpg, eagle.2.jpg, paddlers-2--red.jpg.",
        ),
    ] = None,
    sheets: Annotated[
        list[str] | None,
        typer.Option(
            "--sheet",
            metavar="PHOTO=CARDS",
            help='Several cards in one photo, in reading order: table.jpg="QC KC 10C JC"; ? = none.',
        ),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--sheets",
            metavar="LIST.csv",
            help="Many sheets: columns file, cards, order (rows, or x: by x of the centre).",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Forget the pictures it has, and start anew.")
    ] = False,
) -> None:
    """Teach a deck of your own: photos of its cards, from which `companion scan` knows them again.

    Lay cards on a plain ground of another colour, apart from each other, without glare, and
    photograph from straight above. Two or three photos a card, in the light of your table, are best.
    Photos of a deck that is there already are added to it.
    """
    from companion.cli.many import complain_faults
    from companion.cli.progress import bar
    from companion.core.errors import UnusableInput
    from companion.intake.learning import learn, pupil
    from companion.intake.own_decks import locked, named

    try:
        with locked(named(name)):
            who = pupil(name, game, replace)
            sources, left = _sources(who, [*(photos or ()), *(more or ())], sheets, lists)
            with bar(len(sources), "Photos") as done:
                learnt = learn(who, sources, done, _looking_again())
        status = _told(who, learnt, left)
    except UnusableInput as error:
        complain_faults("companion deck enrol", error)
        raise typer.Exit(2) from None
    raise typer.Exit(status)


def _looking_again() -> Callable[[str], None]:
    """Says on a terminal which photo is looked at once more, each once."""
    import sys

    from companion.cli.ink import complain

    told: set[str] = set()

    def say_so(photo: str) -> None:
        if photo not in told and sys.stderr.isatty():
            complain(f"{photo}: looking again, with the help of the deck's other cards")
        told.add(photo)

    return say_so


def _sources(
    who: "Pupil",
    photos: Sequence[str],
    sheets: Sequence[str] | None,
    lists: Sequence[str] | None,
) -> tuple[list["Source"], list["Fault"]]:
    """All photos with their cards; raises `UnusableInput` with all that is wrong with the words."""
    from companion.core.errors import Fault, UnusableInput
    from companion.intake import enrolment

    names, name = who.names, who.own.name
    sources, left = enrolment.from_photos(photos, names)
    faults: list[Fault] = []
    for told in sheets or ():
        try:
            sources.append(enrolment.from_sheet(told, names))
        except UnusableInput as error:
            faults += error.faults
    for path in lists or ():
        try:
            sources += enrolment.from_list(path, names)
        except UnusableInput as error:
            faults += error.faults
    own = [path for path in photos if who.own.holds(path)]
    own = own or [source.photo for source in sources if who.own.holds(source.photo)]
    right = "keep your photos in another folder, and name that"
    faults += [Fault(path, f"lies in the folder of the deck {name}", right) for path in own]
    if not sources and not faults and not left:
        right = 'give --from FOLDER, --sheet PHOTO="CARDS" or --sheets LIST.csv'
        faults.append(Fault("", "no photo is named", right))
    if faults:
        raise UnusableInput(faults)
    return sources, left


def _told(who: "Pupil", learnt: "Learnt", left: Sequence["Fault"]) -> int:
    """Prints what was learnt and what was not; the exit status."""
    from companion.cli.deck_own import listed, quality_json, say_quality
    from companion.cli.ink import complain, ink, say, wrapped
    from companion.cli.scan_text import counted_as

    troubles = [*learnt.troubles, *left]
    if learnt.index is None:
        complain(f"{who.own.name}: nothing was learnt")
        for fault in troubles:
            complain(f"  {fault}")
        return 2
    index, style = learnt.index, ink()
    faces = dict.fromkeys(entry.face for entry in learnt.added)
    pictures, cards = counted_as(len(learnt.added), "picture"), counted_as(len(faces), "card")
    say(style(f"{who.own.name}: {pictures} of {cards} learnt", "bold"))
    pictures, cards = (
        counted_as(len(index.entries), "picture"),
        counted_as(len(index.faces), "card"),
    )
    say(f"  it now has {pictures} of {cards}, in {who.own.folder}")
    if learnt.replaced:
        earlier = counted_as(learnt.replaced, "earlier picture")
        say(f"  in the place of {earlier} from the same photos")
    quality = quality_json(who.own)
    again = {one["card"] for one in quality["again"]} if quality else set()
    for entry in learnt.doubtful:
        if entry.face not in again:
            said = f"  {entry.face} ({entry.photo}) is not used, there is a better picture: "
            say(wrapped(said + "; ".join(entry.doubts), "    "))
    for entry in learnt.over:
        say(f"  {entry.face} ({entry.photo}): not kept, it has enough pictures")
    for kind, number in sorted({**learnt.printed.strengths, **learnt.printed.values}.items()):
        say(f"  {kind} counts {number}, as its cards were named")
    for text in learnt.printed.contradictions:
        say(style(f"  {text}; it stays open, and a card counts what its own name tells", "yellow"))
    if quality:
        say_quality(quality)
    if learnt.missing:
        missing = counted_as(len(learnt.missing), "card")
        say(style(f"Still without a picture: {missing}", "bold"))
        say(listed(learnt.missing))
    if learnt.unnamed:
        say(f"  also in {who.own.folder}, and no part of the deck: {', '.join(learnt.unnamed)}")
    if troubles:
        complain(f"Not used: {counted_as(len(troubles), 'photo')}")
        for fault in troubles:
            complain(f"  {fault}")
    return 0
