"""House rules of Up the Creek, each with the reading of the rulebook that it switches."""

from dataclasses import dataclass

from companion.core.options import option
from companion.core.verdict import Clarity

CLEAR, UNCLEAR, SILENT = Clarity.CLEAR, Clarity.INTERPRETATION, Clarity.SILENT


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules in force; the defaults are the rulebook as this project reads it."""

    pair_adjacent: bool = option(
        True,
        rule="utc:score.pair",
        clarity=UNCLEAR,
        meaning="two halves are a pair only side by side; false: anywhere in the canoe",
    )
    half_order: str = option(
        "any",
        rule="utc:score.pair",
        clarity=UNCLEAR,
        values=("any", "left-right"),
        meaning="whether half a must lie left of half b",
    )
    character_adjacent: bool = option(
        True,
        rule="utc:score.triple",
        clarity=UNCLEAR,
        meaning="the character must touch its pair; false: anywhere in the canoe",
    )
    lone_character: int = option(
        10,
        rule="utc:score.lone-character",
        clarity=UNCLEAR,
        values=(10, 0),
        meaning="points of a character without any half of its treasure, or away from its pair",
    )
    double_from: int = option(
        8,
        rule="utc:score.double",
        clarity=CLEAR,
        values=(8, 9),
        meaning="length from which every card of a canoe counts 2",
    )
    bow_stern: str = option(
        "alternate",
        rule="utc:build.bow-stern",
        clarity=UNCLEAR,
        values=("alternate", "at-most-one", "off"),
        meaning="how bows and sterns of a row may follow each other",
    )
    canoe_extent: str = option(
        "span",
        rule="utc:build.extent",
        clarity=UNCLEAR,
        values=("span", "run"),
        meaning="whether an open canoe reaches over its gaps (span) or ends at them (run)",
    )
    width: int = option(
        14,
        rule="utc:build.width",
        clarity=CLEAR,
        at_least=2,
        meaning="how many columns wide a row may be",
    )
    area: str = option(
        "row",
        rule="utc:build.area",
        clarity=UNCLEAR,
        values=("row", "shared"),
        meaning="whether the width holds for each row, or for the three rows together",
    )
    lasso: str = option(
        "any",
        rule="utc:lasso.kinds",
        clarity=CLEAR,
        values=("any", "treasure-or-totem", "treasure"),
        meaning="which cards a Lasso may take",
    )
    lasso_must_fit: bool = option(
        True,
        rule="utc:lasso.must-fit",
        clarity=UNCLEAR,
        meaning="a card may be stolen only if it fits in one of the thief's rows",
    )
    shift_for_character: bool = option(
        False,
        rule="utc:treasure.shift-character",
        clarity=UNCLEAR,
        meaning="cards may be shifted for a character beside its half, too",
    )
    shift_on: tuple[str, ...] = option(
        ("reveal",),
        rule="utc:treasure.shift-source",
        clarity=UNCLEAR,
        values=(
            ("reveal",),
            ("reveal", "steal"),
            ("reveal", "spoils"),
            ("reveal", "steal", "spoils"),
        ),
        meaning="where a half must come from to shift cards",
    )
    spoils_characters: str = option(
        "winner",
        rule="utc:piracy.spoils-characters",
        clarity=UNCLEAR,
        values=("winner", "discard"),
        meaning="who gets the characters of a captured canoe",
    )
    spoils_sections: bool = option(
        False,
        rule="utc:addition.sections",
        clarity=CLEAR,
        meaning="the winner takes an empty section for each captured Indian card",
    )
    spoils_rows: str = option(
        "any",
        rule="utc:piracy.spoils-rows",
        clarity=UNCLEAR,
        values=("any", "one"),
        meaning="whether captured cards may go to different rows",
    )
    lasso_and_bow: bool = option(
        True,
        rule="utc:addition.lasso-bow",
        clarity=CLEAR,
        meaning="the Lasso and Bow & Arrows cards are in the game",
    )
    continue_end: str = option(
        "completer",
        rule="utc:end.continue",
        clarity=UNCLEAR,
        values=("completer", "automatic"),
        meaning="after somebody went on past a third canoe: may the next completer choose",
    )
    forced_end: int = option(
        0,
        rule="utc:end.forced",
        clarity=SILENT,
        at_least=4,
        also=(0,),
        others=(5,),
        meaning="the canoe that ends the game whatever its owner wants; 0: none",
    )
    tie: str = option(
        "shared",
        rule="utc:score.tie",
        clarity=SILENT,
        values=("shared",),
        meaning="equal totals win together",
    )
    tribes: bool = option(
        False,
        rule="utc:tribes.one-colour",
        clarity=CLEAR,
        meaning="the variant with two tribes: one colour of Indian a canoe",
    )
    set: str = option(
        "basic",
        rule="utc:table.counts",
        clarity=CLEAR,
        values=("basic", "expanded"),
        meaning="which set of cards is in the box",
    )
