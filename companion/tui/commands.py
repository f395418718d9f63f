"""The command palette: everything that the keys of the screen on top can do."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

Action = Callable[[], Awaitable[Any]]


class KeyedActions(Provider):
    """Lists the actions of the active bindings, whether the footer shows them or not."""

    def _found(self) -> list[tuple[str, str, Action]]:
        found: list[tuple[str, str, Action]] = []
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if active.node not in (self.screen, self.app):
                continue
            if binding.description and active.enabled and binding.action != "command_palette":
                run = partial(self.app.run_action, binding.action, active.node)
                found.append((binding.description, self.app.get_key_display(binding), run))
        return found

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for description, key, run in self._found():
            yield DiscoveryHit(description, run, help=f"key: {key}")

    async def search(self, query: str) -> Hits:
        """Those whose words match."""
        matcher = self.matcher(query)
        for description, key, run in self._found():
            score = matcher.match(description)
            if score > 0:
                yield Hit(score, matcher.highlight(description), run, help=f"key: {key}")
