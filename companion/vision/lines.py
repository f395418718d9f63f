"""Lines of print on flat cards, and the words on them.

Tesseract loses titles among drawings, but not in a clean column: so what looks like a row of letters (ink of
one height on even ground) is cut out, evened, and all lines of all cards are read together. What it finds
itself on whole cards is the second way. Boxes are in pixels of the flat card, confidences 0 to 1.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision import tesseract
from companion.vision.geometry import Floats, Image, Pyramid, Quad, sides
from companion.vision.tesseract import Word

PRINT = 420
"""Pixels across a card where its print is read."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""
_TEXT, _GAP, _SEAM = 40, 44, 40
"""Height of a line's letters, white between lines, and white about a whole card, pixels."""
_LETTERS = (0.02, 0.16)
"""Height of letters in card widths."""
_MERGED = 5.0
"""Width over height of letters that blur has run together, at most."""
_MOST_LINES = 5
"""On one card."""
_LINES_ON_A_PAGE, _CARDS_ON_A_PAGE = 60, 16


def flat_cards(pyramid: Pyramid, quads: Sequence[Quad], across: int = PRINT) -> list[Image]:
    """The cards in these quads, upright as named, grey, all of one size."""
    if not quads:
        return []
    shape = float(np.median([sides(q)[[1, 3]].mean() / sides(q)[[0, 2]].mean() for q in quads]))
    high = round(across * float(np.clip(shape, 0.5, 2.5)))
    return [
        np.asarray(cv2.cvtColor(pyramid.rectify(quad, across, high), cv2.COLOR_BGR2GRAY), np.uint8)
        for quad in quads
    ]


# What looks like a line


def words_on_lines(flats: Sequence[Image]) -> list[list[Word]]:
    """Of each card, the words on what looks like lines of print."""
    where: list[tuple[int, Box]] = []
    strips: list[Image] = []
    for index, flat in enumerate(flats):
        for box in lines_of(flat):
            where.append((index, box))
            strips.append(_strip(flat, box))
    found: list[list[Word]] = [[] for _ in flats]
    pages = max(-(-len(strips) // _LINES_ON_A_PAGE), min(2, len(strips)))
    chosen = [range(i, len(strips), pages) for i in range(pages)]
    with ThreadPoolExecutor(2) as pool:
        read = pool.map(lambda page: _read_column([strips[i] for i in page]), chosen)
        for page, lines in zip(chosen, read, strict=True):
            for i, words in zip(page, lines, strict=True):
                index, (left, top, right, bottom) = where[i]
                for number, word in enumerate(words):
                    step = (right - left) / len(words)
                    box = (
                        round(left + number * step),
                        top,
                        round(left + (number + 0.9) * step),
                        bottom,
                    )
                    found[index].append(Word(word.text, word.confidence, box, i))
    return found


def lines_of(flat: Image) -> list[Box]:
    """Where rows of letters may stand on a flat grey card, the likeliest first."""
    wide = flat.shape[1]
    low, high = (round(share * wide) for share in _LETTERS)
    found: list[tuple[float, Box]] = []
    block = round(0.14 * wide) | 1
    for picture in (flat, 255 - flat):
        smooth = cv2.GaussianBlur(picture, (0, 0), 1.0)
        dark = cv2.adaptiveThreshold(
            smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, 14
        )
        _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
        letters = [
            (int(x), int(y), int(x + w), int(y + h))
            for x, y, w, h, size in stats[1:]
            if low <= h <= high and w <= _MERGED * h and size > 0.12 * w * h and size > 0.1 * h * h
        ]
        found += [(_worth(picture, row), _around(row)) for row in _rows(letters)]
    found.sort(key=lambda pair: -pair[0])
    kept: list[Box] = []
    for worth, box in found:
        if worth > 0 and len(kept) < _MOST_LINES and not any(_meet(box, other) for other in kept):
            kept.append(box)
    return kept


def _rows(letters: Sequence[Box]) -> list[list[Box]]:
    """Letters of about one height that stand beside each other."""
    rows: list[list[Box]] = []
    for letter in sorted(letters):
        fitting = [row for row in rows if _follows(row, letter)]
        if fitting:
            max(fitting, key=len).append(letter)
        else:
            rows.append([letter])
    return [row for row in rows if len(row) >= 3 or _wide(row)]


def _wide(row: Sequence[Box]) -> bool:
    left, top, right, bottom = _around(row)
    return right - left > 2.5 * (bottom - top)


def _follows(row: Sequence[Box], letter: Box) -> bool:
    """Whether a letter goes on a row: close behind it, as high as it, on its line."""
    tall = float(np.median([b - t for _, t, _, b in row]))
    end = max(right for _, _, right, _ in row[-2:])
    top, bottom = (float(np.median([box[i] for box in row[-4:]])) for i in (1, 3))
    high = letter[3] - letter[1]
    level = min(bottom, letter[3]) - max(top, letter[1])
    return (
        0.45 * tall < high < 2.0 * tall
        and letter[0] - end < 0.9 * max(tall, high)
        and level > 0.55 * min(high, bottom - top)
    )


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _meet(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 0 and down > 0.4 * min(one[3] - one[1], other[3] - other[1])


def _worth(picture: Image, row: Sequence[Box]) -> float:
    """How much a row is one of letters: many, of one height, on ground that is even between them."""
    left, top, right, bottom = _around(row)
    patch = picture[top:bottom, left:right].astype(np.float32)
    ground = patch[patch > np.percentile(patch, 55)]
    ink = float(np.percentile(patch, 8))
    deep = float(np.median(ground)) - ink
    if deep < 25:
        return 0.0
    even = float(np.clip(1 - 2.5 * np.std(ground) / deep, 0, 1))
    highs = np.array([b - t for _, t, _, b in row], float)
    alike = 1 / (1 + float(np.std(highs) / np.mean(highs)))
    return (right - left) / (bottom - top) * even * alike


def _strip(flat: Image, box: Box) -> Image:
    """The line with letters of `_TEXT` pixels, dark on white whatever it was."""
    left, top, right, bottom = box
    high = bottom - top
    pad = round(0.18 * high)
    a, b = max(0, left - pad), min(flat.shape[1], right + pad)
    patch = flat[max(0, top - pad) : bottom + pad, a:b].astype(np.float32)
    inner = flat[top:bottom, left:right].astype(np.float32)
    dark, light, middle = np.percentile(inner, (4, 96, 50))
    if middle - dark < light - middle:  # light letters
        patch, dark, light = 255 - patch, 255 - light, 255 - dark
    white = 0.85 * light + 0.15 * dark
    even = np.clip((patch - dark) / max(white - dark, 1.0), 0, 1)
    return _at_height(even, round(_TEXT * patch.shape[0] / high))


def _at_height(even: Floats | NDArray[np.float64], height: int) -> Image:
    wide = max(4, round(even.shape[1] * height / even.shape[0]))
    sized = cv2.resize(even.astype(np.float32), (wide, height), interpolation=cv2.INTER_LINEAR)
    return np.rint(255 * np.clip(sized, 0, 1)).astype(np.uint8)


def _read_column(strips: Sequence[Image]) -> list[list[Word]]:
    """The words on each strip, read in one column."""
    if not strips:
        return []
    tops = np.cumsum([_GAP, *(s.shape[0] + _GAP for s in strips)])
    page = np.full((int(tops[-1]), max(s.shape[1] for s in strips) + 2 * _GAP), 255, np.uint8)
    for top, strip in zip(tops, strips, strict=False):
        page[top : top + strip.shape[0], _GAP : _GAP + strip.shape[1]] = strip
    found: list[list[Word]] = [[] for _ in strips]
    for word in tesseract.read_words(page, 6):
        top, bottom = word.box[1], word.box[3]
        place = int(np.searchsorted(tops, (top + bottom) / 2 + _GAP / 2)) - 1
        if not 0 <= place < len(strips):
            continue
        end = tops[place] + strips[place].shape[0]
        if tops[place] - _GAP / 4 < top and bottom < end + _GAP / 4:  # else it is of two lines
            found[place].append(word)
    return [sorted(words, key=lambda w: w.box[0]) for words in found]


# Whole cards


def words_on_cards(flats: Sequence[Image]) -> list[list[Word]]:
    """Of each flat card, the words that tesseract finds on it by itself."""
    if not flats:
        return []
    count = max(-(-len(flats) // _CARDS_ON_A_PAGE), min(2, len(flats)))
    found: list[list[Word]] = [[] for _ in flats]
    with ThreadPoolExecutor(2) as pool:
        pages = pool.map(_read_page, [flats[i::count] for i in range(count)])
        for first, page in enumerate(pages):
            for place, words in enumerate(page):
                found[first + count * place] = words
    return found


def _read_page(flats: Sequence[Image]) -> list[list[Word]]:
    """The words on grey cards of one size, one below the other on a page."""
    high, wide = flats[0].shape
    step = high + _SEAM
    page = np.full((len(flats) * step + _SEAM, wide + 2 * _SEAM), 255, np.uint8)
    for place, flat in enumerate(flats):
        page[_SEAM + place * step : place * step + step, _SEAM : _SEAM + wide] = flat
    found: list[list[Word]] = [[] for _ in flats]
    for word in tesseract.read_sparse(page):
        left, top, right, bottom = word.box
        place = ((top + bottom) // 2 - _SEAM) // step
        x, y = _SEAM, _SEAM + place * step
        if 0 <= place < len(flats):
            found[place].append(word._replace(box=(left - x, top - y, right - x, bottom - y)))
    return found
