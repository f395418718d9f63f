"""Attacks by a canoe that was just completed, and what becomes of the captured cards."""

from dataclasses import dataclass
from typing import Any

from card_catalog.model import Card, Kind
from companion.core.verdict import Clarity, Objection, Unknown, Verdict
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.placement import fits, tribes_in
from companion.games.up_the_creek.table import Board, Canoe, canoe_at

SHAMAN = "shaman"
_SECTION = {
    "bow": Card(Kind("bow", "Bow (front)", "section", end="bow")),
    "stern": Card(Kind("stern", "Stern (back)", "section", end="stern")),
    "": Card(Kind("middle", "Middle", "section")),
}


@dataclass(frozen=True, slots=True)
class Target:
    """One canoe to attack: whose, any column of it, and the attacker's share for it if he splits."""

    victim: str
    row: int
    column: int
    strength: int | None = None


@dataclass(frozen=True, slots=True)
class Spoils:
    """Where the cards of a captured canoe go, in the order they lay."""

    to_attacker: tuple[Card, ...]
    discarded: tuple[Card, ...]


def spoils(canoe: Canoe, options: Options) -> Spoils:
    """Treasure and empty sections go to the attacker, Indian cards to the discard pile.

    Follows `utc:piracy.spoils`, `utc:piracy.spoils-characters` and `utc:addition.sections`.
    """
    kept: list[Card] = []
    discarded: list[Card] = []
    for card in canoe.cards:
        group = card.kind.group
        if group == "indian":
            discarded.append(card)
            if options.spoils_sections:
                kept.append(_SECTION[card.kind.end])
        elif group in ("totem", "axe") or (
            group == "character" and options.spoils_characters == "discard"
        ):
            discarded.append(card)
        else:
            kept.append(card)
    return Spoils(tuple(kept), tuple(discarded))


def attack(
    boards: dict[str, Board],
    player: str,
    row: int,
    column: int,
    targets: tuple[Target, ...],
    attacked: bool,
    options: Options,
) -> Verdict:
    """Whether the canoe may attack these targets, and what each would yield."""
    extent = options.canoe_extent
    attacker = canoe_at(boards[player], row, column, extent)
    found = [canoe_at(boards[t.victim], t.row, t.column, extent) for t in targets]
    objections = _attacker_objections(attacker, row, column, attacked)
    objections += _target_objections(player, attacker, targets, found)
    unknowns: list[Unknown] = []
    canoes = [canoe for canoe in found if canoe is not None]
    if attacker is not None and len(canoes) == len(targets):
        wrong, missing = _strengths(attacker, targets, canoes)
        objections += wrong
        unknowns += missing
        if options.tribes:
            wrong, missing = _tribes(attacker, targets, canoes)
            objections += wrong
            unknowns += missing
    value, points, needs = None, [], []
    if not objections:
        value, lost = _yield(boards[player], canoes, options)
        needs = ["utc:piracy.when", "utc:piracy.strength", "utc:strength.sum", "utc:piracy.spoils"]
        if len(targets) > 1:
            needs.append("utc:shaman.two-targets")
        if lost:
            points.append(("utc:piracy.spoils-fit", Clarity.INTERPRETATION))
        if options.spoils_sections:
            needs.append("utc:addition.sections")
    return Verdict(tuple(objections), tuple(unknowns), value, tuple(needs), tuple(points))


def _attacker_objections(
    attacker: Canoe | None, row: int, column: int, attacked: bool
) -> list[Objection]:
    if attacker is None:
        text = f"no canoe lies in row {row}, column {column}"
        return [Objection("utc:piracy.completed", text, impossible=True)]
    objections = []
    if not attacker.complete:
        text = f"the canoe in row {row} is not completed; only a completed canoe attacks"
        objections.append(Objection("utc:piracy.completed", text))
    if attacked:
        text = "this canoe has attacked before or was not completed just now; a canoe attacks once"
        objections.append(Objection("utc:piracy.once", text))
    if attacker.complete and attacker.strength == 0:
        text = "its strength is 0, and a canoe attacks only weaker ones"
        objections.append(Objection("utc:piracy.zero", text))
    return objections


def _target_objections(
    player: str, attacker: Canoe | None, targets: tuple[Target, ...], found: list[Canoe | None]
) -> list[Objection]:
    objections = []
    if len(targets) > 2:
        text = f"{len(targets)} canoes are named; even with a Shaman only two can be attacked"
        objections.append(Objection("utc:shaman.two-targets", text))
    elif len(targets) == 2 and attacker is not None and not attacker.holds(SHAMAN):
        text = "two canoes can be attacked only with a Shaman in the attacking canoe"
        objections.append(Objection("utc:shaman.two-targets", text))
    named = set()
    for i, (target, canoe) in enumerate(zip(targets, found, strict=True)):
        place = (i,)
        if target.victim == player:
            text = "a canoe attacks another player's canoe, not one's own"
            objections.append(Objection("utc:piracy.other-player", text, place=place))
        if canoe is None:
            text = f"{target.victim} has no canoe in row {target.row}, column {target.column}"
            objections.append(Objection("utc:piracy.target", text, place=place, impossible=True))
            continue
        if canoe.protected:
            text = f"a Totem protects {target.victim}'s canoe in row {canoe.row}"
            objections.append(Objection("utc:totem.protects", text, place=place))
        same = (target.victim, canoe.row, canoe.first)
        if same in named:
            text = "the same canoe is named twice; a Shaman attacks two different ones"
            objections.append(Objection("utc:shaman.different", text))
        named.add(same)
    return objections


def _strengths(
    attacker: Canoe, targets: tuple[Target, ...], canoes: list[Canoe]
) -> tuple[list[Objection], list[Unknown]]:
    """Each target must be weaker than what is sent against it; unknown strengths are 0 or more."""
    shares = [t.strength for t in targets]
    if (len(targets) == 1 and shares[0] is None) or len(targets) > 2:
        shares = [None]
    if None in shares:
        need = sum(c.at_least + 1 for c in canoes)
        exact = all(c.strength is not None for c in canoes)
        return _compare(attacker, need, exact, targets, canoes)
    objections: list[Objection] = []
    unknowns: list[Unknown] = []
    given = [s for s in shares if s is not None]
    for i, (share, target, canoe) in enumerate(zip(given, targets, canoes, strict=True)):
        if share <= canoe.at_least:
            least = "" if canoe.strength is not None else "at least "
            text = f"{share} is not more than {least}{canoe.at_least}, the strength of {target.victim}'s canoe in row {canoe.row}"
            objections.append(Objection("utc:piracy.strength", text, place=(i,)))
        elif canoe.strength is None:
            unknowns.append(_missing(canoe, target.victim))
    total = sum(given)
    if attacker.strength is not None and total > attacker.strength:
        rule = "utc:shaman.split" if len(given) > 1 else "utc:piracy.strength"
        text = f"the shares add up to {total}, but the canoe has only {attacker.strength}"
        objections.append(Objection(rule, text))
    elif attacker.strength is None and total > attacker.at_least:
        unknowns.append(_missing(attacker, "the attacker"))
    return objections, unknowns


def _compare(
    attacker: Canoe, need: int, exact: bool, targets: tuple[Target, ...], canoes: list[Canoe]
) -> tuple[list[Objection], list[Unknown]]:
    """No shares given: some whole split must beat every target, so the strength must reach `need`."""
    if attacker.strength is not None and attacker.strength < need:
        if len(canoes) == 1:
            least = "" if exact else "at least "
            text = (
                f"strength {attacker.strength} against {least}{need - 1}: "
                "the attacker must be stronger, equal is not enough"
            )
            return [Objection("utc:piracy.strength", text, place=(0,))], []
        text = f"no split of {attacker.strength} beats both: that takes at least {need}"
        return [Objection("utc:piracy.strength", text), Objection("utc:shaman.split", text)], []
    if exact and attacker.at_least >= need:
        return [], []
    unknowns = [_missing(c, t.victim) for t, c in zip(targets, canoes, strict=True) if c.unknown]
    if attacker.unknown:
        unknowns.append(_missing(attacker, "the attacker"))
    return [], unknowns


def _missing(canoe: Canoe, whose: str) -> Unknown:
    cards = ", ".join(card.kind.id for card in canoe.unknown)
    text = (
        f"the number printed on {cards} of {whose} in row {canoe.row} is not known and decides this"
    )
    return Unknown("utc:strength.printed", text)


def _tribes(
    attacker: Canoe, targets: tuple[Target, ...], canoes: list[Canoe]
) -> tuple[list[Objection], list[Unknown]]:
    objections: list[Objection] = []
    unknowns: list[Unknown] = []
    own, own_hidden = tribes_in(attacker)
    for i, (target, canoe) in enumerate(zip(targets, canoes, strict=True)):
        theirs, hidden = tribes_in(canoe)
        if own & theirs:
            text = f"{target.victim}'s canoe in row {canoe.row} is of the same tribe"
            objections.append(Objection("utc:tribes.attack", text, place=(i,)))
        elif (not theirs and hidden) or (not own and own_hidden and (theirs or hidden)):
            text = f"the tribe of a canoe is not known: {target.victim}'s or the attacker's"
            unknowns.append(Unknown("utc:tribes.attack", text))
    return objections, unknowns


def _yield(
    board: Board, canoes: list[Canoe], options: Options
) -> tuple[list[dict[str, Any]], bool]:
    """Per target where its cards go, as the contract writes it; and whether any fits nowhere."""
    value = []
    lost = False
    for canoe in canoes:
        taken = spoils(canoe, options)
        nowhere = [str(c) for c in taken.to_attacker if not fits(board, c, options, "spoils")]
        lost = lost or bool(nowhere)
        value.append(
            {
                "to_attacker": [str(c) for c in taken.to_attacker],
                "discarded": [str(c) for c in taken.discarded],
                "fits_nowhere": nowhere,
            }
        )
    return value, lost
