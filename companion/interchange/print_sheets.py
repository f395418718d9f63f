"""Print-and-play sheets as PDF: nine cards a page at their true size, with cutting marks.

Lengths are millimetres unless a name says points; the origin of a page is its lower left corner.
"""

import io
from collections.abc import Iterator
from typing import Any

from reportlab.lib.units import mm  # type: ignore[import-untyped]
from reportlab.lib.utils import ImageReader, simpleSplit  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from card_catalog.faces import HEIGHT_MM, WIDTH_MM, Face, picture
from companion.interchange.print_plan import Plan

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the papers in millimetres."""
COLUMNS, ROWS = 3, 3
_MARK, _GAP = 4.5, 1.0
"""Length of a cutting mark, and its distance from the cards."""
_PIXELS = 880
"""Height of a picture: ten to the millimetre, 254 to the inch."""
_FOOT_ROOM = 12.0
"""A footer needs so much below the cards; where there is less it runs along the left edge."""


def pages_of(plan: Plan) -> int:
    """Pages of cards, without the page that tells the counts."""
    return -(-len(plan.cards) // (COLUMNS * ROWS))


def write_pdf(plan: Plan, paper: str = "a4") -> bytes:
    """The sheets of a plan, and a last page that tells which counts are the rulebook's.

    Raises `KeyError` for a paper that is not in `PAPERS`.
    """
    size = PAPERS[paper]
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(size[0] * mm, size[1] * mm), invariant=1)
    canvas.setTitle(f"{plan.deck.title}: print and play")
    canvas.setCreator("companion deck print")
    readers: dict[Face, Any] = {}
    total, cards = pages_of(plan) + 1, plan.cards
    for page in range(total - 1):
        here = cards[page * COLUMNS * ROWS : (page + 1) * COLUMNS * ROWS]
        for face, (x, y) in zip(here, _places(size), strict=False):
            if face not in readers:
                readers[face] = _reader(face)
            canvas.drawImage(
                readers[face], x * mm, y * mm, width=WIDTH_MM * mm, height=HEIGHT_MM * mm
            )
        _cutting_marks(canvas, size)
        _footer(canvas, size, plan, page + 1, total)
        canvas.showPage()
    _counts(canvas, size, plan)
    _footer(canvas, size, plan, total, total)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _origin(size: tuple[float, float]) -> tuple[float, float]:
    """Lower left corner of the cards, which stand in the middle of the page."""
    return (size[0] - COLUMNS * WIDTH_MM) / 2, (size[1] - ROWS * HEIGHT_MM) / 2


def _places(size: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Lower left corners of the cards, from the upper left in reading order."""
    left, bottom = _origin(size)
    for row in reversed(range(ROWS)):
        for column in range(COLUMNS):
            yield left + column * WIDTH_MM, bottom + row * HEIGHT_MM


def _reader(face: Face) -> Any:
    """The picture for the PDF, which holds each once however often it is drawn."""
    data = io.BytesIO()
    picture(face, _PIXELS).save(data, "JPEG", quality=92, subsampling=0)
    data.seek(0)
    return ImageReader(data)


def _cutting_marks(canvas: Any, size: tuple[float, float]) -> None:
    """Short lines outside the cards, one at each end of every cut; none over a card."""
    left, bottom = _origin(size)
    right, top = left + COLUMNS * WIDTH_MM, bottom + ROWS * HEIGHT_MM
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(0.25)
    for column in range(COLUMNS + 1):
        x = left + column * WIDTH_MM
        canvas.line(x * mm, (bottom - _GAP) * mm, x * mm, (bottom - _GAP - _MARK) * mm)
        canvas.line(x * mm, (top + _GAP) * mm, x * mm, (top + _GAP + _MARK) * mm)
    for row in range(ROWS + 1):
        y = bottom + row * HEIGHT_MM
        canvas.line((left - _GAP) * mm, y * mm, (left - _GAP - _MARK) * mm, y * mm)
        canvas.line((right + _GAP) * mm, y * mm, (right + _GAP + _MARK) * mm, y * mm)


def _footer(canvas: Any, size: tuple[float, float], plan: Plan, page: int, total: int) -> None:
    """The deck, the page, and what the counts are: below the cards, or along the left edge."""
    text = f"{plan.deck.title}  ·  page {page} of {total}  ·  {_kind_of_counts(plan)}"
    canvas.saveState()
    canvas.setFont("Helvetica", 7)
    canvas.setFillGray(0.3)
    left, bottom = _origin(size)
    if bottom >= _FOOT_ROOM:
        canvas.drawCentredString(size[0] / 2 * mm, (bottom - _GAP - _MARK - 4) * mm, text)
    else:
        canvas.translate((left - _GAP - _MARK - 2) * mm, size[1] / 2 * mm)
        canvas.rotate(90)
        canvas.drawCentredString(0, 0, text)
    canvas.restoreState()


def _kind_of_counts(plan: Plan) -> str:
    """What the numbers of copies are, in one line."""
    sources = {p.source for p in plan.printed}
    said = []
    if "rulebook" in sources:
        said.append(f"counts of the rulebook ({plan.set_name})")
    if "told" in sources:
        said.append("counts you gave")
    if "unknown" in sources:
        said.append("one of each where the count is not known")
    return ", ".join(said) + ": see the last page"


def notes(plan: Plan) -> list[tuple[str, str]]:
    """What was printed and who says so: headings with their text, the same on paper and on screen."""
    found = [
        (f"Counts of the rulebook ({plan.set_name})", plan.counts("rulebook")),
        ("Counts you gave", plan.counts("told")),
        ("Count not known, so one of each (count your own box; --copies KIND=N)", plan.counts("unknown")),
        ("Number not known, so the ring is empty (read your own cards; --numbers FILE)", plan.empty_rings),
    ]  # fmt: skip
    return [(head, text) for head, text in found if text]


def _counts(canvas: Any, size: tuple[float, float], plan: Plan) -> None:
    """The page of counts."""
    left, width, y = 20 * mm, (size[0] - 40) * mm, (size[1] - 30) * mm
    canvas.setFillGray(0)
    canvas.setFont("Helvetica-Bold", 15)
    canvas.drawString(left, y, f"{plan.deck.title}: what these sheets hold")
    y -= 9 * mm
    canvas.setFont("Helvetica", 10)
    canvas.drawString(
        left, y, f"{len(plan.cards)} cards of {WIDTH_MM} x {HEIGHT_MM} mm. Print at 100 %, without fitting to the page."
    )  # fmt: skip
    for head, text in notes(plan):
        y -= 10 * mm
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(left, y, head)
        canvas.setFont("Helvetica", 9.5)
        for line in simpleSplit(text, "Helvetica", 9.5, width):
            y -= 5 * mm
            canvas.drawString(left, y, line)
