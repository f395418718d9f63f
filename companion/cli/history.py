"""`companion history`: the matches that were kept."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.ink import plain
from companion.cli.score import Json

if TYPE_CHECKING:
    from companion.session import MatchSession, Store, StoredMatch

Db = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="The store: sqlite:///FILE or postgresql+psycopg://...; else COMPANION_DB, else your own.",
    ),
]
Number = Annotated[int, typer.Argument(metavar="MATCH", help="Its number in `history list`.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(no_args_is_help=True, help="The matches that were kept.")
    group.command("list")(list_)
    group.command()(show)
    group.command()(export)
    group.command("import")(import_)
    group.command()(delete)
    app.add_typer(group, name="history")


@contextmanager
def opened(db: str, what: str = "the match") -> Iterator["Store"]:
    """The store; what is wrong with it, or with a match, is said, and the command ends with 2."""
    from companion.cli.ink import complain
    from companion.cli.many import complain_faults
    from companion.core.errors import UnusableInput
    from companion.session import StoreTrouble, open_store

    try:
        store = open_store(db or None)
        try:
            yield store
        finally:
            store.close()
    except StoreTrouble as trouble:
        complain(f"companion: {plain(trouble.what)}")
        if trouble.todo:
            complain(f"  {plain(trouble.todo)}")
        raise typer.Exit(2) from None
    except UnusableInput as error:
        complain_faults(what, error)
        raise typer.Exit(2) from None


def list_(db: Db = "", json: Json = False) -> None:
    """List all matches, the last one played first."""
    import json as json_module

    from companion.cli.ink import ink, say

    with opened(db) as store:
        matches = store.matches()
        where = store.where
    if json:
        say(json_module.dumps([match_json(m) for m in matches], ensure_ascii=False))
        return
    if not matches:
        say(f"No matches yet in {where}")
    paint = ink()
    for match in matches:
        say(f"{match.id:>4}  {summary(match)}")
        if match.final is not None:
            say(paint(f"      {_totals(match.final)}", "dim"))


def show(
    number: Number,
    db: Db = "",
    steps: Annotated[bool, typer.Option("--steps", help="Every act, undone ones too.")] = False,
    json: Json = False,
) -> None:
    """Show the table, the score and the acts of a match."""
    import json as json_module

    from companion.cli.ink import ink, say
    from companion.cli.score_sheet import sheet_text

    with opened(db) as store:
        session = _session(store, number)
    score = session.score()
    if json:
        say(json_module.dumps(_shown(session), ensure_ascii=False))
        return
    paint = ink()
    say(paint(summary(session.match), "bold"))
    say()
    if steps:
        for line in _acts(session):
            say(line)
        say()
    for line in session.game.view(session.state):
        say(line)
    say()
    say(sheet_text(session.sheet, score, paint))
    final = session.match.final
    if final is not None and _points(final) != score.totals:
        say()
        say(f"At the end it was: {_totals(final)} (rules {final.get('rules_version', '?')})")


def export(
    number: Number,
    db: Db = "",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Into a new file.")
    ] = "",
) -> None:
    """Print a match as a match file.

    `score`, `show` and `history import` read it.
    """
    from pathlib import Path

    from companion.cli.ink import complain, say

    with opened(db) as store:
        text = _session(store, number).export()
    if not output:
        say(text.rstrip("\n"))
        return
    try:
        with Path(output).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        complain(f"{plain(output)}: is there already; name a new file")
        raise typer.Exit(2) from None
    say(plain(output))


def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Match files; - too.")],
    db: Db = "",
    title: Annotated[str, typer.Option(help="What to call it.")] = "",
    json: Json = False,
) -> None:
    """Keep match files as matches.

    A bad file is named and the others are kept all the same.
    """
    import json as json_module

    from companion.cli.ink import say
    from companion.cli.many import complain_faults
    from companion.core.errors import UnusableInput
    from companion.interchange.source import read_document
    from companion.session import MatchSession

    status = 0
    kept: list[dict[str, Any]] = []
    with opened(db) as store:
        for name in files:
            try:
                session = MatchSession.import_match(store, read_document(name), title)
            except UnusableInput as error:
                status = 2
                kept.append({"file": name, "error": [str(f) for f in error.faults]})
                if not json:
                    complain_faults(plain(name), error)
                continue
            kept.append({"file": name, **match_json(session.match)})
            if not json:
                say(f"{plain(name)} is match {session.match_id}")
    if json:
        say(json_module.dumps(kept, ensure_ascii=False))
    raise typer.Exit(status)


def delete(
    numbers: Annotated[list[int], typer.Argument(metavar="MATCH...")],
    db: Db = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    keep_photos: Annotated[
        bool, typer.Option("--keep-photos", help="Leave its photos where they are kept.")
    ] = False,
) -> None:
    """Delete matches, after asking.

    Finished or not, with everything in them, and with the photos that no other match shows.
    """
    from companion.cli.ink import say

    with opened(db) as store:
        matches = [store.match(number) for number in dict.fromkeys(numbers)]
        for match in matches:
            kept = Photos(store, [] if keep_photos else [match.id])
            if agreed(f"Delete match {match.id}, {summary(match)}{kept.too()}?", yes, "delete"):
                store.delete(match.id)
                say(f"Match {match.id} is deleted")
                if kept.remove():
                    say(f"{kept.size}: removed with it")


class Photos:
    """The kept photos of some matches that no other match shows."""

    def __init__(self, store: "Store", match_ids: Iterable[int]) -> None:
        from companion.intake.photo_shelf import shelf_of
        from companion.session.photos import only_of

        self._shelf = shelf_of(store)
        kept = (sha256 for sha256 in only_of(store, match_ids) if self._shelf.open(sha256))
        self.digests = list(kept)
        self.size = self._shelf.size(self.digests)

    def too(self) -> str:
        """`, with 4 photos, 12 MB`; empty where there are none."""
        return f", with {self.size}" if self.size.photos else ""

    def remove(self) -> int:
        """Removes them for good; how many. Raises `UnusableInput`."""
        return self._shelf.remove(self.digests)


def agreed(question: str, yes: bool, what: str) -> bool:
    """Whether the person agrees; where nobody can be asked, the command ends with 2."""
    import sys

    from companion.cli.ink import complain

    if yes:
        return True
    if not sys.stdin.isatty():
        complain(f"companion: nobody can be asked here; add --yes to {what}")
        raise typer.Exit(2)
    return typer.confirm(question)


def _session(store: "Store", number: int) -> "MatchSession":
    from companion.session import MatchSession

    return MatchSession.open(store, number)


def match_json(match: "StoredMatch") -> dict[str, Any]:
    """What is known of a match without replaying it."""
    final = match.final
    return {
        "match": match.id,
        "game": match.game,
        "deck": match.deck,
        "title": match.title,
        "players": list(match.players),
        "stage": str(match.stage),
        "created": match.created,
        "updated": match.updated,
        "entries": match.entries,
        "rules_version": match.rules_version,
        "winners": None if final is None else final.get("winners"),
        "totals": None if final is None else _points(final),
        "agreed": None if final is None else final.get("agreed"),
    }


def _shown(session: "MatchSession") -> dict[str, Any]:
    from companion.interchange.answers import score_json

    acts = [
        {
            "seq": e.seq,
            "player": e.player,
            "text": e.text,
            "in_force": e.in_force,
            "recorded": e.recorded,
            "objections": [{"rule": o.rule, "text": o.text} for o in e.objections],
            "when": e.when,
            **({"was": e.was} if e.was else {}),
            **({"provenance": dict(e.provenance)} if e.provenance else {}),
        }
        for e in session.entries()
    ]
    return {
        **match_json(session.match),
        "table": list(session.game.view(session.state)),
        "score": score_json(session.sheet, session.score()),
        "final": session.match.final,
        "acts": acts,
    }


def _acts(session: "MatchSession") -> Iterator[str]:
    for entry in session.entries():
        mark = " !" if entry.recorded else ""
        undone = "" if entry.in_force else "   (undone)"
        was = f"   (was: {entry.was})" if entry.was else ""
        yield f"{entry.seq:>4}  {entry.player} {entry.text}{mark}{undone}{was}"
        for objection in entry.objections:
            yield f"        against the rules: {objection.text} ({objection.rule})"
        if entry.fault:
            yield f"        does not count: {entry.fault}"


def summary(match: "StoredMatch") -> str:
    """What a match was, in one line."""
    title = f"{match.title}: " if match.title else ""
    acts = f"{match.entries} entr{'y' if match.entries == 1 else 'ies'}"
    names = ", ".join(match.players)
    return f"{title}{match.game}, {names}; {match.stage}, {match.updated[:10]}, {acts}"


def _points(final: Any) -> dict[str, int]:
    return {player["name"]: player["total"] for player in final.get("players", ())}


def _totals(final: Any) -> str:
    agreed = "" if final.get("agreed", True) else " (not agreed)"
    return ", ".join(f"{name} {total}" for name, total in _points(final).items()) + agreed
