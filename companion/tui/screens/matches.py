"""A screen that lists matches of the store: read in the background, opened from the list."""

from typing import Any

from textual import work
from textual.screen import Screen

from companion.tui.messages import Failed, MatchesListed, MatchOpened


class MatchesScreen(Screen[None]):
    """Reads the matches whenever it comes on top; `show_matches` puts them on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self._request = 0

    def on_screen_resume(self) -> None:
        """They may have changed."""
        if self.app.store is not None:  # type: ignore[attr-defined]
            self.read()

    def read(self) -> None:
        """Reads the matches in the background."""
        self._request += 1
        self._read(self._request)

    @work(thread=True, exclusive=True, group="list", exit_on_error=False)
    def _read(self, request: int) -> None:
        from companion.session import StoreTrouble

        try:
            found = tuple(self.app.store.matches())  # type: ignore[attr-defined]
        except StoreTrouble as trouble:
            self.post_message(Failed(str(trouble)))
            return
        self.post_message(MatchesListed(request, found))

    def on_matches_listed(self, message: MatchesListed) -> None:
        """Shows the newest answer; an older one is dropped."""
        if message.request == self._request:
            self.show_matches(message.matches)

    def show_matches(self, matches: tuple[Any, ...]) -> None:
        """The last played first."""
        raise NotImplementedError

    def on_failed(self, message: Failed) -> None:
        """Says what could not be done."""
        self.app.notify(message.text, severity="error", timeout=15)

    def on_match_opened(self, message: MatchOpened) -> None:
        """A match was read: its table follows."""
        from companion.tui.screens.table import TableScreen

        self.app.push_screen(TableScreen(message.session))
