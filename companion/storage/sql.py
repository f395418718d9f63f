"""The store in SQL: SQLite or PostgreSQL with the same statements."""

import json
import sqlite3
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.storage.engine import damaged, engine_of, in_words, name_of, url_of
from companion.storage.migrate import bring_up_to_date
from companion.storage.port import (
    NewEntry,
    NewMatch,
    Stage,
    StoredEntry,
    StoredMatch,
    packed,
    unpacked,
)
from companion.storage.schema import ENTRIES, MATCHES, PLAYERS, SEATS, SETTINGS
from companion.storage.trouble import MatchIsFinished, NoSuchMatch, SomebodyElseWrote, StoreTrouble

_ADD_ENTRY = insert(ENTRIES)
_STAGE = select(MATCHES.c.stage).where(MATCHES.c.id == bindparam("match")).with_for_update()
"""Held until the entry is written, so that no other program finishes the match between (PostgreSQL)."""
_ANY = ENTRIES.alias()
_LAST = select(func.max(_ANY.c.seq)).where(_ANY.c.match_id == MATCHES.c.id).scalar_subquery()
_MATCHES = select(MATCHES, _LAST.label("last"), ENTRIES.c.created.label("played")).select_from(
    MATCHES.outerjoin(ENTRIES, (ENTRIES.c.match_id == MATCHES.c.id) & (ENTRIES.c.seq == _LAST))
)


def now() -> str:
    """The time as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def normal(name: str) -> str:
    """Equal for names that are the same person's: case, form of accents and spaces do not matter."""
    return " ".join(
        unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split()
    )


LONGEST_NAME = 60
LONGEST_TITLE = 200


def _json(value: Any) -> str | None:
    """In ASCII: the name of a photo may be no text at all."""
    return None if value is None else json.dumps(value)


def _title(title: str) -> str:
    """On one line, without anything that a terminal would obey."""
    clean = "".join(c if c.isprintable() else " " for c in title)
    return " ".join(clean.split())[:LONGEST_TITLE]


def _name(name: str) -> str:
    """A name for the roster; raises `StoreTrouble`."""
    clean = " ".join(name.split())
    if not clean or len(clean) > LONGEST_NAME or not clean.isprintable():
        right = f"a name is one line of at most {LONGEST_NAME} characters"
        raise StoreTrouble(f"{_title(name) or 'nothing'} is no name", right)
    return clean


class _Database:
    """The engine, used by one thread at a time; what it raises comes out in words."""

    def __init__(self, url: str) -> None:
        parsed = url_of(url)
        self.where = name_of(parsed)
        self.engine: Engine = engine_of(parsed)
        self._writer = self.engine.execution_options(writes=True)
        self._held: Connection | None = None
        self._lock = threading.RLock()
        try:
            bring_up_to_date(self.engine, self.where)
        except DBAPIError as error:
            self.engine.dispose()
            raise in_words(error, self.where) from error
        except StoreTrouble:
            self.engine.dispose()
            raise
        self._file = self._identity()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads."""
        with self._lock, self._words():
            self._still_there()
            with self.engine.connect() as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes, on the disk when it ends."""
        with self._lock, self._words():
            if (
                self.engine.dialect.name != "sqlite"
            ):  # a server may have gone away: the pool sees it
                with self._writer.begin() as connection:
                    yield connection
                return
            self._still_there()
            if self._held is None:  # fetching it anew takes a third of the time
                self._held = self._writer.connect()
            with self._held.begin():
                yield self._held

    def _still_there(self) -> None:
        """A file that was moved or deleted would still take entries, and nobody would find them."""
        if self._file != self._identity():
            todo = "put it back where it was, or choose another with --db or COMPANION_DB"
            raise StoreTrouble(f"the store {self.where} was moved or deleted", todo)

    def _identity(self) -> tuple[int, int] | None:
        """Which file is open, as the system knows it; None where it is none or is gone."""
        path = self.engine.url.database
        if not path or path == ":memory:":
            return None
        try:
            found = Path(path).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def release(self) -> None:
        """Lets go of every connection; the next transaction makes a new one."""
        with self._lock:
            if self._held is not None:
                self._held.close()
                self._held = None
            self.engine.dispose()

    @contextmanager
    def _words(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except (DBAPIError, sqlite3.Error) as error:
            raise in_words(error, self.where) from error

    def insert_if_new(self, table: Any) -> Any:
        """An insert that does nothing where the row is there already."""
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite_dialect
        return dialect.insert(table).on_conflict_do_nothing()


class SqlRoster:
    """See `port.Roster`."""

    def __init__(self, database: _Database) -> None:
        self._database = database

    def names(self) -> tuple[str, ...]:
        """All of them; who played last comes first."""
        last = func.coalesce(func.max(SEATS.c.match_id), 0)
        found = (
            select(PLAYERS.c.name)
            .join(SEATS, SEATS.c.player_id == PLAYERS.c.id, isouter=True)
            .group_by(PLAYERS.c.id, PLAYERS.c.name)
            .order_by(last.desc(), PLAYERS.c.id)
        )
        with self._database.reading() as connection:
            return tuple(connection.scalars(found))

    def add(self, name: str) -> str:
        """The name as the roster has it, added if it is new."""
        clean = _name(name)
        with self._database.writing() as connection:
            return self.added(connection, clean)[1]

    def added(self, connection: Connection, name: str) -> tuple[int, str]:
        """Number and name, inside a transaction."""
        key = normal(name)
        new = {"name": " ".join(name.split()), "normal": key}
        connection.execute(self._database.insert_if_new(PLAYERS), new)
        known = select(PLAYERS.c.id, PLAYERS.c.name).where(PLAYERS.c.normal == key)
        row = connection.execute(known).one()
        return row.id, row.name

    def rename(self, name: str, new: str) -> None:
        """Another spelling; matches keep the name they were played under."""
        clean = _name(new)
        change = update(PLAYERS).where(PLAYERS.c.normal == normal(name))
        try:
            with self._database.writing() as connection:
                connection.execute(change.values(name=clean, normal=normal(clean)))
        except IntegrityError:
            raise StoreTrouble(f"{clean} is on the roster already", "choose another name") from None

    def forget(self, name: str) -> None:
        """Takes a name off the roster; its matches stay."""
        with self._database.writing() as connection:
            connection.execute(delete(PLAYERS).where(PLAYERS.c.normal == normal(name)))


class SqlFacts:
    """See `port.Facts`."""

    def __init__(self, database: _Database) -> None:
        self._database = database

    def of(self, deck: str) -> dict[str, Any]:
        """All facts told about a deck, by key."""
        told = select(SETTINGS.c.key, SETTINGS.c.value).where(SETTINGS.c.deck == deck)
        with self._database.reading() as connection:
            return {row.key: json.loads(row.value) for row in connection.execute(told)}

    def tell(self, deck: str, key: str, value: Any) -> None:
        """Remembers a fact; None forgets it."""
        this = (SETTINGS.c.deck == deck) & (SETTINGS.c.key == key)
        with self._database.writing() as connection:
            connection.execute(delete(SETTINGS).where(this))
            if value is not None:
                fact = {"deck": deck, "key": key, "value": _json(value)}
                connection.execute(insert(SETTINGS), fact)


class SqlStore:
    """See `port.Store`."""

    def __init__(self, url: str) -> None:
        self._database = _Database(url)
        self.where = self._database.where
        self.roster = SqlRoster(self._database)
        self.facts = SqlFacts(self._database)

    def create(self, match: NewMatch, entries: Sequence[NewEntry] = ()) -> StoredMatch:
        """Stores a new match, with the entries of an imported one; its players join the roster."""
        time = now()
        row = {
            "game": match.game,
            "deck": match.deck,
            "head": _json(dict(match.head)),
            "options": _json(dict(match.options)),
            "rules_version": match.rules_version,
            "stage": Stage.RUNNING,
            "title": _title(match.title),
            "created": time,
            "updated": time,
        }
        with self._database.writing() as connection:
            done = connection.execute(insert(MATCHES), row)
            assert done.inserted_primary_key is not None
            match_id = int(done.inserted_primary_key[0])
            seats = [
                {
                    "match_id": match_id,
                    "seat": seat,
                    "player_id": self.roster.added(connection, name)[0],
                    "name": name,
                }
                for seat, name in enumerate(match.players)
            ]
            connection.execute(insert(SEATS), seats)
            if entries:
                connection.execute(_ADD_ENTRY, _rows(match_id, 0, entries, time))
        return self.match(match_id)

    def match(self, match_id: int) -> StoredMatch:
        """One match; raises `NoSuchMatch`."""
        with self._database.reading() as connection:
            row = connection.execute(_MATCHES.where(MATCHES.c.id == match_id)).one_or_none()
            if row is None:
                todo = "`companion history list` shows those there are"
                raise NoSuchMatch(f"there is no match {match_id} in {self.where}", todo)
            return self._read(row, _names(connection, match_id)[match_id])

    def matches(self, stage: Stage | None = None) -> tuple[StoredMatch, ...]:
        """All matches, or those of a stage; the last one played comes first."""
        found = _MATCHES if stage is None else _MATCHES.where(MATCHES.c.stage == stage)
        with self._database.reading() as connection:
            names = _names(connection)
            rows = connection.execute(found).all()
        every = [self._read(row, names.get(row.id, ())) for row in rows]
        return tuple(sorted(every, key=lambda m: (m.updated, m.id), reverse=True))

    def _read(self, row: Row[Any], players: tuple[str, ...]) -> StoredMatch:
        try:
            return StoredMatch(
                game=row.game,
                deck=row.deck,
                players=players,
                head=json.loads(row.head),
                options=json.loads(row.options),
                rules_version=row.rules_version,
                title=row.title,
                id=row.id,
                stage=Stage(row.stage),
                created=row.created,
                updated=max(row.updated, row.played or ""),
                entries=row.last or 0,
                final=None if row.final is None else json.loads(row.final),
            )
        except ValueError:
            raise damaged(self.where) from None

    def entries(self, match_id: int, after: int = 0) -> tuple[StoredEntry, ...]:
        """The entries of a match behind that number, in order."""
        c = ENTRIES.c
        wanted = (
            select(c.seq, c.kind, c.payload, c.provenance, c.verdict, c.created)
            .where(c.match_id == match_id, c.seq > after)
            .order_by(c.seq)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        try:
            return tuple(
                StoredEntry(
                    unpacked(kind, payload),
                    None if provenance is None else json.loads(provenance),
                    None if verdict is None else json.loads(verdict),
                    seq,
                    created,
                )
                for seq, kind, payload, provenance, verdict, created in rows
            )
        except (ValueError, TypeError):
            raise damaged(self.where) from None

    def append(
        self, match_id: int, after: int, entries: Sequence[NewEntry]
    ) -> tuple[StoredEntry, ...]:
        """Adds entries behind number `after`, all or none.

        Raises `SomebodyElseWrote` if there are some, `MatchIsFinished` where a program has finished it.
        """
        time = now()
        try:
            with self._database.writing() as connection:
                if connection.execute(_STAGE, {"match": match_id}).scalar() == Stage.FINISHED:
                    raise MatchIsFinished
                connection.execute(_ADD_ENTRY, _rows(match_id, after, entries, time))
        except IntegrityError:
            self.match(match_id)
            raise SomebodyElseWrote from None
        return tuple(
            StoredEntry(e.entry, e.provenance, e.verdict, seq, time)
            for seq, e in enumerate(entries, after + 1)
        )

    def set_stage(
        self, match_id: int, stage: Stage, final: Mapping[str, Any] | None = None
    ) -> None:
        """Running, paused, or finished with the final score."""
        self._change(match_id, stage=stage, final=_json(final), updated=now())

    def rename(self, match_id: int, title: str) -> None:
        """Gives the match a title."""
        self._change(match_id, title=_title(title))

    def _change(self, match_id: int, **values: Any) -> None:
        with self._database.writing() as connection:
            connection.execute(update(MATCHES).where(MATCHES.c.id == match_id).values(**values))
        self.match(match_id)

    def delete(self, match_id: int) -> None:
        """Removes a match with all its entries."""
        self.match(match_id)
        with self._database.writing() as connection:
            connection.execute(delete(MATCHES).where(MATCHES.c.id == match_id))

    def close(self) -> None:
        """Lets go of the file or the connections."""
        self._database.release()


def _names(connection: Connection, match_id: int | None = None) -> dict[int, tuple[str, ...]]:
    """Players in the order of their seats, by match."""
    found = select(SEATS.c.match_id, SEATS.c.name).order_by(SEATS.c.match_id, SEATS.c.seat)
    if match_id is not None:
        found = found.where(SEATS.c.match_id == match_id)
    names: dict[int, tuple[str, ...]] = {} if match_id is None else {match_id: ()}
    for row in connection.execute(found):
        names[row.match_id] = (*names.get(row.match_id, ()), row.name)
    return names


def _rows(
    match_id: int, after: int, entries: Sequence[NewEntry], time: str
) -> list[dict[str, Any]]:
    rows = []
    for seq, new in enumerate(entries, after + 1):
        kind, payload = packed(new.entry)
        rows.append(
            {
                "match_id": match_id,
                "seq": seq,
                "kind": kind,
                "payload": payload,
                "provenance": _json(new.provenance),
                "verdict": _json(new.verdict),
                "created": time,
            }
        )
    return rows
