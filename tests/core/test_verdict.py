"""A ruling: which objection decides, and how clear the rulebook is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.core.options import option
from companion.core.verdict import (
    LEGAL,
    Clarity,
    Objection,
    Outcome,
    Unknown,
    Verdict,
    least_clear,
    settle,
)

CLEAR, UNCLEAR, SILENT = Clarity.CLEAR, Clarity.INTERPRETATION, Clarity.SILENT


@dataclass(frozen=True, slots=True)
class House:
    """One option of each clarity."""

    plain: bool = option(True, rule="x:plain", clarity=CLEAR, meaning="")
    near: bool = option(True, rule="x:near", clarity=UNCLEAR, meaning="")
    tie: bool = option(True, rule="x:tie", clarity=SILENT, meaning="")


def objecting(*rules: str, **facts: Any) -> Verdict:
    return Verdict(tuple(Objection(rule, f"{rule} is broken", **facts) for rule in rules))


def when(name: str, verdict: Verdict, otherwise: Verdict = LEGAL) -> Callable[[House], Verdict]:
    """The verdict while the option has its default."""
    return lambda house: verdict if getattr(house, name) else otherwise


def test_outcomes() -> None:
    """Illegal before undetermined before legal; a value is an answer."""
    doubt = Unknown("x:a", "the strength is unknown")
    assert Verdict().outcome is Outcome.LEGAL
    assert Verdict(unknowns=(doubt,), asks_value=True).outcome is Outcome.UNDETERMINED
    assert Verdict(objecting("x:a").objections, (doubt,)).outcome is Outcome.ILLEGAL
    assert Verdict(asks_value=True).outcome is Outcome.ANSWER
    assert Verdict().legal
    assert not Verdict(unknowns=(doubt,)).legal
    assert not objecting("x:a", impossible=True).possible
    assert objecting("x:a").possible


def test_least_clear() -> None:
    """Silent beats unclear beats clear; nothing is clear."""
    assert least_clear() is CLEAR
    assert least_clear(CLEAR, UNCLEAR) is UNCLEAR
    assert least_clear(SILENT, UNCLEAR, CLEAR) is SILENT
    assert [c.doubt for c in (CLEAR, UNCLEAR, SILENT)] == [0, 1, 2]


def test_legal_whatever_the_reading() -> None:
    """Clear, without readings; the rules needed are named."""
    ruling = settle(lambda _: Verdict(needs=("x:a", "x:b", "x:a")), House())
    assert (ruling.clarity, ruling.readings, ruling.rules) == (CLEAR, (), ("x:a", "x:b"))


def test_illegal_under_every_reading() -> None:
    """Clear: the option was not needed."""
    ruling = settle(lambda _: objecting("x:a"), House())
    assert (ruling.verdict.outcome, ruling.clarity, ruling.readings) == ("illegal", CLEAR, ())


def test_illegal_under_the_default_only() -> None:
    """As clear as the option, and the other reading is told."""
    ruling = settle(when("near", objecting("x:a")), House())
    assert ruling.clarity is UNCLEAR
    (other,) = ruling.readings
    assert (other.label, other.outcome, other.clarity) == ("near=false", "legal", UNCLEAR)


def test_a_clear_option_is_no_reading() -> None:
    """What an option of clarity clear switches is clear."""
    ruling = settle(when("plain", objecting("x:a")), House())
    assert (ruling.clarity, ruling.readings) == (CLEAR, ())


def test_the_clearest_objection_decides() -> None:
    """It comes first and gives the clarity; the readings that change nothing are not told."""
    both, one = objecting("x:unclear", "x:clear"), objecting("x:clear")
    ruling = settle(when("near", both, one), House())
    assert ruling.rules == ("x:clear", "x:unclear")
    assert [o.rule for o in ruling.objections] == ["x:clear", "x:unclear"]
    assert (ruling.clarity, ruling.readings) == (CLEAR, ())


def test_an_objection_is_as_clear_as_the_least_clear_rule_it_needs() -> None:
    """Two readings would each lift it: silent."""
    ruling = settle(lambda house: objecting("x:a") if house.near and house.tie else LEGAL, House())
    assert ruling.clarity is SILENT
    assert [r.label for r in ruling.readings] == ["near=false", "tie=false"]
    assert settle(lambda _: objecting("x:a", clarity=UNCLEAR), House()).clarity is UNCLEAR


def test_the_same_rule_at_another_place_is_another_objection() -> None:
    """An objection goes away with its place, not with its rule."""
    here = Verdict((Objection("x:a", "here", place=(1,)),))
    there = Verdict((Objection("x:a", "there", place=(2,)),))
    assert settle(when("near", here, there), House()).clarity is UNCLEAR


def test_other_words_for_the_same_objection() -> None:
    """The words may differ with the reading; it is the same objection."""
    ruling = settle(
        when("near", Verdict((Objection("x:a", "so"),)), Verdict((Objection("x:a", "or so"),))),
        House(),
    )
    assert ruling.clarity is CLEAR


def test_legal_by_a_reading() -> None:
    """The least clear among the readings that change the answer; its rule is cited."""
    ruling = settle(lambda house: LEGAL if house.near and house.tie else objecting("x:a"), House())
    assert (ruling.verdict.outcome, ruling.clarity) == ("legal", SILENT)
    assert ruling.rules == ("x:near", "x:tie")
    assert {r.outcome for r in ruling.readings} == {Outcome.ILLEGAL}


def test_a_value_that_a_reading_changes() -> None:
    """Values count as answers: 10 here, 0 there."""
    ruling = settle(
        lambda house: Verdict(value=10 if house.near else 0, asks_value=True, needs=("x:v",)),
        House(),
    )
    assert (ruling.clarity, ruling.rules) == (UNCLEAR, ("x:v", "x:near"))
    assert [(r.label, r.value) for r in ruling.readings] == [("near=false", 0)]


def test_points_without_an_option() -> None:
    """They make it unclear, without a reading to tell."""
    ruling = settle(lambda _: Verdict(points=(("x:point", SILENT),), needs=("x:a",)), House())
    assert (ruling.clarity, ruling.rules, ruling.readings) == (SILENT, ("x:a", "x:point"), ())


def test_a_missing_number_is_no_silence() -> None:
    """Undetermined under every reading is clear; the rule of the fact stands first."""
    verdict = Verdict(unknowns=(Unknown("x:s", "unknown"),), needs=("x:a",))
    ruling = settle(lambda _: verdict, House())
    assert (ruling.verdict.outcome, ruling.clarity) == ("undetermined", CLEAR)
    assert ruling.rules == ("x:s", "x:a")
    assert ruling.objections == ()


def test_the_default_is_a_reading_of_changed_options() -> None:
    """With `near` switched off, on is the other reading."""
    ruling = settle(when("near", objecting("x:a")), House(near=False))
    assert ruling.verdict.outcome is Outcome.LEGAL
    assert [r.label for r in ruling.readings] == ["near=true"]
