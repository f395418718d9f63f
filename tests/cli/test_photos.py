"""`companion photos`, and what `companion history delete` does with photos, as they are typed."""

import os
from pathlib import Path

import pytest

from companion.games.up_the_creek.options import Options
from companion.intake import confirmed
from companion.intake.photo_shelf import Kept, shelf_of
from companion.intake.review import Photo, Review
from companion.session import MatchSession, open_store
from companion.tui.counting import draft as count_draft
from companion.tui.counting.reading import blank
from companion.tui.review import draft as review_draft
from tests.cli.test_history import Typed, answer, typed
from tests.intake.test_photo_shelf import photo

__all__ = ["typed"]  # a fixture


def played(*numbers: int, title: str = "") -> tuple[int, list[Kept]]:
    """A match that saw these photos, which were kept a day ago."""
    store = open_store()
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"], title=title)
    shelf, kept = shelf_of(store), []
    for place, number in enumerate(numbers, 1):
        kept.append(shelf.keep(photo(number)))
        os.utime(kept[-1].file, (1, 1))
        told = {"source": "photo", "photos": {kept[-1].sha256: f"table-{number}.jpg"}}
        session.play(
            session.parse(f"Ana place {('bow', 'eagle')[place - 1]} 1 {place}"),
            provenance=told,
        )
    store.close()
    return session.match_id, kept


def test_list_show_throw_away_tidy(typed: Typed, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "store.sqlite3-photos"
    assert typed("photos", "list") == (0, f"No photos are kept in {folder}\n", "")
    first, (one, two) = played(1, 2, title="Sunday")
    second, (two_again, three) = played(2, 3)
    assert two == two_again
    status, out, _ = typed("photos", "list")
    assert status == 0
    assert f"{first:>4}  Sunday: up-the-creek, Ana, Ben" in out
    assert f"3 photos, {str(shelf_size(one, two, three)).split(', ')[1]} in {folder}" in out
    listed = answer(typed("photos", "list", "--json"))
    assert listed["folder"] == str(folder)
    assert {m["match"]: m["photos"] for m in listed["matches"]} == {first: 2, second: 2}
    assert listed["unused"] == {"photos": 0, "bytes": 0}

    shown = answer(typed("photos", "show", str(first), "--json"))
    assert shown["photos"] == [
        {
            "sha256": kept.sha256,
            "name": name,
            "file": str(kept.file),
            "bytes": kept.file.stat().st_size,
        }
        for kept, name in ((one, "table-1.jpg"), (two, "table-2.jpg"))
    ]
    assert f"      table-1.jpg: {one.file}\n" in typed("photos", "show", str(first))[1]

    status, out, err = typed("photos", "throw-away", str(first))
    assert (status, out) == (2, "")
    assert "add --yes to throw them away" in err
    assert answer(typed("photos", "throw-away", str(first), "--yes", "--json"))["removed"] == 1
    assert not one.file.exists()
    assert two.file.exists(), "the other match shows it"
    assert "table-1.jpg: no longer kept" in typed("photos", "show", str(first))[1]
    assert "1 no longer kept" in typed("photos", "list")[1]
    assert typed("photos", "throw-away", str(first), "-y") == (
        0,
        f"No photo is kept that belongs to match {first} alone\n",
        "",
    )
    assert len(answer(typed("history", "list", "--json"))) == 2, "the matches stay"


def shelf_size(*kept: Kept) -> object:
    from companion.intake.photo_shelf import Size

    return Size(len(kept), sum(one.file.stat().st_size for one in kept))


def test_deleting_a_match_removes_its_photos_and_says_so(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, (one, two) = played(1, 2)
    second, (_, three) = played(2, 3)
    asked: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.confirm", lambda text: bool(asked.append(text)))
    typed("history", "delete", str(first))
    size = shelf_size(one)
    assert f"2 entries, with {size}?" in asked[0]
    assert one.file.exists()
    assert typed("history", "delete", str(first), "--yes") == (
        0,
        f"Match {first} is deleted\n{size}: removed with it\n",
        "",
    )
    assert (one.file.exists(), two.file.exists()) == (False, True)
    assert typed("history", "delete", str(second), "--yes", "--keep-photos") == (
        0,
        f"Match {second} is deleted\n",
        "",
    )
    assert two.file.exists()
    assert three.file.exists()
    assert "2 photos" in typed("photos", "list")[1].split("of no match")[0]
    assert answer(typed("photos", "tidy", "--yes", "--json"))["removed"] == 2
    assert answer(typed("photos", "list", "--json"))["photos"] == 0


def test_matches_deleted_together_leave_nothing_behind(typed: Typed) -> None:
    first, (one, two) = played(1, 2)
    second, (_, three) = played(2, 3)
    typed("history", "delete", str(first), str(second), "--yes")
    assert not any(kept.file.exists() for kept in (one, two, three))


def test_tidying_spares_what_may_be_needed(typed: Typed) -> None:
    """What came just now may be under review; what a deck is measured on stays until it is forgotten."""
    store = open_store()
    shelf = shelf_of(store)
    young, old, measured = (shelf.keep(photo(number)) for number in (1, 2, 3))
    store.close()
    for kept in (old, measured):
        os.utime(kept.file, (1, 1))
    found = confirmed.outcome(confirmed.Reading(()), [], measured.sha256, "table.jpg")
    confirmed.record("our-box", found, [])
    gone = shelf_size(old)
    status, out, _ = typed("photos", "tidy", "--yes")
    assert status == 0
    assert out.splitlines() == [
        "1 photo of the last hour stays (--recent removes those too)",
        f"Removed: {gone}",
    ]
    assert (young.file.exists(), old.file.exists(), measured.file.exists()) == (True, False, True)
    assert typed("photos", "tidy", "--yes", "--recent")[0] == 0
    assert (young.file.exists(), measured.file.exists()) == (False, True)
    confirmed.forget("our-box")
    assert typed("photos", "tidy", "--yes")[0] == 0
    assert not measured.file.exists()
    assert typed("photos", "tidy") == (0, "No photo has to go\n", "")


def test_tidying_spares_what_waits(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count that was put aside, and a review that a crash left, both of yesterday."""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    store = open_store()
    shelf = shelf_of(store)
    counted, reviewed, old = (shelf.keep(photo(number)) for number in (1, 2, 3))
    store.close()
    for kept in (counted, reviewed, old):
        os.utime(kept.file, (1, 1))
    seen = {"player": "Ana", "photos": {counted.sha256: "a.jpg"}, "cards": []}
    raw = blank("up-the-creek", ("Ana", "Ben"), Options())
    count_draft.keep({**raw, "seen": [seen]})
    count_draft.put_aside()
    review = Review("up-the-creek", (Photo("b.jpg", reviewed.sha256),), (), ("Ana",))
    review_draft.keep("match 7", review_draft.Waiting(review, {}))
    gone = shelf_size(old)
    status, out, _ = typed("photos", "tidy", "--yes", "--recent")
    assert (status, out.splitlines()) == (
        0,
        [
            "2 photos of a count or review that waits stay until it is finished",
            f"Removed: {gone}",
        ],
    )
    assert (counted.file.exists(), reviewed.file.exists()) == (True, True)
    review_draft.drop("match 7")
    assert answer(typed("photos", "tidy", "--yes", "--json"))["removed"] == 1
    assert (counted.file.exists(), reviewed.file.exists()) == (True, False)


def test_nothing_is_tidied_while_what_waits_cannot_be_read(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    (tmp_path / "state" / "review-1.json").mkdir(parents=True)
    store = open_store()
    kept = shelf_of(store).keep(photo(1))
    store.close()
    status, _, err = typed("photos", "tidy", "--yes", "--recent")
    assert status == 2 and "review-1.json: cannot be read" in err
    assert kept.file.exists()


@pytest.mark.parametrize("where", ["state", "decks/.confirmed"])
def test_nothing_is_tidied_while_a_folder_cannot_be_looked_into(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """A link in a circle stands for a disk that is not there: nobody knows what is spoken of in it."""
    for name in ("STATE", "DECKS"):
        monkeypatch.setenv(f"COMPANION_{name}", str(tmp_path / name.lower()))
    folder = tmp_path / where
    folder.parent.mkdir(exist_ok=True)
    folder.symlink_to(folder)
    store = open_store()
    kept = shelf_of(store).keep(photo(1))
    store.close()
    status, _, err = typed("photos", "tidy", "--yes", "--recent")
    assert status == 2 and str(folder) in err
    assert kept.file.exists()


@pytest.mark.parametrize("command", [["show", "7"], ["throw-away", "7"]])
def test_no_such_match(typed: Typed, command: list[str]) -> None:
    status, out, err = typed("photos", *command)
    assert (status, out) == (2, "")
    assert "there is no match 7" in err


def test_a_shelf_that_cannot_be_looked_into(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "store.sqlite3-photos").write_text("a file")
    status, out, err = typed("photos", "list")
    assert (status, out) == (2, "")
    assert "cannot be looked into: Not a directory" in err
