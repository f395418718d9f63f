"""`companion scan --camera` and `--watch`: photos that are taken, or come one by one."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.errors import Fault, UnusableInput
    from companion.intake.eyes import Eyes, ScannedPhoto
    from companion.intake.inbox.watch import Arrival
    from companion.intake.photos import Order

_KINDS = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True, slots=True)
class Alone:
    """Where photos come from that nobody named; as it was typed, empty where it was not."""

    camera: str = ""
    save: str = ""
    watch: str = ""
    existing: bool = False
    poll: bool = False


def check(
    alone: Alone, files: list[str], players: bool, position: str, annotated: str, jobs: int
) -> None:
    """What does not go together, before anything heavy is loaded; raises `UnusableInput`."""
    from companion.core.errors import Fault, UnusableInput

    faults = []
    if alone.camera and alone.watch:
        faults.append(Fault("--watch", "a camera is named too", "use one of them"))
    option = "--camera" if alone.camera else "--watch" if alone.watch else ""
    if option and files:
        found = "a photo is named too" if len(files) == 1 else f"{len(files)} photos are named too"
        faults.append(Fault(option, found, f"leave {option} out, or what is named"))
    if alone.watch:
        told = {"--position": position, "--player": players, "--jobs": jobs}
        faults += [
            Fault(word, "does not go with --watch, which reads photo by photo", "leave it out")
            for word, value in told.items()
            if value
        ]
        faults += _bad_folder(alone.watch, annotated)
    if not alone.camera and alone.save:
        faults.append(Fault("--save", "is for a photo that --camera takes", "leave it out"))
    if not alone.watch and (alone.existing or alone.poll):
        word = "--existing" if alone.existing else "--poll"
        faults.append(Fault(word, "is for a folder that is watched", "add --watch FOLDER"))
    if alone.save and (wrong := _bad_save(Path(alone.save))):
        faults.append(Fault("--save", *wrong))
    if faults:
        raise UnusableInput(faults)


def _bad_folder(folder: str, annotated: str) -> "list[Fault]":
    from companion.core.errors import Fault

    path = Path(folder).expanduser()
    if not path.is_dir():
        what = "is no folder" if path.exists() else "there is no such folder"
        return [Fault("--watch", f"{folder}: {what}", "make it first, or check the name")]
    if annotated and not Path(annotated).is_dir():
        return [Fault("--annotated", f"{annotated} is no folder", "with --watch, name a folder")]
    if annotated and Path(annotated).samefile(path):
        right = "name another folder"
        return [Fault("--annotated", "copies put there would be taken for new photos", right)]
    return []


def _bad_save(path: Path) -> tuple[str, str] | None:
    if path.exists():
        return f"{path} is there already", "name a new file"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}", "make it first"
    if path.suffix.lower() not in _KINDS:
        return f"{path.name} does not say what kind of picture", f"end it in {', '.join(_KINDS)}"
    return None


def name_of(alone: Alone) -> str:
    """What the photo of the camera is called: its file where it is kept, else the camera."""
    if alone.save:
        return alone.save
    from companion.vision.camera import shown

    return shown(alone.camera)


def taken(alone: Alone, eyes: "Eyes", order: "Order") -> "ScannedPhoto | UnusableInput":
    """A photo of the camera, kept where wanted, and read; raises `UnusableInput` where none is taken."""
    import tempfile

    from companion.cli.ink import complain
    from companion.core.errors import Fault, UnusableInput
    from companion.vision.album_folder import write_bytes_whole
    from companion.vision.camera import snap

    if sys.stderr.isatty():
        complain("Taking a photo ...")
    picture = snap(alone.camera)
    data = picture.jpeg() if alone.save.lower().endswith((".jpg", ".jpeg")) else picture.png()
    if alone.save:
        try:
            write_bytes_whole(Path(alone.save), data)
        except OSError as error:
            found = f"{alone.save} cannot be written: {error.strerror or error}"
            raise UnusableInput([Fault("--save", found, "name another file")]) from None
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder, "photo.png")
        file.write_bytes(data)
        try:
            return replace(eyes.read(str(file), order.annotated), name=order.photo)
        except UnusableInput as error:
            return UnusableInput(
                replace(fault, where="" if fault.where == str(file) else fault.where)
                for fault in error.faults
            )


@dataclass(frozen=True, slots=True)
class Shown:
    """What is printed of each photo, and where its annotated copy goes."""

    as_json: bool = False
    score: bool = False
    annotated: str = ""
    players: tuple[str, ...] = ()
    """Of the trick that lies in it."""


def watch(alone: Alone, deck: str, shown: Shown, letters: str = "JQK") -> int:
    """Reads and prints each photo that comes into the folder, until Ctrl+C; the exit status."""
    import queue

    from companion.cli.ink import complain
    from companion.intake.eyes import open_eyes
    from companion.intake.inbox.watch import FolderWatch

    came: queue.SimpleQueue[Arrival | str] = queue.SimpleQueue()
    inbox = FolderWatch(
        alone.watch, came.put, came.put, existing=alone.existing, polling=alone.poll
    )
    number = 0
    try:
        with inbox:
            eyes = open_eyes(deck, letters)  # takes a while, in which photos may come
            complain(f"Watching {alone.watch} for photos; Ctrl+C ends it")
            while True:
                try:
                    one = came.get(timeout=0.5)  # Windows wakes up for Ctrl+C only then
                except queue.Empty:
                    continue
                if isinstance(one, str):
                    complain(one)
                else:
                    number += 1
                    _read(one, number, eyes, shown)
    except KeyboardInterrupt:
        return 0


def _read(arrival: "Arrival", number: int, eyes: "Eyes", shown: Shown) -> None:
    """Reads one photo and prints it at once, also into a pipe."""
    from companion.cli.ink import say
    from companion.cli.scan import Table
    from companion.intake.photos import Order
    from companion.intake.table import FIRST

    name = f"{arrival.path.stem}-seen.jpg"
    copy = Path(shown.annotated) / name if shown.annotated else None
    if number > 1 and not shown.as_json:
        say()
    order = Order(os.fspath(arrival.path), FIRST, copy)
    Table(eyes, [order], shown.as_json, False, shown.score, shown.players).read(1)
    sys.stdout.flush()
