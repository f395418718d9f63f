"""The tables, as the newest migration leaves them. JSON is text, times are ISO 8601 in UTC."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
}
METADATA = MetaData(naming_convention=NAMING)

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(80), nullable=False),
    Column("deck", String(80)),
    Column("head", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("rules_version", String(80), nullable=False),
    Column("stage", String(20), nullable=False),
    Column("title", String(200), nullable=False, server_default=""),
    Column("created", String(40), nullable=False),
    Column("updated", String(40), nullable=False),
    Column("final", Text),
    sqlite_autoincrement=True,  # the number of a deleted match is not given again
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", String(200), nullable=False),
    Column("normal", String(400), nullable=False),
    UniqueConstraint("normal"),
)

SEATS = Table(
    "seats",
    METADATA,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("players.id", ondelete="SET NULL")),
    Column("name", String(200), nullable=False),
    PrimaryKeyConstraint("match_id", "seat"),
)

ENTRIES = Table(
    "entries",
    METADATA,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("payload", Text, nullable=False),
    Column("provenance", Text),
    Column("verdict", Text),
    Column("created", String(40), nullable=False),
    PrimaryKeyConstraint("match_id", "seq"),  # two writers cannot both write the same number
    sqlite_with_rowid=False,  # one tree instead of two, so an entry writes half as much
)

SETTINGS = Table(
    "settings",
    METADATA,
    Column("deck", String(80), nullable=False),
    Column("key", String(200), nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("deck", "key"),
)
