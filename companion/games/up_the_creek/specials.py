"""What the special cards do: Lasso, Bow & Arrows, Wild Axe."""

from card_catalog.model import Card
from companion.core.verdict import Objection, Unknown, Verdict
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.placement import fits, surely_fits
from companion.games.up_the_creek.table import Board, Canoe, canoe_at, completed

TREASURE = ("single", "half")


def steal(
    thief: Board, victim: Board, own: bool, row: int, column: int, options: Options
) -> Verdict:
    """Whether a Lasso that was just placed may take the card at a place of `victim`.

    `own` says that thief and victim are one player.
    """
    where = f"row {row}, column {column}"
    objections = _not_in_game(options)
    card = victim[row - 1].at(column)
    if own:
        objections.append(
            Objection(
                "utc:lasso.other-player", "a Lasso takes a card of another player, not one's own"
            )
        )
    if card is None:
        text = f"no card lies in {where}"
        objections.append(Objection("utc:lasso.steal", text, impossible=True))
        return Verdict(tuple(objections))
    canoe = canoe_at(victim, row, column, options.canoe_extent)
    if canoe is not None and canoe.complete:
        text = f"{card} in {where} lies in a completed canoe, which a Lasso cannot reach"
        objections.append(Objection("utc:lasso.incomplete", text))
    if not _may_be_taken(card, options.lasso):
        text = f"in this household a Lasso takes only {options.lasso.replace('-', ' ')} cards, not {card}"
        objections.append(Objection("utc:lasso.kinds", text))
    unknowns: list[Unknown] = []
    if not own and options.lasso_must_fit and not surely_fits(thief, card, options, "steal"):
        if fits(thief, card, options, "steal"):
            text = f"whether {card} fits hangs on a colour that nobody has told"
            unknowns.append(Unknown("utc:tribes.one-colour", text))
        else:
            text = f"{card} fits in none of the thief's rows, so it may not be taken"
            objections.append(Objection("utc:lasso.must-fit", text))
    needs = ["utc:lasso.steal", "utc:lasso.incomplete"]
    if card.kind.group == "totem":
        needs.append("utc:lasso.totem")
    if options.lasso_must_fit:
        needs.append("utc:lasso.must-fit")
    return Verdict(tuple(objections), tuple(unknowns), needs=tuple(needs))


def _not_in_game(options: Options) -> list[Objection]:
    if options.lasso_and_bow:
        return []
    text = "Lasso and Bow & Arrows are not in this household's game (lasso_and_bow = false)"
    return [Objection("utc:addition.lasso-bow", text)]


def _may_be_taken(card: Card, allowed: str) -> bool:
    group = card.kind.group
    if allowed == "any":
        return True
    return group in TREASURE or (allowed == "treasure-or-totem" and group == "totem")


def shoot(victim: Board, own: bool, row: int, column: int, options: Options) -> Verdict:
    """Whether Bow & Arrows that were just placed may hit the card at a place of `victim`."""
    where = f"row {row}, column {column}"
    objections = _not_in_game(options)
    card = victim[row - 1].at(column)
    if own:
        text = "Bow & Arrows hit a card of another player, not one's own"
        objections.append(Objection("utc:bow-arrows.other-player", text))
    if card is None:
        text = f"no card lies in {where}"
        objections.append(Objection("utc:bow-arrows.shoot", text, impossible=True))
        return Verdict(tuple(objections))
    if card.kind.group != "indian" or card.kind.end:
        text = f"only Indian cards from the middle of a canoe can be hit; {card} is {_what(card)}"
        objections.append(Objection("utc:bow-arrows.middle", text))
    canoe = canoe_at(victim, row, column, options.canoe_extent)
    if canoe is not None and canoe.complete:
        text = f"{card} in {where} lies in a completed canoe, which no arrow reaches"
        objections.append(Objection("utc:bow-arrows.incomplete", text))
    needs = ("utc:bow-arrows.shoot", "utc:bow-arrows.middle", "utc:bow-arrows.incomplete")
    return Verdict(tuple(objections), needs=needs)


def _what(card: Card) -> str:
    if card.kind.end:
        return f"a {card.kind.end}"
    return {
        "section": "an empty section",
        "totem": "the Totem",
        "single": "treasure",
        "half": "treasure",
        "character": "a character, no Indian",
        "axe": "a Wild Axe",
    }.get(card.kind.group, f"a {card.kind.group}")


def axe(board: Board) -> list[Canoe]:
    """The completed canoes of which the owner of a Wild Axe must sink one."""
    return completed(board)
