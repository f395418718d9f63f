"""How far a long command is, on a terminal; nothing where standard error is none."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def bar(total: int, what: str) -> Iterator[Callable[[], None]]:
    """A bar on standard error; the function it gives is called after each piece of work."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def watched(work: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The pieces of work as they are done, under a bar that steps aside for what is printed."""
    if not sys.stderr.isatty() or total < 2:
        yield from work
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeLeft())
    progress = Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
    )
    task = progress.add_task(what, total=total)
    progress.start()
    try:
        for piece in work:
            progress.advance(task)
            progress.stop()
            yield piece
            progress.start()
    finally:
        progress.stop()
