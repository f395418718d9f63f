"""Waiting for what the program does, by conditions; typing as a person does."""

from collections.abc import Callable
from typing import Any


async def until(pilot: Any, condition: Callable[[], object], tries: int = 200) -> None:
    """Lets the program work until the condition holds; fails where it never does."""
    for _ in range(tries):
        if condition():
            return
        await pilot.pause(0.02)
        await pilot.pause()
    raise AssertionError(f"never came to be: {condition} on {pilot.app.screen}")


async def enter(pilot: Any, text: str) -> None:
    """Types the text key by key, then Enter."""
    await pilot.press(*text, "enter")
