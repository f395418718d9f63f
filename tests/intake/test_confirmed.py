"""The private benchmark of a deck: compared by place, remembered, told, forgotten, read again."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import UnusableInput
from companion.intake import confirmed, own_decks
from companion.intake.confirmed import Outcome, TrueCard, outcome, percent, record
from companion.intake.photo_shelf import PhotoShelf
from companion.vision.album_folder import Entry, Index, Picture, save_album
from companion.vision.sighting import Candidate, Placed, Reading, Region, Sighting
from tests.intake.readings import reading

SHA = "a" * 64


@pytest.fixture(autouse=True)
def decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The household's folder, empty."""
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


def box(column: int, row: int = 0, dx: float = 0.0) -> Region:
    """Where `reading` puts the card of that column."""
    x, y = 100.0 * column + dx, 150.0 * row
    return ((x, y), (x + 80, y), (x + 80, y + 112), (x, y + 112))


def truth(*rows: str) -> list[list[TrueCard]]:
    """Rows of confirmed cards as they lie, `.` for a gap."""
    return [
        [TrueCard(card, box(at, down)) for at, card in enumerate(row.split(), 1) if card != "."]
        for down, row in enumerate(rows)
    ]


def counts(read: Reading, rows: Sequence[Sequence[TrueCard]]) -> tuple[int, ...]:
    """Cards, right, silent, flagged, missed, ghosts."""
    found = outcome(read, rows, SHA, "table.jpg")
    assert (found.sha256, found.photo) == (SHA, "table.jpg")
    return found.cards, found.right, found.silent, found.flagged, found.missed, found.ghosts


@pytest.mark.parametrize(
    ("read", "rows", "expected"),
    [
        (["bow eagle stern"], ["bow eagle stern"], (3, 3, 0, 0, 0, 0)),
        (["bow eagle?furs stern"], ["bow eagle stern"], (3, 3, 0, 1, 0, 0)),
        (["bow eagle?furs stern"], ["bow furs stern"], (3, 2, 0, 0, 0, 0)),
        (["bow eagle stern"], ["bow furs stern"], (3, 2, 1, 0, 0, 0)),
        (["bow ?? stern"], ["bow furs stern"], (3, 2, 0, 0, 0, 0)),
        (["bow . stern"], ["bow furs stern"], (3, 2, 0, 0, 1, 0)),
        (["bow eagle stern"], ["bow . stern"], (2, 2, 1, 0, 0, 1)),
        (["bow eagle?furs stern"], ["bow . stern"], (2, 2, 0, 0, 0, 1)),
        (["bow ?? stern"], ["bow . stern"], (2, 2, 0, 0, 0, 1)),
        # a right name at another place is not right
        (["bow eagle . stern"], ["bow . eagle stern"], (3, 2, 1, 0, 1, 1)),
        (["bow stern"], ["stern bow"], (2, 0, 2, 0, 0, 0)),
        (["chief:red#3"], ["chief:red=4"], (1, 1, 0, 0, 0, 0)),
        (["chief:red"], ["chief:black"], (1, 0, 1, 0, 0, 0)),
        (["chief"], ["chief:black=2"], (1, 1, 0, 0, 0, 0)),
        ([], ["bow stern", ". eagle"], (3, 0, 0, 0, 3, 0)),
        (["bow"], [], (0, 0, 1, 0, 0, 1)),
        ([], [], (0, 0, 0, 0, 0, 0)),
    ],
)
def test_counted_by_place(read: list[str], rows: list[str], expected: tuple[int, ...]) -> None:
    assert counts(reading(*read), truth(*rows)) == expected


def test_a_row_that_was_made_two_is_the_same_photo() -> None:
    """Rows are the person's; the place in the photo counts."""
    read = reading("bow eagle stern")
    cards = truth("bow eagle stern")[0]
    assert counts(read, [cards[:1], cards[1:]]) == (3, 3, 0, 0, 0, 0)


@pytest.mark.parametrize(("dx", "found"), [(15.0, True), (30.0, True), (45.0, False)])
def test_a_place_a_little_off(dx: float, found: bool) -> None:
    """Half a card's width apart is another place; the outline may be drawn either way round."""
    rows = [[TrueCard("bow", box(1, dx=dx))]]
    expected = (1, 1, 0, 0, 0, 0) if found else (1, 0, 1, 0, 1, 1)
    assert counts(reading("bow"), rows) == expected
    a, b, c, d = box(1, dx=dx)
    assert counts(reading("bow"), [[TrueCard("bow", (d, c, b, a))]]) == expected


def test_a_card_that_was_only_typed_was_missed() -> None:
    assert counts(reading("bow"), [[TrueCard("bow", box(1)), TrueCard("eagle")]]) == (
        2,
        1,
        0,
        0,
        1,
        0,
    )


def test_two_boxes_on_one_card() -> None:
    """The nearer one counts, the other is a ghost."""
    near, off = reading("bow").rows[0][0], reading("eagle").rows[0][0]
    off = replace(off, sighting=replace(off.sighting, region=box(1, dx=20)))
    assert counts(Reading(((off, near),)), truth("bow")) == (1, 1, 1, 0, 0, 1)


cards = st.sampled_from(["bow", "eagle", "stern", "."])


@given(
    st.lists(cards, max_size=6),
    st.lists(st.sampled_from(["bow", "eagle?furs", "??", "."]), max_size=6),
)
def test_every_card_is_counted_once(rows: list[str], read: list[str]) -> None:
    true_cards = truth(" ".join(rows)) if rows else []
    seen = reading(" ".join(read)) if read else Reading(())
    total, right, silent, flagged, missed, ghosts = counts(seen, true_cards)
    listed = len(seen.sightings)
    assert total - missed == listed - ghosts, "each pair is a card and a box"
    assert flagged <= right <= total - missed
    assert silent <= listed - right
    assert total == sum(card != "." for card in rows)


def found(number: int, **how: Any) -> Outcome:
    digest = f"{number:064x}"
    base = Outcome(digest, f"{number}.jpg", "2026-01-01T00:00:00+00:00", 10, 9, 1, 2, 1, 0)
    return replace(base, **how)


def test_nothing_is_told_of_a_deck_without_confirmed_photos() -> None:
    assert confirmed.summary("our-box") == ""
    assert confirmed.figures("our-box")["photos"] == 0
    assert confirmed.figures("our-box")["right_share"] is None
    assert confirmed.forget("our-box") == 0


def test_what_is_told_of_the_last_photos() -> None:
    for number in range(25):
        early = number < 5
        record("our-box", found(number, right=0 if early else 9, silent=7 if early else 0), [])
    assert confirmed.summary("our-box") == "last 20 photos: 90 % right, 0 silent"
    assert confirmed.summary("our-box", 1) == "last photo: 90 % right, 0 silent"
    assert confirmed.figures("our-box", 22) == {
        "photos": 22, "cards": 220, "right": 180, "silent": 14, "flagged": 44, "missed": 22,
        "ghosts": 0, "right_share": 0.8182,
    }  # fmt: skip
    assert confirmed.photos() == {f"{number:064x}" for number in range(25)}
    assert confirmed.summary("another") == ""
    assert confirmed.forget("our-box") == 25
    assert confirmed.summary("our-box") == ""


def test_all_is_only_all() -> None:
    assert percent(999, 1000) == "99 %"
    assert percent(1000, 1000) == "100 %"
    assert percent(0, 3) == "0 %"


def test_the_same_photo_again_takes_its_own_place() -> None:
    for number in (1, 2):
        record("our-box", found(number, right=5), [])
    record("our-box", found(1, right=10), [])
    assert confirmed.figures("our-box")["right"] == 15
    assert confirmed.figures("our-box", 1)["right"] == 10


def test_the_oldest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmed, "MOST", 5)
    for number in range(8):
        record("our-box", found(number, right=number), [])
    told = confirmed.figures("our-box", 100)
    assert (told["photos"], told["right"]) == (5, 3 + 4 + 5 + 6 + 7)


def test_broken_lines_are_passed_over(decks: Path) -> None:
    record("our-box", found(1), truth("bow . eagle"))
    (file,) = (decks / ".confirmed").iterdir()
    assert file.name == "our-box.jsonl"
    good = file.read_text("utf-8")
    line = json.loads(good)
    wrong = [
        "", "{", "[]", "null", '"x"', "{}", "\x00", "[" * 100_000,
        json.dumps({**line, "sha256": "b" * 64, "cards": "many"}),
        json.dumps({**line, "sha256": "c" * 64, "cards": -1}),
        json.dumps({**line, "sha256": "d" * 64, "rows": [[{"card": 3, "box": None}]]}),
        json.dumps({**line, "sha256": "e" * 64, "rows": [[{"card": "bow", "box": [[1, 2]]}]]}),
        json.dumps({**line, "sha256": "f" * 64, "rows": [[{"card": "bow", "box": [["a", 1]] * 4}]]}),
        json.dumps({**line, "sha256": 7}),
        json.dumps({key: value for key, value in line.items() if key != "right"}),
    ]  # fmt: skip
    file.write_bytes(b"\xff\xfe\n" + "\n".join([*wrong, good, *wrong]).encode())
    assert confirmed.figures("our-box")["photos"] == 1
    file.write_text(
        json.dumps({**line, "sha256": "9" * 64, "from_a_later_version": 1}) + "\n" + good
    )
    record("our-box", found(2), [])
    assert confirmed.figures("our-box")["photos"] == 3


def test_where_a_list_cannot_be_read_nobody_knows_its_photos(decks: Path) -> None:
    """Photos that it speaks of would be tidied away."""
    assert confirmed.photos() == set()
    record("our-box", found(1), [])
    assert len(confirmed.photos()) == 1
    (decks / ".confirmed" / "other.jsonl").mkdir()
    with pytest.raises(UnusableInput, match=r"other\.jsonl"):
        confirmed.photos()


def test_no_name_leads_elsewhere(tmp_path: Path) -> None:
    for name in ("", "../x", "a/b", ".", "..", "a\\b", "a\nb", "C:x"):
        with pytest.raises(UnusableInput):
            record(name, found(1), [])
        with pytest.raises(UnusableInput):
            confirmed.forget(name)
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_folder_that_cannot_be_written_is_told(decks: Path) -> None:
    decks.mkdir()
    (decks / ".confirmed").write_text("a file")
    with pytest.raises(UnusableInput) as caught:
        record("our-box", found(1), [])
    assert "cannot be" in str(caught.value)
    assert "our-box.jsonl" in str(caught.value)


class _Eyes:
    """Reads as told, by the first bytes of the file."""

    def __init__(self, readings: dict[bytes, Reading]) -> None:
        self._readings = readings

    def read(self, path: str) -> Any:
        found = self._readings.get(Path(path).read_bytes())
        if found is None:
            raise UnusableInput([])
        return type("Photo", (), {"reading": found})()


def test_read_again_with_the_deck_as_it_is_now(tmp_path: Path) -> None:
    """Two photos are kept, one was thrown away, one cannot be read any more."""
    shelf = PhotoShelf(tmp_path / "photos")
    shelf.folder.mkdir()
    rows = truth("bow eagle stern")
    for number, text in enumerate(["bow eagle?furs stern", "bow furs stern", "bow . .", "bow"]):
        digest = f"{number:064x}"
        record("our-box", outcome(reading(text), rows, digest, f"{number}.jpg"), rows)
        if number != 2:
            (shelf.folder / f"{digest}.jpg").write_bytes(str(number).encode())
    looked: list[int] = []
    eyes: Any = _Eyes({b"0": reading("bow eagle stern"), b"1": reading("bow eagle?furs stern")})
    again = confirmed.remeasure("our-box", eyes, shelf, done=lambda: looked.append(1))
    assert (again.skipped, len(looked)) == (2, 4)
    assert again.then == {
        "photos": 2, "cards": 6, "right": 5, "silent": 1, "flagged": 1, "missed": 0, "ghosts": 0,
        "right_share": 0.8333,
    }  # fmt: skip
    assert again.now == {
        "photos": 2, "cards": 6, "right": 6, "silent": 0, "flagged": 1, "missed": 0, "ghosts": 0,
        "right_share": 1.0,
    }  # fmt: skip
    assert confirmed.figures("our-box")["photos"] == 4, "what was read then is remembered as it was"


def test_photos_that_the_deck_was_cut_from_are_told_apart(tmp_path: Path) -> None:
    """To know again what one has learnt is no art."""
    rows = truth("bow")
    shelf = PhotoShelf(tmp_path / "photos")
    shelf.folder.mkdir()
    for number in (1, 2):
        record("our-box", outcome(reading("bow"), rows, f"{number:064x}", "x"), rows)
        (shelf.folder / f"{number:064x}.jpg").write_bytes(b"1")
    eyes: Any = _Eyes({b"1": reading("bow")})
    assert confirmed.remeasure("our-box", eyes, shelf).learnt == 0
    card = Picture(Entry("bow", "", "x", f"{2:064x}"), np.zeros((140, 100, 3), np.uint8))
    save_album(own_decks.named("our-box").folder, Index("our-box", 1.4, ()), [], [card])
    again = confirmed.remeasure("our-box", eyes, shelf)
    assert (again.learnt, again.now["photos"]) == (1, 2)


def test_places_are_compared_as_the_bench_compares_them() -> None:
    """The same tables counted by `tests/bench/sight/measure.py`."""
    from tests.bench.sight import measure

    read = reading("bow eagle?furs ?? stern", ". furs logs-a")
    tall = Sighting(box(4, 1, dx=38.0), (Candidate("totem", 0.9),), sure=True)
    read = Reading((*read.rows, (Placed(4, tall),)))
    rows = truth("bow eagle totem . stern", ". eagle logs-a totem")
    document = {
        "rows": [
            {"cards": [{"card": p.sighting.face, "sure": p.sighting.sure, "box": p.sighting.region,
                        "column": p.column} for p in row]}
            for row in read.rows
        ]
    }  # fmt: skip
    told = [
        {"name": card.card, "corners": card.box, "row": 1, "column": 1, "visible": 1.0}
        for row in rows
        for card in row
    ]
    theirs = measure.composed(told, document).counts
    mine = outcome(read, rows, SHA, "x")
    assert (mine.cards, mine.right, mine.silent, mine.flagged, mine.ghosts) == (
        theirs.cards, theirs.right, theirs.silent, theirs.flagged, theirs.ghosts,
    )  # fmt: skip
    assert mine.missed == theirs.cards - theirs.found


def _remember(deck: str, program: int, many: int, begin: Any) -> None:
    """What one of several programs does; they begin at the same instant."""
    begin.wait()
    for photo in range(many):
        rows = truth("bow eagle stern")
        found = outcome(reading("bow eagle stern"), rows, f"{program:032}{photo:032}", "t.jpg")
        record(deck, found, rows)


def test_programs_that_confirm_photos_at_the_same_instant_lose_none() -> None:
    """Three programs, twenty photos each; the children inherit the folder by the environment."""
    pytest.importorskip("fcntl")
    from multiprocessing import get_context

    spawn = get_context("spawn")
    begin = spawn.Barrier(3)
    programs = [spawn.Process(target=_remember, args=("our-box", n, 20, begin)) for n in range(3)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0, 0, 0]
    assert len(confirmed.photos()) == 60
