"""One program at a time: a lock that waits until the others are done."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Holds the lock of a file or folder that is there, where its system has such locks.

    It waits as long as another program holds it. The system lets go of it when a program ends, however it
    does. Whoever waited for a file that is replaced holds the lock of the file as it was. Raises `OSError`.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):  # a network or foreign file system may have none
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
