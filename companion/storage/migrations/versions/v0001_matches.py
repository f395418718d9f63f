"""The first schema: matches, the roster, seats, entries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("deck", sa.String(80)),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("rules_version", sa.String(80), nullable=False),
        sa.Column("stage", sa.String(20), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("updated", sa.String(40), nullable=False),
        sa.Column("final", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("normal", sa.String(400), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("normal", name="uq_players_normal"),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("name", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_seats_match_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_seats_player_id", ondelete="SET NULL"
        ),
    )
    op.create_table(
        "entries",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("created", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_entries"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_entries_match_id", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
