"""What goes into a store comes out of it, from SQLite and from PostgreSQL."""

from collections.abc import Callable

import pytest

from companion.core.log import Amended, Played, Redone, Undone
from companion.session import (
    MatchIsFinished,
    NoSuchMatch,
    SomebodyElseWrote,
    Stage,
    Store,
    StoreTrouble,
)
from companion.storage.port import NewEntry, NewMatch

Opener = Callable[[str], Store]
NAMES = ("Ana", "Zoë [x] 漢字", "Big Ben")
MATCH = NewMatch(
    "up-the-creek", "our-box", NAMES, {"tracking": "full"}, {"tribes": True}, "1+a", "T"
)
ENTRIES = (
    NewEntry(Played("Ana", ("place", "bow", "1", "1"))),
    NewEntry(
        Played(NAMES[1], ("place", "bow", "1", "1"), True),
        {"photo": "ab12", "region": [1, 2], "confidence": 0.97},
        {"verdict": "illegal", "rules": ["utc:build.row"]},
    ),
    NewEntry(Undone(2)),
    NewEntry(Redone(2)),
    NewEntry(Amended(1, "Ana", ("place", "stern", "1", "1"), False)),
)


@pytest.fixture
def store(url: str, opened: Opener) -> Store:
    """An empty store."""
    return opened(url)


def test_a_match_and_its_entries_come_back(store: Store, url: str, opened: Opener) -> None:
    match = store.create(MATCH)
    stored = store.append(match.id, 0, ENTRIES)
    assert [s.seq for s in stored] == [1, 2, 3, 4, 5]
    again = opened(url)
    assert again.entries(match.id) == stored
    assert again.entries(match.id, after=3) == stored[3:]
    found = again.match(match.id)
    for name in ("game", "deck", "players", "head", "options", "rules_version", "title"):
        assert getattr(found, name) == getattr(MATCH, name), name
    assert (found.stage, found.entries, found.final) == (Stage.RUNNING, 5, None)
    assert found.updated == stored[-1].created >= found.created


def test_an_imported_match_is_stored_with_its_entries(store: Store) -> None:
    match = store.create(MATCH, ENTRIES)
    assert [s.entry for s in store.entries(match.id)] == [e.entry for e in ENTRIES]


def test_nothing_is_added_to_a_finished_match(store: Store) -> None:
    match = store.create(MATCH, ENTRIES[:1])
    store.set_stage(match.id, Stage.FINISHED, {"players": []})
    with pytest.raises(MatchIsFinished):
        store.append(match.id, 1, ENTRIES[1:2])
    assert len(store.entries(match.id)) == 1
    store.set_stage(match.id, Stage.RUNNING)
    store.append(match.id, 1, ENTRIES[1:2])
    assert len(store.entries(match.id)) == 2


def test_a_number_is_written_once(store: Store) -> None:
    match = store.create(MATCH)
    store.append(match.id, 0, ENTRIES[:1])
    with pytest.raises(SomebodyElseWrote):
        store.append(match.id, 0, ENTRIES[1:2])
    with pytest.raises(SomebodyElseWrote):
        store.append(match.id, 0, ENTRIES)
    assert [s.entry for s in store.entries(match.id)] == [ENTRIES[0].entry]
    store.append(match.id, 1, ENTRIES[1:])
    assert len(store.entries(match.id)) == 5


def test_stages_title_and_final_score(store: Store) -> None:
    first, second = store.create(MATCH), store.create(MATCH)
    store.set_stage(second.id, Stage.PAUSED)
    store.set_stage(first.id, Stage.FINISHED, {"winners": ["Ana"], "players": []})
    store.rename(first.id, "Sunday")
    found = store.match(first.id)
    assert (found.stage, found.title, found.final) == (
        Stage.FINISHED,
        "Sunday",
        {"winners": ["Ana"], "players": []},
    )
    assert [m.id for m in store.matches(Stage.FINISHED)] == [first.id]
    assert [m.id for m in store.matches(Stage.PAUSED)] == [second.id]
    store.append(second.id, 0, ENTRIES[:1])
    assert {m.id for m in store.matches()} == {first.id, second.id}
    assert [m.updated for m in store.matches()] == sorted(
        (m.updated for m in store.matches()), reverse=True
    )


def test_deleting_takes_the_entries_and_leaves_the_rest(store: Store) -> None:
    first, second = store.create(MATCH, ENTRIES), store.create(MATCH, ENTRIES)
    store.delete(second.id)
    assert [m.id for m in store.matches()] == [first.id]
    assert len(store.entries(first.id)) == 5
    assert store.entries(second.id) == ()
    assert store.create(MATCH).id > second.id, "a number is not given twice"
    assert store.roster.names() == NAMES


@pytest.mark.parametrize("what", ["match", "append", "set_stage", "rename", "delete"])
def test_a_match_that_is_not_there(store: Store, what: str) -> None:
    arguments = {"append": (0, ENTRIES), "set_stage": (Stage.PAUSED,), "rename": ("x",)}
    with pytest.raises(NoSuchMatch, match="there is no match 77"):
        getattr(store, what)(77, *arguments.get(what, ()))


def test_the_roster_knows_a_person_once(store: Store) -> None:
    roster = store.roster
    assert roster.names() == ()
    assert roster.add("  Ana   Maria ") == "Ana Maria"
    assert roster.add("ANA MARIA") == "Ana Maria"
    assert roster.add("Zoe\u0308") == "Zoe\u0308"
    assert roster.add("ZOË") == "Zoe\u0308"
    assert roster.add("[b]Straße[/b]") == "[b]Straße[/b]"
    assert len(roster.names()) == 3
    roster.rename("ana maria", "Ana")
    with pytest.raises(StoreTrouble, match="on the roster already"):
        roster.rename("Ana", "zoë")
    roster.forget("[B]STRASSE[/B]")
    assert set(roster.names()) == {"Ana", "Zoe\u0308"}


def test_titles_and_names_hold_nothing_that_a_terminal_would_obey(store: Store) -> None:
    match = store.create(MATCH)
    store.rename(match.id, "  A\x1b[2J\nB  " + "x" * 300)
    assert store.match(match.id).title == ("A [2J B " + "x" * 300)[:200]
    for name in ("", "   ", "A\x1b[2J", "x" * 61):
        with pytest.raises(StoreTrouble, match="is no name"):
            store.roster.add(name)
        with pytest.raises(StoreTrouble, match="is no name"):
            store.roster.rename("Ana", name)


def test_a_photo_may_have_any_name(store: Store) -> None:
    odd = {"photo": "IMG_\udce4\x00.jpg"}
    match = store.create(MATCH, [NewEntry(Played("Ana", ("pass",)), odd)])
    assert store.entries(match.id)[0].provenance == odd


def test_who_played_last_comes_first(store: Store) -> None:
    store.create(MATCH)
    store.create(NewMatch("gold-up", None, ("ben", "ana"), {}, {}, "1"))
    assert store.roster.names() == ("Ana", "ben", *NAMES[1:])
    assert store.matches()[0].players == ("ben", "ana"), (
        "a match keeps the names as they were typed"
    )
    store.roster.forget("Ana")
    assert store.matches()[0].players == ("ben", "ana")


def test_facts_are_kept_by_deck(store: Store, url: str, opened: Opener) -> None:
    store.facts.tell("our-box", "chief", 4)
    store.facts.tell("our-box", "values", {"white": 2})
    store.facts.tell("other", "chief", 5)
    store.facts.tell("our-box", "chief", 3)
    assert opened(url).facts.of("our-box") == {"chief": 3, "values": {"white": 2}}
    store.facts.tell("our-box", "chief", None)
    assert store.facts.of("our-box") == {"values": {"white": 2}}
    assert store.facts.of("unknown") == {}


def test_every_commit_reaches_the_disk(tmp_path: object, opened: Opener) -> None:
    """SQLite: write-ahead log, full synchronisation, foreign keys, patience with other programs."""
    from companion.storage.sql import SqlStore

    store = opened(f"sqlite:///{tmp_path}/a.sqlite3")
    assert isinstance(store, SqlStore)
    with store._database.reading() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 2000,
    }


def test_a_store_in_memory_is_one_for_all_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from companion.session import open_store

    store = open_store("sqlite://")
    match = store.create(MATCH)
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda _: store.match(match.id), range(20)))
    assert {m.id for m in seen} == {match.id}
