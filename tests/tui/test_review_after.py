"""What follows a review: photos kept, how they were read remembered, the household's deck taught."""

from pathlib import Path

import numpy as np
import pytest

from companion.intake import confirmed, own_decks
from companion.intake.cutting import Proposer
from companion.intake.eyes import ScannedPhoto, open_eyes
from companion.intake.learning import Cut, learn_cuts, pupil
from companion.intake.photo_shelf import shelf_of
from companion.intake.review import Review, added, edits, opened
from companion.session import open_store
from companion.tui.review import after
from companion.vision.load import open_photo
from companion.vision.sighting import Candidate, Placed, Reading, Sighting
from tests.intake.pictures import save, table

ROW = "bow eagle furs stern"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path


WARM = (0.45, 0.7, 0.95)
"""Lamp light: shares of blue, green and red."""


def scanned(
    home: Path,
    row: str,
    read: str,
    name: str,
    tilt: float = 0.03,
    light: tuple[float, float, float] = (1, 1, 1),
) -> ScannedPhoto:
    """A photo of the row, read as `read` says: `eagle?furs` is unsure."""
    image = (table([row], tilt=tilt) * np.array(light)).astype(np.uint8)
    path = save(image, home / name)
    photo = open_photo(path)
    outlines = Proposer(pupil("strange", "none", replacing=False)).propose(str(path)).outlines
    placed = []
    for column, (word, outline) in enumerate(zip(read.split(), outlines, strict=True), 1):
        names = word.split("?")
        candidates = tuple(Candidate(n, 0.9 / (i + 1)) for i, n in enumerate(names))
        seen = Sighting(outline.region, candidates, sure=len(names) == 1)
        placed.append(Placed(column, seen))
    return ScannedPhoto(str(path), "our-box", Reading((tuple(placed),)), 0.1, photo.sha256)


def enrolled(home: Path) -> None:
    path = save(table([ROW, "totem bear-a bear-b soldier"], tilt=0.0), home / "sheet.png")
    photo = open_photo(path)
    who = pupil("our-box", "up-the-creek", replacing=False)
    found = Proposer(who).propose(str(path)).outlines
    faces = [*ROW.split(), "totem", "bear-a", "bear-b", "soldier"]
    learn_cuts(who, [Cut(f, photo, o.region) for f, o in zip(faces, found, strict=True)])


def review_of(photo: ScannedPhoto, deck: str = "our-box") -> Review:
    return added(opened(deck), photo, "Ana")


def test_how_it_was_read_is_remembered_by_what_a_person_said(home: Path) -> None:
    """Four cards: one wrong and sure, one right but asked about, two right."""
    photo = scanned(home, ROW, "bow eagle?furs totem stern", "t.png")
    review = edits.told(edits.told(review_of(photo), (1, 3), "furs"), (1, 2), "eagle")
    after.remembered(review)
    found = confirmed.figures("our-box")
    assert (found["cards"], found["right"], found["silent"], found["flagged"]) == (4, 3, 1, 1)
    assert confirmed.summary("our-box") == "last photo: 75 % right, 1 silent"


def test_what_nobody_confirmed_is_not_remembered(home: Path) -> None:
    after.remembered(review_of(scanned(home, ROW, "bow eagle?furs furs stern", "t.png")))
    assert confirmed.summary("our-box") == ""


def test_the_household_s_deck_learns_what_was_named(home: Path) -> None:
    enrolled(home)
    photo = scanned(home, "stern furs eagle", "stern furs eagle?totem", "other.png", 0.05, WARM)
    review = edits.confirmed(review_of(photo), (1, 3))
    found = after.offer(review)
    assert found is not None and found.cards == ("eagle",)
    assert "eagle" in after.question(found) and "our-box" in after.question(found)
    said = after.learnt(found, review, {photo.sha256: photo.name})
    index = own_decks.named("our-box").index()
    assert index is not None
    assert [entry.origin for entry in index.of("eagle")] == ["enrolled", "table"], said
    assert len(index.entries) == 9 and "learnt eagle" in said


def test_a_picture_that_the_deck_has_already_is_not_learnt_again(home: Path) -> None:
    enrolled(home)
    photo = scanned(home, "stern furs eagle", "stern furs eagle?totem", "other.png", tilt=0.05)
    review = edits.confirmed(review_of(photo), (1, 3))
    found = after.offer(review)
    assert found is not None
    assert "not eagle" in after.learnt(found, review, {photo.sha256: photo.name})
    index = own_decks.named("our-box").index()
    assert index is not None and len(index.entries) == 8


def test_nothing_is_offered_where_the_program_was_sure_or_the_deck_ships(home: Path) -> None:
    enrolled(home)
    sure = scanned(home, ROW, ROW, "sure.png")
    assert after.offer(review_of(sure)) is None
    asked = scanned(home, ROW, "bow eagle?furs furs stern", "asked.png")
    assert after.offer(edits.all_confirmed(review_of(asked, "up-the-creek"))) is None
    assert after.offer(edits.all_confirmed(review_of(asked))) is not None


def test_photos_go_on_the_shelf_once_and_stay_where_they_are(home: Path) -> None:
    store = open_store(f"sqlite:///{home}/c.db")
    photo = scanned(home, ROW, ROW, "t.png")
    before = Path(photo.name).read_bytes()
    for _ in range(2):
        assert after.kept(store, review_of(photo), {photo.sha256: photo.name}) == []
    assert [kept.sha256 for kept in shelf_of(store).photos()] == [photo.sha256]
    assert Path(photo.name).read_bytes() == before
    Path(photo.name).unlink()
    shelf_of(store).remove([photo.sha256])
    (wrong,) = after.kept(store, review_of(photo), {photo.sha256: photo.name})
    assert "t.png" in wrong


def test_a_box_drawn_by_hand_is_named_by_the_deck_s_pictures(home: Path) -> None:
    enrolled(home)
    eyes = open_eyes("our-box")
    photo = scanned(home, ROW, ROW, "t.png")
    box = photo.reading.sightings[1].region
    off = tuple((x + 3.0, y - 2.0) for x, y in box)
    assert eyes.look(photo.name, off).face == "eagle"  # type: ignore[arg-type]
    bare = tuple((x, y - 190.0) for x, y in box)
    assert not eyes.look(photo.name, bare).sure  # type: ignore[arg-type]
    picture = eyes.picture("eagle")
    assert picture is not None and np.asarray(picture).shape[0] == 512
    assert eyes.picture("nobody") is None
