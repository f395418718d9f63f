"""`companion photos`: the photos that are kept beside the matches."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.history import Db, Number, Photos, agreed, opened, summary
from companion.cli.ink import plain
from companion.cli.score import Json

if TYPE_CHECKING:
    from companion.intake.photo_shelf import PhotoShelf
    from companion.session import Store

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(
        no_args_is_help=True,
        help="The photos kept beside the matches, without where they were taken.",
    )
    group.command("list")(list_)
    group.command()(show)
    group.command("throw-away")(throw_away)
    group.command()(tidy)
    app.add_typer(group, name="photos")


def list_(db: Db = "", json: Json = False) -> None:
    """List the matches with photos, and how much room these take."""
    import json as json_module

    from companion.cli.ink import say
    from companion.intake.photo_shelf import shelf_of
    from companion.session.photos import photos_of, unused

    with opened(db, "the photos") as store:
        shelf = shelf_of(store)
        rows = []
        for match in store.matches():
            digests = [photo.sha256 for photo in photos_of(store, match.id)]
            if digests:
                rows.append((match, digests, shelf.size(digests)))
        left, whole = unused(store, shelf, older=0.0), shelf.size()
        free = shelf.size(left)
    if json:
        told = {
            "folder": str(shelf.folder),
            "photos": whole.photos,
            "bytes": whole.bytes,
            "unused": {"photos": free.photos, "bytes": free.bytes},
            "matches": [
                {"match": match.id, "photos": size.photos, "bytes": size.bytes, "seen": len(seen)}
                for match, seen, size in rows
            ],
        }
        say(json_module.dumps(told, ensure_ascii=False))
        return
    for match, seen, size in rows:
        gone = len(seen) - size.photos
        say(f"{match.id:>4}  {summary(match)}")
        say(f"      {size}{f'; {gone} no longer kept' if gone else ''}")
    if not whole.photos:
        say(f"No photos are kept in {plain(str(shelf.folder))}")
        return
    say(f"{whole} in {plain(str(shelf.folder))}")
    if free.photos:
        say(f"{free} of no match: `companion photos tidy` removes what is not needed")


def show(number: Number, db: Db = "", json: Json = False) -> None:
    """Show the photos of a match, and where they lie."""
    import json as json_module

    from companion.cli.ink import say
    from companion.intake.photo_shelf import shelf_of
    from companion.session.photos import photos_of

    with opened(db, "the photos") as store:
        match, shelf = store.match(number), shelf_of(store)
        rows: list[dict[str, Any]] = []
        for sha256, name in photos_of(store, number):
            file = shelf.open(sha256)
            size = shelf.size([sha256]).bytes
            place = None if file is None else str(file)
            rows.append({"sha256": sha256, "name": name, "file": place, "bytes": size})
    if json:
        say(json_module.dumps({"match": number, "photos": rows}, ensure_ascii=False))
        return
    say(f"{number:>4}  {summary(match)}")
    for row in rows:
        say(f"      {plain(row['name']) or 'a photo'}: {plain(row['file'] or 'no longer kept')}")
    if not rows:
        say("      nothing in it was seen in a photo")


def throw_away(
    numbers: Annotated[list[int], typer.Argument(metavar="MATCH...")],
    db: Db = "",
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Throw the photos of matches away, after asking; the matches stay.

    Photos that another match shows too are kept.
    """
    from companion.cli.ink import say

    with opened(db, "the photos") as store:
        matches = [store.match(number) for number in dict.fromkeys(numbers)]
        kept = Photos(store, [match.id for match in matches])
        which = ", ".join(str(match.id) for match in matches)
        if not kept.digests:
            _told(json, 0, 0, f"No photo is kept that belongs to match {which} alone")
            return
        if not agreed(f"Throw away {kept.size} of match {which}?", yes, "throw them away"):
            say("Nothing was thrown away")
            return
        count = kept.remove()
        _told(json, count, kept.size.bytes, f"Thrown away: {kept.size}")


def tidy(
    db: Db = "",
    yes: Yes = False,
    recent: Annotated[
        bool, typer.Option("--recent", help="Those of the last hour too; close the screens first.")
    ] = False,
    json: Json = False,
) -> None:
    """Remove photos that belong to no match, after asking.

    Photos of the last hour stay, since they may be under review; so do those of a count or a review
    that waits, and those that the figures of a deck are measured on (`companion deck forget`).
    """
    from companion.cli.ink import say
    from companion.intake.photo_shelf import shelf_of
    from companion.session.photos import UNDER_REVIEW

    with opened(db, "the photos") as store:
        shelf = shelf_of(store)
        wanted, spared = _unneeded(store, shelf, 0.0 if recent else UNDER_REVIEW)
        size = shelf.size(wanted)
        if not json:
            for text in spared:
                say(text)
        if not wanted:
            _told(json, 0, 0, "No photo has to go")
            return
        if not agreed(f"Remove {size} of no match from {shelf.folder}?", yes, "remove them"):
            say("Nothing was removed")
            return
        count = shelf.remove(wanted)
        _told(json, count, size.bytes, f"Removed: {size}")


def _unneeded(store: "Store", shelf: "PhotoShelf", older: float) -> tuple[list[str], list[str]]:
    """Photos that may go, and in words why others of no match stay."""
    from companion.intake import confirmed
    from companion.session.photos import unused
    from companion.tui.counting import draft

    old = unused(store, shelf, older)
    measured, waiting = confirmed.photos(), draft.photos()
    every = [sha256 for sha256 in unused(store, shelf, older=0.0) if sha256 not in measured]
    free = [sha256 for sha256 in every if sha256 not in waiting]
    wanted = [sha256 for sha256 in free if sha256 in old]
    said = []
    if waits := len(every) - len(free):
        said.append(f"{_stay(waits, 'of a count or review that waits')} until it is finished")
    if young := len(free) - len(wanted):
        said.append(f"{_stay(young, 'of the last hour')} (--recent removes those too)")
    return wanted, said


def _stay(count: int, which: str) -> str:
    return f"1 photo {which} stays" if count == 1 else f"{count} photos {which} stay"


def _told(json: bool, photos: int, size: int, text: str) -> None:
    import json as json_module

    from companion.cli.ink import say

    say(json_module.dumps({"removed": photos, "bytes": size}) if json else text)
