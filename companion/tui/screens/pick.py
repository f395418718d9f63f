"""Picking a photo in a tree of folders."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import DirectoryTree, Footer, Static


class PictureTree(DirectoryTree):
    """Folders, and the pictures in them."""

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        """Without hidden files and what is no picture."""
        from companion.intake.inbox.paths import is_picture

        return [
            path
            for path in paths
            if not path.name.startswith(".") and (_is_folder(path) or is_picture(path.name))
        ]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # another user's, or a link in a circle
        return False


class PickScreen(ModalScreen[str | None]):
    """Gives back the path of the picture that was picked."""

    HELP_TEXT = """
Picking a photo
  Up and Down move, Enter opens a folder or takes a picture, Backspace
  goes to the folder above.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("f1", "app.help", "Help"),
        Binding("backspace", "above", "Folder above"),
    ]

    def __init__(self, start: Path) -> None:
        super().__init__()
        self._start = start if start.is_dir() else Path.home()

    def compose(self) -> ComposeResult:
        """The tree."""
        yield Static(str(self._start), id="title", markup=False)
        yield PictureTree(self._start, id="tree")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The tree takes the keys."""
        self.query_one(PictureTree).focus()

    def action_above(self) -> None:
        """The folder above."""
        tree = self.query_one(PictureTree)
        tree.path = Path(tree.path).resolve().parent
        self.query_one("#title", Static).update(str(tree.path))

    @on(DirectoryTree.FileSelected)
    def _picked(self, event: DirectoryTree.FileSelected) -> None:
        self.dismiss(str(event.path))
