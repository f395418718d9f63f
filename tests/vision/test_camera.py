"""A picture from a camera: video files, image sequences, and a real server of moving JPEGs."""

import base64
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.errors import UnusableInput
from companion.vision import camera
from companion.vision.camera import shown, snap
from companion.vision.unreachable import why_unreachable

Image = NDArray[np.uint8]


def scene(light: float = 1.0, blur: float = 0.0, mark: int = 0) -> Image:
    """Coloured blocks; the first block tells which frame it is."""
    blocks = np.random.default_rng(3).integers(60, 200, (12, 16, 3)).astype(np.uint8)
    image = np.asarray(cv2.resize(blocks, (640, 480), interpolation=cv2.INTER_NEAREST), np.float32)
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.float32)
    image[:40, :40] = mark * 10
    return np.asarray(np.clip(image * light, 0, 255), np.uint8)


def mark_of(image: Image) -> int:
    return round(float(image[10:30, 10:30].mean()) / 10)


def sequence(folder: Path, frames: list[Image]) -> str:
    """A film as numbered pictures, so that nothing is lost."""
    for number, frame in enumerate(frames):
        assert cv2.imwrite(str(folder / f"frame-{number:03}.png"), frame)
    return str(folder / "frame-%03d.png")


def fault_of(source: int | str, **how: float) -> str:
    with pytest.raises(UnusableInput) as caught:
        snap(source, **how)  # type: ignore[arg-type]
    (fault,) = caught.value.faults
    assert fault.found
    assert fault.right
    return str(fault)


def test_dark_frames_are_dropped_until_the_light_keeps_still(tmp_path: Path) -> None:
    getting_lighter = [scene(light) for light in np.linspace(0.1, 1.0, 25)]
    taken = snap(sequence(tmp_path, [*getting_lighter, *[scene()] * 20]))
    assert np.array_equal(taken.image, scene())
    assert taken.frames > 25
    assert not taken.image.flags.writeable


def test_first_frames_are_dropped_although_they_are_as_bright(tmp_path: Path) -> None:
    """The first ones of many cameras are left over from the last time."""
    taken = snap(sequence(tmp_path, [scene(mark=1)] * 4 + [scene(mark=2)] * 20))
    assert mark_of(taken.image) == 2


def test_the_sharpest_of_a_burst(tmp_path: Path) -> None:
    """A hand that shakes: one frame of the burst is sharp."""
    frames = [scene(blur=3.0)] * 20
    sharp = 9
    frames[sharp] = scene(mark=0)
    taken = snap(sequence(tmp_path, frames))
    assert np.array_equal(taken.image, frames[sharp])


def test_a_light_that_flickers_for_ever(tmp_path: Path) -> None:
    flicker = [scene(1.0 if n % 2 else 0.7) for n in range(130)]
    taken = snap(sequence(tmp_path, flicker))
    assert taken.frames < 130
    assert mark_of(taken.image) == 0


def test_a_video_file(tmp_path: Path) -> None:
    path = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 25, (640, 480))
    for _ in range(30):
        writer.write(scene())
    writer.release()
    taken = snap(path)
    assert taken.image.shape == (480, 640, 3)
    assert float(cv2.absdiff(taken.image, scene()).mean()) < 8
    for data in (taken.png(), taken.jpeg()):
        again = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert again is not None
        assert float(cv2.absdiff(again.astype(np.uint8), taken.image).mean()) < 4


def test_a_single_picture_is_enough(tmp_path: Path) -> None:
    taken = snap(sequence(tmp_path, [scene()]))
    assert (taken.frames, taken.image.shape) == (1, (480, 640, 3))


def test_pictures_that_show_nothing(tmp_path: Path) -> None:
    (tmp_path / "black").mkdir()
    black = sequence(tmp_path / "black", [np.zeros((480, 640, 3), np.uint8)] * 10)
    assert "shows only black; take the cover off the lens" in fault_of(black)
    (tmp_path / "blue").mkdir()
    blue = sequence(tmp_path / "blue", [np.full((480, 640, 3), (200, 60, 10), np.uint8)] * 10)
    shows = "shows one colour and nothing else"
    assert shows not in fault_of(black)
    flat = np.full((480, 640, 3), 120, np.uint8)
    (tmp_path / "grey").mkdir()
    assert shows in fault_of(sequence(tmp_path / "grey", [flat] * 10))
    assert shows in fault_of(blue)
    (tmp_path / "small").mkdir()
    small = [cv2.resize(scene(), (160, 120)).astype(np.uint8)] * 10
    assert "160 x 120 pixels, too small" in fault_of(sequence(tmp_path / "small", small))


def test_what_is_no_source(tmp_path: Path) -> None:
    (tmp_path / "text.avi").write_text("no film")
    (tmp_path / "empty.mp4").write_bytes(b"")
    for name in ("text.avi", "empty.mp4"):
        assert "is no video that can be read; give a camera's number" in fault_of(
            str(tmp_path / name)
        )
    assert "is no camera, and no such file is there" in fault_of(str(tmp_path / "nothing.avi"))
    assert "is a folder" in fault_of(str(tmp_path))
    assert "is an address of a kind that is not read (gopher)" in fault_of("gopher://x/y")
    for strange in ("", "x" * 5000, "a\0b", "-1"):
        fault_of(strange)


def test_a_camera_that_is_not_there(tmp_path: Path) -> None:
    assert fault_of(97).startswith("camera 97: is not there; ")
    assert fault_of("97") == fault_of(97)
    assert camera._why_no_camera(0, tmp_path) == (
        "is not there",
        "plug it in, or give the address of one on the net",
    )
    for number in (10, 2):
        (tmp_path / f"video{number}").touch()
    assert camera._why_no_camera(0, tmp_path) == ("is not there", "use 2 or 10")
    assert camera._why_no_camera(2, tmp_path)[0] == "is there, but gives no picture"


def test_nothing_is_written_past_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    fault_of(96)
    fault_of("http://127.0.0.1:9/video")
    assert capfd.readouterr() == ("", "")


# A server as cameras have them.


class _Camera(BaseHTTPRequestHandler):
    frames: Callable[[], Iterator[Image]]
    asked: list[str]

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        if self.path.startswith("/locked"):
            known = base64.b64encode(b"ana:se@cret").decode()
            if self.headers.get("Authorization") != f"Basic {known}":
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
        elif self.path == "/page":
            self._whole("text/html", b"<html>Welcome to your camera</html>")
            return
        elif self.path == "/still":
            self._whole("image/jpeg", self._jpeg(scene()))
            return
        elif self.path not in ("/video", "/hangs"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        for number, frame in enumerate(type(self).frames()):
            data = self._jpeg(frame)
            try:
                self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\n")
                self.wfile.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n")
                self.wfile.flush()
            except OSError:
                return
            if self.path == "/hangs" and number == 2:
                time.sleep(8)
                return
            time.sleep(0.01)

    def _whole(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    @staticmethod
    def _jpeg(frame: Image) -> bytes:
        return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(frames: Callable[[], Iterator[Image]]) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (_Camera,), {"frames": staticmethod(frames), "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


def endless() -> Iterator[Image]:
    for light in np.linspace(0.2, 1.0, 12):
        yield scene(light)
    while True:
        yield scene()


def test_a_stream_over_the_net() -> None:
    with served(endless) as (host, _):
        taken = snap(f"http://{host}/video")
        assert taken.source == f"http://{host}/video"
        assert taken.frames > 12
        assert float(cv2.absdiff(taken.image, scene()).mean()) < 8
        still = snap(f"http://{host}/still")
        assert float(cv2.absdiff(still.image, scene()).mean()) < 8


def test_a_password_is_used_and_never_shown(capfd: pytest.CaptureFixture[str]) -> None:
    with served(endless) as (host, asked):
        taken = snap(f"http://ana:se%40cret@{host}/locked/video?pwd=tell-no-one")
        assert "/locked/video?pwd=tell-no-one" in asked
        assert taken.source == f"http://{host}/locked/video?..."
        said = fault_of(f"http://ana:wrong@{host}/locked?pwd=tell-no-one")
        assert said == (
            f"http://{host}/locked?...: does not take this name and password; "
            "check them in the camera's settings"
        )
        assert "wants a name and a password" in fault_of(f"http://{host}/locked")
    assert capfd.readouterr() == ("", "")


def test_what_a_server_may_answer_instead() -> None:
    with served(endless) as (host, _):
        assert "answers with a web page, not with pictures" in fault_of(f"http://{host}/page")
        assert "has nothing under that path (404)" in fault_of(f"http://{host}/nothing")


def test_a_stream_that_stops_in_the_middle_gives_what_it_gave() -> None:
    with served(endless) as (host, _):
        taken = snap(f"http://{host}/hangs", seconds=3)
    assert 1 <= taken.frames <= 3


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_server_that_never_answers_holds_nobody_up(scheme: str) -> None:
    with socket.socket() as dead:
        dead.bind(("127.0.0.1", 0))
        dead.listen()
        address = f"{scheme}://ana:secret@127.0.0.1:{dead.getsockname()[1]}/x"
        said = fault_of(address, seconds=1.5)
    assert "secret" not in said
    assert "answers, but sends no picture" in said or "does not answer within" in said


def test_a_driver_that_never_returns_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(camera, "_taken", lambda *_: released.wait(60))
    monkeypatch.setattr(camera, "_GRACE", 0.1)
    try:
        assert "camera 0: does not answer within 0.2 seconds" in fault_of(0, seconds=0.2)
    finally:
        released.set()


def test_a_driver_that_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise cv2.error("line one\nline two")

    monkeypatch.setattr(camera, "_taken", fails)
    said = fault_of(0)
    assert "camera 0: cannot be used (error: line one)" in said


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = fault_of(f"http://127.0.0.1:{port}/video")
    assert f"127.0.0.1 is there, but takes no calls at port {port}" in said
    assert why_unreachable("http:///video", 1)[0] == "names no computer"
    assert why_unreachable("http://x:99999/", 1)[0] == "is no address that makes sense"
    assert "there is no computer" in why_unreachable("http://nobody.invalid/", 2)[0]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (0, "camera 0"),
        ("007", "camera 7"),
        ("film.mp4", "film.mp4"),
        ("http://cam.local:8080/video", "http://cam.local:8080/video"),
        ("rtsp://ana:secret@cam/stream1", "rtsp://cam/stream1"),
        ("rtsp://ana:sec/ret@cam/stream1", "rtsp://cam/stream1"),
        ("rtsp://ana:s@cret@cam/stream1", "rtsp://cam/stream1"),
        ("http://cam/video.cgi?user=ana&pwd=secret", "http://cam/video.cgi?..."),
        ("http://ana:se?cret@cam/video", "http://cam/video"),
    ],
)
def test_what_is_shown_of_a_source(source: int | str, told: str) -> None:
    assert shown(source) == told
