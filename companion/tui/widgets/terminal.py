"""How pictures can be shown in this terminal, found out without a sign on it.

kitty is known by its environment: asking for it would print rubbish on terminals that do not know the
question. Sixel is asked for once, before the screens start, by a question that every terminal answers;
not in tmux or over SSH, where an answer may come late and would then be read as keys.
"""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Literal

Pictures = Literal["auto", "kitty", "sixel", "blocks", "unicode", "none"]
"""How pictures are to be shown; `auto`: as this terminal can."""
_ATTRIBUTES = b"\x1b[c"
"""Asks for the terminal's primary attributes; a 4 among them is sixel."""
_PATIENCE = 0.1
"""Seconds that an answer may take."""
_CELL = (10, 20)
"""Pixels of a cell where the terminal does not tell."""


def known_by(environment: Mapping[str, str]) -> Pictures | None:
    """What the environment alone tells; None where the terminal must be asked."""
    term = environment.get("TERM", "")
    program = environment.get("TERM_PROGRAM", "").casefold()
    if environment.get("TMUX") or term.startswith(("tmux", "screen")):
        return "blocks"
    if "KITTY_WINDOW_ID" in environment or "kitty" in term or "ghostty" in f"{term} {program}":
        return "kitty"
    if term in ("linux", "dumb", "vt100", "vt220"):
        return "unicode"
    if program in ("wezterm", "iterm.app", "mintty") or term.startswith(("foot", "mlterm")):
        return "sixel"
    if program == "apple_terminal" or environment.get("SSH_CONNECTION"):
        return "blocks"
    return None


@cache
def able() -> Pictures:
    """What this terminal shows best; call it before the screens start, so that it may be asked."""
    known = known_by(os.environ)
    if known is not None:
        return known
    return "sixel" if _says_sixel() else "blocks"


def _says_sixel() -> bool:
    """Whether the terminal lists sixel among its attributes; False where it cannot be asked."""
    streams = (sys.__stdin__, sys.__stdout__)
    if any(s is None or s.closed or not s.isatty() for s in streams) or sys.platform == "win32":
        return False
    import select
    import termios
    import tty

    assert sys.__stdin__ is not None and sys.__stdout__ is not None
    keys, screen = sys.__stdin__.fileno(), sys.__stdout__.fileno()
    answer = b""
    try:
        before = termios.tcgetattr(keys)
        try:
            tty.setcbreak(keys, termios.TCSANOW)
            if select.select([keys], [], [], 0)[0]:  # somebody types already: those keys are theirs
                return False
            os.write(screen, _ATTRIBUTES)
            while not answer.endswith(b"c") and select.select([keys], [], [], _PATIENCE)[0]:
                answer += os.read(keys, 64)
        finally:
            termios.tcsetattr(keys, termios.TCSANOW, before)
    except (OSError, termios.error):
        return False
    found = re.search(rb"\x1b\[\?([\d;]+)c", answer)
    return found is not None and b"4" in found[1].split(b";")[1:]  # the first is its class


def cell_size() -> tuple[int, int]:
    """Width and height of a cell in pixels, as far as the terminal tells."""
    if sys.platform != "win32" and sys.__stdout__ is not None:
        import fcntl
        import struct
        import termios

        with suppress(OSError, ValueError):
            size = fcntl.ioctl(sys.__stdout__.fileno(), termios.TIOCGWINSZ, b"\0" * 8)
            rows, columns, width, height = struct.unpack("HHHH", size)
            if rows and columns and width >= columns and height >= rows:
                return width // columns, height // rows
    return _CELL
