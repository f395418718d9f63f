"""A lock that waits for others, and never stands in the way where there is none."""

import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from companion.interchange.file_lock import held


@pytest.mark.parametrize("folder", [True, False])
def test_one_at_a_time_and_let_go_after_a_fault(tmp_path: Path, folder: bool) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path if folder else tmp_path / "match.toml"
    if not folder:
        path.touch()
    came = threading.Event()

    def second() -> None:
        with held(path):
            came.set()

    with pytest.raises(ZeroDivisionError), held(path):
        other = os.open(path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(other)
        waiting = threading.Thread(target=second)
        waiting.start()
        assert not came.is_set()
        raise ZeroDivisionError
    waiting.join()
    assert came.is_set()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL])
def test_a_file_system_without_locks_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """As over a network, or on a stick: one household, so that two programs hardly ever meet there."""
    fcntl = pytest.importorskip("fcntl")

    def refused(*_: object) -> None:
        raise OSError(number, "refused")

    monkeypatch.setattr(fcntl, "flock", refused)
    done = False
    with held(tmp_path):
        done = True
    assert done


def test_a_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    done = False
    with held(tmp_path):
        done = True
    assert done


def test_what_is_not_there_cannot_be_held(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with pytest.raises(FileNotFoundError), held(tmp_path / "nothing"):
        raise AssertionError("held")
