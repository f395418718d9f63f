"""Bad files: every fault at once, each with its place; and never another exception."""

import copy
import json
import time
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli.ink import Ink
from companion.cli.ruling_text import ruling_text
from companion.cli.score_sheet import sheet_text
from companion.core.errors import UnusableInput
from companion.interchange.answers import ruling_json, ruling_of, score_json, score_of
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import Document, parse

UTC = 'game = "up-the-creek"\n'
WAP = 'game = "without-a-paddle"\nplayers = ["Ana", "Ben", "Cleo", "Dan"]\ndealer = "Dan"\n'
GUP = 'game = "gold-up"\nplayers = ["Ana", "Ben"]\n'
SCENARIOS = Path(__file__).parents[1] / "games"


def sheet_of(raw: dict[str, Any], question: bool = False, folder: Path | None = None) -> Sheet:
    name = "-" if folder is None else str(folder / "table.toml")
    return load_sheet(Document(name, raw, ""), question)


def scored(text: str) -> dict[str, Any]:
    sheet = sheet_of(parse(text))
    return score_json(sheet, score_of(sheet))


def faults(text: str, question: bool = False) -> list[str]:
    with pytest.raises(UnusableInput) as caught:
        sheet_of(parse(text), question)
    assert caught.value.faults
    found = [str(fault) for fault in caught.value.faults]
    assert len(set(found)) == len(found), "a fault is told once"
    return found


def named(found: list[str], *words: str) -> bool:
    """Whether one fault holds all these words."""
    return any(all(word in fault for word in words) for fault in found)


def table(*rows: str, more: str = "") -> str:
    return f'{UTC}[[players]]\nname = "Ana"\nrows = {json.dumps(rows)}\n{more}'


# Each alone


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (table("bow lassso stern"), ("Ana", "rows[1]", "card 2", "lassso", "lasso")),
        (table("bow eagle:red stern"), ("card 2", "eagle", "red")),
        (table("", "chief=-1"), ("rows[2]", "chief", "-1")),
        (table("chief=2.5"), ("2.5",)),
        (table("", "", "", "eagle"), ("Ana", "4", "3")),
        (table("bow,,stern"), ("card 2",)),
        (table("eagle", more="row = 3\n"), ("row", "rows")),
        (table("eagle") + "[option]\ntribes = true\n", ("option", "options")),
        (table("eagle") + "[options]\ntribs = true\n", ("options.tribs", "tribes")),
        (table("eagle") + '[options]\nlasso = "none"\n', ("options.lasso", "none", "treasure")),
        (table("eagle") + "[options]\nforced_end = 3\n", ("options.forced_end", "3", "4")),
        (table("eagle") + '[[players]]\nname = "Ana"\n', ("two players", "Ana")),
        (table("eagle") + '[[players]]\nname = "ana "\n', ("two players",)),
        (table("eagle") + '[[players]]\nrows = ["furs"]\n', ("players[2]", "name")),
        (table("eagle") + '[[players]]\nname = ""\n', ("players[2]", "name")),
        (table("eagle") + '[[players]]\nname = "A\\nB"\n', ("players[2]", "line break")),
        (table("eagle") + f'[[players]]\nname = "{"x" * 61}"\n', ("players[2]", "61", "60")),
        (UTC + "".join(f'[[players]]\nname = "P{i}"\n' for i in range(7)), ("7 players", "6")),
        (UTC, ("players",)),
        (UTC + "players = []\n", ("players",)),
        (UTC + "players = 3\n", ("players",)),
        ('gaem = "gold-up"\n', ("game", "gold-up")),
        ("game = 3\n", ("game", "3", "gold-up")),
        ('game = "up-the-crek"\n', ("up-the-crek", "up-the-creek")),
        ('game = "Gold Up"\n', ("Gold Up", "gold-up")),
        (UTC + 'deck = "../x"\n' + table("eagle")[len(UTC):], ("deck",)),
        (UTC + "deck = 3\n" + table("eagle")[len(UTC):], ("deck", "3")),
        (UTC + 'deck = "gold-up"\n' + table("eagle")[len(UTC):], ("deck", "gold-up")),
        (WAP + "rounds = 3\n", ("rounds", "3")),
        (WAP.replace('"Dan"\n', '"dan"\n') + "rounds = []\n", ("dealer", "dan", "Dan")),
        (WAP + "[[rounds]]\nbids = {}\ntricks = {}\n", ("round 1", "bids", "Ana")),
        (WAP + "[[rounds]]\nbids = { Ana = 1, Ben = 2, Cleo = 0, Dan = -3 }\n"
               "tricks = { Ana = 10, Ben = 0, Cleo = 0, Dan = 0 }\n", ("round 1", "bids", "Dan", "-3")),
        (WAP.replace(', "Cleo", "Dan"]', "]") + "rounds = []\n", ("2 players", "3", "8")),
        (WAP + "rounds = []\n[question]\nkind = 'deal'\nround = 1.5\n", ("question.round", "1.5")),
        (WAP + "rounds = []\n[question]\nkind = 'deel'\nround = 1\n", ("question.kind", "deel", "deal")),
        (WAP + "rounds = []\n[question]\nround = 1\n", ("question.kind", "missing")),
        (WAP + "rounds = []\nquestion = 'deal'\n", ("question", "table")),
        (GUP + "[[hands]]\n", ("hand 1", "chests", "coins")),
        (GUP + "[[hands]]\ncoins = { Ana = 1 }\nchests = { Ben = [] }\n", ("hand 1", "both")),
        (GUP + "[[hands]]\ncoins = { Ana = -1 }\n", ("hand 1", "Ana", "-1")),
        (GUP + "[[hands]]\ncoins = { Ana = true }\n", ("coins.Ana", "True")),
        (GUP + "[[hands]]\ncoins = { Anna = 1 }\n", ("Anna", "Ana")),
        (GUP + '[[hands]]\nchests = { Ana = ["wite"] }\n', ("chests.Ana[1]", "wite", "white")),
        (GUP + '[[hands]]\nchests = { Ana = ["joker"] }\n', ("joker", "chest")),
        (GUP + '[[hands]]\nchests = { Ana = ["white"] }\n', ("hand 1", "white", "value")),
    ],
)  # fmt: skip
def test_one_fault(text: str, words: tuple[str, ...]) -> None:
    """It is named with its place, what was found, and what would be right."""
    found = faults(text)
    assert named(found, *words), found


def test_a_number_in_quotes_is_called_text() -> None:
    """`"3" is not a whole number; write one in digits, like 3` helps nobody."""
    found = faults(GUP + '[[hands]]\ncoins = { Ana = "3", Ben = 1 }\n')
    assert named(found, "coins.Ana", '"3"') or named(found, "coins.Ana", "'3'"), found


def test_a_missing_question() -> None:
    """Of `check` only; the kinds are named."""
    assert named(faults(table("eagle"), question=True), "question", "places", "attack")
    assert scored(table("eagle"))["players"][0]["total"] == 0


# All together


def test_all_faults_of_a_table() -> None:
    """Structure, names, options, cards, the game's own, the question."""
    found = faults(
        """game = "up-the-creek"
optoins = 1
[options]
tribs = true
width = 1
[[players]]
name = "Ana"
rows = ["bow eagle:red chief=-1 lassso", "", "", ""]
[[players]]
name = "Ben"
row = []
[question]
kind = "place"
player = "Bne"
card = "eagel"
row = "1"
"""
    )
    for words in (
        ("optoins", "options"), ("options.tribs", "tribes"), ("options.width", "1"),
        ("card 2", "red"), ("card 3", "-1"), ("card 4", "lasso"), ("4 rows",), ("row", "rows"),
        ("question.player", "Bne", "Ben"), ("question.card", "eagle"), ("question.row",),
        ("question.column", "missing"),
    ):  # fmt: skip
        assert named(found, *words), (words, found)


def test_all_faults_of_a_score_sheet() -> None:
    """A wrong dealer or a missing table does not hide a negative bid."""
    found = faults(
        WAP.replace('"Dan"\n', '"Dnn"\n')
        + "[options]\nhok = 1\n"
        + "[[rounds]]\nbids = { Ana = -1, Ben = 2.5, Cleo = 0, Dan = 0 }\n"
        + "tricks = { Ana = 10, Ben = 0, Cleo = 0, Dan = 0 }\nreneged = ['Bne']\n"
        + "[[rounds]]\nbid = {}\n"
    )
    for words in (
        ("dealer", "Dnn", "Dan"), ("options.hok", "hook"), ("bids.Ben", "2.5"), ("reneged", "Bne"),
        ("rounds[2]", "bids", "missing"), ("rounds[2].bid", "bids"), ("rounds[2]", "tricks"),
        ("Ana", "-1"),
    ):  # fmt: skip
        assert named(found, *words), (words, found)


def test_all_faults_of_gold_up_hands() -> None:
    """A card that is none does not hide a hand without anything."""
    found = faults(
        GUP
        + '[[hands]]\nchests = { Ana = ["wite", "joker", "red=x"] }\n[[hands]]\n'
        + "[[hands]]\ncoins = { Ben = -4 }\n"
    )
    for words in (
        ("chests.Ana[1]", "white"), ("chests.Ana[2]", "joker"), ("chests.Ana[3]", "x"),
        ("hand 2",), ("hand 3", "Ben", "-4"),
    ):  # fmt: skip
        assert named(found, *words), (words, found)


def test_a_faulty_number_is_not_missing_too() -> None:
    """One fault is one fault."""
    found = faults(
        WAP + "[[rounds]]\nbids = { Ana = 1.5, Ben = 2, Cleo = 0, Dan = 0 }\n"
        "tricks = { Ana = 10, Ben = 0, Cleo = 0, Dan = 0 }\n"
    )
    assert len(found) == 1, found


def test_a_faulty_option_is_not_missing_too() -> None:
    """`blu` is one fault; the value of white was given."""
    found = faults(
        GUP
        + '[options]\nvalues = { white = 2, blu = 5 }\n[[hands]]\nchests = { Ana = ["white"] }\n'
    )
    assert len(found) == 1, found
    assert named(found, "blu", "blue")


def test_all_faults_of_a_match() -> None:
    """A misspelt option does not hide an act that is none."""
    found = faults(
        UTC + 'players = ["Ana", "Ben"]\nactions = "Ana foo\\nAna reveal eagel\\nBne pass\\n"\n'
        "[options]\ntribs = true\n"
    )
    for words in (
        ("tribs", "tribes"),
        ("line 3", "Bne", "Ben"), ("line 1", "foo"), ("line 2", "eagle"),
    ):  # fmt: skip
        assert named(found, *words), (words, found)


def test_no_name_is_told_once() -> None:
    """`players = [3]` is one fault."""
    found = faults(GUP.replace('"Ben"', '"Ben", 3') + "hands = []\n")
    assert len(found) == 1, found


def test_missing_players_are_told_once() -> None:
    """In a match too."""
    found = faults(UTC + 'actions = "Ana pass"\n')
    assert len(found) == 1, found


# What is no fault


def test_a_bid_above_the_hand_is_a_problem() -> None:
    """Scored as written."""
    answer = scored(
        WAP + "[[rounds]]\nbids = { Ana = 11, Ben = 0, Cleo = 0, Dan = 0 }\n"
        "tricks = { Ana = 10, Ben = 0, Cleo = 0, Dan = 0 }\n"
    )
    assert [p["round"] for p in answer["problems"]] == [1]
    assert "11" in answer["problems"][0]["text"]
    assert answer["players"][0]["total"] == 100 - 1 + 5


@pytest.mark.parametrize(
    "name",
    [
        "[bold]x[/]",
        "🛶",
        'O\'Neil "The Axe"',
        "Ana = 1",
        "#1",
        "Ann:a",
        "a.b",
        "!",
        "Zoë",
        "'",
        "\\",
    ],
)
def test_names_as_people_have_them(name: str) -> None:
    """Brackets, quotes, emoji: they come back as they were given."""
    for raw in (
        {"game": "up-the-creek", "players": [{"name": name, "rows": ["bow stern"]}]},
        {"game": "gold-up", "players": [name, "B"], "hands": [{"coins": {name: 2}}]},
        {"game": "without-a-paddle", "players": [name, "B", "C"], "dealer": name, "rounds": []},
    ):
        sheet = sheet_of(raw)
        answer = score_json(sheet, score_of(sheet))
        assert answer["players"][0]["name"] == name
        assert name in sheet_text(sheet, score_of(sheet), Ink(False))


def test_any_number_of_pirates() -> None:
    """Gold Up: two or more."""
    names = [f"P{i}" for i in range(120)]
    raw = {"game": "gold-up", "players": names, "hands": [{"coins": {"P7": 5}}]}
    sheet = sheet_of(raw)
    assert score_of(sheet).winners == ("P7",)


def test_a_household_deck_beside_the_file(tmp_path: Path) -> None:
    """Its kinds, strengths and coins hold; its faults are faults of the file."""
    (tmp_path / "our-box.toml").write_text(
        'extends = "gold-up"\n[values]\nwhite = 3\nred = 4\n', "utf-8"
    )
    raw = {"game": "gold-up", "deck": "our-box", "players": ["Ana", "Ben"],
           "hands": [{"chests": {"Ana": "white, white, red=9"}}]}  # fmt: skip
    assert score_of(sheet_of(raw, folder=tmp_path)).totals == {"Ana": 15, "Ben": 0}
    (tmp_path / "our-box.toml").write_text(
        'extends = "gold-up"\n[values]\nwhite = -3\npink = 4\n[[kinds]]\nid = 3\n', "utf-8"
    )
    with pytest.raises(UnusableInput) as caught:
        sheet_of(raw, folder=tmp_path)
    assert named([str(f) for f in caught.value.faults], "our-box", "white")
    assert named([str(f) for f in caught.value.faults], "our-box", "id")


def test_huge_numbers_are_answered() -> None:
    """In a file they are unusual, not a fault of the program."""
    big = 10**4000
    for raw in (
        {"game": "gold-up", "players": ["A", "B"], "hands": [{"coins": {"A": big}}]},
        {"game": "up-the-creek", "options": {"width": big},
         "players": [{"name": "A", "rows": ["bow stern"]}],
         "question": {"kind": "places", "player": "A", "card": "eagle"}},
    ):  # fmt: skip
        answer_all(raw)


def test_a_sum_too_long_to_print() -> None:
    """Coins of 4300 digits can be read, their sum cannot be written."""
    big = 10**4300 - 1
    hands = [{"coins": {"A": big}}, {"coins": {"A": big}}]
    answer_all({"game": "gold-up", "players": ["A", "B"], "hands": hands})


@pytest.mark.parametrize("column", [10**19, 10**30])
def test_a_column_far_away(column: int) -> None:
    """The card touches nothing there; or there is no such column."""
    raw = {
        "game": "up-the-creek",
        "players": [{"name": "Ana", "rows": ["bow stern"]}],
        "question": {"kind": "place", "player": "Ana", "card": "eagle", "row": 1, "column": column},
    }
    try:
        assert ruling_of(sheet_of(raw, question=True)).verdict.outcome == "illegal"
    except UnusableInput as error:
        assert named([str(f) for f in error.faults], "column")


@pytest.mark.parametrize("character_adjacent", [True, False])
def test_a_row_with_many_halves(character_adjacent: bool) -> None:
    """A hundred pairs in one canoe are a hundred problems, not a hundred minutes."""
    row = "bow " + "bear-a bear-hunter bear-b bear-b " * 30 + "stern"
    options = {"pair_adjacent": False, "character_adjacent": character_adjacent}
    raw = {"game": "up-the-creek", "options": options, "players": [{"name": "A", "rows": [row]}]}
    start = time.monotonic()
    assert score_of(sheet_of(raw)).totals == {"A": 244 + 90 + 10 * 117}
    assert time.monotonic() - start < 4


@pytest.mark.parametrize(
    "raw",
    [
        {"game": "gold-up", "players": ["A", "B"], "options": {"tie": "\x1b[2J"}},
        {"game": "gold-up", "players": ["A", "B"], "options": {"t\x1b[2J": 1}},
        {"game": "gold-up\x1b[2J"},
        {"game": "gold-up", "players": ["A\x1b[2J", "B"], "hand\x1b[2J": 1},
        {"game": "up-the-creek", "players": ["A", "B"], "actions": "A pass\x1b[2J"},
        {"game": "up-the-creek", "players": ["A", "B"], "actions": "\x1b[2J pass"},
        {"game": "up-the-creek", "players": [{"name": "A", "rows": ["\x1b[2J"]}]},
        {"game": "up-the-creek", "players": [{"name": "A"}], "question": {"kind": "\x1b[2J"}},
        {"game": "up-the-creek", "players": [{"name": "A"}], "deck": "\x1b[2J"},
    ],
)
def test_no_escape_sequence_reaches_the_terminal(raw: dict[str, Any]) -> None:
    """A file from elsewhere may not clear the screen."""
    with pytest.raises(UnusableInput) as caught:
        sheet_of(raw)
    assert all(str(fault).isprintable() for fault in caught.value.faults), caught.value.faults


# Whatever a file holds


def answer_all(raw: dict[str, Any]) -> None:
    """`score` and `check` as text and as JSON; at least one fault with words where there is none."""
    for question in (False, True):
        try:
            sheet = sheet_of(raw, question)
            if question:
                ruling = ruling_of(sheet)
                json.dumps(ruling_json(sheet, ruling))
                ruling_text(sheet, ruling, Ink(False))
            else:
                score = score_of(sheet)
                answer = score_json(sheet, score)
                json.dumps(answer)
                sheet_text(sheet, score, Ink(False))
                for player in answer["players"]:
                    assert player["total"] == sum(line["points"] for line in player["lines"])
        except UnusableInput as error:
            assert error.faults
            assert all(fault.found.strip() for fault in error.faults)


@lru_cache(maxsize=1)
def good_files() -> tuple[dict[str, Any], ...]:
    """Every scenario of the three games that can be parsed."""
    found = []
    for path in sorted(SCENARIOS.glob("*/scenarios/*.toml")):
        for scenario in tomllib.loads(path.read_text("utf-8"))["scenarios"]:
            try:
                found.append(parse(scenario["file"]))
            except UnusableInput:
                continue
    return tuple(found)


JUNK = st.sampled_from([
    None, True, False, 0, -1, 1, 15, 10**12, 10**25, 2.5, float("inf"), float("nan"), "", " ", ".",
    "Ana", "ana", "bow", "bow stern", "chief=3", "white", "joker", "10H", "\x1b[31m", "\ud800", "🛶",
    '"', "!", "a" * 300, [], {}, [[]], [{}], ["bow"], ["Ana", "Ana"], {"Ana": 1}, {"Ana": ["white"]},
    {"Ana": -1}, "Ana pass\nBen pass", "Ana place bow 1 1", [1, 2], {"": {}},
    tomllib.loads("d = 2020-01-01")["d"],
])  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything inside it."""
    if path:
        yield path
    entries: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        yield from places(inner, (*path, key))


@st.composite
def spoilt(draw: st.DrawFn) -> dict[str, Any]:
    """A good file with one to three things changed."""
    raw: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(good_files())))
    for _ in range(draw(st.integers(1, 3))):
        found = list(places(raw))
        if not found:
            break
        *path, key = draw(st.sampled_from(found))
        inside: Any = raw
        for part in path:
            inside = inside[part]
        match draw(
            st.sampled_from(["drop", "replace", "rename", "repeat", "word", "letter", "more"])
        ):
            case "drop":
                del inside[key]
            case "replace":
                inside[key] = copy.deepcopy(draw(JUNK))
            case "rename" if isinstance(inside, dict):
                inside[f"{key}{draw(st.sampled_from(['s', ' ', 'é']))}"] = inside.pop(key)
            case "repeat" if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(inside[key]))
            case "word" if isinstance(inside[key], str):
                words = inside[key].split(" ")
                at = draw(st.integers(0, len(words) - 1))
                words[at : at + draw(st.integers(0, 1))] = draw(
                    st.sampled_from([[], ["bow"], ["Ana"], ["99"], ["-1"], ['"'], ["!"], ["x\ny"]])
                )
                inside[key] = " ".join(words)
            case "letter" if isinstance(inside[key], str):
                at = draw(st.integers(0, len(inside[key])))
                inside[key] = (
                    inside[key][:at] + draw(st.sampled_from('":=.\n#!é')) + inside[key][at:]
                )
            case "more" if isinstance(inside[key], int):
                inside[key] += draw(st.sampled_from([-20, -1, 1, 5, 10**6]))
            case _:
                inside[key] = copy.deepcopy(draw(JUNK))
    return raw


@given(raw=spoilt())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_spoilt_file_is_answered_or_refused(raw: dict[str, Any]) -> None:
    """No exception but `UnusableInput`, and that with words."""
    question = raw.get("question")
    if isinstance(question, dict) and isinstance(question.get("column"), int):
        question["column"] = max(-999, min(question["column"], 999))  # a BUG of its own, above
    answer_all(raw)
