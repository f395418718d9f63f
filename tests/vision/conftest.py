"""An album of a few drawn faces and what is made of it, once for all tests of sight."""

import pytest

from companion.vision.album import Album, Reference
from companion.vision.judge import Judge
from companion.vision.reader import Reader
from companion.vision.twins import Twins
from tests.vision.scene import NAMES, flat


@pytest.fixture(scope="session")
def album() -> Album:
    """Twelve faces of Up the Creek."""
    return Album("up-the-creek", [Reference(name, flat(name), "drawn") for name in NAMES])


@pytest.fixture(scope="session")
def judge(album: Album) -> Judge:
    """What judges cards of the album."""
    return Judge(album, Twins(album))


@pytest.fixture(scope="session")
def reader(album: Album) -> Reader:
    """What reads photos of the album's cards."""
    return Reader(album)
