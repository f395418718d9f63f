"""The acts of a match file, one a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import UnusableInput
from companion.interchange.answers import score_json, score_of
from companion.interchange.match_file import player_named, read_entries, words_of
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import Document, parse

NAMES = ("Ana", "Big Ben", "Zoë")


def match(acts: str, game: str = "up-the-creek", more: str = "") -> Sheet:
    players = '["Ana", "Big Ben"]' if game != "without-a-paddle" else '["Ana", "Big Ben", "Cleo"]'
    text = f"game = \"{game}\"\nplayers = {players}\n{more}\nactions = '''\n{acts}\n'''\n"
    return load_sheet(Document("-", parse(text), text))


def faults(acts: str, game: str = "up-the-creek", more: str = "") -> list[str]:
    with pytest.raises(UnusableInput) as caught:
        match(acts, game, more)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Ana place bow 1 1", ["Ana", "place", "bow", "1", "1"]),
        ('"Big Ben" reveal lasso  # his last', ["Big Ben", "reveal", "lasso"]),
        ('Ana observe 1 ""', ["Ana", "observe", "1", ""]),
        ('Ana observe 1 "# no comment"', ["Ana", "observe", "1", "# no comment"]),
        ("  \t Ana\tpass !  ", ["Ana", "pass", "!"]),
        ("# nothing", []),
        ("", []),
        ("O'Neil pass", ["O'Neil", "pass"]),
    ],
)
def test_words(line: str, words: list[str]) -> None:
    """Quotes hold words together, # begins a comment outside of them."""
    assert words_of(line) == (words, "")


@pytest.mark.parametrize("line", ['"Big Ben reveal lasso', 'Ana observe 1 "bow', '"', 'Ana " pass'])
def test_quotes_never_closed(line: str) -> None:
    """Said so, with the line."""
    assert words_of(line)[1]
    (fault,) = read_entries(f"Ana pass\n{line}", NAMES)[1]
    assert "line 2" in fault.where


def test_entries() -> None:
    """Player, words, line, and whether it is recorded despite an objection."""
    text = '# a match\n\nANA place bow 1 1\n"big ben" pass !\nZoë end!\n'
    entries, wrong = read_entries(text, NAMES)
    assert not wrong
    assert [(e.line, e.player, e.words, e.recorded) for e in entries] == [
        (3, "Ana", ("place", "bow", "1", "1"), False),
        (4, "Big Ben", ("pass",), True),
        (5, "Zoë", ("end",), True),
    ]


def test_every_line_that_is_no_act() -> None:
    """The good ones are entries all the same."""
    entries, wrong = read_entries("Ana\nBne pass\nAna pass\nBig Ben pass\n!\nAna !\n", NAMES)
    assert [e.line for e in entries] == [3]
    assert [f.where.split()[-1] for f in wrong] == ["1", "2", "4", "5", "6"]
    assert "Big Ben" in wrong[2].right


def test_a_player_of_two_spellings_is_asked_for() -> None:
    """The exact name first, then whatever the case if there is one only."""
    assert player_named("ana", ("Ana", "ANA")) is None
    assert player_named("ANA", ("Ana", "ANA")) == "ANA"
    assert player_named("zoË", NAMES) == "Zoë"


def test_every_fault_of_the_acts() -> None:
    """Half an act, an unknown verb, a misspelt card, no such row, the wrong player; each its line."""
    found = faults(
        "Ana place eagle\nAna reveal eagel\nAna plaec bow 1 1\nBne pass\nAna place bow 4 1\n"
        'Ana place bow 1 x\nAna place bow 1 1 1\nAna\n"Big Ben pass\nAna place bow 1 99999999\n'
    )
    for number, word in enumerate(
        ("row", "eagle", "place", "Big Ben", "4", "x", "1", "no act", "quotation", "99999999"), 1
    ):
        (fault,) = [f for f in found if f.startswith(f"actions line {number}:")]
        assert word in fault


def test_the_line_of_what_cannot_have_happened() -> None:
    """An occupied place and a card that is not there are unusable, with `!` too."""
    found = faults(
        "Ana reveal bow\nAna place bow 1 1\nAna reveal eagle\nAna place eagle 1 1 !\n"
        '"Big Ben" steal Ana 2 9 to 1 1\n'
    )
    assert "line 4" in found[0]
    assert any("line 5" in f for f in found)


@pytest.mark.parametrize("mark", ["", " !", "!"])
def test_an_act_against_the_rules_is_a_problem_of_its_line(mark: str) -> None:
    """With `!` or without; it is applied all the same."""
    sheet = match(f"Ana reveal bow\nAna place bow 1 1\nAna reveal stern\nAna place stern 3 9{mark}")
    answer = score_json(sheet, score_of(sheet))
    (problem,) = answer["problems"]
    assert (problem["line"], problem["player"]) == (4, "Ana")
    assert "line 4" in problem["text"]
    assert problem["section"]
    assert "stern" in " ".join(sheet.game.view(sheet.state))


def test_no_escape_sequence_in_a_problem() -> None:
    """`eagle` is read whatever stands around it; the problem shows the line, but harmlessly."""
    raw = {
        "game": "up-the-creek",
        "players": ["Ana", "Ben"],
        "actions": "Ana reveal bow\nAna place bow 1 1\nAna place eagle\x1b 3 9",
    }
    sheet = load_sheet(Document("-", raw, ""))
    assert score_of(sheet).problems
    assert all(problem.text.isprintable() for problem in score_of(sheet).problems)


@pytest.mark.parametrize(
    ("game", "acts"),
    [
        ("up-the-creek", "Ana reveal b"),
        ("up-the-creek", 'Ana reveal bow\nAna place bow 1 1\n"Big Be'),
        ("without-a-paddle", "Ana cut 2"),
        ("without-a-paddle", "Ana bi"),
        ("gold-up", "Ana coins"),
        ("gold-up", "Ana takes white w"),
    ],
)
def test_cut_off_in_mid_line(game: str, acts: str) -> None:
    """The last line is named."""
    found = faults(acts, game)
    assert any(f"line {acts.count(chr(10)) + 1}" in f for f in found)


def test_one_line_is_enough() -> None:
    """`actions` without a line break, with CRLF, with comments alone, and with none."""
    for acts in ('"Ana reveal bow"', '"Ana reveal bow\\r\\n"', '"# x\\nAna reveal bow # y"'):
        text = f'game = "up-the-creek"\nplayers = ["Ana", "Ben"]\nactions = {acts}\n'
        assert len(load_sheet(Document("-", parse(text), text)).events) >= 1
    for acts in ("", "# nothing yet"):
        assert not match(acts).events


@pytest.mark.parametrize("value", ["[]", "3", "true", '["Ana pass"]', "{ a = 1 }"])
def test_acts_are_text(value: str) -> None:
    """A list of lines is refused with how to write it."""
    text = f'game = "up-the-creek"\nplayers = ["Ana", "Ben"]\nactions = {value}\n'
    with pytest.raises(UnusableInput, match="actions"):
        load_sheet(Document("-", parse(text), text))


def test_too_few_for_a_match() -> None:
    """A position may show one player, a match may not."""
    for players in ('["Ana"]', "[]", '["A", "B", "C", "D", "E", "F", "G"]'):
        text = f'game = "up-the-creek"\nplayers = {players}\nactions = ""\n'
        with pytest.raises(UnusableInput, match="2"):
            load_sheet(Document("-", parse(text), text))


def test_a_name_with_a_quotation_mark_cannot_be_written() -> None:
    """In a position it may."""
    text = "game = 'up-the-creek'\nplayers = ['An\"a', 'Ben']\nactions = ''\n"
    with pytest.raises(UnusableInput, match="quotation"):
        load_sheet(Document("-", parse(text), text))


_WORDS = st.sampled_from(
    ["Ana", '"Big Ben"', "reveal", "place", "bow", "stern", "eagle", "1", "2", "-3", "99", "!", "#",
     "pass", "end", "steal", "to", "on", "with", "and", "observe", '"bow . stern"', "insert",
     "beside", "left", "shift", "attack", "axe", "take", "decline", "discard", '"', "x", "chief=3"]
)  # fmt: skip
_LINES = st.lists(_WORDS, max_size=9).map(" ".join) | st.text(max_size=30)


@given(st.lists(_LINES, max_size=6).map("\n".join))
def test_any_text_is_a_match_or_names_its_lines(acts: str) -> None:
    """Nothing but `UnusableInput`, and every fault has its line."""
    raw = {"game": "up-the-creek", "players": ["Ana", "Big Ben"], "actions": acts}
    try:
        sheet = load_sheet(Document("-", raw, ""))
    except UnusableInput as error:
        assert all(f.where.startswith("actions line ") for f in error.faults)
    else:
        score_of(sheet)
        assert sheet.game.view(sheet.state)
