"""What is typed, pasted or dropped on a terminal: the photos that are meant, and words for the rest."""

import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.intake.inbox.paths import MOST, completions, folder_of, natural, paths_of

NAMES = [
    "c.jpg",
    "d.png",
    "ana's.jpg",
    "ben's.jpg",
    "a[1].jpg",
    "Zug 🛶.jpg",
    "Screen 1.05\u202fPM.png",
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with names as people give them, which is the current one and home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [
        *NAMES,
        "My Photos/a b.jpg",
        "My Photos/it's.jpg",
        "many/IMG_10.jpg",
        "many/IMG_2.JPG",
    ]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "many" / "notes.txt").touch()
    (tmp_path / "many" / ".hidden.jpg").touch()
    (tmp_path / "empty").mkdir()
    yield tmp_path


def meant(text: str, **how: bool) -> list[str]:
    """The photos, where nothing is wrong."""
    found = paths_of(text, **how)
    assert found.faults == ()
    return [os.path.relpath(photo) for photo in found.photos]


def wrong(text: str, **how: bool) -> list[str]:
    """What is said, where no photo is meant."""
    found = paths_of(text, **how)
    assert found.photos == ()
    return [str(fault) for fault in found.faults]


AB, IT = "My Photos/a b.jpg", "My Photos/it's.jpg"


@pytest.mark.parametrize(
    ("text", "photos"),
    [
        ("c.jpg", ["c.jpg"]),
        ("  c.jpg \n", ["c.jpg"]),
        ("c.jpg d.png", ["c.jpg", "d.png"]),
        ("c.jpg, d.png", ["c.jpg", "d.png"]),
        ("c.jpg\r\nd.png\r\n", ["c.jpg", "d.png"]),
        ("'c.jpg' \"d.png\"", ["c.jpg", "d.png"]),
        (f"'{AB}'", [AB]),
        (f'"{AB}" "{IT}"', [AB, IT]),
        (r"My\ Photos/a\ b.jpg My\ Photos/it\'s.jpg", [AB, IT]),
        (f"{shlex.quote(IT)} {shlex.quote(AB)}", [IT, AB]),
        (AB, [AB]),
        (f"{AB} {IT} c.jpg", [AB, IT, "c.jpg"]),
        ("ana's.jpg", ["ana's.jpg"]),
        ("ana's.jpg ben's.jpg", ["ana's.jpg", "ben's.jpg"]),
        ("ana's.jpg\nben's.jpg", ["ana's.jpg", "ben's.jpg"]),
        ("'c.jpg", ["c.jpg"]),
        ("& 'c.jpg'", ["c.jpg"]),
        ("~/c.jpg", ["c.jpg"]),
        ("a[1].jpg", ["a[1].jpg"]),
        ("Screen 1.05\u202fPM.png c.jpg", ["Screen 1.05\u202fPM.png", "c.jpg"]),
        ("c.jpg ./c.jpg c.jpg", ["c.jpg"]),
        ("many", ["many/IMG_2.JPG", "many/IMG_10.jpg"]),
        ("many/ c.jpg", ["many/IMG_2.JPG", "many/IMG_10.jpg", "c.jpg"]),
        ("many/*", ["many/IMG_2.JPG", "many/IMG_10.jpg"]),
        ("~/many/IMG_?.JPG", ["many/IMG_2.JPG"]),
        ("*.png *.JPG many/*.JPG", ["d.png", "Screen 1.05\u202fPM.png", "many/IMG_2.JPG"]),
        ("", []),
        (" \n\t", []),
    ],
)  # fmt: skip
def test_ways_to_write_paths(here: Path, text: str, photos: list[str]) -> None:
    found = paths_of(text)
    assert [os.path.relpath(photo) for photo in found.photos] == photos
    assert [f.where for f in found.faults] == (["*.JPG"] if "*.JPG many" in text else [])


def test_urls_as_file_managers_paste_them(here: Path) -> None:
    urls = [f"file://{quote(str(here / name))}" for name in (AB, "c.jpg", "Zug 🛶.jpg")]
    assert meant("\r\n".join(urls) + "\r\n") == [AB, "c.jpg", "Zug 🛶.jpg"]
    assert meant(" ".join(urls[:2])) == [AB, "c.jpg"]
    assert meant(urls[0].replace("file://", "file://localhost")) == [AB]
    assert meant(urls[0].replace("file://", "file:")) == [AB]


def test_names_with_line_ends_and_bytes_that_are_no_text(here: Path) -> None:
    (here / "new\nline.jpg").touch()
    bad = os.fsdecode(b"bad\xff.jpg")
    (here / bad).touch()
    assert meant("new\nline.jpg") == ["new\nline.jpg"]
    assert meant("'new\nline.jpg' c.jpg") == ["new\nline.jpg", "c.jpg"]
    assert meant(f"file://{here}/bad%FF.jpg") == [bad]


def test_accents_as_a_mac_stores_them(here: Path) -> None:
    (here / "Ka\u0308rtchen.jpg").touch()
    assert meant("K\u00e4rtchen.jpg") == ["Ka\u0308rtchen.jpg"]


def test_paths_of_windows(here: Path) -> None:
    assert wrong(r'"C:\Users\Ana\x y.jpg"', windows=False) == [
        r"C:\Users\Ana\x y.jpg: is a path of Windows; there is no such file here; copy the photo here"
    ]
    # there, a backslash parts folders and escapes nothing
    (here / r"C:\Users\x y.jpg").touch()
    (here / r"C:\Users\new.jpg").touch()
    assert meant(r'"C:\Users\x y.jpg" C:\Users\new.jpg', windows=True) == [
        r"C:\Users\x y.jpg",
        r"C:\Users\new.jpg",
    ]
    assert meant(r"C:\Users\new.jpg c.jpg", windows=False) == [r"C:\Users\new.jpg", "c.jpg"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cc.jpg dd.png", ["cc.jpg: there is no such file; did you mean c.jpg?",
                           "dd.png: there is no such file; did you mean d.png?"]),
        ("/no such place/x.jpg", ["/no such place/x.jpg: there is no such file; check the folder"]),
        ("hello how are you", ["hello how are you: there is no such file; check the name"]),
        ("https://cards.example/a.jpg", ["https://cards.example/a.jpg: is an address on the net, "
                                         "not a file; save the picture first"]),
        ("empty", ["empty: is a folder without a picture; name the photos, or their folder"]),
        ("*.gif", ["*.gif: matches no picture; check the folder and the pattern"]),
        ("[*.gif", ["[*.gif: matches no picture; check the folder and the pattern"]),
    ],
)  # fmt: skip
def test_what_is_no_photo(here: Path, text: str, said: list[str]) -> None:
    assert wrong(text) == said


def test_good_ones_are_given_all_the_same(here: Path) -> None:
    found = paths_of("c.jpg cc.jpg d.png")
    assert found.photos == ("c.jpg", "d.png")
    assert [fault.where for fault in found.faults] == ["cc.jpg"]


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("many", "many"),
        (" many/ ", "many"),
        ("'My Photos'", "My Photos"),
        ("My Photos", "My Photos"),
        (r"My\ Photos/", "My Photos"),
        ("~/many", "many"),
        ("~", "."),
        ("c.jpg", None),
        ("nowhere", None),
        ("many empty", None),
        ("", None),
        ("~nobody-here", None),
    ],
)
def test_a_folder_to_watch(here: Path, text: str, folder: str | None) -> None:
    found = folder_of(text, windows=False)
    assert (None if found is None else os.path.relpath(found)) == folder
    url = f"file://{quote(str(here / 'My Photos'))}"
    assert folder_of(url) == here / "My Photos"


def test_links_that_lead_nowhere(here: Path) -> None:
    (here / "dead.jpg").symlink_to("nothing.jpg")
    (here / "loop.jpg").symlink_to("loop.jpg")
    for name in ("dead.jpg", "loop.jpg"):
        assert wrong(name) == [f"{name}: points to a file that is not there; name the photo itself"]


def test_a_folder_of_too_many(here: Path) -> None:
    (here / "all").mkdir()
    for number in range(MOST + 1):
        (here / "all" / f"{number}.jpg").touch()
    assert wrong("all") == [f"all: stands for {MOST + 1} pictures; name {MOST} at most"]
    assert wrong("all/*") == [f"all/*: stands for {MOST + 1} pictures; name {MOST} at most"]
    assert meant("all/1?.jpg") == [f"all/{number}.jpg" for number in range(10, 20)]


def test_no_text_is_too_strange(here: Path) -> None:
    for text in [
        "\0c.jpg",
        "'" * 50,
        "\\" * 51,
        "x" * 5000,
        "~nobody-here/x.jpg",
        "file://",
        "file:%zz",
    ]:
        paths_of(text)
    assert wrong("word " * 5000) == ["this is no list of photos: it has too many words; give paths"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("ab \\'\"/~*[]?\n\t:%&,.jpg🛶", max_size=40), st.booleans())
def test_any_text_is_answered(here: Path, text: str, windows: bool) -> None:
    found = paths_of(text, windows=windows)
    assert all(Path(photo).exists() for photo in found.photos)
    assert completions(text) is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text("ab '\"\\~&[]#%🛶é", min_size=1, max_size=8).map(lambda s: s.strip() or "x"),
        min_size=1, max_size=3, unique=True,
    ),
    st.sampled_from(["shell", "backslash", "url", "lines"]),
)  # fmt: skip
def test_whatever_the_name_every_terminal_is_understood(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], way: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    photos = [folder / f"{name}.jpg" for name in names]
    for photo in photos:
        photo.touch()
    write: dict[str, Callable[[Path], str]] = {
        "shell": lambda p: shlex.quote(str(p)),
        "backslash": lambda p: "".join(f"\\{c}" if c in " '\"\\~&[]#%" else c for c in str(p)),
        "url": lambda p: f"file://{quote(str(p))}",
        "lines": str,
    }
    text = ("\n" if way == "lines" else " ").join(map(write[way], photos))
    found = paths_of(text, windows=False)
    assert (found.photos, found.faults) == (tuple(map(str, photos)), ())


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("c", "c.jpg"),
        ("C", "c.jpg"),
        ("My", r"My\ Photos/"),
        ("My Ph", "My Photos/"),
        ("My Photos/", r"My Photos/a\ b.jpg"),
        (r"My\ Photos/i", r"My\ Photos/it\'s.jpg"),
        ("'My Photos/a", "'My Photos/a b.jpg'"),
        ('"My Ph', '"My Photos/'),
        ("d.png c", "d.png c.jpg"),
        ("many/", "many/IMG_2.JPG"),
        ("~/man", "~/many/"),
        ("em", "empty/"),
    ],
)
def test_completions(here: Path, typed: str, first: str) -> None:
    assert completions(typed, windows=False)[0] == first


def test_only_folders_and_pictures_are_offered(here: Path) -> None:
    assert completions("many/", windows=False) == ["many/IMG_2.JPG", "many/IMG_10.jpg"]
    assert completions("many/.h", windows=False) == ["many/.hidden.jpg"]
    assert completions("many/n") == []
    assert completions("nowhere/x") == []
    assert completions("") == []


def test_what_is_completed_can_be_read(here: Path) -> None:
    """Every name of the folder, from each of its beginnings, bare and in both quotes."""
    for name in NAMES:
        for mark in ("", "'", '"'):
            for length in range(1, len(name)):
                begun = name[:length] if mark else shlex_free(name[:length])
                if (mark and mark in name) or begun.endswith((" ", "\u202f")):
                    continue
                offered = completions(mark + begun, windows=False)
                assert name in [meant(text)[0] for text in offered], (mark, begun, offered)
                assert all(text.startswith(mark + begun) for text in offered)


def shlex_free(begun: str) -> str:
    """As a person types it who knows of backslashes."""
    return "".join(f"\\{c}" if c in " '\"" else c for c in begun)


def test_natural_order() -> None:
    assert sorted(["IMG_10", "img_2", "IMG_1", "a"], key=natural) == [
        "a",
        "IMG_1",
        "img_2",
        "IMG_10",
    ]
