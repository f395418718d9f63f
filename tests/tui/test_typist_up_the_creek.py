"""What typed text means at the table of Up the Creek, without a screen."""

from typing import Any

from companion.session import MatchSession, open_store
from companion.tui.entry.up_the_creek import UpTheCreekTypist


def table(acts: str, **head: Any) -> MatchSession:
    """A match after these acts, kept nowhere."""
    session = MatchSession.create(open_store("sqlite://"), "up-the-creek", ("Ana", "Ben"), **head)
    for line in acts.splitlines():
        session.play(session.parse(line), anyway=True)
    return session


def labels(session: MatchSession, text: str) -> list[str]:
    """The lines of the list under the entry."""
    return [choice.label for choice in UpTheCreekTypist().read(session, text).choices]


def test_letters_pick_a_card() -> None:
    assert labels(table(""), "be") == [
        "Bear (front half)  bear-a",
        "Bear (back half)  bear-b",
        "Bear Hunter  bear-hunter",
    ]


def test_a_misspelt_card_is_answered_with_the_nearest() -> None:
    prompt = UpTheCreekTypist().read(table(""), "lumberjak")
    assert "no card begins with lumberjak" in prompt.note
    assert prompt.choices[0].label == "Lumberjack  lumberjack"


def test_places_are_lit_and_narrowed_by_row_and_column() -> None:
    session = table("Ana place eagle 1 1")
    typist = UpTheCreekTypist()
    assert (2, 2) in typist.read(session, "furs ").lit
    assert {c.place for c in typist.read(session, "furs 2").choices if c.place} == {
        (2, 0),
        (2, 1),
        (2, 2),
    }
    assert typist.read(session, "furs 2 2").words == ("place", "furs", "2", "2")


def test_a_card_that_fits_nowhere() -> None:
    session = table("\n".join(f'Ana observe {row} "eagle"' for row in (1, 2, 3)))
    prompt = UpTheCreekTypist().read(session, "eagle ")
    assert prompt.lit == frozenset() and "discard" in prompt.note
    assert [c.words for c in prompt.choices] == [("discard", "eagle")]


def test_lasso_first_the_card_then_its_place() -> None:
    session = table(
        "Ben place eagle 1 1\nBen place furs 1 2\nAna place bow 1 1\nAna place lasso 1 2"
    )
    assert labels(session, "") == [
        "take Ben's Eagle (row 1, column 1)",
        "take Ben's Furs (row 1, column 2)",
        "decline: let it pass",
    ]
    typist = UpTheCreekTypist()
    choice = typist.read(session, "furs").choices[0]
    prompt = typist.read(session, choice.text)
    assert (1, 3) in prompt.lit
    (narrowed,) = typist.read(session, f"{choice.text}1 3").choices
    assert narrowed.words == ("steal", "Ben", "1", "2", "to", "1", "3")


def test_spoils_one_card_after_the_other() -> None:
    session = table(
        "Ben place eagle 1 1\nBen place furs 1 2\nAna place paddler-bow 1 1\n"
        "Ana place paddler-stern 1 2\nAna attack 1 1 on Ben 1 1"
    )
    assert labels(session, "") == [
        "lay Eagle",
        "lay Furs",
        "decline: the rest goes to the discard pile",
    ]
    prompt = UpTheCreekTypist().read(session, "lay 2 ")
    assert ("take", "furs", "1", "3") in [c.words for c in prompt.choices]
    session.play(session.parse("Ana take eagle 1 3"))
    assert "Furs in row 1, column 4" in labels(session, "")


def test_full_tracking_reveals_first() -> None:
    session = table("", tracking="full", first_player="Ana")
    prompt = UpTheCreekTypist().read(session, "eagle ")
    assert prompt.words == ("reveal", "eagle")
    session.play(session.parse("Ana reveal eagle"))
    assert UpTheCreekTypist().read(session, "").lit == {(1, 1), (2, 1), (3, 1)}


def test_a_half_beside_its_half_is_offered_with_its_shift() -> None:
    session = table("Ana place bow 1 1\nAna place gold-a 1 2\nAna place eagle 1 3")
    shifts = [c for c in UpTheCreekTypist().read(session, "gold-b ").choices if not c.place]
    assert any("shifted right" in c.label for c in shifts)
