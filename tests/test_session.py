"""One match through its session: play, objections, undo, amend, score, keep, files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.core.errors import IllegalAction, ImpossibleAction, UnusableInput
from companion.core.log import Amended, Played
from companion.core.verdict import Clarity, Outcome
from companion.interchange.answers import score_json, score_of
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import Document, parse, read_document
from companion.session import (
    AmendmentRefused,
    MatchIsFinished,
    MatchSession,
    NoSuchMatch,
    NotInForce,
    Stage,
    Store,
    StoreTrouble,
    open_store,
)

ROOT = Path(__file__).parents[1]
SAMPLES = [*(ROOT / "samples").glob("*match*.toml")]
NAMES = ("Ana", "Big Ben #2", "[b]漢字[/b] Zoë")


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store in memory."""
    store = open_store("sqlite://")
    yield store
    store.close()


@pytest.fixture
def match(store: Store) -> MatchSession:
    """Up the Creek, light tracking, nothing played."""
    return MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])


def play(session: MatchSession, *lines: str) -> None:
    """Plays lines; `!` at the end: although it is against the rules."""
    for line in lines:
        session.play(session.parse(line), anyway=line.endswith("!"))


def shown(session: MatchSession) -> list[str]:
    """The acts in force."""
    return [f"{v.player} {v.text}" for v in session.entries() if v.in_force]


def read(text: str) -> Sheet:
    """A match file, as `companion show` reads it."""
    return load_sheet(Document("-", parse(text), text))


def same_file(session: MatchSession) -> None:
    """What is exported is read as the identical match, with the identical score and problems."""
    sheet = read(session.export())
    assert sheet.state == session.state
    assert sheet.options == session.options
    assert score_json(sheet, score_of(sheet)) == score_json(session.sheet, session.score())


# ------------------------------------------------------------------ playing


def test_an_act_is_stored_and_tells_what_it_led_to(store: Store, match: MatchSession) -> None:
    news = match.play(match.parse("Ana place bow 1 1"), provenance={"photo": "ab", "sure": 0.9})
    assert any("Ana" in text and "bow" in text for text in news)
    assert match.news == news
    (stored,) = store.entries(match.match_id)
    assert stored.entry == Played("Ana", ("place", "bow", "1", "1"))
    assert stored.provenance == {"photo": "ab", "sure": 0.9}
    assert stored.verdict is None
    (view,) = match.entries()
    assert (view.seq, view.player, view.text, view.in_force) == (1, "Ana", "place bow 1 1", True)
    assert (view.when, view.news) == (stored.created, news)
    assert view.provenance == {"photo": "ab", "sure": 0.9}


def test_words_of_a_player_are_read_as_well_as_a_line(match: MatchSession) -> None:
    assert match.parse("Ana", ["place", "bow", "1", "1"]) == match.parse("ana place bow 1 1")
    for line in ("", "Cleo place bow 1 1", "Ana dance", "Ana place bow 1 1\nAna pass"):
        with pytest.raises(UnusableInput):
            match.parse(line)


def test_an_act_against_the_rules_is_asked_about_and_recorded(
    store: Store, match: MatchSession
) -> None:
    play(match, "Ana place bow 1 1")
    act = match.parse("Ana place eagle 1 9")
    ruling = match.check(act)
    assert (ruling.verdict.outcome, ruling.clarity) == (Outcome.ILLEGAL, Clarity.CLEAR)
    before = match.state
    with pytest.raises(IllegalAction) as caught:
        match.play(act)
    assert caught.value.verdict == ruling.verdict == match.verdict(act)
    assert match.state is before
    assert len(store.entries(match.match_id)) == 1
    match.play(act, anyway=True)
    stored = store.entries(match.match_id)[1]
    assert stored.entry == Played("Ana", ("place", "eagle", "1", "9"), True)
    assert stored.verdict is not None
    assert stored.verdict["verdict"] == "illegal"
    assert stored.verdict["rules"] == list(ruling.rules)
    assert stored.verdict["reasons"] == [o.text for o in ruling.objections]
    view = match.entries()[1]
    assert view.recorded
    assert view.objections == ruling.verdict.objections
    problem = match.score().problems[0]
    assert problem.text.startswith("line 2, Ana place eagle 1 9: ")
    assert problem.text.endswith("(recorded all the same)")


def test_an_act_that_is_legal_is_not_marked_by_anyway(store: Store, match: MatchSession) -> None:
    match.play(match.parse("Ana place bow 1 1"), anyway=True)
    assert store.entries(match.match_id)[0].entry == Played("Ana", ("place", "bow", "1", "1"))


def test_the_impossible_is_never_recorded(store: Store, match: MatchSession) -> None:
    play(match, "Ana place bow 1 1")
    with pytest.raises(ImpossibleAction):
        match.play(match.parse("Ana place stern 1 1"), anyway=True)
    assert shown(match) == ["Ana place bow 1 1"]
    assert len(store.entries(match.match_id)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game_id": "up-the-crek"}, "did you mean up-the-creek"),
        ({"players": ["Ana"]}, "2 to 6"),
        ({"players": ["Ana", "ana"]}, "two players"),
        ({"players": ["Ana", 'B"en']}, "quotation mark"),
        ({"options": {"tribez": True}}, "options.tribez"),
        ({"options": {"tribes": 3}}, "options.tribes"),
        ({"deck": "no-such-box"}, "no deck file"),
        ({"tracking": "some"}, "tracking"),
        ({"first_player": "Cleo"}, "no player Cleo"),
        ({"weather": "fine"}, "weather"),
        ({"actions": "Ana pass"}, "actions"),
    ],
)
def test_a_match_that_cannot_be_begun(store: Store, arguments: dict[str, Any], said: str) -> None:
    given = {"game_id": "up-the-creek", "players": ["Ana", "Ben"], **arguments}
    with pytest.raises(UnusableInput, match=said):
        MatchSession.create(store, **given)
    assert store.matches() == ()
    assert store.roster.names() == ()


# ------------------------------------------------------------------ undo and amend


def test_undo_and_redo_of_acts_and_turns(match: MatchSession) -> None:
    assert not match.can_undo and not match.can_redo
    assert match.undo() == match.redo() == match.undo(turn=True) == ()
    lines = ["Ana place bow 1 1", "Ben place bow 1 1", "Ben place eagle 1 2"]
    play(match, *lines)
    last = match.state
    assert match.next_undo == "Ben place eagle 1 2"
    assert match.undo() == ("Ben place eagle 1 2",)
    assert match.next_redo == "Ben place eagle 1 2"
    assert match.redo() == ("Ben place eagle 1 2",)
    assert match.state == last
    assert match.undo(turn=True) == (lines[2], lines[1])
    assert shown(match) == lines[:1]
    assert match.undo() == (lines[0],)
    assert not match.can_undo
    assert match.redo() + match.redo(turn=True) == tuple(lines)
    assert match.state == last
    match.undo()
    play(match, "Ben place furs 1 2")
    assert not match.can_redo
    assert [v.in_force for v in match.entries()] == [True, True, False, True]


def test_an_amendment_shows_what_it_alters(store: Store, match: MatchSession) -> None:
    play(match, "Ana place bow 1 1", "Ana place eagle 1 2", "Ben place bow 1 1")
    act = match.parse("Ana place bow 2 4")
    told = match.alters(1, act)
    assert (told.was, told.text) == ("Ana place bow 1 1", "Ana place bow 2 4")
    assert len(store.entries(match.match_id)) == 3, "looking stores nothing"
    (change,) = told.changes
    assert (change.seq, change.player, change.text) == (2, "Ana", "place eagle 1 2")
    assert change.gained and not change.lost and not change.impossible
    assert "2: Ana place eagle 1 2: now " in str(change)
    assert match.amend(1, act) == told
    assert shown(match) == ["Ana place bow 2 4", "Ana place eagle 1 2", "Ben place bow 1 1"]
    first, second, _ = match.entries()
    assert first.was == "Ana place bow 1 1"
    assert second.objections == change.gained
    assert [p.rule for p in match.score().problems] == [o.rule for o in change.gained]
    back = match.amend(4, match.parse("Ana place bow 1 1"))
    assert back.seq == 1, "an amendment is amended through the act that it is about"
    assert back.changes[0].lost == change.gained
    assert match.undo() == ("entry 1 amended to Ana place bow 1 1",)
    assert match.entries()[1].objections == change.gained
    assert match.undo() == ("entry 1 amended to Ana place bow 2 4",)
    assert shown(match)[0] == "Ana place bow 1 1"
    assert not match.entries()[1].objections
    same_file(match)


def test_an_amendment_that_makes_the_rest_impossible_is_refused(
    store: Store, match: MatchSession
) -> None:
    play(match, "Ana place bow 1 1", "Ana place eagle 1 2", "Ana place furs 1 3")
    before = match.state
    act = match.parse("Ana place bow 1 3")
    assert [c.seq for c in match.alters(1, act).blocking] == [3]
    with pytest.raises(
        AmendmentRefused, match="3: Ana place furs 1 3: cannot have happened"
    ) as caught:
        match.amend(1, act)
    assert [c.seq for c in caught.value.blocking] == [3]
    assert match.state is before
    assert len(store.entries(match.match_id)) == 3


def test_an_amended_act_meets_the_same_questions(store: Store, match: MatchSession) -> None:
    play(match, "Ana place bow 1 1", "Ana place eagle 1 2")
    with pytest.raises(ImpossibleAction):
        match.amend(2, match.parse("Ana place furs 1 1"), anyway=True)
    against = match.parse("Ana place furs 1 9")
    with pytest.raises(IllegalAction):
        match.amend(2, against)
    match.amend(2, against, anyway=True, provenance={"photo": "cd"})
    stored = store.entries(match.match_id)[2]
    assert stored.entry == Amended(2, "Ana", ("place", "furs", "1", "9"), True)
    assert stored.verdict is not None and stored.verdict["verdict"] == "illegal"
    assert match.entries()[1].provenance == {"photo": "cd"}
    assert match.entries()[1].recorded
    for seq in (0, 9):
        with pytest.raises(NotInForce):
            match.amend(seq, against)
    match.undo()
    match.undo()
    with pytest.raises(NotInForce):
        match.alters(2, against)


# ------------------------------------------------------------------ score and keeping


def test_what_if_does_not_change_the_match(store: Store) -> None:
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
    play(
        session,
        'Ana observe 1 "bow paddler-1:red paddlers-2:black bear-a bear-b bear-hunter stern"',
    )
    score, state = session.score(), session.state
    strict = session.rescore({"tribes": True})
    assert strict.problems != score.problems
    assert session.rescore(session.options) == score == session.score()
    assert session.state is state
    with pytest.raises(UnusableInput):
        session.rescore({"tribez": True})


def test_what_if_with_other_coins(store: Store) -> None:
    options = {"target": 100, "values": {"white": 2}}
    session = MatchSession.create(store, "gold-up", ["Ana", "Ben"], options)
    play(session, "Ana takes white white", "Ben takes white", "Ana end-hand")
    assert session.rescore({"values": {"white": 4}}).totals == {"Ana": 8, "Ben": 4}
    assert session.score().totals == {"Ana": 4, "Ben": 2}


def test_what_if_the_match_could_not_have_gone_that_way(match: MatchSession) -> None:
    """Then the table is scored as it lies: without the Lasso nothing is offered, nor declined."""
    play(match, 'Ben observe 1 "bow eagle"', "Ana place lasso 1 1", "Ana decline")
    start = match.export().replace("lasso_and_bow = true", "lasso_and_bow = false")
    with pytest.raises(UnusableInput, match="cannot have happened"):
        read(start)
    score = match.rescore({"lasso_and_bow": False})
    assert score.totals == match.score().totals


def test_a_finished_match_keeps_its_score(store: Store, match: MatchSession) -> None:
    play(match, 'Ana observe 1 "bow eagle stern"')
    score = match.finish()
    assert match.stage is Stage.FINISHED
    kept = store.match(match.match_id)
    assert kept.final is not None
    assert {p["name"]: p["total"] for p in kept.final["players"]} == score.totals
    assert kept.final["agreed"] is True
    assert kept.final["rules_version"] == kept.rules_version
    for change in (
        lambda: play(match, "Ben place bow 1 1"),
        match.undo,
        lambda: match.amend(1, match.parse("Ana pass")),
    ):
        with pytest.raises(MatchIsFinished):
            change()
    assert not match.can_undo
    match.resume()
    assert store.match(match.match_id).final is None
    play(match, "Ben place bow 1 1")
    match.finish(agreed=False)
    again = store.match(match.match_id).final
    assert again is not None and again["agreed"] is False


def test_a_paused_match_goes_on_when_something_is_played(store: Store, match: MatchSession) -> None:
    play(match, "Ana place bow 1 1")
    match.pause()
    session = MatchSession.open(store, match.match_id)
    assert session.stage is Stage.PAUSED
    assert session.state == match.state
    play(session, "Ana place eagle 1 2")
    assert store.match(match.match_id).stage is Stage.RUNNING


def test_house_rules_are_frozen_into_the_match(store: Store) -> None:
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"], {"tribes": True})
    stored = store.match(session.match_id)
    options = library.load("up-the-creek").game.options
    assert stored.options.keys() == set(options.__dataclass_fields__)
    assert MatchSession.open(store, session.match_id).options == session.options
    value = options(tribes=True)
    assert MatchSession.create(store, "up-the-creek", ["Ana", "Ben"], value).options == value


def test_a_deck_of_the_household_is_used_by_name(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path))
    deck = tmp_path / "our-box.toml"
    text = 'id = "our-box"\ngame = "gold-up"\nextends = "gold-up"\n[values]\nwhite = 3\n'
    deck.write_text(text)
    session = MatchSession.create(store, "gold-up", ["Ana", "Ben"], deck="our-box")
    play(session, "Ana takes white", "Ana end-hand")
    assert session.score().totals == {"Ana": 3, "Ben": 0}
    assert session.deck.id == "our-box"
    deck.write_text(text.replace("white = 3", "white = 9\nred = 4"))
    again = MatchSession.open(store, session.match_id)
    assert again.options == session.options, "what the deck told then is frozen into the match"
    assert again.score().totals == {"Ana": 3, "Ben": 0}
    deck.unlink()
    with pytest.raises(UnusableInput, match=r"no deck file our-box\.toml"):
        MatchSession.open(store, session.match_id)


def test_a_match_that_is_not_there(store: Store) -> None:
    with pytest.raises(NoSuchMatch):
        MatchSession.open(store, 5)


def test_an_act_that_newer_rules_call_impossible_still_opens(store: Store) -> None:
    """Nothing is lost: it is shown with the reason, and does not count."""
    session = MatchSession.create(store, "up-the-creek", ["Ana", "Ben"])
    play(session, "Ana place bow 1 1", "Ana place eagle 1 2")
    from companion.storage.port import NewEntry

    store.append(
        session.match_id,
        2,
        [
            NewEntry(Played("Ana", ("place", "furs", "1", "2"))),
            NewEntry(Played("Ana", ("fly", "north"))),
            NewEntry(Played("Ana", ("place", "totem", "1", "3"))),
        ],
    )
    session = MatchSession.open(store, session.match_id)
    faults = [bool(v.fault) for v in session.entries()]
    assert faults == [False, False, True, True, False]
    sheet = read(session.export())
    assert sheet.state == session.state
    assert "# does not count" in session.export()
    play(session, "Ben place bow 1 1")
    assert [bool(v.fault) for v in MatchSession.open(store, session.match_id).entries()][
        -1
    ] is False


# ------------------------------------------------------------------ files


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_samples_go_in_and_come_out_identical(store: Store, path: Path) -> None:
    document = read_document(str(path))
    sheet = load_sheet(document)
    session = MatchSession.import_match(store, document, title="A \\ title")
    assert session.state == sheet.state
    assert session.stage is (Stage.FINISHED if session.score().complete else Stage.RUNNING)
    again = MatchSession.open(store, session.match_id)
    for one in (session, again):
        same_file(one)
        assert one.score().totals == score_of(sheet).totals
        assert [p.rule for p in one.score().problems] == [p.rule for p in score_of(sheet).problems]
    back = MatchSession.import_match(store, Document("-", parse(again.export()), ""))
    assert back.state == again.state
    assert again.export() == f"# A \\ title\n{back.export()}"


def test_names_and_words_of_every_kind_survive_a_file(store: Store) -> None:
    session = MatchSession.create(
        store, "up-the-creek", NAMES, {"shift_on": ["reveal"]}, first_player=NAMES[1], title="Ünï"
    )
    play(
        session,
        '"Big Ben #2" place bow 1 1',
        '"[b]漢字[/b] Zoë" observe 2 "eagle . furs"',
        'Ana observe 3 ""',
        '"Big Ben #2" place eagle 2 9 !',
    )
    same_file(session)
    text = session.export()
    assert text.startswith("# Ünï\n")
    assert MatchSession.import_match(store, Document("-", parse(text), text)).players == NAMES


def test_a_position_is_not_imported_as_a_match(store: Store) -> None:
    document = read_document(str(ROOT / "samples" / "family-of-four.toml"))
    with pytest.raises(UnusableInput, match="no match file"):
        MatchSession.import_match(store, document)
    text = 'game = "up-the-creek"\nplayers = ["Ana", "Ben"]\nactions = """\nAna fly\nBen place bow 9 1\n"""\n'
    with pytest.raises(UnusableInput) as caught:
        MatchSession.import_match(store, Document("-", parse(text), text))
    assert len(caught.value.faults) == 2, "all faults of a file together"
    assert store.matches() == ()


def test_importing_the_session_loads_no_sql() -> None:
    import subprocess
    import sys

    code = (
        "import sys, companion.session\n"
        "print([m for m in ('sqlalchemy', 'alembic', 'textual', 'cv2') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert json.loads(run.stdout.replace("'", '"')) == []


def test_a_fact_told_later_does_not_touch_a_finished_match(store: Store) -> None:
    """What was agreed stays: the coins of then, and no second finish."""
    first = MatchSession.create(store, "gold-up", ("Ana", "Ben"))
    first.play(first.parse("Ana takes white white"))
    first.tell("values", {"white": 1})
    assert first.finish().totals == {"Ana": 2, "Ben": 0}
    second = MatchSession.create(store, "gold-up", ("Ana", "Ben"))
    second.tell("values", {"white": 9})
    again = MatchSession.open(store, first.match_id)
    assert again.score().totals == {"Ana": 2, "Ben": 0}
    with pytest.raises(MatchIsFinished):
        again.finish()
    again.resume()
    assert MatchSession.open(store, first.match_id).score().totals == {"Ana": 18, "Ben": 0}


def test_a_store_that_is_gone_takes_nothing(tmp_path: Path) -> None:
    """Its file was deleted under us: told at once, and no empty one is left behind."""
    path = tmp_path / "t.db"
    session = MatchSession.create(open_store(f"sqlite:///{path}"), "up-the-creek", ("Ana", "Ben"))
    for found in tmp_path.glob("t.db*"):
        found.unlink()
    before = session.state
    with pytest.raises(StoreTrouble, match="moved or deleted"):
        session.play(session.parse("Ana place bow 1 1"))
    assert session.state == before
    assert list(tmp_path.iterdir()) == []
