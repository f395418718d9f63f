"""Coins a colour of the household's Gold Up box, as the store keeps them between evenings."""

from collections.abc import Mapping
from typing import Any

from companion import library

KEY = "values"


def _deck() -> str:
    return library.deck_of("gold-up", None, None).id


def known(store: Any) -> dict[str, int]:
    """What was told before; nothing where the store cannot be read."""
    from companion.session import StoreTrouble

    try:
        found = store.facts.of(_deck()).get(KEY)
    except StoreTrouble:
        return {}
    return dict(found) if isinstance(found, Mapping) else {}


def tell(store: Any, values: Mapping[str, int]) -> str:
    """Keeps them; what went wrong in words, else nothing."""
    from companion.session import StoreTrouble

    try:
        store.facts.tell(_deck(), KEY, dict(values))
    except StoreTrouble as trouble:
        return str(trouble)
    return ""
