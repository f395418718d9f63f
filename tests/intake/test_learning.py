"""Cards learnt from outlines that a person set, at enrolment and at the table; and how they are forgotten."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.core.errors import UnusableInput
from companion.intake import own_decks
from companion.intake.cutting import (
    Outline,
    Proposer,
    as_loaded,
    crop_of,
    doubts_of,
    turned,
)
from companion.intake.learning import (
    MOST_LEARNT,
    Cut,
    Learnt,
    Pupil,
    forget_card,
    forget_learnt,
    forget_number,
    learn_cuts,
    pupil,
    pupil_at_table,
)
from companion.vision.album_folder import ENROLLED, TABLE, Origin, read_index
from companion.vision.load import Photo, open_photo
from companion.vision.sighting import Region
from tests.intake.pictures import TALL, WIDE, card, exposed, save, table

ROWS = ("bow eagle furs stern", "totem bear-a bear-b soldier")
FACES = tuple(" ".join(ROWS).split())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def photo_of(
    home: Path, rows: Sequence[str] = ROWS, name: str = "t.png", tilt: float = 0.03
) -> Photo:
    """A photograph; one that is tilted otherwise is also exposed otherwise."""
    image = table(list(rows), tilt=tilt)
    return open_photo(save(image if tilt == 0.03 else exposed(image, 1 + 8 * tilt), home / name))


def free() -> Pupil:
    """A deck of no game, which no drawings know."""
    return pupil("ours", "none", replacing=False)


def taught(home: Path, origin: Origin = ENROLLED, **how: float) -> Learnt:
    return taught_from(home, "t.png", ROWS, origin, **how)


def taught_from(
    home: Path, name: str, rows: Sequence[str], origin: Origin, tilt: float = 0.03
) -> Learnt:
    photo = photo_of(home, rows, name, tilt)
    found = Proposer(free()).propose(photo.name).outlines
    faces = " ".join(rows).split()
    assert len(found) == len(faces)
    cuts = [Cut(face, photo, o.region) for face, o in zip(faces, found, strict=True)]
    return learn_cuts(pupil("ours", "none", replacing=False), cuts, origin)


def likeness(image: object, name: str) -> float:
    from companion.vision.geometry import Pyramid, corners_of

    picture = np.asarray(image, np.uint8)
    flat = Pyramid(picture).rectify(corners_of(picture.shape[1], picture.shape[0]), WIDE, TALL)
    return float(np.corrcoef(flat.ravel().astype(float), card(name).ravel().astype(float))[0, 1])


# -- proposing


def test_cards_are_found_without_their_number(home: Path) -> None:
    photo = photo_of(home)
    found = Proposer(free()).propose(photo.name).outlines
    assert len(found) == len(FACES)
    for face, outline in zip(FACES, found, strict=True):
        assert likeness(crop_of(photo, outline.region), face) > 0.9
        assert (outline.candidates, outline.suggested, outline.doubts) == ((), None, ())


def test_one_card_on_a_table_and_one_that_fills_the_picture(home: Path) -> None:
    alone = Proposer(free()).propose(photo_of(home, ["eagle"], "one.png").name)
    assert len(alone.outlines) == 1
    scan = open_photo(save(card("eagle"), home / "scan.png"))
    (outline,) = Proposer(free()).propose(scan.name).outlines
    assert outline.region == ((0, 0), (WIDE, 0), (WIDE, TALL), (0, TALL))
    assert not [doubt for doubt in outline.doubts if "pixels high" in doubt]  # nothing was cut


def test_a_table_without_cards_and_a_file_that_is_no_photo(home: Path) -> None:
    assert Proposer(free()).propose(photo_of(home, [". ."], "bare.png").name).outlines == ()
    (home / "notes.jpg").write_text("ours")
    with pytest.raises(UnusableInput, match=r"notes\.jpg"):
        Proposer(free()).propose(home / "notes.jpg")


def test_names_are_suggested_where_the_deck_is_drawn(home: Path) -> None:
    """A household that printed the drawings need not type their names."""
    who = pupil("ours", "up-the-creek", replacing=False)
    found = Proposer(who).propose(photo_of(home).name).outlines
    assert [outline.suggested for outline in found] == list(FACES)


def test_a_deck_that_knows_ten_cards_suggests_their_names(home: Path) -> None:
    rows = ("bow eagle furs stern wigwam", "totem bear-a bear-b soldier tobacco")
    taught_from(home, "t.png", rows, ENROLLED)
    photo = photo_of(home, ("stern soldier middle", "eagle squaw furs"), "u.png", tilt=0.06)
    found = Proposer(pupil("ours", "", replacing=False)).propose(photo.name).outlines
    said = [outline.suggested for outline in found]
    assert len(said) == 6
    assert [said[i] for i in (0, 1, 3, 5)] == ["stern", "soldier", "eagle", "furs"]


# -- an outline that a person moves


def inset(region: Region, by: float) -> Region:
    middle = np.mean(region, axis=0)
    a, b, c, d = (
        tuple((middle + (np.array(corner) - middle) * (1 - by)).tolist()) for corner in region
    )
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def test_the_doubts_of_a_moved_outline(home: Path) -> None:
    photo = photo_of(home)
    proposals = Proposer(free()).propose(photo.name)
    region = proposals.outlines[1].region
    assert doubts_of(photo, region, proposals.usual) == ()
    (table_shows,) = doubts_of(photo, inset(region, -0.06), proposals.usual)
    assert "table shows" in table_shows
    a, b, c, d = region
    down = [np.array(top) + 0.75 * (np.array(low) - top) for top, low in ((b, c), (a, d))]
    short = (a, b, (down[0][0], down[0][1]), (down[1][0], down[1][1]))
    assert any("shape" in doubt for doubt in doubts_of(photo, short, proposals.usual))


def test_turning_an_outline_turns_its_crop(home: Path) -> None:
    photo = photo_of(home)
    region = Proposer(free()).propose(photo.name).outlines[1].region
    once, again = crop_of(photo, region), crop_of(photo, turned(region))
    assert once.shape == again.shape
    assert once.shape[0] == 512
    assert likeness(once, "eagle") > 0.9
    assert likeness(again[::-1, ::-1], "eagle") > 0.9
    assert likeness(again, "eagle") < 0.8


@pytest.mark.parametrize(
    "corners",
    [
        ((10, 10), (10, 10), (10, 10), (10, 10)),
        ((100, 10), (10, 10), (10, 200), (100, 200)),  # a mirror image
        ((-500, -500), (-400, -500), (-400, -350), (-500, -350)),
        ((float("nan"), 0), (90, 0), (90, 130), (0, 130)),
    ],
)
def test_corners_that_are_no_card(home: Path, corners: Region) -> None:
    photo = photo_of(home)
    with pytest.raises(UnusableInput, match="corners"):
        crop_of(photo, corners)
    with pytest.raises(UnusableInput, match="corners"):
        learn_cuts(free(), [Cut("eagle", photo, corners)])


def test_regions_of_the_file_as_loaded(home: Path) -> None:
    from dataclasses import replace

    photo = replace(photo_of(home), scale=0.5)
    assert as_loaded(photo, ((2, 4), (6, 4), (6, 8), (2, 8))) == ((1, 2), (3, 2), (3, 4), (1, 4))


# -- learning


def test_outlined_cards_are_learnt(home: Path) -> None:
    learnt = taught(home)
    assert [entry.face for entry in learnt.added] == list(FACES)
    index = own_decks.named("ours").index()
    assert index is not None
    assert index.faces == FACES
    assert {entry.origin for entry in index.entries} == {ENROLLED}
    assert {entry.photo for entry in index.entries} == {"t.png"}
    assert {entry.sha256 for entry in index.entries} == {photo_of(home).sha256}


def test_names_are_checked_all_at_once(home: Path) -> None:
    photo = photo_of(home)
    found = Proposer(free()).propose(photo.name).outlines
    who = pupil("ours", "up-the-creek", replacing=False)
    with pytest.raises(UnusableInput) as error:
        learn_cuts(who, [Cut(n, photo, found[0].region) for n in ("eagel", "lookout", "lassso")])
    said = [str(fault) for fault in error.value.faults]
    assert len(said) == 2
    assert "card 1" in said[0]
    assert "eagle" in said[0]
    assert "lasso" in said[1]
    assert not own_decks.named("ours").exists
    learnt = learn_cuts(who, [Cut("Lookout:red=3", photo, found[0].region)])
    assert [entry.face for entry in learnt.added] == ["paddler-bow:red=3"]


def test_an_old_pupil_loses_nothing(home: Path) -> None:
    """A screen holds its pupil for long; what another program learnt meanwhile stays."""
    old = free()
    taught(home)
    photo = photo_of(home, ["wigwam"], "w.png")
    (outline,) = Proposer(old).propose(photo.name).outlines
    learn_cuts(old, [Cut("wigwam", photo, outline.region)])
    index = own_decks.named("ours").index()
    assert index is not None
    assert index.faces == (*FACES, "wigwam")


# -- learning at the table


def confirmed(home: Path, name: str, tilt: float, rows: Sequence[str] = ROWS) -> Learnt:
    return taught_from(home, name, rows, TABLE, tilt)


def test_a_confirmed_card_is_learnt_once_and_not_too_often(home: Path) -> None:
    taught(home)
    learnt = [confirmed(home, f"t{i}.png", tilt) for i, tilt in enumerate((0.08, -0.06, 0.12))]
    assert {entry.origin for got in learnt for entry in got.added} == {TABLE}
    index = own_decks.named("ours").index()
    assert index is not None
    for face in FACES:
        ours = [entry for entry in index.of(face) if entry.origin == TABLE]
        assert len(ours) <= MOST_LEARNT
        assert len(index.of(face)) == len(ours) + 1
    again = confirmed(home, "t0.png", 0.08)
    assert again.added == ()
    assert {face for face, _ in again.declined} == set(FACES)


def test_what_looks_like_a_picture_that_is_there_adds_nothing(home: Path) -> None:
    taught(home)
    photo = photo_of(home)
    same = open_photo(save(np.asarray(photo.image[:-2], np.uint8), home / "copy.png"))
    found: Sequence[Outline] = Proposer(free()).propose(photo.name).outlines
    cuts = [Cut(f, same, o.region) for f, o in zip(FACES, found, strict=True)]
    learnt = learn_cuts(free(), cuts, TABLE)
    assert learnt.added == ()
    assert {why for _, why in learnt.declined} == {"looks just like a picture that it has"}


def test_a_doubtful_crop_is_kept_from_a_person_and_not_from_the_table(home: Path) -> None:
    taught(home)
    photo = photo_of(home, ROWS, "wide.png", tilt=0.08)
    found = Proposer(free()).propose(photo.name).outlines
    cuts = [Cut(FACES[1], photo, inset(found[1].region, -0.06))]
    declined = learn_cuts(free(), cuts, TABLE)
    assert declined.added == ()
    assert "table shows" in declined.declined[0][1]
    kept = learn_cuts(free(), cuts)
    assert [bool(entry.doubts) for entry in kept.added] == [True]


def test_a_deck_without_pictures_of_its_own_learns_nothing_at_the_table(home: Path) -> None:
    with pytest.raises(UnusableInput, match="drawings"):
        pupil_at_table("up-the-creek")
    photo = photo_of(home)
    region = Proposer(free()).propose(photo.name).outlines[0].region
    with pytest.raises(UnusableInput, match="drawings"):
        learn_cuts(free(), [Cut("bow", photo, region)], TABLE)
    assert not own_decks.named("ours").exists
    taught(home)
    assert pupil_at_table("ours").index is not None


# -- forgetting


def test_what_was_learnt_at_the_table_is_forgotten(home: Path) -> None:
    taught(home)
    learnt = confirmed(home, "u.png", 0.12)
    own = own_decks.named("ours")
    files = {path.name for path in own.folder.iterdir()}
    assert forget_learnt(own) == len(learnt.added) > 0
    assert {path.name for path in own.folder.iterdir()} == files - {e.file for e in learnt.added}
    assert {entry.origin for entry in read_index(own.folder).entries} == {ENROLLED}
    assert forget_learnt(own) == 0


def test_one_card_or_one_picture_is_forgotten(home: Path) -> None:
    taught(home)
    taught_from(home, "u.png", ROWS, ENROLLED, 0.08)
    own = own_decks.named("ours")
    second = read_index(own.folder).of("eagle")[1]
    assert forget_card(own, "EAGLE.2") == (second,)
    assert len(read_index(own.folder).of("eagle")) == 1
    assert [entry.face for entry in forget_card(own, "bear-a")] == ["bear-a"] * 2
    assert "bear-a" not in read_index(own.folder).faces
    for wrong in ("eagle.2", "bear-a", "nothing"):
        with pytest.raises(UnusableInput, match=wrong.partition(".")[0]):
            forget_card(own, wrong)


def test_the_last_picture_of_a_deck_stays(home: Path) -> None:
    photo = photo_of(home, ["eagle"], "e.png")
    (outline,) = Proposer(free()).propose(photo.name).outlines
    learn_cuts(free(), [Cut("eagle", photo, outline.region)])
    with pytest.raises(UnusableInput, match="deck remove ours"):
        forget_card(own_decks.named("ours"), "eagle")
    assert own_decks.named("ours").enrolled


# -- numbers printed on the cards


def learn_named(home: Path, name: str, faces: Sequence[str], tilt: float = 0.03) -> Learnt:
    """Cards of Up the Creek named as told; the pictures themselves do not matter here."""
    photo = photo_of(home, ["chief:red chief:black shaman:red eagle"], name, tilt)
    who = pupil("numbered", "up-the-creek", replacing=False)
    found = Proposer(free()).propose(photo.name).outlines
    assert len(found) == 4
    cuts = [Cut(f, photo, o.region) for f, o in zip(faces, found, strict=False)]
    return learn_cuts(who, cuts)


def test_a_number_is_learnt_with_its_card(home: Path) -> None:
    learnt = learn_named(home, "n.png", ("chief:red=3", "chief:black=3", "shaman:red=2", "eagle"))
    assert learnt.printed.strengths == {"chief": 3}
    own = own_decks.named("numbered")
    assert own.catalogue().kinds["chief"].number == 3
    index = own.index()
    assert index is not None
    assert index.faces == ("chief:red=3", "chief:black=3", "shaman:red=2", "eagle")


def test_a_card_named_with_and_without_its_number_is_one_face(home: Path) -> None:
    learn_named(home, "n.png", ("chief:red", "chief:black"))
    learn_named(home, "m.png", ("chief:red=3", "chief:black=3"), 0.06)
    last = learn_named(home, "o.png", ("chief:red", "chief:black"), 0.08)
    index = own_decks.named("numbered").index()
    assert index is not None
    assert index.faces == ("chief:red=3", "chief:black=3")
    assert len(index.entries) == 6
    assert {entry.face for entry in last.added} == {"chief:red=3", "chief:black=3"}


def test_two_numbers_for_a_card_are_told(home: Path) -> None:
    learn_named(home, "n.png", ("chief:red=3", "chief:black=3"))
    learnt = learn_named(home, "m.png", ("chief:red=4",), 0.06)
    assert learnt.printed.contradictions == ("chief: the numbers 3 and 4 were told for it",)
    assert "chief" not in learnt.printed.strengths
    assert own_decks.named("numbered").catalogue().kinds["chief"].number is None


def test_a_number_is_forgotten_and_the_pictures_stay(home: Path) -> None:
    """Of both colours by the card's name alone; the deck file says it no longer, and learns it anew."""
    learn_named(home, "n.png", ("chief:red=3", "chief:black=3", "shaman:red=2", "eagle"))
    own = own_decks.named("numbered")
    files = {path.name for path in own.folder.iterdir()}
    done = forget_number(own, "Chief")
    assert (done.faces, done.by_hand) == (("chief:red=3", "chief:black=3"), None)
    index = own.index()
    assert index is not None
    assert index.faces == ("chief:red", "chief:black", "shaman:red=2", "eagle")
    assert {path.name for path in own.folder.iterdir()} == files
    assert own.catalogue().kinds["chief"].number is None
    for wrong in ("chief", "eagle", "shaman=9", "nothing"):
        with pytest.raises(UnusableInput, match=wrong.partition("=")[0]):
            forget_number(own, wrong)
    learn_named(home, "m.png", ("chief:red=4", "chief:black=4"), 0.06)
    assert own.catalogue().kinds["chief"].number == 4
    assert not pupil("numbered", "", replacing=False).theirs, "the deck file is still enrolment's"


def test_of_two_numbers_the_wrong_one_is_forgotten(home: Path) -> None:
    learn_named(home, "n.png", ("chief:red=3", "chief:black=3"))
    learn_named(home, "m.png", ("chief:red=4",), 0.06)
    own = own_decks.named("numbered")
    assert forget_number(own, "chief:red=4").faces == ("chief:red=4",)
    index = own.index()
    assert index is not None and index.faces == ("chief:red=3", "chief:black=3")
    assert len(index.entries) == 3, "its picture is one of the card now"
    assert own.catalogue().kinds["chief"].number == 3


def test_a_number_in_a_deck_file_of_the_household_stays(home: Path) -> None:
    learn_named(home, "n.png", ("chief:red=3", "chief:black=3"))
    own = own_decks.named("numbered")
    own.toml.write_text(own.toml.read_text() + "# ours\n")
    assert forget_number(own, "chief:red").by_hand == own.toml
    assert own.toml.read_text().endswith("# ours\n")
    index = own.index()
    assert index is not None and index.faces == ("chief:red", "chief:black=3")
    with pytest.raises(UnusableInput) as told:  # the file may tell one all the same
        forget_number(own, "chief:red")
    assert str(own.toml) in told.value.faults[0].right


def test_cards_that_the_deck_does_not_know_yet_are_suggested_by_the_drawings(home: Path) -> None:
    """A household that printed the drawings: ten cards are learnt, the next sheet shows others."""
    rows = (*ROWS, "tobacco wigwam dynamite cowboy")
    photo = photo_of(home, rows, "ten.png")
    who = pupil("ours", "up-the-creek", replacing=False)
    found = Proposer(who).propose(photo.name).outlines
    faces = " ".join(rows).split()
    learn_cuts(who, [Cut(f, photo, o.region) for f, o in zip(faces, found, strict=True)])
    again = Proposer(pupil("ours", "up-the-creek", replacing=False))
    other = photo_of(home, ["prospector horse-a eagle gold-b"], "next.png")
    suggested = [outline.suggested for outline in again.propose(other.name).outlines]
    assert suggested == ["prospector", "horse-a", "eagle", "gold-b"]
