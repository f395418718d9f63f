"""Sheets to fill in: they can be scored as they are."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import library
from companion.core.errors import UnusableInput
from companion.core.options import choices
from companion.interchange.answers import score_json, score_of
from companion.interchange.match_edit import add_act
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document, parse
from companion.interchange.template import write_template

ODD = ["Ana", "Big Ben", 'O"Neil', "Zoë's", "[bold]", "#1", "a = b", "@name@", "\\", "🛶", "@each"]


def names_of(text: str) -> list[str]:
    sheet = load_sheet(Document("-", parse(text), text))
    return [p["name"] for p in score_json(sheet, score_of(sheet))["players"]]


@pytest.mark.parametrize("match", [False, True])
@pytest.mark.parametrize("game", library.SHIPPED)
def test_for_any_number_of_players(game: str, match: bool) -> None:
    """From the fewest to the most; without a rule broken."""
    installed = library.load(game)
    fewest, most = installed.game.match_seats if match else installed.game.seats
    for count in range(fewest, min(most, 12) + 1):
        players = [f"Player {i}" for i in range(count)]
        text = write_template(installed, players, match)
        assert names_of(text) == players
        sheet = load_sheet(Document("-", parse(text), text))
        assert not score_of(sheet).problems
    assert names_of(write_template(installed, [], match))
    for count in (fewest - 1, most + 1):
        if 0 < count < 99:
            with pytest.raises(UnusableInput, match=str(count)):
                write_template(installed, [f"P{i}" for i in range(count)], match)


@pytest.mark.parametrize("game", library.SHIPPED)
def test_odd_names(game: str) -> None:
    """Spaces, quotes, marks that TOML and the template itself use."""
    installed = library.load(game)
    for name in ODD:
        players = [name, "B", "C"]
        assert names_of(write_template(installed, players)) == players
        if '"' not in name:
            assert names_of(write_template(installed, players, match=True)) == players


@pytest.mark.parametrize(
    "players", [["Ana", "ana", "B"], ["A\nB", "C", "D"], ["x" * 100, "B", "C"]]
)
def test_names_that_cannot_be(players: list[str]) -> None:
    """The faults are those of the players only."""
    for game in library.SHIPPED:
        with pytest.raises(UnusableInput) as caught:
            write_template(library.load(game), players)
        assert all(f.where.startswith("players") for f in caught.value.faults)


@given(st.lists(st.text(max_size=8), min_size=3, max_size=4))
def test_any_names(players: list[str]) -> None:
    """A sheet of these players, or why not."""
    for game in library.SHIPPED:
        for match in (False, True):
            try:
                text = write_template(library.load(game), players, match)
            except UnusableInput as error:
                assert error.faults
            else:
                assert names_of(text) == [p.strip() for p in players]


@pytest.mark.parametrize("game", library.SHIPPED)
def test_every_option_stands_there_with_its_default(game: str) -> None:
    """Taking out the # changes nothing."""
    installed = library.load(game)
    for match in (False, True):
        text = write_template(installed, ["A", "B", "C"], match)
        names = [c.name for c in choices(installed.game.options) if not c.keys]
        for name in names:
            assert f"\n# {name} = " in text
            text = text.replace(f"\n# {name} = ", f"\n{name} = ")
        sheet = load_sheet(Document("-", parse(text), text))
        assert sheet.options == installed.game.options()


def test_a_match_can_be_begun(tmp_path: Path) -> None:
    """The first act goes in, the comments stay."""
    for game, act in (
        ("up-the-creek", "A reveal eagle"),
        ("without-a-paddle", "A bid 3"),
        ("gold-up", '"B C" coins 3'),
    ):
        path = tmp_path / f"{game}.toml"
        text = write_template(library.load(game), ["A", "B C", "D"], match=True)
        path.write_text(text, "utf-8")
        assert add_act(str(path), act).written
        kept = path.read_text("utf-8").splitlines()
        assert [line for line in text.splitlines() if line not in kept] == []
