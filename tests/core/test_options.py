"""House rules: read from a file, and read the other way."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import library
from companion.core.options import (
    as_dict,
    choices,
    nearest_hint,
    option,
    plain,
    read_options,
    readings,
    text_of,
)
from companion.core.verdict import Clarity

CLEAR, UNCLEAR, SILENT = Clarity.CLEAR, Clarity.INTERPRETATION, Clarity.SILENT


@dataclass(frozen=True, slots=True)
class House:
    """House rules of no game."""

    near: bool = option(True, rule="x:near", clarity=UNCLEAR, meaning="")
    order: str = option("a", rule="x:order", clarity=UNCLEAR, meaning="", values=("a", "b", "c"))
    length: int = option(8, rule="x:length", clarity=CLEAR, meaning="", values=(8, 9))
    forced: int = option(
        0, rule="x:forced", clarity=SILENT, meaning="", at_least=4, also=(0,), others=(5,)
    )
    on: tuple[str, ...] = option(
        ("r",), rule="x:on", clarity=UNCLEAR, meaning="",
        values=(("r",), ("r", "s"), ("r", "t"), ("r", "s", "t")),
    )  # fmt: skip
    coins: tuple[tuple[str, int], ...] = option(
        (), rule="x:coins", clarity=SILENT, meaning="", keys=("white", "red")
    )


def labels(**changed: Any) -> dict[str, Clarity]:
    options, faults = read_options(House, changed)
    assert not faults
    return {reading.label: reading.clarity for reading in readings(options)}


def test_defaults() -> None:
    """Nothing given: the defaults, no fault."""
    options, faults = read_options(House, {})
    assert (options, faults) == (House(), [])


def test_values_are_taken_over() -> None:
    """Lists in any order, or as text."""
    given_ = {"near": False, "order": "c", "length": 9, "forced": 7, "on": ["t", "r"],
              "coins": {"red": 4, "white": 0}}  # fmt: skip
    options, faults = read_options(House, given_)
    assert not faults
    assert options == House(False, "c", 9, 7, ("r", "t"), (("white", 0), ("red", 4)))
    assert read_options(House, {"on": "s, r"})[0].on == ("r", "s")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("near", 1), ("near", "true"), ("near", None), ("near", []),
        ("order", "d"), ("order", "A"), ("order", ""), ("order", 1), ("order", ["a"]), ("order", True),
        ("length", 10), ("length", True), ("length", 8.0), ("length", "8"),
        ("forced", 3), ("forced", -1), ("forced", False), ("forced", 5.0), ("forced", "5"),
        ("on", []), ("on", ["s"]), ("on", ["r", "r"]), ("on", [1]), ("on", {"r": 1}), ("on", "x"),
        ("on", [["r"]]),
        ("coins", {"pink": 3}), ("coins", {"red": -1}), ("coins", {"red": True}),
        ("coins", {"red": 1.5}), ("coins", [1]), ("coins", "red=3"), ("coins", {"red": "4"}),
    ],
)  # fmt: skip
def test_no_other_value(name: str, value: Any) -> None:
    """One fault that names the option and what would be right; the default stays."""
    options, faults = read_options(House, {name: value})
    assert options == House()
    (fault,) = faults
    assert fault.where.startswith(f"options.{name}")
    assert fault.right


def test_every_fault_at_once() -> None:
    """In the order of the file, and the good ones still count."""
    options, faults = read_options(House, {"nearr": 1, "order": 3, "length": 9, "xyz": 0, "on": []})
    assert [f.where for f in faults] == [
        "options.nearr",
        "options.order",
        "options.xyz",
        "options.on",
    ]
    assert options.length == 9
    assert "near" in faults[0].right
    assert all(name in faults[2].right for name in ("order", "forced")), "like nothing: all of them"


def test_the_fault_names_every_value() -> None:
    """`use a or b or c`; a whole number from 4 or 0; the colours of a table."""
    for name, words in (
        ("order", ("a", "b", "c")),
        ("forced", ("0", "4")),
        ("on", ("r,s,t",)),
        ("coins", ("white", "red")),
        ("near", ("true", "false")),
    ):
        (fault,) = read_options(House, {name: None})[1]
        assert all(word in fault.right for word in words), fault


def test_readings_of_the_defaults() -> None:
    """Every other value of every option that is not clear; sets by one member more or less."""
    assert labels() == {
        "near=false": UNCLEAR,
        "order=b": UNCLEAR,
        "order=c": UNCLEAR,
        "forced=5": SILENT,
        "on=r,s": UNCLEAR,
        "on=r,t": UNCLEAR,
    }


def test_the_default_is_a_reading_once_changed() -> None:
    """The named values, and the default where the household has changed it."""
    found = labels(near=False, order="b", forced=5, on=["r", "s"])
    assert list(found) == ["near=true", "order=a", "order=c", "forced=0", "on=r", "on=r,s,t"]


def test_a_number_of_the_household_is_read_as_the_default() -> None:
    """`forced_end` = 7: the reading is 0; 0: it is 5."""
    assert [x for x in labels(forced=7) if x.startswith("forced")] == ["forced=0"]
    assert [x for x in labels(on=["r", "s", "t"]) if x.startswith("on")] == ["on=r,s", "on=r,t"]


def test_a_reading_changes_one_option_only() -> None:
    """The rest stays as the household has it."""
    options, _ = read_options(House, {"near": False, "length": 9, "order": "c"})
    for reading in readings(options):
        differing = {
            c.name
            for c in choices(House)
            if getattr(options, c.name) != getattr(reading.options, c.name)
        }
        assert differing == {reading.name}
        assert getattr(reading.options, reading.name) == reading.value


def test_as_json() -> None:
    """Tuples are lists, tables are tables."""
    options, _ = read_options(House, {"coins": {"red": 4}})
    assert as_dict(options)["coins"] == {"red": 4}
    assert as_dict(options)["on"] == ["r"]
    assert as_dict(House())["coins"] == {}
    assert plain((("a", 1),)) == {"a": 1}
    assert [text_of(v) for v in (True, 5, ("a", "b"), "x")] == ["true", "5", "a,b", "x"]


def test_nearest() -> None:
    """A misspelling names one, anything else all, nothing nothing."""
    assert nearest_hint("Tribs", ["tribes", "width"]) == "did you mean tribes?"
    assert "width" in nearest_hint("zzz", ["tribes", "width"])
    assert nearest_hint("zzz", []) == ""


@pytest.mark.parametrize("game", library.SHIPPED)
def test_shipped_options_can_be_written_back(game: str) -> None:
    """What the JSON of a score says is a valid `[options]` table with the same meaning."""
    cls = library.load(game).game.options
    for options in (cls(), *(reading.options for reading in readings(cls()))):
        assert read_options(cls, as_dict(options)) == (options, [])


def test_readings_named_in_the_contract() -> None:
    """`lone_character=0`, `forced_end=5`, `shift_on=reveal,steal`, as `check --json` prints them."""
    found = {r.label for r in readings(library.load("up-the-creek").game.options())}
    assert {
        "lone_character=0",
        "forced_end=5",
        "shift_on=reveal,steal",
        "pair_adjacent=false",
    } <= found
    assert not {x for x in found if x.startswith(("width", "lasso=", "tribes", "tie", "set"))}


_NAMES = st.sampled_from([*(c.name for c in choices(House)), "nears", "", "x\x1b"])
_ANY = st.recursive(
    st.sampled_from([None, True, 0, 5, -1, 2.5, "a", "r", "r,s", "", 10**30]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(_NAMES, _ANY, max_size=5))
def test_any_table_gives_options_and_faults(table: dict[str, Any]) -> None:
    """Each entry is taken over or is one fault."""
    options, faults = read_options(House, table)
    assert len(faults) <= len(table)
    assert {f.where.split(".")[1] for f in faults} <= {*table, ""}
    assert read_options(House, as_dict(options)) == (options, [])
