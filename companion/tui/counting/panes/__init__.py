"""What is typed on while counting: one pane a game, each thin over the pure module of its game."""

from typing import Any

from companion.tui.counting.panes.pane import Pane


def pane_for(raw: dict[str, Any]) -> Pane:
    """The pane of the game that a document is of."""
    if raw["game"] == "up-the-creek":
        from companion.tui.counting.panes.rows import RowsPane

        return RowsPane(raw)
    if raw["game"] == "without-a-paddle":
        from companion.tui.counting.panes.pad import PadPane

        return PadPane(raw)
    from companion.tui.counting.panes.hands import HandsPane

    return HandsPane(raw)


__all__ = ["Pane", "pane_for"]
