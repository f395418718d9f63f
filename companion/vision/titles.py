"""Cards named by what is printed on them: the way in for a deck of which there is no picture yet.

Outlines of one size are found, each card is laid flat, all cards go through tesseract together, both ways
up, and what stands on them is compared with the deck's names. A title makes a card sure only where it is
the whole of a line, nearly letter by letter, and no other card's name could be what was read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz

from card_catalog.faces.layout import ring_of
from card_catalog.model import Card, Colour, Deck, Kind
from companion.vision import tesseract
from companion.vision.apart import card_outlines
from companion.vision.edges import contrast, snapped, softened
from companion.vision.geometry import Image, Pyramid, Quad, turned
from companion.vision.lines import flat_cards, words_on_cards, words_on_lines
from companion.vision.numbers import read_numbers, ring_colour
from companion.vision.outline_net.seen import seen_in
from companion.vision.reduce import WORK, reduced
from companion.vision.rows import card_sized, in_rows, table_of
from companion.vision.sighting import Candidate, Reading, Sighting, Warn
from companion.vision.tesseract import Word

SURE, MARGIN, LETTERS = 0.9, 0.1, 4
"""Likeness to a name, lead over the next name, and letters read that make a title sure."""
_MENTIONED = 0.6
"""Likeness below which a name is no candidate."""
_TRUSTED, _LEGIBLE = 0.4, 0.15
"""Mean confidence of a title's words that makes it sure, and the same for a long name letter by letter."""
_SHORT = 5
"""Letters up to which a name may be found in a drawing by chance."""
_OTHER_DIGITS = 0.85
"""Most likeness of `1 Paddler` to `2 Paddler`."""
_SOME_NAME, _STANDS_OUT = 0.75, 14.0
"""An outline is a card's if what stands there is so like a name, or if it stands out so many grey levels."""
_SAME_NAMES = 3
"""Cards named as the deck names them, and none otherwise, from which no other names are thought of."""


@dataclass(frozen=True, slots=True)
class Match:
    """A kind that a card's print may name."""

    kind: str
    """Id."""
    likeness: float
    """Of the best fitting text, 0 to 1."""
    confidence: float
    """Tesseract's, of the words of that text."""
    text: str = ""
    letters: int = 0
    alias: bool = False
    """Whether it is not the name that the deck shows, but another one."""

    @property
    def legible(self) -> bool:
        """Whether tesseract is as certain as such a name needs: short ones are found in drawings too."""
        if len(self.text) <= _SHORT:
            return self.confidence >= (0.8 if self.alias else 0.5)
        exact = self.likeness > 0.99 and not self.alias
        return self.confidence >= (_LEGIBLE if exact else _TRUSTED)


@dataclass(frozen=True, slots=True)
class Title:
    """What a card's print says: the kinds it may name, the likeliest first."""

    matches: tuple[Match, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether it names one kind beyond doubt."""
        return bool(self.matches) and not self.doubts


# Names


def plain(text: str) -> str:
    """The letters and digits of a text, and `&`; all that is compared."""
    return re.sub(r"[^0-9a-z&]+", "", text.casefold())


class Names:
    """The names of a deck's kinds as they may be printed."""

    def __init__(self, deck: Deck, aliases: bool = True) -> None:
        self.of: dict[str, tuple[str, ...]] = {}
        for kind in deck.kinds.values():
            names = (kind.name, *kind.aliases) if aliases else (kind.name,)
            self.of[kind.id] = tuple(dict.fromkeys(plain(n) for n in names))

    def title(self, words: Sequence[Word]) -> Title:
        """What the words on one card say."""
        best: dict[str, Match] = {}
        for text, confidence, covered in texts(words):
            for kind, names in self.of.items():
                alike = [_likeness(text, name) for name in names]
                likeness, known = covered * max(alike), best.get(kind)
                if likeness >= _MENTIONED and (known is None or likeness > known.likeness):
                    alias = alike[0] < max(alike)
                    best[kind] = Match(kind, likeness, confidence, text, len(text), alias)
        ranked = sorted(best.values(), key=lambda m: (-m.likeness, -m.letters))
        return Title(tuple(ranked[:5]), tuple(self._doubts(ranked)))

    def _doubts(self, ranked: Sequence[Match]) -> Iterator[str]:
        if not ranked:
            return
        first = ranked[0]
        shown = f"what is printed on it reads like {first.text!r}"
        if first.likeness < SURE or first.letters < LETTERS:
            yield f"{shown}, which is no name of a card"
        elif not first.legible:
            yield f"{shown}, but hardly legible"
        elif len(ranked) > 1 and first.likeness - ranked[1].likeness < MARGIN:
            yield f"{shown}, which names more than one card"
        elif any(_may_be_part(first, kind, names) for kind, names in self.of.items()):
            yield f"{shown}, which may be part of another card's name"


def _likeness(text: str, name: str) -> float:
    """Share of the letters that agree in order; digits must all be the same."""
    share = fuzz.ratio(text, name) / 100
    same = re.sub(r"\D", "", name) == re.sub(r"\D", "", text)
    return float(share if same else min(share, _OTHER_DIGITS))


def _may_be_part(read: Match, kind: str, names: Sequence[str]) -> bool:
    """Whether a name of another kind is longer and has in it what was read."""
    if kind == read.kind:
        return False
    longer = [name for name in names if len(name) > len(read.text)]
    return any(fuzz.partial_ratio(read.text, name) >= 95 for name in longer)


def texts(words: Sequence[Word]) -> Iterator[tuple[str, float, float]]:
    """Texts that may be a title: plain, with mean confidence and the share they are of their line.

    They are runs of words of one line, and whole lines with the one below.
    """
    lines = _lines(words)
    for line in lines:
        legible = [_weight(word) for word in line]
        for start in range(len(line)):
            for end in range(start + 1, min(start + 6, len(line)) + 1):
                run = line[start:end]
                text = plain("".join(w.text for w in run))
                if len(text) < 3:
                    continue
                left = sum(legible[:start]) + sum(legible[end:])
                yield text, _mean_confidence(run), len(text) / (len(text) + left)
    for upper, lower in _stacked(lines):
        both = [[w for w in line if _weight(w)] for line in (upper, lower)]
        text = plain("".join(w.text for w in (*both[0], *both[1])))
        if all(both) and len(text) >= LETTERS:
            yield text, _mean_confidence([*both[0], *both[1]]), 1.0


def _weight(word: Word) -> int:
    """How many letters a word counts that a title leaves out; a digit matters, a speck does not."""
    if word.text.isdecimal() and word.confidence > 0.5:
        return 3
    return len(plain(word.text)) if _is_word(word) else 0


def _is_word(word: Word) -> bool:
    return word.confidence > 0.6 and len(plain(word.text)) >= 3


def _mean_confidence(words: Sequence[Word]) -> float:
    """By letters, so that a speck beside a title does not count like it."""
    letters = [max(len(plain(w.text)), 0.1) for w in words]
    return float(np.average([w.confidence for w in words], weights=letters))


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """Words that stand beside each other, from left to right."""
    lines: list[list[Word]] = []
    for word in sorted((w for w in words if plain(w.text)), key=lambda w: w.box[0]):
        for line in lines:
            if _beside(line[-1], word):
                line.append(word)
                break
        else:
            lines.append([word])
    return lines


def _beside(left: Word, right: Word) -> bool:
    (_, top, end, bottom), (start, upper, _, lower) = left.box, right.box
    high = min(bottom - top, lower - upper)
    common = min(bottom, lower) - max(top, upper)
    return common > 0.5 * high and start - end < 2.0 * max(bottom - top, lower - upper)


def _stacked(lines: Sequence[list[Word]]) -> Iterator[tuple[list[Word], list[Word]]]:
    """Pairs of lines of which one is right below the other, of about one size."""
    for upper in lines:
        for lower in lines:
            a, b = _box(upper), _box(lower)
            high = max(a[3] - a[1], b[3] - b[1])
            common = min(a[2], b[2]) - max(a[0], b[0])
            close = -0.3 * high < b[1] - a[3] < 0.8 * high and a[1] < b[1]
            if upper is not lower and close and common > 0.4 * min(a[2] - a[0], b[2] - b[0]):
                yield upper, lower


def _box(line: Sequence[Word]) -> tuple[int, int, int, int]:
    lefts, tops, rights, bottoms = zip(*(w.box for w in line), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def title_of(pyramid: Pyramid, quad: Quad, deck: Deck) -> tuple[str | None, float]:
    """Id of the kind that a card's print names, and how certain; the card lies upright in the quad.

    None where nothing is named; under `SURE` it is a hint. A witness beside other evidence.
    """
    names, flats = Names(deck), flat_cards(pyramid, [quad])
    title = names.title(words_on_lines(flats)[0])
    if not title.sure:
        title = max(title, names.title(words_on_cards(flats)[0]), key=_rank)
    if not title.matches:
        return None, 0.0
    return title.matches[0].kind, _confidence(title, title.matches[0])


def _confidence(title: Title, match: Match) -> float:
    """Of a name: at least `SURE` where the title is sure of it, else what it may be among the others."""
    if match is title.matches[0] and title.sure:
        return round(max(match.likeness * (0.7 + 0.3 * match.confidence), SURE), 3)
    rivals = sum(other.likeness**8 for other in title.matches)
    return round(0.8 * match.likeness**4 * match.likeness**8 / rivals, 3)


# Cards


class TitleReader:
    """Reads photos of a deck by its cards' titles alone; ring colours and numbers where the rings are
    where the shipped drawings have them."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.names = Names(deck)
        self.shown = Names(deck, aliases=False)

    def read(self, image: Image) -> Reading:
        """What an upright photo (BGR) shows; without tesseract nothing but a warning."""
        if not tesseract.available():
            return Reading((), (Warn("no-ocr", tesseract.why_not()),))
        seen = self.sightings(image)
        return in_rows(seen, (), {s.face for s in seen if s.face})  # print tells where up is

    def sightings(self, image: Image) -> list[Sighting]:
        """The cards of an upright photo, in no order; those whose title is not read have no candidates."""
        pyramid = Pyramid(image)
        work, scale = reduced(image, WORK)
        fine, finer = reduced(image, 2 * WORK)
        quads = [
            snapped(fine, (quad * (finer / scale)).astype(np.float32)) / finer
            for quad in card_outlines(work, seen_in(work))
        ]
        cards = self._read(pyramid, [quad.astype(np.float32) for quad in quads])
        grey = softened(work)
        clear = [
            (quad, title)
            for quad, title in cards
            if _rank(title)[1] >= _SOME_NAME
            or contrast(grey, (quad * scale).astype(np.float32)) > _STANDS_OUT
        ]
        named = [quad for quad, title in clear if title.sure]
        table = table_of(named) if len(named) >= 2 else None
        cards = [
            (quad, title)
            for quad, title in clear
            if title.matches or table is None or card_sized(quad, table)
        ]
        return self._with_print(pyramid, cards)

    def _read(self, pyramid: Pyramid, quads: Sequence[Quad]) -> list[tuple[Quad, Title]]:
        """Each card, upright where its title says which end is up, and what it says."""
        best = [(quad, Title()) for quad in quads]
        seen: list[list[Word]] = [[] for _ in quads]
        for quarter, words_on in _WAYS:
            if quarter % 2 and any(title.matches for _, title in best):
                break  # the cards are portrait: some were read that way
            open_ = [i for i, (_, title) in enumerate(best) if not title.sure]
            placed = [turned(quads[i], quarter) for i in open_]
            words_of = words_on(flat_cards(pyramid, placed))
            for i, quad, words in zip(open_, placed, words_of, strict=True):
                title = self.names.title(words)
                if _rank(title) > _rank(best[i][1]):
                    best[i], seen[i] = (quad, title), words
        sure = [title.matches[0] for _, title in best if title.sure]
        if len(sure) >= _SAME_NAMES and not any(match.alias for match in sure):
            for i, (quad, title) in enumerate(
                best
            ):  # these cards bear the names that the deck shows
                again = self.shown.title(seen[i])
                best[i] = (quad, again) if again.sure and not title.sure else best[i]
        return best

    def _with_print(self, pyramid: Pyramid, cards: Sequence[tuple[Quad, Title]]) -> list[Sighting]:
        """Sightings of cards, with the colour and number in their rings."""
        rings = []
        for index, (quad, title) in enumerate(cards):
            kind = self.deck.kinds[title.matches[0].kind] if title.matches else None
            ring = ring_of(kind) if kind is not None else None
            if kind is not None and ring is not None and kind.numbered and kind.number is None:
                rings.append((index, (quad, ring)))
        reads = read_numbers(pyramid, [asked for _, asked in rings])
        numbers = {index: r.value for (index, _), r in zip(rings, reads, strict=True)}
        return [
            self._sighting(pyramid, quad, title, numbers.get(index))
            for index, (quad, title) in enumerate(cards)
        ]

    def _sighting(self, pyramid: Pyramid, quad: Quad, title: Title, number: int | None) -> Sighting:
        (a, b, c, d) = ((float(x), float(y)) for x, y in quad)
        if not title.matches:
            return Sighting((a, b, c, d), doubts=("no title could be read on it",))
        doubts = list(title.doubts)
        kinds = [self.deck.kinds[m.kind] for m in title.matches]
        colour = None
        if kinds[0].coloured:
            colour = _colour(pyramid, quad, kinds[0])
            if colour is None:
                doubts.append("whether its number is red or black could not be seen")
        candidates = tuple(
            Candidate(str(Card(kind, colour if kind.coloured else None)), _confidence(title, match))
            for kind, match in zip(kinds, title.matches, strict=True)
        )
        return Sighting((a, b, c, d), candidates, not doubts, number, tuple(doubts))


_WAYS = (
    (0, words_on_lines), (2, words_on_lines), (0, words_on_cards), (2, words_on_cards),
    (1, words_on_lines), (3, words_on_lines),
)  # fmt: skip
"""Quarter turns and how print is looked for, the best way first."""


def _rank(title: Title) -> tuple[bool, float]:
    return title.sure, title.matches[0].likeness if title.matches else 0.0


def _colour(pyramid: Pyramid, quad: Quad, kind: Kind) -> Colour | None:
    ring = ring_of(kind)
    seen, certain = (None, 0.0) if ring is None else ring_colour(pyramid, quad, ring)
    return Colour(seen) if seen is not None and certain >= 0.5 else None
