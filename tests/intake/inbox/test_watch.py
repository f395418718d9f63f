"""A watched folder: every new photo once and whole, whoever writes it and however."""

import hashlib
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from companion.intake.inbox import watch as module
from companion.intake.inbox.watch import Arrival, FolderWatch

PATIENCE = 60.0
"""Seconds after which a test gives up; none is expected to wait so long."""


def photo(number: int, kind: str = "JPEG", size: tuple[int, int] = (320, 240)) -> bytes:
    """The bytes of a photo like no other."""
    blocks = np.random.default_rng(number).integers(0, 255, (30, 40, 3), np.uint8)
    image = Image.fromarray(blocks).resize(size)
    file = BytesIO()
    if kind == "HEIF":
        pillow_heif.from_pillow(image).save(file, quality=70)
    else:
        image.save(file, kind)
    return file.getvalue()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Watched:
    """A watch, and what it told."""

    def __init__(self, folder: Path, **how: object) -> None:
        self.arrivals: list[Arrival] = []
        self.digests_read: list[str] = []
        self.words: list[str] = []
        self.watch = FolderWatch(folder, self._arrived, self.words.append, **how)  # type: ignore[arg-type]

    def _arrived(self, arrival: Arrival) -> None:
        self.arrivals.append(arrival)
        try:
            self.digests_read.append(digest(arrival.path.read_bytes()))
        except FileNotFoundError:
            self.digests_read.append("gone")

    @property
    def names(self) -> list[str]:
        return [arrival.path.name for arrival in self.arrivals]

    @property
    def digests(self) -> Counter[str]:
        return Counter(arrival.sha256 for arrival in self.arrivals)


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def quiet(watched: Watched, folder: Path) -> None:
    """Waits until a last photo has arrived: what was there before it has been looked at by then."""
    data = photo(random.getrandbits(60))
    (folder / "zz-last.jpg").write_bytes(data)
    wait_for(lambda: digest(data) in watched.digests)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "inbox"
    made.mkdir()
    return made


@pytest.fixture
def watched(folder: Path) -> Iterator[Watched]:
    seen = Watched(folder)
    with seen.watch:
        yield seen


@pytest.mark.parametrize("polling", [False, True])
def test_under_load_every_picture_comes_once_and_whole(
    folder: Path, polling: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty files at once in slow pieces, with doubles, renames, removals and rubbish in between."""
    monkeypatch.setattr(module, "_PATIENCE", 3600)  # the machine may be busy
    kinds = ["JPEG", "PNG", "WEBP", "HEIF"]
    pictures = [photo(n, kinds[n % 4]) for n in range(40)]
    endings = {"JPEG": "jpg", "PNG": "PNG", "WEBP": "webp", "HEIF": "heic"}
    endings_of = [endings[kinds[n % 4]] for n in range(40)]
    jobs: list[Callable[[random.Random], None]] = []

    def slowly(path: Path, data: bytes, dice: random.Random) -> None:
        at = 0
        with path.open("wb", buffering=0) as file:
            while at < len(data):
                step = dice.randint(1, max(2, len(data) // 6))
                file.write(data[at : at + step])
                at += step
                time.sleep(dice.choice([0.0, 0.01, 0.05, 0.3]))

    def plain(n: int) -> Callable[[random.Random], None]:
        return lambda dice: slowly(folder / f"IMG_{n}.{endings_of[n]}", pictures[n], dice)

    def renamed(n: int) -> Callable[[random.Random], None]:
        def job(dice: random.Random) -> None:
            name = f"IMG_{n}.{endings_of[n]}"
            temporary = folder / dice.choice([f"{name}.part", f".{name}.x1", f"{name}.crdownload"])
            slowly(temporary, pictures[n], dice)
            temporary.rename(folder / name)

        return job

    def double(n: int) -> Callable[[random.Random], None]:
        return lambda dice: slowly(folder / f"copy of {n}.{endings_of[n]}", pictures[n], dice)

    def rubbish(n: int) -> Callable[[random.Random], None]:
        def job(dice: random.Random) -> None:
            whole = pictures[n]
            kind = n % 4
            if kind == 0:  # removed again before it is whole
                path = folder / f"gone {n}.jpg"
                slowly(path, whole[: len(whole) // 2], dice)
                path.unlink()
            elif kind == 1:
                slowly(folder / f"cut off {n}.jpg", whole[: len(whole) * 2 // 3], dice)
            elif kind == 2:
                slowly(folder / f"note {n}.jpg", b"no photo at all " * 300, dice)
            else:
                (folder / f"folder {n}.jpg").mkdir()

        return job

    jobs += [plain(n) if n % 3 else renamed(n) for n in range(40)]
    jobs += [double(n) for n in range(0, 40, 4)] + [rubbish(n) for n in range(12)]
    random.Random(5).shuffle(jobs)
    left = iter(list(enumerate(jobs)))
    lock = threading.Lock()

    def writer() -> None:
        while True:
            with lock:
                number, job = next(left, (0, None))
            if job is None:
                return
            job(random.Random(number))

    seen = Watched(folder, polling=polling)
    with seen.watch:
        threads = [threading.Thread(target=writer) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        before = {
            path.name: digest(path.read_bytes()) for path in folder.glob("*.*") if path.is_file()
        }
        wait_for(lambda: len(seen.arrivals) >= 40)
        quiet(seen, folder)
    last = digest((folder / "zz-last.jpg").read_bytes())
    assert seen.digests == Counter([*map(digest, pictures), last])
    assert seen.digests_read == [arrival.sha256 for arrival in seen.arrivals], "told half-written"
    assert {name: digest((folder / name).read_bytes()) for name in before} == before
    assert not any("failed" in text for text in seen.words)


def test_files_that_were_there_are_passed_over(folder: Path) -> None:
    (folder / "old.jpg").write_bytes(photo(1))
    seen = Watched(folder)
    with seen.watch:
        quiet(seen, folder)
    assert seen.names == ["zz-last.jpg"]


def test_files_that_were_there_where_asked_in_natural_order(folder: Path) -> None:
    for number in (10, 2, 1):
        (folder / f"IMG_{number}.jpg").write_bytes(photo(number))
    seen = Watched(folder, existing=True)
    with seen.watch:
        wait_for(lambda: len(seen.arrivals) == 3)
    assert seen.names == ["IMG_1.jpg", "IMG_2.jpg", "IMG_10.jpg"]


def test_a_known_photo_is_a_double(folder: Path) -> None:
    seen = Watched(folder, known=[digest(photo(1))])
    with seen.watch:
        (folder / "a.jpg").write_bytes(photo(1))
        quiet(seen, folder)
    assert seen.names == ["zz-last.jpg"]


def test_a_file_that_grows_slower_than_it_settles(
    folder: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It pauses for longer than a file has to lie still, even behind a picture that could be shown."""
    monkeypatch.setattr(module, "_PATIENCE", 3600)
    first, second = photo(1), photo(2)
    film = first + b"a film that a phone puts behind its photo" * 200  # a motion photo
    with (
        (folder / "slow.jpg").open("wb", buffering=0) as slow,
        (folder / "film.jpg").open("wb", buffering=0) as motion,
    ):
        slow.write(second[: len(second) // 2])
        motion.write(film[: len(first) + 100])
        quiet(watched, folder)
        assert watched.names == ["zz-last.jpg"]
        slow.write(second[len(second) // 2 :])
        motion.write(film[len(first) + 100 :])
    monkeypatch.setattr(module, "_PATIENCE", 1.0)  # nothing tells that the film has ended
    wait_for(lambda: len(watched.arrivals) == 3)
    assert watched.digests.keys() >= {digest(second), digest(film)}
    assert digest(first) not in watched.digests


def test_room_made_and_filled_later(
    folder: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some programs write the size first, as zeros."""
    monkeypatch.setattr(module, "_PATIENCE", 3600)
    for kind, name in (("JPEG", "a.jpg"), ("PNG", "b.png"), ("HEIF", "c.heic")):
        data = photo(3, kind)
        half = data[: len(data) // 2]
        with (folder / name).open("wb", buffering=0) as file:
            file.write(half + bytes(len(data) - len(half)))
            quiet(watched, folder)
            assert name not in watched.names
            file.seek(len(half))
            file.write(data[len(half) :])
        wait_for(lambda data=data: digest(data) in watched.digests)  # type: ignore[misc]
    assert watched.digests_read == [arrival.sha256 for arrival in watched.arrivals]


def test_a_photo_written_over_is_a_new_one(folder: Path, watched: Watched) -> None:
    """A camera on a cable writes the same name again and again."""
    for number in range(3):
        (folder / "capture.jpg").write_bytes(photo(number))
        wait_for(lambda number=number: len(watched.arrivals) == number + 1)  # type: ignore[misc]
    assert watched.digests == Counter(digest(photo(n)) for n in range(3))


@pytest.mark.parametrize(
    "name",
    [".IMG_1.jpg", "IMG_1.jpg.part", "a.crdownload", "~$IMG.jpg", "IMG.tmp.jpg", "._IMG.jpg",
     ".pending-17-IMG.jpg", "IMG.PART.JPG", "notes.txt", "film.mp4", "jpg"],
)  # fmt: skip
def test_names_of_unfinished_files_and_of_others(folder: Path, watched: Watched, name: str) -> None:
    (folder / name).write_bytes(photo(1))
    quiet(watched, folder)
    assert watched.names == ["zz-last.jpg"]
    (folder / name).rename(folder / "IMG_1.jpg")
    wait_for(lambda: "IMG_1.jpg" in watched.names)


def test_names_as_people_and_broken_archives_give_them(folder: Path, watched: Watched) -> None:
    names = [os.fsencode("a\nb.jpg"), os.fsencode("Zug 🛶.jpg"), b"bad\xff.jpg", b"-rf.jpg"]
    for number, name in enumerate(names):
        (folder / os.fsdecode(name)).write_bytes(photo(number))
    wait_for(lambda: len(watched.arrivals) == 4)
    assert {os.fsencode(name) for name in watched.names} == set(names)


def test_what_is_no_photo_is_told_once_in_words(
    folder: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LONG_PATIENCE", 1.0)
    (folder / "held.jpg").touch()  # a browser holds the name so, until it has the photo
    (folder / "text.jpg").write_text("hello")
    (folder / "half.jpg").write_bytes(photo(1)[:3000])
    wait_for(lambda: len(watched.words) == 2)
    quiet(watched, folder)
    assert sorted(watched.words) == [
        "half.jpg: is cut off; copy it again from the camera or phone",
        "text.jpg: is text; give a photo: JPEG, PNG, HEIC, AVIF, WebP, TIFF, GIF or BMP",
    ]


def test_a_picture_without_its_end_is_taken_after_a_while(
    folder: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 1.0)
    (folder / "padded.jpg").write_bytes(photo(1) + bytes(2000))
    wait_for(lambda: watched.names == ["padded.jpg"])


def test_pipes_links_and_folders_of_that_name(folder: Path, watched: Watched) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.jpg")
    (folder / "loop.jpg").symlink_to(folder / "loop.jpg")
    (folder / "dead.jpg").symlink_to(folder / "nothing.jpg")
    (folder / "folder.jpg").mkdir()
    elsewhere = folder.parent / "elsewhere.jpg"
    elsewhere.write_bytes(photo(1))
    (folder / "link.jpg").symlink_to(elsewhere)
    wait_for(lambda: watched.names == ["link.jpg"])
    quiet(watched, folder)
    assert watched.words == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_that_may_not_be_read_until_it_may(
    folder: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LONG_PATIENCE", 1.0)
    path = folder / "locked.jpg"
    handle = os.open(path, os.O_CREAT | os.O_WRONLY, 0o200)
    with os.fdopen(handle, "wb") as file:
        file.write(photo(1))
    wait_for(
        lambda: watched.words == ["locked.jpg: may not be read by you; change its permissions"]
    )
    path.chmod(0o600)
    wait_for(lambda: watched.names == ["locked.jpg"])


def test_a_folder_that_is_made_later_goes_and_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    seen = Watched(folder)
    with seen.watch:
        wait_for(lambda: seen.words == [f"the folder {folder} is not there; it is waited for"])
        folder.mkdir()
        (folder / "a.jpg").write_bytes(photo(1))
        wait_for(lambda: seen.names == ["a.jpg"])
        folder.rename(tmp_path / "away")
        wait_for(lambda: len(seen.words) == 3)
        (tmp_path / "away" / "b.jpg").write_bytes(photo(2))
        (tmp_path / "away").rename(folder)
        wait_for(lambda: seen.names == ["a.jpg", "b.jpg"])
    back = f"the folder {folder} is there again"
    gone = f"the folder {folder} is not there; it is waited for"
    assert seen.words == [gone, back, gone, back]


def test_a_stick_with_old_photos_that_is_put_in_later(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick" / "old.jpg").write_bytes(photo(1))
    time.sleep(0.2)  # clocks of file systems are coarse
    seen = Watched(tmp_path / "mounted")
    with seen.watch:
        wait_for(lambda: seen.words)
        (tmp_path / "mounted").symlink_to(tmp_path / "stick")
        wait_for(lambda: len(seen.words) == 2)
        quiet(seen, tmp_path / "stick")
    assert seen.names == ["zz-last.jpg"]


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    seen = Watched(tmp_path / "file")
    with seen.watch:
        wait_for(
            lambda: seen.words == [f"the folder {tmp_path / 'file'} is no folder; it is waited for"]
        )


def test_a_reader_that_fails_does_not_end_the_watch(folder: Path) -> None:
    words: list[str] = []
    came: list[str] = []

    def arrived(arrival: Arrival) -> None:
        came.append(arrival.path.name)
        raise ValueError("no idea")

    with FolderWatch(folder, arrived, words.append) as watch:
        (folder / "a.jpg").write_bytes(photo(1))
        wait_for(lambda: came == ["a.jpg"])
        (folder / "b.jpg").write_bytes(photo(2))
        wait_for(lambda: came == ["a.jpg", "b.jpg"])
        assert watch.running
    assert words == [f"{name}: the program failed on it (no idea)" for name in came]


def test_nothing_is_told_once_it_has_ended(folder: Path) -> None:
    seen = Watched(folder)
    seen.watch.start()
    (folder / "a.jpg").write_bytes(photo(1))
    seen.watch.stop()
    told = len(seen.arrivals)
    assert not seen.watch.running
    (folder / "b.jpg").write_bytes(photo(2))
    time.sleep(1.0)
    assert len(seen.arrivals) == told


def test_without_events_it_is_looked_through(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system has no watches left."""
    import watchfiles

    def refused(*_: object, **__: object) -> Iterator[None]:
        raise OSError("inotify watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refused)
    seen = Watched(folder)
    with seen.watch:
        (folder / "a.jpg").write_bytes(photo(1))
        wait_for(lambda: seen.names == ["a.jpg"])
    assert seen.words == [], "it works all the same"


def test_events_that_never_come(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a folder of another computer: the system watches, and hears nothing."""
    import watchfiles

    def silent(*_: object, **how: object) -> Iterator[set[object]]:
        stop = how["stop_event"]
        assert isinstance(stop, threading.Event)
        while not stop.wait(0.1):
            yield set()

    monkeypatch.setattr(watchfiles, "watch", silent)
    seen = Watched(folder)
    with seen.watch:
        (folder / "a.jpg").write_bytes(photo(1))
        wait_for(lambda: seen.names == ["a.jpg"])
