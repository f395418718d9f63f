"""`companion scan`: the cards in photos, as rows, as a position file, as a score."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from companion.core.errors import Fault, UnusableInput
    from companion.intake.eyes import Eyes, ScannedPhoto
    from companion.intake.photos import Order

_MARK = "\0player "
"""Stands among the photos where a player was named; no argument of a command can hold a zero."""
_PICTURES = (".jpg", ".jpeg", ".png", ".webp")
_MOST_JOBS = 4
"""Photos read at a time unless more are asked for: each takes some 700 MB."""


class _InOrder(TyperCommand):
    """Keeps `--player NAME` in its place among the photos: it holds for those that follow."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, each name as a mark among them."""
        return super().parse_args(ctx, list(_marked(args)))


def _marked(args: Sequence[str]) -> Iterator[str]:
    words = iter(args)
    for word in words:
        if word == "--":
            yield word
            yield from words
        elif word.startswith("--player="):
            yield _MARK + word.partition("=")[2]
        elif word == "--player":
            name = next(words, None)
            yield word if name is None else _MARK + name
        else:
            yield word


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(cls=_InOrder)(scan)


def scan(
    context: typer.Context,
    deck: Annotated[
        str, typer.Option("--deck", help="A shipped deck, or one of yours (companion deck list).")
    ],
    photos: Annotated[
        list[str] | None, typer.Argument(metavar="PHOTO...", help="Photos of the table.")
    ] = None,
    camera: Annotated[
        str,
        typer.Option(
            "--camera",
            metavar="SOURCE",
            help="Take the photo: a camera's number (0), or the address of a stream.",
        ),
    ] = "",
    save: Annotated[
        str, typer.Option("--save", metavar="FILE", help="Keep the photo that --camera takes.")
    ] = "",
    watch: Annotated[
        str,
        typer.Option(
            "--watch", metavar="FOLDER", help="Read each photo that comes there, until Ctrl+C."
        ),
    ] = "",
    existing: Annotated[
        bool, typer.Option("--existing", help="With --watch: the photos that lie there, too.")
    ] = False,
    poll: Annotated[
        bool, typer.Option("--poll", help="With --watch: for network folders, if it misses photos.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON; several photos: one a line.")
    ] = False,
    position: Annotated[
        str,
        typer.Option("--position", metavar="FILE", help="Write the rows as a position file."),
    ] = "",
    score: Annotated[
        bool, typer.Option("--score", help="Score them (Up the Creek; chests of Gold Up).")
    ] = False,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="Before photos: whose the following ones are."
        ),
    ] = None,
    trick: Annotated[
        str,
        typer.Option(
            "--trick",
            metavar='"ANA BEN ..."',
            help="Who takes the trick: its cards lie from left to right in the order of play.",
        ),
    ] = "",
    letters: Annotated[
        str,
        typer.Option(
            "--letters", help="On jack, queen and king of a standard deck: JQK, BVH, BDK or VDR."
        ),
    ] = "JQK",
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Photos read at a time; 0: by the cores.")
    ] = 0,
    annotated: Annotated[
        str,
        typer.Option(
            "--annotated",
            metavar="FILE",
            help="Draw boxes and names into a copy of the photo; several photos: FILE-1, FILE-2 "
            "..., or a folder.",
        ),
    ] = "",
) -> None:
    """Read the cards in photos: rows from top to bottom, cards from left to right, as they stand.

    What is not sure is marked and says what else it may be: look at it before you believe the score.
    Lay the rows level and apart, columns under each other, and photograph from above.
    Exit status 2 where a photo cannot be read; the others are read all the same.
    """
    from companion.cli import scan_live
    from companion.cli.many import complain_faults
    from companion.core.errors import UnusableInput
    from companion.intake.eyes import open_eyes

    named = list(photos or ())
    if not (named or camera or watch):
        context.fail("Missing argument 'PHOTO...'.")
    alone = scan_live.Alone(camera, save, watch, existing, poll)
    try:
        files = [word for word in named if not word.startswith(_MARK)]
        scan_live.check(alone, files, len(named) > len(files), position, annotated, jobs)
        _check(deck, position, score, jobs)
        players = _players(trick, letters, deck)
        letters = letters.upper()
        if watch:
            live = scan_live.Shown(as_json, score, annotated, players)
            raise typer.Exit(scan_live.watch(alone, deck, live, letters))
        orders = _orders([*named, scan_live.name_of(alone)] if camera else named, annotated)
        if faults := _overwritten(orders, position):
            raise UnusableInput(faults)
        eyes = open_eyes(deck, letters)
        table = Table(eyes, orders, as_json, bool(position), score, players)
        if camera:
            status = table.show([scan_live.taken(alone, eyes, orders[0])])
        else:
            status = table.read(_jobs(jobs, len(orders)))
    except UnusableInput as error:
        complain_faults("companion scan", error)
        raise typer.Exit(2) from None
    if position:
        status = max(status, table.write(Path(position)))
    raise typer.Exit(status)


def _players(trick: str, letters: str, deck: str) -> tuple[str, ...]:
    """Who played the trick, in the order of play; raises `UnusableInput`, also for strange letters."""
    from companion.core.errors import Fault, UnusableInput
    from companion.intake.eyes import deck_for_sight
    from companion.intake.trick import players_of
    from companion.vision.index_reader.classes import LETTERS

    if letters.upper() not in LETTERS:
        right = f"use {', '.join(LETTERS[:-1])} or {LETTERS[-1]}"
        raise UnusableInput([Fault("--letters", f"{letters!r} is no set of court letters", right)])
    return players_of(trick, deck, deck_for_sight(deck)) if trick else ()


def _jobs(wanted: int, photos: int) -> int:
    import os

    return min(photos, wanted or min(os.cpu_count() or 1, _MOST_JOBS))


def _orders(photos: Sequence[str], annotated: str) -> list["Order"]:
    """The photos with their players; raises `UnusableInput` with all that is wrong with them."""
    from companion.core.errors import Fault, UnusableInput
    from companion.intake.eyes import STDIN
    from companion.intake.photos import Order
    from companion.intake.table import FIRST

    count = sum(not word.startswith(_MARK) for word in photos)
    if not count:
        raise UnusableInput([Fault("", "no photo is named", "give one or more")])
    faults = []
    orders: list[Order] = []
    name, known = FIRST, dict[str, str]()
    for word in photos:
        if word.startswith(_MARK):
            name = word.removeprefix(_MARK).strip()
            if wrong := _bad_name(name):
                faults.append(Fault("--player", wrong, "write a name on one line"))
            name = known.setdefault(name.casefold(), name)
            continue
        place = len(orders) + 1
        orders.append(Order(word, name, _copy(annotated, word, place, count)))
    if annotated and (wrong := _bad_copy(Path(annotated))):
        faults.append(Fault("--annotated", wrong, "name a picture in a folder that exists"))
    if sum(order.photo == STDIN for order in orders) > 1:
        faults.append(Fault("standard input", "is named twice", "it can be read once"))
    if photos[-1].startswith(_MARK):
        faults.append(Fault("--player", f"no photo follows {name}", "put it before the photos"))
    if faults:
        raise UnusableInput(faults)
    return orders


def _bad_name(name: str) -> str:
    from companion.interchange.sheets import LONGEST_NAME

    if not name:
        return "an empty name"
    if not name.isprintable():
        return "a name with a line break or control character"
    return f"a name of {len(name)} characters" if len(name) > LONGEST_NAME else ""


def _copy(annotated: str, photo: str, place: int, count: int) -> Path | None:
    """Where the copy of a photo with boxes goes."""
    if not annotated:
        return None
    path = Path(annotated)
    if path.is_dir():
        number = f"{place}-" if count > 1 else ""
        return path / f"{number}{Path(photo).stem}-seen.jpg"
    return path if count == 1 else path.with_stem(f"{path.stem}-{place}")


def _bad_copy(path: Path) -> str:
    if path.is_dir():
        return ""
    if not path.name or not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    if path.suffix and path.suffix.lower() not in _PICTURES:
        return f"{path.name} does not say what kind of picture; end it in {', '.join(_PICTURES)}"
    return ""


def _overwritten(orders: Sequence["Order"], position: str) -> list["Fault"]:
    """What would be written over a photo, or over what is written beside it."""
    from companion.core.errors import Fault

    photos = [Path(order.photo) for order in orders if order.photo != "-"]
    copies = [order.annotated for order in orders if order.annotated is not None]
    faults = []
    for option, path in [
        *(("--annotated", copy) for copy in copies),
        ("--position", Path(position)),
    ]:
        if path.is_file() and any(p.is_file() and p.samefile(path) for p in photos):
            faults.append(Fault(option, f"{path} is a photo that is read", "name another file"))
    if position and any(copy.absolute() == Path(position).absolute() for copy in copies):
        faults.append(Fault("--position", f"{position} is --annotated too", "name another file"))
    if position and Path(position).is_file() and not _is_position(Path(position)):
        found = f"{position} is there, and is no position file"
        faults.append(Fault("--position", found, "name another file"))
    return faults


def _is_position(path: Path) -> bool:
    """Whether a file looks like one that this command writes: that may be written again."""
    try:
        with path.open("rb") as file:
            return b"companion scan" in file.read(400)
    except OSError:
        return False


def _check(deck: str, position: str, score: bool, jobs: int) -> None:
    """What can be known to be wrong before anything heavy is loaded; raises `UnusableInput`."""
    from companion.core.errors import Fault, UnusableInput
    from companion.intake.eyes import deck_for_sight
    from companion.intake.position import check_game

    if jobs < 0:
        raise UnusableInput([Fault("--jobs", f"{jobs} photos at a time", "use 1 or more")])
    catalogue = deck_for_sight(deck)
    for wanted in [*(["--score"] if score else []), *(["--position"] if position else [])]:
        check_game(deck, catalogue, wanted)
    path = Path(position)
    if position and path.is_dir():
        raise UnusableInput([Fault("--position", f"{position} is a folder", "name a file")])
    if position and not path.parent.is_dir():
        found = f"there is no folder {path.parent}"
        raise UnusableInput([Fault("--position", found, "make it first")])


class Table:
    """The photos of one command: read, printed, and put together."""

    def __init__(
        self,
        eyes: "Eyes",
        orders: Sequence["Order"],
        as_json: bool,
        keep: bool,
        score: bool,
        players: Sequence[str] = (),
    ) -> None:
        self._players = players
        self._eyes = eyes
        self._orders = orders
        self._as_json = as_json
        self._score = score
        self._keep = keep or score
        self._shots: list[Any] = []
        self._digests: dict[tuple[str, str], str] = {}

    def read(self, jobs: int) -> int:
        """Reads and prints all photos; the exit status."""
        from companion.cli.progress import watched
        from companion.intake.photos import read_all

        found = read_all(self._eyes, self._orders, jobs)
        return self.show(watched(found, len(self._orders), "Photos"))

    def show(self, photos: Iterable["ScannedPhoto | UnusableInput"]) -> int:
        """Prints photos that were read, one for each order; the exit status."""
        from companion.core.errors import UnusableInput

        status = 0
        held: list[ScannedPhoto | UnusableInput] = []
        for number, (order, photo) in enumerate(zip(self._orders, photos, strict=True)):
            if not isinstance(photo, UnusableInput):
                self._twice(order, photo.sha256)
            failed = isinstance(photo, UnusableInput)
            status = 2 if failed else status
            reading = None if isinstance(photo, UnusableInput) else photo.reading
            self._shots.append((order.player, order.photo, reading))
            if self._score and self._as_json:
                held.append(photo)
            else:
                self._print(number, photo, {})
        if self._score:
            self._print_scores(held)
        return status

    def _twice(self, order: "Order", sha256: str) -> None:
        """Says that a player's photo was read before, and so would count twice."""
        from companion.cli.ink import complain

        known = self._digests.setdefault((order.player, sha256), order.photo)
        if self._keep and known is not order.photo:
            complain(f"{order.photo}: is the same photo as {known}; its cards count twice")

    def _print(
        self, number: int, photo: "ScannedPhoto | UnusableInput", more: dict[str, Any]
    ) -> None:
        from companion.cli.ink import ink, say
        from companion.cli.many import complain_faults
        from companion.cli.scan_text import photo_json, photo_text, trick_text
        from companion.core.errors import UnusableInput

        order, warnings = self._orders[number], self._warnings(number)
        if isinstance(photo, UnusableInput):
            photo = _without_name(photo, order.photo)
        trick = None
        if self._players and not isinstance(photo, UnusableInput):
            from companion.intake.trick import trick_of

            trick = trick_of(photo.reading, self._players, self._eyes.deck)
            more = {**more, "trick": trick.document()}
        if self._as_json:
            say(photo_json(order.photo, photo, warnings, more))
        elif isinstance(photo, UnusableInput):
            complain_faults(order.photo, photo)
        else:
            if number:
                say()
            say(photo_text(photo, warnings, self._eyes.deck, ink()))
            if trick is not None:
                say(trick_text(trick, ink()))

    def _warnings(self, number: int) -> list[dict[str, str]]:
        """What is to be said at this photo about all rows of its player so far."""
        from companion.intake.position import MOST_ROWS, too_many
        from companion.intake.table import seated

        if not self._keep or self._eyes.game != "up-the-creek":
            return []
        player = self._orders[number].player
        mine = [one for one in seated(self._shots[: number + 1]) if one.player == player]
        if not mine or len(mine[0].rows) <= MOST_ROWS:
            return []
        return [{"code": "too-many-rows", "text": too_many(mine[0])}]

    def _print_scores(self, held: Sequence["ScannedPhoto | UnusableInput"]) -> None:
        from companion.cli.ink import ink, say
        from companion.cli.scan_text import score_text
        from companion.intake.count import counted
        from companion.intake.table import seated

        players = {
            one.player: counted(self._eyes.name, self._eyes.deck, one)
            for one in seated(self._shots)
        }
        if not self._as_json and any(reading is not None for _, _, reading in self._shots):
            say()
            say(score_text(list(players.values()), self._eyes.deck, ink()))
        for number, photo in enumerate(held):
            mine = players[self._orders[number].player]
            more = {"players": [mine.player], "problems": mine.problems, "notes": mine.notes}
            self._print(number, photo, more)

    def write(self, path: Path) -> int:
        """Writes the position file; the exit status."""
        from companion.cli.ink import complain, say
        from companion.cli.scan_text import counted_as
        from companion.intake.position import position_text
        from companion.intake.table import seated
        from companion.vision.album_folder import write_whole

        seen = seated(self._shots)
        if not any(one.rows for one in seen):
            complain(f"{path}: not written, since no card was read")
            return 2 if any(one.unread for one in seen) else 0
        try:
            write_whole(path, position_text(self._eyes.name, self._eyes.deck, seen))
        except OSError as error:
            complain(f"{path}: cannot be written: {error.strerror or error}")
            return 2
        if not self._as_json:
            unsure = sum(not spot.sighting.sure for one in seen for spot in one.spots)
            say(
                f"\n{path}: written"
                + (f"; {counted_as(unsure, 'card')} to look over" if unsure else "")
            )
        return 0


def _without_name(error: "UnusableInput", name: str) -> "UnusableInput":
    """The faults without the photo's name, which stands before them."""
    from companion.core.errors import Fault, UnusableInput

    return UnusableInput(
        Fault("" if f.where == name else f.where, f.found, f.right) for f in error.faults
    )
