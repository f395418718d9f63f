"""What the household set once for every evening: a small file in the user's configuration folder."""

import os
import tomllib
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import Fault, UnusableInput
from companion.tui.widgets.terminal import Pictures

NAME = "settings.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, each with its default."""

    pictures: Pictures = "auto"
    """How pictures are shown in the terminal."""


MEANINGS: dict[Pictures, str] = {
    "auto": "what this terminal is known to show best",
    "kitty": "sharp, for kitty and Ghostty",
    "sixel": "sharp, for foot, WezTerm, iTerm2, Windows Terminal and others",
    "blocks": "coarse, in coloured half blocks: every terminal with 256 colours",
    "unicode": "coarse, in shades of grey: every terminal",
    "none": "no pictures, words only",
}
"""What each way of showing pictures is, for a person."""


def file() -> Path:
    """Where they are kept: in `COMPANION_CONFIG`, else in the user's configuration folder."""
    told = os.environ.get("COMPANION_CONFIG")
    if told:
        return Path(told) / NAME
    from platformdirs import user_config_path

    return user_config_path("companion", appauthor=False) / NAME


def settings() -> Settings:
    """The settings in force: `COMPANION_PICTURES` before the file; what cannot be read is left out."""
    told: Any = os.environ.get("COMPANION_PICTURES", "").strip().casefold()
    for value in (told, _read().get("pictures")):
        for way in MEANINGS:
            if value == way:
                return Settings(way)
    return Settings()


def keep(changed: Settings) -> None:
    """Writes the settings, whole or not at all; comments and other keys stay. Raises `UnusableInput`."""
    import tomlkit

    from companion.vision.album_folder import write_whole

    path = file()
    try:
        text = path.read_text("utf-8") if path.is_file() else ""
        document = tomlkit.document()
        with suppress(ValueError):  # a damaged file is written anew
            document = tomlkit.parse(text)
        document.update(asdict(changed))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, tomlkit.dumps(document))
    except (OSError, UnicodeDecodeError) as error:
        found = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        raise UnusableInput([Fault(str(path), found, "check its permissions")]) from None


def _read() -> dict[str, Any]:
    try:
        return tomllib.loads(file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
