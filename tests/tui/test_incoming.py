"""Photos kept aside: under names that can be shown and written, for as long as something needs them."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from companion.core.errors import UnusableInput
from companion.intake.review import Photo, Review
from companion.tui.review import draft, incoming

NOW = b"a photo"
SHA = sha256(NOW).hexdigest()


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.mark.parametrize("odd", ["a\udcffb", "a\nb", "a\x1bb", "a\x85b", "a\u2028b", "a\rb"])
def test_a_name_that_cannot_be_shown_is_read_from_a_copy(tmp_path: Path, odd: str) -> None:
    (tmp_path / f"{odd}.png").write_bytes(NOW)
    kept = incoming.named_in_text(str(tmp_path / f"{odd}.png"))
    assert Path(kept) == incoming.place() / f"{SHA[:16]}-a_b.png"
    assert Path(kept).read_bytes() == NOW


@pytest.mark.parametrize("name", ["Bär 1.png", "写真.jpg", "a b.png"])
def test_any_other_name_stays(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    assert incoming.named_in_text(path) == path


@pytest.mark.parametrize("letter", ["a", "ä", "写"])
def test_the_longest_name_is_kept_too(tmp_path: Path, letter: str) -> None:
    """As long as a file system takes it; its copy has sixteen digits before it."""
    name = letter * ((255 - len(".jpg")) // len(letter.encode())) + ".jpg"
    (tmp_path / name).write_bytes(NOW)
    kept = Path(incoming.copied(tmp_path / name, SHA))
    assert kept.read_bytes() == NOW
    assert kept.name.startswith(SHA[:16]) and kept.suffix == ".jpg"


def test_a_pipe_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes on this system")
    os.mkfifo(tmp_path / "a\udcff.png")
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("the pipe was opened"))
    with pytest.raises(UnusableInput, match=r"a_\.png"):
        incoming.named_in_text(str(tmp_path / "a\udcff.png"))


def test_old_photos_go_but_for_those_that_something_needs(tmp_path: Path) -> None:
    needed, left = (Path(incoming.written(data, "camera.jpg")) for data in (NOW, b"another"))
    for file in (needed, left):
        os.utime(file, (1, 1))
    review = Review("up-the-creek", (Photo(str(needed), SHA),), (), ("Ana",))
    draft.keep("match 7", draft.Waiting(review, {SHA: str(needed)}))
    fresh = Path(incoming.written(b"a third", "camera.jpg"))
    assert (needed.exists(), left.exists(), fresh.exists()) == (True, False, True)
    draft.drop("match 7")
    incoming.written(b"a fourth", "camera.jpg")
    assert (needed.exists(), fresh.exists()) == (False, True)


def test_nothing_old_goes_while_what_waits_cannot_be_read(state: Path) -> None:
    old = Path(incoming.written(NOW, "camera.jpg"))
    os.utime(old, (1, 1))
    (state / "review-1.json").mkdir()
    assert Path(incoming.written(b"another", "camera.jpg")).exists()
    assert old.exists()
