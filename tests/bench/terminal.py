"""A program on a pseudo-terminal: keys go in, and the time until words are painted is taken."""

import os
import pty
import select
import signal
import struct
import termios
import time
from fcntl import ioctl
from types import TracebackType

from tests.bench.timing import ROOT


class Terminal:
    """Runs a command on a terminal of 80x24."""

    def __init__(self, command: list[str], environment: dict[str, str] | None = None) -> None:
        self.started = time.perf_counter()
        self._seen = b""
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.chdir(ROOT)
            os.execvpe(
                command[0], command, {**os.environ, "TERM": "xterm-256color", **(environment or {})}
            )
        ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._file)

    def send(self, keys: str) -> None:
        """Types; what was seen so far is forgotten."""
        self._seen = b""
        os.write(self._file, keys.encode())

    def wait_for(self, words: str, limit: float = 20.0) -> float:
        """Seconds on the clock when the words had been painted."""
        wanted = words.encode()
        deadline = time.perf_counter() + limit
        while wanted not in self._seen:
            left = deadline - time.perf_counter()
            if left <= 0:
                raise TimeoutError(f"{words!r} was never painted")
            if select.select([self._file], [], [], left)[0]:
                self._seen += os.read(self._file, 65536)
        return time.perf_counter()
