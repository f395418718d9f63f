"""From what is typed, pasted or dropped on a terminal to the photos that are meant.

Terminals write a dropped file in their own ways: quoted, with backslashes, as a `file://` URL, or bare
with its blanks. So what is there as written wins, and the rules of a shell come second.
"""

import glob
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from urllib.parse import unquote_to_bytes

from companion.core.errors import Fault

MOST = 200
"""Pictures of one folder or pattern, at most: more were hardly meant."""
_MOST_WORDS = 2000
"""Words of a text; a longer one is no list of paths."""
_LONGEST_NAME = 24
"""Words of a bare path with blanks, at most."""
_PICTURE = re.compile(
    r"\.(jpe?g|jpe|jfif|mpo|png|hei[cf]|hif|avif|webp|tiff?|gif|bmp)", re.IGNORECASE
)
_LIKENED = 20
"""Words whose likeness to the names of a folder is looked for: it takes a while."""
_TOLD = 200
"""Letters of a word that is no path which are repeated, at most."""
_BLANKS = " \t\r\n\v\f"
"""What parts paths. No other blank does: a Mac writes a narrow one into the names of screenshots."""
_SORTED = 1000
"""Names that are sorted with their numbers in mind; of more, only the first few are looked at."""
_UNTYPED = ("Cc", "Cs")
"""Line ends and bytes that are no text: names with them are not offered."""
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_NEW_PATH = re.compile(r"[/~\\]|\.{1,2}[/\\]|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True)
class Pasted:
    """The photos that were meant, each once, and what is wrong with the rest."""

    photos: tuple[str, ...] = ()
    """Files that are there; whether they are pictures shows when they are opened."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the text, what parted it from the one before, and whether any of it was quoted."""

    text: str
    before: str
    quoted: bool = False


def is_picture(name: str) -> bool:
    """Whether a file is a picture by its ending."""
    return _PICTURE.fullmatch(Path(name).suffix) is not None


def natural(name: str) -> list[tuple[bool, int, str]]:
    """Sorts `IMG_2` before `IMG_10`."""
    return [
        (part.isdecimal(), int(part) if part.isdecimal() else 0, part)
        for part in re.split(r"([0-9]+)", name.casefold())
    ]


def paths_of(text: str, *, windows: bool = os.name == "nt") -> Pasted:
    """The photos of a text: one or several paths, URLs, patterns or folders."""
    text = text.replace("\0", "")
    if _there(bare := text.strip(_BLANKS)):
        return _gathered([_meant(bare)])
    found: list[list[str] | Fault] = []
    held: list[str] = []
    for line in [*re.split(r"\r\n|\r|\n", text), None]:
        if line is not None and not _there(line.strip(_BLANKS)):
            held.append(line)
            continue
        found += _read("\n".join(held), windows)
        held = []
        if line is not None:
            found.append(_meant(line.strip(_BLANKS)))
    return _gathered(found)


def common(found: Sequence[str], typed: str) -> str:
    """As far as all completions agree; what was typed where that is no more."""
    shortest = min(found, key=len)
    same = next(
        (i for i, c in enumerate(shortest) if any(text[i] != c for text in found)), len(shortest)
    )
    return shortest[:same] if same > len(typed) else typed


def folder_of(text: str, *, windows: bool = os.name == "nt") -> Path | None:
    """The folder that a text means, typed, pasted or dropped; None where it is none."""
    bare = text.replace("\0", "").strip(_BLANKS)
    words = list(_shell_words(bare, windows))
    for whole in (bare, *(word.text for word in words if len(words) == 1)):
        for spelt in _spellings(whole, windows):
            if _there(spelt) and Path(spelt).is_dir():
                return Path(spelt)
    return None


def _gathered(found: Sequence[list[str] | Fault]) -> Pasted:
    photos: dict[str, str] = {}
    for one in found:
        for path in one if isinstance(one, list) else ():
            photos.setdefault(str(Path(path).absolute()), path)
    faults = dict.fromkeys(one for one in found if isinstance(one, Fault))
    return Pasted(tuple(photos.values()), tuple(faults))


def _read(text: str, windows: bool) -> list[list[str] | Fault]:
    """What words mean: by the rules of a shell, or with every quote a letter where that fails less."""
    if not text.strip(_BLANKS):
        return []
    if len(text.split(None, _MOST_WORDS)) > _MOST_WORDS:
        return [Fault("", "this is no list of photos: it has too many words", "give paths")]
    by_shell = _each(list(_shell_words(text, windows)), windows)
    if not any(isinstance(one, Fault) for one in by_shell):
        return by_shell
    plain = [_Word(m[2], m[1]) for m in re.finditer(rf"([{_BLANKS}]*)([^{_BLANKS}]+)", text)]
    by_blanks = _each(plain, windows)
    return min((by_shell, by_blanks), key=lambda all_: sum(isinstance(one, Fault) for one in all_))


def _shell_words(text: str, windows: bool) -> Iterator[_Word]:
    """Words as a shell parts them; an open quote at the start of a word holds to the end."""
    at = 0
    while at < len(text):
        start = at
        while at < len(text) and text[at] in _BLANKS:
            at += 1
        if at == len(text):
            return
        letters: list[str] = []
        before, quoted = text[start:at], False
        literal = windows or _DRIVE.match(text, at + (text[at] in "'\"")) is not None
        begin = at
        while at < len(text) and text[at] not in _BLANKS:
            mark = text[at]
            if mark in "'\"":
                inside, end = _quoted(text, at, literal)
                if end > 0 or at == begin:
                    letters.append(inside)
                    at, quoted = (end if end > 0 else len(text)), True
                    continue
            elif mark == "\\" and not literal and at + 1 < len(text):
                at += 1
            letters.append(text[at])
            at += 1
        yield _Word("".join(letters), before, quoted)


def _quoted(text: str, at: int, literal: bool) -> tuple[str, int]:
    """What stands in the quotes that open there, and where they end; 0 where they never do."""
    mark = text[at]
    letters: list[str] = []
    at += 1
    while at < len(text):
        if text[at] == mark:
            return "".join(letters), at + 1
        escapes = mark == '"' and not literal and text[at] == "\\"
        if escapes and text[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            at += 1
        letters.append(text[at])
        at += 1
    return "".join(letters), 0


def _each(words: Sequence[_Word], windows: bool) -> list[list[str] | Fault]:
    """What each word means; bare words that are a path only together are put together."""
    found: list[list[str] | Fault] = []
    wrong: list[_Word] = []

    def complain() -> None:
        if wrong:
            whole = "".join(word.before + word.text for word in wrong).strip(_BLANKS)
            found.append(_fault(whole, similar=len(found) < _LIKENED))
            wrong.clear()

    at = 0
    while at < len(words):
        word = words[at]
        if word.text == "&" and not _there("&"):  # PowerShell writes it before a dropped path
            at += 1
            continue
        meant, count = _longest(words[at : at + _LONGEST_NAME], windows)
        if meant is None:
            new = _NEW_PATH.match(word.text) or "\n" in word.before or word.quoted
            if wrong and (new or wrong[-1].quoted or is_picture(wrong[-1].text)):
                complain()
            wrong.append(word)
        else:
            complain()
            found.append(meant)
        at += count
    complain()
    return found


def _longest(words: Sequence[_Word], windows: bool) -> tuple[list[str] | Fault | None, int]:
    """What the first words mean, as many of them as are a path together, and how many those are."""
    texts, whole = [], ""
    for i, word in enumerate(words):
        if i and "\n" in word.before:
            break
        whole += (word.before if i else "") + word.text
        texts.append(whole)
    for count in range(len(texts), 0, -1):
        for spelt in _spellings(texts[count - 1], windows):
            if _there(spelt):
                return _meant(spelt), count
    first = words[0].text
    if not words[0].quoted and glob.has_magic(first):
        return _matching(first), 1
    return None, 1


def _spellings(word: str, windows: bool) -> Iterator[str]:
    """How a path may be spelt on the disk."""
    if not word:
        return
    if word[:5].casefold() == "file:":
        word = _of_url(word, windows)
    yield word
    if word.startswith("~"):
        yield at_home(word)
    if word[-1:] in (",", ";"):  # a list as people write it
        yield word[:-1]
    if (
        not windows and _DRIVE.match(word) and word[1] == ":"
    ):  # a path of Windows, seen from its Linux
        yield f"/mnt/{word[0].lower()}/" + word[3:].replace("\\", "/")
    for form in ("NFC", "NFD"):  # a Mac stores accents apart from their letters
        if (other := unicodedata.normalize(form, word)) != word:
            yield other


def _of_url(url: str, windows: bool) -> str:
    """The path of a `file:` URL."""
    rest = url[5:]
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        local = host.casefold() in ("", "localhost") or not windows
        rest = slash + path if local else f"//{host}/{path}"
    path = os.fsdecode(unquote_to_bytes(rest.encode("utf-8", "surrogateescape")))
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def at_home(path: str) -> str:
    """With the home folder in the place of `~`."""
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except RuntimeError:  # `~somebody` who is not known here
        return path


def _there(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):
        return False


def _meant(path: str) -> list[str] | Fault:
    """The photos of a path that is there."""
    if not Path(path).is_dir():
        return [path]
    try:
        with os.scandir(path) as inside:
            names = [e.name for e in inside if not e.name.startswith(".") and is_picture(e.name)]
    except OSError as error:
        return Fault(path, f"cannot be looked into: {error.strerror}", "check its permissions")
    if not names:
        return Fault(path, "is a folder without a picture", "name the photos, or their folder")
    return _few(path, [str(Path(path, name)) for name in sorted(names, key=natural)])


def _matching(pattern: str) -> list[str] | Fault:
    try:
        matches = islice(glob.iglob(at_home(pattern)), 20 * MOST)  # noqa: PTH207 (a pattern may be absolute)
        found = [path for path in matches if is_picture(path) and Path(path).is_file()]
    except (OSError, ValueError, re.error):
        found = []
    if not found:
        return Fault(pattern, "matches no picture", "check the folder and the pattern")
    return _few(pattern, sorted(found, key=natural))


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except (OSError, ValueError):
        return False


def _few(what: str, found: list[str]) -> list[str] | Fault:
    if len(found) > MOST:
        return Fault(what, f"stands for {len(found)} pictures", f"name {MOST} at most")
    return found


def _fault(word: str, similar: bool) -> Fault:
    """Why a word is no photo; `similar`: with the name that was probably meant."""
    told = word if len(word) <= _TOLD else f"{word[:_TOLD]}..."
    if (url := _URL.match(word)) and url[1].casefold() != "file":
        return Fault(told, "is an address on the net, not a file", "save the picture first")
    path = Path(at_home(word))
    if _is_link(path):
        return Fault(told, "points to a file that is not there", "name the photo itself")
    if _DRIVE.match(word) and os.name != "nt":
        return Fault(
            word, "is a path of Windows; there is no such file here", "copy the photo here"
        )
    if not similar:
        return Fault(told, "there is no such file", "check the name")
    try:
        with os.scandir(path.parent) as inside:
            there = [entry.name for entry in islice(inside, MOST * 10)]
    except PermissionError:
        return Fault(told, f"the folder {path.parent} may not be looked into", "check permissions")
    except (OSError, ValueError):
        return Fault(told, "there is no such file", "check the folder")
    close = get_close_matches(path.name, there, n=1)
    right = f"did you mean {path.parent / close[0]}?" if close else "check the name"
    return Fault(told, "there is no such file", right)


# A path while it is typed.


def completions(text: str, most: int = 20, *, windows: bool = os.name == "nt") -> list[str]:
    """The text with its last path completed, in every way there is: folders and pictures, no others.

    Each begins with the text as typed wherever the case of its letters fits.
    """
    for start, mark in _starts(text):
        typed = text[start:]
        literal = windows or bool(mark) or _DRIVE.match(typed) is not None
        path = typed if literal else re.sub(r"\\(.)", r"\1", typed)
        folder, name = os.path.split(path)
        names = [f for f in _inside(at_home(folder), name) if not mark or mark not in f[0]]
        if names:
            done = _finisher(text[:start], typed, name, mark, literal)
            return [done(other, is_folder) for other, is_folder in names[:most]]
    return []


def _starts(text: str) -> Iterator[tuple[int, str]]:
    """Where the last path of the text may begin, the longest first, and the quote it stands in."""
    for match in re.finditer(rf"(?<![^{_BLANKS}])(['\"]?)(?=[^{_BLANKS}'\"])", text):
        mark = match[1]
        if not mark or mark not in text[match.end() :]:
            yield match.end(), mark


def _inside(folder: str, begun: str) -> list[tuple[str, bool]]:
    """Folders and pictures whose names begin so; whether each is a folder."""
    found = []
    try:
        with os.scandir(folder or ".") as inside:
            for entry in inside:
                name = entry.name
                hidden = name.startswith(".") and not begun.startswith(".")
                if hidden or any(unicodedata.category(c) in _UNTYPED for c in name):
                    continue
                if name.casefold().startswith(begun.casefold()):
                    is_folder = _leads_to(entry.is_dir)
                    if is_folder or (is_picture(name) and _leads_to(entry.is_file)):
                        found.append((name, is_folder))
    except (OSError, ValueError):
        return []
    # What fits letter by letter comes first, so that nothing typed has to be changed.
    order = natural if len(found) <= _SORTED else str.casefold
    return sorted(found, key=lambda f: (not f[0].startswith(begun), not f[1], order(f[0])))


def _leads_to(kind: Callable[[], bool]) -> bool:
    """What an entry of a folder says of itself; no for links in a circle."""
    try:
        return kind()
    except OSError:
        return False


def _finisher(
    before: str, typed: str, name: str, mark: str, literal: bool
) -> Callable[[str, bool], str]:
    """Puts a name in the place of the one begun; what was typed of it stays as it was typed."""
    slash = "\\" if "\\" in typed and literal else "/"

    def escaped(part: str) -> str:
        return part if literal else re.sub(rf"([{_BLANKS}'\"\\])", r"\\\1", part)

    def done(other: str, is_folder: bool) -> str:
        if other.startswith(name):
            whole = typed + escaped(other[len(name) :])
        else:
            whole = typed[: len(typed) - len(escaped(name))] + escaped(other)
        return before + whole + (slash if is_folder else mark)

    return done
