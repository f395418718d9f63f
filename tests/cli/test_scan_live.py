"""`companion scan --watch` and `--camera` by the real command: a folder that fills, a camera that serves."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.cli.test_commands import Run
from tests.cli.test_scan import scan
from tests.intake.pictures import Image, save, table
from tests.vision.test_camera import served

ROWS = ["bow eagle stern", ". furs stern"]
PATIENCE = 60.0


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a photo, and the drawn cards kept once for all tests."""
    folder = tmp_path_factory.mktemp("live")
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "drawn-once"
    cache.mkdir(exist_ok=True)
    (folder / "cache").symlink_to(cache)
    save(table(ROWS), folder / "table.jpg")
    (folder / "decks").mkdir()
    (folder / "copies").mkdir()
    return folder


class Watching:
    """The command while it runs: what it prints, line by line as it comes."""

    def __init__(self, home: Path, *words: str) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.errors: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli.main", "scan", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=home,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "LC_ALL": "C.UTF-8",
                "COMPANION_DECKS": str(home / "decks"),
                "XDG_CACHE_HOME": str(home / "cache"),
            },
        )
        assert self._process.stdout
        assert self._process.stderr
        self._threads = [
            threading.Thread(target=self._drain, args=(self._process.stdout, self.lines.put)),
            threading.Thread(target=self._drain, args=(self._process.stderr, self.errors.append)),
        ]
        for thread in self._threads:
            thread.start()

    @staticmethod
    def _drain(stream: Any, into: Any) -> None:
        for line in stream:
            into(line.decode("utf-8", "replace").rstrip("\n"))

    def until_ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while not any("Ctrl+C ends it" in line for line in self.errors):
            assert time.monotonic() < end, self.errors
            assert self._process.poll() is None, self.errors
            time.sleep(0.02)

    def line(self) -> str:
        return self.lines.get(timeout=PATIENCE)

    def interrupted(self) -> int:
        """Ctrl+C; the exit status."""
        self._process.send_signal(signal.SIGINT)
        try:
            return self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            for thread in self._threads:
                thread.join()
            assert self._process.stdout
            assert self._process.stderr
            self._process.stdout.close()
            self._process.stderr.close()


def names(document: dict[str, Any]) -> list[list[str | None]]:
    return [[card["card"] for card in row["cards"]] for row in document["rows"]]


EXPECTED = [["bow", "eagle", "stern"], ["furs", "stern"]]


@pytest.mark.skipif(os.name == "nt", reason="no Ctrl+C can be sent there")
def test_a_folder_that_fills(home: Path, tmp_path: Path) -> None:
    """Each photo is a line as soon as it is whole; what is none is told; Ctrl+C ends it well."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    data = (home / "table.jpg").read_bytes()
    (inbox / "old.jpg").write_bytes(data + b"old")
    watching = Watching(home, "--watch", str(inbox), "--deck", "up-the-creek", "--json", "--score")
    try:
        watching.until_ready()
        with (inbox / "slow.jpg").open("wb", buffering=0) as file:
            for at in range(0, len(data), len(data) // 5):
                file.write(data[at : at + len(data) // 5])
                time.sleep(0.2)
        document = json.loads(watching.line())
        (inbox / "double.jpg").write_bytes(data)
        (inbox / "text.jpg").write_text("no photo")
        later = cv2.imencode(".png", table(["bow stern"]))[1].tobytes()
        (inbox / ".later.png.part").write_bytes(later)
        (inbox / ".later.png.part").rename(inbox / "later.png")
        second = json.loads(watching.line())
    finally:
        status = watching.interrupted()
    assert status == 0
    assert document["photo"] == str(inbox / "slow.jpg")
    assert names(document) == EXPECTED
    assert document["players"][0]["total"] is not None
    assert second["photo"] == str(inbox / "later.png")
    assert watching.lines.empty()
    assert not any("Traceback" in line for line in watching.errors)
    assert (inbox / "slow.jpg").read_bytes() == data


@pytest.mark.skipif(os.name == "nt", reason="no Ctrl+C can be sent there")
def test_what_lies_there_where_asked_with_copies(home: Path, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "new\nline.jpg").write_bytes((home / "table.jpg").read_bytes())
    words = ["--watch", str(inbox), "--deck", "up-the-creek", "--existing", "--poll"]
    watching = Watching(home, *words, "--annotated", str(home / "copies"))
    try:
        lines = [watching.line() for _ in range(3)]
    finally:
        status = watching.interrupted()
    assert status == 0
    assert lines[0].startswith(f"{inbox / 'new?line.jpg'}: 5 cards in 2 rows")
    assert "eagle" in lines[1]
    assert cv2.imread(str(home / "copies" / "new\nline-seen.jpg")) is not None


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A camera that looks at a table; its first frames are dark."""
    picture = table(ROWS)

    def frames() -> Iterator[Image]:
        for light in np.linspace(0.1, 1.0, 10):
            yield (picture * light).astype(np.uint8)
        while True:
            yield picture

    with served(frames) as (host, _):
        yield f"http://{host}/video"


def test_a_photo_is_taken_and_read(home: Path, address: str) -> None:
    done = scan(home, "--camera", address, "--deck", "up-the-creek", "--json", "--score")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["photo"] == address
    assert names(document) == EXPECTED


def test_the_photo_is_kept_where_asked(home: Path, address: str) -> None:
    words = ["--deck", "up-the-creek", "--save", "taken.jpg", "--player", "Ana"]
    done = scan(home, "--camera", address, *words, "--position", "table.toml")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("taken.jpg: 5 cards in 2 rows")
    kept = cv2.imread(str(home / "taken.jpg"))
    assert kept is not None
    assert kept.shape == table(ROWS).shape
    assert 'name = "Ana"' in (home / "table.toml").read_text("utf-8")
    again = scan(home, "--camera", address, *words)
    assert again.code == 2
    assert "taken.jpg is there already" in again.err


def test_no_picture_is_said_without_the_password(home: Path) -> None:
    done = scan(home, "--camera", "http://ana:secret@127.0.0.1:9/video", "--deck", "up-the-creek")
    assert (done.code, done.out) == (2, "")
    assert "http://127.0.0.1:9/video: 127.0.0.1 is there, but takes no calls at port 9" in done.err
    assert "secret" not in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--watch", "nowhere"], "--watch: nowhere: there is no such folder"),
        (["--watch", "table.jpg"], "--watch: table.jpg: is no folder"),
        (["--watch", "copies", "--camera", "0"], "--watch: a camera is named too"),
        (["--watch", "copies", "table.jpg"], "--watch: a photo is named too"),
        (["--camera", "0", "table.jpg"], "--camera: a photo is named too"),
        (["--watch", "copies", "--position", "x.toml"], "--position: does not go with --watch"),
        (["--watch", "copies", "--player", "Ana"], "--player: does not go with --watch"),
        (["--watch", "copies", "--jobs", "2"], "--jobs: does not go with --watch"),
        (["--watch", "copies", "--annotated", "copies"], "would be taken for new photos"),
        (["--watch", "copies", "--annotated", "x.jpg"], "--annotated: x.jpg is no folder"),
        (["--save", "x.jpg", "table.jpg"], "--save: is for a photo that --camera takes"),
        (["--existing", "table.jpg"], "--existing: is for a folder that is watched"),
        (["--poll", "table.jpg"], "--poll: is for a folder that is watched"),
        (["--camera", "0", "--save", "no/x.jpg"], "--save: there is no folder no"),
        (["--camera", "0", "--save", "x.txt"], "--save: x.txt does not say what kind"),
        (["--camera", "nothing.mp4"], "nothing.mp4: is no camera, and no such file is there"),
    ],
)
def test_what_does_not_go_together(home: Path, words: list[str], said: str) -> None:
    done: Run = scan(home, *words, "--deck", "up-the-creek")
    assert done.code == 2
    assert said in done.err
    assert done.out == ""
