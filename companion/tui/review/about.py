"""A card under review in words."""

from companion.intake.review import At, Review
from companion.intake.review.counting import Standing


def number_of(review: Review, at: At | None) -> int:
    """The number that the card has in the photo; 0 where none lies there."""
    places = review.places()
    return places.index(at) + 1 if at in places else 0


def where(review: Review, at: At) -> str:
    """`Card 7: Ana, row 1, column 7.`"""
    line = review.lines[at[0] - 1]
    owner = line.player or "the trick"
    return f"Card {number_of(review, at)}: {owner}, row {review.row_of(at[0])}, column {at[1]}."


def state(review: Review, at: At, standing: Standing) -> str:
    """What it was read as, or said to be; why it is asked about, and whether that matters."""
    box = review.at(at)
    if box is None:
        return ""
    if box.told is not None:
        return f"{box.told}, as you said."
    if box.card is None:
        return "No name: type one, or Del if no card lies there."
    if box.settled:
        return f"{box.card}, sure."
    why = "; ".join(box.seen.doubts) or "not sure"
    matters = "it can change the score" if at in standing.deciding else "no points hang on it"
    if standing.players == ():
        matters = "please look"
    return f"{box.card}? {why} ({matters})."


def page(review: Review, at: At, standing: Standing) -> str:
    """Everything that is known of it, and what was said of its photo."""
    box = review.at(at)
    if box is None:
        return ""
    photo = review.photos[box.photo]
    lines = [f"{where(review, at)} {state(review, at, standing)}", ""]
    lines += [f"{c.confidence:7.1%}  {c.face}" for c in box.seen.candidates[:8]]
    lines += ["", *(f"- {text}" for text in box.seen.doubts), "", f"Photo: {photo.name}"]
    lines += [f"- {w.text}" for w in photo.reading.warnings]
    return "\n".join(lines)
