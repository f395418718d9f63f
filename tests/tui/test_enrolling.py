"""Enrolment without the screen: corners, names, the desk, what waits for another day."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.loader import shipped_deck
from companion.intake.enrolment import Names
from companion.tui.enrolling import corners, later
from companion.tui.enrolling.desk import Card, Desk, Sheet
from companion.tui.enrolling.naming import read_name
from companion.vision.sighting import Candidate, Region

CREEK = shipped_deck("up-the-creek")
SQUARE: Region = ((100.0, 100.0), (170.0, 100.0), (170.0, 200.0), (100.0, 200.0))
numbers = st.floats(-500, 500, allow_nan=False)
places = st.tuples(st.floats(0, 4000), st.floats(0, 4000))
regions = st.tuples(places, places, places, places)


def near(a: Region, b: Region) -> bool:
    return all(
        abs(x - y) < 1e-6 * 4000
        for p, q in zip(a, b, strict=True)
        for x, y in zip(p, q, strict=True)
    )


@given(regions, st.integers(0, 4), numbers, numbers)
def test_a_move_back_undoes_a_move(region: Region, held: int, dx: float, dy: float) -> None:
    there = corners.moved(region, held, dx, dy)
    assert near(corners.moved(there, held, -dx, -dy), region)
    still = [i for i in range(4) if held not in (i, corners.WHOLE)]
    assert all(there[i] == region[i] for i in still)


@given(regions, st.floats(0.5, 2))
def test_scaling_keeps_the_middle(region: Region, factor: float) -> None:
    grown = corners.scaled(region, factor)
    assert corners.centre(grown) == pytest.approx(corners.centre(region), abs=1e-6)
    assert corners.sides(grown) == pytest.approx(
        [factor * s for s in corners.sides(region)], abs=1e-6
    )


def test_turning_round_stands_a_card_up_and_then_on_its_head() -> None:
    lying: Region = (SQUARE[1], SQUARE[2], SQUARE[3], SQUARE[0])  # its top is the long right side
    across, down = corners.sides(corners.turned_round(lying))
    assert across < down
    turned = corners.turned_round(SQUARE)
    assert turned == (SQUARE[2], SQUARE[3], SQUARE[0], SQUARE[1])
    assert corners.turned_round(turned) == SQUARE


def test_the_pointer_takes_what_is_near() -> None:
    assert corners.held_at(SQUARE, (172, 103)) == 1
    assert corners.held_at(SQUARE, (95, 205)) == 3
    assert corners.held_at(SQUARE, (135, 150)) == corners.WHOLE
    assert corners.held_at(SQUARE, (250, 150)) is None


# ---------------------------------------------------------------- names


def read(text: str, *seen: tuple[str, float]) -> "tuple[str, list[str], str, bool]":
    candidates = [Candidate(face, share) for face, share in seen]
    named = read_name(text, CREEK, Names(CREEK), ["eagle", "furs"], candidates)
    return named.face, [choice.face for choice in named.choices], named.fault, named.likely


def test_nothing_typed_takes_what_the_deck_is_fairly_sure_of() -> None:
    assert read("", ("totem", 0.97), ("eagle", 0.02))[:2] == ("totem", ["totem", "eagle", "furs"])
    face, choices, fault, likely = read("", ("totem", 0.3))
    assert (face, likely) == ("", False) and fault and choices[0] == "totem"


def test_the_beginning_of_a_name_is_completed() -> None:
    face, choices, fault, likely = read("bear")
    assert choices[:2] == ["bear-a", "bear-b"] and "bear-hunter" in choices
    assert (face, likely, fault) == (choices[0], True, "")


def test_a_kind_in_two_colours_is_asked_about() -> None:
    face, choices, fault, likely = read("paddlers-2=3", ("paddlers-2:black", 0.6))
    assert (face, likely) == ("", False) and "red or black" in fault
    assert choices == ["paddlers-2:black=3", "paddlers-2:red=3", "paddlers-2=3"]
    assert read("paddlers-2:red=3")[0] == "paddlers-2:red=3"


@pytest.mark.parametrize(
    ("typed", "meant"), [("eagel", "eagle"), ("bera-a", "bear-a"), ("totm", "totem")]
)
def test_a_misspelt_name_is_no_face_but_told(typed: str, meant: str) -> None:
    face, choices, fault, likely = read(typed)
    assert (face, likely) == ("", False)
    assert meant in choices and f"did you mean {choices[0]}?" in fault


def test_any_name_does_for_a_free_deck_but_those_that_are_there_are_offered() -> None:
    names = Names(None, ["Adler"])
    assert read_name("adler", None, names, ["Adler"], ()).face == "Adler"
    named = read_name("Ad", None, names, ["Adler"], ())
    assert named.face == "Ad" and [c.face for c in named.choices] == ["Adler"] and not named.likely
    assert read_name("a/b", None, names, [], ()).fault


# ---------------------------------------------------------------- the desk


def sheet(path: str, *done: bool) -> Sheet:
    """A photo that was looked at; done cards are learnt."""
    return Sheet(path, path, tuple(Card(SQUARE, SQUARE, learnt="eagle" if d else "") for d in done))


def test_one_goes_from_open_card_to_open_card() -> None:
    desk = Desk("d", "none", (sheet("a", False, True, False), Sheet("b"), sheet("c", False)))
    seen = []
    for _ in range(4):
        seen.append(desk.at)
        if desk.card is not None:
            desk = desk.with_card(replace(desk.card, skipped=True))
        else:
            desk = desk.looked_at("b", "b", ())
        desk = desk.onward()
    assert seen == [(0, 0), (0, 2), (1, 0), (2, 0)]
    assert desk.sheet is None and not desk.open


def test_what_was_done_about_a_photo_stays_while_the_file_is_the_same() -> None:
    desk = Desk("d", "none", (sheet("a", True, False),))
    fresh = (Card(SQUARE),)
    assert desk.looked_at("a", "a", fresh) == desk
    again = desk.looked_at("a", "another file", fresh)
    assert again.sheets[0].cards == fresh


def test_the_deck_knows_best_what_is_learnt() -> None:
    """A card that was handed over before the program was killed is to do again."""
    desk = Desk("d", "none", (sheet("a", True, True),)).told_of([("eagle", "other photo")])
    cards = desk.sheets[0].cards or ()
    assert [c.learnt for c in cards] == ["", ""] and cards[0].typed == "eagle"
    kept = Desk("d", "none", (sheet("a", True),)).told_of([("eagle", "a")])
    assert (kept.sheets[0].cards or ())[0].learnt == "eagle"


def test_photos_are_added_once_and_those_that_failed_again() -> None:
    desk = Desk("d", "none").with_photos(["a", "b", "a"]).looked_at("a", "", (), "no photo")
    assert [s.path for s in desk.sheets] == ["a", "b"] and desk.open == 1
    again = desk.onward().with_photos(["a", "b"])
    assert [s.path for s in again.sheets] == ["b", "a"] and again.open == 2
    assert again.sheet is not None and again.sheet.path == "b"


# ---------------------------------------------------------------- later


cards = st.builds(
    Card,
    regions,
    st.none() | regions,
    st.text(max_size=5),
    st.sampled_from(["", "eagle", "Bär"]),
    st.none() | regions,
    st.booleans(),
    st.lists(st.builds(Candidate, st.text(max_size=5), st.floats(0, 1)), max_size=2).map(tuple),
)
sheets = st.builds(
    Sheet,
    st.text(max_size=9),
    st.text(max_size=5),
    st.none() | st.lists(cards, max_size=3).map(tuple),
)


@given(st.lists(sheets, max_size=3).map(tuple))
def test_what_is_not_finished_comes_back(
    tmp_path_factory: pytest.TempPathFactory, found: tuple[Sheet, ...]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_STATE", str(tmp_path_factory.getbasetemp() / "state"))
        desk = Desk("our-box", "none", found).onward(here=True)
        assert later.keep(desk) == ""
        assert later.read("our-box") == (desk if desk.open else None)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"version": 1}', '{"version": 9, "photos": []}',
     '{"version": 1, "deck": "d", "game": "none", "at": [0], "photos": []}',
     '{"version": 1, "deck": 3, "game": "none", "at": [0, 0], "photos": [{"path": "a", "sha256": "", "cards": null}]}'],
)  # fmt: skip
def test_a_damaged_file_is_as_none(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    later.file_of("d").write_text(text)
    assert later.read("d") is None
    assert later.waiting() == []


def test_a_photo_that_is_away_for_a_while_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stick was pulled out: what was typed about its photo waits, and comes back with it."""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    card = Card(SQUARE, SQUARE, typed="eag")
    desk = Desk("d", "none", (Sheet("a", "a", (card,)),)).looked_at("a", "", (), "is not there")
    assert not desk.open and desk.onward().sheet is None
    later.keep(desk)
    again = later.read("d")
    assert again is not None and again.card == card
    assert desk.with_photos(["a"]).card == card


def test_photos_that_could_not_be_used_do_not_shift_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    bad = Sheet("bad", fault="no photo")
    desk = Desk("d", "none", (bad, sheet("a", True), sheet("b", True, False)), (2, 1))
    later.keep(desk)
    again = later.read("d")
    assert again is not None and again.sheet is not None
    assert (again.sheet.path, again.at[1]) == ("b", 1)
    assert json.loads(later.file_of("d").read_text())["at"] == [1, 1]
